/** HTML inside values: whether its markup, its text, or only its comments changed. */
import { diffArrays } from 'diff/lib/diff/array.js'

/** Which parts of two HTML texts differ; `exact` is false where they were too different to align. */
export interface HtmlChange {
  readonly structure: readonly string[]
  readonly text: readonly string[]
  readonly exact: boolean
}

/**
 * Edits up to which tokens are aligned; beyond, tags are only counted, by name and classes. Not a limit of time, so
 * that a slow machine finds the same.
 */
const maxEditLength = 1_500

const tokenPattern = /<!--[\s\S]*?-->|<\/?[a-z][^<>]*>|[^<]+|</gi

export const looksLikeHtml = (text: string): boolean => /<(?:[a-z][a-z0-9]*[\s/>]|\/[a-z]|!--)/i.test(text)

/** Compares tag by tag and text by text. Removed parts are marked `-`, added ones `+`. */
export function compareHtml(before: string, after: string): HtmlChange {
  const [a, b] = [tokensOf(before), tokensOf(after)]
  const parts = diffArrays(a, b, { maxEditLength })
  if (parts === undefined) return compareCounts(a, b)
  const structure: string[] = []
  const text: string[] = []
  for (const part of parts.filter((one) => one.added || one.removed)) {
    for (const one of part.value) {
      if (!one.startsWith('<!--')) (isTag(one) ? structure : text).push(`${part.added ? '+' : '-'}${one}`)
    }
  }
  return { structure, text, exact: true }
}

const isTag = (one: string): boolean => one.startsWith('<') && one.length > 1

/** White space between tags is layout; attributes are one token with their tag. */
const tokensOf = (html: string): string[] =>
  (html.match(tokenPattern) ?? []).flatMap((one) =>
    isTag(one) ? [normalizeTag(one)] : one.trim() === '' ? [] : [one.replace(/\s+/g, ' ').trim()],
  )

/** One spelling: `<br />` is `<br>`, `class='a'` is `class="a"`, `&#95;` is `_`. */
const normalizeTag = (tag: string): string =>
  tag
    .replace(/\s*\/?>$/, '>')
    .replace(/='([^'"]*)'/g, '="$1"')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Math.min(Number(code), 0x10ffff)))

function compareCounts(a: readonly string[], b: readonly string[]): HtmlChange {
  const [tagsA, tagsB] = [countTags(a), countTags(b)]
  const structure = [...new Set([...tagsA.keys(), ...tagsB.keys()])].flatMap((tag) => {
    const [before, after] = [tagsA.get(tag) ?? 0, tagsB.get(tag) ?? 0]
    if (before === 0) return [`+${tag} ×${after}`]
    if (after === 0) return [`-${tag} ×${before}`]
    return before === after ? [] : [`${tag} ×${before} → ×${after}`]
  })
  const text = structure.length === 0 ? [`${a.length} tokens → ${b.length} tokens`] : []
  return { structure, text, exact: false }
}

/** Tags by name and classes, which is what clients select by. */
function countTags(tokens: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const one of tokens) {
    const name = /^<([a-z][a-z0-9]*)/i.exec(one)?.[1]?.toLowerCase()
    if (name === undefined) continue
    const sort = [name, ...(/ class="([^"]*)"/.exec(one)?.[1]?.split(' ').sort() ?? [])].join('.')
    counts.set(sort, (counts.get(sort) ?? 0) + 1)
  }
  return counts
}
