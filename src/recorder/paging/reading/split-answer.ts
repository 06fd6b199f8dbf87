/** One answer of a listing split into rows, continue values and frame; `fillFrame` composes it of them again. */
import {
  hasMember,
  itemsOf,
  type JsonMember,
  type JsonTree,
  jsonArray,
  jsonString,
  memberAt,
  memberOf,
  membersOf,
  objectOf,
  replaceAt,
  replaceMember,
  sameTree,
  textAt
} from '../../json/json-tree.ts'
import { hasQuirk } from '../../knowledge/module-quirks.ts'
import { paramOf } from '../../wiki/modules/active-modules.ts'
import type { Driver } from './driver.ts'
import {
  extractRows,
  groupMember,
  type ListingRows,
  type MembersBehind,
  mapFramePages
} from './row.ts'

/** Continuation parameters by name, as spelled in JSON. */
export interface ContinueValues {
  readonly values: ReadonlyMap<string, JsonTree>
  /** The `continue` parameter; undefined in the `query-continue` dialect. */
  readonly plainContinue: string | undefined
}

export interface SplitAnswer {
  /** The answer with a mark in the place of its rows and of its continue values. */
  readonly frame: JsonTree
  readonly rows: ListingRows
  readonly next: ContinueValues | undefined
  /** Those of other modules, such as the props of a generator. */
  readonly inner: ContinueValues | undefined
  readonly membersBehind: MembersBehind
}

/** Marks of places; compared by identity. */
export const rowsPlace: JsonTree = jsonString('rows')
export const continuePlace: JsonTree = jsonString('continue')

const headKeys: ReadonlySet<string> = new Set([
  'batchcomplete',
  'continue',
  'query-continue'
])

/** The members of an answer around its rows, without the first ones. */
export type FrameCore = readonly JsonMember[]

export const headOf = (frame: JsonTree): readonly JsonMember[] =>
  membersOf(frame).filter((member) => headKeys.has(member.key))

export const coreOf = (frame: JsonTree | undefined): FrameCore =>
  membersOf(frame).filter((member) => !headKeys.has(member.key))

/**
 * The answer with another head, where that of a recorded frame is: warnings about the whole request stand before it, those
 * about limits behind it. Undefined where the frame has no head and a warning could stand on either side.
 */
export function withHead(
  head: FrameCore,
  core: FrameCore,
  recorded: JsonTree
): JsonTree | undefined {
  const keys = membersOf(recorded).map(({ key }) => key)
  const at = keys.findIndex((key) => headKeys.has(key))
  if (at < 0 && head.length > 0 && keys.includes('warnings')) return undefined
  const before = new Set(keys.slice(0, Math.max(0, at)))
  return objectOf([
    ...core.filter(({ key }) => before.has(key)),
    ...head,
    ...core.filter(({ key }) => !before.has(key))
  ])
}

/** Members of `query` about pages. */
const pageLists: readonly string[] = ['pages', 'pageids']

/** Those, and members about what was sent to name the pages. Source: ApiQuery::outputGeneralPageInfo, 1.25 to 1.43 */
export const pageSetMembers: readonly string[] =
  'normalized converted interwiki redirects badrevids'.split(' ').concat(pageLists)

export const isOnlyPages = (core: FrameCore): boolean =>
  core.every(
    ({ key, value }) =>
      key === 'query' && membersOf(value).every((one) => pageLists.includes(one.key))
  )

export function splitAnswer(body: JsonTree, driver: Driver): SplitAnswer | string {
  if (body.kind !== 'object') return 'the answer is not an object'
  if (hasMember(body, 'error') || hasMember(body, 'errors'))
    return 'the answer is an error'
  const continued = splitContinue(body, driver)
  if (!continued) return 'its continue block has an unknown shape'
  const split = splitRows(continued.rest, driver)
  if (!split) return `no rows of ${driver.module} were found in the answer`
  return { ...split, next: continued.next, inner: continued.inner }
}

/** The continuation parameters of either dialect. @param counts the modules of `query-continue` that count; all if absent */
export const continueMembers = (
  body: JsonTree | undefined,
  counts: (one: JsonMember) => boolean = () => true
): readonly JsonMember[] => [
  ...membersOf(memberOf(body, 'continue')).filter(({ key }) => key !== 'continue'),
  ...membersOf(memberOf(body, 'query-continue'))
    .filter(counts)
    .flatMap(({ value }) => membersOf(value))
]

function splitContinue(body: JsonTree, driver: Driver) {
  const [name, another] = ['continue', 'query-continue'].filter((one) =>
    hasMember(body, one)
  )
  if (name === undefined) return { rest: body, next: undefined, inner: undefined }
  if (another !== undefined) return undefined
  const rest = replaceMember(body, name, () => continuePlace)
  const plainContinue = textAt(body, 'continue', 'continue')
  const values = continueMembers(body)
  if (values.some(({ value }) => value.kind === 'object' || value.kind === 'array'))
    return undefined
  const isOfDriver = ({ key }: JsonMember) => paramOf(driver, key) !== undefined
  const valuesWhere = (ofDriver: boolean) => {
    const members = values.filter((one) => isOfDriver(one) === ofDriver)
    const byName = new Map(members.map(({ key, value }) => [key, value]))
    return members.length === 0 ? undefined : { values: byName, plainContinue }
  }
  return { rest, next: valuesWhere(true), inner: valuesWhere(false) }
}

type SplitRows = Pick<SplitAnswer, 'frame' | 'rows' | 'membersBehind'>

const noneBehind: MembersBehind = new Set()

function splitRows(body: JsonTree, { kind, module }: Driver) {
  const query = memberOf(body, 'query')
  if (kind === 'list') {
    const path = hasQuirk('beside-query', module) ? [module] : ['query', module]
    return splitList(body, path, memberAt(body, ...path))
  }
  const pages = memberOf(query, 'pages')
  const empty: SplitRows = { frame: body, rows: [], membersBehind: noneBehind }
  if (kind === 'prop')
    return pages ? splitProp(body, pages, module) : query ? undefined : empty
  if (nonPageMembers.some((name) => hasMember(query, name))) return undefined
  return pages ? splitPages(body, pages) : empty
}

/** The keys of the pages once more (`indexpageids`). */
export const pageKeysPlace: JsonTree = jsonString('keys of rows')

function splitPages(body: JsonTree, pages: JsonTree) {
  const isArray = pages.kind === 'array'
  const rows = isArray
    ? asRows(pages)
    : membersOf(pages).map(({ key, value }) => ({ item: value, slot: key }))
  const frame = replaceAt(body, ['query', 'pages'], isArray ? arrayPlace : rowsPlace)
  const keys = memberAt(body, 'query', 'pageids')
  if (!keys) return { frame, rows, membersBehind: noneBehind }
  const slots = jsonArray(rows.map(({ slot }) => jsonString(slot)))
  // In formatversion 2 the pages have no keys.
  if (!sameTree(slots, jsonArray(itemsOf(keys)))) return undefined
  const withoutKeys = replaceAt(frame, ['query', 'pageids'], pageKeysPlace)
  return { frame: withoutKeys, rows, membersBehind: noneBehind }
}

const asRows = (items: JsonTree) => itemsOf(items).map((item) => ({ item, slot: '' }))

/** Results of a generator that are no pages (deleted revisions, titles on other wikis), and redirected pages: unordered. */
const nonPageMembers: readonly string[] = [
  'badrevids',
  'interwiki',
  'redirects',
  'converted'
]

/** Pages in an array (formatversion 2) rather than in an object by page id. */
export const arrayPlace: JsonTree = jsonString('rows of an array')

/** Pages with their revisions in an array. */
export const groupsPlace: JsonTree = jsonString('rows grouped by page')

function splitList(
  body: JsonTree,
  path: readonly string[],
  list?: JsonTree
): SplitRows | undefined {
  if (list?.kind !== 'array') {
    // querypage has its rows one level deeper.
    const [only, second] = membersOf(list).filter(
      (member) => member.value.kind === 'array'
    )
    return only && !second ? splitList(body, [...path, only.key], only.value) : undefined
  }
  const member = groupMember()
  if (!list.items.some((item) => memberOf(item, member)?.kind === 'array'))
    return {
      frame: replaceAt(body, path, arrayPlace),
      rows: asRows(list),
      membersBehind: noneBehind
    }
  const membersBehind = new Set<string>()
  const groups = list.items.map((group) => extractRows(group, member, membersBehind))
  if (groups.some(({ items }) => items.length === 0)) return undefined
  const rows = groups.flatMap(({ page, items }) =>
    items.map((item) => ({ item, slot: '', page }))
  )
  return { frame: replaceAt(body, path, groupsPlace), rows, membersBehind }
}

/** The rows of all pages; the slot of a row is the index of its page. */
function splitProp(body: JsonTree, pages: JsonTree, module: string) {
  const rows: ListingRows[number][] = []
  const membersBehind = new Set<string>()
  const cut = (pageWithRows: JsonTree, at: number) => {
    const { page, items } = extractRows(pageWithRows, module, membersBehind)
    rows.push(...items.map((item) => ({ item, slot: String(at), page })))
    return page
  }
  const isArray = (page: JsonTree) =>
    [undefined, 'array'].includes(memberOf(page, module)?.kind)
  return itemsOf(pages).every(isArray)
    ? { frame: mapFramePages(body, cut), rows, membersBehind }
    : undefined
}
