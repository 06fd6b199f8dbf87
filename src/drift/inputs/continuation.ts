/** How an answer says that there is more, in both dialects. Sources: API:Continue, API:Raw_query_continue. */
import { type JsonTree, memberOf, membersOf, textOf } from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import { type CassetteSide, jsonBodies } from './cassette-side.ts'

export interface Continuation {
  readonly dialect: 'query-continue' | 'continue' | 'none'
  /** Parameters to send back, without the dialect's own `continue`. */
  readonly values: ReadonlyMap<string, string>
  readonly tree: JsonTree | undefined
}

export function readContinuation(tree: JsonTree): Continuation {
  const old = memberOf(tree, 'query-continue')
  if (old !== undefined) {
    const values = membersOf(old).flatMap(({ value }) => entriesOf(value))
    return { dialect: 'query-continue', values: new Map(values), tree: old }
  }
  const now = memberOf(tree, 'continue')
  if (now === undefined) return { dialect: 'none', values: new Map(), tree: undefined }
  const values = entriesOf(now).filter(([name]) => name !== 'continue')
  return { dialect: 'continue', values: new Map(values), tree: now }
}

const entriesOf = (tree: JsonTree): readonly (readonly [string, string])[] =>
  membersOf(tree).map(({ key, value }) => [key, textOf(value) ?? writeCompact(value, 'utf8')] as const)

/** Every continue value that the side's answers hand out, as `name=value`. */
export const continueValues = (side: CassetteSide): ReadonlySet<string> =>
  new Set(
    jsonBodies(side.interactions).flatMap((body) =>
      [...readContinuation(body).values].map(([name, value]) => `${name}=${value}`),
    ),
  )
