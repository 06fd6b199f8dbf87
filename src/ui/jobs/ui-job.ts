/** Slow jobs of the pages: comparing, checking, joining listings. Plain functions of the job, for a worker thread. */
import path from 'node:path'
import { type CassetteIssue, cassetteIssues } from '../../cassette-check/cassette-issues.ts'
import { loadSide } from '../../cassette-check/load-side.ts'
import { secretIssues } from '../../cassette-check/secret-issues.ts'
import { compareCassettes } from '../../drift/compare.ts'
import type { CassetteSide } from '../../drift/inputs/cassette-side.ts'
import { conflictsIn } from '../../engine/miss/conflicts.ts'
import { displayText } from '../../engine/miss/describe-request.ts'
import { refreshCommand, shellQuote } from '../../engine/miss/remedy-commands.ts'
import { Synthesizer } from '../../engine/replay/synthesizer.ts'
import type { Listing } from '../../paging/joining/listing.ts'
import { type Coverage, coverageOf } from '../../paging/listing-coverage.ts'
import { recordedKeysOf } from '../../paging/reading/batch.ts'
import { gapText, ruleText } from '../../report/coverage-text.ts'
import { htmlReport } from '../../report/html/html-report.ts'
import { CassetteStore } from '../../store/cassette-store.ts'
import { commandName } from '../../store/command-name.ts'
import type { CheckView, ListingView, PartView } from '../views.ts'

export type UiJob =
  | { readonly kind: 'check'; readonly dir: string }
  | { readonly kind: 'listings'; readonly dir: string; readonly folder: string }
  | { readonly kind: 'drift'; readonly a: string; readonly b: string }

/** JSON of a view, or an HTML report. */
export type JobResult =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'html'; readonly text: string }

/** Items of one kind in one result. */
const maxItems = 500
/** Parts of one listing: the page's bar has no room for more. */
const maxParts = 100

/** @throws StoreError */
export function runJob(job: UiJob): JobResult {
  switch (job.kind) {
    case 'check':
      return { kind: 'json', value: checkView(CassetteStore.open(job.dir)) }
    case 'listings':
      return { kind: 'json', value: listingViews(CassetteStore.open(job.dir), job.folder) }
    case 'drift':
      return { kind: 'html', text: driftReport(job.a, job.b) }
  }
}

function checkView(store: CassetteStore): CheckView {
  const all: readonly CassetteIssue[] = [...cassetteIssues(store), ...secretIssues(store)]
  const complaints = all
    .slice(0, maxItems)
    .map(({ kind, file, what }) => ({ kind, file: displayText(file, 500), what: displayText(what, 1_000) }))
  return { complaints, total: all.length, command: `${commandName} check ${shellQuote(store.dir)}` }
}

/** Leads back to the form that compared the two (`ui/views/drift.tsx`). */
const driftReport = (a: string, b: string): string => {
  const sideOf = (dir: string): CassetteSide => loadSide(dir, path.basename(dir)).side
  const [first, second] = [sideOf(a), sideOf(b)]
  const form = new URLSearchParams({ a: first.name, b: second.name })
  return htmlReport(compareCassettes(first, second), `./#/drift?${form}`)
}

/** @param folder all of them where empty */
function listingViews(store: CassetteStore, folder: string): readonly ListingView[] {
  const synthesizer = new Synthesizer(store)
  return (folder === '' ? store.folders() : [folder])
    .flatMap((one) =>
      synthesizer
        .listingsIn(one)
        .all()
        .map((listing) => listingView(listing, one, store)),
    )
    .slice(0, maxItems)
}

function listingView(listing: Listing, folder: string, store: CassetteStore): ListingView {
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
    rule: coverage.rule === undefined ? '' : displayText(ruleText(coverage.rule), 500),
    conflicts: conflictsIn(listing, store)
      .slice(0, 20)
      .map(({ file, what }) => displayText(`${file} ${what}`, 500)),
    keys: [...new Set(keys)].slice(0, maxItems),
    command:
      coverage.conflicts.length > 0
        ? refreshCommand(store)
        : `${commandName} capture ${shellQuote(manifest.upstream)} --cassette ${shellQuote(dir)} --complete`,
  }
}

/** Intervals and the gaps between and around them (`gapsBetween`), in the listing's order. */
function partsOf({ intervals, gaps }: Coverage): readonly PartView[] {
  const parts = gaps.map((gap): PartView => ({ kind: 'gap', words: displayText(gapText(gap), 200) }))
  const [before, ...between] = intervals[0]?.fromStart === true ? [undefined, ...parts] : parts
  const whole = intervals.flatMap(({ items, first, last }, at): readonly (PartView | undefined)[] => [
    { kind: 'interval', items, first: displayText(first, 80), last: displayText(last, 80) },
    between[at],
  ])
  return [before, ...whole].filter((part) => part !== undefined)
}
