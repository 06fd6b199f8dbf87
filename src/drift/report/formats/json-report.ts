/** The report as JSON (`docs/drift-report.schema.json`). Sorted and byte-stable: equal comparisons give equal files. */
import { byCalls, daysOf } from '../../../recorder/cassette/format/traffic-file.ts'
import type { JsonTree } from '../../../recorder/json/json-tree.ts'
import type { Cause } from '../../findings/cause.ts'
import type { DriftReport } from '../../findings/drift-report.ts'
import type { Finding, Sample } from '../../findings/finding.ts'
import { driftCounts, verdict } from '../drift-counts.ts'
import { valueText } from '../labels.ts'
import { excerpts } from '../word-diff.ts'

/** The number in `"format"`: raised with each incompatible change. */
export const reportFormat = 1

/** Characters of a value's JSON text that are kept in a sample. */
const valueLimit = 2_000

export const jsonReport = (report: DriftReport): string =>
  `${JSON.stringify(reportValue(report), undefined, 2)}\n`

export function reportValue(report: DriftReport): unknown {
  const counts = driftCounts(report)
  return {
    format: reportFormat,
    verdict: verdict(report),
    counts: Object.fromEntries(counts.open),
    a: report.a,
    b: report.b,
    compared: { requests: report.compared, listings: report.listings },
    remarks: report.remarks,
    causes: report.causes.map(causeValue),
    findings: report.findings.map(findingValue),
    suppressed: report.suppressed,
    staleNoise: report.staleNoise.map(({ kind, scope, place, lexical }) => ({
      kind,
      scope,
      place,
      lexical,
    })),
    acceptances: {
      causes: counts.accepted,
      unknown: report.unknownAcceptances.map(({ fingerprint, reason }) => ({
        fingerprint,
        reason,
      })),
      expired: report.expiredAcceptances.map(({ fingerprint, reason, expires }) => ({
        fingerprint,
        reason,
        expires,
      })),
    },
  }
}

const causeValue = ({
  fingerprint,
  title,
  knownChange,
  findings,
  requests,
  traffic,
}: Cause): unknown => ({
  fingerprint,
  title,
  since: knownChange?.since,
  severity: findings[0].severity,
  axis: findings[0].axis,
  findings: findings.map((one) => one.fingerprint),
  requests: requests.length,
  traffic: traffic && {
    calls: traffic.calls,
    days: Math.round(daysOf(traffic) * 10) / 10,
    agents: Object.fromEntries(byCalls(traffic)),
  },
})

const findingValue = (finding: Finding): unknown => ({
  fingerprint: finding.fingerprint,
  kind: finding.kind,
  severity: finding.severity,
  axis: finding.axis,
  scope: finding.scope,
  place: finding.place,
  title: finding.title,
  count: finding.count,
  values: finding.values.length === 0 ? undefined : finding.values,
  requests: finding.requests.length,
  samples: finding.samples.map(sampleValue),
  hint: finding.hint,
  accepted: finding.accepted && {
    reason: finding.accepted.reason,
    expires: finding.accepted.expires,
  },
})

function sampleValue({ path, before, after, note, requestRef }: Sample): unknown {
  const text = (tree: JsonTree | undefined): string =>
    tree === undefined ? '' : valueText(tree)
  const [a, b] = excerpts(text(before), text(after), valueLimit)
  return {
    path,
    before: before && a,
    after: after && b,
    note: note === '' ? undefined : note,
    request: requestRef && {
      key: requestRef.key,
      params: Object.fromEntries(requestRef.request),
    },
  }
}
