/**
 * Causes: findings of one reason, i.e. of one change of the wiki, reported as one. A reason is a release's change, a name
 * that ended, or the same words changed.
 */
import {
  type CallCount,
  callsOf,
  type Traffic,
} from '../../recorder/cassette/format/traffic-file.ts'
import { groupBy } from '../../recorder/text/group-by.ts'
import type { RequestRef } from '../changes/change.ts'
import { bySeverity, familyOf, hasTrait, type Kind, kinds } from '../changes/kinds.ts'
import type { KnownChange } from '../releases/known-changes.ts'
import { type Fingerprint, fingerprintOf } from './extent.ts'
import { changeText, type Finding, titleOfValues } from './finding.ts'
import {
  configurationReason,
  endedName,
  fieldIn,
  ignoredReason,
  isOfRows,
  isWording,
  nameOf,
  paramReasonsOf,
  reasonByKind,
} from './reason-by-kind.ts'

export interface Cause {
  /** The fingerprint of the only finding, or one of all findings; either is accepted. */
  readonly fingerprint: Fingerprint
  /** The release's change, or the title that its findings share. */
  readonly title: string
  readonly knownChange: KnownChange | undefined
  /** Worst first; never empty. */
  readonly findings: readonly [Finding, ...Finding[]]
  /** Requests that any of them hits, at most once each. */
  readonly requests: readonly RequestRef[]
  /** How often clients make these requests, if access logs were counted. */
  readonly traffic?: CallCount
}

/**
 * Of the findings that were not accepted. Worst first; those of equal weight that hit requests before those that hit none. With
 * traffic the severity decides, then the number of calls.
 */
export function causesOf(
  findings: readonly Finding[],
  traffic?: Traffic,
): readonly Cause[] {
  const causes = causesAmong(findings.filter(({ accepted }) => !accepted))
  if (!traffic) return causes
  const severityOf = ({ findings: [worst] }: Cause) => worst.severity
  return causes
    .map((one) => ({
      ...one,
      traffic: callsOf(one.requests, traffic),
    }))
    .sort(
      (a, b) =>
        bySeverity(severityOf(a), severityOf(b)) || b.traffic.calls - a.traffic.calls,
    )
}

/** Causes of the accepted findings, in the same order. */
export const acceptedCausesOf = (findings: readonly Finding[]): readonly Cause[] =>
  causesAmong(findings.filter(({ accepted }) => accepted))

const causesAmong = (findings: readonly Finding[]) =>
  [...groupBy(findings, ({ reason }) => reason)].map(([reason, group]) =>
    causeOf(group, reason),
  )

/** The fingerprint of findings of one reason; it stays if the same changes show in more or fewer answers. */
export const causeFingerprint = (
  findings: readonly Finding[],
  reason: string,
): Fingerprint =>
  fingerprintOf([...new Set(findings.map(changeText))].sort(), ['cause', reason])

function causeOf(findings: Cause['findings'], reason: string): Cause {
  const [first, ...more] = findings
  const knownChange = reason.startsWith('known ') ? first.knownChange : undefined
  return {
    fingerprint:
      more.length === 0 ? first.fingerprint : causeFingerprint(findings, reason),
    title:
      knownChange?.what ??
      (reason === configurationReason ? "the wiki's configuration" : titleOf(findings)),
    knownChange,
    findings,
    requests: requestsOf(findings),
  }
}

/** The requests of all of them, each once. */
export function requestsOf(
  all: readonly Pick<Cause, 'requests'>[],
): readonly RequestRef[] {
  const requests = all.flatMap((one) => one.requests)
  return [...new Map(requests.map((one) => [one.key, one])).values()]
}

/** The fields of its worst findings, and what happened to them. */
function titleOf([first, ...more]: Cause['findings']): string {
  const alike = [first, ...more.filter(({ kind }) => kind === first.kind)]
  const fields = [...new Set(alike.map(({ place }) => fieldIn(place)))]
  const text = happeningOf(first, alike)
  // A name is needed if the words are those of many fields; the first few say which.
  if (hasTrait(first.kind, 'whole') || fields.includes('') || fields.includes('*'))
    return text
  const rest = fields.length > 3 ? ` and ${fields.length - 3} more` : ''
  return `${fields.slice(0, 3).join(', ')}${rest}: ${text}`
}

function happeningOf(first: Finding, alike: readonly Finding[]): string {
  if (alike.every(({ title }) => title === first.title)) return first.title
  const values = new Set(alike.flatMap((one) => one.values))
  return values.size === 0 ? kinds[first.kind].words : titleOfValues(first.kind, values)
}

export function withReasons(findings: readonly Finding[]): readonly Finding[] {
  const reasonOf = ownReasons(findings)
  const own = new Map(findings.map((one) => [one, reasonOf(one)]))
  const unreleased = new Set(
    findings.flatMap((one) => (one.knownChange ? [] : (own.get(one) ?? []))),
  )
  return findings.map((one) => {
    const { axis, knownChange } = one
    const reason = own.get(one) ?? ''
    // A release does not explain what shows likewise in what it did not change; words of a set come and go one by one.
    const isShared = unreleased.has(reason) && !reason.startsWith('closed set')
    const isKnown = knownChange && axis !== 'data' && !isShared
    return {
      ...one,
      reason: isKnown ? `known ${knownChange.since} ${knownChange.what}` : reason,
    }
  })
}

/** Fewer lists may each have a reason of their own. */
const minReordered = 4

/** The reason of each finding among the others, releases aside. */
function ownReasons(findings: readonly Finding[]): (one: Finding) => string {
  const paramReasons = paramReasonsOf(
    findings.filter(
      ({ axis, kind }) => axis === 'contract' && familyOf(kind) === 'param',
    ),
  )
  // Modules and values that B no longer understands.
  const endedNames = new Set(findings.flatMap((one) => endedName(one) ?? []))
  // Warnings that something was not understood, by the requests that have them.
  const ignored = findings.flatMap((one) => {
    const reason =
      one.kind === 'warning.appeared'
        ? ignoredReason(one, paramReasons)
        : one.kind === 'enum.value-changed'
          ? reasonByKind(one)
          : undefined
    return reason === undefined
      ? []
      : [
          {
            reason,
            keys: new Set(one.requests.map(({ key }) => key)),
          },
        ]
  })
  // What settings of the wiki became, e.g. `ru → en`: the same elsewhere comes from them.
  const ofKind = (kind: Kind) => findings.filter((one) => one.kind === kind)
  const configured = ofKind('configuration.changed')
  const settings = new Set(configured.filter(isWording).map(({ extent }) => extent))
  // Objects that fields moved into or out of: gone or new themselves, they are no change of their own.
  const moves = new Set(ofKind('field.moved').map(reasonByKind))
  const isOtherLanguage = configured.some(({ place }) => place === 'query.general.lang')
  const isReal = ({ axis, severity }: Finding) =>
    axis !== 'data' && severity !== 'cosmetic'
  const reordered = ofKind('order.changed').filter(isReal)
  const isReordered = new Set(reordered.map(({ place }) => place)).size >= minReordered
  // The change of a limit that recorded requests rely on: rows are missing, and batches end elsewhere.
  const limit = [...paramReasons].find(
    ([{ kind, place, requests }]) =>
      hasTrait(kind, 'limit') && place.endsWith('limit') && requests.length > 0,
  )
  // What is not understood is not answered, and what fails has no result.
  const explained = ({ kind, requests }: Finding) => {
    if (!hasTrait(kind, 'answer') || requests.length === 0) return undefined
    return ignored.find(({ keys }) => requests.every(({ key }) => keys.has(key)))?.reason
  }
  // Fields and lists that are gone, and are called as the parameter that asks for them.
  const ignoredParams = findings.flatMap(({ place, requests, kind }) => {
    const field = fieldIn(place)
    const isGone = kind === 'field.removed' || kind === 'items.fewer'
    return isGone && requests.every(({ request }) => request.has(field)) ? [field] : []
  })
  return (one) => {
    const { axis, kind, fingerprint, requests } = one
    // One place may be behaviour in one answer, and in another the edit of its page.
    if (axis === 'data') return `data ${fingerprint}`
    const name = nameOf(one)
    if (endedNames.has(name)) return `name ${name}`
    if (hasTrait(kind, 'configurable') && settings.has(one.extent))
      return configurationReason
    // Titles begin otherwise.
    if ((isOfRows(kind) || fieldIn(one.place) === 'title') && isOtherLanguage)
      return configurationReason
    const parameter = paramReasons.get(one) ?? ignoredReason(one, paramReasons)
    if (parameter !== undefined) return parameter
    const unanswered = ignoredParams.find((param) =>
      requests.every(({ request }) => request.has(param)),
    )
    if (unanswered !== undefined && requests.length > 0) return `parameter ${unanswered}`
    const why = explained(one)
    if (why !== undefined) return why
    if (isOfRows(kind) && limit) return limit[1]
    if (kind === 'order.changed' && isReordered) return 'order'
    const moved = `moved ${fieldIn(one.place)}`
    if (familyOf(kind) === 'field' && moves.has(moved)) return moved
    return reasonByKind(one) ?? fingerprint
  }
}
