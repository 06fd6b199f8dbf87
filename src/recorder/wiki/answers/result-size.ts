/**
 * The size of an answer as MediaWiki counts it, and the most that it may have: then the wiki leaves out rows, and warns.
 * Source: ApiResult::size, ApiResult::addValue, $wgAPIMaxResultSize; 1.25 to 1.43.
 */
import { type JsonTree, memberAt, memberOf, textOf } from '../../json/json-tree.ts'

/** The default of `$wgAPIMaxResultSize`. */
const defaultMaxSize = 8_388_608

/** The bytes of all values; names do not count. */
export function resultSize(tree: JsonTree): number {
  switch (tree.kind) {
    case 'array':
      return tree.items.reduce((sum, item) => sum + resultSize(item), 0)
    case 'object':
      return tree.members.reduce((sum, { value }) => sum + resultSize(value), 0)
    case 'string':
      return Buffer.byteLength(tree.value)
    case 'literal':
      return tree.text.length
  }
}

/** @param recorded answers of the same wiki: one that was cut says where */
export function maxResultSize(recorded: Iterable<JsonTree>): number {
  let max = defaultMaxSize
  for (const body of recorded) {
    const warning = memberAt(body, 'warnings', 'result')
    const text = textOf(memberOf(warning, '*') ?? memberOf(warning, 'warnings'))
    if (text !== undefined)
      max = Math.min(max, Number(/\d[\d.,\s]*/.exec(text)?.[0].replace(/\D+/g, '') ?? 0))
  }
  return max
}
