/** Page ids of two wikis: whether both number the same pages alike. */
import type { Interaction } from '../../cassette/interaction.ts'
import { type JsonTree, memberOf, textOf } from '../../json/json-tree.ts'
import { type CassetteSide, jsonBodies } from './cassette-side.ts'
import { lazy } from './lazy.ts'

/** Whether the two wikis give the same pages other ids, e.g. after an import. */
export const renumberingDetector = (a: CassetteSide, b: CassetteSide): (() => boolean) =>
  lazy(() => isRenumbered(pageIdsIn(a.interactions), pageIdsIn(b.interactions)))

function isRenumbered(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  const common = [...a].filter(([title]) => b.has(title))
  const differing = common.filter(([title, id]) => b.get(title) !== id)
  return differing.length * 5 > common.length
}

/** Ids by title, out of all answers. */
export function pageIdsIn(interactions: readonly Interaction[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  for (const body of jsonBodies(interactions)) collectIds(body, ids)
  return ids
}

function collectIds(tree: JsonTree, ids: Map<string, string>): void {
  if (tree.kind === 'array') for (const item of tree.items) collectIds(item, ids)
  if (tree.kind !== 'object') return
  const id = memberOf(tree, 'pageid')
  const title = textOf(memberOf(tree, 'title'))
  // An id of 0 is a page that does not exist.
  if (id?.kind === 'literal' && title !== undefined && id.text !== '0') ids.set(title, id.text)
  for (const { value } of tree.members) collectIds(value, ids)
}
