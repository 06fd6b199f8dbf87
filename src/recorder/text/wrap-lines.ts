/** Lines of at most so many columns, broken at spaces where possible. Unless measured, words that are too wide stay whole. */
export function wrapLines(
  text: string,
  columns: number,
  widthOf = (one: string): number => one.length,
  cut = (word: string, _columns: number): string => word
): readonly string[] {
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
