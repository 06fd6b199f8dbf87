/** A report for test runners: one case for each request compared, failed where its drift fails the job. */

import type { DriftReport } from '../../drift/findings/drift-report.ts'
import { type FailOn, failing } from '../../drift/findings/fail-on.ts'
import type { Finding } from '../../drift/findings/finding.ts'
import { cutText } from '../../text/escape-control-characters.ts'
import { byGroup, placeText, quietLines, timesText, valueText, verdict } from '../labels.ts'
import { requestText } from './json-report.ts'

interface Case {
  readonly suite: string
  readonly name: string
  readonly findings: readonly Finding[]
}

export function junitReport(report: DriftReport, failOn: FailOn): string {
  const failed = new Set(failing(report, failOn))
  const cases = [...requestCases(report), ...otherCases(report)]
  const failures = cases.filter((one) => one.findings.some((finding) => failed.has(finding))).length
  const properties = [...byGroup(report.findings)].map(
    ([group, members]) => `      <property name="${group}" value="${members.length}"/>`,
  )
  const notes = [...report.remarks.map(({ text }) => text), ...quietLines(report)]
  const errors = report.remarks.filter(({ fatal }) => fatal)
  const all = errors.length + cases.length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="wikitape" tests="${all}" failures="${failures}" errors="${errors.length}" time="0">`,
    `  <testsuite name="${xml(`${report.a.name} → ${report.b.name}`)}" tests="${all}" failures="${failures}" errors="${errors.length}" skipped="0" time="0">`,
    '    <properties>',
    `      <property name="verdict" value="${xml(verdict(report))}"/>`,
    ...properties,
    '    </properties>',
    ...errors.map(
      ({ kind, text }) =>
        `    <testcase classname="comparison" name="${kind}" time="0"><error type="${kind}" message="${xml(text)}"/></testcase>`,
    ),
    ...cases.flatMap((one) => caseLines(one, failed)),
    ...(notes.length === 0 ? [] : [`    <system-out>${xml(notes.join('\n'))}</system-out>`]),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function requestCases(report: DriftReport): readonly Case[] {
  const byPrint = new Map(report.findings.map((one) => [one.fingerprint, one]))
  return report.compared.map(({ asked, fingerprints }) => ({
    suite: asked.requestClass,
    name: cutText(requestText(asked), 300),
    findings: fingerprints.flatMap((print) => byPrint.get(print) ?? []),
  }))
}

/** Findings that belong to no compared request: the contract, whole listings, coverage. */
function otherCases(report: DriftReport): readonly Case[] {
  const seen = new Set(report.compared.flatMap(({ fingerprints }) => fingerprints))
  const rest = report.findings.filter(({ fingerprint }) => !seen.has(fingerprint))
  const scopes = [...new Set(rest.map(({ scope }) => scope))].sort()
  return scopes.map((scope) => ({
    suite: rest.some((one) => one.scope === scope && one.axis === 'contract') ? 'contract' : 'coverage',
    name: scope,
    findings: rest.filter((one) => one.scope === scope),
  }))
}

function caseLines({ suite, name, findings }: Case, failed: ReadonlySet<Finding>): readonly string[] {
  const open = `    <testcase classname="${xml(suite)}" name="${xml(name)}" time="0"`
  if (findings.length === 0) return [`${open}/>`]
  const bad = findings.filter((one) => failed.has(one))
  const rest = findings.filter((one) => !failed.has(one))
  return [
    `${open}>`,
    ...bad.map(
      (one) => `      <failure type="${one.kind}" message="${xml(summary(one))}">${xml(body(one))}</failure>`,
    ),
    ...(rest.length === 0 ? [] : [`      <system-out>${xml(rest.map(summary).join('\n'))}</system-out>`]),
    '    </testcase>',
  ]
}

const summary = (finding: Finding): string =>
  [
    `${finding.severity}: ${finding.title}`,
    placeText(finding),
    timesText(finding.count),
    `[${finding.fingerprint}]`,
  ]
    .filter((part) => part !== '')
    .join('  ')

const body = ({ samples, hint }: Finding): string =>
  [
    ...samples.flatMap(({ path, before, after }) => [
      path,
      `- ${cutText(valueText(before), 1_000)}`,
      `+ ${cutText(valueText(after), 1_000)}`,
    ]),
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
  ].join('\n')

/** Escaped, and without what XML 1.0 cannot hold in any spelling. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
