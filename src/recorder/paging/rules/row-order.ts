/** The order of rows inside one batch: certain for lists; for generators and props it has to be proven. */
import { hasMember, membersOf, numberAt } from '../../json/json-tree.ts'
import type { PageOrder, RowOrder } from '../../knowledge/listing-facts.ts'
import { groupBy, mapAll } from '../../text/group-by.ts'
import type { Batch } from '../reading/batch.ts'
import type { ListingRow, ListingRows } from '../reading/row.ts'
import { type ContinueRule, parseRule, predictText } from './continue-rule.ts'
import { type Explanation, namesTitle } from './explanation.ts'

export function rowOrders(batches: readonly Batch[]): readonly RowOrder[] {
  const kind = batches[0]?.request.driver.kind
  if (kind === 'generator') return ['index', 'wire', 'title', 'id']
  if (kind === 'prop') return ['wire', 'id']
  return batches.some(isGrouped) ? ['wire', 'newest', 'oldest'] : ['wire']
}

export const isGrouped = (batch: Batch): boolean =>
  batch.request.driver.kind === 'list' &&
  batch.answer.rows.some((row) => row.page !== undefined)

/** The rows of a batch in that order; undefined where they do not show it. */
export const rowsInOrder = (batch: Batch, order: RowOrder): ListingRows | undefined =>
  order === 'wire' ? batch.answer.rows : sortRows(batch.answer.rows, order)

/** True where the order of rows is certain: a plain list, one row, or all rows on one page. */
export function isOrdered(batch: Batch): boolean {
  const { rows } = batch.answer
  const { kind } = batch.request.driver
  if (rows.length <= 1 || (kind === 'list' && !isGrouped(batch))) return true
  return kind !== 'generator' && new Set(rows.map((row) => row.page)).size === 1
}

const byTime = parseRule(['timestamp:digits-of-time', 'revid'])
const byTitle = parseRule(['ns', 'title:db-key-without-namespace'])
const byId = parseRule(['pageid'])
const byNamespaceAndId = parseRule(['ns', 'pageid'])

const sortedBy: Readonly<Record<Exclude<RowOrder, 'wire'>, ContinueRule>> = {
  index: parseRule(['index']),
  id: byId,
  'id-down': byId,

  'ns-id': byNamespaceAndId,
  'ns-id-down': byNamespaceAndId,

  title: byTitle,
  'title-down': byTitle,
  newest: byTime,
  oldest: byTime
}

/** What rows in that order are sorted by; undefined where only the answers tell. */
export const sortKeyOf = (order: RowOrder): ContinueRule | undefined =>
  order === 'wire' ? undefined : sortedBy[order]

/** The sort is stable: rows of one page are in the order of the listing. */
function sortRows(rows: ListingRows, order: Exclude<RowOrder, 'wire'>) {
  const rule = sortedBy[order]
  const keyed = mapAll(rows, (row) => {
    const item = rule === byTime ? row.item : (row.page ?? row.item)
    const key = predictText(rule, { item })
    return key === undefined ? undefined : { key, row }
  })
  const direction = order === 'newest' || order.endsWith('-down') ? -1 : 1
  return keyed
    ?.toSorted((a, b) => direction * compareValues(a.key, b.key, rule))
    .map(({ row }) => row)
}

/** Compares as UTF-8 bytes. JavaScript compares surrogates, which make code points above U+FFFF, before U+E000. */
export function compareUtf8(a: string, b: string): number {
  if (a === b) return 0
  if (surrogate.test(a) || surrogate.test(b))
    return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : 1
}

const surrogate = /[\ud800-\udfff]/

/** The kinds of category members in the order of the database. */
const memberKinds: readonly string[] = ['page', 'subcat', 'file']

/** Compares values of a rule part by part: titles as text, other parts as numbers where they are digits. */
export function compareValues(
  a: string,
  b: string,
  { parts: [first, ...more] }: ContinueRule
): number {
  if (more.length === 0) return comparePart(a, b, first)
  const others = b.split('|')
  for (const [at, mine] of a.split('|').entries()) {
    const order = comparePart(mine, others[at] ?? '', at === 0 ? first : more[at - 1])
    if (order !== 0) return order
  }
  return 0
}

function comparePart(a: string, b: string, [one]: readonly Explanation[] = []) {
  if (a === b) return 0
  const mayBeNumber = !one || !namesTitle(one)
  if (mayBeNumber && /^\d+$/.test(a) && /^\d+$/.test(b)) return Number(a) - Number(b)
  const areKinds = memberKinds.includes(a) && memberKinds.includes(b)
  return areKinds ? memberKinds.indexOf(a) - memberKinds.indexOf(b) : compareUtf8(a, b)
}

export const pageOrders: readonly PageOrder[] = ['rows', 'id', 'title', 'seen-title']

/** Rows in the order of one response, each page once; undefined where the rows do not show that order. */
export function inResponseOrder(
  rows: ListingRows,
  order: PageOrder
): ListingRows | undefined {
  const unique = [...groupBy(rows, identityOf).values()].map(([first]) => first)
  const missing = byNamespace(unique.filter(isMissing))
  const sorted = sortPages(
    unique.filter((row) => !isMissing(row)),
    order
  )
  return sorted && [...numberMissing(missing.flat()), ...sorted]
}

/** Titles are looked up namespace by namespace. Source: LinkBatch, ApiPageSet::initFromQueryResult */
const byNamespace = (rows: ListingRows) => [
  ...groupBy(rows, ({ item }) => numberAt(item, 'ns')).values()
]

function sortPages(rows: ListingRows, order: PageOrder) {
  if (order === 'rows') return rows
  return order === 'seen-title'
    ? mapAll(byNamespace(rows), (group) => sortRows(group, 'title'))?.flat()
    : sortRows(rows, order)
}

/** Each page once by namespace and title, missing ones in their places; undefined where one does not show these. */
export const pagesByTitle = (rows: ListingRows): ListingRows | undefined =>
  sortRows(
    [...groupBy(rows, identityOf).values()].map(([first]) => first),
    'title'
  )

const isMissing = ({ item }: ListingRow) => hasMember(item, 'missing')

/** Missing pages are numbered from -1 on; formatversion 2 sorts by these numbers. Source: ApiResult::applyTransformations */
const numberMissing = (missing: ListingRows) =>
  missing[0]?.slot === ''
    ? missing.toReversed()
    : missing.map((row, at) => ({ ...row, slot: String(-1 - at) }))

/** The pages of a generator in the order of a response; undefined where recorded batches allow several orders. */
export function pagesInResponse(
  orders: readonly PageOrder[],
  rows: ListingRows
): ListingRows | undefined {
  // One page is in any order, but a missing page still needs its number.
  if (rows.length < 2) return inResponseOrder(rows, 'rows')
  const [first, ...others] = orders.map((order) => inResponseOrder(rows, order))
  const isSame = others.every((other) =>
    other?.every((row, at) => row.item === first?.[at]?.item)
  )
  return isSame ? first : undefined
}

const identityOf = (row: ListingRow) =>
  row.slot === '' || row.slot.startsWith('-')
    ? JSON.stringify(
        membersOf(row.item).filter((one) => one.key === 'ns' || one.key === 'title')
      )
    : row.slot
