/** Widths of text in terminal columns: Cyrillic letters take one, Chinese two, combining marks none. */
import widthOf from 'string-width'
import { wrapLines } from '../../../recorder/text/wrap-lines.ts'

export { widthOf }

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Cuts a text to so many columns; the last one is `…` if something was cut. */
export function truncateColumns(text: string, columns: number): string {
  if (text.length < 2_000 && widthOf(text) <= columns) return text
  let cut = ''
  let width = 0
  for (const { segment } of graphemes.segment(text.slice(0, columns * 12))) {
    const segmentWidth = widthOf(segment)
    if (width + segmentWidth > columns - 1) return `${cut}…`
    cut += segment
    width += segmentWidth
  }
  return text.length > columns * 12 ? `${cut}…` : cut
}

/** Lines of at most so many columns, broken at spaces where possible. */
export const wrapColumns = (text: string, columns: number): readonly string[] =>
  wrapLines(text, columns, widthOf, truncateColumns)
