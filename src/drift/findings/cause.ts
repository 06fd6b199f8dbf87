/** Causes: findings that come from one change of the wiki, reported as one. */
import { digest } from '../../request/request-key.ts'
import { groupBy } from '../../text/group-by.ts'
import type { RequestRef } from '../changes/change.ts'
import type { KnownChange } from '../releases/known-changes.ts'
import { byFindingWeight, type Finding, type Fingerprint } from './finding.ts'

export interface Cause {
  /** Of the only finding, or of all; either is accepted. */
  readonly fingerprint: Fingerprint
  /** The release's change, or the title that its findings share. */
  readonly title: string
  readonly known: KnownChange | undefined
  /** Worst first; never empty. */
  readonly findings: readonly [Finding, ...Finding[]]
  /** Requests that any of them hits, at most once each. */
  readonly requests: readonly RequestRef[]
}

/** Worst first; those of equal weight that hit requests before those that hit none. */
export function causesOf(findings: readonly Finding[]): readonly Cause[] {
  return [...groupBy(findings, causeId).values()].map((group) => {
    group.sort(byFindingWeight)
    return causeOf(group)
  })
}

/** The fingerprint of a finding's cause where that has several; it stays when single findings are fixed. */
export const causeFingerprint = (finding: Finding): Fingerprint =>
  digest(`cause ${causeId(finding)}`, 12) as Fingerprint

function causeOf(findings: Cause['findings']): Cause {
  const [first, ...more] = findings
  const requests = new Map(findings.flatMap((one) => one.requests.map((each) => [each.key, each] as const)))
  return {
    fingerprint: more.length === 0 ? first.fingerprint : causeFingerprint(first),
    title: first.known?.what ?? (isConfiguration(first) ? "the wiki's configuration" : first.title),
    known: first.known,
    findings,
    requests: [...requests.values()],
  }
}

/**
 * What findings of one cause have in common: the release's change; a parameter of a module, whatever changed of it; one
 * change of the same words at several places. Data, and changes that no request uses, are causes of their own.
 */
function causeId(finding: Finding): string {
  const { axis, severity, known, kind, title, place, fingerprint } = finding
  // One place may be behaviour in one answer, and in another the edit of its page.
  if (axis === 'data') return `data ${fingerprint}`
  if (known !== undefined) return `known ${known.since} ${known.what}`
  if (isConfiguration(finding)) return 'configuration'
  const name = parameterOf(finding)
  if (name !== undefined)
    return `parameter ${name} ${axis === 'contract' && severity === 'note' ? 'unused' : ''}`
  if (kindsAcrossModules.test(kind)) return [severity, kind, title, lastStep(place)].join('\n')
  return fingerprint
}

const isConfiguration = ({ kind }: Finding): boolean => /^(?:configuration|extension)\./.test(kind)

/** Kinds that one decision of the wiki shows in many modules. */
const kindsAcrossModules =
  /^(?:field\.(?:renamed|moved|added|removed|became-\w+)|value\.format|type\.changed|html\.structure|continuation\.value-shape|header\.\w+|cookie\.changed|enum\.value-\w+)$/

const lastStep = (place: string): string => /[^.[\]]*(?:\[[^\]]*\])?$/.exec(place)?.[0] ?? ''

/** The parameter with its prefix that a finding of the contract, or a warning about it, speaks of. */
function parameterOf({ axis, kind, place, samples }: Finding): string | undefined {
  if (axis === 'contract' && kind.startsWith('param.')) return place.replace(/\[\*\]$/, '')
  if (kind !== 'warning.appeared' && kind !== 'deprecation.appeared') return undefined
  const text = samples[0]?.after
  return text?.kind === 'string'
    ? /parameters?:? ["']?([a-z][\w-]*)["']?\.?$/i.exec(text.value)?.[1]
    : undefined
}
