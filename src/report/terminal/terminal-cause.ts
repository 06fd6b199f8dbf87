/** One cause in a terminal: its title whole, whom it hits, its places, an example as a pair of lines, a hint. */

import { kinds } from '../../drift/changes/kinds.ts'
import type { Cause } from '../../drift/findings/cause.ts'
import type { Finding, Sample } from '../../drift/findings/finding.ts'
import type { JsonTree } from '../../json/json-tree.ts'
import { escapeControls } from '../../text/escape-control-characters.ts'
import { plural } from '../../text/plural.ts'
import {
  affectedRequestsText,
  causeText,
  type SeverityGroup,
  scopeText,
  severitySigns,
  timesText,
  valueText,
} from '../labels.ts'
import { type DiffSegment, diffWords, trimCommonStart } from '../word-diff.ts'
import type { Palette } from './colours.ts'
import { truncateColumns, widthOf, wrapColumns } from './column-width.ts'

/** Places of a cause that are named, and how many examples are shown. */
export interface CauseOptions {
  readonly columns: number
  /** `all`: every place and example rather than the first few. */
  readonly show: string
}

/** Places that are named unless all are asked for. */
const maxPlaces = 4

export function causeLines(
  cause: Cause,
  group: SeverityGroup,
  { columns, show }: CauseOptions,
  palette: Palette,
): readonly string[] {
  const { findings, fingerprint } = cause
  const all = show === 'all'
  const [worst] = findings
  const times = findings.reduce((sum, { count }) => sum + count, 0)
  const tail = [timesText(times), affectedRequestsText(cause), worst.kind, fingerprint]
    .filter((part) => part !== '')
    .join('  ')
  const lines = [...titleLines(causeText(cause), group, tail, columns, palette)]
  const places = findings.slice(0, all ? findings.length : maxPlaces)
  for (const finding of places) lines.push(...placeLines(finding, cause, columns, all))
  if (places.length < findings.length)
    lines.push(
      palette.dim(
        truncateColumns(
          `      and ${plural(findings.length - places.length, 'place')} more: --show all`,
          columns,
        ),
      ),
    )
  for (const finding of all ? findings : [worst])
    lines.push(...sampleBlocks(finding, cause, columns, all, palette))
  const hints = [...new Set(findings.flatMap(({ hint }) => hint ?? []))].slice(0, all ? findings.length : 1)
  for (const hint of hints)
    lines.push(
      ...wrapColumns(escapeControls(`hint: ${hint}`), columns - 6).map(
        (line) => `      ${palette.hint(line)}`,
      ),
    )
  return lines
}

/** Rows that a place takes unless all are asked for. */
const maxPlaceRows = 2

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
  const fingerprint = findings.length > 1 ? `  ${finding.fingerprint}` : ''
  const rows = wrapColumns(escapeControls(`${place.join('  ')}${what}${fingerprint}`), columns - 4)
  const shown =
    all || rows.length <= maxPlaceRows
      ? rows
      : [...rows.slice(0, maxPlaceRows - 1), `${rows[maxPlaceRows - 1]}…`]
  return shown.map((row) => `    ${truncateColumns(row, columns - 4)}`)
}

/** Every value that came or went. */
const valuesText = ({ kind, values }: Finding): string => `${kinds[kind].words}: ${values.join(', ')}`

function sampleBlocks(
  { kind, samples }: Finding,
  cause: Cause,
  columns: number,
  all: boolean,
  palette: Palette,
): readonly string[] {
  const isProse = /^(?:html|text|warning|deprecation)\./.test(kind)
  const shown = samples.slice(0, all ? samples.length : 1)
  return shown.flatMap((sample) => sampleLines(sample, isProse, cause.title, columns, palette))
}

/** Rows that a long title takes at most. */
const maxTitleRows = 3

/** The title whole where a few lines hold it, count and fingerprint behind it or below. */
function titleLines(
  title: string,
  group: SeverityGroup,
  tail: string,
  columns: number,
  palette: Palette,
): readonly string[] {
  const rows = wrapColumns(escapeControls(title), columns - 6)
  const shown = rows.slice(0, maxTitleRows)
  const last =
    rows.length > maxTitleRows
      ? truncateColumns(rows.slice(maxTitleRows - 1).join(' '), columns - 6)
      : undefined
  const texts = last === undefined ? shown : [...shown.slice(0, -1), last]
  const lines = texts.map((text, at) =>
    at === 0
      ? `  ${palette.sign(severitySigns[group], group)} ${palette.strong(text, group)}`
      : `    ${palette.strong(text, group)}`,
  )
  const fits = widthOf(texts.at(-1) ?? '') + widthOf(tail) + 8 <= columns
  if (!fits) return [...lines, ...wrapColumns(tail, columns - 6).map((line) => `      ${palette.dim(line)}`)]
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ''}  ${palette.dim(tail)}`]
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
  palette: Palette,
): readonly string[] {
  const room = columns - 8
  const lines =
    path === '' ? [] : [`      ${palette.dim(truncateColumns(escapeControls(path), columns - 6))}`]
  if (before === undefined && after === undefined) {
    return title.includes(note)
      ? lines
      : [...lines, `      ${palette.dim(truncateColumns(escapeControls(note), columns - 6))}`]
  }
  const [a, b] = trimCommonStart(
    valueOnOneLine(before, isProse),
    valueOnOneLine(after, isProse),
    room,
    widthOf,
  )
  const parts = before && after ? diffWords(truncateColumns(a, room), truncateColumns(b, room)) : undefined
  const side = (sign: '-' | '+', text: string, segments: readonly DiffSegment[] | undefined): string =>
    `      ${palette.side(sign, segments ?? [{ text: truncateColumns(text, room), changed: false }])}`
  if (before !== undefined) lines.push(side('-', a, parts?.before))
  if (after !== undefined) lines.push(side('+', b, parts?.after))
  return lines
}

const valueOnOneLine = (tree: JsonTree | undefined, isProse: boolean): string =>
  escapeControls(valueText(tree, isProse).replace(/\s*\n\s*/g, ' ')) || '""'
