/** The report for test runners (JUnit XML): one case for each compared request; it fails where its drift fails the job. */

import type { DriftReport } from '../../drift/findings/drift-report.ts'
import { type FailOn, failingFindings } from '../../drift/findings/fail-on.ts'
import type { Finding } from '../../drift/findings/finding.ts'
import { truncateText } from '../../text/escape-control-characters.ts'
import {
  findingsByGroup,
  joinParts,
  placeText,
  requestText,
  suppressedLines,
  timesText,
  valueText,
  verdict,
} from '../labels.ts'

interface JunitCase {
  readonly suite: string
  readonly name: string
  readonly findings: readonly Finding[]
}

export function junitReport(report: DriftReport, failOn: FailOn): string {
  const failed = new Set(failingFindings(report, failOn))
  const cases = [...requestCases(report), ...otherCases(report)]
  const failures = cases.filter((one) => one.findings.some((finding) => failed.has(finding))).length
  const properties = [...findingsByGroup(report.findings)].map(
    ([group, members]) => `      <property name="${group}" value="${members.length}"/>`,
  )
  const notes = [...report.remarks.map(({ text }) => text), ...suppressedLines(report)]
  const errors = report.remarks.filter(({ fatal }) => fatal)
  const all = errors.length + cases.length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="wikitape" tests="${all}" failures="${failures}" errors="${errors.length}" time="0">`,
    `  <testsuite name="${escapeXml(`${report.a.name} → ${report.b.name}`)}" tests="${all}" failures="${failures}" errors="${errors.length}" skipped="0" time="0">`,
    '    <properties>',
    `      <property name="verdict" value="${escapeXml(verdict(report))}"/>`,
    ...properties,
    '    </properties>',
    ...errors.map(
      ({ kind, text }) =>
        `    <testcase classname="comparison" name="${kind}" time="0"><error type="${kind}" message="${escapeXml(text)}"/></testcase>`,
    ),
    ...cases.flatMap((one) => caseLines(one, failed)),
    ...(notes.length === 0 ? [] : [`    <system-out>${escapeXml(notes.join('\n'))}</system-out>`]),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function requestCases(report: DriftReport): readonly JunitCase[] {
  const byFingerprint = new Map(report.findings.map((one) => [one.fingerprint, one]))
  return report.compared.map(({ requestRef, fingerprints }) => ({
    suite: requestRef.requestClass,
    name: truncateText(requestText(requestRef), 300),
    findings: fingerprints.flatMap((fingerprint) => byFingerprint.get(fingerprint) ?? []),
  }))
}

/** Cases of findings without a compared request: the contract, whole listings, coverage. */
function otherCases(report: DriftReport): readonly JunitCase[] {
  const seen = new Set(report.compared.flatMap(({ fingerprints }) => fingerprints))
  const others = report.findings.filter(({ fingerprint }) => !seen.has(fingerprint))
  const scopes = [...new Set(others.map(({ scope }) => scope))].sort()
  return scopes.map((scope) => ({
    suite: others.some((one) => one.scope === scope && one.axis === 'contract') ? 'contract' : 'coverage',
    name: scope,
    findings: others.filter((one) => one.scope === scope),
  }))
}

function caseLines({ suite, name, findings }: JunitCase, failed: ReadonlySet<Finding>): readonly string[] {
  const open = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}" time="0"`
  if (findings.length === 0) return [`${open}/>`]
  const failing = findings.filter((one) => failed.has(one))
  const passing = findings.filter((one) => !failed.has(one))
  return [
    `${open}>`,
    ...failing.map(
      (one) =>
        `      <failure type="${one.kind}" message="${escapeXml(findingSummary(one))}">${escapeXml(findingBody(one))}</failure>`,
    ),
    ...(passing.length === 0
      ? []
      : [`      <system-out>${escapeXml(passing.map(findingSummary).join('\n'))}</system-out>`]),
    '    </testcase>',
  ]
}

const findingSummary = (finding: Finding): string =>
  joinParts([
    `${finding.severity}: ${finding.title}`,
    placeText(finding),
    timesText(finding.count),
    `[${finding.fingerprint}]`,
  ])

const findingBody = ({ samples, hint }: Finding): string =>
  [
    ...samples.flatMap(({ path, before, after }) => [
      path,
      `- ${truncateText(valueText(before), 1_000)}`,
      `+ ${truncateText(valueText(after), 1_000)}`,
    ]),
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
  ].join('\n')

/** Escapes for XML 1.0, and replaces characters that it does not allow at all. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
