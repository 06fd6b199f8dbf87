/** Two sides in, one report out: align, compare answers and descriptions, sift noise, group, apply acceptances. */

import { itemsOf, type JsonTree, memberAt } from '../json/json-tree.ts'
import { plainOf } from '../json/plain-json.ts'
import { grouped } from '../text/group-by.ts'
import { compareAll } from './answers/compare-behaviour.ts'
import type { Change } from './changes/change.ts'
import { compareContract } from './contract/compare-contract.ts'
import { compareSites, engineOf } from './contract/compare-sites.ts'
import { applyAcceptances } from './findings/acceptances.ts'
import { causesOf } from './findings/cause.ts'
import type { ComparedRequest, DriftReport, SideSummary } from './findings/drift-report.ts'
import { type Acceptance, type Finding, groupChanges } from './findings/finding.ts'
import { remarksOn } from './findings/remarks.ts'
import { rerate, type SeverityRules } from './findings/severity-rules.ts'
import { type AlignedPair, align, factsOf } from './inputs/align-requests.ts'
import { askedOf, type CassetteSide } from './inputs/cassette-side.ts'
import { bodiesOf } from './inputs/id-renumbering.ts'
import { type NoiseProfile, Sieve, type Tolerance } from './noise/noise-filter.ts'
import { stabilityChanges } from './noise/stability.ts'
import { knownChangesBetween } from './releases/known-changes.ts'

/** What the shell knows beyond the two sides; all of it may be left out. */
export interface DriftOptions {
  readonly noise?: NoiseProfile
  /** What was learned of B in the same way; fields that vary only there are told. */
  readonly noiseB?: NoiseProfile
  readonly tolerances?: readonly Tolerance[]
  readonly acceptances?: readonly Acceptance[]
  /** Kinds that are rated otherwise than usual. */
  readonly severities?: SeverityRules
  /** Whether the report shall hold what was recorded. */
  readonly recordings?: boolean
  /** `2026-11-21`, for acceptances with a last day. */
  readonly today?: string
}

export function diffCassettes(a: CassetteSide, b: CassetteSide, options: DriftOptions = {}): DriftReport {
  const [sideA, sideB] = [withRecordedModules(a), withRecordedModules(b)]
  const alignment = align(sideA, sideB)
  const contract = compareDescriptions(sideA, sideB)
  const engine = engineOf(sideA)
  const sameSoftware = engine !== '' && engine === engineOf(sideB) && contract.length === 0
  const known = knownChangesBetween(engine, engineOf(sideB))
  const behaviour = compareAll(sideA, sideB, alignment, { sameSoftware, known })
  const noise = options.noise ?? { entries: [] }
  const sieve = new Sieve(noise, options.tolerances)
  const stability = options.noiseB === undefined ? [] : stabilityChanges(noise, options.noiseB)
  const findings = groupChanges(
    rerated(chain(sieve.kept(chain(behaviour.changes, contract)), stability), options.severities),
    known,
  )
  const accepted = applyAcceptances(findings, options.acceptances ?? [], options.today ?? '')
  return {
    a: summaryOf(sideA),
    b: summaryOf(sideB),
    compared: comparedRequests(alignment.pairs, accepted.findings, options.recordings === true),
    listings: behaviour.listings,
    findings: accepted.findings,
    causes: causesOf(accepted.findings.filter((one) => one.accepted === undefined)),
    suppressed: sieve.suppressed(),
    staleNoise: sieve.stale(),
    unknownAcceptances: accepted.unknown,
    expiredAcceptances: accepted.expired,
    remarks: remarksOn(sideA, sideB, alignment, behaviour.listings),
  }
}

/** Differences of two sides before sifting and grouping, e.g. to learn noise from a wiki asked twice. */
export function rawChanges(a: CassetteSide, b: CassetteSide): readonly Change[] {
  const software = { sameSoftware: false, known: () => undefined }
  return [...compareAll(a, b, align(a, b), software).changes]
}

function* rerated(changes: Iterable<Change>, rules: SeverityRules = new Map()): IterableIterator<Change> {
  for (const change of changes) yield rerate(change, rules)
}

function* chain<T>(...parts: readonly Iterable<T>[]): IterableIterator<T> {
  for (const part of parts) yield* part
}

function compareDescriptions(a: CassetteSide, b: CassetteSide): readonly Change[] {
  const sites = compareSites(a, b)
  if (a.modules.size === 0 || b.modules.size === 0) return sites
  const asked = a.interactions.map(askedOf)
  return [...sites, ...compareContract(a.modules, b.modules, asked, factsOf(a).lookup)]
}

/** Descriptions that were recorded as answers to action=paraminfo count like those beside the cassette. */
function withRecordedModules(side: CassetteSide): CassetteSide {
  const descriptions = side.interactions.filter(({ request }) => request.get('action') === 'paraminfo')
  const recorded = bodiesOf(descriptions).flatMap(modulesIn)
  return recorded.length === 0 ? side : { ...side, modules: new Map([...recorded, ...side.modules]) }
}

const modulesIn = (tree: JsonTree): readonly (readonly [string, unknown])[] =>
  itemsOf(memberAt(tree, 'paraminfo', 'modules')).flatMap((one) => {
    const plain = plainOf(one)
    const path = typeof plain === 'object' && plain !== null && 'path' in plain ? plain.path : undefined
    return typeof path === 'string' ? [[path, plain] as const] : []
  })

const summaryOf = (side: CassetteSide): SideSummary => ({
  name: side.name,
  engine: engineOf(side),
  lang: side.manifest.site?.lang ?? '',
  interactions: side.interactions.length,
  modules: side.modules.size,
})

function comparedRequests(
  pairs: readonly AlignedPair[],
  findings: readonly Finding[],
  withRecordings: boolean,
): readonly ComparedRequest[] {
  const told = findings.flatMap(({ fingerprint, asked }) => asked.map(({ key }) => ({ key, fingerprint })))
  const prints = grouped(told, ({ key }) => key)
  return pairs.map(({ a, b }) => ({
    asked: askedOf(a),
    recorded: withRecordings ? [a, b] : undefined,
    fingerprints: prints.get(a.key)?.map(({ fingerprint }) => fingerprint) ?? [],
  }))
}
