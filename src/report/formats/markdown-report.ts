/** A report for a pull request's comment: fits in 64 KB, and says what it left out. */
import type { Cause } from '../../drift/findings/cause.ts'
import type { DriftReport } from '../../drift/findings/drift-report.ts'
import type { Finding } from '../../drift/findings/finding.ts'
import { cutText, visible } from '../../text/escape-control-characters.ts'
import { plural } from '../../text/plural.ts'
import { escapeHtml } from '../../wiki/answers/envelope.ts'
import { type Folded, foldFindings } from '../group-findings.ts'
import {
  causesByGroup,
  causeText,
  comparedText,
  type Group,
  groupOf,
  hitsText,
  meanings,
  quietLines,
  scopeText,
  sideText,
  timesText,
  valueText,
  verdict,
} from '../labels.ts'
import { fromDifference } from '../word-diff.ts'
import { requestText } from './json-report.ts'

/** GitHub refuses comments from 65,536 bytes on. */
export const commentBytes = 60_000

const marks: Readonly<Record<Group, string>> = {
  breaking: '🔴',
  risky: '🟠',
  additive: '🟢',
  note: '🔵',
  cosmetic: '⚪',
  noise: '⚪',
  data: '📄',
}

export function markdownReport(report: DriftReport, limit: number = commentBytes): string {
  const head = headOf(report)
  const budget = new Budget(limit - 700 - Buffer.byteLength(quietOf(report)), head)
  const isGrave = ({ findings: [worst] }: Cause): boolean => /^(?:breaking|risky)$/.test(groupOf(worst))
  const grave = report.causes.filter(isGrave)
  const rest = foldFindings(report.causes.filter((one) => !isGrave(one)).flatMap(({ findings }) => findings))
  const rows = grave.map(causeRow).filter((row) => budget.take(row))
  const parts = grave
    .slice(0, rows.length)
    .map(detailOf)
    .filter((part) => budget.take(part))
  const folded = rest.map(rowOf).filter((row) => budget.take(row))
  const left = [
    leftText(grave.length - rows.length, 'cause', 'left out of the table'),
    leftText(rows.length - parts.length, 'detail', 'left out'),
    leftText(rest.length - folded.length, 'harmless finding', 'left out'),
  ].filter((part) => part !== '')
  const note =
    left.length === 0
      ? ''
      : `\n> ${left.join('; ')}, so that this fits in a comment: see the HTML or JSON report.\n`
  const harmless =
    folded.length === 0
      ? ''
      : `\n<details><summary>The rest: ${plain(restText(report))}</summary>\n\n${tableOf('where', folded)}\n</details>\n`
  return `${head}${tableOf('hits', rows)}${parts.join('')}${harmless}${note}${quietOf(report)}`
}

const leftText = (count: number, what: string, how: string): string =>
  count === 0 ? '' : `${plural(count, what)} ${how}`

const restText = (report: DriftReport): string =>
  [...causesByGroup(report)]
    .flatMap(([group, { length }]) => (/^(?:breaking|risky)$/.test(group) ? [] : [`${length} ${group}`]))
    .join(', ')

const tableOf = (third: string, rows: readonly string[]): string =>
  rows.length === 0
    ? ''
    : `| | what | ${third} | × | fingerprint |\n|---|---|---|--:|---|\n${rows.join('')}\n`

/** Lines about noise and acceptances that are shown at most, each cut. */
const quietLimit = 5

function quietOf(report: DriftReport): string {
  const lines = quietLines(report)
  const cut = lines.length > quietLimit ? [`and ${lines.length - quietLimit} such lines more`] : []
  const shown = [...lines.slice(-quietLimit), ...cut].map(
    (line) => `\n<sub>${plain(cutText(line, 200))}</sub>\n`,
  )
  return shown.join('')
}

/** What still fits, in bytes; once something did not, nothing lighter of less weight is let in after it. */
class Budget {
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

function headOf(report: DriftReport): string {
  const worst = [...causesByGroup(report).keys()][0]
  const mark = worst === undefined ? '✅' : marks[worst]
  const remarks = report.remarks.map(({ text, fatal }) => `\n> ${fatal ? '⚠️ ' : ''}${plain(text)}\n`).join('')
  const sides = `**A** ${plain(sideText(report.a))}<br>**B** ${plain(sideText(report.b))}<br>${comparedText(report)}`
  return `### ${mark} wikitape: ${plain(verdict(report))}\n\n${sides}\n${remarks}\n`
}

function causeRow(cause: Cause): string {
  const [worst] = cause.findings
  const count = cause.findings.reduce((sum, one) => sum + one.count, 0)
  const asked = `${hitsText(cause)}<br>${whereOf(worst)}`
  return row(groupOf(worst), causeText(cause), asked, count, cause.fingerprint)
}

function rowOf(entry: Folded): string {
  const group = groupOf(entry.kind === 'single' ? entry.finding : entry.first)
  const [title, where, count, print] =
    entry.kind === 'single'
      ? [entry.finding.title, whereOf(entry.finding), entry.finding.count, entry.finding.fingerprint]
      : [entry.title, code(cutText(entry.places.join(', '), 300)), entry.count, '']
  return row(group, title, where, count, print)
}

function row(group: Group, title: string, where: string, count: number, print: string): string {
  const cells = [
    `<span title="${meanings[group]}">${marks[group]} ${group}</span>`,
    plain(cutText(title, 160)),
    where,
    timesText(count).slice(1),
    code(print),
  ]
  return `| ${cells.join(' | ')} |\n`
}

function whereOf(finding: Finding): string {
  const scope = finding.scope === '*' ? 'all requests' : code(scopeText(finding))
  return finding.place === '*' || finding.place === '' ? scope : `${scope}<br>${code(finding.place)}`
}

/** Characters of a value in a detail. */
const valueLimit = 400

/** Places of a cause that are named. */
const placeLimit = 8

function detailOf(cause: Cause): string {
  const { findings, asked, fingerprint } = cause
  const [worst] = findings
  const [first] = asked
  const hits =
    first === undefined
      ? ''
      : `${plural(asked.length, 'request')}, e.g. ${code(cutText(requestText(first), 300))}\n\n`
  const hint = worst.hint === undefined ? '' : `**Hint:** ${plain(worst.hint)}\n\n`
  const places = findings.slice(0, placeLimit).map((one) => `- ${whatOf(one)}\n`)
  const more = findings.length > placeLimit ? `- and ${findings.length - placeLimit} more\n` : ''
  const list = findings.length === 1 ? '' : `${places.join('')}${more}\n`
  const summary = `${marks[groupOf(worst)]} ${plain(cutText(causeText(cause), 160))} ${code(fingerprint)}`
  return `\n<details><summary>${summary}</summary>\n\n${hint}${hits}${list}${samplesOf(worst)}\n</details>\n`
}

const whatOf = (finding: Finding): string =>
  `${code(finding.kind)} ${plain(cutText(finding.title, 160))}: ${code(`${scopeText(finding)} ${finding.place}`.trim())}`

function samplesOf({ samples }: Finding): string {
  const parts = samples.map(({ path, before, after, note }) => {
    const [a, b] = fromDifference(visible(valueText(before)), visible(valueText(after)), valueLimit)
    const lines = [
      ...(before === undefined ? [] : [`- ${cutText(a, valueLimit)}`]),
      ...(after === undefined ? [] : [`+ ${cutText(b, valueLimit)}`]),
      ...(before === undefined && after === undefined && note !== '' ? [`  ${visible(note)}`] : []),
    ]
    if (lines.length === 0) return ''
    const head = path === '' ? '' : `${code(path)}\n`
    return `${head}<pre lang="diff">${lines.map((line) => escapeHtml(line).replaceAll('@', '&#64;')).join('\n')}</pre>\n`
  })
  return parts.join('')
}

/** Text in which nothing is markup, a mention, or a link to an issue. */
const plain = (text: string): string =>
  escapeHtml(visible(text)).replace(/[\\`*_{}[\]()#+!|~@]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const code = (text: string): string => (text === '' ? '' : `<code>${plain(text)}</code>`)
