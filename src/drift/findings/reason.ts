/**
 * Why findings are there, as a text: findings of one reason are one cause. A reason is a change of a release, a name
 * that ended (a parameter, a module), or one change of the same words wherever it shows.
 */
import { textOf } from '../../json/json-tree.ts'
import type { Finding } from './finding.ts'
import { fieldIn, reasonByKind, unusedMark } from './reason-by-kind.ts'

/** The reason of each finding of a comparison. */
export function reasonsOf(findings: readonly Finding[]): ReadonlyMap<Finding, string> {
  const facts = factsOf(findings)
  const own = new Map(findings.map((one) => [one, ownReason(one, facts)]))
  const unreleased = new Set(findings.flatMap((one) => (one.known === undefined ? (own.get(one) ?? []) : [])))
  return new Map(
    findings.map((one) => {
      const [{ axis, known }, reason] = [one, own.get(one) ?? '']
      // A release does not explain what shows likewise where it changed nothing; words of a set come and go one by one.
      const isShared = unreleased.has(reason) && !reason.startsWith('closed set')
      const isKnown = known !== undefined && axis !== 'data' && !isShared
      return [one, isKnown ? `known ${known.since} ${known.what}` : reason]
    }),
  )
}

/** What a finding cannot know by itself. */
interface ReasonFacts {
  /** Modules and values that B no longer understands. */
  readonly endedNames: ReadonlySet<string>
  /** Changes that several parameters have alike. */
  readonly sharedChanges: ReadonlySet<string>
  /** Reasons of warnings that something was not understood, by the requests that have them. */
  readonly ignored: readonly (readonly [reason: string, keys: ReadonlySet<string>])[]
  /** Why batches end elsewhere: the change of a limit that recorded requests rely on. */
  readonly limitReason: string | undefined
}

function factsOf(findings: readonly Finding[]): ReasonFacts {
  const params = findings.filter(isOfParameter)
  const seen = new Map<string, string>()
  const sharedChanges = new Set<string>()
  for (const one of params) {
    const change = paramChange(one)
    if (one.extent !== '' && (seen.get(change) ?? one.place) !== one.place) sharedChanges.add(change)
    seen.set(change, one.place)
  }
  const limit = params.find(
    ({ kind, place, requests }) =>
      /^param\.(?:default|limit)-/.test(kind) && place.endsWith('limit') && requests.length > 0,
  )
  const ignored = findings.flatMap((one) => {
    const reason = one.kind === 'warning.appeared' ? ignoredReason(one) : undefined
    return reason === undefined ? [] : [[reason, new Set(one.requests.map(({ key }) => key))] as const]
  })
  return {
    ignored,
    endedNames: new Set(findings.flatMap((one) => endedName(one) ?? [])),
    sharedChanges,
    limitReason: limit && paramReason(limit, sharedChanges),
  }
}

function ownReason(one: Finding, facts: ReasonFacts): string {
  const { axis, kind, fingerprint, requests } = one
  const { endedNames, sharedChanges, limitReason, ignored } = facts
  // One place may be behaviour in one answer, and in another the edit of its page.
  if (axis === 'data') return `data ${fingerprint}`
  const name = nameOf(one)
  if (endedNames.has(name)) return `name ${name}`
  if (isOfParameter(one)) return paramReason(one, sharedChanges)
  const warned = ignoredReason(one)
  if (warned !== undefined) return warned
  // What is not understood is not answered.
  if (/^field\.(?:removed|became-optional)$/.test(kind) && requests.length > 0) {
    const why = ignored.find(([, keys]) => requests.every(({ key }) => keys.has(key)))
    if (why !== undefined) return why[0]
  }
  if (kind === 'continuation.batch' && limitReason !== undefined) return limitReason
  return reasonByKind(one) ?? fingerprint
}

/** What came, went, or is deprecated. */
const nameOf = ({ kind, place, extent }: Finding): string =>
  kind.startsWith('param.value') ? extent : kind.startsWith('field.') ? fieldIn(place) : ''

const isOfParameter = ({ axis, kind }: Finding): boolean => axis === 'contract' && kind.startsWith('param.')
const paramChange = (one: Finding): string => `${one.kind} ${one.extent} ${unusedMark(one)}`.trim()

function paramReason(one: Finding, sharedChanges: ReadonlySet<string>): string {
  const change = paramChange(one)
  return sharedChanges.has(change)
    ? change
    : `parameter ${one.place.replace(/\[\*\]$/, '')} ${unusedMark(one)}`.trim()
}

/** The module, value or parameter that ended, or that a warning speaks of. */
function ignoredReason(one: Finding): string | undefined {
  const [name, parameter] = [endedName(one), warnedParameter(one)]
  if (name !== undefined) return `name ${name}`
  return parameter === undefined ? undefined : `parameter ${parameter}`
}

/** The parameter that a warning speaks of. */
const warnedParameter = (one: Finding): string | undefined =>
  /parameters?:? ["']?([a-z][\w-]*)["']?\.?$/i.exec(warningText(one))?.[1]

/** The module that ended, or the value that a warning says is not understood, or deprecated. */
const endedName = (one: Finding): string | undefined =>
  one.kind === 'module.removed'
    ? /[^+]*$/.exec(one.scope)?.[0]
    : /^(?:unrecognized values? .*: "?|the value ")([a-z][\w-]*)"?(?:\.?$| .*deprecated)/i.exec(
        warningText(one),
      )?.[1]

const warningText = ({ kind, samples: [sample] }: Finding): string =>
  /^(?:warning|deprecation)\.appeared$/.test(kind) ? (textOf(sample?.after) ?? '') : ''
