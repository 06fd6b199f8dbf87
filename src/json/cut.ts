/** Members cut out of JSON text that cannot be written back from a tree: every other byte stays as it is. */
import { createScanner, type SyntaxKind } from 'jsonc-parser'

/** The kinds of token that matter here; the enum itself has no value at run time. */
const token = {
  openBrace: 1 satisfies SyntaxKind.OpenBraceToken,
  closeBrace: 2 satisfies SyntaxKind.CloseBraceToken,
  openBracket: 3 satisfies SyntaxKind.OpenBracketToken,
  closeBracket: 4 satisfies SyntaxKind.CloseBracketToken,
  comma: 5 satisfies SyntaxKind.CommaToken,
  end: 17 satisfies SyntaxKind.EOF,
} as const

/** One member of the outermost object: where it begins, and where the comma or brace after it stands. */
interface Span {
  readonly key: string
  readonly start: number
  readonly end: number
}

/** @param text valid JSON; where it is no object, it comes back unchanged */
export function cutMember(text: string, key: string): string {
  const spans = spansOf(text)
  const kept = spans.filter((span) => span.key !== key)
  const [first, last] = [spans[0], spans.at(-1)]
  if (kept.length === spans.length || first === undefined || last === undefined) return text
  const members = kept.map(({ start, end }) => text.slice(start, end)).join(',')
  return text.slice(0, first.start) + members + text.slice(last.end)
}

function spansOf(text: string): readonly Span[] {
  const scanner = createScanner(text, true)
  const spans: Span[] = []
  if (scanner.scan() !== token.openBrace) return []
  let depth = 1
  let key: string | undefined
  let start = scanner.getTokenOffset() + 1
  for (let kind = scanner.scan(); kind !== token.end && depth > 0; kind = scanner.scan()) {
    if (depth === 1) key ??= scanner.getTokenValue()
    if (kind === token.openBrace || kind === token.openBracket) depth += 1
    if (kind === token.closeBrace || kind === token.closeBracket) depth -= 1
    if (depth === 0 ? spans.length > 0 || key !== '}' : depth === 1 && kind === token.comma) {
      spans.push({ key: key ?? '', start, end: scanner.getTokenOffset() })
      key = undefined
      start = scanner.getTokenOffset() + 1
    }
  }
  return spans
}
