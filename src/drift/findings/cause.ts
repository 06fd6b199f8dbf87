/**
 * Causes: findings of one reason, i.e. of one change of the wiki, reported as one. A reason is a release's change, a name
 * that ended, or the same words changed (`reasons.ts`).
 */
import {
  type CallCount,
  callsOf,
  type Traffic
} from '../../recorder/cassette/format/traffic-file.ts'
import { groupBy } from '../../recorder/text/group-by.ts'
import type { RequestRef } from '../changes/change.ts'
import { bySeverity, hasTrait, kinds } from '../changes/kinds.ts'
import type { KnownChange } from '../releases/known-changes.ts'
import { type Fingerprint, fingerprintOf } from './extent.ts'
import { changeText, type Finding, titleOfValues } from './finding.ts'
import { configurationReason, fieldIn } from './reason-by-kind.ts'

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
  traffic?: Traffic
): readonly Cause[] {
  const causes = causesAmong(findings.filter(({ accepted }) => !accepted))
  if (!traffic) return causes
  const severityOf = ({ findings: [worst] }: Cause) => worst.severity
  return causes
    .map((one) => ({
      ...one,
      traffic: callsOf(one.requests, traffic)
    }))
    .sort(
      (a, b) =>
        bySeverity(severityOf(a), severityOf(b)) || b.traffic.calls - a.traffic.calls
    )
}

/** Causes of the accepted findings, in the same order. */
export const acceptedCausesOf = (findings: readonly Finding[]): readonly Cause[] =>
  causesAmong(findings.filter(({ accepted }) => accepted))

const causesAmong = (findings: readonly Finding[]) =>
  [...groupBy(findings, ({ reason }) => reason)].map(([reason, group]) =>
    causeOf(group, reason)
  )

/** The fingerprint of findings of one reason; it stays if the same changes show in more or fewer answers. */
export const causeFingerprint = (
  findings: readonly Finding[],
  reason: string
): Fingerprint =>
  fingerprintOf([...new Set(findings.map(changeText))].sort(), ['cause', reason])

function causeOf(findings: Cause['findings'], reason: string) {
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
    requests: requestsOf(findings)
  }
}

/** The requests of all of them, each once. */
export function requestsOf(
  all: readonly Pick<Cause, 'requests'>[]
): readonly RequestRef[] {
  const requests = all.flatMap((one) => one.requests)
  return [...new Map(requests.map((one) => [one.key, one])).values()]
}

/** The fields of its worst findings, and what happened to them. */
function titleOf([first, ...more]: Cause['findings']) {
  const alike = [first, ...more.filter(({ kind }) => kind === first.kind)]
  const fields = [...new Set(alike.map(({ place }) => fieldIn(place)))]
  const text = happeningOf(first, alike)
  // A name is needed if the words are those of many fields; the first few say which.
  if (hasTrait(first.kind, 'whole') || fields.includes('') || fields.includes('*'))
    return text
  const rest = fields.length > 3 ? ` and ${fields.length - 3} more` : ''
  return `${fields.slice(0, 3).join(', ')}${rest}: ${text}`
}

function happeningOf(first: Finding, alike: readonly Finding[]) {
  if (alike.every(({ title }) => title === first.title)) return first.title
  const values = new Set(alike.flatMap((one) => one.values))
  return values.size === 0 ? kinds[first.kind].words : titleOfValues(first.kind, values)
}
