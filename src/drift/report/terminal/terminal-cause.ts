/** One cause in a terminal: its title, the requests affected, its places, an example of both sides, a hint. */

import type { JsonTree } from '../../../recorder/json/json-tree.ts'
import { escapeControls } from '../../../recorder/text/escape-control-characters.ts'
import { plural } from '../../../recorder/text/words.ts'
import { hasTrait, kinds } from '../../changes/kinds.ts'
import type { Cause } from '../../findings/cause.ts'
import type { Finding, Sample } from '../../findings/finding.ts'
import {
  causeText,
  inRequestsText,
  joinParts,
  placeName,
  type SeverityGroup,
  scopeText,
  severityStyles,
  timesText,
  totalOf,
  valueText
} from '../labels.ts'
import { type DiffSegment, diffWords, trimCommonStart } from '../word-diff.ts'
import { truncateColumns, widthOf, wrapColumns } from './column-width.ts'

/** Colours (ANSI), and what the lines have room for. Without colour the text is the same, and signs tell severities apart. */
export interface TerminalStyle {
  strong(text: string, group: SeverityGroup | undefined): string
  sign(group: SeverityGroup): string
  dim(text: string): string
  hint(text: string): string
  /** A line of one side, with changed words inverted. */
  side(sign: '-' | '+', segments: readonly DiffSegment[]): string
  readonly columns: number
  /** Every place and example rather than the first few. */
  readonly showAll: boolean
}

/** @param colour false for pipes, files and NO_COLOR */
export function terminalStyle(
  colour: boolean,
  columns: number,
  showAll: boolean
): TerminalStyle {
  const paint = (code: string, text: string) =>
    colour ? `\u001b[${code}m${text}\u001b[0m` : text
  return {
    strong: (text, group) =>
      paint(`1;${group === undefined ? '32' : severityStyles[group].code}`, text),
    sign: (group) => paint(severityStyles[group].code, severityStyles[group].sign),
    dim: (text) => paint('90', text),
    hint: (text) => paint('36', text),
    side: (sign, segments) => {
      const code = sign === '-' ? '31' : '32'
      const texts = segments.map(({ text, changed }) =>
        paint(changed ? `${code};7` : code, text)
      )
      return `${paint(code, `${sign} `)}${texts.join('')}`
    },
    columns,
    showAll
  }
}

/** Limits that hold unless everything is shown: places, rows of a place, rows of a title. */
const maxPlaces = 4
const maxPlaceRows = 2
const maxTitleRows = 3

export function causeLines(
  cause: Cause,
  group: SeverityGroup,
  style: TerminalStyle
): readonly string[] {
  const { findings, fingerprint } = cause
  const { columns, showAll } = style
  const [worst] = findings
  const times = timesText(totalOf(findings))
  const tail = joinParts([times, inRequestsText(cause), worst.kind, fingerprint])
  const lines = [...titleLines(causeText(cause), group, tail, style)]
  const places = findings.slice(0, showAll ? findings.length : maxPlaces)
  for (const finding of places) lines.push(...placeLines(finding, cause, style))
  const left = findings.length - places.length
  const more = `      and ${plural(left, 'place')} more: --show all`
  if (left > 0) lines.push(style.dim(truncateColumns(more, columns)))
  for (const { kind, samples } of showAll ? findings : [worst]) {
    const isProse = hasTrait(kind, 'prose')
    for (const one of samples.slice(0, showAll ? samples.length : 1))
      lines.push(...sampleLines(one, isProse, cause.title, style))
  }
  const hints = [...new Set(findings.flatMap(({ hint }) => hint ?? []))]
  for (const hint of hints.slice(0, showAll ? hints.length : 1))
    lines.push(
      ...wrapColumns(escapeControls(`hint: ${hint}`), columns - 6).map(
        (line) => `      ${style.hint(line)}`
      )
    )
  return lines
}

/** Where a finding is; also what it is, unless the cause's title says so. */
function placeLines(
  finding: Finding,
  { findings, knownChange }: Cause,
  { columns, showAll }: TerminalStyle
) {
  const place = joinParts([scopeText(finding), placeName(finding)])
  const hasAllValues = showAll && finding.values.length > 0
  const words = hasAllValues
    ? `${kinds[finding.kind].words}: ${finding.values.join(', ')}`
    : finding.title
  const what = findings.length > 1 || knownChange || showAll ? `: ${words}` : ''
  const fingerprint = findings.length > 1 ? `  ${finding.fingerprint}` : ''
  const maxRows = showAll ? Number.POSITIVE_INFINITY : maxPlaceRows
  const rows = wrapWithin(`${place}${what}${fingerprint}`, columns - 4, maxRows)
  const last = rows.at(-1) ?? ''
  // Commands need it whole.
  if (!last.endsWith(fingerprint.trim()))
    rows.splice(
      -1,
      1,
      truncateColumns(last, columns - 4 - fingerprint.length) + fingerprint
    )
  return rows.map((row) => `    ${row}`)
}

/** At most so many rows; the last one is cut. */
function wrapWithin(text: string, columns: number, maxRows: number) {
  const rows = wrapColumns(escapeControls(text), columns)
  if (rows.length <= maxRows) return [...rows]
  return [
    ...rows.slice(0, maxRows - 1),
    truncateColumns(rows.slice(maxRows - 1).join(' '), columns)
  ]
}

/** The title in a few lines, with the tail behind it, or below if it does not fit. */
function titleLines(
  title: string,
  group: SeverityGroup,
  tail: string,
  style: TerminalStyle
) {
  const room = style.columns - 6
  const texts = wrapWithin(title, room, maxTitleRows)
  const lines = texts.map(
    (text, at) => `  ${at === 0 ? style.sign(group) : ' '} ${style.strong(text, group)}`
  )
  const isShort = widthOf(texts.at(-1) ?? '') + widthOf(tail) + 8 <= style.columns
  if (isShort) return [...lines.slice(0, -1), `${lines.at(-1) ?? ''}  ${style.dim(tail)}`]
  return [...lines, ...wrapColumns(tail, room).map((line) => `      ${style.dim(line)}`)]
}

/** @param isProse shows strings as text, not as JSON. @param title of the cause; a note that it contains is not repeated */
function sampleLines(
  { path, before, after, note }: Sample,
  isProse: boolean,
  title: string,
  style: TerminalStyle
) {
  const room = style.columns - 8
  const dimLine = (text: string) =>
    `      ${style.dim(truncateColumns(escapeControls(text), style.columns - 6))}`
  const lines = path === '' ? [] : [dimLine(path)]
  if (!before && !after) return title.includes(note) ? lines : [...lines, dimLine(note)]
  const onOneLine = (tree: JsonTree | undefined) =>
    escapeControls(valueText(tree, isProse).replace(/\s*\n\s*/g, ' ')) || '""'
  const [a, b] = trimCommonStart(onOneLine(before), onOneLine(after), room, widthOf)
  const cutA = truncateColumns(a, room)
  const cutB = truncateColumns(b, room)
  const parts = before && after ? diffWords(cutA, cutB) : undefined
  const side = (sign: '-' | '+', text: string, segments?: readonly DiffSegment[]) =>
    `      ${style.side(sign, segments ?? [{ text, changed: false }])}`
  if (before) lines.push(side('-', cutA, parts?.before))
  if (after) lines.push(side('+', cutB, parts?.after))
  return lines
}
