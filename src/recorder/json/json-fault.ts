/** Where and why a text is not JSON; line and column count from 1, in UTF-16 units, without a byte order mark. */
export interface JsonFault {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** The fault with its place, as editors find it. */
export const faultText = (file: string, { line, column, message }: JsonFault): string =>
  `${file}:${line}:${column}: ${message}`

/** The message where git's conflict markers begin. */
export const mergeConflict = 'an unresolved merge conflict'

/** What stands where the fault is, and behind it. */
export function textAtFault(text: string, { line, column }: JsonFault): string {
  const lines = text.replace(/^\ufeff/, '').matchAll(/(?:^|\r\n|\r|\n)([^\r\n]*)/g)
  let number = 0
  for (const { 0: whole, 1: content = '', index } of lines) {
    number += 1
    if (number === line)
      return text
        .replace(/^\ufeff/, '')
        .slice(index + whole.length - content.length + column - 1)
  }
  return ''
}

/** @param at offset of the fault in the text */
export function faultAt(text: string, at: number, message: string): JsonFault {
  const before = text.slice(text.charCodeAt(0) === 0xfeff ? 1 : 0, at)
  let line = 1
  let lineStart = 0
  for (const { 0: lineBreak, index } of before.matchAll(/\r\n|\r|\n/g))
    [line, lineStart] = [line + 1, index + lineBreak.length]
  const isConflict = text.startsWith('<<<<<<< ', at)
  return {
    line,
    column: before.length - lineStart + 1,
    message: isConflict ? mergeConflict : message
  }
}
