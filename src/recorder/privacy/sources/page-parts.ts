/** A page of HTML in two parts: what the wiki made, and what people wrote. */

/**
 * Where parser output begins. Not `#mw-content-text`, which holds the forms of special pages and actions too. Until 1.29,
 * where articles have no other mark, all is the wiki's own, of which only tags count that no text of an article has.
 * Source: ParserOutput::getText
 */
const contentStart =
  /<(div|section)\b[^<>]{0,512}\bclass=["'][^"'<>]{0,256}\bmw-parser-output\b[^<>]{0,512}>/gi
const editedText =
  /<textarea\b[^<>]{0,1024}\bid=["']wpTextbox[12]["'][^<>]{0,1024}>[^<]*/gi

/** Ranges of a page that people wrote, in order. */
export function contentRanges(html: string): readonly (readonly [number, number])[] {
  const ranges: (readonly [number, number])[] = [...html.matchAll(editedText)].map(
    ({ 0: text, index }) => [index + text.indexOf('>') + 1, index + text.length] as const
  )
  const starts = new RegExp(contentStart)
  for (let found = starts.exec(html); found !== null; found = starts.exec(html)) {
    const end = endOfElement(html, found[1] ?? 'div', starts.lastIndex)
    ranges.push([starts.lastIndex, end])
    starts.lastIndex = end
  }
  return ranges.sort(([a], [b]) => a - b)
}

/** The end of an element by its nested ones of the same name; the end of the page where it is not closed. */
function endOfElement(html: string, name: string, from: number) {
  const tags = new RegExp(`<(/?)${name}\\b`, 'gi')
  tags.lastIndex = from
  let depth = 1
  for (let tag = tags.exec(html); tag !== null; tag = tags.exec(html)) {
    depth += tag[1] === '/' ? -1 : 1
    if (depth === 0) return tag.index
  }
  return html.length
}

/** The page with each part changed by itself. */
export function mapParts(
  html: string,
  ranges: readonly (readonly [number, number])[],
  change: {
    readonly own: (text: string) => string
    readonly content: (text: string) => string
  }
): string {
  let changed = ''
  let at = 0
  for (const [from, to] of ranges) {
    if (from < at) continue
    changed += change.own(html.slice(at, from)) + change.content(html.slice(from, to))
    at = to
  }
  return changed + change.own(html.slice(at))
}
