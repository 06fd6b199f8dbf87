/** Batches of one listing that end elsewhere on the two sides, as a change. */
import { jsonLiteral, memberOf } from '../../json/json-tree.ts'
import { plural } from '../../text/plural.ts'
import type { Path } from '../changes/path.ts'
import type { TreeWalk } from '../members/tree-walk.ts'
import type { JsonItems } from './item-keys.ts'

/** True for rows that are pages, whose revisions are what the limit counts: an edit moves the end of such a batch. */
export const countsInnerRows = (rows: JsonItems): boolean =>
  rows.some((row) => memberOf(row, 'revisions') !== undefined)

export function emitBatchSizes(a: JsonItems, b: JsonItems, path: Path, walk: TreeWalk): void {
  walk.emit('continuation.batch', path, {
    before: jsonLiteral(a.length),
    after: jsonLiteral(b.length),
    note: `${plural(a.length, 'item')} → ${plural(b.length, 'item')}`,
    mark: countsInnerRows(a) ? 'pages' : '',
  })
}
