/** Several versions in a row as one table: classes of requests and modules against steps. */

import type { Severity } from '../drift/changes/kinds.ts'
import type { Matrix, MatrixCell } from '../drift/findings/drift-matrix.ts'
import { type DriftReport, unaccepted } from '../drift/findings/drift-report.ts'
import type { Finding } from '../drift/findings/finding.ts'
import { visible } from '../text/escape-control-characters.ts'
import { plural } from '../text/plural.ts'
import { reportFormat, reportValue } from './formats/json-report.ts'
import { escapeText } from './html/html-finding.ts'
import { page } from './html/html-page.ts'
import { findingsHtml, quietHtml, remarksHtml } from './html/html-report.ts'
import { byGroup, driftWord, groups, quietLines, scopeText, signs, verdict } from './labels.ts'
import { cutColumns, widthOf, wrapColumns } from './terminal/column-width.ts'

const nameOf = ({ name, engine }: DriftReport['a']): string => (engine === '' ? name : engine)
const stepName = ({ a, b }: DriftReport): string => `${nameOf(a)} → ${nameOf(b)}`

/** @param columns of the terminal; steps that do not fit beside each other stand in tables below each other */
export function matrixTerminal(matrix: Matrix, columns: number): string {
  const width = Math.max(14, ...matrix.steps.map((one) => widthOf(stepName(one)) + 2))
  const most = Math.max(1, Math.floor((columns - leastName) / width))
  const verdicts = matrix.steps.flatMap((step) => [
    ...wrapColumns(visible(`${stepName(step)}: ${verdict(step)}`), columns),
    ...[
      ...step.remarks.map(({ text, fatal }) => `${fatal ? '!' : ','} ${text}`),
      ...quietLines(step),
    ].flatMap((text) => wrapColumns(visible(text), columns - 2).map((line) => `  ${line}`)),
  ])
  const tables: string[] = []
  for (let at = 0; at < matrix.steps.length; at += most)
    tables.push('', ...tableLines(matrix, [at, at + most], width, columns))
  return `${[...verdicts, ...tables].join('\n')}\n`
}

/** Columns for the names of requests and modules at least. */
const leastName = 16

function tableLines(
  { steps, rows }: Matrix,
  [from, to]: readonly [number, number],
  width: number,
  columns: number,
): readonly string[] {
  const heads = steps.slice(from, to).map(stepName)
  const first = Math.max(leastName, columns - width * heads.length)
  const line = ([name = '', ...cells]: readonly string[]): string =>
    cutColumns(
      [pad(cutColumns(visible(name), first - 1), first), ...cells.map((one) => pad(visible(one), width))]
        .join('')
        .trimEnd(),
      columns,
    )
  return [
    line(['', ...heads]),
    ...rows.map((row) => line([scopeText(row), ...row.cells.slice(from, to).map(cellText)])),
  ]
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
  const { steps } = matrix
  const worst = groups.find((group) => steps.some((step) => byGroup(unaccepted(step)).has(group)))
  const verdicts = steps.map(
    (step) =>
      `<p class="meta"><b>${escapeText(stepName(step))}</b> ${escapeText(verdict(step))}</p>${remarksHtml(step)}`,
  )
  const partial = steps.some(({ remarks }) => remarks.some(({ fatal }) => fatal))
    ? 'incomplete comparison: '
    : ''
  const found = worst === undefined ? 'no drift' : driftWord(worst)
  return page({
    title: `wikitape: ${steps.map(stepName).join(', ')}`,
    tone: partial === '' ? (worst ?? 'additive') : 'breaking',
    head: `<h1>${partial}${found} over ${plural(steps.length, 'step')}</h1>${verdicts.join('')}`,
    main: tableHtml(matrix) + steps.map((step, at) => stepHtml(step, at, steps.length)).join(''),
  })
}

function tableHtml({ steps, rows }: Matrix): string {
  const heads = steps.map((step, at) => `<th><a href="#step-${at}">${escapeText(stepName(step))}</a></th>`)
  const lines = rows.map(
    ({ scope, axis, cells }) =>
      `<tr><th><code>${escapeText(scope === '*' ? 'all requests' : scope)}</code>${axis === 'contract' ? ' <small>contract</small>' : ''}</th>${cells.map(cellHtml).join('')}</tr>`,
  )
  if (lines.length === 0) return ''
  return `<div class="scroll"><table class="matrix"><tr><th></th>${heads.join('')}</tr>${lines.join('')}</table></div>`
}

const stepHtml = (step: DriftReport, at: number, count: number): string =>
  `<h2 id="step-${at}">${escapeText(stepName(step))} <small>${escapeText(verdict(step))}</small></h2>` +
  findingsHtml(step, `s${at}-`, 1 / count) +
  quietHtml(step)

function cellHtml({ worst, findings }: MatrixCell, step: number): string {
  const [first] = findings
  if (worst === undefined || first === undefined) return '<td class="calm">·</td>'
  return `<td class="${worst}"><a href="#s${step}-${first.fingerprint}">${escapeText(signs[worst])} ${worst}${worstCount(worst, findings)}</a></td>`
}
