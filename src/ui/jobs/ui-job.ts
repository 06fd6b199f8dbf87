/** What takes long: comparing, checking, joining listings. A function of its job, so that a thread can do it. */
import path from 'node:path'
import { type Complaint, faults, secrets } from '../../cassette-check/cassette-issues.ts'
import { openSide } from '../../cassette-check/load-side.ts'
import { diffCassettes } from '../../drift/compare.ts'
import { contradictionsIn } from '../../engine/miss/conflicts.ts'
import { shown } from '../../engine/miss/describe-request.ts'
import { quoted, refreshCommand } from '../../engine/miss/explain-miss.ts'
import { Synthesiser } from '../../engine/replay/synthesiser.ts'
import type { Listing } from '../../paging/joining/listing.ts'
import { type Coverage, coverageOf } from '../../paging/listing-coverage.ts'
import { keysOf } from '../../paging/reading/batch.ts'
import { gapText, ruleText } from '../../report/coverage-text.ts'
import { htmlReport } from '../../report/html/html-report.ts'
import { CassetteStore } from '../../store/cassette-store.ts'
import { commandName } from '../../store/command-name.ts'
import type { CheckView, ListingView, PartView } from '../views.ts'

export type Job =
  | { readonly kind: 'check'; readonly dir: string }
  | { readonly kind: 'listings'; readonly dir: string; readonly folder: string }
  | { readonly kind: 'drift'; readonly a: string; readonly b: string }

/** As a page is told it: JSON, or a report in HTML. */
export type Done =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'html'; readonly text: string }

/** Things of one kind that one answer tells. */
const mostTold = 500
/** Parts of one listing: a bar has no room for more. */
const mostParts = 100

/** @throws StoreError */
export function done(job: Job): Done {
  switch (job.kind) {
    case 'check':
      return { kind: 'json', value: checked(CassetteStore.open(job.dir)) }
    case 'listings':
      return { kind: 'json', value: listings(CassetteStore.open(job.dir), job.folder) }
    case 'drift':
      return { kind: 'html', text: driftReport(job.a, job.b) }
  }
}

function checked(store: CassetteStore): CheckView {
  const all: readonly Complaint[] = [...faults(store), ...secrets(store)]
  const complaints = all
    .slice(0, mostTold)
    .map(({ kind, file, what }) => ({ kind, file: shown(file, 500), what: shown(what, 1_000) }))
  return { complaints, total: all.length, command: `${commandName} check ${quoted(store.dir)}` }
}

const driftReport = (a: string, b: string): string => {
  const [first, second] = [a, b].map((dir) => openSide(dir, path.basename(dir)).side)
  return first === undefined || second === undefined ? '' : htmlReport(diffCassettes(first, second))
}

/** @param folder all of them where empty */
function listings(store: CassetteStore, folder: string): readonly ListingView[] {
  const synthesiser = new Synthesiser(store)
  return (folder === '' ? store.folders() : [folder])
    .flatMap((one) =>
      synthesiser
        .listingsIn(one)
        .all()
        .map((listing) => listingView(listing, one, store)),
    )
    .slice(0, mostTold)
}

function listingView(listing: Listing, folder: string, store: CassetteStore): ListingView {
  const { dir, manifest } = store
  const coverage = coverageOf(listing)
  const parts = partsOf(coverage)
  const keys = listing.batches.flatMap(keysOf)
  return {
    folder: shown(folder),
    listing: shown(coverage.listing, 500),
    items: coverage.items,
    complete: coverage.complete,
    parts: parts.slice(0, mostParts),
    more: Math.max(0, parts.length - mostParts),
    rule: coverage.rule === undefined ? '' : shown(ruleText(coverage.rule), 500),
    conflicts: contradictionsIn(listing, store)
      .slice(0, 20)
      .map(({ file, what }) => shown(`${file} ${what}`, 500)),
    keys: [...new Set(keys)].slice(0, mostTold),
    command:
      coverage.conflicts.length > 0
        ? refreshCommand(store)
        : `${commandName} capture ${quoted(manifest.upstream)} --cassette ${quoted(dir)} --complete`,
  }
}

/** Intervals and the gaps between and around them (`gapsBetween`), in the listing's order. */
function partsOf({ intervals, gaps }: Coverage): readonly PartView[] {
  const parts = gaps.map((gap): PartView => ({ kind: 'gap', words: shown(gapText(gap), 200) }))
  const [before, ...between] = intervals[0]?.fromStart === true ? [undefined, ...parts] : parts
  const whole = intervals.flatMap(({ items, first, last }, at): readonly (PartView | undefined)[] => [
    { kind: 'interval', items, first: shown(first, 80), last: shown(last, 80) },
    between[at],
  ])
  return [before, ...whole].filter((part) => part !== undefined)
}
