/** The comparison of two sides: align, compare answers and descriptions, filter noise, group, apply acceptances; and remarks on it. */
import type { Interaction, RecordedResponse } from '../recorder/cassette/interaction.ts'
import { itemsOf, type JsonTree, memberAt } from '../recorder/json/json-tree.ts'
import { isPlainObject, toPlain } from '../recorder/json/plain-json.ts'
import { readTree } from '../recorder/json/read-json.ts'
import { plural } from '../recorder/text/words.ts'
import { compareBehaviour } from './answers/compare-behaviour.ts'
import { applySeverityRules, type Change, type SeverityRules } from './changes/change.ts'
import { compareContract } from './contract/compare-contract.ts'
import { compareSites } from './contract/compare-sites.ts'
import { applyAcceptances, type OutgrownAcceptance } from './findings/acceptances.ts'
import { causesOf, withReasons } from './findings/cause.ts'
import type {
  ComparisonRemark,
  DriftReport,
  SideSummary,
} from './findings/drift-report.ts'
import { type Acceptance, groupChanges } from './findings/finding.ts'
import {
  type Alignment,
  alignInteractions,
  isSentOtherwise,
} from './inputs/align-requests.ts'
import {
  type CassetteSide,
  engineOf,
  jsonBodies,
  pageIdsIn,
  wikiNameOf,
} from './inputs/cassette-side.ts'
import {
  NoiseFilter,
  type NoiseProfile,
  stabilityChanges,
} from './noise/noise-profile.ts'
import { knownChangesBetween } from './releases/known-changes.ts'

/** What a project settles about comparisons. */
export interface ComparisonOptions {
  readonly noise?: NoiseProfile
  /** Learned of B in the same way; fields that vary on one side only are changes. */
  readonly noiseB?: NoiseProfile
  readonly acceptances?: readonly Acceptance[]
  /** Kinds that are rated otherwise than usual. */
  readonly severities?: SeverityRules
  /** `2026-11-21`, for acceptances with a last day. */
  readonly today?: string
}

export function compareCassettes(
  a: CassetteSide,
  b: CassetteSide,
  options: ComparisonOptions = {},
): DriftReport {
  const sideA = withRecordedModules(withReadJson(a))
  const sideB = withRecordedModules(withReadJson(b))
  const alignment = alignInteractions(sideA, sideB)
  const sides = { a: summaryOf(sideA), b: summaryOf(sideB) }
  if (isOfOtherCallers(alignment))
    return {
      ...sides,
      ...nothingCompared,
      remarks: remarksOn(sideA, sideB, alignment, 0),
    }
  const modules = compareContract(sideA, sideB)
  const engine = engineOf(sideA)
  const sameRelease = engine !== '' && engine === engineOf(sideB)
  const known = knownChangesBetween(engine, engineOf(sideB))
  const software = {
    sameRelease,
    sameSoftware: sameRelease && modules.length === 0,
    known,
  }
  const behaviour = compareBehaviour(sideA, sideB, alignment, software)
  const {
    noise = { entries: [] },
    noiseB,
    severities = new Map(),
    acceptances = [],
    today = '',
  } = options
  const noiseFilter = new NoiseFilter(noise)
  // One by one: there may be very many.
  function* changes(): IterableIterator<Change> {
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
  return {
    ...sides,
    ...accepted,
    unknownAcceptances: accepted.unknownAcceptances.filter(
      ({ wiki }) => wiki === undefined || wiki === sides.a.wiki || wiki === sides.b.wiki,
    ),
    compared: alignment.pairs.length,
    listings: behaviour.listings,
    causes: causesOf(accepted.findings, traffic),
    suppressed: noiseFilter.suppressed(),
    staleNoise: noiseFilter.staleEntries(),
    remarks: [
      ...remarksOn(sideA, sideB, alignment, behaviour.listings),
      ...outgrown.map(remarkOnOutgrown),
    ],
    traffic,
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
  expiredAcceptances: [],
} as const

/** Changes before filtering and grouping, e.g. to learn noise from a wiki asked twice. */
export function unfilteredChanges(a: CassetteSide, b: CassetteSide): readonly Change[] {
  const software = { sameRelease: false, sameSoftware: false, known: () => undefined }
  return [...compareBehaviour(a, b, alignInteractions(a, b), software).changes]
}

/** JSON in whatever spelling, and of whatever type: gateways write it anew, and other tools record it as text. */
function withReadJson(side: CassetteSide): CassetteSide {
  const read = (response: RecordedResponse): RecordedResponse => {
    const { body } = response
    const isCandidate = body.kind === 'text' && /^\s*[{[]/.test(body.text)
    const tree = isCandidate ? readTree(body.text) : undefined
    if (body.kind !== 'text' || !tree) return response
    const type = response.headers.get('content-type') ?? ''
    const isBare = body.spelling === undefined && type.startsWith('application/json')
    const headers = isBare
      ? new Map([...response.headers, ['content-type', 'JSON without its callback']])
      : response.headers
    return { ...response, headers, body: { kind: 'json', tree, spelling: 'utf8' } }
  }
  if (
    !side.interactions.some(({ responses }) =>
      responses.some(({ body }) => body.kind === 'text'),
    )
  )
    return side
  const interactions = side.interactions.map((one) => {
    const [first, ...more] = one.responses
    return { ...one, responses: [read(first), ...more.map(read)] as const }
  })
  return { ...side, interactions }
}

/** Adds descriptions that were recorded as answers to action=paraminfo. */
function withRecordedModules(side: CassetteSide): CassetteSide {
  const descriptions = side.interactions.filter(
    ({ request }) => request.get('action') === 'paraminfo',
  )
  const recorded = jsonBodies(descriptions).flatMap(modulesIn)
  return recorded.length === 0
    ? side
    : { ...side, modules: new Map([...recorded, ...side.modules]) }
}

const modulesIn = (tree: JsonTree): readonly (readonly [string, unknown])[] =>
  itemsOf(memberAt(tree, 'paraminfo', 'modules')).flatMap((one) => {
    const plain = toPlain(one)
    const path = isPlainObject(plain) ? plain['path'] : undefined
    return typeof path === 'string' ? [[path, plain] as const] : []
  })

const summaryOf = (side: CassetteSide): SideSummary => ({
  name: side.name,
  engine: engineOf(side),
  lang: side.manifest.site?.lang ?? '',
  wiki: wikiNameOf(side),
  interactions: side.interactions.length,
  modules: side.modules.size,
})

/** Incomplete sides, other languages, other wikis. */
function remarksOn(
  a: CassetteSide,
  b: CassetteSide,
  alignment: Alignment,
  listings: number,
): readonly ComparisonRemark[] {
  const remarks = [a, b].flatMap(remarksOnSide)
  const bothFull = a.interactions.length > 0 && b.interactions.length > 0
  const callers = otherCallersText(alignment)
  if (callers !== undefined)
    remarks.push(remark('other-user', callers, isOfOtherCallers(alignment)))
  else if (bothFull && alignment.pairs.length === 0 && listings === 0)
    remarks.push(
      remark('nothing-in-common', 'the two sides have no request in common', true),
    )
  const resent = alignment.pairs.filter(isSentOtherwise).length
  if (resent > 0) {
    const text = `${plural(resent, 'request')} sent in another spelling or order: what the answers repeat of it is not compared`
    remarks.push(remark('sent-otherwise', text))
  }
  const langA = a.manifest.site?.lang ?? ''
  const langB = b.manifest.site?.lang ?? ''
  if (langA !== '' && langB !== '' && langA !== langB)
    remarks.push(
      remark(
        'other-language',
        `the wikis speak different languages: ${langA} and ${langB}`,
      ),
    )
  const otherWiki = otherWikiText(a, b, alignment)
  return otherWiki === undefined ? remarks : [...remarks, remark('other-wiki', otherWiki)]
}

/** True if most requests were asked by another caller: nothing of the two sides is compared. */
const isOfOtherCallers = ({ pairs, otherCallers }: Alignment): boolean =>
  otherCallers.length > pairs.length

function otherCallersText({ otherCallers }: Alignment): string | undefined {
  const [first] = otherCallers
  if (!first) return undefined
  const by = ({ request }: Interaction): string => {
    const caller = request.get('as user')
    return caller === undefined ? 'anonymously' : `as ${caller.replace(/^user:/, '')}`
  }
  return (
    `${plural(otherCallers.length, 'request')} asked ${by(first.a)} in A and ${by(first.b)} in B: not compared; ` +
    'record both sides with the same --login, or both without'
  )
}

const remarkOnOutgrown = ({ acceptance, now }: OutgrownAcceptance): ComparisonRemark => {
  const { fingerprint, about, seen = [about] } = acceptance
  const [one, ...more] = now
  const accepted = seen.length > maxShown ? about : seen.join('; ')
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  const text = `the change went further than acceptance ${fingerprint}: accepted: ${accepted}; now: ${one}${others}`
  return remark('acceptance-outgrown', text)
}
const maxShown = 3

const remark = (
  kind: ComparisonRemark['kind'],
  text: string,
  fatal = false,
): ComparisonRemark => ({
  kind,
  text,
  fatal,
})

function remarksOnSide(side: CassetteSide): ComparisonRemark[] {
  const { name, faults = [], skipped = [], interactions, modules } = side
  const remarks = [
    ...faults.map((text) => remark('partial', `${name}: ${text}`, true)),
    ...skipped.map((text) => remark('not-asked', `${name}: ${text}`)),
  ]
  if (interactions.length === 0)
    remarks.push(remark('empty', `${name} has no interaction`, true))
  else if (modules.size === 0)
    remarks.push(
      remark(
        'no-descriptions',
        `${name} has no module descriptions: the contract was not compared`,
      ),
    )
  return remarks
}

/** Fewer pages prove nothing about a wiki. */
const minPages = 10
/** Pairs of answers whose pages are read. */
const maxPairs = 300

/** Two wikis with other pages are seldom what was meant, and a wiki that lost most of its pages is worth a line. */
function otherWikiText(
  a: CassetteSide,
  b: CassetteSide,
  { pairs }: Alignment,
): string | undefined {
  const seen = pairs.slice(0, maxPairs)
  const inA = pageIdsIn(seen.map((one) => one.a))
  const inB = pageIdsIn(seen.map((one) => one.b))
  const fewer = Math.min(inA.size, inB.size)
  const common = [...inA.keys()].filter((title) => inB.has(title)).length
  if (fewer < minPages || common * 5 >= fewer) return undefined
  const hostOf = ({ manifest }: CassetteSide): string =>
    manifest.upstream.replace(/^https?:\/\/([^/]*).*$/, '$1')
  return `answers to the same requests have only ${common} of ${fewer} pages in common: is it the same wiki (${hostOf(a)}, ${hostOf(b)})?`
}
