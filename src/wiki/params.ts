/**
 * Request parameters as PHP and MediaWiki read them: `+` is a space, the last duplicate wins, names lose
 * what PHP variables cannot hold. Sources: PHP manual "Variables From External Sources"; spec, Conventions.
 */

/** Parameters in the order of their first appearance. A Map, so that `__proto__` is a name like any other. */
export type Params = ReadonlyMap<string, string>

/**
 * Reads a query string or a urlencoded body.
 * @param text one character a byte (latin1), as Node hands over URLs
 */
export function parseUrlencoded(text: string): Map<string, string> {
  const params = new Map<string, string>()
  for (const pair of text.split('&')) {
    const cut = pair.indexOf('=')
    const name = phpName(percentDecode(cut < 0 ? pair : pair.slice(0, cut)))
    if (name !== '') params.set(name, cut < 0 ? '' : percentDecode(pair.slice(cut + 1)))
  }
  return params
}

/** Body parameters come before those of the URL and win over them (MediaWiki's `$_POST + $_GET`). */
export function mergeParams(body: Params, query: Params): Map<string, string> {
  const merged = new Map(body)
  for (const [name, value] of query) if (!merged.has(name)) merged.set(name, value)
  return merged
}

/** Leading spaces fall away, a NUL ends the name, spaces and dots become `_` outside of `[…]`. */
export function phpName(name: string): string {
  const cut = name.split('\0', 1)[0] ?? ''
  const trimmed = cut.replace(/^ +/, '')
  const bracket = trimmed.indexOf('[')
  if (bracket < 0) return trimmed.replace(/[ .]/g, '_')
  const stem = trimmed.slice(0, bracket).replace(/[ .]/g, '_')
  const rest = trimmed.slice(bracket)
  return rest.includes(']') ? stem + rest : `${stem}_${rest.slice(1)}`
}

function percentDecode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!/[%\u0080-\u00ff]/.test(spaced)) return spaced
  const bytes = spaced.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** U+001F in front says that values are separated by U+001F rather than by `|`. */
const unitSeparator = '\u001f'

/** Splits a multi-valued parameter in either form. An empty value has no members. */
export function splitValues(value: string): readonly string[] {
  if (value === '') return []
  return value.startsWith(unitSeparator) ? value.slice(1).split(unitSeparator) : value.split('|')
}

/** Joins values again; the U+001F form is used only where a member holds a `|`. */
export function joinValues(values: readonly string[]): string {
  return values.some((value) => value.includes('|'))
    ? unitSeparator + values.join(unitSeparator)
    : values.join('|')
}

/** Spells parameters as a query string, readable where URLs allow it: `titles=А|Б` stays `titles=%D0%90|%D0%91`. */
export function writeQuery(params: Iterable<readonly [string, string]>): string {
  return [...params].map(([name, value]) => `${encodeReadable(name)}=${encodeReadable(value)}`).join('&')
}

const encodeReadable = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(/%(7C|3A|2F|2C)/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
