/**
 * The rows of a whole listing in the other direction, or those of fewer namespaces, if that is the order which is known for
 * them. Sources: each use of `dir` and `namespace` in ApiQuery*.php of 1.35, 1.39 and 1.43.
 */
import { numberAt } from '../json/json-tree.ts'
import { hasQuirk } from '../knowledge/module-quirks.ts'
import type { WikiFacts } from '../request/derive.ts'
import { mapAll } from '../text/group-by.ts'
import { splitValues } from '../wiki/parameters/request-params.ts'
import { answerFrom } from './answer-from.ts'
import type { Listing } from './joining/listing.ts'
import type { RecordedRow, RowRun } from './joining/run-layout.ts'
import { locate } from './placing/locate.ts'
import { limitedProps } from './reading/answer-chain.ts'
import { startPosition } from './reading/batch.ts'
import { type Driver, isAllLinks, isTimed } from './reading/driver.ts'
import type { ListingRequest } from './reading/listing-request.ts'
import { requestDoubt } from './reading/module-doubts.ts'
import { pagesOf } from './reading/page-members.ts'
import { type ContinueRule, predictText } from './rules/continue-rule.ts'
import { isPageOrder, type KnownListing, knownListing } from './rules/known-rules.ts'
import { compareValues, pageOrders, sortKeyOf } from './rules/row-order.ts'
import type { Synthesis } from './synthesis.ts'

/** @param listing of a request that differs in direction and namespaces only */
export function rearranged(
  request: ListingRequest,
  listing: Listing,
  facts: WikiFacts
): Synthesis | undefined {
  const { driver, params, formatVersion, identity, startName } = request
  const isSorted = ![isTimed, isAllLinks, isGroupedList].some((one) => one(driver))
  const isPlain =
    isSorted &&
    startName === undefined &&
    identity !== listing.identity &&
    requestDoubt(params, facts) === undefined &&
    (driver.kind !== 'generator' || limitedProps(request, facts.lookup).length === 0)
  const run = isPlain ? wholeRun(listing) : undefined
  if (!run) return undefined
  const known = knownListing(
    { ...driver, params, formatVersion, pages: pagesOf(listing.batches[0]) },
    facts
  )
  const rows = known && rowsAsWanted(run, request, listing.batches[0].request, known)
  if (!rows) return undefined
  const wanted: RowRun = { rows, continues: new Map(), start: true, end: true }
  const part: Listing = {
    ...listing,
    identity,
    rule: known.rule,
    param: known.param,
    by: 'known',
    runs: [wanted],
    positions: new Map([[startPosition, { run: wanted, at: 0 }]]),
    pageOrders:
      driver.kind === 'generator'
        ? pageOrders.filter((one) => isPageOrder(known.pages, one))
        : ['rows']
  }
  const position = locate(request, part, facts)
  const found =
    typeof position === 'string' ? undefined : answerFrom(request, part, position, facts)
  return found?.kind === 'synthesized' && found.by !== 'own' ? found : undefined
}

const isGroupedList = ({ module }: Driver) => hasQuirk('grouped', module)

/** All rows of a listing of which nothing is uncertain. */
function wholeRun(listing: Listing): RowRun | undefined {
  const { runs, unclear, disordered, contradiction } = listing
  const [run, second] = runs
  const isCertain =
    unclear.length === 0 &&
    !disordered &&
    !listing.hasOtherMembers &&
    !listing.siblings &&
    contradiction === undefined
  return isCertain && run?.start && run.end && !second ? run : undefined
}

const directions = new Map<string | undefined, 1 | -1>([
  [undefined, 1],
  ['ascending', 1],
  ['descending', -1]
])

/** Undefined where they would not come in the order of their continue values. */
function rowsAsWanted(
  run: RowRun,
  { params, driver: { prefix, kind } }: ListingRequest,
  recorded: ListingRequest,
  { rule, orders }: KnownListing
): readonly RecordedRow[] | undefined {
  const [ours, theirs] = [params, recorded.params].map((one) =>
    directions.get(one.get(`${prefix}dir`))
  )
  if (ours === undefined || theirs === undefined) return undefined
  // The kinds of a category's members come in one order in either direction. Source: ApiQueryCategoryMembers::run
  const hasKinds = rule.parts
    .flat()
    .some((one) => one.kind === 'member' && one.spelling === 'category-type')
  if (hasKinds && ours !== theirs) return undefined
  const wanted = params.get(`${prefix}namespace`)
  const namespaces = wanted === undefined ? undefined : splitValues(wanted)
  const all = mapAll(run.rows, (one) => {
    const ns = numberAt(one?.row.item, 'ns')
    return namespaces && ns === undefined ? undefined : one && { one, ns }
  })
  const kept = all?.filter(({ ns }) => namespaces?.includes(String(ns)) ?? true)
  const rows = kept?.map(({ one }) => one)
  const ordered = ours === theirs ? rows : rows?.toReversed()
  const isSortedBy = (key: ContinueRule) => {
    const values = ordered && mapAll(ordered, ({ row }) => predictText(key, row))
    return values?.every(
      (value, at) =>
        at === 0 || ours * compareValues(value, values[at - 1] ?? '', key) > 0
    )
  }
  // The wiki may sort by the id alone, and continue by more. Of a prop it is the id of the row's page.
  const keys =
    kind === 'prop'
      ? []
      : orders.filter((one) => one.includes('id')).flatMap((one) => sortKeyOf(one) ?? [])
  const isSorted = [rule, ...keys].some(isSortedBy)
  return isSorted ? ordered : undefined
}
