/** The report for a terminal: the verdict, then groups from the worst on. Readable at 80 columns and without colour. */

import { escapeControls } from '../../../recorder/text/escape-control-characters.ts'
import type { Cause } from '../../findings/cause.ts'
import type { DriftReport } from '../../findings/drift-report.ts'
import type { FailOn } from '../../findings/fail-on.ts'
import {
  answerText,
  causeGroup,
  causesByGroup,
  type FindingGroup,
  failingCauses,
  failureText,
  groupFindings,
  groupWord,
  isSeriousCause,
  verdict,
  worstGroup
} from '../drift-counts.ts'
import {
  callsText,
  causeText,
  comparedText,
  findingPlaceText,
  inRequestsText,
  isSerious,
  type SeverityGroup,
  scopeText,
  severityStyles,
  sideText,
  suppressedLines,
  timesText
} from '../labels.ts'
import { truncateColumns, widthOf, wrapColumns } from './column-width.ts'
import { causeLines, type TerminalStyle, terminalStyle } from './terminal-cause.ts'

export interface TerminalOptions {
  readonly columns: number
  readonly colour: boolean
  readonly failOn: FailOn
  readonly show: DetailLevel
}

/** `noise` lists what was suppressed; `all` also shows every example of every finding. */
type DetailLevel = 'some' | 'noise' | 'all'
export const detailLevels: readonly DetailLevel[] = ['some', 'noise', 'all']

/** Harmless findings of a group that have a line of their own, unless all are shown. */
const maxHarmless = 20

export function terminalReport(report: DriftReport, options: TerminalOptions): string {
  const { columns, colour, show } = options
  const style = terminalStyle(colour, columns, show === 'all')
  const lines = [...headLines(report, options.failOn, style)]
  lines.push(...overviewLines(report, screenLines - lines.length, options.failOn, style))
  for (const [group, causes] of causesByGroup(report))
    lines.push('', ...groupLines(group, causes, style))
  lines.push(...footLines(report, show, style))
  return `${lines.join('\n')}\n`
}

function headLines(report: DriftReport, failOn: FailOn, style: TerminalStyle) {
  const { columns } = style
  const strong = (text: string, group: SeverityGroup | undefined) =>
    wrapColumns(text, columns).map((line) => style.strong(line, group))
  return [
    ...strong(`wikitape: ${verdict(report)}`, worstGroup(report)),
    ...wrapColumns(answerText(report), columns).filter((line) => line !== ''),
    truncateColumns(`A ${escapeControls(sideText(report.a))}`, columns),
    truncateColumns(`B ${escapeControls(sideText(report.b))}`, columns),
    ...wrapColumns(comparedText(report), columns).map(style.dim),
    ...report.remarks.flatMap(({ text, fatal }) =>
      strong(`${fatal ? '!' : ','} ${escapeControls(text)}`, fatal ? 'breaking' : 'note')
    ),
    ...wrapColumns(failureText(report, failOn), columns).filter((line) => line !== '')
  ]
}

/** Lines of the first screen, one of them for the shell's prompt. */
const screenLines = 23

/** The worst causes are named even if the first screen has no room. */
const minOverviewCauses = 3

/** A line for each serious cause, and the next command, before any detail. @param room lines left of the first screen */
function overviewLines(
  report: DriftReport,
  room: number,
  failOn: FailOn,
  style: TerminalStyle
) {
  const serious = report.causes.filter(isSeriousCause)
  if (serious.length === 0) return []
  const [failing] = failingCauses(report, failOn)
  const accept = !failing
    ? ''
    : `, or wikitape accept ${report.a.name} ${report.b.name} ${failing.fingerprint} --reason "…"`
  const next = wrapColumns(`next: --format html for all of it${accept}`, style.columns)
  const hints = serious.slice(0, minOverviewCauses).map((one) => hintLines(one, style))
  const available = Math.max(
    minOverviewCauses,
    room - next.length - 1 - hints.flat().length
  )
  const shown = serious.length <= available ? serious : serious.slice(0, available - 1)
  const left = serious.length - shown.length
  const more = left > 0 ? [style.dim(`    and ${left} more below`)] : []
  const lines = shown.flatMap((cause, at) => [
    causeLine(cause, causeGroup(cause), style),
    ...(hints[at] ?? [])
  ])
  return ['', ...lines, ...more, ...next.map(style.dim)]
}

/** What to change in the client. */
const hintLines = ({ findings }: Cause, { columns, hint }: TerminalStyle) =>
  findings
    .flatMap((one) => one.hint ?? [])
    .slice(0, 1)
    .map((text) => hint(truncateColumns(`      ${escapeControls(text)}`, columns)))

function causeLine(cause: Cause, group: SeverityGroup, style: TerminalStyle) {
  const hits = cause.traffic ? callsText(cause.traffic) : inRequestsText(cause)
  const where = cause.knownChange ? '' : `  ${scopeText(cause.findings[0])}`
  const room = style.columns - 6 - widthOf(hits)
  const title = truncateColumns(
    escapeControls(causeText(cause)),
    Math.max(room - widthOf(where), room / 2)
  )
  const text = truncateColumns(`${title}${escapeControls(where)}`, room)
  return `  ${style.sign(group)} ${text}  ${style.dim(hits)}`
}

function groupLines(
  group: SeverityGroup,
  causes: readonly Cause[],
  style: TerminalStyle
) {
  const { sign } = severityStyles[group]
  const head = style.strong(
    `${sign} ${groupWord(group).toUpperCase()}  ${causes.length}`,
    group
  )
  if (isSerious(group) || style.showAll)
    return [head, ...causes.flatMap((cause) => causeLines(cause, group, style))]
  const groups = groupFindings(causes.flatMap(({ findings }) => findings))
  const lines = groups
    .slice(0, maxHarmless)
    .map((one) => findingGroupLine(one, group, style))
  const left = groups.length - maxHarmless
  return [
    head,
    ...lines,
    ...(left > 0 ? [style.dim(`    and ${left} more: --show all`)] : [])
  ]
}

function findingGroupLine(
  { first, title, places, count }: FindingGroup,
  group: SeverityGroup,
  style: TerminalStyle
) {
  const place = places ? places.join(', ') : findingPlaceText(first)
  const times = timesText(count)
  const room = style.columns - 4 - (times === '' ? 0 : widthOf(times) + 1)
  const text = truncateColumns(escapeControls(`${title}  ${place}`), room)
  return `  ${style.sign(group)} ${text}${times === '' ? '' : ` ${style.dim(times)}`}`
}

function footLines(report: DriftReport, show: DetailLevel, style: TerminalStyle) {
  const lines = [...suppressedLines(report), ...noiseLines(report, show)]
  const rows = lines.flatMap((text) => wrapColumns(escapeControls(text), style.columns))
  return rows.length === 0 ? [] : ['', ...rows.map(style.dim)]
}

function noiseLines({ suppressed }: DriftReport, show: DetailLevel) {
  if (show === 'some' && suppressed.length > 0) return ['  --show noise lists them']
  return suppressed.map(
    (one) => `  ${one.rule}: ${one.scope} ${one.place} ${timesText(one.count) || '×1'}`
  )
}
