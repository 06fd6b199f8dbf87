/** A report for programs: `docs/drift-report.schema.json`; sorted and byte-stable, so that two runs are one file. */

import type { RequestRef } from '../../drift/changes/change.ts'
import type { Cause } from '../../drift/findings/cause.ts'
import type { DriftReport, SideSummary } from '../../drift/findings/drift-report.ts'
import type { Finding, Sample } from '../../drift/findings/finding.ts'
import type { JsonTree } from '../../json/json-tree.ts'
import { truncateText } from '../../text/escape-control-characters.ts'
import { decodePercent } from '../../text/percent-decoding.ts'
import { writeQuery } from '../../wiki/parameters/request-params.ts'
import { causesByGroup, valueText, verdict } from '../labels.ts'
import { trimCommonStart } from '../word-diff.ts'

/** The number in `"format"`; raised whenever a reader of the old form could be misled. */
export const reportFormat = 1

/** Characters of a value's JSON text that are kept in a sample. */
const valueLimit = 2_000

export function jsonReport(report: DriftReport): string {
  return `${JSON.stringify(reportValue(report), undefined, 2)}\n`
}

/** What is written, as a value. */
export function reportValue(report: DriftReport): unknown {
  return {
    format: reportFormat,
    verdict: verdict(report),
    counts: Object.fromEntries([...causesByGroup(report)].map(([group, { length }]) => [group, length])),
    a: sideValue(report.a),
    b: sideValue(report.b),
    compared: { requests: report.compared.length, listings: report.listings },
    remarks: report.remarks.map(({ kind, text, fatal }) => ({ kind, text, fatal })),
    causes: report.causes.map(causeValue),
    findings: report.findings.map(findingValue),
    suppressed: report.suppressed.map(({ rule, kind, scope, place, count }) => ({
      rule,
      kind,
      scope,
      place,
      count,
    })),
    staleNoise: report.staleNoise.map(({ kind, scope, place, lexical }) => ({ kind, scope, place, lexical })),
    acceptances: {
      unknown: report.unknownAcceptances.map(({ fingerprint, reason }) => ({ fingerprint, reason })),
      expired: report.expiredAcceptances.map(({ fingerprint, reason, expires }) => ({
        fingerprint,
        reason,
        expires,
      })),
    },
  }
}

const sideValue = ({ name, engine, lang, interactions, modules }: SideSummary): unknown => ({
  name,
  engine,
  lang,
  interactions,
  modules,
})

const causeValue = ({ fingerprint, title, known, findings, requests }: Cause): unknown => ({
  fingerprint,
  title,
  since: known?.since,
  severity: findings[0].severity,
  axis: findings[0].axis,
  findings: findings.map((one) => one.fingerprint),
  requests: requests.length,
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
  accepted:
    finding.accepted === undefined
      ? undefined
      : { reason: finding.accepted.reason, expires: finding.accepted.expires },
})

/** Long values from shortly before their first difference on. */
function sampleTexts(
  before: JsonTree | undefined,
  after: JsonTree | undefined,
): { before?: string; after?: string } {
  const texts = [before, after].map((one) => (one === undefined ? '' : valueText(one)))
  const [a, b] = trimCommonStart(texts[0] ?? '', texts[1] ?? '', valueLimit)
  return {
    ...(before === undefined ? {} : { before: truncateText(a, valueLimit) }),
    ...(after === undefined ? {} : { after: truncateText(b, valueLimit) }),
  }
}

const sampleValue = ({ path, before, after, note, requestRef }: Sample): unknown => ({
  path,
  ...sampleTexts(before, after),
  note: note === '' ? undefined : note,
  request:
    requestRef === undefined
      ? undefined
      : { key: requestRef.key, params: Object.fromEntries(requestRef.request) },
})

/** A request as one readable line. */
export const requestText = ({ request }: RequestRef): string =>
  request.get('plain target') ?? decodePercent(writeQuery(request))
