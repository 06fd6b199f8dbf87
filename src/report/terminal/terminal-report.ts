/** A report for a terminal: the verdict, then groups from the worst on, readable at 80 columns and without colour. */

import type { Cause } from '../../drift/findings/cause.ts'
import type { DriftReport } from '../../drift/findings/drift-report.ts'
import { type FailOn, failingFindings } from '../../drift/findings/fail-on.ts'
import { escapeControls } from '../../text/escape-control-characters.ts'
import { type FindingGroup, groupFindings } from '../group-findings.ts'
import {
  affectedRequestsText,
  causesByGroup,
  causeText,
  comparedText,
  placeText,
  type SeverityGroup,
  scopeText,
  severitySigns,
  sideText,
  suppressedLines,
  timesText,
  verdict,
} from '../labels.ts'
import { type Palette, paletteFor } from './colours.ts'
import { truncateColumns, widthOf, wrapColumns } from './column-width.ts'
import { causeLines } from './terminal-cause.ts'

/** How the terminal is, and how much it shall show. */
export interface TerminalOptions {
  readonly columns: number
  readonly colour: boolean
  readonly failOn: FailOn
  readonly show: DetailLevel
}

/** `noise` shows what was suppressed; `all` shows that too, and every example of every finding. */
export type DetailLevel = 'some' | 'noise' | 'all'
export const detailLevels: readonly DetailLevel[] = ['some', 'noise', 'all']

/** Findings of a group that are shown one by one unless all are asked for. */
const maxShownByGroup: Readonly<Partial<Record<SeverityGroup, number>>> = {
  additive: 20,
  note: 20,
  cosmetic: 10,
  data: 10,
}

export function terminalReport(report: DriftReport, options: TerminalOptions): string {
  const palette = paletteFor(options.colour)
  const lines = [...headLines(report, options, palette)]
  lines.push(...overviewLines(report, screenLines - lines.length, options, palette))
  for (const [group, causes] of causesByGroup(report)) {
    lines.push('', ...groupLines(group, causes, options, palette))
  }
  lines.push(...footLines(report, options, palette))
  return `${lines.join('\n')}\n`
}

function headLines(report: DriftReport, { columns }: TerminalOptions, palette: Palette): readonly string[] {
  const worst = [...causesByGroup(report).keys()][0]
  const lines = wrapColumns(`wikitape: ${verdict(report)}`, columns).map((line) =>
    palette.strong(line, worst),
  )
  lines.push(truncateColumns(`A ${escapeControls(sideText(report.a))}`, columns))
  lines.push(truncateColumns(`B ${escapeControls(sideText(report.b))}`, columns))
  lines.push(...wrapColumns(comparedText(report), columns).map((line) => palette.dim(line)))
  for (const { text, fatal } of report.remarks) {
    lines.push(
      ...wrapColumns(`${fatal ? '!' : ','} ${escapeControls(text)}`, columns).map((line) =>
        palette.strong(line, fatal ? 'breaking' : 'note'),
      ),
    )
  }
  return lines
}

/** Lines of the first screen, one of them for the shell's prompt. */
const screenLines = 23

/** However much stands above, the worst causes are named. */
const minOverviewCauses = 3

/**
 * What breaks or is at risk, a line each, and the next command: the rest of the first screen, before any detail.
 * @param room lines that are left of it
 */
function overviewLines(
  report: DriftReport,
  room: number,
  options: TerminalOptions,
  palette: Palette,
): readonly string[] {
  const serious = [...causesByGroup(report)].flatMap(([group, causes]) =>
    isSerious(group) ? causes.map((cause) => ({ group, cause })) : [],
  )
  const next = serious.length === 0 ? [] : nextCommand(report, options).map((line) => palette.dim(line))
  const available = Math.max(minOverviewCauses, room - next.length - 1)
  const fitting = serious.length <= available ? serious.length : available - 1
  const shown = serious
    .slice(0, fitting)
    .map(({ group, cause }) => causeLine(cause, group, options.columns, palette))
  const more = serious.length - shown.length
  if (more > 0) shown.push(palette.dim(`    and ${more} more below`))
  return shown.length + next.length === 0 ? [] : ['', ...shown, ...next]
}

/** A cause with the requests it hits, on one line. */
function causeLine(cause: Cause, group: SeverityGroup, columns: number, palette: Palette): string {
  const hits = affectedRequestsText(cause)
  const where = cause.known === undefined ? `  ${scopeText(cause.findings[0])}` : ''
  const room = columns - 6 - widthOf(hits)
  const title = truncateColumns(escapeControls(causeText(cause)), Math.max(room - widthOf(where), room / 2))
  const text = truncateColumns(`${title}${escapeControls(where)}`, room)
  return `  ${palette.sign(severitySigns[group], group)} ${text}  ${palette.dim(hits)}`
}

function nextCommand(report: DriftReport, { columns, failOn }: TerminalOptions): readonly string[] {
  const failed = new Set(failingFindings(report, failOn))
  const first = report.causes.find(({ findings }) => findings.some((one) => failed.has(one)))
  const accept =
    first === undefined
      ? ''
      : `, or wikitape accept ${report.a.name} ${report.b.name} ${first.fingerprint} --reason "…"`
  return wrapColumns(`next: --format html for all of it${accept}`, columns)
}

const isSerious = (group: SeverityGroup): boolean => group === 'breaking' || group === 'risky'

function groupLines(
  group: SeverityGroup,
  causes: readonly Cause[],
  options: TerminalOptions,
  palette: Palette,
): readonly string[] {
  const head = palette.strong(`${severitySigns[group]} ${group.toUpperCase()}  ${causes.length}`, group)
  if (isSerious(group) || options.show === 'all')
    return [head, ...causes.flatMap((cause) => causeLines(cause, group, options, palette))]
  const folded = groupFindings(causes.flatMap(({ findings }) => findings))
  const limit = maxShownByGroup[group] ?? folded.length
  const lines = folded.slice(0, limit).map((entry) => findingGroupLine(entry, group, options, palette))
  const left = folded.length - limit
  return [head, ...lines, ...(left > 0 ? [palette.dim(`    and ${left} more: --show all`)] : [])]
}

/** Sign, title, place, count on one line. */
function findingGroupLine(
  entry: FindingGroup,
  group: SeverityGroup,
  { columns }: TerminalOptions,
  palette: Palette,
): string {
  const [title, place, count] =
    entry.kind === 'single'
      ? [entry.finding.title, placeText(entry.finding), entry.finding.count]
      : [entry.title, entry.places.join(', '), entry.count]
  const times = timesText(count)
  const room = columns - 4 - (times === '' ? 0 : widthOf(times) + 1)
  const text = truncateColumns(escapeControls(`${title}  ${place}`), room)
  return `  ${palette.sign(severitySigns[group], group)} ${text}${times === '' ? '' : ` ${palette.dim(times)}`}`
}

function footLines(
  report: DriftReport,
  { columns, show }: TerminalOptions,
  palette: Palette,
): readonly string[] {
  const lines: string[] = []
  const addWrapped = (text: string): void => {
    lines.push(...wrapColumns(escapeControls(text), columns))
  }
  for (const line of suppressedLines(report)) addWrapped(line)
  if (show !== 'some')
    for (const one of report.suppressed)
      addWrapped(`  ${one.rule}: ${one.scope} ${one.place} ${timesText(one.count) || '×1'}`)
  else if (report.suppressed.length > 0) addWrapped('  --show noise lists them')
  return lines.length === 0 ? [] : ['', ...lines.map((line) => palette.dim(line))]
}
