/** Acceptances (`drift.accept.json`): findings that a person agreed to, with a reason and perhaps a last day. */
import { isPlainObject } from '../../json/plain-json.ts'
import { type Cause, causeFingerprint } from './cause.ts'
import type { Acceptance, Finding, Fingerprint } from './finding.ts'

/** Findings with their acceptances, and entries of the file that did nothing. */
export interface AcceptanceResult {
  readonly findings: readonly Finding[]
  /** Entries that match no finding: fixed since, or mistyped. */
  readonly unknown: readonly Acceptance[]
  /** Entries that match, past their last day: the finding counts again. */
  readonly expired: readonly Acceptance[]
}

/** @param today `2026-11-21` */
export function applyAcceptances(
  findings: readonly Finding[],
  acceptances: readonly Acceptance[],
  today: string,
): AcceptanceResult {
  const byFingerprint = new Map(acceptances.map((one) => [one.fingerprint, one]))
  const isExpired = ({ expires }: Acceptance): boolean => expires !== undefined && expires < today
  const seen = new Set(findings.flatMap((one) => [one.fingerprint, causeFingerprint(one)]))
  return {
    findings: findings.map((finding) => {
      const found = byFingerprint.get(finding.fingerprint) ?? byFingerprint.get(causeFingerprint(finding))
      return found === undefined || isExpired(found) ? finding : { ...finding, accepted: found }
    }),
    unknown: acceptances.filter((one) => !seen.has(one.fingerprint)),
    expired: acceptances.filter((one) => seen.has(one.fingerprint) && isExpired(one)),
  }
}

/** An entry for a finding, as `wikitape accept` writes it. */
export const acceptanceFor = (finding: Finding, reason: string, expires?: string): Acceptance => ({
  fingerprint: finding.fingerprint,
  reason,
  expires,
  about: `${finding.kind} ${finding.scope} ${finding.place}`.trim(),
})

/** One entry for all findings of a cause. */
export function acceptanceForCause(
  { fingerprint, findings, title }: Pick<Cause, 'fingerprint' | 'findings' | 'title'>,
  reason: string,
  expires?: string,
): Acceptance {
  const first = acceptanceFor(findings[0], reason, expires)
  if (findings.length === 1) return first
  return { ...first, fingerprint, about: `${title} (${findings.length} findings)` }
}

export type AcceptancesReading =
  | { readonly ok: true; readonly acceptances: readonly Acceptance[] }
  | { readonly ok: false; readonly message: string }

/** Reads a parsed `drift.accept.json`: `{"accepted": [{fingerprint, reason, expires?, about?}]}`. */
export function decodeAcceptances(value: unknown): AcceptancesReading {
  const list = isPlainObject(value) ? value['accepted'] : undefined
  if (!Array.isArray(list)) return { ok: false, message: 'expected an object with an array under "accepted"' }
  const acceptances: Acceptance[] = []
  for (const [at, one] of list.entries()) {
    const decoded = decodeAcceptance(one)
    if (typeof decoded === 'string')
      return { ok: false, message: `entry ${at + 1} of "accepted": ${decoded}` }
    acceptances.push(decoded)
  }
  return { ok: true, acceptances }
}

function decodeAcceptance(value: unknown): Acceptance | string {
  if (!isPlainObject(value)) return 'expected an object'
  const { fingerprint, reason, expires, about } = value
  if (typeof fingerprint !== 'string' || !isFingerprint(fingerprint))
    return 'expected 12 hex digits under "fingerprint"'
  if (typeof reason !== 'string' || reason.trim() === '') return 'expected some words under "reason"'
  if (expires !== undefined && !(typeof expires === 'string' && /^\d{4}-\d\d-\d\d$/.test(expires)))
    return 'expected a day such as 2027-01-31 under "expires"'
  return { fingerprint, reason, expires, about: typeof about === 'string' ? about : '' }
}

/** True for twelve hex digits. */
export const isFingerprint = (text: string): text is Fingerprint => /^[0-9a-f]{12}$/.test(text)

/** The text of the file: sorted, one entry for each fingerprint, final newline. */
export function encodeAcceptances(acceptances: readonly Acceptance[]): string {
  const accepted = [...new Map(acceptances.map((one) => [one.fingerprint, one])).values()]
    .sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1))
    .map(({ about, expires, fingerprint, reason }) => ({ about, expires, fingerprint, reason }))
  return `${JSON.stringify({ accepted }, undefined, 2)}\n`
}
