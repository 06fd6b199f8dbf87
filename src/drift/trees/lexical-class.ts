/** What sort of text a value is, told from its spelling alone. */

export type LexicalClass =
  | 'empty'
  | 'ISO timestamp'
  | 'MediaWiki timestamp'
  | 'infinity'
  | 'infinite'
  | 'integer'
  | 'decimal'
  | 'token'
  | 'hex digest'
  | 'IP address'
  | 'URL'
  | 'protocol-relative URL'
  | 'HTML'
  | 'text'

const patterns: readonly (readonly [LexicalClass, RegExp])[] = [
  ['empty', /^$/],
  ['ISO timestamp', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/],
  ['MediaWiki timestamp', /^(?:19|20|99)\d{12}$/],
  ['infinity', /^infinity$/],
  ['infinite', /^infinite$/],
  ['integer', /^-?\d+$/],
  ['decimal', /^-?\d+\.\d+(?:e[+-]?\d+)?$/i],
  ['token', /^[0-9a-f]{32,48}\+\\$|^\+\\$/],
  ['hex digest', /^[0-9a-f]{8,}$/],
  ['IP address', /^\d{1,3}(?:\.\d{1,3}){3}$|^[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}$/],
  ['URL', /^https?:\/\//],
  ['protocol-relative URL', /^\/\/[\w.-]+/],
  ['HTML', /<[a-z!/][^>]*>/i],
]

export const lexicalClassOf = (text: string): LexicalClass =>
  patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text'

/** Spellings of one thing: from one family member to another, the format changed and not the value. */
const formatFamilies: readonly (readonly LexicalClass[])[] = [
  ['ISO timestamp', 'MediaWiki timestamp', 'infinity', 'infinite'],
  ['URL', 'protocol-relative URL'],
]

/** `ISO timestamp → MediaWiki timestamp` where two spellings of one sort of thing meet; undefined otherwise. */
export function formatChange(before: string, after: string): string | undefined {
  const [a, b] = [lexicalClassOf(before), lexicalClassOf(after)]
  if (
    a !== b &&
    formatFamilies.some((family) => family.includes(a) && family.includes(b)) &&
    !isMomentAgainstNever(a, b)
  )
    return `${a} → ${b}`
  if (before !== after && before.replaceAll('_', ' ') === after.replaceAll('_', ' '))
    return before.includes('_') ? 'DB key → title' : 'title → DB key'
  return undefined
}

/** From a moment to "never", in the same spelling: that is another value. */
const isMomentAgainstNever = (a: LexicalClass, b: LexicalClass): boolean => {
  const forever = (one: LexicalClass): boolean => one === 'infinity' || one === 'infinite'
  return forever(a) !== forever(b)
}
