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
} from '../../json/tree.ts'
import { groupMember } from '../../knowledge/oddities.ts'
import type { Driver } from './driver.ts'
import { mapPages, type Row, takeOut } from './row.ts'

/** What to send to get on: continuation parameters by name, as spelled in JSON. */
export interface Next {
  readonly values: ReadonlyMap<string, JsonTree>
  /** The `continue` beside them; undefined in the `query-continue` dialect. */
  readonly companion: string | undefined
}

/** An answer without rows and continue values; a hole stands for each. */
export interface Cut {
  readonly frame: JsonTree
  readonly rows: readonly Row[]
  /** Of the driver, and of the props of a generator or of other modules. */
  readonly next: Next | undefined
  readonly inner: Next | undefined
  /** Members of a page that come behind the rows of a prop module. */
  readonly followers: ReadonlySet<string>
}

/** Stands for what was cut out; told by identity. */
export const rowsHole: JsonTree = jsonString('rows')
export const continueHole: JsonTree = jsonString('continue')

/** What stands in front of everything else in every version. */
export const headKeys: ReadonlySet<string> = new Set(['batchcomplete', 'continue', 'query-continue'])

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
export function cutAnswer(body: JsonTree, driver: Driver): Cut | string {
  if (body.kind !== 'object') return 'the answer is no object'
  if (memberOf(body, 'error') !== undefined || memberOf(body, 'errors') !== undefined)
    return 'the answer is an error'
  const continued = cutContinue(body, driver)
  if (continued === undefined) return 'its continue block has a shape of its own'
  const held = cutRows(continued.rest, driver)
  if (held === undefined) return `no rows of ${driver.module} could be told in the answer`
  return { ...held, next: continued.next, inner: continued.inner }
}

interface CutContinue {
  readonly rest: JsonTree
  readonly next: Next | undefined
  readonly inner: Next | undefined
}

function cutContinue(body: JsonTree, driver: Driver): CutContinue | undefined {
  const modern = memberOf(body, 'continue')
  const legacy = memberOf(body, 'query-continue')
  if (modern !== undefined && legacy !== undefined) return undefined
  if (modern === undefined && legacy === undefined) return { rest: body, next: undefined, inner: undefined }
  const rest = replaceMember(body, modern === undefined ? 'query-continue' : 'continue', () => continueHole)
  const companion = textOf(memberOf(modern, 'continue'))
  const own: [string, JsonTree][] = []
  const inner: [string, JsonTree][] = []
  const members =
    modern === undefined
      ? membersOf(legacy).flatMap((module) => membersOf(module.value))
      : membersOf(modern).filter((member) => member.key !== 'continue')
  for (const { key, value } of members) {
    if (value.kind === 'object' || value.kind === 'array') return undefined
    const mine = key.startsWith(driver.prefix) && paramsOf(driver).has(key.slice(driver.prefix.length))
    ;(mine ? own : inner).push([key, value])
  }
  return {
    rest,
    next: own.length === 0 ? undefined : { values: new Map(own), companion },
    inner: inner.length === 0 ? undefined : { values: new Map(inner), companion },
  }
}

const paramsOf = (driver: Driver): ReadonlyMap<string, unknown> => driver.description.parameters

interface CutRows {
  readonly frame: JsonTree
  readonly rows: readonly Row[]
  readonly followers: ReadonlySet<string>
}

const none: ReadonlySet<string> = new Set()

function cutRows(body: JsonTree, driver: Driver): CutRows | undefined {
  const query = memberOf(body, 'query')
  if (query === undefined)
    return driver.kind === 'list' ? undefined : { frame: body, rows: [], followers: none }
  if (driver.kind === 'list') return cutList(body, query, driver.module)
  const pages = memberOf(query, 'pages')
  if (driver.kind === 'generator' && elsewhere.some((name) => memberOf(query, name) !== undefined))
    return undefined
  if (pages === undefined)
    return driver.kind === 'generator' ? { frame: body, rows: [], followers: none } : undefined
  if (driver.kind === 'generator') return cutPages(body, pages)
  return cutProp(body, pages, driver.module)
}

/** `indexpageids`: the keys of the pages once more, which a batch of another size has other ones of. */
export const keysHole: JsonTree = jsonString('keys of rows')

function cutPages(body: JsonTree, pages: JsonTree): CutRows | undefined {
  const rows =
    pages.kind === 'array'
      ? pages.items.map((item) => ({ item, slot: '' }))
      : membersOf(pages).map((member) => ({ item: member.value, slot: member.key }))
  const hole = pages.kind === 'array' ? arrayHole : rowsHole
  const frame = replaceAt(body, ['query', 'pages'], hole)
  const keys = memberAt(body, 'query', 'pageids')
  if (keys === undefined) return { frame, rows, followers: none }
  const told = itemsOf(keys).map(textOf)
  const same = told.length === rows.length && rows.every(({ slot }, at) => slot === told[at])
  // In formatversion 2 the pages have no keys.
  return same ? { frame: replaceAt(frame, ['query', 'pageids'], keysHole), rows, followers: none } : undefined
}

/**
 * What a generator gave that is no page (deleted revisions, titles on other wikis), and pages that became others: not
 * in its order.
 */
const elsewhere: readonly string[] = ['badrevids', 'interwiki', 'redirects', 'converted']

/** Pages in an array (formatversion 2) rather than in an object by page id. */
export const arrayHole: JsonTree = jsonString('rows of an array')

function cutList(body: JsonTree, query: JsonTree, module: string): CutRows | undefined {
  const held = memberOf(query, module)
  if (held?.kind === 'array' && held.items.some((item) => memberOf(item, groupMember)?.kind === 'array'))
    return cutGroups(body, held.items, module)
  if (held?.kind === 'array') {
    const rows = held.items.map((item) => ({ item, slot: '' }))
    return { frame: replaceAt(body, ['query', module], arrayHole), rows, followers: none }
  }
  // querypage keeps its rows one level deeper, beside what it says of them.
  const arrays = membersOf(held).filter((member) => member.value.kind === 'array')
  const [only, second] = arrays
  if (only === undefined || second !== undefined) return undefined
  const rows = itemsOf(only.value).map((item) => ({ item, slot: '' }))
  return { frame: replaceAt(body, ['query', module, only.key], arrayHole), rows, followers: none }
}

/** Pages with their revisions in an array. */
export const groupsHole: JsonTree = jsonString('rows grouped by page')

function cutGroups(body: JsonTree, groups: readonly JsonTree[], module: string): CutRows | undefined {
  const rows: Row[] = []
  const followers = new Set<string>()
  for (const group of groups) {
    const { page, items } = takeOut(group, groupMember, followers)
    if (items.length === 0) return undefined
    rows.push(...items.map((item) => ({ item, slot: '', page })))
  }
  return { frame: replaceAt(body, ['query', module], groupsHole), rows, followers }
}

/** Each page loses its rows; which page a row belongs to is told by the page's place. */
function cutProp(body: JsonTree, pages: JsonTree, module: string): CutRows | undefined {
  const rows: Row[] = []
  const followers = new Set<string>()
  let sound = true
  const cut = (held: JsonTree, at: number): JsonTree => {
    const rowsOfPage = memberOf(held, module)
    if (rowsOfPage === undefined) return held
    if (rowsOfPage.kind !== 'array') sound = false
    const { page, items } = takeOut(held, module, followers)
    rows.push(...items.map((item) => ({ item, slot: String(at), page })))
    return page
  }
  const frame = replaceAt(body, ['query', 'pages'], mapPages(pages, cut))
  return sound ? { frame, rows, followers } : undefined
}
