/** The address of a wiki's api.php, as a user gives it. */
import { redactUrl } from '../privacy/redact/url-credentials.ts'
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
  const expected = 'expected the address of api.php, e.g. https://ru.wikipedia.org/w/api.php'
  if (!/^https?:\/\//i.test(text)) {
    const guess = /^[\w.-]+(?::\d+)?(?:\/|$)/.test(text) ? `; did you mean https://${text}?` : ''
    return `"${redactUrl(text)}" has no http:// or https:// in front${guess}; ${expected}`
  }
  if (!URL.canParse(text)) return `"${redactUrl(text)}" is not a URL; ${expected}`
  const url = new URL(text)
  if (!url.pathname.endsWith('/api.php')) {
    return `the path "${url.pathname}" does not end in /api.php; ${expected} (a wiki's Special:Version names its "entry point")`
  }
  const { origin, pathname: path, host, username, password } = url
  const pair = `${decodePercent(username)}:${decodePercent(password)}`
  const authorization = pair === ':' ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`
  return { href: `${origin}${path}`, origin, path, host, authorization }
}
