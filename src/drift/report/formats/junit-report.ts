/** The report as JUnit XML: a case for the comparison, and one for each cause, which fails if the cause fails the job. */

import { truncateText } from '../../../recorder/text/escape-control-characters.ts'
import { escapeHtml } from '../../../recorder/wiki/answers/envelope.ts'
import type { Cause } from '../../findings/cause.ts'
import type { DriftReport } from '../../findings/drift-report.ts'
import type { FailOn } from '../../findings/fail-on.ts'
import type { Finding } from '../../findings/finding.ts'
import { causeGroup, driftCounts, failingCauses, verdict } from '../drift-counts.ts'
import {
  causeText,
  comparedText,
  findingText,
  inRequestsText,
  joinParts,
  requestText,
  suppressedLines,
  valueText
} from '../labels.ts'

export function junitReport(report: DriftReport, failOn: FailOn): string {
  const failing = new Set(failingCauses(report, failOn))
  const properties = [...driftCounts(report).open].map(
    ([group, count]) => `      <property name="${group}" value="${count}"/>`
  )
  const notes = [...report.remarks.map(({ text }) => text), ...suppressedLines(report)]
  const errors = report.remarks.filter(({ fatal }) => fatal)
  const comparison =
    errors.length === 0
      ? [passedCase('comparison', 'complete', comparedText(report))]
      : []
  const tests = errors.length + comparison.length + report.causes.length
  const counts = `tests="${tests}" failures="${failing.size}" errors="${errors.length}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="wikitape" ${counts} time="0">`,
    `  <testsuite name="${escapeXml(`${report.a.name} → ${report.b.name}`)}" ${counts} skipped="0" time="0">`,
    '    <properties>',
    `      <property name="verdict" value="${escapeXml(verdict(report))}"/>`,
    ...properties,
    '    </properties>',
    ...errors.map(({ kind, text }) =>
      testCase('comparison', kind, `<error type="${kind}" message="${escapeXml(text)}"/>`)
    ),
    ...comparison,
    ...report.causes.map((cause) => causeCase(cause, failing.has(cause))),
    ...(notes.length === 0
      ? []
      : [`    <system-out>${escapeXml(notes.join('\n'))}</system-out>`]),
    '  </testsuite>',
    '</testsuites>',
    ''
  ].join('\n')
}

function testCase(suite: string, name: string, content: string) {
  const open = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}" time="0">`
  return `${open}\n      ${content}\n    </testcase>`
}

const passedCase = (suite: string, name: string, text: string) =>
  testCase(suite, name, `<system-out>${escapeXml(text)}</system-out>`)

function causeCase(cause: Cause, isFailing: boolean) {
  const [worst] = cause.findings
  const group = causeGroup(cause)
  const name = `${cause.fingerprint} ${truncateText(causeText(cause), 300)}`
  if (!isFailing)
    return passedCase(group, name, cause.findings.map(findingLine).join('\n'))
  const message = `${group}: ${joinParts([causeText(cause), inRequestsText(cause)])}`
  const open = `<failure type="${worst.kind}" message="${escapeXml(message)}">`
  return testCase(group, name, `${open}${escapeXml(causeBody(cause))}</failure>`)
}

const maxRequests = 20

/** Where the cause shows, an example, what to do, and the requests. */
function causeBody({ findings, requests }: Cause) {
  const [{ samples, hint }] = findings
  const left = requests.length - maxRequests
  return [
    ...findings.map(findingLine),
    ...samples.flatMap(({ path, before, after }) => [
      path,
      `- ${truncateText(valueText(before), 1_000)}`,
      `+ ${truncateText(valueText(after), 1_000)}`
    ]),
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
    ...requests
      .slice(0, maxRequests)
      .map((one) => `in ${truncateText(requestText(one), 300)}`),
    ...(left > 0 ? [`and ${left} more`] : [])
  ].join('\n')
}

const findingLine = (finding: Finding) =>
  joinParts([findingText(finding), `[${finding.fingerprint}]`])

/** Escapes for XML 1.0, and replaces characters that it does not allow at all. */
const escapeXml = (text: string) =>
  escapeHtml(
    text
      .toWellFormed()
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
  )
