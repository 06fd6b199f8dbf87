/** What happened in one run, counted; the text that is printed when it ends. */
import type { RequestKey } from '../request/request-key.ts'
import { StoreError } from '../store/store-error.ts'
import { UpstreamError } from '../upstream/upstream.ts'
import type { Miss } from './miss/miss-reply.ts'

/** `overloaded`: those passed through with which the wiki asked to be left alone (limits, lag, maintenance). */
const countNames = [
  'replayed',
  'synthesized',
  'recorded',
  'unchanged',
  'passedThrough',
  'overloaded',
  'missed',
  'unused',
  'liveRequests',
] as const

export type Counts = Readonly<Record<(typeof countNames)[number], number>>

const countsBy = (countOf: (name: keyof Counts) => number): Counts =>
  Object.fromEntries(countNames.map((name) => [name, countOf(name)])) as Counts

/** Distinct misses that are kept for the report; the count goes on beyond. */
const maxMisses = 100

export class RunSummary {
  replayed = 0
  synthesized = 0
  recorded = 0
  unchanged = 0
  passedThrough = 0
  overloaded = 0
  missed = 0
  liveRequests = 0
  /** Requests passed on although they were to be recorded. */
  unrecorded = 0
  /** Recordings that the disk refused. */
  unwritten = 0
  /** Recordings that were held back because a secret stood in them in clear. */
  leaks = 0
  /** Requests that the wiki did not answer. */
  unanswered = 0
  /** What was replaced inside of bodies, e.g. `token (csrftoken)`, and how often. */
  readonly redactions: Map<string, number> = new Map()
  readonly used: Set<RequestKey> = new Set()
  /** Those among them that an answer was synthesised from. */
  readonly proofs: Set<RequestKey> = new Set()
  readonly misses: Map<RequestKey, Miss> = new Map()

  /** The wiki did not answer, or the disk did not take what was to be written. */
  countFailure(error: unknown): void {
    if (error instanceof UpstreamError && error.fault !== 'aborted') this.unanswered += 1
    if (error instanceof StoreError) this.unwritten += 1
  }

  addProofs(from: readonly RequestKey[]): void {
    for (const key of from) {
      if (this.proofs.has(key)) continue
      this.used.add(key)
      this.proofs.add(key)
    }
  }

  countRedaction(what: string, times: number): void {
    this.redactions.set(what, (this.redactions.get(what) ?? 0) + times)
  }

  addMiss(addMiss: Miss): void {
    this.missed += 1
    if (this.misses.size < maxMisses) this.misses.set(addMiss.key, addMiss)
  }

  /** Which interactions are unused only the rack can tell: several engines may use one cassette. */
  counts(): Counts {
    return countsBy((name) => (name === 'unused' ? 0 : this[name]))
  }

  /** 4 secret held back, 3 upstream gone, 2 disk refused, 1 missed, 0 fine: the worst that happened. */
  exitCode(): 0 | 1 | 2 | 3 | 4 {
    if (this.leaks > 0) return 4
    if (this.unanswered > 0) return 3
    if (this.unwritten > 0) return 2
    return this.missed > 0 ? 1 : 0
  }
}

/** One line, e.g. `replayed 12, synthesized 0, recorded 0, unchanged 0, missed 1, unused 3, live requests: 0`. */
export const countsText = (counts: Counts): string =>
  `replayed ${counts.replayed}, synthesized ${counts.synthesized}, recorded ${counts.recorded}, ` +
  `unchanged ${counts.unchanged}, passed through ${counts.passedThrough}${overloadText(counts)}, missed ${counts.missed}, ` +
  `unused ${counts.unused}, live requests: ${counts.liveRequests}`

const overloadText = ({ overloaded }: Counts): string =>
  overloaded === 0 ? '' : ` (${overloaded} of them limits, lag or maintenance)`

/** One line that names every sort of secret that was replaced inside of bodies; empty where there was none. */
export function redactionsText(redactions: readonly ReadonlyMap<string, number>[]): string {
  const sum = new Map<string, number>()
  for (const [what, times] of redactions.flatMap((one) => [...one]))
    sum.set(what, (sum.get(what) ?? 0) + times)
  if (sum.size === 0) return ''
  return `replaced inside of bodies: ${[...sum].map(([what, times]) => `${what} ${times}`).join(', ')}`
}

/** The counts of several cassettes together. */
export const addCounts = (all: readonly Counts[]): Counts =>
  countsBy((name) => all.reduce((sum, one) => sum + one[name], 0))
