/** The comparison of two sides: align, compare answers and descriptions, filter noise, group, apply acceptances. */
import type { RecordedResponse } from '../recorder/cassette/interaction.ts'
import { itemsAt } from '../recorder/json/json-tree.ts'
import { isPlainObject, toPlain } from '../recorder/json/plain-json.ts'
import { readTree } from '../recorder/json/read-json.ts'
import { compareBehaviour } from './answers/compare-behaviour.ts'
import { applySeverityRules, type Change, type SeverityRules } from './changes/change.ts'
import { isOfOtherCallers, remarkOnOutgrown, remarksOn } from './comparison-remarks.ts'
import { compareContract } from './contract/compare-contract.ts'
import { compareSites } from './contract/compare-sites.ts'
import { modulesOfOpenApi } from './contract/openapi-modules.ts'
import { applyAcceptances } from './findings/acceptances.ts'
import { causesOf } from './findings/cause.ts'
import type { DriftReport } from './findings/drift-report.ts'
import { type Acceptance, groupChanges } from './findings/finding.ts'
import { withReasons } from './findings/reasons.ts'
import { alignInteractions } from './inputs/align-requests.ts'
import {
  type CassetteSide,
  engineOf,
  isOpenApi,
  jsonBodies,
  wikiNameOf
} from './inputs/cassette-side.ts'
import {
  NoiseFilter,
  type NoiseProfile,
  stabilityChanges
} from './noise/noise-profile.ts'
import { knownChangesBetween } from './releases/known-changes.ts'

/** What a project settles about comparisons. */
export interface ComparisonOptions {
  readonly noise?: NoiseProfile | undefined
  /** Learned of B in the same way; fields that vary on one side only are changes. */
  readonly noiseB?: NoiseProfile | undefined
  readonly acceptances?: readonly Acceptance[]
  /** Kinds that are rated otherwise than usual. */
  readonly severities?: SeverityRules
  /** `2026-11-21`, for acceptances with a last day. */
  readonly today?: string
}

export function compareCassettes(
  a: CassetteSide,
  b: CassetteSide,
  options: ComparisonOptions = {}
): DriftReport {
  const {
    noise = { entries: [] },
    noiseB,
    severities = new Map(),
    acceptances = [],
    today = ''
  } = options
  const sideA = withRecordedModules(withReadJson(a))
  const sideB = withRecordedModules(withReadJson(b))
  const alignment = alignInteractions(sideA, sideB)
  const sides = { a: summaryOf(sideA), b: summaryOf(sideB) }
  if (isOfOtherCallers(alignment)) {
    const remarks = remarksOn(sideA, sideB, alignment, 0)
    return { ...sides, ...nothingCompared, remarks }
  }
  const modules = compareContract(sideA, sideB)
  const engine = engineOf(sideA)
  const sameRelease = engine !== '' && engine === engineOf(sideB)
  const sameSoftware = sameRelease && modules.length === 0
  const known = knownChangesBetween(engine, engineOf(sideB))
  const behaviour = compareBehaviour(sideA, sideB, alignment, {
    sameRelease,
    sameSoftware,
    known
  })
  const noiseFilter = new NoiseFilter(noise)
  // One by one: there may be very many.
  function* changes() {
    for (const part of [behaviour.changes, compareSites(sideA, sideB), modules])
      for (const change of part)
        if (!noiseFilter.suppresses(change))
          yield applySeverityRules(behaviour.settle(change), severities)
    for (const change of noiseB ? stabilityChanges(noise, noiseB) : [])
      yield applySeverityRules(change, severities)
  }
  const findings = withReasons(groupChanges(changes(), known))
  const traffic = a.traffic ?? b.traffic
  const { outgrown, ...accepted } = applyAcceptances(findings, acceptances, today)
  const wikis = [undefined, sides.a.wiki, sides.b.wiki]
  return {
    ...sides,
    ...accepted,
    unknownAcceptances: accepted.unknownAcceptances.filter(({ wiki }) =>
      wikis.includes(wiki)
    ),
    compared: alignment.pairs.length,
    listings: behaviour.listings,
    causes: causesOf(accepted.findings, traffic),
    suppressed: noiseFilter.suppressed(),
    staleNoise: noiseFilter.staleEntries(),
    remarks: [
      ...remarksOn(sideA, sideB, alignment, behaviour.listings),
      ...outgrown.map(remarkOnOutgrown)
    ],
    traffic
  }
}

const nothingCompared = {
  compared: 0,
  listings: 0,
  findings: [],
  causes: [],
  suppressed: [],
  staleNoise: [],
  unknownAcceptances: [],
  expiredAcceptances: []
} as const

/** Changes before filtering and grouping, e.g. to learn noise from a wiki asked twice. */
export function unfilteredChanges(a: CassetteSide, b: CassetteSide): readonly Change[] {
  const software = { sameRelease: false, sameSoftware: false, known: () => undefined }
  return [...compareBehaviour(a, b, alignInteractions(a, b), software).changes]
}

/** JSON in whatever spelling, and of whatever type: gateways write it anew, and other tools record it as text. */
function withReadJson(side: CassetteSide) {
  const read = (response: RecordedResponse): RecordedResponse => {
    const { body } = response
    const isCandidate = body.kind === 'text' && /^[ \t\r\n]*[{[]/.test(body.text)
    const tree = isCandidate ? readTree(body.text) : undefined
    return tree
      ? { ...response, body: { kind: 'json', tree, spelling: 'utf8' } }
      : response
  }
  const interactions = side.interactions.map((one) => {
    const [first, ...more] = one.responses
    return { ...one, responses: [read(first), ...more.map(read)] as const }
  })
  return { ...side, interactions }
}

/** Adds descriptions that were recorded as answers: to action=paraminfo, and of operations of rest.php. */
function withRecordedModules(side: CassetteSide) {
  const descriptions = side.interactions.filter(
    ({ request }) => request.get('action') === 'paraminfo'
  )
  const recorded = jsonBodies(descriptions)
    .flatMap((tree) => itemsAt(tree, 'paraminfo', 'modules'))
    .flatMap((one) => {
      const plain = toPlain(one)
      const path = isPlainObject(plain) ? plain['path'] : undefined
      return typeof path === 'string' ? [[path, plain] as const] : []
    })
  const operations = jsonBodies(
    side.interactions.filter(({ request }) => request.has('plain target'))
  ).flatMap((tree) => (isOpenApi(tree) ? (modulesOfOpenApi(toPlain(tree)) ?? []) : []))
  return { ...side, modules: new Map([...recorded, ...operations, ...side.modules]) }
}

const summaryOf = (side: CassetteSide) => ({
  name: side.name,
  engine: engineOf(side),
  lang: side.manifest.site?.lang ?? '',
  wiki: wikiNameOf(side),
  interactions: side.interactions.length,
  modules: side.modules.size
})
