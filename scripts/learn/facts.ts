/** Facts about listings: what all walks of a version agree on, and which versions say the same. */

import { type JsonTree, memberOf } from '../../src/recorder/json/json-tree.ts'
import { writeCompact } from '../../src/recorder/json/write-json.ts'
import type {
  ListingFact,
  PageOrder,
  RowOrder
} from '../../src/recorder/knowledge/listing-facts.ts'
import type { ListingRow } from '../../src/recorder/paging/reading/row.ts'
import {
  inResponseOrder,
  isGrouped,
  pageOrders,
  rowsInOrder
} from '../../src/recorder/paging/rules/row-order.ts'
import { type CountedBoundary, partsAsSaid, saidAs } from './explanations.ts'
import type { Evidence } from './walks.ts'

/** What is told besides: where walks speak against each other, or are too few. */
export type Tell = (line: string) => void

/** Fewer boundaries than these prove nothing of a version. */
const fewest = 3

/** @param kept facts of versions whose walks are not at hand, which stand as they are */
export function factsFrom(
  evidence: readonly Evidence[],
  kept: readonly ListingFact[],
  tell: Tell
): readonly ListingFact[] {
  const groups = new Map<string, Evidence[]>()
  for (const one of evidence) {
    const name = JSON.stringify([
      one.kind,
      one.module,
      one.when,
      one.formatversion,
      one.version
    ])
    const held = groups.get(name)
    if (held === undefined) groups.set(name, [one])
    else held.push(one)
  }
  const facts = [...groups].flatMap(
    ([name, members]) => factOf(name, members, tell) ?? []
  )
  const old = kept.map(
    (fact): Draft => ({ ...fact, value: fact.value.map((part) => part.split('&')) })
  )
  const folded = foldVersions([...old, ...foldFormats(facts)]).map(settled)
  return folded.map((fact) => bracketed(fact, folded)).sort(byName)
}

/** A fact while walks of other versions may still tell more. */
interface Draft extends Omit<ListingFact, 'value'> {
  readonly value: readonly (readonly string[])[]
}

function settled(draft: Draft): ListingFact {
  const value = draft.value.map(saidAs)
  const order = likeliest(draft.order, value)
  return {
    ...draft,
    value,
    order: [order],
    ...(isChance(draft, value, order) ? { contradicts: true as const } : {})
  }
}

/**
 * Where no row shows what a listing is sorted by, its rows may stand in the order of their titles or ids by chance: of
 * a generator only the order of the generator itself is believed, where nothing else explains how its pages stand.
 */
function isChance(
  { kind, distinct, pages = [] }: Draft,
  [first = '']: readonly string[],
  order: RowOrder
): boolean {
  if (
    kind === 'list' ||
    distinct === false ||
    !first.startsWith('?') ||
    first === '?titles'
  )
    return false
  return kind === 'prop' || order !== 'wire' || pages.join() !== 'rows'
}

/** Listings whose continue values changed in a version, say its release notes. */
const changed: Readonly<Record<string, string>> = { revisions: '1.26' }

/**
 * A fact that the oldest version does not prove is not of versions before its own where the module is known to have
 * changed between them.
 */
function bracketed(fact: ListingFact, all: readonly ListingFact[]): ListingFact {
  const [first = ''] = [...fact.on].sort()
  const older = all.filter(
    ({ module, on }) => module === fact.module && on.some((one) => one < first)
  )
  const since = older.some((one) => differs(one, all)) ? first : changed[fact.module]
  return since === undefined ? fact : { ...fact, since }
}

/** True where a younger version answers the same question otherwise. */
const differs = (older: ListingFact, all: readonly ListingFact[]): boolean =>
  all.some(
    ({ kind, module, when, formatversion, param, value }) =>
      module === older.module &&
      kind === older.kind &&
      formatversion === older.formatversion &&
      JSON.stringify(when) === JSON.stringify(older.when) &&
      (param !== older.param ||
        value.length !== older.value.length ||
        value.some(
          (part, at) => ![part, older.value[at]].includes('?') && part !== older.value[at]
        ))
  )

const byName = (a: ListingFact, b: ListingFact): number =>
  nameOf(a) < nameOf(b) ? -1 : 1
const nameOf = ({ kind, module, when, formatversion, on }: ListingFact): string =>
  JSON.stringify([kind, module, when, formatversion ?? '', on])

/** What all walks of one version agree on. */
function factOf(
  name: string,
  members: readonly Evidence[],
  tell: Tell
): Draft | undefined {
  const times = new Set(
    members.flatMap(({ query, parts }) =>
      parts.flatMap(({ batch }) =>
        batch.answer.next === undefined ? [] : [`${query} ${batch.continuesAt}`]
      )
    )
  ).size
  const [first] = members
  if (first === undefined) return undefined
  if (times < fewest) {
    tell(`${name}: ${times} boundaries are too few`)
    return undefined
  }
  const { kind, module, when, formatversion, version, param, number } = first
  const distinct = members.every(isDistinct)
  const orders = distinct ? ordersOf(members) : []
  const [order] = orders
  if (members.some((one) => one.param !== param)) return undefined
  if (distinct && order === undefined)
    tell(`${name}: no order explains ${members.map(({ query }) => query).join(' ')}`)
  const ofOnePage = kind === 'generator' && when['titles'] === undefined
  const sent = new Set(
    members.flatMap(({ query }) => [...new URLSearchParams(query).values()])
  )
  const value =
    order === undefined
      ? [['?']]
      : partsAsSaid(
          members.map((one) => boundariesOf(one, order)),
          ofOnePage,
          sent
        )
  const pages = kind === 'generator' ? pagesOf(members, order ?? 'wire') : undefined
  if (order !== undefined && pages?.length === 0)
    tell(`${name}: its pages are written in no known order`)
  const unclear = distinct && (order === undefined || pages?.length === 0)
  return {
    kind,
    module,
    when,
    formatversion,
    on: [version],
    proven: { [version]: times },
    param,
    ...(number ? { number } : {}),
    value,
    order: order === undefined ? ['wire'] : orders,
    ...(pages === undefined ? {} : { pages }),
    ...(distinct ? {} : { distinct: false }),
    ...(unclear ? { contradicts: true } : {})
  }
}

/**
 * Of several orders that the walks do not tell apart, the one that the continue values follow: where titles or ids
 * are looked up, the database gives them in an order of its own.
 */
function likeliest(orders: readonly RowOrder[], value: readonly string[]): RowOrder {
  const [first = ''] = value
  const follows = (order: RowOrder): boolean =>
    order.startsWith('title')
      ? value.some((part) => part.startsWith('title:') || part.includes('page.title:'))
      : order.startsWith('ns-id')
        ? value.join() === 'ns,pageid'
        : order.startsWith('id') && (first.includes('page.pageid') || first === 'pageid')
  return (
    orders.find((order) => order === 'index') ??
    orders.find(follows) ??
    orders[0] ??
    'wire'
  )
}

/**
 * A row of a generator is a page: where a batch has fewer than its limit, or one comes twice, or the list has more rows
 * than the generator pages, they are not the same.
 */
const isDistinct = ({ kind, parts, whole, listed = 0 }: Evidence): boolean =>
  kind !== 'generator' ||
  (listed <= whole.answer.rows.length &&
    [whole, ...parts.map(({ batch }) => batch)].every(
      ({ answer: cut, allowedRows: allowed }) =>
        (cut.next === undefined || cut.rows.length === allowed) &&
        new Set(cut.rows.map(identity)).size === cut.rows.length
    ))

/** What tells a row from others: of a generator its page, since what props say of it depends on the batch. */
function identity({ item, page, slot }: ListingRow): string {
  const named = page === undefined && slot !== '' ? memberOf(item, 'title') : undefined
  return `${page === undefined ? '' : titleIn(page)} ${writeCompact(named ?? item, 'utf8')}`
}

const titleIn = (page: JsonTree): string =>
  writeCompact(memberOf(page, 'title') ?? page, 'utf8')

const candidates = (one: Evidence): readonly RowOrder[] => {
  if (one.kind === 'generator')
    return [
      'index',
      'wire',
      'title',
      'id',
      'ns-id',
      'title-down',
      'id-down',
      'ns-id-down'
    ]
  if (one.kind === 'prop') return ['wire', 'id', 'id-down', 'title', 'title-down']
  return isGrouped(one.whole) ? ['newest', 'oldest'] : ['wire']
}

/** Every order in which the large batch is cut into the small ones, in all listings. */
function ordersOf(members: readonly Evidence[]): readonly RowOrder[] {
  const allowed = members.map((one) =>
    candidates(one).filter((order) => cutsAlike(one, order))
  )
  const [first = [], ...others] = allowed
  return first.filter((order) => others.every((other) => other.includes(order)))
}

function cutsAlike({ whole, parts }: Evidence, order: RowOrder): boolean {
  const rows = rowsInOrder(whole, order)
  if (rows === undefined) return false
  return parts.every(({ at, batch }) => {
    const own = rowsInOrder(batch, order)
    const from = Math.min(at, rows.length)
    const to = Math.min(at + batch.answer.rows.length, rows.length)
    return (
      own !== undefined &&
      rows.slice(from, to).every((row, nth) => {
        const other = own[nth]
        return other !== undefined && identity(other) === identity(row)
      })
    )
  })
}

/** Values and the rows that they go on from, with the number of rows before. */
function boundariesOf(
  { whole, parts }: Evidence,
  order: RowOrder
): readonly CountedBoundary[] {
  const rows = rowsInOrder(whole, order) ?? []
  const found = new Map<number, CountedBoundary>()
  for (const { at, batch } of parts) {
    const [value] = batch.answer.next?.values.values() ?? []
    const before = at + (batch.allowedRows ?? 0)
    const row = rows[before]
    if (value === undefined || row === undefined) continue
    found.set(before, { value, before, row })
  }
  return [...found.values()]
}

/** Every order in which the pages of all batches are written. */
function pagesOf(members: readonly Evidence[], order: RowOrder): readonly PageOrder[] {
  const found = pageOrders.filter((wire) =>
    members.every(({ whole, parts }) =>
      [whole, ...parts.map(({ batch }) => batch)].every((batch) => {
        const sorted = rowsInOrder(batch, order)
        const again = sorted && inResponseOrder(sorted, wire)
        return (
          again?.length === batch.answer.rows.length &&
          again.every((row, at) => {
            const other = batch.answer.rows[at]
            return other !== undefined && identity(row) === identity(other)
          })
        )
      })
    )
  )
  // Another database may have the namespaces in another order.
  return [...new Set(found.map((wire) => (wire === 'seen-title' ? 'title' : wire)))]
}

/** Versions that say the same are one fact; where one allows more orders than another, what both allow. */
function foldVersions(facts: readonly Draft[]): readonly Draft[] {
  return fold(facts, ({ kind, module, when, formatversion }) => [
    kind,
    module,
    when,
    formatversion ?? ''
  ])
}

/** The same in both formats is said once. */
function foldFormats(facts: readonly Draft[]): readonly Draft[] {
  const both = new Map<string, Draft[]>()
  for (const fact of facts) {
    const name = JSON.stringify([fact.kind, fact.module, fact.when, fact.on])
    const held = both.get(name)
    if (held === undefined) both.set(name, [fact])
    else held.push(fact)
  }
  return [...both.values()].flatMap((members) => {
    const bare = members.map(({ formatversion: _, ...rest }): Draft => rest)
    const folded = fold(bare, ({ kind, module, when }) => [kind, module, when], shownIn)
    const versions = folded.flatMap(({ on }) => on)
    return new Set(versions).size === versions.length ? folded : members
  })
}

type Merge = (a: readonly string[], b: readonly string[]) => readonly string[]

/** What both say. */
const common: Merge = (a, b) => a.filter((one) => b.includes(one))

/** The same, where what one format was not asked to show does not speak against the other. */
const shownIn: Merge = (a, b) =>
  a.join() === '?' ? b : b.join() === '?' ? a : common(a, b)

function fold(
  facts: readonly Draft[],
  groupOf: (fact: Draft) => unknown,
  merge: Merge = common
): readonly Draft[] {
  const folded: Draft[] = []
  for (const fact of facts) {
    const name = JSON.stringify(groupOf(fact))
    const at = folded.findIndex(
      (other) =>
        JSON.stringify(groupOf(other)) === name &&
        together(other, fact, merge) !== undefined
    )
    const held = folded[at]
    const one = held && together(held, fact, merge)
    if (one === undefined) folded.push(fact)
    else folded[at] = one
  }
  return folded
}

function sumOf(a: Draft, b: Draft): Readonly<Record<string, number>> {
  const versions = [...new Set([...a.on, ...b.on])].sort()
  return Object.fromEntries(
    versions.map((one) => [one, (a.proven?.[one] ?? 0) + (b.proven?.[one] ?? 0)])
  )
}

function together(a: Draft, b: Draft, merge: Merge): Draft | undefined {
  const said = ({ param, number, distinct, contradicts }: Draft): string =>
    JSON.stringify([param, number, distinct, contradicts])
  const order = a.order.filter((one) => b.order.includes(one))
  const pages = a.pages?.filter((one) => b.pages?.includes(one))
  const value = a.value.map((part, at) => merge(part, b.value[at] ?? []))
  if (said(a) !== said(b) || order.length === 0) return undefined
  if (a.value.length !== b.value.length || value.some((part) => part.length === 0))
    return undefined
  if (pages?.length === 0 && a.distinct !== false && a.contradicts !== true)
    return undefined
  const on = [...new Set([...a.on, ...b.on])].sort()
  return {
    ...a,
    on,
    proven: sumOf(a, b),
    value,
    order,
    ...(pages === undefined ? {} : { pages })
  }
}
