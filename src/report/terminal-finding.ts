/** One finding in a terminal: its title whole, an example as a pair of lines, a hint. */

import type { Finding, Sample } from '../drift/finding.ts'
import type { JsonTree } from '../json/tree.ts'
import { fromDifference, highlight, type Segment } from './highlight.ts'
import type { Paint } from './paint.ts'
import { cutColumns, widthOf, wrapColumns } from './width.ts'
import { type Group, signs, timesText, valueText, visible } from './words.ts'

export interface DetailOptions {
  readonly columns: number
  /** Every example rather than the first. */
  readonly all: boolean
}

export function details(
  finding: Finding,
  group: Group,
  options: DetailOptions,
  paint: Paint,
): readonly string[] {
  const { columns, all } = options
  const shown = finding.samples.slice(0, all ? finding.samples.length : 1)
  const times = finding.count === 1 ? '' : `${timesText(finding.count)} (${shown.length} shown)`
  const tail = [times, finding.fingerprint].filter((part) => part !== '').join('  ')
  const lines = [...titleLines(finding, group, tail, columns, paint)]
  const isProse = /^(?:html|text|warning|deprecation)\./.test(finding.kind)
  for (const sample of shown) lines.push(...sampleLines(sample, isProse, finding.title, columns, paint))
  if (finding.hint !== undefined) {
    lines.push(
      ...wrapColumns(`hint: ${finding.hint}`, columns - 6).map((line) => `      ${paint.hint(line)}`),
    )
  }
  return lines
}

/** Rows that a long title takes at most. */
const titleRows = 3

/** The title whole where a few lines hold it, count and fingerprint behind it or below. */
function titleLines(
  { title }: Finding,
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
      ? `    ${paint.sign(signs[group], group)} ${paint.strong(text, group)}`
      : `      ${paint.strong(text, group)}`,
  )
  const fits = widthOf(texts.at(-1) ?? '') + widthOf(tail) + 8 <= columns
  if (!fits) return [...lines, `      ${paint.dim(tail)}`]
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
  const lines = path === '' ? [] : [`      ${cutColumns(visible(path), columns - 6)}`]
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
