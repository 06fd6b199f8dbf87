/** The counts of one engine, its exit code, and the line that is printed at the end. */
import type { RequestKey } from '../request/request-key.ts'
import { StoreError } from '../store/store-error.ts'
import { UpstreamError } from '../upstream/upstream.ts'
import type { Miss } from './miss/miss-reply.ts'

/** `overloaded`: those passed through that were errors of limits, lag or maintenance. `troubled`: by `--trouble`. `ignored`: values. */
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
  'troubled',
  'ignored'
] as const

type MutableCounts = Record<(typeof countNames)[number], number>
export type Counts = Readonly<MutableCounts>

const countsBy = (countOf: (name: keyof Counts) => number) =>
  Object.fromEntries(countNames.map((name) => [name, countOf(name)])) as MutableCounts

/** Distinct misses, and answers not recorded, that are listed; `missed` counts all. */
const maxListed = 100

export class RunSummary {
  /** `unused` is left 0: several engines may use one cassette, so the registry counts it. */
  readonly counts: MutableCounts = countsBy(() => 0)
  /** Requests passed on that should have been recorded. */
  unrecorded = 0
  unwritten = 0
  /** Recordings that were not written because they held a secret in clear. */
  leaks = 0
  unanswered = 0
  /** Places in recordings that look like a secret and were not replaced, by file: a person has to judge them. */
  readonly doubtful: Map<string, readonly string[]> = new Map()
  /** Modules whose recorded answers tell private data of people other than the caller. */
  readonly thirdParties: Set<string> = new Set()
  /** Secrets replaced in bodies, e.g. `token (csrftoken)`, with their number. */
  readonly redactions: Map<string, number> = new Map()
  readonly used: Set<RequestKey> = new Set()
  /** Recordings of this run that were gone at the end: somebody else has deleted them. */
  lost = 0
  /** Those of `used` that answers were synthesized from. */
  readonly proofs: Set<RequestKey> = new Set()
  readonly misses: Map<RequestKey, Miss> = new Map()
  /** Requests whose last answer was passed on that should have been recorded, in words. */
  readonly notRecorded: Map<RequestKey, string> = new Map()

  /** Recorded errors that look as if they would pass, in words. */
  readonly passingErrors: Map<RequestKey, string> = new Map()

  countFailure(error: unknown): void {
    if (error instanceof UpstreamError && error.fault !== 'aborted') this.unanswered += 1
    if (error instanceof StoreError) this.unwritten += 1
  }

  addProofs(from: readonly RequestKey[]): void {
    for (const key of from) {
      this.used.add(key)
      this.proofs.add(key)
    }
  }

  addMiss(miss: Miss): void {
    this.counts.missed += 1
    if (this.misses.size < maxListed) this.misses.set(miss.key, miss)
  }

  /** @param words the request and the reason */
  addNotRecorded(key: RequestKey, words: string): void {
    if (this.notRecorded.size < maxListed) this.notRecorded.set(key, words)
  }

  /** The worst that happened: 4 secret not written, 3 wiki did not answer, 2 disk failed, 1 missed, 0 nothing. */
  exitCode(): 0 | 1 | 2 | 3 | 4 {
    if (this.leaks > 0 || this.doubtful.size > 0) return 4
    if (this.unanswered > 0) return 3
    if (this.unwritten > 0 || this.lost > 0) return 2
    return this.counts.missed > 0 ? 1 : 0
  }
}

/** One line that names what is not 0, e.g. `replayed 12, missed 1, live requests: 0`. */
export function countsText(counts: Counts): string {
  const {
    replayed,
    synthesized,
    recorded,
    unchanged,
    passedThrough,
    overloaded,
    missed,
    unused
  } = counts
  const overload =
    overloaded === 0 ? '' : ` (${overloaded} of them limits, lag or maintenance)`
  const named = Object.entries({
    replayed,
    synthesized,
    recorded,
    unchanged,
    passedThrough,
    missed,
    unused
  })
  const parts = named.flatMap(([name, count]) => {
    if (count === 0) return []
    return [
      name === 'passedThrough' ? `passed through ${count}${overload}` : `${name} ${count}`
    ]
  })
  const trouble = counts.troubled === 0 ? [] : [`trouble: ${counts.troubled}`]
  const ignored = counts.ignored === 0 ? [] : [`values not compared: ${counts.ignored}`]
  const live = `live requests: ${counts.liveRequests}`
  return [...parts, live, ...trouble, ...ignored].join(', ')
}

/** One line with the number of each kind of secret that was replaced in bodies; empty where there was none. */
export function redactionsText(
  redactions: readonly ReadonlyMap<string, number>[]
): string {
  const sum = new Map<string, number>()
  for (const [what, times] of redactions.flatMap((one) => [...one]))
    sum.set(what, (sum.get(what) ?? 0) + times)
  if (sum.size === 0) return ''
  return `replaced inside of bodies: ${[...sum].map(([what, times]) => `${what} ${times}`).join(', ')}`
}

export const addCounts = (all: readonly Counts[]): Counts =>
  countsBy((name) => all.reduce((sum, one) => sum + one[name], 0))
