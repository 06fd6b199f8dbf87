/** The report for a pull request's comment: at most 64 KB; says what it left out. */

import {
  escapeControls,
  truncateText
} from '../../../recorder/text/escape-control-characters.ts'
import { plural } from '../../../recorder/text/words.ts'
import { escapeHtml } from '../../../recorder/wiki/answers/envelope.ts'
import type { Cause } from '../../findings/cause.ts'
import type { DriftReport } from '../../findings/drift-report.ts'
import type { Finding } from '../../findings/finding.ts'
import {
  answerText,
  driftCounts,
  type FindingGroup,
  groupFindings,
  harmlessText,
  isSeriousCause,
  verdict,
  worstGroup
} from '../drift-counts.ts'
import {
  causeText,
  comparedText,
  groupOf,
  inRequestsText,
  joinParts,
  placeName,
  requestText,
  type SeverityGroup,
  scopeName,
  scopeText,
  severityStyles,
  sideText,
  suppressedLines,
  timesText,
  totalOf,
  valueText
} from '../labels.ts'
import { excerpts } from '../word-diff.ts'

/** GitHub's limit of a comment is 65,536 bytes. */
const commentBytes = 60_000

export function markdownReport(
  report: DriftReport,
  limit: number = commentBytes
): string {
  const head = headMarkdown(report)
  const fits = byteBudget(limit - 700 - Buffer.byteLength(suppressedNotes(report) + head))
  const serious = report.causes.filter(isSeriousCause)
  const harmless = report.causes.filter((one) => !isSeriousCause(one))
  const rest = groupFindings(harmless.flatMap(({ findings }) => findings))
  const fitting = (parts: readonly string[]) => parts.filter(fits)
  const rows = fitting(serious.map(causeRow))
  const details = fitting(serious.slice(0, rows.length).map(causeDetail))
  const otherRows = fitting(rest.map(groupRow))
  const left = [
    leftOutText(serious.length - rows.length, 'cause', 'left out of the table'),
    leftOutText(rows.length - details.length, 'detail', 'left out'),
    leftOutText(rest.length - otherRows.length, 'harmless finding', 'left out')
  ]
  const note = left.every((part) => part === '')
    ? ''
    : `\n> ${joinParts(left, '; ')}, so that this fits in a comment: see the HTML or JSON report.\n`
  const others =
    otherRows.length === 0
      ? ''
      : `\n<details><summary>The rest: ${harmlessText(driftCounts(report))}</summary>\n\n${tableOf('where', otherRows)}\n</details>\n`
  return `${head}${tableOf('in', rows)}${details.join('')}${others}${note}${suppressedNotes(report)}`
}

const leftOutText = (count: number, what: string, how: string) =>
  count === 0 ? '' : `${plural(count, what)} ${how}`

const tableOf = (third: string, rows: readonly string[]) =>
  rows.length === 0
    ? ''
    : `| | what | ${third} | × | fingerprint |\n|---|---|---|--:|---|\n${rows.join('')}\n`

/** Lines about noise and acceptances. */
const maxSuppressedLines = 5

function suppressedNotes(report: DriftReport) {
  const lines = suppressedLines(report)
  const cut =
    lines.length > maxSuppressedLines
      ? [`and ${lines.length - maxSuppressedLines} such lines more`]
      : []
  return [...lines.slice(-maxSuppressedLines), ...cut]
    .map((line) => `\n<sub>${escapeMarkdown(truncateText(line, 200))}</sub>\n`)
    .join('')
}

/** Counts bytes down. After the first part that does not fit, none is taken: later parts matter less. */
function byteBudget(limit: number): (part: string) => boolean {
  let left = limit
  return (part) => {
    const bytes = Buffer.byteLength(part)
    left = bytes > left ? -1 : left - bytes
    return left >= 0
  }
}

function headMarkdown(report: DriftReport) {
  const worst = worstGroup(report)
  const mark = worst ? severityStyles[worst].mark : '✅'
  const remarks = report.remarks
    .map(({ text, fatal }) => `\n> ${fatal ? '⚠️ ' : ''}${escapeMarkdown(text)}\n`)
    .join('')
  const sides = `**A** ${escapeMarkdown(sideText(report.a))}<br>**B** ${escapeMarkdown(sideText(report.b))}<br>${comparedText(report)}`
  const answer = answerText(report)
  return `### ${mark} wikitape: ${escapeMarkdown(verdict(report))}\n\n${answer === '' ? '' : `${answer}\n\n`}${sides}\n${remarks}\n`
}

function causeRow(cause: Cause) {
  const [worst] = cause.findings
  const affected = `${inRequestsText(cause)}<br>${locationOf(worst)}`
  return tableRow(groupOf(worst), {
    title: causeText(cause),
    where: affected,
    count: totalOf(cause.findings),
    fingerprint: cause.fingerprint
  })
}

function groupRow({ first, title, places, count }: FindingGroup) {
  const where = !places
    ? locationOf(first)
    : inlineCode(truncateText(places.join(', '), 300))
  const fingerprint = places ? '' : first.fingerprint
  return tableRow(groupOf(first), { title, where, count, fingerprint })
}

interface TableRow extends Pick<FindingGroup, 'title' | 'count'> {
  readonly where: string
  readonly fingerprint: string
}

function tableRow(group: SeverityGroup, row: TableRow) {
  const { mark, meaning } = severityStyles[group]
  const cells = [
    `<span title="${meaning}">${mark} ${group}</span>`,
    escapeMarkdown(truncateText(row.title, 160)),
    row.where,
    timesText(row.count).slice(1),
    inlineCode(row.fingerprint)
  ]
  return `| ${cells.join(' | ')} |\n`
}

function locationOf(finding: Finding) {
  const scope =
    finding.scope === '*' ? scopeName(finding) : inlineCode(scopeText(finding))
  return joinParts([scope, inlineCode(placeName(finding))], '<br>')
}

/** Characters of a value in a detail. */
const valueLimit = 400

const placeLimit = 8

function causeDetail(cause: Cause) {
  const { findings, requests, fingerprint } = cause
  const [worst] = findings
  const [first] = requests
  const hits = !first
    ? ''
    : `${inRequestsText(cause)}, e.g. ${inlineCode(truncateText(requestText(first), 300))}\n\n`
  const hint =
    worst.hint === undefined ? '' : `**Hint:** ${escapeMarkdown(worst.hint)}\n\n`
  const places = findings.slice(0, placeLimit).map((one) => {
    const where = inlineCode(`${scopeText(one)} ${one.place}`.trim())
    return `- ${inlineCode(one.kind)} ${escapeMarkdown(truncateText(one.title, 160))}: ${where}\n`
  })
  const more =
    findings.length > placeLimit ? `- and ${findings.length - placeLimit} more\n` : ''
  const list = findings.length === 1 ? '' : `${places.join('')}${more}\n`
  const { mark } = severityStyles[groupOf(worst)]
  const summary = `${mark} ${escapeMarkdown(truncateText(causeText(cause), 160))} ${inlineCode(fingerprint)}`
  return `\n<details><summary>${summary}</summary>\n\n${hint}${hits}${list}${samplesMarkdown(worst)}\n</details>\n`
}

function samplesMarkdown({ samples }: Finding) {
  const parts = samples.map(({ path, before, after, note }) => {
    const [a, b] = excerpts(
      escapeControls(valueText(before)),
      escapeControls(valueText(after)),
      valueLimit
    )
    const isBare = !before && !after && note !== ''
    const lines = [
      ...(before ? [`- ${a}`] : []),
      ...(after ? [`+ ${b}`] : []),
      ...(isBare ? [`  ${escapeControls(note)}`] : [])
    ]
    if (lines.length === 0) return ''
    const head = path === '' ? '' : `${inlineCode(path)}\n`
    return `${head}<pre lang="diff">${lines.map((line) => escapeHtml(line).replaceAll('@', '&#64;')).join('\n')}</pre>\n`
  })
  return parts.join('')
}

/** Escapes markup, mentions and links to issues. */
export const escapeMarkdown = (text: string): string =>
  escapeHtml(escapeControls(text)).replace(
    /[\\`*_{}[\]()#+!|~@]/g,
    (sign) => `&#${sign.charCodeAt(0)};`
  )

export const inlineCode = (text: string): string =>
  text === '' ? '' : `<code>${escapeMarkdown(text)}</code>`
