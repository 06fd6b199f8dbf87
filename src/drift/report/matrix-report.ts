/** A report of several versions in a row: one table of request classes and modules by steps. */

import { escapeControls } from '../../recorder/text/escape-control-characters.ts'
import { plural } from '../../recorder/text/words.ts'
import type { Cause } from '../findings/cause.ts'
import {
  type DriftMatrix,
  type DriftReport,
  isPartial
} from '../findings/drift-report.ts'
import type { Finding } from '../findings/finding.ts'
import {
  causeGroup,
  causesByGroup,
  driftCounts,
  driftWord,
  groupWord,
  isSeriousCause,
  partialText,
  verdict
} from './drift-counts.ts'
import { reportFormat, reportValue } from './formats/json-report.ts'
import { escapeHtmlText } from './html/html-finding.ts'
import { htmlPage } from './html/html-page.ts'
import { findingsHtml, remarksHtml, suppressedHtml } from './html/html-report.ts'
import {
  scopeName,
  scopeText,
  severityGroups,
  severityStyles,
  suppressedLines
} from './labels.ts'
import { clientsReport } from './terminal/clients-report.ts'
import { truncateColumns, widthOf, wrapColumns } from './terminal/column-width.ts'

const versionName = ({ name, engine }: DriftReport['a']) =>
  engine === '' ? name : engine
const stepName = ({ a, b }: DriftReport) => `${versionName(a)} → ${versionName(b)}`

/** Least columns for the names of requests and modules. */
const minNameColumns = 16

/** @param columns of the terminal; steps that do not fit in one table continue in the next */
export function matrixTerminal({ steps, rows }: DriftMatrix, columns: number): string {
  const width = Math.max(14, ...steps.map((one) => widthOf(stepName(one)) + 2))
  const maxSteps = Math.max(1, Math.floor((columns - minNameColumns) / width))
  const verdicts = steps.flatMap((step) => {
    const remarks = step.remarks.map(({ text, fatal }) => `${fatal ? '!' : ','} ${text}`)
    const notes = [...remarks, ...suppressedLines(step)]
    return [
      ...wrapColumns(escapeControls(`${stepName(step)}: ${verdict(step)}`), columns),
      ...notes
        .flatMap((text) => wrapColumns(escapeControls(text), columns - 2))
        .map((line) => `  ${line}`)
    ]
  })
  const tables: string[] = []
  for (let from = 0; from < steps.length; from += maxSteps) {
    const heads = steps.slice(from, from + maxSteps).map(stepName)
    const first = Math.max(minNameColumns, columns - width * heads.length)
    const line = ([name = '', ...cells]: readonly string[]) => {
      const label = padColumns(truncateColumns(escapeControls(name), first - 1), first)
      const texts = cells.map((one) => padColumns(escapeControls(one), width))
      return truncateColumns([label, ...texts].join('').trimEnd(), columns)
    }
    const lines = rows.map(({ scope, axis, cells }) => {
      const texts = cells.map((cell, at) => cellText(cell, steps[at]))
      return line([scopeText({ scope, axis }), ...texts.slice(from, from + maxSteps)])
    })
    tables.push('', line(['', ...heads]), ...lines)
  }
  const came = steps.flatMap((step) => causesThatCame(step, columns))
  return `${[...verdicts, ...tables, '', ...came].join('\n').trimEnd()}\n`
}

/** The step, and what came with it that may break a client. */
function causesThatCame(step: DriftReport, columns: number) {
  const serious = step.causes.filter(isSeriousCause)
  const lines = serious.map((cause) => {
    const { sign } = severityStyles[causeGroup(cause)]
    return truncateColumns(`  ${sign} ${escapeControls(cause.title)}`, columns)
  })
  return lines.length === 0
    ? []
    : [truncateColumns(escapeControls(`came with ${stepName(step)}:`), columns), ...lines]
}

const padColumns = (text: string, columns: number) =>
  text + ' '.repeat(Math.max(0, columns - widthOf(text)))

/** The worst severity of a cell, and the number of its causes if there are several; of a calm cell a dot. */
function cellText(cell: readonly Finding[], step: DriftReport | undefined) {
  const [worst] = cell
  if (!worst) return '·'
  const count = worstCauses(cell, step)
  return `${severityStyles[worst.severity].sign} ${worst.severity}${count > 1 ? ` ×${count}` : ''}`
}

/** How many causes have a finding of the worst severity in a cell. */
function worstCauses(cell: readonly Finding[], step: DriftReport | undefined) {
  const shown = new Set(cell.filter(({ severity }) => severity === cell[0]?.severity))
  const isShown = ({ findings }: Cause) => findings.some((one) => shown.has(one))
  return step?.causes.filter(isShown).length ?? 0
}

/** Whom to tell of each step. */
export const matrixClients = ({ steps }: DriftMatrix, columns: number): string =>
  steps.map((step) => clientsReport(step, columns)).join('\n')

/** The matrix as JSON: each step's report, and the rows with the number of causes and the fingerprints. */
export function matrixJson({ steps, rows }: DriftMatrix): string {
  const value = {
    format: reportFormat,
    steps: steps.map(reportValue),
    rows: rows.map(({ scope, axis, cells }) => ({
      scope,
      axis,
      cells: cells.map((cell, at) => ({
        worst: cell[0]?.severity ?? null,
        causes: worstCauses(cell, steps[at]),
        findings: cell.map(({ fingerprint }) => fingerprint)
      }))
    }))
  }
  return `${JSON.stringify(value, undefined, 2)}\n`
}

/** The matrix as HTML: a picture of the steps, the table, and below it each step's findings, to which the cells link. */
export function matrixHtml(matrix: DriftMatrix): string {
  const { steps } = matrix
  const worst = severityGroups.find((group) =>
    steps.some((step) => causesByGroup(step).has(group))
  )
  const verdicts = steps.map(
    (step) =>
      `<p class="meta"><b>${escapeHtmlText(stepName(step))}</b> ${escapeHtmlText(verdict(step))}</p>${remarksHtml(step)}`
  )
  const sections = steps.map(
    (step, at) =>
      `<h2 id="step-${at}">${escapeHtmlText(stepName(step))} <small>${escapeHtmlText(verdict(step))}</small></h2>` +
      findingsHtml(step, `s${at}-`, 1 / steps.length) +
      suppressedHtml(step)
  )
  const isIncomplete = steps.some(isPartial)
  const found = worst ? driftWord(worst) : 'no drift'
  const heading = `${partialText(isIncomplete)}${found} over ${plural(steps.length, 'step')}`
  return htmlPage({
    title: `wikitape: ${steps.map(stepName).join(', ')}`,
    tone: isIncomplete ? 'breaking' : (worst ?? 'additive'),
    head: `<h1>${heading}</h1>${verdicts.join('')}`,
    main: timelineHtml(steps) + tableHtml(matrix) + sections.join('')
  })
}

/** A bar for each step, of its causes by severity. */
function timelineHtml(steps: readonly DriftReport[]) {
  const most = Math.max(1, ...steps.map(({ causes }) => causes.length))
  const rows = steps.map((step, at) => {
    const parts = [...driftCounts(step).open].map(
      ([group, count]) =>
        `<i class="${group}" style="flex-grow:${count}" title="${count} ${groupWord(group)}">${count}</i>`
    )
    const width = Math.round((100 * step.causes.length) / most)
    const bar = `<span style="width:${width}%">${parts.join('')}</span>`
    return `<li><a href="#step-${at}">${escapeHtmlText(stepName(step))}</a>${bar}</li>`
  })
  return `<ol class="steps" aria-label="causes of each step, by severity">${rows.join('')}</ol>`
}

function tableHtml({ steps, rows }: DriftMatrix) {
  const heads = steps.map(
    (step, at) => `<th><a href="#step-${at}">${escapeHtmlText(stepName(step))}</a></th>`
  )
  const lines = rows.map(
    ({ scope, axis, cells }) =>
      `<tr><th><code>${escapeHtmlText(scopeName({ scope }))}</code>${axis === 'contract' ? ' <small>contract</small>' : ''}</th>${cells.map((cell, at) => cellHtml(cell, steps[at], at)).join('')}</tr>`
  )
  if (lines.length === 0) return ''
  return `<div class="scroll"><table class="matrix"><tr><td></td>${heads.join('')}</tr>${lines.join('')}</table></div>`
}

function cellHtml(cell: readonly Finding[], step: DriftReport | undefined, at: number) {
  const [worst] = cell
  const text = escapeHtmlText(cellText(cell, step))
  if (!worst) return `<td class="calm">${text}</td>`
  return `<td class="${worst.severity}"><a href="#s${at}-${worst.fingerprint}">${text}</a></td>`
}
