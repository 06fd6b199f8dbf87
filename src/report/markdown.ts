/** A report for a pull request's comment: fits in 64 KB, and says what it left out. */
import type { Finding } from '../drift/finding.ts'
import { type DriftReport, unaccepted } from '../drift/report.ts'
import { escapeHtml } from '../wiki/envelope.ts'
import { type Folded, foldFindings } from './fold.ts'
import { fromDifference } from './highlight.ts'
import { requestText } from './json.ts'
import {
  byGroup,
  comparedText,
  cutText,
  type Group,
  groupOf,
  meanings,
  plural,
  quietLines,
  scopeText,
  sideText,
  timesText,
  valueText,
  verdict,
  visible,
} from './words.ts'

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
  const open = unaccepted(report)
  const head = headOf(report)
  const budget = new Budget(limit - 400 - Buffer.byteLength(quietOf(report)), head)
  const all = foldFindings(open).map((entry) => ({
    row: rowOf(entry),
    holds: entry.kind === 'single' ? 1 : entry.holds,
  }))
  const rows = all.filter(({ row }) => budget.take(row))
  const hidden = open.length - rows.reduce((sum, { holds }) => sum + holds, 0)
  const detailed = open.filter(
    (one) => one.axis !== 'data' && (one.severity === 'breaking' || one.severity === 'risky'),
  )
  const parts = detailed.map(detailOf).filter((part) => budget.take(part))
  const left = [
    hidden > 0 ? `${plural(hidden, 'finding')} left out of the table` : '',
    detailed.length > parts.length ? `${plural(detailed.length - parts.length, 'detail')} left out` : '',
  ].filter((part) => part !== '')
  const table =
    rows.length === 0
      ? ''
      : `| | what | where | × | fingerprint |\n|---|---|---|--:|---|\n${rows.map(({ row }) => row).join('')}\n`
  const note =
    left.length === 0
      ? ''
      : `\n> ${left.join('; ')}, so that this fits in a comment: see the HTML or JSON report.\n`
  return `${head}${table}${parts.join('')}${note}${quietOf(report)}`
}

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
  const worst = [...byGroup(unaccepted(report)).keys()][0]
  const mark = worst === undefined ? '✅' : marks[worst]
  const remarks = report.remarks.map(({ text, fatal }) => `\n> ${fatal ? '⚠️ ' : ''}${plain(text)}\n`).join('')
  const sides = `**A** ${plain(sideText(report.a))}<br>**B** ${plain(sideText(report.b))}<br>${comparedText(report)}`
  return `### ${mark} wikitape: ${plain(verdict(report))}\n\n${sides}\n${remarks}\n`
}

function rowOf(entry: Folded): string {
  const group = groupOf(entry.kind === 'single' ? entry.finding : entry.first)
  const [title, where, count, print] =
    entry.kind === 'single'
      ? [entry.finding.title, whereOf(entry.finding), entry.finding.count, code(entry.finding.fingerprint)]
      : [entry.title, code(cutText(entry.places.join(', '), 300)), entry.count, '']
  const cells = [
    `<span title="${meanings[group]}">${marks[group]} ${group}</span>`,
    plain(cutText(title, 160)),
    where,
    timesText(count).slice(1),
    print,
  ]
  return `| ${cells.join(' | ')} |\n`
}

function whereOf(finding: Finding): string {
  const scope = finding.scope === '*' ? 'all requests' : code(scopeText(finding))
  return finding.place === '*' || finding.place === '' ? scope : `${scope}<br>${code(finding.place)}`
}

/** Characters of a value in a detail. */
const valueLimit = 400

function detailOf(finding: Finding): string {
  const samples = finding.samples.map(({ path, before, after, note }) => {
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
  const [asked] = finding.asked
  const request =
    asked === undefined
      ? ''
      : `${plural(finding.asked.length, 'request')}, e.g. ${code(cutText(requestText(asked), 300))}\n\n`
  const hint = finding.hint === undefined ? '' : `**Hint:** ${plain(finding.hint)}\n\n`
  const summary = `${marks[groupOf(finding)]} ${plain(cutText(finding.title, 160))}: ${code(scopeText(finding))} ${code(finding.fingerprint)}`
  return `\n<details><summary>${summary}</summary>\n\n${hint}${request}${samples.join('')}\n</details>\n`
}

/** Text in which nothing is markup, a mention, or a link to an issue. */
const plain = (text: string): string =>
  escapeHtml(visible(text)).replace(/[\\`*_{}[\]()#+!|~@]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const code = (text: string): string => (text === '' ? '' : `<code>${plain(text)}</code>`)
