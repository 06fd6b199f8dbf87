/** A report for a terminal: the verdict, then groups from the worst on, readable at 80 columns and without colour. */

import type { Finding, Sample } from '../drift/finding.ts'
import { type FailOn, failing } from '../drift/gate.ts'
import { type DriftReport, unaccepted } from '../drift/report.ts'
import type { JsonTree } from '../json/tree.ts'
import { type Folded, foldFindings } from './fold.ts'
import { fromDifference, highlight, type Segment } from './highlight.ts'
import { type Paint, painter } from './paint.ts'
import { cutColumns, widthOf, wrapColumns } from './width.ts'
import {
  byGroup,
  comparedText,
  type Group,
  placeText,
  plural,
  sideText,
  signs,
  timesText,
  valueText,
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
  lines.push(paint.dim(comparedText(report)))
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
      lines.push(cutColumns(`  ${visible(scope === '*' ? 'all requests' : scope)}`, options.columns))
    }
    lines.push(
      ...(entry.kind === 'single' && detailed
        ? details(entry.finding, group, options, paint)
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

function details(finding: Finding, group: Group, options: TerminalOptions, paint: Paint): readonly string[] {
  const { columns, show } = options
  const shown = finding.samples.slice(0, show === 'all' ? finding.samples.length : 1)
  const times = finding.count === 1 ? '' : `${timesText(finding.count)} (${shown.length} shown)`
  const tail = [times, finding.fingerprint].filter((part) => part !== '').join('  ')
  const title = cutColumns(visible(finding.title), columns - 8 - widthOf(tail))
  const lines = [`    ${paint.sign(signs[group], group)} ${paint.strong(title, group)}  ${paint.dim(tail)}`]
  const isProse = /^(?:html|text|warning|deprecation)\./.test(finding.kind)
  for (const sample of shown) lines.push(...sampleLines(sample, isProse, columns, paint))
  if (finding.hint !== undefined) {
    lines.push(
      ...wrapColumns(`hint: ${finding.hint}`, columns - 6).map((line) => `      ${paint.hint(line)}`),
    )
  }
  return lines
}

/** @param isProse strings are shown as they read rather than as JSON */
function sampleLines(
  { path, before, after, note }: Sample,
  isProse: boolean,
  columns: number,
  paint: Paint,
): readonly string[] {
  const room = columns - 8
  const lines = path === '' ? [] : [`      ${cutColumns(visible(path), columns - 6)}`]
  if (before === undefined && after === undefined) {
    return note === '' ? lines : [...lines, `      ${paint.dim(cutColumns(visible(note), columns - 6))}`]
  }
  const [a, b] = fromDifference(oneRow(before, isProse), oneRow(after, isProse), room)
  const parts = before && after ? highlight(cutColumns(a, room), cutColumns(b, room)) : undefined
  const side = (sign: '-' | '+', text: string, segments: readonly Segment[] | undefined): string =>
    `      ${paint.side(sign, segments ?? [{ text: cutColumns(text, room), changed: false }])}`
  if (before !== undefined) lines.push(side('-', a, parts?.before))
  if (after !== undefined) lines.push(side('+', b, parts?.after))
  return lines
}

const oneRow = (tree: JsonTree | undefined, isProse: boolean): string =>
  visible(valueText(tree, isProse).replace(/\s*\n\s*/g, ' '))

function foot(
  report: DriftReport,
  { columns, failOn, show }: TerminalOptions,
  paint: Paint,
): readonly string[] {
  const lines: string[] = []
  const say = (text: string): void => {
    lines.push(...wrapColumns(visible(text), columns))
  }
  for (const one of report.expiredAcceptances)
    say(`expired acceptance ${one.fingerprint} (${one.expires}): ${one.reason}`)
  for (const one of report.unknownAcceptances)
    say(`acceptance without a finding ${one.fingerprint}: ${one.reason}`)
  for (const one of report.staleNoise) say(`noise entry that matched nothing: ${one.scope} ${one.place}`)
  const hidden = report.suppressed.reduce((sum, one) => sum + one.count, 0)
  if (hidden > 0)
    say(`${plural(hidden, 'difference')} suppressed as noise${show === 'some' ? ' (--show noise)' : ':'}`)
  if (show !== 'some')
    for (const one of report.suppressed)
      say(`  ${one.rule}: ${one.scope} ${one.place} ${timesText(one.count)}`)
  const [first] = failing(report, failOn)
  if (first !== undefined)
    say(
      `next: wikitape accept ${report.a.name} ${report.b.name} ${first.fingerprint} --reason "…", or --format html for all of it`,
    )
  return lines.length === 0 ? [] : ['', ...lines.map((line) => paint.dim(line))]
}
