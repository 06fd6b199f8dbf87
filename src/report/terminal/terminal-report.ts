/** A report for a terminal: the verdict, then groups from the worst on, readable at 80 columns and without colour. */

import type { Cause } from '../../drift/findings/cause.ts'
import type { DriftReport } from '../../drift/findings/drift-report.ts'
import { type FailOn, failing } from '../../drift/findings/fail-on.ts'
import { visible } from '../../text/escape-control-characters.ts'
import { type Folded, foldFindings } from '../group-findings.ts'
import {
  causesByGroup,
  causeText,
  comparedText,
  type Group,
  hitsText,
  placeText,
  quietLines,
  scopeText,
  sideText,
  signs,
  timesText,
  verdict,
} from '../labels.ts'
import { type Paint, painter } from './colours.ts'
import { cutColumns, widthOf, wrapColumns } from './column-width.ts'
import { causeLines } from './terminal-cause.ts'

/** How the terminal is, and how much it shall show. */
export interface TerminalOptions {
  readonly columns: number
  readonly colour: boolean
  readonly failOn: FailOn
  readonly show: Show
}

/** `noise` shows what was suppressed; `all` shows that too, and every example of every finding. */
export type Show = 'some' | 'noise' | 'all'
export const showValues: readonly Show[] = ['some', 'noise', 'all']

/** Findings of a group that are shown one by one unless all are asked for. */
const shownOf: Readonly<Partial<Record<Group, number>>> = { additive: 20, note: 20, cosmetic: 10, data: 10 }

export function terminalReport(report: DriftReport, options: TerminalOptions): string {
  const paint = painter(options.colour)
  const lines = [...head(report, options, paint)]
  lines.push(...overview(report, screenLines - lines.length, options, paint))
  for (const [group, causes] of causesByGroup(report)) {
    lines.push('', ...section(group, causes, options, paint))
  }
  lines.push(...foot(report, options, paint))
  return `${lines.join('\n')}\n`
}

function head(report: DriftReport, { columns }: TerminalOptions, paint: Paint): readonly string[] {
  const worst = [...causesByGroup(report).keys()][0]
  const lines = wrapColumns(`wikitape: ${verdict(report)}`, columns).map((line) => paint.strong(line, worst))
  lines.push(cutColumns(`A ${visible(sideText(report.a))}`, columns))
  lines.push(cutColumns(`B ${visible(sideText(report.b))}`, columns))
  lines.push(...wrapColumns(comparedText(report), columns).map((line) => paint.dim(line)))
  for (const { text, fatal } of report.remarks) {
    lines.push(
      ...wrapColumns(`${fatal ? '!' : ','} ${visible(text)}`, columns).map((line) =>
        paint.strong(line, fatal ? 'breaking' : 'note'),
      ),
    )
  }
  return lines
}

/** Lines of the first screen, one of them for the shell's prompt. */
const screenLines = 23

/** However much stands above, the worst causes are named. */
const fewestCauses = 3

/**
 * What breaks or is at risk, a line each, and the next command: the rest of the first screen, before any detail.
 * @param room lines that are left of it
 */
function overview(
  report: DriftReport,
  room: number,
  options: TerminalOptions,
  paint: Paint,
): readonly string[] {
  const grave = [...causesByGroup(report)].flatMap(([group, causes]) =>
    isGrave(group) ? causes.map((cause) => ({ group, cause })) : [],
  )
  const next = grave.length === 0 ? [] : nextCommand(report, options).map((line) => paint.dim(line))
  const left = Math.max(fewestCauses, room - next.length - 1)
  const fitting = grave.length <= left ? grave.length : left - 1
  const shown = grave
    .slice(0, fitting)
    .map(({ group, cause }) => causeLine(cause, group, options.columns, paint))
  const more = grave.length - shown.length
  if (more > 0) shown.push(paint.dim(`    and ${more} more below`))
  return shown.length + next.length === 0 ? [] : ['', ...shown, ...next]
}

/** A cause with the requests it hits, on one line. */
function causeLine(cause: Cause, group: Group, columns: number, paint: Paint): string {
  const hits = hitsText(cause)
  const where = cause.known === undefined ? `  ${scopeText(cause.findings[0])}` : ''
  const room = columns - 6 - widthOf(hits)
  const title = cutColumns(visible(causeText(cause)), Math.max(room - widthOf(where), room / 2))
  const text = cutColumns(`${title}${visible(where)}`, room)
  return `  ${paint.sign(signs[group], group)} ${text}  ${paint.dim(hits)}`
}

function nextCommand(report: DriftReport, { columns, failOn }: TerminalOptions): readonly string[] {
  const failed = new Set(failing(report, failOn))
  const first = report.causes.find(({ findings }) => findings.some((one) => failed.has(one)))
  const accept =
    first === undefined
      ? ''
      : `, or wikitape accept ${report.a.name} ${report.b.name} ${first.fingerprint} --reason "…"`
  return wrapColumns(`next: --format html for all of it${accept}`, columns)
}

const isGrave = (group: Group): boolean => group === 'breaking' || group === 'risky'

function section(
  group: Group,
  causes: readonly Cause[],
  options: TerminalOptions,
  paint: Paint,
): readonly string[] {
  const head = paint.strong(`${signs[group]} ${group.toUpperCase()}  ${causes.length}`, group)
  if (isGrave(group) || options.show === 'all')
    return [head, ...causes.flatMap((cause) => causeLines(cause, group, options, paint))]
  const folded = foldFindings(causes.flatMap(({ findings }) => findings))
  const limit = shownOf[group] ?? folded.length
  const lines = folded.slice(0, limit).map((entry) => oneLine(entry, group, options, paint))
  const left = folded.length - limit
  return [head, ...lines, ...(left > 0 ? [paint.dim(`    and ${left} more: --show all`)] : [])]
}

/** Sign, title, place, count on one line. */
function oneLine(entry: Folded, group: Group, { columns }: TerminalOptions, paint: Paint): string {
  const [title, place, count] =
    entry.kind === 'single'
      ? [entry.finding.title, placeText(entry.finding), entry.finding.count]
      : [entry.title, entry.places.join(', '), entry.count]
  const times = timesText(count)
  const room = columns - 4 - (times === '' ? 0 : widthOf(times) + 1)
  const text = cutColumns(visible(`${title}  ${place}`), room)
  return `  ${paint.sign(signs[group], group)} ${text}${times === '' ? '' : ` ${paint.dim(times)}`}`
}

function foot(report: DriftReport, { columns, show }: TerminalOptions, paint: Paint): readonly string[] {
  const lines: string[] = []
  const say = (text: string): void => {
    lines.push(...wrapColumns(visible(text), columns))
  }
  for (const line of quietLines(report)) say(line)
  if (show !== 'some')
    for (const one of report.suppressed)
      say(`  ${one.rule}: ${one.scope} ${one.place} ${timesText(one.count) || '×1'}`)
  else if (report.suppressed.length > 0) say('  --show noise lists them')
  return lines.length === 0 ? [] : ['', ...lines.map((line) => paint.dim(line))]
}
