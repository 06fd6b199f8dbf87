/** `wikitape diff`: the drift between two cassettes, or a cassette and a live wiki; the report in the format of the flags, to a file or to stdout. */

import {
  type DriftReport,
  driftMatrixOf,
  exitCode
} from '../../../drift/findings/drift-report.ts'
import { failOnValues } from '../../../drift/findings/fail-on.ts'
import { failureText, verdict } from '../../../drift/report/drift-counts.ts'
import { jsonReport } from '../../../drift/report/formats/json-report.ts'
import { junitReport } from '../../../drift/report/formats/junit-report.ts'
import { markdownReport } from '../../../drift/report/formats/markdown-report.ts'
import {
  type CassetteFiles,
  sarifReport
} from '../../../drift/report/formats/sarif-report.ts'
import { htmlReport } from '../../../drift/report/html/html-report.ts'
import { joinParts } from '../../../drift/report/labels.ts'
import {
  matrixClients,
  matrixHtml,
  matrixJson,
  matrixTerminal
} from '../../../drift/report/matrix-report.ts'
import { clientsReport } from '../../../drift/report/terminal/clients-report.ts'
import {
  detailLevels,
  type TerminalOptions,
  terminalReport
} from '../../../drift/report/terminal/terminal-report.ts'
import type { RequestKey } from '../../../recorder/request/request-key.ts'
import { CassetteStore } from '../../../recorder/store/cassette-store.ts'
import { textInside } from '../../../recorder/store/files/paths-inside.ts'
import { readOrElse } from '../../../recorder/text/error-text.ts'
import { escapeCommands } from '../../../recorder/text/escape-control-characters.ts'
import { getOrAdd } from '../../../recorder/text/group-by.ts'
import {
  type Command,
  choiceFlag,
  expectArgs,
  type Invocation,
  UsageError
} from '../../args/command.ts'
import { readAcceptances } from '../../files/drift-files.ts'
import { writeText } from '../../files/text-files.ts'
import { packageVersion } from '../../package-version.ts'
import { printNote, usesColour, writeUnescaped } from '../../terminal/terminal-output.ts'
import { compareSides } from './compare-sides.ts'

export const driftFormats = [
  'terminal',
  'json',
  'markdown',
  'junit',
  'sarif',
  'html',
  'clients'
] as const
type DriftFormat = (typeof driftFormats)[number]
const matrixFormats: readonly DriftFormat[] = ['terminal', 'json', 'html', 'clients']

export const diffCommand: Command = {
  name: 'diff',
  async run(call) {
    const output = readDriftOutput(call)
    const names = expectArgs(diffCommand, call, Infinity, 2)
    const isMatrix = call.isOn('matrix') || names.length > 2
    if (isMatrix) assertMatrixFormat(output.format)
    const acceptances = readAcceptances(call, 'accept')
    const reports = await compareSides(names, acceptances, call)
    const { file, format, failOn } = output
    const text = isMatrix
      ? matrixText(reports, output)
      : reports.map((report) => writers[format](report, output)).join('')
    if (file !== undefined) writeText(file, text)
    // As bytes: it has colours, and the text between them is escaped already.
    else if (format === 'terminal') call.stdout(Buffer.from(escapeCommands(text)))
    else writeUnescaped(call, text)
    for (const report of reports) {
      const failure = failureText(report, failOn)
      const sides = `${report.a.name} → ${report.b.name}`
      if (file !== undefined)
        printNote(
          call,
          `${sides}: ${joinParts([verdict(report), failure], '; ')}: ${file}`
        )
      // The terminal's report says why it fails.
      else if (failure !== '' && (isMatrix || format !== 'terminal'))
        printNote(call, `${sides}: ${failure}`)
    }
    // Last, for readers who see only the end of a log.
    for (const { text, fatal } of reports.flatMap(({ remarks }) => remarks))
      if (fatal) printNote(call, `incomplete comparison: ${text}`)
    return Math.max(0, ...reports.map((report) => exitCode(report, failOn)))
  }
}

interface DriftOutput extends TerminalOptions {
  readonly format: DriftFormat
  readonly file: string | undefined
}

/** Read before anything is compared. @throws UsageError */
export function readDriftOutput(call: Invocation): DriftOutput {
  const format = call.isOn('json')
    ? 'json'
    : (choiceFlag(call, 'format', driftFormats) ?? 'terminal')
  const file = call.value('output')
  const { stdout } = process
  return {
    format,
    failOn: choiceFlag(call, 'fail-on', failOnValues) ?? 'breaking',
    show: choiceFlag(call, 'show', detailLevels) ?? 'some',
    file,
    columns: Math.max(40, Number(call.env['COLUMNS']) || stdout.columns || 80),
    colour: file === undefined && usesColour(stdout.isTTY, call.env)
  }
}

function assertMatrixFormat(format: DriftFormat) {
  if (!matrixFormats.includes(format))
    throw new UsageError(
      `--matrix has no format "${format}"; expected one of ${matrixFormats.join(', ')}`
    )
}

const writers: Readonly<
  Record<DriftFormat, (report: DriftReport, output: DriftOutput) => string>
> = {
  terminal: terminalReport,
  json: jsonReport,
  markdown: (report) => markdownReport(report),
  junit: (report, { failOn }) => junitReport(report, failOn),
  sarif: (report) => sarifReport(report, packageVersion(), cassetteFiles()),
  html: htmlReport,
  clients: (report, { columns }) => clientsReport(report, columns)
}

function matrixText(reports: readonly DriftReport[], { format, columns }: DriftOutput) {
  const matrix = driftMatrixOf(reports)
  if (format === 'html') return matrixHtml(matrix)
  if (format === 'clients') return matrixClients(matrix, columns)
  return format === 'json' ? matrixJson(matrix) : matrixTerminal(matrix, columns)
}

/** Opens each cassette once. What cannot be read counts as absent: the comparison has reported it. */
export function cassetteFiles(): CassetteFiles {
  const paths = new Map<string, ReadonlyMap<RequestKey, string>>()
  return {
    pathOf: (cassette, key) =>
      getOrAdd(paths, cassette, () => new Map(CassetteStore.open(cassette).paths())).get(
        key
      ),
    textOf: (cassette, file) => readOrElse(undefined, () => textInside(cassette, file))
  }
}
