/**
 * The reviewed findings between the shipped cassettes: `npx tsx scripts/review-drift.ts` writes what is found now to
 * test/drift/reviewed.json, keeping the verdicts of findings known by fingerprint. A new finding gets an empty verdict:
 * look at it, then write down what the wiki really changed.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compareCassettes } from '../src/drift/compare.ts'
import type { Finding } from '../src/drift/findings/finding.ts'
import type { CassetteSide } from '../src/drift/inputs/cassette-side.ts'
import { loadSide } from '../src/drift/inputs/load-side.ts'

/** One finding, and what a person said of it. */
export interface Reviewed {
  readonly fingerprint: string
  readonly kind: string
  readonly severity: string
  readonly axis: string
  readonly path: string
  /** What reports call it, with the values that came or went. */
  readonly title: string
  readonly verdict: string
}

export const pairs: readonly (readonly [string, string])[] = [
  ['1.35', '1.39'],
  ['1.39', '1.43'],
  ['1.35', '1.43']
]

export const reviewedFile: string = fileURLToPath(
  new URL('../test/drift/reviewed.json', import.meta.url)
)

/** The shipped cassettes by version. */
export const shippedSides = (): ReadonlyMap<string, CassetteSide> =>
  new Map(
    [...new Set(pairs.flat())].map((version) => [
      version,
      loadSide(`cassettes/ru-${version}`).side
    ])
  )

/** Findings by pair of versions, without verdicts. */
export function findingsNow(
  sides: ReadonlyMap<string, CassetteSide>
): Readonly<Record<string, readonly Finding[]>> {
  return Object.fromEntries(
    pairs.map(([from, to]) => {
      const a = sides.get(from)
      const b = sides.get(to)
      if (a === undefined || b === undefined)
        throw new Error(`no cassette for ${from} or ${to}`)
      const report = compareCassettes(a, b)
      if (report.remarks.length > 0)
        throw new Error(report.remarks.map(({ text }) => text).join('\n'))
      return [`${from} → ${to}`, report.findings]
    })
  )
}

/** As the file has it; a verdict holds for a change wherever between these versions it shows. */
export function reviewOf(
  { fingerprint, kind, severity, axis, scope, place, title }: Finding,
  verdicts: ReadonlyMap<string, string>
): Reviewed {
  const path = `${scope === '*' ? 'all requests' : scope}  ${place}`.trim()
  return {
    fingerprint,
    kind,
    severity,
    axis,
    path,
    title,
    verdict: verdicts.get(fingerprint) ?? ''
  }
}

export type ReviewedFile = Readonly<Record<string, readonly Reviewed[]>>

export const readReviewed = (): ReviewedFile =>
  existsSync(reviewedFile) ? JSON.parse(readFileSync(reviewedFile, 'utf8')) : {}

/** Verdicts by fingerprint. */
export const verdictsIn = (file: ReviewedFile): ReadonlyMap<string, string> =>
  new Map(
    Object.values(file)
      .flat()
      .filter(({ verdict }) => verdict !== '')
      .map(({ fingerprint, verdict }) => [fingerprint, verdict])
  )

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const verdicts = verdictsIn(readReviewed())
  const now = Object.fromEntries(
    Object.entries(findingsNow(shippedSides())).map(([pair, findings]) => [
      pair,
      findings.map((one) => reviewOf(one, verdicts))
    ])
  )
  writeFileSync(reviewedFile, `${JSON.stringify(now, undefined, 2)}\n`)
  const open = Object.values(now)
    .flat()
    .filter(({ verdict }) => verdict === '')
  for (const [pair, list] of Object.entries(now))
    console.log(`${pair}: ${list.length} findings`)
  for (const { fingerprint, kind, path } of open)
    console.log(`no verdict yet: ${fingerprint} ${kind} ${path}`)
  process.exitCode = open.length > 0 ? 1 : 0
}
