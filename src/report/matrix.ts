/** Several versions in a row as one table: classes of requests and modules against steps. */
import type { Finding } from '../drift/finding.ts'
import type { Severity } from '../drift/kinds.ts'
import type { Matrix, MatrixCell } from '../drift/matrix.ts'
import type { DriftReport } from '../drift/report.ts'
import { findingsHtml } from './html.ts'
import { escapeText } from './html-finding.ts'
import { page } from './html-page.ts'
import { reportFormat, reportValue } from './json.ts'
import { cutColumns, widthOf } from './width.ts'
import { plural, signs, verdict, visible } from './words.ts'

const nameOf = ({ name, engine }: DriftReport['a']): string => (engine === '' ? name : engine)
const stepName = ({ a, b }: DriftReport): string => `${nameOf(a)} → ${nameOf(b)}`
const rowName = (scope: string): string => (scope === '*' ? 'all requests' : scope)

/** @param columns of the terminal */
export function matrixTerminal(matrix: Matrix, columns: number): string {
  const steps = matrix.steps.map(stepName)
  const width = Math.max(14, ...steps.map((one) => widthOf(one) + 2))
  const first = Math.max(16, columns - width * steps.length)
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) =>
        pad(cutColumns(visible(cell), at === 0 ? first - 1 : width - 1), at === 0 ? first : width),
      )
      .join('')
      .trimEnd()
  const rows = matrix.rows.map(({ scope, cells }) => line([rowName(scope), ...cells.map(cellText)]))
  const verdicts = matrix.steps.map((step) =>
    cutColumns(`${stepName(step)}: ${visible(verdict(step))}`, columns),
  )
  return `${[...verdicts, '', line(['', ...steps]), ...rows].join('\n')}\n`
}

const pad = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - widthOf(text)))

const cellText = ({ worst, findings }: MatrixCell): string =>
  worst === undefined ? '·' : `${signs[worst]} ${worst}${worstCount(worst, findings)}`

/** How many findings of the worst severity a cell stands for; lighter ones are read below. */
function worstCount(worst: Severity, findings: readonly Finding[]): string {
  const count = findings.filter(({ severity }) => severity === worst).length
  return count > 1 ? ` ×${count}` : ''
}

/** The same for programs: each step's report, and the rows with fingerprints. */
export function matrixJson({ steps, rows }: Matrix): string {
  const value = {
    format: reportFormat,
    steps: steps.map(reportValue),
    rows: rows.map(({ scope, axis, cells }) => ({
      scope,
      axis,
      cells: cells.map(({ worst, findings }) => ({
        worst: worst ?? null,
        findings: findings.map(({ fingerprint }) => fingerprint),
      })),
    })),
  }
  return `${JSON.stringify(value, undefined, 2)}\n`
}

/** The table, and below it every step's findings, which the cells link to. */
export function matrixHtml(matrix: Matrix): string {
  const heads = matrix.steps.map(
    (step, at) => `<th><a href="#step-${at}">${escapeText(stepName(step))}</a></th>`,
  )
  const rows = matrix.rows.map(
    ({ scope, axis, cells }) =>
      `<tr><th><code>${escapeText(rowName(scope))}</code>${axis === 'contract' ? ' <small>contract</small>' : ''}</th>${cells.map(cellHtml).join('')}</tr>`,
  )
  const steps = matrix.steps.map(
    (step, at) =>
      `<h2 id="step-${at}">${escapeText(stepName(step))} <small>${escapeText(verdict(step))}</small></h2>${findingsHtml(step.findings, `s${at}-`)}`,
  )
  return page({
    title: `wikitape: ${matrix.steps.map(stepName).join(', ')}`,
    tone: 'note',
    head: `<h1>Drift over ${plural(matrix.steps.length, 'step')}</h1>`,
    main: `<div class="scroll"><table class="matrix"><tr><th></th>${heads.join('')}</tr>${rows.join('')}</table></div>${steps.join('')}`,
  })
}

function cellHtml({ worst, findings }: MatrixCell, step: number): string {
  const [first] = findings
  if (worst === undefined || first === undefined) return '<td class="calm">·</td>'
  return `<td class="${worst}"><a href="#s${step}-${first.fingerprint}">${escapeText(signs[worst])} ${worst}${worstCount(worst, findings)}</a></td>`
}
