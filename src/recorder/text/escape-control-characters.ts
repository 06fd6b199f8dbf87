/** Text of a wiki or a client made safe for a terminal: control characters and the like are spelled out. */

/** Characters that a terminal hides or obeys: control characters, bidi marks, lone surrogates. */
const hiddenCharacters =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** `\u001b` for an escape character, and so on. */
export const escapeControls = (text: string): string =>
  text.replace(
    hiddenCharacters,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  )

/** What a CI obeys: `::error::` at the beginning of a line, `##[error]` and `##vso[…]` anywhere in it. */
const commandsOfCi = /(?<=^[ \t]{0,99}):(?=:)|#(?=#(?:vso)?\[)/gm

/** Commands to a CI made text. */
export const escapeCommands = (text: string): string =>
  text.replace(commandsOfCi, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)

/** The same of a text of many lines: line ends and tabs stay, and no line is a command. */
export const escapeControlsInLines = (text: string): string =>
  escapeCommands(text).replace(hiddenCharacters, (unit) =>
    unit === '\n' || unit === '\t' ? unit : escapeControls(unit)
  )

/** Cuts a text to a number of characters, never between a letter and its combining marks. */
export function truncateText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const prefix = text.slice(0, limit + 64)
  let cut = ''
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(
    prefix
  )) {
    if (cut.length + segment.length > limit - 1) break
    cut += segment
  }
  return `${cut}…`
}
