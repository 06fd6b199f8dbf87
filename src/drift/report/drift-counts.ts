/** The numbers of a report, for all formats: causes, in the group of their worst finding. Findings are not counted. */

import { groupBy } from '../../recorder/text/group-by.ts'
import { plural } from '../../recorder/text/words.ts'
import { kinds } from '../changes/kinds.ts'
import { acceptedCausesOf, type Cause } from '../findings/cause.ts'
import {
  type DriftReport,
  type FailOn,
  failingFindings,
} from '../findings/drift-report.ts'
import type { Finding } from '../findings/finding.ts'
import {
  groupOf,
  inRequestsText,
  isSerious,
  type SeverityGroup,
  severityGroups,
} from './labels.ts'

export interface DriftCounts {
  /** Causes that were not accepted; worst group first, empty groups left out. */
  readonly open: ReadonlyMap<SeverityGroup, number>
  readonly accepted: number
}

export const driftCounts = (report: DriftReport): DriftCounts => ({
  open: new Map([...causesByGroup(report)].map(([group, { length }]) => [group, length])),
  accepted: acceptedCausesOf(report.findings).length,
})

export const causeGroup = ({
  findings: [worst],
}: Pick<Cause, 'findings'>): SeverityGroup => groupOf(worst)
export const isSeriousCause = (cause: Cause): boolean => isSerious(causeGroup(cause))

export const causesByGroup = ({
  causes,
}: DriftReport): ReadonlyMap<SeverityGroup, readonly Cause[]> =>
  new Map(
    severityGroups.flatMap((group) => {
      const found = causes.filter((one) => causeGroup(one) === group)
      return found.length === 0 ? [] : [[group, found] as const]
    }),
  )

export function failingCauses(report: DriftReport, failOn: FailOn): readonly Cause[] {
  const failed = new Set(failingFindings(report, failOn))
  return report.causes.filter(({ findings }) => findings.some((one) => failed.has(one)))
}

/** `failed by 2 causes in 6 requests (--fail-on breaking)`; empty if nothing fails. */
export function failureText(report: DriftReport, failOn: FailOn): string {
  const causes = failingCauses(report, failOn)
  if (causes.length === 0) return ''
  const hits = causes.flatMap((one) =>
    one.requests.map((each) => [each.key, each] as const),
  )
  const requests = [...new Map(hits).values()]
  return `failed by ${plural(causes.length, 'cause')} ${inRequestsText({ requests })} (--fail-on ${failOn})`
}

/** `3 breaking, 1 risky`. */
export const causeCountsText = ({ open }: Pick<DriftCounts, 'open'>): string =>
  [...open].map(([group, count]) => `${count} ${group}`).join(', ')

export const harmlessText = ({ open }: DriftCounts): string =>
  causeCountsText({ open: new Map([...open].filter(([group]) => !isSerious(group))) })

/** The name of drift whose worst cause is in this group. */
export const driftWord = (worst: SeverityGroup): string =>
  worst === 'data'
    ? 'content moved'
    : isSerious(worst)
      ? `${worst} drift`
      : 'harmless drift'

/** The first line of every report. */
export function verdict(report: DriftReport): string {
  const counts = driftCounts(report)
  const partial = report.remarks.some(({ fatal }) => fatal)
    ? 'incomplete comparison: '
    : ''
  const suffix = counts.accepted === 0 ? '' : ` (${counts.accepted} accepted)`
  const [worst] = counts.open.keys()
  const isNone = partial !== '' && report.compared + report.listings === 0
  const none = isNone ? 'nothing was compared' : 'no drift'
  const drift =
    worst === undefined ? none : `${driftWord(worst)}: ${causeCountsText(counts)}`
  return `${partial}${drift}${suffix}`
}

/** A single finding, or several that differ only in where they are, for one line: `parameter added ×8: delete deletetalk, …`. */
export interface FindingGroup extends Pick<Finding, 'title' | 'count'> {
  readonly first: Finding
  /** Where each of several findings is; undefined for a single one. */
  readonly places: readonly string[] | undefined
}

/** Harmless changes of the contract, and requests recorded on one side only: often many of a kind. */
function isGroupable(finding: Finding): boolean {
  if (finding.kind === 'interaction.missing' || finding.kind === 'interaction.new')
    return true
  const group = groupOf(finding)
  return finding.axis === 'contract' && (group === 'note' || group === 'additive')
}

/** Each group where its first finding was. */
export const groupFindings = (findings: readonly Finding[]): readonly FindingGroup[] =>
  [...groupBy(findings, (one) => (isGroupable(one) ? one.kind : one)).values()].map(
    (similar) => {
      const [first] = similar
      const { kind, title, count } = first
      if (similar.length === 1)
        return {
          first,
          title,
          places: undefined,
          count,
        }
      return {
        first,
        title: kinds[kind].words,
        places: similar.map(({ scope, place }) =>
          `${scope} ${place.replace(/\[\*\]$/, '')}`.trim(),
        ),
        count: similar.reduce((sum, one) => sum + one.count, 0),
      }
    },
  )
