/**
 * A report for code scanning: SARIF 2.1.0, one result for each finding of behaviour and contract, at the
 * interaction's file in the cassette.
 */

import { interactionPath } from '../../cassette/interaction-path.ts'
import { type Kind, kinds, type Severity } from '../../drift/changes/kinds.ts'
import type { DriftReport } from '../../drift/findings/drift-report.ts'
import type { Finding } from '../../drift/findings/finding.ts'
import { plural } from '../../text/plural.ts'
import { placeText, quietLines, timesText } from '../labels.ts'

/** GitHub reads this many results at most. */
export const resultLimit = 5_000

type Level = 'error' | 'warning' | 'note'

const levels: Readonly<Record<Severity, Level>> = {
  breaking: 'error',
  risky: 'warning',
  additive: 'note',
  note: 'note',
  cosmetic: 'note',
  noise: 'note',
}

/** @param version of wikitape, for the tool's entry */
export function sarifReport(report: DriftReport, version: string): string {
  // What people wrote on the wiki is nothing that code is scanned for.
  const wanted = report.findings.filter(({ axis }) => axis !== 'data')
  const shown = wanted.slice(0, resultLimit)
  const used = [...new Set(shown.map(({ kind }) => kind))].sort()
  const left = wanted.length - shown.length
  const data = report.findings.length - wanted.length
  const run = {
    tool: { driver: { name: 'wikitape', version, rules: used.map(ruleOf) } },
    results: shown.map((finding) => resultOf(finding, used, report)),
    invocations: [
      {
        executionSuccessful: !report.remarks.some(({ fatal }) => fatal),
        toolExecutionNotifications: [
          ...report.remarks.map(({ text, fatal }) => ({
            level: fatal ? 'error' : 'note',
            message: { text },
          })),
          ...quietLines(report).map((text) => ({ level: 'note', message: { text } })),
          ...(data === 0
            ? []
            : [{ level: 'note', message: { text: `${plural(data, 'finding')} of data left out` } }]),
          ...(left === 0
            ? []
            : [
                {
                  level: 'warning',
                  message: { text: `${plural(left, 'finding')} beyond ${resultLimit} left out` },
                },
              ]),
        ],
      },
    ],
  }
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }
  return `${JSON.stringify(log, undefined, 2)}\n`
}

const ruleOf = (kind: Kind): unknown => ({
  id: kind,
  shortDescription: { text: kinds[kind].words },
  defaultConfiguration: { level: levels[kinds[kind].rating.severity] },
})

function resultOf(finding: Finding, rules: readonly Kind[], report: DriftReport): unknown {
  const { kind, severity, axis, title, hint, accepted, fingerprint, count } = finding
  const parts = [title, placeText(finding), timesText(count), hint === undefined ? '' : `Hint: ${hint}`]
  return {
    ruleId: kind,
    ruleIndex: rules.indexOf(kind),
    level: levels[severity],
    message: { text: parts.filter((part) => part !== '').join('\n') },
    locations: [
      { physicalLocation: { artifactLocation: { uri: uriOf(finding, report) }, region: { startLine: 1 } } },
    ],
    partialFingerprints: { 'wikitapeDrift/v1': fingerprint },
    properties: { severity, axis, count },
    ...(accepted === undefined
      ? {}
      : { suppressions: [{ kind: 'external', justification: accepted.reason }] }),
  }
}

/** The file that holds an example, in cassette A unless that is a wiki; of the contract the module's description. */
function uriOf({ asked, scope, axis }: Finding, { a, b }: DriftReport): string {
  const cassette = /^https?:/.test(a.name) ? b.name : a.name
  const folder = `${cassette.replaceAll('\\', '/').replace(/\/$/, '')}/`
  const [first] = asked
  const path =
    first === undefined
      ? axis === 'contract' && scope !== 'siteinfo'
        ? `paraminfo/${scope}.json`
        : 'cassette.json'
      : interactionPath(first.request, first.key)
  return encodeURI(folder + path).replace(/[?#]/g, encodeURIComponent)
}
