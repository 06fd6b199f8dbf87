/** The address of a wiki's api.php, as a user gives it, and which paths of its host are another wiki's. */
import { redactUrl } from '../privacy/redact/redact-url.ts'
import { decodePercent } from '../text/percent-decoding.ts'

export interface ApiUrl {
  /** Without credentials, query and fragment, e.g. `http://127.0.0.1:8143/w/api.php`. */
  readonly href: string
  readonly origin: string
  readonly path: string
  readonly host: string
  /** An `Authorization` header made of the credentials that stood in the URL. */
  readonly authorization: string | undefined
}

/** Reads an api-url, or says what is wrong with it and what was expected. */
export function readApiUrl(text: string): ApiUrl | string {
  const expected =
    'expected the address of api.php, e.g. https://ru.wikipedia.org/w/api.php'
  if (!/^https?:\/\//i.test(text)) {
    const guess = /^[\w.-]+(?::\d+)?(?:\/|$)/.test(text)
      ? `; did you mean https://${text}?`
      : ''
    return `"${redactUrl(text)}" has no http:// or https:// in front${guess}; ${expected}`
  }
  if (!URL.canParse(text)) return `"${redactUrl(text)}" is not a URL; ${expected}`
  const url = new URL(text)
  if (!url.pathname.endsWith('/api.php')) {
    return `the path "${url.pathname}" does not end in /api.php; ${expected} (a wiki's Special:Version names its "entry point")`
  }
  const { origin, pathname: path, host, username, password } = url
  const pair = `${decodePercent(username)}:${decodePercent(password)}`
  const authorization =
    pair === ':' ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`
  return { href: `${origin}${path}`, origin, path, host, authorization }
}

/** Of hosts with one wiki. Source: https://www.mediawiki.org/wiki/API:Main_page, and the farms in use */
export const usualPaths: readonly string[] = [
  '/w/api.php',
  '/api.php',
  '/wiki/api.php',
  '/mediawiki/api.php'
]

/** What clients assume without having looked it up. */
const aliases: readonly string[] = ['/w/api.php', '/api.php']

/**
 * True for the path of another wiki's API: a host may have several, e.g. `/en/api.php` and `/de/api.php`. Other pages are recorded under their whole path, so they cannot be mixed up.
 * @param apiPath path of the recorded api.php, where the cassette names it
 * @param namedHost true where the client named the wiki's own host, so that its paths are no assumptions
 */
export function isOtherWikisApi(
  path: string,
  apiPath: string | undefined,
  namedHost: boolean
): boolean {
  if (path === apiPath || apiPath === undefined || !path.endsWith('/api.php'))
    return false
  const plain = path.replace(/\/{2,}/g, '/')
  const isAlias = !namedHost && aliases.includes(plain) && usualPaths.includes(apiPath)
  return plain !== apiPath && !isAlias
}
