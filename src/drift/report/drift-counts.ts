/** The numbers of a report, for all formats: causes, in the group of their worst finding. Findings are not counted. */

import { groupBy } from '../../recorder/text/group-by.ts'
import { plural } from '../../recorder/text/words.ts'
import { kinds } from '../changes/kinds.ts'
import { acceptedCausesOf, type Cause, requestsOf } from '../findings/cause.ts'
import { type DriftReport, failingFindings, isPartial } from '../findings/drift-report.ts'
import type { FailOn } from '../findings/fail-on.ts'
import type { Finding } from '../findings/finding.ts'
import {
  groupOf,
  inRequestsText,
  isSerious,
  type SeverityGroup,
  severityGroups,
  totalOf
} from './labels.ts'

interface DriftCounts {
  /** Causes that were not accepted; worst group first, empty groups left out. */
  readonly open: ReadonlyMap<SeverityGroup, number>
  readonly accepted: number
}

export const driftCounts = (report: DriftReport): DriftCounts => ({
  open: new Map([...causesByGroup(report)].map(([group, { length }]) => [group, length])),
  accepted: acceptedCausesOf(report.findings).length
})

export const causeGroup = ({
  findings: [worst]
}: Pick<Cause, 'findings'>): SeverityGroup => groupOf(worst)
export const isSeriousCause = (cause: Cause): boolean => isSerious(causeGroup(cause))

export function causesByGroup({
  causes
}: DriftReport): ReadonlyMap<SeverityGroup, readonly Cause[]> {
  const groups = groupBy(causes, causeGroup)
  return new Map(
    severityGroups.flatMap((group) => {
      const found = groups.get(group)
      return found ? [[group, found]] : []
    })
  )
}

/** Undefined if nothing drifted. */
export const worstGroup = (report: DriftReport): SeverityGroup | undefined =>
  [...causesByGroup(report).keys()][0]

export function failingCauses(report: DriftReport, failOn: FailOn): readonly Cause[] {
  const failed = new Set(failingFindings(report, failOn))
  return report.causes.filter(({ findings }) => findings.some((one) => failed.has(one)))
}

/** `failed by 2 causes in 6 requests (--fail-on breaking)`; empty if nothing fails. */
export function failureText(report: DriftReport, failOn: FailOn): string {
  const causes = failingCauses(report, failOn)
  if (causes.length === 0) return ''
  const hits = inRequestsText({ requests: requestsOf(causes) })
  return `failed by ${plural(causes.length, 'cause')} ${hits} (--fail-on ${failOn})`
}

/** Whether a client of A can use B, as far as the recorded requests show it. */
export function answerText(report: DriftReport): string {
  const serious = report.causes.filter(isSeriousCause)
  const [first] = serious
  if (!first) {
    const isProven = !isPartial(report) && report.compared + report.listings > 0
    return isProven ? 'A client of A can use B: nothing that it relies on differs.' : ''
  }
  const isBroken = causeGroup(first) === 'breaking'
  const causes = serious.filter((one) => causeGroup(one) === 'breaking' || !isBroken)
  const hits = inRequestsText({ requests: requestsOf(causes) })
  return isBroken
    ? `A client of A cannot use B as it is: ${plural(causes.length, 'change')} ${hits} must be met first.`
    : `A client of A can probably use B: look at ${plural(causes.length, 'change')} ${hits} first.`
}

/** `3 breaking, 1 risky`. */
const causeCountsText = ({ open }: Pick<DriftCounts, 'open'>) =>
  [...open].map(([group, count]) => `${count} ${groupWord(group)}`).join(', ')

export const groupWord = (group: SeverityGroup): string =>
  group === 'data' ? 'content' : group

export const harmlessText = ({ open }: DriftCounts): string =>
  causeCountsText({ open: new Map([...open].filter(([group]) => !isSerious(group))) })

/** The name of drift whose worst cause is in this group. */
export function driftWord(worst: SeverityGroup): string {
  if (worst === 'data') return 'content changed'
  return isSerious(worst) ? `${worst} drift` : 'harmless drift'
}

export const partialText = (isIncomplete: boolean): string =>
  isIncomplete ? 'incomplete comparison: ' : ''

/** The first line of every report. */
export function verdict(report: DriftReport): string {
  const counts = driftCounts(report)
  const partial = partialText(isPartial(report))
  const suffix = counts.accepted === 0 ? '' : ` (${counts.accepted} accepted)`
  const [worst] = counts.open.keys()
  const isNone = partial !== '' && report.compared + report.listings === 0
  const none = isNone ? 'nothing was compared' : 'no drift'
  const drift = worst ? `${driftWord(worst)}: ${causeCountsText(counts)}` : none
  return `${partial}${drift}${suffix}`
}

/** A single finding, or several that differ only in where they are, for one line: `parameter added ×8: delete deletetalk, …`. */
export interface FindingGroup extends Pick<Finding, 'title' | 'count'> {
  readonly first: Finding
  /** Where each of several findings is; undefined for a single one. */
  readonly places: readonly string[] | undefined
}

/** Harmless changes of the contract, and requests recorded on one side only: often many of a kind. */
function isGroupable(finding: Finding) {
  if (finding.kind === 'interaction.missing' || finding.kind === 'interaction.new')
    return true
  const group = groupOf(finding)
  return finding.axis === 'contract' && (group === 'note' || group === 'additive')
}

/** Each group where its first finding was. */
export const groupFindings = (findings: readonly Finding[]): readonly FindingGroup[] =>
  [...groupBy(findings, (one) => (isGroupable(one) ? one.kind : one)).values()].map(
    (similar) => {
      const [first, ...more] = similar
      const { kind, title, count } = first
      if (more.length === 0) return { first, title, count, places: undefined }
      const places = similar.map(({ scope, place }) =>
        `${scope} ${place.replace(/\[\*\]$/, '')}`.trim()
      )
      return { first, title: kinds[kind].words, count: totalOf(similar), places }
    }
  )
