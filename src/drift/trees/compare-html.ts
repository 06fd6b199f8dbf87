/** HTML inside values: whether its markup, its text, or only its comments changed, and what changes of markup are of. */
import { diffArrays } from 'diff/lib/diff/array.js'
import type data from '../../recorder/knowledge/data/answer-values.json'
import { dataFile } from '../../recorder/knowledge/data-file.ts'
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
  if (!parts) return compareUnaligned(a, b)
  const changed = parts
    .filter(({ added, removed }) => added || removed)
    .flatMap(({ value, added }) => value.map((one) => `${added ? '+' : '-'}${one}`))
    .filter((one) => !one.startsWith('<!--', 1))
  return {
    structure: changed.filter(isTagPart),
    text: changed.filter((one) => !isTagPart(one)),
    exact: true
  }
}

const isTag = (one: string) => one.startsWith('<') && one.length > 1
const isTagPart = (part: string) => isTag(part.slice(1))

/** White space between tags is layout; attributes are one token with their tag. */
const tokensOf = (html: string) =>
  (html.match(tokenPattern) ?? []).flatMap((one) => {
    if (isTag(one)) return [normalizeTag(one)]
    return one.trim() === '' ? [] : [decoded(one).replace(/\s+/g, ' ').trim()]
  })

const namedCharacters = new Map([
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0']
])

/** One spelling of each character; `<` stays what is no tag. */
const decoded = (text: string) =>
  text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all: string, ...parts: string[]) => {
    const [decimal, hex = '', name = ''] = parts
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    if (Number.isNaN(code)) return namedCharacters.get(name) ?? all
    return code === 60 ? '&lt;' : String.fromCodePoint(Math.min(code, 0x10ffff))
  })

/** One spelling: `<br />` is `<br>`, `class='a'` is `class="a"`, `&#95;` is `_`. */
const normalizeTag = (tag: string) =>
  tag
    .replace(/\s*\/?>$/, '>')
    .replace(/='([^'"]*)'/g, '="$1"')
    .replace(/&[#\w]+;/g, decoded)

/** The tags that open more often in one text than in the other, wherever in it. */
function compareUnaligned(a: readonly string[], b: readonly string[]) {
  const gone = subtractItems(a, b, String).map((one) => `-${one}`)
  const fresh = subtractItems(b, a, String).map((one) => `+${one}`)
  const opening = [...gone, ...fresh].filter(
    (one) => isTagPart(one) && !/^.<[/!]/.test(one)
  )
  const text = opening.length === 0 ? [`-${a.length} tokens`, `+${b.length} tokens`] : []
  return { structure: [...new Set(opening)], text, exact: false }
}

const sorts = (dataFile('answer-values') as typeof data).markup.map(
  ({ name, sign, tags }) => ({ name, sign: new RegExp(sign), tags: new RegExp(tags) })
)

/** @param parts tags that differ, each after `-` or `+`. @returns those of each sort by its mark, empty for all that is of none */
export function sortMarkup(
  parts: readonly string[]
): ReadonlyMap<string, readonly string[]> {
  const found = sorts.flatMap(({ name, sign, tags }) => {
    const isIn = (side: string) =>
      parts.some((one) => one.startsWith(side) && sign.test(one))
    const isGone = isIn('-')
    // What both sides have is not what changed.
    if (isGone === isIn('+')) return []
    return [{ mark: `markup: ${name}${isGone ? ' gone' : ''}`, tags }]
  })
  const marked = ['', ...found.map(({ mark }) => mark)]
  const sorted = new Map(marked.map((mark) => [mark, [] as string[]]))
  let marks = ['']
  for (const part of parts) {
    // A closing tag is of the sort of the tag before it.
    if (!/^[-+]<\//.test(part)) {
      const own = found.flatMap(({ mark, tags }) => (tags.test(part) ? [mark] : []))
      marks = own.length === 0 ? [''] : own
    }
    for (const mark of marks) sorted.get(mark)?.push(part)
  }
  return sorted
}
