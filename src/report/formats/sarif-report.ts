/** The report for code scanning (SARIF 2.1.0): one result for each finding of behaviour or contract, at the interaction's file. */
import { interactionPath } from '../../cassette/interaction-path.ts'
import { type Kind, kinds, type Severity } from '../../drift/changes/kinds.ts'
import type { DriftReport } from '../../drift/findings/drift-report.ts'
import type { Finding } from '../../drift/findings/finding.ts'
import { plural } from '../../text/plural.ts'
import { joinParts, placeText, suppressedLines, timesText } from '../labels.ts'

/** GitHub reads at most this many results. */
export const maxResults = 5_000

type SarifLevel = 'error' | 'warning' | 'note'

const levels: Readonly<Record<Severity, SarifLevel>> = {
  breaking: 'error',
  risky: 'warning',
  additive: 'note',
  note: 'note',
  cosmetic: 'note',
  noise: 'note',
}

/** @param version of wikitape */
export function sarifReport(report: DriftReport, version: string): string {
  // Code scanning is not about the content of a wiki.
  const reportable = report.findings.filter(({ axis }) => axis !== 'data')
  const shown = reportable.slice(0, maxResults)
  const used = [...new Set(shown.map(({ kind }) => kind))].sort()
  const left = reportable.length - shown.length
  const data = report.findings.length - reportable.length
  const run = {
    tool: { driver: { name: 'wikitape', version, rules: used.map(sarifRule) } },
    results: shown.map((finding) => sarifResult(finding, used, report)),
    invocations: [
      {
        executionSuccessful: !report.remarks.some(({ fatal }) => fatal),
        toolExecutionNotifications: [
          ...report.remarks.map(({ text, fatal }) => notification(fatal ? 'error' : 'note', text)),
          ...suppressedLines(report).map((text) => notification('note', text)),
          ...(data === 0 ? [] : [notification('note', `${plural(data, 'finding')} of data left out`)]),
          ...(left === 0
            ? []
            : [notification('warning', `${plural(left, 'finding')} beyond ${maxResults} left out`)]),
        ],
      },
    ],
  }
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }
  return `${JSON.stringify(log, undefined, 2)}\n`
}

const notification = (level: SarifLevel, text: string): unknown => ({ level, message: { text } })

const sarifRule = (kind: Kind): unknown => ({
  id: kind,
  shortDescription: { text: kinds[kind].words },
  defaultConfiguration: { level: levels[kinds[kind].rating.severity] },
})

function sarifResult(finding: Finding, rules: readonly Kind[], report: DriftReport): unknown {
  const { kind, severity, axis, title, hint, accepted, fingerprint, count } = finding
  const parts = [title, placeText(finding), timesText(count), hint === undefined ? '' : `Hint: ${hint}`]
  return {
    ruleId: kind,
    ruleIndex: rules.indexOf(kind),
    level: levels[severity],
    message: { text: joinParts(parts, '\n') },
    locations: [
      { physicalLocation: { artifactLocation: { uri: fileUri(finding, report) }, region: { startLine: 1 } } },
    ],
    partialFingerprints: { 'wikitapeDrift/v1': fingerprint },
    properties: { severity, axis, count },
    ...(accepted === undefined
      ? {}
      : { suppressions: [{ kind: 'external', justification: accepted.reason }] }),
  }
}

/** The file of the first request, in cassette A unless that is a live wiki; of the contract the module's description. */
function fileUri({ requests, scope, axis }: Finding, { a, b }: DriftReport): string {
  const cassette = /^https?:/.test(a.name) ? b.name : a.name
  const folder = `${cassette.replaceAll('\\', '/').replace(/\/$/, '')}/`
  const [first] = requests
  const path =
    first === undefined
      ? axis === 'contract' && scope !== 'siteinfo'
        ? `paraminfo/${scope}.json`
        : 'cassette.json'
      : interactionPath(first.request, first.key)
  return encodeURI(folder + path).replace(/[?#]/g, encodeURIComponent)
}
