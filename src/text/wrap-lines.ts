/** Lines of a text, broken at its spaces. */

export interface TextMeasure {
  /** Columns that a text takes. */
  readonly widthOf: (text: string) => number
  /** Shortens a word that is wider than a line. */
  readonly cut: (word: string, columns: number) => string
}

/** Lines of at most so many columns, broken at spaces where possible. Unless measured, words that are too wide stay whole. */
export function wrapLines(text: string, columns: number, measure?: TextMeasure): readonly string[] {
  const { widthOf, cut } = measure ?? { widthOf: (one) => one.length, cut: (word) => word }
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`
    if (widthOf(joined) <= columns) line = joined
    else {
      if (line !== '') lines.push(line)
      line = cut(word, columns)
    }
  }
  return [...lines, line]
}
