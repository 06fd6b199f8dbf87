/** A report for a terminal: the verdict, then groups from the worst on, readable at 80 columns and without colour. */

import type { Finding } from '../drift/finding.ts'
import { type FailOn, failing } from '../drift/gate.ts'
import { type DriftReport, unaccepted } from '../drift/report.ts'
import { type Folded, foldFindings } from './fold.ts'
import { type Paint, painter } from './paint.ts'
import { details } from './terminal-finding.ts'
import { cutColumns, widthOf, wrapColumns } from './width.ts'
import {
  byGroup,
  comparedText,
  type Group,
  placeText,
  quietLines,
  scopeText,
  sideText,
  signs,
  timesText,
  verdict,
  visible,
} from './words.ts'

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
  for (const [group, findings] of byGroup(unaccepted(report))) {
    lines.push('', ...section(group, findings, options, paint))
  }
  lines.push(...foot(report, options, paint))
  return `${lines.join('\n')}\n`
}

function head(report: DriftReport, { columns }: TerminalOptions, paint: Paint): readonly string[] {
  const worst = [...byGroup(unaccepted(report)).keys()][0]
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

function section(
  group: Group,
  findings: readonly Finding[],
  options: TerminalOptions,
  paint: Paint,
): readonly string[] {
  const lines = [paint.strong(`${signs[group]} ${group.toUpperCase()}  ${findings.length}`, group)]
  const detailed = group === 'breaking' || group === 'risky' || options.show === 'all'
  const folded =
    options.show === 'all'
      ? findings.map((one) => ({ kind: 'single', finding: one }) as const)
      : foldFindings(findings)
  const limit = options.show === 'all' ? folded.length : (shownOf[group] ?? folded.length)
  let scope = ''
  for (const entry of folded.slice(0, limit)) {
    if (detailed && entry.kind === 'single' && entry.finding.scope !== scope) {
      scope = entry.finding.scope
      lines.push(cutColumns(`  ${visible(scopeText(entry.finding))}`, options.columns))
    }
    lines.push(
      ...(entry.kind === 'single' && detailed
        ? details(entry.finding, group, { columns: options.columns, all: options.show === 'all' }, paint)
        : [oneLine(entry, group, options, paint)]),
    )
  }
  if (folded.length > limit) lines.push(paint.dim(`    and ${folded.length - limit} more: --show all`))
  return lines
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

function foot(
  report: DriftReport,
  { columns, failOn, show }: TerminalOptions,
  paint: Paint,
): readonly string[] {
  const lines: string[] = []
  const say = (text: string): void => {
    lines.push(...wrapColumns(visible(text), columns))
  }
  for (const line of quietLines(report)) say(line)
  if (show !== 'some')
    for (const one of report.suppressed)
      say(`  ${one.rule}: ${one.scope} ${one.place} ${timesText(one.count) || '×1'}`)
  else if (report.suppressed.length > 0) say('  --show noise lists them')
  const [first] = failing(report, failOn)
  if (first !== undefined)
    say(
      `next: wikitape accept ${report.a.name} ${report.b.name} ${first.fingerprint} --reason "…", or --format html for all of it`,
    )
  return lines.length === 0 ? [] : ['', ...lines.map((line) => paint.dim(line))]
}
