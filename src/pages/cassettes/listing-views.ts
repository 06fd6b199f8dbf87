/** Listings for the pages: their parts and gaps, and the rows of one. */
import { displayText } from '../../recorder/engine/miss/describe-request.ts'
import { conflictsIn, refreshCommandLine } from '../../recorder/engine/miss/remedies.ts'
import { Synthesizer } from '../../recorder/engine/replay/synthesizer.ts'
import { writeCompact } from '../../recorder/json/write-json.ts'
import { gapText, ruleText } from '../../recorder/paging/coverage-text.ts'
import type { Listing } from '../../recorder/paging/joining/listing.ts'
import type { RowRun } from '../../recorder/paging/joining/run-layout.ts'
import { type Coverage, coverageOf } from '../../recorder/paging/listing-coverage.ts'
import { cursorText, recordedKeysOf } from '../../recorder/paging/reading/batch.ts'
import { CassetteStore } from '../../recorder/store/cassette-store.ts'
import { commandName, shellQuote } from '../../recorder/store/command-name.ts'
import { BadRequest } from '../query-params.ts'
import type { ListingRowsView, ListingRowView } from '../run-views.ts'
import type { ListingView, PartView } from '../views.ts'

/** Listings in one result, and recordings of one. */
const maxItems = 500
/** Parts of one listing: the page's bar has no room for more. */
const maxParts = 100
/** Rows of one listing, and characters of each. */
const maxRows = 2_000
const maxRowText = 4_000

/** @param folder all of them if empty */
export function listingViews(dir: string, folder: string): readonly ListingView[] {
  const store = CassetteStore.open(dir)
  const synthesizer = new Synthesizer(store)
  const folders = folder === '' ? store.folders() : [folder]
  const viewsOf = (one: string) =>
    synthesizer
      .listingsIn(one)
      .all()
      .map((listing) => listingView(listing, one, store))
  return folders.flatMap(viewsOf).slice(0, maxItems)
}

function listingView(listing: Listing, folder: string, store: CassetteStore) {
  const { dir, manifest } = store
  const coverage = coverageOf(listing)
  const parts = partsOf(coverage)
  const keys = listing.batches.flatMap(recordedKeysOf)
  return {
    folder: displayText(folder),
    listing: displayText(coverage.listing, 500),
    items: coverage.items,
    complete: coverage.complete,
    parts: parts.slice(0, maxParts),
    more: Math.max(0, parts.length - maxParts),
    rule: coverage.rule ? displayText(ruleText(coverage.rule), 500) : '',
    conflicts: conflictsIn(listing, store)
      .slice(0, 20)
      .map(({ file, what }) => displayText(`${file} ${what}`, 500)),
    keys: [...new Set(keys)].slice(0, maxItems),
    command:
      coverage.conflicts.length > 0
        ? refreshCommandLine(store)
        : `${commandName} capture ${shellQuote(manifest.upstream)} --cassette ${shellQuote(dir)} --complete`
  }
}

/** Intervals and the gaps between and around them (`gapsBetween`), in the listing's order. */
function partsOf({ intervals, gaps }: Coverage) {
  const parts = gaps.map(
    (gap): PartView => ({
      kind: 'gap',
      words: displayText(gapText(gap), 200)
    })
  )
  const [before, ...between] = intervals[0]?.fromStart ? [undefined, ...parts] : parts
  const whole = intervals.flatMap(
    ({ items, first, last }, at): readonly (PartView | undefined)[] => [
      {
        kind: 'interval',
        items,
        first: displayText(first, 80),
        last: displayText(last, 80)
      },
      between[at]
    ]
  )
  return [before, ...whole].filter((part) => part !== undefined)
}

/** The rows of one listing, with the recording that has each, the continue values between them, and its gaps. */
export function listingRows(dir: string, folder: string, name: string): ListingRowsView {
  const listing = new Synthesizer(CassetteStore.open(dir))
    .listingsIn(folder)
    .all()
    .find((one) => displayText(coverageOf(one).listing, 500) === name)
  if (!listing)
    throw new BadRequest(404, 'no-such-listing', `there is no listing ${name}`)
  const placeOf = ({ start, end }: RowRun) => (start ? 0 : 2) + (end ? 1 : 0)
  const runs = listing.runs.toSorted((a, b) => placeOf(a) - placeOf(b))
  const gap: ListingRowView = { kind: 'gap', words: 'rows that are not recorded' }
  const rows = runs.flatMap((run, at) => [
    ...(run.start || at > 0 ? [] : [gap]),
    ...rowsOf(run, gap),
    ...(run.end ? [] : [gap])
  ])
  return {
    rows: rows.slice(0, maxRows),
    more: Math.max(0, rows.length - maxRows)
  }
}

const rowsOf = (
  { rows, continues }: RowRun,
  gap: ListingRowView
): readonly ListingRowView[] =>
  rows.map((one, at) => {
    if (!one) return gap
    const next = [...(continues.get(at)?.values ?? [])]
    const values = next.map(([name, value]) => `${name}=${cursorText(value)}`)
    const { item, page } = one.row
    const text = writeCompact(item, 'utf8').slice(0, maxRowText)
    const of = page ? writeCompact(page, 'utf8').slice(0, maxRowText) : ''
    return {
      kind: 'row',
      text,
      page: of,
      key: one.key,
      continues: displayText(values.join('&'), 200)
    }
  })
