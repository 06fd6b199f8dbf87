/** The class of a text, by its spelling alone: a timestamp, a number, a URL. The first that fits wins. */
const patterns: readonly (readonly [string, RegExp])[] = [
  ['empty', /^$/],
  ['ISO timestamp', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
  ['ISO timestamp with fractions', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/],
  ['ISO timestamp with offset', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:?\d\d$/],
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

export const lexicalClassOf = (text: string): string =>
  patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text'

/** Spellings of one thing: between two of a family the format changed, not the value. */
const formatFamilies: readonly (readonly string[])[] = [
  [
    ...['ISO timestamp', 'ISO timestamp with fractions', 'ISO timestamp with offset'],
    ...['MediaWiki timestamp', 'infinity', 'infinite'],
  ],
  ['URL', 'protocol-relative URL'],
]

/** `ISO timestamp → MediaWiki timestamp` for two spellings of one thing; undefined otherwise. */
export function formatChange(before: string, after: string): string | undefined {
  const [a, b] = [lexicalClassOf(before), lexicalClassOf(after)]
  const isFamily = formatFamilies.some((family) => family.includes(a) && family.includes(b))
  const isOneThing = isForever(a) === isForever(b) && addressOf(before) === addressOf(after)
  if (a !== b && isFamily && isOneThing) return `${a} → ${b}`
  if (before !== after && before.replaceAll('_', ' ') === after.replaceAll('_', ' '))
    return before.includes('_') ? 'DB key → title' : 'title → DB key'
  return undefined
}

/** An address without its scheme: another one is another value. Empty for what is no address. */
const addressOf = (text: string): string => /^(?:https?:)?(\/\/.*)$/s.exec(text)?.[1] ?? ''

/** From a moment to "never" is another value, not another spelling. */
const isForever = (one: string): boolean => one === 'infinity' || one === 'infinite'
