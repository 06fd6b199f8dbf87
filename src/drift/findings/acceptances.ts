/** Acceptances (`drift.accept.json`): findings that a person agreed to, with a reason and perhaps a last day. */
import {
  mergeByName,
  type ThreeWayMerge
} from '../../recorder/cassette/merge/merge-manifest.ts'
import { isPlainObject, type PlainObject } from '../../recorder/json/plain-json.ts'
import { groupBy } from '../../recorder/text/group-by.ts'
import { type Cause, causeFingerprint } from './cause.ts'
import type { DriftReport } from './drift-report.ts'
import { type Fingerprint, isFingerprint, isSamePlace } from './extent.ts'
import { type Acceptance, changeText, type Finding } from './finding.ts'

/** Findings with their acceptances, and entries of the file that did nothing. */
type AcceptanceResult = Pick<
  DriftReport,
  'findings' | 'unknownAcceptances' | 'expiredAcceptances'
> & {
  readonly outgrown: readonly OutgrownAcceptance[]
}

/** An entry whose finding or cause changed further than was accepted. */
export interface OutgrownAcceptance {
  readonly acceptance: Acceptance
  /** What changed now and was not accepted, in words. */
  readonly now: readonly string[]
}

/** @param today `2026-11-21` */
export function applyAcceptances(
  findings: readonly Finding[],
  acceptances: readonly Acceptance[],
  today: string
): AcceptanceResult {
  const isExpired = ({ expires }: Acceptance) => expires !== undefined && expires < today
  const reasons = [...groupBy(findings, ({ reason }) => reason)]
  const causes = new Map(
    reasons.map(([reason, group]) => [reason, causeFingerprint(group, reason)])
  )
  const causeOf = ({ reason, fingerprint }: Finding) => causes.get(reason) ?? fingerprint
  const matches = new Map<Finding, Acceptance>()
  for (const one of findings) {
    const entry = acceptances.find((each) => accepts(each, one, causeOf(one)))
    if (entry) matches.set(one, entry)
  }
  const open = findings.filter((one) => !matches.has(one))
  const used = new Set(matches.values())
  const outgrown = acceptances.flatMap((acceptance) => {
    const { fingerprint } = acceptance
    const isFurther = (one: Finding) =>
      isSamePlace(fingerprint, causeOf(one)) ||
      (!used.has(acceptance) && isSamePlace(fingerprint, one.fingerprint))
    const now = open.filter(isFurther).map(aboutFinding)
    return now.length === 0 ? [] : [{ acceptance, now }]
  })
  const known = new Set([...used, ...outgrown.map(({ acceptance }) => acceptance)])
  return {
    findings: findings.map((one) => {
      const accepted = matches.get(one)
      return !accepted || isExpired(accepted) ? one : { ...one, accepted }
    }),
    unknownAcceptances: acceptances.filter((one) => !known.has(one)),
    expiredAcceptances: acceptances.filter((one) => used.has(one) && isExpired(one)),
    outgrown
  }
}

/** An entry accepts a finding, a cause as it is now, or of a cause what it was when it was accepted. */
const accepts = (
  { fingerprint, seen }: Acceptance,
  finding: Finding,
  cause: Fingerprint
) =>
  fingerprint === finding.fingerprint ||
  fingerprint === cause ||
  (seen?.includes(changeText(finding)) === true && isSamePlace(fingerprint, cause))

/** `type.changed list=users query.users[*].id: number → string`. */
const aboutFinding = ({ kind, scope, place, extent }: Finding) =>
  `${`${kind} ${scope} ${place}`.trim()}${extent === '' ? '' : `: ${extent}`}`

/** An entry for a finding, as `wikitape accept` writes it. */
export const acceptanceFor = (
  finding: Finding,
  reason: string,
  expires?: string
): Acceptance => ({
  fingerprint: finding.fingerprint,
  reason,
  expires,
  about: aboutFinding(finding)
})

/** One entry for all findings of a cause. */
export function acceptanceForCause(
  { fingerprint, findings, title }: Pick<Cause, 'fingerprint' | 'findings' | 'title'>,
  reason: string,
  expires?: string
): Acceptance {
  const first = acceptanceFor(findings[0], reason, expires)
  if (findings.length === 1) return first
  const seen = [...new Set(findings.map(changeText))].sort()
  return { ...first, fingerprint, about: `${title} (${findings.length} findings)`, seen }
}

/** Reads a parsed `drift.accept.json`, `{"accepted": [{fingerprint, reason, …}]}`; a string says what is wrong with it. */
export function decodeAcceptances(value: unknown): readonly Acceptance[] | string {
  const list = isPlainObject(value) ? value['accepted'] : undefined
  if (!Array.isArray(list)) return 'expected an object with an array under "accepted"'
  const acceptances: Acceptance[] = []
  for (const [at, one] of list.entries()) {
    const decoded = decodeAcceptance(one)
    if (typeof decoded === 'string') return `entry ${at + 1} of "accepted": ${decoded}`
    acceptances.push(decoded)
  }
  return acceptances
}

function decodeAcceptance(value: unknown) {
  if (!isPlainObject(value)) return 'expected an object'
  const { fingerprint, reason, expires, about, seen, owner, wiki, ...notes } = value
  if (typeof fingerprint !== 'string' || !isFingerprint(fingerprint))
    return 'expected 12 hex digits under "fingerprint"'
  if (typeof reason !== 'string' || reason.trim() === '')
    return 'expected some words under "reason"'
  if (
    expires !== undefined &&
    !(typeof expires === 'string' && /^\d{4}-\d\d-\d\d$/.test(expires))
  )
    return 'expected a day such as 2027-01-31 under "expires"'
  if (seen !== undefined && !isTexts(seen)) return 'expected texts under "seen"'
  for (const [name, one] of Object.entries({ about, owner, wiki }))
    if (one !== undefined && typeof one !== 'string')
      return `expected a text under "${name}"`
  const entry = {
    fingerprint,
    reason,
    expires,
    ...(typeof owner === 'string' ? { owner } : {}),
    ...(typeof wiki === 'string' ? { wiki } : {}),
    about: typeof about === 'string' ? about : '',
    ...(Object.keys(notes).length === 0 ? {} : { notes })
  }
  return seen ? { ...entry, seen } : entry
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** What people wrote beside "accepted". */
export function otherNotes(value: unknown): PlainObject {
  const { accepted: _, ...notes } = isPlainObject(value) ? value : {}
  return notes
}

/** The text of the file: sorted, one entry for each fingerprint, final newline. @param notes beside the entries */
export function encodeAcceptances(
  acceptances: readonly Acceptance[],
  notes: PlainObject = {}
): string {
  const entries = new Map<Fingerprint, Acceptance>()
  // A new entry keeps the notes of the one that it replaces.
  for (const one of acceptances)
    entries.set(one.fingerprint, {
      notes: entries.get(one.fingerprint)?.notes ?? {},
      ...one
    })
  // Members by name, but for the notes.
  const accepted = [...entries.values()].map(({ notes, ...one }) => ({
    ...Object.fromEntries(Object.entries(one).sort()),
    fingerprint: one.fingerprint,
    ...notes
  }))
  accepted.sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1))
  return `${JSON.stringify({ ...notes, accepted }, undefined, 2)}\n`
}

/** Two versions of the file merged: entries of one fingerprint conflict if their reason or last day differs. */
export function mergeAcceptances(
  base: readonly Acceptance[] | undefined,
  ours: readonly Acceptance[],
  theirs: readonly Acceptance[]
): ThreeWayMerge<Acceptance> {
  const named = (entries: readonly Acceptance[]) =>
    new Map(entries.map((one) => [one.fingerprint, one]))
  const same = (a: Acceptance, b: Acceptance) =>
    encodeAcceptances([a]) === encodeAcceptances([b])
  return mergeByName(base && named(base), named(ours), named(theirs), same)
}
