/**
 * The order of rows inside one batch. A list writes its rows in order; the pages of a generator and the rows of a
 * prop over several pages may come in another, which has to be found out before anything can be cut.
 */

import { type JsonTree, memberOf, membersOf, numberOf, textOf } from '../../json/tree.ts'
import { grouped } from '../grouped.ts'
import type { Batch } from '../reading/batch.ts'
import type { Row } from '../reading/row.ts'
import { dbKey } from './rule.ts'

/** As written; by time and revision id; by the `index` that search gives to pages; by page id; by namespace and title. */
export type RowOrder = 'wire' | 'index' | 'id' | 'title' | 'id-down' | 'title-down' | 'newest' | 'oldest'

/** The orders that rows of such batches can come in, the likeliest first. */
export function rowOrders(batches: readonly Batch[]): readonly RowOrder[] {
  switch (batches[0]?.request.driver.kind) {
    case 'generator':
      return ['index', 'wire', 'title', 'id']
    case 'prop':
      return ['wire', 'id']
    default:
      return batches.some(isGrouped) ? ['wire', 'newest', 'oldest'] : ['wire']
  }
}

/** True for a list that gathers rows under their pages. */
export const isGrouped = (batch: Batch): boolean =>
  batch.request.driver.kind === 'list' && batch.cut.rows.some((row) => row.page !== undefined)

/** The rows of a batch in that order; undefined where they do not show it. */
export function rowsInOrder(batch: Batch, order: RowOrder): readonly Row[] | undefined {
  const { rows } = batch.cut
  if (order === 'wire') return rows
  // Rows of one page stand on it as the listing has them, whichever way the pages go.
  if (order === 'id-down') return sortRows(rows, (row) => sortKey(row, 'id'), -1)
  if (order === 'title-down') return sortRows(rows, (row) => sortKey(row, 'title'), -1)
  return sortRows(rows, (row) => sortKey(row, order))
}

/** True where the order of rows cannot be mistaken: a plain list, one row, or all on one page. */
export function isOrdered(batch: Batch): boolean {
  const { rows } = batch.cut
  const { kind } = batch.request.driver
  if (rows.length <= 1) return true
  if (kind === 'list' && !isGrouped(batch)) return true
  return kind !== 'generator' && new Set(rows.map((row) => row.page)).size === 1
}

type SortKey = readonly (number | string)[]

function sortKey(row: Row, order: RowOrder): SortKey | undefined {
  if (order === 'newest' || order === 'oldest') return timeKey(row.item, order === 'newest' ? -1 : 1)
  const page = row.page ?? row.item
  if (order === 'title') {
    const ns = numberOf(memberOf(page, 'ns'))
    const title = textOf(memberOf(page, 'title'))
    if (ns === undefined || title === undefined) return undefined
    return [ns, dbKey(ns === 0 ? title : title.slice(title.indexOf(':') + 1))]
  }
  const value = numberOf(memberOf(page, order === 'id' ? 'pageid' : 'index'))
  return value === undefined ? undefined : [value]
}

function timeKey(item: JsonTree, direction: 1 | -1): SortKey | undefined {
  const time = Date.parse(textOf(memberOf(item, 'timestamp')) ?? '')
  const id = numberOf(memberOf(item, 'revid'))
  return Number.isNaN(time) || id === undefined ? undefined : [direction * time, direction * id]
}

function compareKeys(a: SortKey, b: SortKey): number {
  for (const [at, mine] of a.entries()) {
    const other = b[at]
    if (typeof mine === 'number' && typeof other === 'number' && mine !== other) return mine - other
    if (typeof mine === 'string' && typeof other === 'string' && mine !== other)
      return compareUtf8(mine, other)
  }
  return 0
}

/** Order of the UTF-8 bytes, which is the order of code points. */
export function compareUtf8(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    const x = a.charCodeAt(at)
    const y = b.charCodeAt(at)
    if (x !== y) return rank(x) - rank(y)
  }
  return a.length - b.length
}

/** Surrogates stand for code points beyond U+FFFF, so they sort behind the rest of U+E000…U+FFFF. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

/** The order of kinds of category members, an enumeration in the database. */
const memberKinds: readonly string[] = ['page', 'subcat', 'file']

/**
 * Compares continue values part by part.
 * @param titles which parts are names, in which digits count as letters; the others are numbers where they look like it
 */
export function compareValues(a: string, b: string, titles: readonly boolean[]): number {
  if (!a.includes('|') && !b.includes('|')) return comparePart(a, b, titles[0] !== true)
  const parts = b.split('|')
  for (const [at, mine] of a.split('|').entries()) {
    const order = comparePart(mine, parts[at] ?? '', titles[at] !== true)
    if (order !== 0) return order
  }
  return 0
}

function comparePart(a: string, b: string, numeric: boolean): number {
  if (a === b) return 0
  if (numeric && beginsWithDigit(a) && /^\d+$/.test(a) && /^\d+$/.test(b)) return Number(a) - Number(b)
  const kinds = [memberKinds.indexOf(a), memberKinds.indexOf(b)] as const
  return kinds[0] >= 0 && kinds[1] >= 0 ? kinds[0] - kinds[1] : compareUtf8(a, b)
}

const beginsWithDigit = (text: string): boolean => text.charCodeAt(0) >= 48 && text.charCodeAt(0) <= 57

/**
 * The order in which pages of a generator are written, as far as recorded batches tell: all orders that hold for
 * every batch whose rows are known.
 */
export type WireOrder = 'rows' | 'id' | 'title'

export const wireOrders: readonly WireOrder[] = ['rows', 'id', 'title']

/** Rows as the wiki writes them together, a page that several rows lead to once; undefined where it cannot be told. */
export function asWritten(rows: readonly Row[], order: WireOrder): readonly Row[] | undefined {
  const seen = new Set<string>()
  const once = rows.filter((row) => {
    const id = identityOf(row)
    return !seen.has(id) && seen.add(id)
  })
  const missing = byNamespace(once.filter((row) => memberOf(row.item, 'missing') !== undefined))
  const there = once.filter((row) => memberOf(row.item, 'missing') === undefined)
  const sorted = order === 'rows' ? there : sortRows(there, (row) => sortKey(row, order))
  return sorted && [...asNumbered(missing), ...sorted]
}

/** Titles are looked up namespace by namespace. Source: LinkBatch, ApiPageSet::initFromQueryResult */
const byNamespace = (rows: readonly Row[]): readonly Row[] =>
  [...grouped(rows, ({ item }) => numberOf(memberOf(item, 'ns'))).values()].flat()

/**
 * Pages that do not exist come first and are numbered from -1 on. The array of formatversion 2 is sorted by these
 * numbers, so that they come in reverse. Source: ApiResult::applyTransformations
 */
const asNumbered = (missing: readonly Row[]): readonly Row[] =>
  missing[0]?.slot === ''
    ? missing.toReversed()
    : missing.map((row, at) => ({ ...row, slot: String(-1 - at) }))

function sortRows(
  rows: readonly Row[],
  keyOf: (row: Row) => SortKey | undefined,
  direction: 1 | -1 = 1,
): readonly Row[] | undefined {
  const keyed: (readonly [SortKey, Row])[] = []
  for (const row of rows) {
    const key = keyOf(row)
    if (key === undefined) return undefined
    keyed.push([key, row])
  }
  return keyed.sort(([a], [b]) => direction * compareKeys(a, b)).map(([, row]) => row)
}

/** The pages of a generator as one answer would write them; undefined where recorded batches allow several orders. */
export function pagesAsWritten(wire: readonly WireOrder[], rows: readonly Row[]): readonly Row[] | undefined {
  // One page stands in any order; but where it does not exist, its number is still that of the answer.
  if (rows.length < 2) return asWritten(rows, 'rows')
  const [first, ...others] = wire.map((order) => asWritten(rows, order))
  const same = others.every((other) => other?.every((row, at) => row.item === first?.[at]?.item))
  return same ? first : undefined
}

const identityOf = (row: Row): string =>
  row.slot === '' || row.slot.startsWith('-')
    ? JSON.stringify(membersOf(row.item).filter((one) => one.key === 'ns' || one.key === 'title'))
    : row.slot
