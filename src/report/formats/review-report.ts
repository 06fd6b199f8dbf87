/** A review of recorded traffic as text, JSON, Markdown and SARIF. */

import type { Review, ReviewFinding } from '../../review/review.ts'
import { manualUrl, reviewRules } from '../../review/rules.ts'
import { escapeControls, truncateText } from '../../text/escape-control-characters.ts'
import { plural } from '../../text/plural.ts'
import { requestText } from '../labels.ts'
import { escapeMarkdown, inlineCode } from './markdown-report.ts'
import { fileLocation, sarifLog } from './sarif-report.ts'

export const reviewFormats = ['text', 'json', 'markdown', 'sarif'] as const
export type ReviewFormat = (typeof reviewFormats)[number]

/** Requests that are shown of a finding; JSON has all. */
const maxExamples = 3

/** @param cassette its folder. @param version of wikitape */
export function reviewReport(
  review: Review,
  format: ReviewFormat,
  cassette: string,
  version: string,
): string {
  switch (format) {
    case 'text':
      return textReport(review, cassette)
    case 'json':
      return `${JSON.stringify({ cassette, ...review, findings: review.findings.map(findingValue) }, undefined, 2)}\n`
    case 'markdown':
      return markdownText(review, cassette)
    case 'sarif':
      return sarifText(review, cassette, version)
  }
}

function summary({ recorded, logged, findings }: Review): string {
  const log = logged === undefined ? '' : `, ${plural(logged, 'logged request')}`
  return `${plural(findings.length, 'finding')} in ${plural(recorded, 'recorded request')}${log}`
}

const agentText = ({ agent }: ReviewFinding): string =>
  agent === undefined ? '' : ` (${agent === '' ? 'no User-Agent' : agent})`

const examplesOf = ({ requests }: ReviewFinding): readonly (readonly [request: string, file: string])[] =>
  requests.slice(0, maxExamples).map(({ request, file }) => {
    // Names with a space are no parameters.
    const params = new Map([...request].filter(([name]) => !name.includes(' ')))
    return [truncateText(requestText({ request: params }), 200), file]
  })

function textReport(review: Review, cassette: string): string {
  const lines = review.findings.flatMap((finding) => [
    `${finding.severity}  ${finding.rule}: ${reviewRules[finding.rule][0]}${agentText(finding)}`,
    `    ${finding.what}`,
    ...examplesOf(finding).flatMap(([request, file]) => [`    ${request}`, `      ${file}`]),
    `    → ${reviewRules[finding.rule][2]}  ${manualUrl(finding.rule)}`,
  ])
  const notes = review.notChecked.map((one) => `not checked: ${one}`)
  return [...lines, ...notes, `${cassette}: ${summary(review)}`]
    .map((line) => `${escapeControls(line)}\n`)
    .join('')
}

const findingValue = (finding: ReviewFinding): unknown => ({
  ...finding,
  manual: manualUrl(finding.rule),
  advice: reviewRules[finding.rule][2],
  requests: finding.requests.map((one) => ({ file: one.file, params: Object.fromEntries(one.request) })),
})

function markdownText(review: Review, cassette: string): string {
  const rows = review.findings.map((finding) => {
    const [title, , advice] = reviewRules[finding.rule]
    const examples = examplesOf(finding).map(([request]) => `<br>${inlineCode(request)}`)
    const what = `**${escapeMarkdown(title + agentText(finding))}**<br>${escapeMarkdown(finding.what)}${examples.join('')}`
    return `| ${finding.severity} | ${what} | [${escapeMarkdown(advice)}](${manualUrl(finding.rule)}) |\n`
  })
  const table = rows.length === 0 ? '' : `| | what | what to do |\n|---|---|---|\n${rows.join('')}\n`
  const notes = review.notChecked.map((one) => `<sub>${escapeMarkdown(`not checked: ${one}`)}</sub>\n\n`)
  return `### wikitape review: ${escapeMarkdown(`${cassette}: ${summary(review)}`)}\n\n${table}${notes.join('')}`
}

function sarifText({ findings, notChecked }: Review, cassette: string, version: string): string {
  const ids = [...new Set(findings.map(({ rule }) => rule))]
  const text = (id: ReviewFinding['rule']): object => ({ text: reviewRules[id][0] })
  const rules = ids.map((id) => ({ id, shortDescription: text(id), helpUri: manualUrl(id) }))
  const notes = notChecked.map((one) => ({ level: 'note', message: { text: `not checked: ${one}` } }))
  return sarifLog({
    tool: { driver: { name: 'wikitape', version, rules } },
    results: findings.map((finding) => ({
      ruleId: finding.rule,
      level: finding.severity,
      message: { text: `${finding.what}${agentText(finding)}\n${reviewRules[finding.rule][2]}` },
      locations: [fileLocation(cassette, finding.requests[0]?.file ?? 'cassette.json', 1)],
    })),
    invocations: [{ executionSuccessful: true, toolExecutionNotifications: notes }],
  })
}
