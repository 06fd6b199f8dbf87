/** The report as JSON (`docs/drift-report.schema.json`). Sorted and byte-stable: equal comparisons give equal files. */
import { byCalls, daysOf } from '../../../recorder/cassette/format/traffic-file.ts'
import type { JsonTree } from '../../../recorder/json/json-tree.ts'
import type { Cause } from '../../findings/cause.ts'
import type { DriftReport } from '../../findings/drift-report.ts'
import type { Finding, Sample } from '../../findings/finding.ts'
import { answerText, driftCounts, verdict } from '../drift-counts.ts'
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
    answer: answerText(report),
    counts: Object.fromEntries(counts.open),
    a: report.a,
    b: report.b,
    compared: { requests: report.compared, listings: report.listings },
    remarks: report.remarks,
    causes: report.causes.map(causeValue),
    findings: report.findings.map(findingValue),
    suppressed: report.suppressed,
    staleNoise: report.staleNoise.map((one) =>
      pick(one, 'kind', 'scope', 'place', 'lexical')
    ),
    acceptances: {
      causes: counts.accepted,
      unknown: report.unknownAcceptances.map((one) => pick(one, 'fingerprint', 'reason')),
      expired: report.expiredAcceptances.map((one) =>
        pick(one, 'fingerprint', 'reason', 'expires')
      )
    }
  }
}

/** These members alone, in this order. */
const pick = <T extends object>(one: T, ...names: readonly (keyof T)[]) =>
  Object.fromEntries(names.map((name) => [name, one[name]]))

const causeValue = (cause: Cause) => ({
  ...pick(cause, 'fingerprint', 'title'),
  since: cause.knownChange?.since,
  ...pick(cause.findings[0], 'severity', 'axis'),
  findings: cause.findings.map((one) => one.fingerprint),
  requests: cause.requests.length,
  traffic: cause.traffic && {
    calls: cause.traffic.calls,
    days: Math.round(daysOf(cause.traffic) * 10) / 10,
    agents: Object.fromEntries(byCalls(cause.traffic))
  }
})

const findingValue = (finding: Finding) => ({
  ...pick(finding, 'fingerprint', 'kind', 'severity', 'axis', 'scope', 'place', 'title'),
  count: finding.count,
  values: finding.values.length === 0 ? undefined : finding.values,
  requests: finding.requests.length,
  samples: finding.samples.map(sampleValue),
  hint: finding.hint,
  accepted: finding.accepted && pick(finding.accepted, 'reason', 'expires')
})

function sampleValue({ path, before, after, note, requestRef }: Sample) {
  const text = (tree: JsonTree | undefined) => (tree ? valueText(tree) : '')
  const [a, b] = excerpts(text(before), text(after), valueLimit)
  return {
    path,
    before: before && a,
    after: after && b,
    note: note === '' ? undefined : note,
    request: requestRef && {
      key: requestRef.key,
      params: Object.fromEntries(requestRef.request)
    }
  }
}
