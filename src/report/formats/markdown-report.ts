/** A report for a pull request's comment: fits in 64 KB, and says what it left out. */
import type { Cause } from '../../drift/findings/cause.ts'
import type { DriftReport } from '../../drift/findings/drift-report.ts'
import type { Finding } from '../../drift/findings/finding.ts'
import { escapeControls, truncateText } from '../../text/escape-control-characters.ts'
import { plural } from '../../text/plural.ts'
import { escapeHtml } from '../../wiki/answers/envelope.ts'
import { type FindingGroup, groupFindings } from '../group-findings.ts'
import {
  affectedRequestsText,
  causesByGroup,
  causeText,
  comparedText,
  groupOf,
  type SeverityGroup,
  scopeText,
  severityMeanings,
  sideText,
  suppressedLines,
  timesText,
  valueText,
  verdict,
} from '../labels.ts'
import { trimCommonStart } from '../word-diff.ts'
import { requestText } from './json-report.ts'

/** GitHub refuses comments from 65,536 bytes on. */
export const commentBytes = 60_000

const severityMarks: Readonly<Record<SeverityGroup, string>> = {
  breaking: '🔴',
  risky: '🟠',
  additive: '🟢',
  note: '🔵',
  cosmetic: '⚪',
  noise: '⚪',
  data: '📄',
}

export function markdownReport(report: DriftReport, limit: number = commentBytes): string {
  const head = headMarkdown(report)
  const budget = new ByteBudget(limit - 700 - Buffer.byteLength(suppressedNotes(report)), head)
  const isGrave = ({ findings: [worst] }: Cause): boolean => /^(?:breaking|risky)$/.test(groupOf(worst))
  const grave = report.causes.filter(isGrave)
  const rest = groupFindings(report.causes.filter((one) => !isGrave(one)).flatMap(({ findings }) => findings))
  const rows = grave.map(causeRow).filter((row) => budget.take(row))
  const parts = grave
    .slice(0, rows.length)
    .map(causeDetail)
    .filter((part) => budget.take(part))
  const folded = rest.map(groupRow).filter((row) => budget.take(row))
  const left = [
    leftOutText(grave.length - rows.length, 'cause', 'left out of the table'),
    leftOutText(rows.length - parts.length, 'detail', 'left out'),
    leftOutText(rest.length - folded.length, 'harmless finding', 'left out'),
  ].filter((part) => part !== '')
  const note =
    left.length === 0
      ? ''
      : `\n> ${left.join('; ')}, so that this fits in a comment: see the HTML or JSON report.\n`
  const harmless =
    folded.length === 0
      ? ''
      : `\n<details><summary>The rest: ${escapeMarkdown(harmlessCounts(report))}</summary>\n\n${tableOf('where', folded)}\n</details>\n`
  return `${head}${tableOf('hits', rows)}${parts.join('')}${harmless}${note}${suppressedNotes(report)}`
}

const leftOutText = (count: number, what: string, how: string): string =>
  count === 0 ? '' : `${plural(count, what)} ${how}`

const harmlessCounts = (report: DriftReport): string =>
  [...causesByGroup(report)]
    .flatMap(([group, { length }]) => (/^(?:breaking|risky)$/.test(group) ? [] : [`${length} ${group}`]))
    .join(', ')

const tableOf = (third: string, rows: readonly string[]): string =>
  rows.length === 0
    ? ''
    : `| | what | ${third} | × | fingerprint |\n|---|---|---|--:|---|\n${rows.join('')}\n`

/** Lines about noise and acceptances that are shown at most, each cut. */
const maxSuppressedLines = 5

function suppressedNotes(report: DriftReport): string {
  const lines = suppressedLines(report)
  const cut =
    lines.length > maxSuppressedLines ? [`and ${lines.length - maxSuppressedLines} such lines more`] : []
  const shown = [...lines.slice(-maxSuppressedLines), ...cut].map(
    (line) => `\n<sub>${escapeMarkdown(truncateText(line, 200))}</sub>\n`,
  )
  return shown.join('')
}

/** What still fits, in bytes; once something did not, nothing lighter of less weight is let in after it. */
class ByteBudget {
  #left: number
  #full = false

  constructor(limit: number, head: string) {
    this.#left = limit - Buffer.byteLength(head)
  }

  take(part: string): boolean {
    const bytes = Buffer.byteLength(part)
    if (this.#full || bytes > this.#left) this.#full = true
    else this.#left -= bytes
    return !this.#full
  }
}

function headMarkdown(report: DriftReport): string {
  const worst = [...causesByGroup(report).keys()][0]
  const mark = worst === undefined ? '✅' : severityMarks[worst]
  const remarks = report.remarks
    .map(({ text, fatal }) => `\n> ${fatal ? '⚠️ ' : ''}${escapeMarkdown(text)}\n`)
    .join('')
  const sides = `**A** ${escapeMarkdown(sideText(report.a))}<br>**B** ${escapeMarkdown(sideText(report.b))}<br>${comparedText(report)}`
  return `### ${mark} wikitape: ${escapeMarkdown(verdict(report))}\n\n${sides}\n${remarks}\n`
}

function causeRow(cause: Cause): string {
  const [worst] = cause.findings
  const count = cause.findings.reduce((sum, one) => sum + one.count, 0)
  const affected = `${affectedRequestsText(cause)}<br>${locationOf(worst)}`
  return tableRow(groupOf(worst), causeText(cause), affected, count, cause.fingerprint)
}

function groupRow(entry: FindingGroup): string {
  const group = groupOf(entry.kind === 'single' ? entry.finding : entry.first)
  const [title, where, count, fingerprint] =
    entry.kind === 'single'
      ? [entry.finding.title, locationOf(entry.finding), entry.finding.count, entry.finding.fingerprint]
      : [entry.title, inlineCode(truncateText(entry.places.join(', '), 300)), entry.count, '']
  return tableRow(group, title, where, count, fingerprint)
}

function tableRow(
  group: SeverityGroup,
  title: string,
  where: string,
  count: number,
  fingerprint: string,
): string {
  const cells = [
    `<span title="${severityMeanings[group]}">${severityMarks[group]} ${group}</span>`,
    escapeMarkdown(truncateText(title, 160)),
    where,
    timesText(count).slice(1),
    inlineCode(fingerprint),
  ]
  return `| ${cells.join(' | ')} |\n`
}

function locationOf(finding: Finding): string {
  const scope = finding.scope === '*' ? 'all requests' : inlineCode(scopeText(finding))
  return finding.place === '*' || finding.place === '' ? scope : `${scope}<br>${inlineCode(finding.place)}`
}

/** Characters of a value in a detail. */
const valueLimit = 400

/** Places of a cause that are named. */
const placeLimit = 8

function causeDetail(cause: Cause): string {
  const { findings, requests, fingerprint } = cause
  const [worst] = findings
  const [first] = requests
  const hits =
    first === undefined
      ? ''
      : `${plural(requests.length, 'request')}, e.g. ${inlineCode(truncateText(requestText(first), 300))}\n\n`
  const hint = worst.hint === undefined ? '' : `**Hint:** ${escapeMarkdown(worst.hint)}\n\n`
  const places = findings.slice(0, placeLimit).map((one) => `- ${findingLabel(one)}\n`)
  const more = findings.length > placeLimit ? `- and ${findings.length - placeLimit} more\n` : ''
  const list = findings.length === 1 ? '' : `${places.join('')}${more}\n`
  const summary = `${severityMarks[groupOf(worst)]} ${escapeMarkdown(truncateText(causeText(cause), 160))} ${inlineCode(fingerprint)}`
  return `\n<details><summary>${summary}</summary>\n\n${hint}${hits}${list}${samplesMarkdown(worst)}\n</details>\n`
}

const findingLabel = (finding: Finding): string =>
  `${inlineCode(finding.kind)} ${escapeMarkdown(truncateText(finding.title, 160))}: ${inlineCode(`${scopeText(finding)} ${finding.place}`.trim())}`

function samplesMarkdown({ samples }: Finding): string {
  const parts = samples.map(({ path, before, after, note }) => {
    const [a, b] = trimCommonStart(
      escapeControls(valueText(before)),
      escapeControls(valueText(after)),
      valueLimit,
    )
    const lines = [
      ...(before === undefined ? [] : [`- ${truncateText(a, valueLimit)}`]),
      ...(after === undefined ? [] : [`+ ${truncateText(b, valueLimit)}`]),
      ...(before === undefined && after === undefined && note !== '' ? [`  ${escapeControls(note)}`] : []),
    ]
    if (lines.length === 0) return ''
    const head = path === '' ? '' : `${inlineCode(path)}\n`
    return `${head}<pre lang="diff">${lines.map((line) => escapeHtml(line).replaceAll('@', '&#64;')).join('\n')}</pre>\n`
  })
  return parts.join('')
}

/** Text in which nothing is markup, a mention, or a link to an issue. */
const escapeMarkdown = (text: string): string =>
  escapeHtml(escapeControls(text)).replace(/[\\`*_{}[\]()#+!|~@]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const inlineCode = (text: string): string => (text === '' ? '' : `<code>${escapeMarkdown(text)}</code>`)
