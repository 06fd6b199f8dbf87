/**
 * One answer of a listing taken apart: rows, the continue values behind them, and the frame around both;
 * and the same put together again. What is put together from the parts of one answer is that answer.
 */
import {
  itemsOf,
  type JsonMember,
  type JsonTree,
  jsonObject,
  jsonString,
  memberOf,
  membersOf,
  textOf,
} from '../json/tree.ts'
import { writeCompact } from '../json/write.ts'
import type { Driver } from './listing-request.ts'

/** One item; `slot` is its page's key under `query.pages` (a generator), the place of its page there (a prop), or empty. */
export interface Row {
  readonly item: JsonTree
  readonly slot: string
  /** The page that a row of a prop, or of a list grouped by page, belongs to; without its rows. */
  readonly page?: JsonTree
}

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
  const own = new Map<string, JsonTree>()
  const inner = new Map<string, JsonTree>()
  const members =
    modern === undefined
      ? membersOf(legacy).flatMap((module) => membersOf(module.value))
      : membersOf(modern).filter((member) => member.key !== 'continue')
  for (const { key, value } of members) {
    if (value.kind === 'object' || value.kind === 'array') return undefined
    const mine = key.startsWith(driver.prefix) && paramsOf(driver).has(key.slice(driver.prefix.length))
    ;(mine ? own : inner).set(key, value)
  }
  return {
    rest,
    next: own.size === 0 ? undefined : { values: own, companion },
    inner: inner.size === 0 ? undefined : { values: inner, companion },
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
  if (pages === undefined)
    return driver.kind === 'generator' ? { frame: body, rows: [], followers: none } : undefined
  if (driver.kind === 'generator') {
    const rows =
      pages.kind === 'array'
        ? pages.items.map((item) => ({ item, slot: '' }))
        : membersOf(pages).map((member) => ({ item: member.value, slot: member.key }))
    return {
      frame: replaceAt(body, ['query', 'pages'], pages.kind === 'array' ? arrayHole : rowsHole),
      rows,
      followers: none,
    }
  }
  return cutProp(body, pages, driver.module)
}

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

/** `allrevisions` gathers the rows of a batch under their pages. */
const groupMember = 'revisions'

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

/** A page without its rows, and the rows; names of members behind them are added to `followers`. */
function takeOut(
  page: JsonTree,
  key: string,
  followers: Set<string>,
): { readonly page: JsonTree; readonly items: readonly JsonTree[] } {
  const members = membersOf(page)
  const at = members.findIndex((member) => member.key === key)
  if (at < 0) return { page, items: [] }
  for (const member of members.slice(at + 1)) followers.add(member.key)
  return { page: { kind: 'object', members: members.toSpliced(at, 1) }, items: itemsOf(members[at]?.value) }
}

function putBack(
  page: JsonTree,
  key: string,
  items: readonly JsonTree[],
  followers: ReadonlySet<string>,
): JsonTree {
  const members = membersOf(page)
  const after = members.findIndex((member) => followers.has(member.key))
  const held = { key, value: { kind: 'array', items } } as const
  return { kind: 'object', members: members.toSpliced(after < 0 ? members.length : after, 0, held) }
}

/** Rows gathered under their pages, each page where its first row stands. */
function groupRows(rows: readonly Row[], followers: ReadonlySet<string>): readonly JsonTree[] {
  const groups = new Map<string, { readonly page: JsonTree; readonly items: JsonTree[] }>()
  for (const { item, page } of rows) {
    if (page === undefined) continue
    const name = writeCompact(page, 'utf8')
    const held = groups.get(name)
    if (held === undefined) groups.set(name, { page, items: [item] })
    else held.items.push(item)
  }
  return [...groups.values()].map(({ page, items }) => putBack(page, groupMember, items, followers))
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

function mapPages(pages: JsonTree, change: (page: JsonTree, at: number) => JsonTree): JsonTree {
  if (pages.kind === 'array') return { kind: 'array', items: pages.items.map(change) }
  return {
    kind: 'object',
    members: membersOf(pages).map(({ key, value }, at) => ({ key, value: change(value, at) })),
  }
}

/** Fills a frame again. `next` must be there exactly where the frame has a hole for it. */
export function fillFrame(
  frame: JsonTree,
  driver: Driver,
  rows: readonly Row[],
  next: Next | undefined,
  followers: ReadonlySet<string>,
): JsonTree {
  const filled = next === undefined ? frame : fillContinue(frame, driver, next)
  if (driver.kind === 'prop') return fillProp(filled, driver.module, rows, followers)
  return replaceHole(filled, rows, followers)
}

function fillContinue(frame: JsonTree, driver: Driver, next: Next): JsonTree {
  const values = [...next.values]
  const modern = (): JsonTree =>
    jsonObject(
      next.companion === undefined ? values : [...values, ['continue', jsonString(next.companion)] as const],
    )
  const legacy = (): JsonTree => jsonObject([[driver.module, jsonObject(values)]])
  return replaceMember(replaceMember(frame, 'continue', modern), 'query-continue', legacy)
}

function fillProp(
  frame: JsonTree,
  module: string,
  rows: readonly Row[],
  followers: ReadonlySet<string>,
): JsonTree {
  const bySlot = new Map<string, JsonTree[]>()
  for (const { slot, item } of rows) {
    const held = bySlot.get(slot)
    if (held === undefined) bySlot.set(slot, [item])
    else held.push(item)
  }
  const pages = memberOf(memberOf(frame, 'query'), 'pages')
  if (pages === undefined) return frame
  const fill = (page: JsonTree, at: number): JsonTree => {
    const items = bySlot.get(String(at))
    if (items === undefined) return page
    return putBack(page, module, items, followers)
  }
  return replaceAt(frame, ['query', 'pages'], mapPages(pages, fill))
}

function replaceHole(tree: JsonTree, rows: readonly Row[], followers: ReadonlySet<string>): JsonTree {
  if (tree === groupsHole) return { kind: 'array', items: groupRows(rows, followers) }
  if (tree === arrayHole) return { kind: 'array', items: rows.map((row) => row.item) }
  if (tree === rowsHole)
    return { kind: 'object', members: rows.map((row) => ({ key: row.slot, value: row.item })) }
  if (tree.kind !== 'object') return tree
  return {
    kind: 'object',
    members: tree.members.map(({ key, value }) => ({ key, value: replaceHole(value, rows, followers) })),
  }
}

/** The object with the value of that member changed, in its place; unchanged where it has no such member. */
function replaceMember(tree: JsonTree, key: string, change: (value: JsonTree) => JsonTree): JsonTree {
  if (tree.kind !== 'object') return tree
  const members: JsonMember[] = tree.members.map((member) =>
    member.key === key ? { key, value: change(member.value) } : member,
  )
  return { kind: 'object', members }
}

function replaceAt(tree: JsonTree, [key, ...deeper]: readonly string[], value: JsonTree): JsonTree {
  if (key === undefined) return value
  return replaceMember(tree, key, (held) => replaceAt(held, deeper, value))
}
