/** Values in answers that are a wiki's own: its host and port, its page ids, its continue values. */
import type { Interaction } from '../../cassette/interaction.ts'
import { type JsonTree, memberAt, memberOf, membersOf, textOf } from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import { lazy } from '../../text/group-by.ts'
import { type CassetteSide, jsonBodies, siteinfoBodies } from './cassette-side.ts'

/** A text with the side's own addresses replaced by one name for all sides. */
export type StripOwnHost = (text: string) => string

export function ownHostStripper(side: CassetteSide): StripOwnHost {
  const servers = siteinfoBodies(side).map((tree) => memberAt(tree, 'query', 'general', 'server'))
  const addresses = [side.manifest.upstream, ...servers.flatMap((one) => textOf(one) ?? [])]
  // `127.0.0.1:8143` of an absolute or protocol-relative address.
  const found = addresses.flatMap((one) => /^(?:https?:)?\/\/([^/?#]+)/.exec(one)?.[1] ?? [])
  const hosts = [...new Set(found)].sort((a, b) => b.length - a.length)
  if (hosts.length === 0) return (text) => text
  const origin = new RegExp(`(https?:)?//(?:${hosts.map(escapePattern).join('|')})(?![\\w.:-])`, 'g')
  return (text) =>
    hosts.some((host) => text.includes(host))
      ? text.replace(origin, (_, scheme?: string) => `${scheme === undefined ? '' : 'http:'}//wiki.local`)
      : text
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Whether the two wikis give the same pages other ids, e.g. after an import. */
export const renumberingDetector = (a: CassetteSide, b: CassetteSide): (() => boolean) =>
  lazy(() => {
    const [inA, inB] = [pageIdsIn(a.interactions), pageIdsIn(b.interactions)]
    const common = [...inA].filter(([title]) => inB.has(title))
    return common.filter(([title, id]) => inB.get(title) !== id).length * 5 > common.length
  })

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

/** How an answer says that there is more, in both dialects. Sources: API:Continue, API:Raw_query_continue. */
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
