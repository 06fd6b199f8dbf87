/** The string literals of JSON text, one by one, whatever else the text holds. */

/** @param change what is to stand in place of a literal, quotes included; `end` is the place behind it */
export function mapStringLiterals(text: string, change: (literal: string, end: number) => string): string {
  let mapped = ''
  let at = 0
  for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', at)) {
    const end = endOfLiteral(text, start)
    if (end === undefined) break
    mapped += text.slice(at, start) + change(text.slice(start, end), end)
    at = end
  }
  return mapped + text.slice(at)
}

/** Sign by sign: a pattern for a whole literal would exhaust the stack at one of several megabytes. */
function endOfLiteral(text: string, start: number): number | undefined {
  const marks = /\\[\s\S]|"/g
  marks.lastIndex = start + 1
  for (let found = marks.exec(text); found !== null; found = marks.exec(text))
    if (found[0] === '"') return marks.lastIndex
  return undefined
}
