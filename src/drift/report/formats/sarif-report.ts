/** The report for code scanning (SARIF 2.1.0): a result for each breaking or risky cause, at the line of its recording. */
import {
  interactionPath,
  moduleDescriptionPath
} from '../../../recorder/cassette/interaction-path.ts'
import type { RequestKey } from '../../../recorder/request/request-key.ts'
import { plural } from '../../../recorder/text/words.ts'
import { type Kind, kinds, ratingOf } from '../../changes/kinds.ts'
import { acceptedCausesOf, type Cause } from '../../findings/cause.ts'
import { type DriftReport, isPartial } from '../../findings/drift-report.ts'
import type { Finding } from '../../findings/finding.ts'
import { driftCounts, harmlessText, isSeriousCause } from '../drift-counts.ts'
import {
  causeText,
  findingPlaceText,
  findingText,
  inRequestsText,
  joinParts,
  type SeverityGroup,
  suppressedLines,
  totalOf
} from '../labels.ts'
import { lineInDescription, lineInInteraction } from './recorded-line.ts'

/** GitHub reads at most this many results. */
const maxResults = 5_000
/** Further findings of a cause that are listed with their places. */
const maxRelated = 20

export interface CassetteFiles {
  pathOf(cassette: string, key: RequestKey): string | undefined
  textOf(cassette: string, file: string): string | undefined
}

type SarifLevel = 'error' | 'warning' | 'note'

const levels = new Map<SeverityGroup, SarifLevel>([
  ['breaking', 'error'],
  ['risky', 'warning']
])
const levelOf = (group: SeverityGroup) => levels.get(group) ?? 'note'

/** @param version of wikitape. @param files without it every result points to the first line */
export function sarifReport(
  report: DriftReport,
  version: string,
  files: CassetteFiles = { pathOf: () => undefined, textOf: () => undefined }
): string {
  // Code scanning is about what a client has to do: neither content nor harmless changes.
  const reportable = [...report.causes, ...acceptedCausesOf(report.findings)].filter(
    isSeriousCause
  )
  const shown = reportable.slice(0, maxResults)
  const used = [...new Set(shown.map(({ findings: [worst] }) => worst.kind))].sort()
  const counts = driftCounts(report)
  const left = reportable.length - shown.length
  const harmless = harmlessText(counts)
  const notes = [
    ...report.remarks.map(({ text, fatal }) =>
      notification(fatal ? 'error' : 'note', text)
    ),
    ...suppressedLines(report).map((text) => notification('note', text)),
    ...(harmless && [
      notification('note', `left out because they break no client: ${harmless}`)
    ]),
    ...(left > 0
      ? [
          notification(
            'warning',
            `${plural(left, 'cause')} beyond ${maxResults} left out`
          )
        ]
      : [])
  ]
  const executionSuccessful = !isPartial(report)
  return sarifLog({
    ...toolOf(version, used.map(sarifRule)),
    results: shown.map((cause) =>
      sarifResult(cause, used, (finding) => locationOf(finding, report, files))
    ),
    invocations: [{ executionSuccessful, toolExecutionNotifications: notes }],
    properties: { counts: Object.fromEntries(counts.open), accepted: counts.accepted }
  })
}

/** @param version of wikitape */
export const toolOf = (version: string, rules: readonly unknown[]): object => ({
  tool: { driver: { name: 'wikitape', version, rules } }
})

export function sarifLog(run: object): string {
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run]
  }
  return `${JSON.stringify(log, undefined, 2)}\n`
}

export const notification = (level: SarifLevel, text: string): unknown => ({
  level,
  message: { text }
})

const sarifRule = (kind: Kind) => ({
  id: kind,
  shortDescription: { text: kinds[kind].words },
  defaultConfiguration: { level: levelOf(ratingOf(kind).severity) }
})

function sarifResult(
  cause: Cause,
  rules: readonly Kind[],
  locate: (finding: Finding) => object
) {
  const { findings, fingerprint } = cause
  const [worst, ...others] = findings
  const { kind, severity, axis, hint, accepted } = worst
  const parts = [
    causeText(cause),
    findingPlaceText(worst),
    inRequestsText(cause),
    hint === undefined ? '' : `Hint: ${hint}`
  ]
  const related = others.slice(0, maxRelated).map((one) => ({
    ...locate(one),
    message: { text: findingText(one) }
  }))
  return {
    ruleId: kind,
    ruleIndex: rules.indexOf(kind),
    level: levelOf(severity),
    message: { text: joinParts(parts, '\n') },
    locations: [locate(worst)],
    relatedLocations: related.length === 0 ? undefined : related,
    partialFingerprints: { 'wikitapeDrift/v1': fingerprint },
    properties: {
      severity,
      axis,
      count: totalOf(findings),
      requests: cause.requests.length
    },
    suppressions: accepted && [{ kind: 'external', justification: accepted.reason }]
  }
}

/** In cassette A unless that is a live wiki: the file of the request that shows it, or the module's description. */
function locationOf(finding: Finding, { a, b }: DriftReport, files: CassetteFiles) {
  const { scope, axis, place, requests, samples } = finding
  const cassette = /^https?:/.test(a.name) ? b.name : a.name
  const [sample] = samples
  const shows = sample?.requestRef ?? requests[0]
  const isModule = axis === 'contract' && scope !== 'siteinfo'
  const answer = axis === 'contract' ? undefined : shows
  // The request of a whole listing is that of no file.
  const recorded =
    answer &&
    (files.pathOf(cassette, answer.key) ?? interactionPath(answer.request, answer.key))
  const file = isModule ? moduleDescriptionPath(scope) : (recorded ?? 'cassette.json')
  const text = files.textOf(cassette, file) ?? ''
  const line = isModule
    ? lineInDescription(text, place)
    : lineInInteraction(text, sample?.path ?? '')
  return fileLocation(cassette, file, line)
}

export function fileLocation(cassette: string, file: string, startLine: number): object {
  const folder = `${cassette.replaceAll('\\', '/').replace(/\/$/, '')}/`
  const uri = encodeURI(folder + file).replace(/[?#]/g, encodeURIComponent)
  return { physicalLocation: { artifactLocation: { uri }, region: { startLine } } }
}
