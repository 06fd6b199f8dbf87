/** One cause in a terminal: its title whole, whom it hits, its places, an example as a pair of lines, a hint. */

import { kinds } from '../../drift/changes/kinds.ts'
import type { Cause } from '../../drift/findings/cause.ts'
import type { Finding, Sample } from '../../drift/findings/finding.ts'
import type { JsonTree } from '../../json/json-tree.ts'
import { visible } from '../../text/escape-control-characters.ts'
import { plural } from '../../text/plural.ts'
import { causeText, type Group, hitsText, scopeText, signs, timesText, valueText } from '../labels.ts'
import { fromDifference, highlight, type Segment } from '../word-diff.ts'
import type { Paint } from './colours.ts'
import { cutColumns, widthOf, wrapColumns } from './column-width.ts'

/** Places of a cause that are named, and how many examples are shown. */
export interface DetailOptions {
  readonly columns: number
  /** `all`: every place and example rather than the first few. */
  readonly show: string
}

/** Places that are named unless all are asked for. */
const shownPlaces = 4

export function causeLines(
  cause: Cause,
  group: Group,
  { columns, show }: DetailOptions,
  paint: Paint,
): readonly string[] {
  const { findings, fingerprint } = cause
  const all = show === 'all'
  const [worst] = findings
  const times = findings.reduce((sum, { count }) => sum + count, 0)
  const tail = [timesText(times), hitsText(cause), worst.kind, fingerprint]
    .filter((part) => part !== '')
    .join('  ')
  const lines = [...titleLines(causeText(cause), group, tail, columns, paint)]
  const places = findings.slice(0, all ? findings.length : shownPlaces)
  for (const finding of places) lines.push(...placeLines(finding, cause, columns, all))
  if (places.length < findings.length)
    lines.push(
      paint.dim(
        cutColumns(`      and ${plural(findings.length - places.length, 'place')} more: --show all`, columns),
      ),
    )
  for (const finding of all ? findings : [worst]) lines.push(...examples(finding, cause, columns, all, paint))
  const hints = [...new Set(findings.flatMap(({ hint }) => hint ?? []))].slice(0, all ? findings.length : 1)
  for (const hint of hints)
    lines.push(
      ...wrapColumns(visible(`hint: ${hint}`), columns - 6).map((line) => `      ${paint.hint(line)}`),
    )
  return lines
}

/** Rows that a place takes unless all are asked for. */
const placeRows = 2

/** Where, and where the cause has a name of its own what was seen there. */
function placeLines(
  finding: Finding,
  { findings, known }: Cause,
  columns: number,
  all: boolean,
): readonly string[] {
  const place = [scopeText(finding), finding.place === '*' ? '' : finding.place].filter((part) => part !== '')
  const words = all && finding.values.length > 0 ? valuesText(finding) : finding.title
  const what = findings.length > 1 || known !== undefined || all ? `: ${words}` : ''
  const print = findings.length > 1 ? `  ${finding.fingerprint}` : ''
  const rows = wrapColumns(visible(`${place.join('  ')}${what}${print}`), columns - 4)
  const shown =
    all || rows.length <= placeRows ? rows : [...rows.slice(0, placeRows - 1), `${rows[placeRows - 1]}…`]
  return shown.map((row) => `    ${cutColumns(row, columns - 4)}`)
}

/** Every value that came or went. */
const valuesText = ({ kind, values }: Finding): string => `${kinds[kind].words}: ${values.join(', ')}`

function examples(
  { kind, samples }: Finding,
  cause: Cause,
  columns: number,
  all: boolean,
  paint: Paint,
): readonly string[] {
  const isProse = /^(?:html|text|warning|deprecation)\./.test(kind)
  const shown = samples.slice(0, all ? samples.length : 1)
  return shown.flatMap((sample) => sampleLines(sample, isProse, cause.title, columns, paint))
}

/** Rows that a long title takes at most. */
const titleRows = 3

/** The title whole where a few lines hold it, count and fingerprint behind it or below. */
function titleLines(
  title: string,
  group: Group,
  tail: string,
  columns: number,
  paint: Paint,
): readonly string[] {
  const rows = wrapColumns(visible(title), columns - 6)
  const shown = rows.slice(0, titleRows)
  const last =
    rows.length > titleRows ? cutColumns(rows.slice(titleRows - 1).join(' '), columns - 6) : undefined
  const texts = last === undefined ? shown : [...shown.slice(0, -1), last]
  const lines = texts.map((text, at) =>
    at === 0
      ? `  ${paint.sign(signs[group], group)} ${paint.strong(text, group)}`
      : `    ${paint.strong(text, group)}`,
  )
  const fits = widthOf(texts.at(-1) ?? '') + widthOf(tail) + 8 <= columns
  if (!fits) return [...lines, ...wrapColumns(tail, columns - 6).map((line) => `      ${paint.dim(line)}`)]
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ''}  ${paint.dim(tail)}`]
}

/**
 * @param isProse strings are shown as they read rather than as JSON
 * @param title a note that it holds already is not said again
 */
function sampleLines(
  { path, before, after, note }: Sample,
  isProse: boolean,
  title: string,
  columns: number,
  paint: Paint,
): readonly string[] {
  const room = columns - 8
  const lines = path === '' ? [] : [`      ${paint.dim(cutColumns(visible(path), columns - 6))}`]
  if (before === undefined && after === undefined) {
    return title.includes(note)
      ? lines
      : [...lines, `      ${paint.dim(cutColumns(visible(note), columns - 6))}`]
  }
  const [a, b] = fromDifference(oneRow(before, isProse), oneRow(after, isProse), room, widthOf)
  const parts = before && after ? highlight(cutColumns(a, room), cutColumns(b, room)) : undefined
  const side = (sign: '-' | '+', text: string, segments: readonly Segment[] | undefined): string =>
    `      ${paint.side(sign, segments ?? [{ text: cutColumns(text, room), changed: false }])}`
  if (before !== undefined) lines.push(side('-', a, parts?.before))
  if (after !== undefined) lines.push(side('+', b, parts?.after))
  return lines
}

const oneRow = (tree: JsonTree | undefined, isProse: boolean): string =>
  visible(valueText(tree, isProse).replace(/\s*\n\s*/g, ' ')) || '""'
