/**
 * The order of rows inside one batch. A list writes its rows in order; the pages of a generator and the rows of a
 * prop over several pages may come in another, which has to be found out before anything can be cut.
 */

import { memberOf, membersOf, numberOf } from '../../json/json-tree.ts'
import type { FactOrder, FactPages } from '../../knowledge/listing-facts.ts'
import { grouped } from '../../text/group-by.ts'
import type { Batch } from '../reading/batch.ts'
import type { Row } from '../reading/row.ts'
import { type ContinueRule, type Explanation, namesTitle, predictText, ruleOf } from './continue-rule.ts'

/** As written; by time and revision id; by the `index` that search gives to pages; by page id; by namespace and title. */
export type RowOrder = FactOrder

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
  return order === 'wire' ? batch.cut.rows : sortRows(batch.cut.rows, order)
}

/** True where the order of rows cannot be mistaken: a plain list, one row, or all on one page. */
export function isOrdered(batch: Batch): boolean {
  const { rows } = batch.cut
  const { kind } = batch.request.driver
  if (rows.length <= 1) return true
  if (kind === 'list' && !isGrouped(batch)) return true
  return kind !== 'generator' && new Set(rows.map((row) => row.page)).size === 1
}

const byTime = ruleOf(['timestamp:digits-of-time', 'revid'])
const byTitle = ruleOf(['ns', 'title:db-key-without-namespace'])
const byId = ruleOf(['pageid'])

/** What rows are sorted by, as if they were continued at each of them. */
const sortedBy: Readonly<Record<Exclude<RowOrder, 'wire'>, ContinueRule>> = {
  ...{ index: ruleOf(['index']), id: byId, 'id-down': byId },
  ...{ title: byTitle, 'title-down': byTitle, newest: byTime, oldest: byTime },
}

/** Rows of one page stand on it as the listing has them, whichever way the pages go. */
function sortRows(rows: readonly Row[], order: Exclude<RowOrder, 'wire'>): readonly Row[] | undefined {
  const rule = sortedBy[order]
  const keyed: (readonly [string, Row])[] = []
  for (const row of rows) {
    const key = predictText(rule, { item: rule === byTime ? row.item : (row.page ?? row.item) })
    if (key === undefined) return undefined
    keyed.push([key, row])
  }
  const direction = order === 'newest' || order.endsWith('-down') ? -1 : 1
  return keyed.sort(([a], [b]) => direction * compareValues(a, b, rule)).map(([, row]) => row)
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

/** Compares values of a rule part by part: digits in titles count as letters, other parts are numbers where they look like it. */
export function compareValues(a: string, b: string, { parts: [first, ...more] }: ContinueRule): number {
  if (more.length === 0) return comparePart(a, b, first)
  const others = b.split('|')
  for (const [at, mine] of a.split('|').entries()) {
    const order = comparePart(mine, others[at] ?? '', at === 0 ? first : more[at - 1])
    if (order !== 0) return order
  }
  return 0
}

function comparePart(a: string, b: string, [one]: readonly Explanation[] = []): number {
  if (a === b) return 0
  const numeric = beginsWithDigit(a) && (one === undefined || !namesTitle(one))
  if (numeric && /^\d+$/.test(a) && /^\d+$/.test(b)) return Number(a) - Number(b)
  const kinds = [memberKinds.indexOf(a), memberKinds.indexOf(b)] as const
  return kinds[0] >= 0 && kinds[1] >= 0 ? kinds[0] - kinds[1] : compareUtf8(a, b)
}

const beginsWithDigit = (text: string): boolean => text.charCodeAt(0) >= 48 && text.charCodeAt(0) <= 57

/**
 * The order in which pages of a generator are written, as far as recorded batches tell: all orders that hold for
 * every batch whose rows are known.
 */
export type WireOrder = FactPages

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
  const sorted = order === 'rows' ? there : sortRows(there, order)
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
