/** What sort of text a value is, told from its spelling alone. */

export type Lexical =
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

const patterns: readonly (readonly [Lexical, RegExp])[] = [
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

export const lexicalOf = (text: string): Lexical =>
  patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text'

/** Spellings of one thing: from one family member to another, the format changed and not the value. */
const families: readonly (readonly Lexical[])[] = [
  ['ISO timestamp', 'MediaWiki timestamp', 'infinity', 'infinite'],
  ['URL', 'protocol-relative URL'],
]

/** `ISO timestamp → MediaWiki timestamp` where two spellings of one sort of thing meet; undefined otherwise. */
export function formatChange(before: string, after: string): string | undefined {
  const [a, b] = [lexicalOf(before), lexicalOf(after)]
  if (a !== b && families.some((family) => family.includes(a) && family.includes(b)) && !isMoment(a, b))
    return `${a} → ${b}`
  if (before !== after && before.replaceAll('_', ' ') === after.replaceAll('_', ' '))
    return before.includes('_') ? 'DB key → title' : 'title → DB key'
  return undefined
}

/** From a moment to "never", in the same spelling: that is another value. */
const isMoment = (a: Lexical, b: Lexical): boolean => {
  const forever = (one: Lexical): boolean => one === 'infinity' || one === 'infinite'
  return forever(a) !== forever(b)
}
