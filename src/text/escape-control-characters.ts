/** Text from a wiki or a client, made safe for a terminal: what it hides or turns around is spelled out. */

/** What is hidden in a terminal or turns text around: control characters, bidi marks, lone surrogates. */
const treacherous =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** The text with such characters spelled out. */
export const visible = (text: string): string =>
  text.replace(treacherous, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The same for text of several lines: line ends and tabs stay. */
export const visibleLines = (text: string): string =>
  text.replace(treacherous, (unit) => (unit === '\n' || unit === '\t' ? unit : visible(unit)))

/** Cuts to a number of characters, never inside of a letter with its marks. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const near = text.slice(0, limit + 64)
  let cut = ''
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(near)) {
    if (cut.length + segment.length > limit - 1) break
    cut += segment
  }
  return `${cut}…`
}
