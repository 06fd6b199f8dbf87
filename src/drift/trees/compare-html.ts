/** HTML inside values: whether its markup, its text, or only its comments changed, and what changes of markup are of. */
import { diffArrays } from 'diff/lib/diff/array.js'
import { subtractItems } from '../../recorder/text/group-by.ts'

/** Which parts of two HTML texts differ; `exact` is false if they were too different to align. */
interface HtmlChange {
  readonly structure: readonly string[]
  readonly text: readonly string[]
  readonly exact: boolean
}

/** Edits up to which tokens are aligned; beyond, tags are only counted. Not a limit of time, so that a slow machine finds the same. */
const maxEditLength = 1_500

const tokenPattern = /<!--[\s\S]*?-->|<\/?[a-z][^<>]*>|[^<]+|</gi

export const looksLikeHtml = (text: string): boolean =>
  /<(?:[a-z][a-z0-9]*[\s/>]|\/[a-z]|!--)/i.test(text)

/** Compares tag by tag and text by text. Removed parts are marked `-`, added ones `+`. */
export function compareHtml(before: string, after: string): HtmlChange {
  const a = tokensOf(before)
  const b = tokensOf(after)
  const parts = diffArrays(a, b, { maxEditLength })
  if (parts === undefined) return compareUnaligned(a, b)
  const structure: string[] = []
  const text: string[] = []
  for (const part of parts.filter((one) => one.added || one.removed)) {
    for (const one of part.value) {
      if (!one.startsWith('<!--'))
        (isTag(one) ? structure : text).push(`${part.added ? '+' : '-'}${one}`)
    }
  }
  return { structure, text, exact: true }
}

const isTag = (one: string): boolean => one.startsWith('<') && one.length > 1

/** White space between tags is layout; attributes are one token with their tag. */
const tokensOf = (html: string): string[] =>
  (html.match(tokenPattern) ?? []).flatMap((one) =>
    isTag(one)
      ? [normalizeTag(one)]
      : one.trim() === ''
        ? []
        : [decoded(one).replace(/\s+/g, ' ').trim()],
  )

const namedCharacters = new Map([
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
])

/** One spelling of each character; `<` stays what is no tag. */
const decoded = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all: string, ...parts: string[]) => {
    const [decimal, hex = '', name = ''] = parts
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    if (Number.isNaN(code)) return namedCharacters.get(name) ?? all
    return code === 60 ? '&lt;' : String.fromCodePoint(Math.min(code, 0x10ffff))
  })

/** One spelling: `<br />` is `<br>`, `class='a'` is `class="a"`, `&#95;` is `_`. */
const normalizeTag = (tag: string): string =>
  tag
    .replace(/\s*\/?>$/, '>')
    .replace(/='([^'"]*)'/g, '="$1"')
    .replace(/&[#\w]+;/g, decoded)

/** The tags that open more often in one text than in the other, wherever in it. */
function compareUnaligned(a: readonly string[], b: readonly string[]): HtmlChange {
  const gone = subtractItems(a, b, String)
  const fresh = subtractItems(b, a, String)
  const parts = [...gone.map((one) => `-${one}`), ...fresh.map((one) => `+${one}`)]
  const structure = [
    ...new Set(parts.filter((one) => isTag(one.slice(1)) && !/^.<[/!]/.test(one))),
  ]
  const text =
    structure.length === 0 ? [`-${a.length} tokens`, `+${b.length} tokens`] : []
  return { structure, text, exact: false }
}

/** `sign` is what a release brought, `parts` are the tags that it concerns on both sides. */
const sorts: readonly (readonly [name: string, sign: RegExp, parts: RegExp])[] = [
  ['wrapper', /mw-parser-output/, /mw-parser-output/],
  ['language', /mw-content-(?:ltr|rtl)/, /mw-parser-output|mw-content-/],
  [
    'media',
    /typeof="mw:File|mw-file-description/,
    /typeof="mw:|mw-file-|mw-default-size|[-+]<?(?:img|figure|figcaption)\b|[".](?:thumb\w*|image|internal|magnify)\b/,
  ],
  ['headings', /mw-heading\d/, /mw-head(?:ing|line)|[-+]<?h[1-6]\b/],
  ['title', /mw-page-title-main/, /mw-page-title/],
  ['sides', /diff-side-(?:deleted|added)/, /[".]diff-|^[-+]<br\b/],
]

/** @param parts tags that differ, each after `-` or `+`. @returns those of each sort by its mark, empty for all that is of none */
export function sortMarkup(
  parts: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const found = sorts.flatMap(([name, sign, ofSort]) => {
    const isIn = (side: string): boolean =>
      parts.some((one) => one.startsWith(side) && sign.test(one))
    const gone = isIn('-')
    const fresh = isIn('+')
    // What both sides have is not what changed.
    return gone === fresh
      ? []
      : [{ mark: `markup: ${name}${gone ? ' gone' : ''}`, ofSort }]
  })
  const sorted = new Map<string, string[]>(
    ['', ...found.map(({ mark }) => mark)].map((mark) => [mark, []]),
  )
  let marks: readonly string[] = ['']
  for (const part of parts) {
    // A closing tag is of the sort of the tag before it.
    if (!/^[-+]<\//.test(part)) {
      const own = found.filter(({ ofSort }) => ofSort.test(part)).map(({ mark }) => mark)
      marks = own.length === 0 ? [''] : own
    }
    for (const mark of marks) sorted.get(mark)?.push(part)
  }
  return sorted
}
