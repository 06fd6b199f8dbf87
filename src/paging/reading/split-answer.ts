/**
 * One answer of a listing taken apart: rows, the continue values behind them, and the frame around both.
 * `fillFrame` puts the parts of one answer together to that answer again.
 */

import {
  itemsOf,
  type JsonMember,
  type JsonTree,
  jsonString,
  memberAt,
  memberOf,
  membersOf,
  replaceAt,
  replaceMember,
  textOf,
} from '../../json/json-tree.ts'
import type { Driver } from './driver.ts'
import { extractRows, groupMember, type ListingRow, mapPages } from './row.ts'

/** What to send to get on: continuation parameters by name, as spelled in JSON. */
export interface ContinueValues {
  readonly values: ReadonlyMap<string, JsonTree>
  /** The `continue` beside them; undefined in the `query-continue` dialect. */
  readonly companion: string | undefined
}

/** An answer without rows and continue values; a hole stands for each. */
export interface SplitAnswer {
  readonly frame: JsonTree
  readonly rows: readonly ListingRow[]
  /** Of the driver, and of the props of a generator or of other modules. */
  readonly next: ContinueValues | undefined
  readonly inner: ContinueValues | undefined
  /** Members of a page that come behind the rows of a prop module. */
  readonly followers: ReadonlySet<string>
}

/** Stands for what was cut out; told by identity. */
export const rowsHole: JsonTree = jsonString('rows')
export const continueHole: JsonTree = jsonString('continue')

/** What stands in front of everything else in every version. */
const headKeys: ReadonlySet<string> = new Set(['batchcomplete', 'continue', 'query-continue'])

export const headOf = (frame: JsonTree): readonly JsonMember[] =>
  membersOf(frame).filter((member) => headKeys.has(member.key))

/** The rest of an answer. */
export const coreOf = (frame: JsonTree | undefined): readonly JsonMember[] =>
  membersOf(frame).filter((member) => !headKeys.has(member.key))

/** Members of `query` that tell of pages alone. */
export const pageLists: readonly string[] = ['pages', 'pageids']

/** True where an answer holds nothing but pages: all props have said what they have to say of them. */
export const isOnlyPages = (core: readonly JsonMember[]): boolean =>
  core.every(
    ({ key, value }) => key === 'query' && membersOf(value).every((one) => pageLists.includes(one.key)),
  )

/** Takes an answer apart, or says why it cannot be part of a listing. */
export function splitAnswer(body: JsonTree, driver: Driver): SplitAnswer | string {
  if (body.kind !== 'object') return 'the answer is no object'
  if (memberOf(body, 'error') !== undefined || memberOf(body, 'errors') !== undefined)
    return 'the answer is an error'
  const continued = splitContinue(body, driver)
  if (continued === undefined) return 'its continue block has an unknown shape'
  const split = splitRows(continued.rest, driver)
  if (split === undefined) return `no rows of ${driver.module} were found in the answer`
  return { ...split, next: continued.next, inner: continued.inner }
}

type SplitContinue = Pick<SplitAnswer, 'next' | 'inner'> & { readonly rest: JsonTree }

function splitContinue(body: JsonTree, { prefix, description }: Driver): SplitContinue | undefined {
  const modern = memberOf(body, 'continue')
  const legacy = memberOf(body, 'query-continue')
  if (modern !== undefined && legacy !== undefined) return undefined
  if (modern === undefined && legacy === undefined) return { rest: body, next: undefined, inner: undefined }
  const rest = replaceMember(body, modern === undefined ? 'query-continue' : 'continue', () => continueHole)
  const companion = textOf(memberOf(modern, 'continue'))
  const values =
    modern === undefined
      ? membersOf(legacy).flatMap((module) => membersOf(module.value))
      : membersOf(modern).filter((member) => member.key !== 'continue')
  if (values.some(({ value }) => value.kind === 'object' || value.kind === 'array')) return undefined
  const isOwn = ({ key }: JsonMember): boolean =>
    key.startsWith(prefix) && description.parameters.has(key.slice(prefix.length))
  const goOn = (members: readonly JsonMember[]): ContinueValues | undefined =>
    members.length === 0
      ? undefined
      : { values: new Map(members.map(({ key, value }) => [key, value])), companion }
  return { rest, next: goOn(values.filter(isOwn)), inner: goOn(values.filter((one) => !isOwn(one))) }
}

type SplitRows = Pick<SplitAnswer, 'frame' | 'rows' | 'followers'>

const makeSplitRows = (
  frame: JsonTree,
  rows: readonly ListingRow[] = [],
  followers?: ReadonlySet<string>,
): SplitRows => ({
  frame,
  rows,
  followers: followers ?? new Set(),
})

function splitRows(body: JsonTree, { kind, module }: Driver): SplitRows | undefined {
  const query = memberOf(body, 'query')
  if (kind === 'list') return splitList(body, memberOf(query, module), ['query', module])
  const pages = memberOf(query, 'pages')
  if (kind === 'prop' && pages !== undefined) return splitProp(body, pages, module)
  if (kind === 'prop') return query === undefined ? makeSplitRows(body) : undefined
  if (nonPageMembers.some((name) => memberOf(query, name) !== undefined)) return undefined
  return pages === undefined ? makeSplitRows(body) : splitPages(body, pages)
}

/** `indexpageids`: the keys of the pages once more, which a batch of another size has other ones of. */
export const pageKeysHole: JsonTree = jsonString('keys of rows')

function splitPages(body: JsonTree, pages: JsonTree): SplitRows | undefined {
  const isArray = pages.kind === 'array'
  const rows = isArray
    ? asRows(pages)
    : membersOf(pages).map(({ key, value }) => ({ item: value, slot: key }))
  const frame = replaceAt(body, ['query', 'pages'], isArray ? arrayHole : rowsHole)
  const keys = memberAt(body, 'query', 'pageids')
  if (keys === undefined) return makeSplitRows(frame, rows)
  const listedKeys = itemsOf(keys).map(textOf)
  const isSame = listedKeys.length === rows.length && rows.every(({ slot }, at) => slot === listedKeys[at])
  // In formatversion 2 the pages have no keys.
  return isSame ? makeSplitRows(replaceAt(frame, ['query', 'pageids'], pageKeysHole), rows) : undefined
}

const asRows = (items: JsonTree): readonly ListingRow[] => itemsOf(items).map((item) => ({ item, slot: '' }))

/**
 * What a generator gave that is no page (deleted revisions, titles on other wikis), and pages that became others: not
 * in its order.
 */
const nonPageMembers: readonly string[] = ['badrevids', 'interwiki', 'redirects', 'converted']

/** Pages in an array (formatversion 2) rather than in an object by page id. */
export const arrayHole: JsonTree = jsonString('rows of an array')

/** Pages with their revisions in an array. */
export const groupsHole: JsonTree = jsonString('rows grouped by page')

function splitList(
  body: JsonTree,
  list: JsonTree | undefined,
  path: readonly string[],
): SplitRows | undefined {
  if (list?.kind !== 'array') {
    // querypage keeps its rows one level deeper, beside what it says of them.
    const [only, second] = membersOf(list).filter((member) => member.value.kind === 'array')
    return only && second === undefined ? splitList(body, only.value, [...path, only.key]) : undefined
  }
  const member = groupMember()
  if (!list.items.some((item) => memberOf(item, member)?.kind === 'array'))
    return makeSplitRows(replaceAt(body, path, arrayHole), asRows(list))
  const followers = new Set<string>()
  const groups = list.items.map((group) => extractRows(group, member, followers))
  if (groups.some(({ items }) => items.length === 0)) return undefined
  const rows = groups.flatMap(({ page, items }) => items.map((item) => ({ item, slot: '', page })))
  return makeSplitRows(replaceAt(body, path, groupsHole), rows, followers)
}

/** Each page loses its rows; which page a row belongs to is told by the page's place. */
function splitProp(body: JsonTree, pages: JsonTree, module: string): SplitRows | undefined {
  const rows: ListingRow[] = []
  const followers = new Set<string>()
  const cut = (pageWithRows: JsonTree, at: number): JsonTree => {
    const { page, items } = extractRows(pageWithRows, module, followers)
    rows.push(...items.map((item) => ({ item, slot: String(at), page })))
    return page
  }
  const sound = itemsOf(pages).every((page) => (memberOf(page, module) ?? emptyArray).kind === 'array')
  return sound
    ? makeSplitRows(replaceAt(body, ['query', 'pages'], mapPages(pages, cut)), rows, followers)
    : undefined
}

const emptyArray: JsonTree = { kind: 'array', items: [] }
