/** Causes: findings that come from one change of the wiki, reported as one. */
import { type CallCount, callsOf, type Traffic } from '../../cassette/format/traffic-file.ts'
import { groupBy } from '../../text/group-by.ts'
import type { RequestRef } from '../changes/change.ts'
import { bySeverity, kinds } from '../changes/kinds.ts'
import type { KnownChange } from '../releases/known-changes.ts'
import { type Fingerprint, fingerprintOf } from './extent.ts'
import { byFindingWeight, changeText, type Finding, titleOfValues } from './finding.ts'
import { configurationReason, fieldIn } from './reason-by-kind.ts'

export interface Cause {
  /** Of the only finding, or of all; either is accepted. */
  readonly fingerprint: Fingerprint
  /** The release's change, or the title that its findings share. */
  readonly title: string
  readonly knownChange: KnownChange | undefined
  /** Worst first; never empty. */
  readonly findings: readonly [Finding, ...Finding[]]
  /** Requests that any of them hits, at most once each. */
  readonly requests: readonly RequestRef[]
  /** How often clients make these requests, where access logs were counted. */
  readonly traffic?: CallCount
}

/**
 * Of the findings that were not accepted. Worst first; those of equal weight that hit requests before those that hit none. With
 * traffic the severity decides, then the number of calls.
 */
export function causesOf(findings: readonly Finding[], traffic?: Traffic): readonly Cause[] {
  const causes = causesAmong(findings.filter(({ accepted }) => accepted === undefined))
  if (traffic === undefined) return causes
  const severityOf = ({ findings: [worst] }: Cause): Finding['severity'] => worst.severity
  return causes
    .map((one) => ({ ...one, traffic: callsOf(one.requests, traffic) }))
    .sort((a, b) => bySeverity(severityOf(a), severityOf(b)) || b.traffic.calls - a.traffic.calls)
}

/** Of the accepted findings, in the same order. */
export const acceptedCausesOf = (findings: readonly Finding[]): readonly Cause[] =>
  causesAmong(findings.filter(({ accepted }) => accepted !== undefined))

const causesAmong = (findings: readonly Finding[]): readonly Cause[] =>
  [...groupBy(findings, ({ reason }) => reason)].map(([reason, group]) => {
    group.sort(byFindingWeight)
    return causeOf(group, reason)
  })

/** The fingerprint of findings of one reason; it stays where the same changes show in more or fewer answers. */
export const causeFingerprint = (findings: readonly Finding[], reason: string): Fingerprint =>
  fingerprintOf([...new Set(findings.map(changeText))].sort(), ['cause', reason])

function causeOf(findings: Cause['findings'], reason: string): Cause {
  const [first, ...more] = findings
  const requests = new Map(findings.flatMap((one) => one.requests.map((each) => [each.key, each] as const)))
  const knownChange = reason.startsWith('known ') ? first.knownChange : undefined
  return {
    fingerprint: more.length === 0 ? first.fingerprint : causeFingerprint(findings, reason),
    title:
      knownChange?.what ?? (reason === configurationReason ? "the wiki's configuration" : titleOf(findings)),
    knownChange,
    findings,
    requests: [...requests.values()],
  }
}

/** The fields of its worst findings, and what happened to them. */
function titleOf([first, ...more]: Cause['findings']): string {
  const alike = [first, ...more.filter(({ kind }) => kind === first.kind)]
  const fields = [...new Set(alike.map(({ place }) => fieldIn(place)))]
  const text = textOf(first, alike)
  // A name is needed where the words are those of many fields; the first few say which.
  if (isOfNoField.test(first.kind) || fields.includes('') || fields.includes('*')) return text
  const rest = fields.length > 3 ? ` and ${fields.length - 3} more` : ''
  return `${fields.slice(0, 3).join(', ')}${rest}: ${text}`
}

function textOf(first: Finding, alike: readonly Finding[]): string {
  if (alike.every(({ title }) => title === first.title)) return first.title
  const values = new Set(alike.flatMap((one) => one.values))
  return values.size === 0 ? kinds[first.kind].words : titleOfValues(first.kind, values)
}

/** Kinds that are about an answer or a wiki as a whole, or whose words name what they are about. */
const isOfNoField =
  /^(?:status|content-type|error|auth|method|warning|deprecation|encoding|interaction|body|engine|module)\./
