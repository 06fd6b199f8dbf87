/** A review of recorded traffic as text, JSON, Markdown and SARIF. */

import {
  escapeCommands,
  escapeControls,
  truncateText
} from '../../../recorder/text/escape-control-characters.ts'
import { plural } from '../../../recorder/text/words.ts'
import type { Review, ReviewFinding } from '../../../review/review.ts'
import { escapeMarkdown, inlineCode } from './markdown-report.ts'
import { fileLocation, notification, sarifLog, toolOf } from './sarif-report.ts'

export const reviewFormats = ['text', 'json', 'markdown', 'sarif'] as const
type ReviewFormat = (typeof reviewFormats)[number]

/** From a review, the cassette's folder and the version of wikitape. */
export const reviewWriters: Readonly<
  Record<ReviewFormat, (review: Review, cassette: string, version: string) => string>
> = {
  text: textReport,
  json: (review, cassette) =>
    `${JSON.stringify({ cassette, ...review }, undefined, 2)}\n`,
  markdown: markdownText,
  sarif: sarifText
}

function summary({ recorded, logged, findings }: Review, cassette: string) {
  const log = logged === undefined ? '' : `, ${plural(logged, 'logged request')}`
  return `${cassette}: ${plural(findings.length, 'finding')} in ${plural(recorded, 'recorded request')}${log}`
}

const titleOf = ({ title, agent }: ReviewFinding) =>
  agent === undefined ? title : `${title} (${agent === '' ? 'no User-Agent' : agent})`

/** Some of the requests; JSON has all. */
const examplesOf = ({ requests }: ReviewFinding) =>
  requests.slice(0, 3).map(({ request, file }) => ({
    request: truncateText(request, 200),
    file
  }))

function textReport(review: Review, cassette: string) {
  const lines = review.findings.flatMap((one) => [
    `${one.severity}  ${one.rule}: ${titleOf(one)}`,
    `    ${one.what}`,
    ...examplesOf(one).flatMap(({ request, file }) => [
      `    ${request}`,
      `      ${file}`
    ]),
    `    → ${one.advice}  ${one.manual}`
  ])
  const notes = review.notChecked.map((one) => `not checked: ${one}`)
  const all = [...lines, ...notes, summary(review, cassette)]
  return all.map((line) => `${escapeCommands(escapeControls(line))}\n`).join('')
}

function markdownText(review: Review, cassette: string) {
  const rows = review.findings.map((one) => {
    const examples = examplesOf(one).map(({ request }) => `<br>${inlineCode(request)}`)
    const what = `**${escapeMarkdown(titleOf(one))}**<br>${escapeMarkdown(one.what)}${examples.join('')}`
    return `| ${one.severity} | ${what} | [${escapeMarkdown(one.advice)}](${one.manual}) |\n`
  })
  const notes = review.notChecked.map(
    (one) => `\n<sub>${escapeMarkdown(`not checked: ${one}`)}</sub>\n`
  )
  const table = `| | what | what to do |\n|---|---|---|\n${rows.join('')}${notes.join('')}`
  return `### wikitape review: ${escapeMarkdown(summary(review, cassette))}\n\n${table}`
}

function sarifText({ findings, notChecked }: Review, cassette: string, version: string) {
  const ruleOf = ({ rule, title: text, manual }: ReviewFinding) => {
    return { id: rule, shortDescription: { text }, helpUri: manual }
  }
  const rules = new Map(findings.map((one) => [one.rule, ruleOf(one)]))
  const notes = notChecked.map((one) => notification('note', `not checked: ${one}`))
  return sarifLog({
    ...toolOf(version, [...rules.values()]),
    results: findings.map((one) => ({
      ruleId: one.rule,
      level: one.severity,
      message: { text: `${titleOf(one)}: ${one.what}. ${one.advice}` },
      locations: [fileLocation(cassette, one.requests[0]?.file ?? 'cassette.json', 1)]
    })),
    invocations: [{ executionSuccessful: true, toolExecutionNotifications: notes }]
  })
}
