/** A report in the form that was asked for, where it was asked for. */

import { matrixOf } from '../../drift/findings/drift-matrix.ts'
import type { DriftReport } from '../../drift/findings/drift-report.ts'
import type { FailOn } from '../../drift/findings/fail-on.ts'
import { failOnValues } from '../../drift/findings/fail-on.ts'
import { jsonReport } from '../../report/formats/json-report.ts'
import { junitReport } from '../../report/formats/junit-report.ts'
import { markdownReport } from '../../report/formats/markdown-report.ts'
import { patchReport } from '../../report/formats/patch-report.ts'
import { sarifReport } from '../../report/formats/sarif-report.ts'
import { htmlReport } from '../../report/html/html-report.ts'
import { verdict } from '../../report/labels.ts'
import { matrixHtml, matrixJson, matrixTerminal } from '../../report/matrix-report.ts'
import { type Show, showValues, terminalReport } from '../../report/terminal/terminal-report.ts'
import { type Given, type Shell, UsageError } from '../args/command.ts'
import { writeText } from '../files/drift-files.ts'
import { packageVersion } from '../package-version.ts'
import { outAsItIs } from '../terminal/terminal-output.ts'

export const formats = ['terminal', 'json', 'markdown', 'junit', 'sarif', 'html', 'patch'] as const
type Format = (typeof formats)[number]
/** Forms that a table of several steps has. */
const matrixFormats: readonly Format[] = ['terminal', 'json', 'html']

export interface Output {
  readonly format: Format
  readonly failOn: FailOn
  readonly show: Show
  readonly file: string | undefined
  readonly columns: number
  readonly colour: boolean
}

/** Flags are read before anything is asked or compared. @throws UsageError */
export function outputOf(given: Given, shell: Shell): Output {
  const format = given.on('json') ? 'json' : choice(given, 'format', formats, 'terminal')
  if (given.on('matrix') && !matrixFormats.includes(format))
    throw new UsageError(`--matrix has no format "${format}"; expected one of ${matrixFormats.join(', ')}`)
  const file = given.text('output')
  const { stdout } = process
  return {
    format,
    failOn: choice(given, 'fail-on', failOnValues, 'breaking'),
    show: choice(given, 'show', showValues, 'some'),
    file,
    columns: Math.max(40, Number(shell.env['COLUMNS']) || stdout.columns || 80),
    colour: file === undefined && stdout.isTTY && (shell.env['NO_COLOR'] ?? '') === '',
  }
}

function choice<T extends string>(given: Given, flag: string, values: readonly T[], standard: T): T {
  const text = given.text(flag)
  if (text === undefined) return standard
  const found = values.find((one) => one === text)
  if (found === undefined)
    throw new UsageError(`--${flag} is "${text}"; expected one of ${values.join(', ')}`)
  return found
}

/** @throws StoreError where the file cannot be written */
export function writeReports(
  reports: readonly DriftReport[],
  isMatrix: boolean,
  output: Output,
  shell: Shell,
): void {
  const [first] = reports
  const text = isMatrix ? matrixText(reports, output) : first === undefined ? '' : reportText(first, output)
  if (output.file === undefined) {
    // Its own colours are no text; what stands between them is spelled out already.
    if (output.format === 'terminal') shell.out(Buffer.from(text))
    else outAsItIs(shell, text)
    return
  }
  writeText(output.file, text)
  for (const report of reports)
    shell.err(`wikitape: ${report.a.name} → ${report.b.name}: ${verdict(report)}: ${output.file}\n`)
}

function reportText(report: DriftReport, output: Output): string {
  switch (output.format) {
    case 'terminal':
      return terminalReport(report, output)
    case 'json':
      return jsonReport(report)
    case 'markdown':
      return markdownReport(report)
    case 'junit':
      return junitReport(report, output.failOn)
    case 'sarif':
      return sarifReport(report, packageVersion())
    case 'html':
      return htmlReport(report)
    case 'patch':
      return patchReport(report)
  }
}

function matrixText(reports: readonly DriftReport[], { format, columns }: Output): string {
  const matrix = matrixOf(reports)
  if (format === 'html') return matrixHtml(matrix)
  return format === 'json' ? matrixJson(matrix) : matrixTerminal(matrix, columns)
}
