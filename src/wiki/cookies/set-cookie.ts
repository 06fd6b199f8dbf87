/** `Set-Cookie` headers parsed and written, with dates relative to the answer. Source: RFC 6265; spec, Authentication 4. */

/** A cookie as the wiki set it. */
export interface SetCookie {
  readonly name: string
  readonly value: string
  /** Attributes other than dates, as sent. */
  readonly attributes: readonly string[]
  /** Seconds from the answer to the expiry; undefined for a session cookie. */
  readonly expiresIn: number | undefined
}

/** A year ago: the expiry of a cookie that is deleted with a date in 1970. */
const oldestExpiry = -31_536_000

/** @param now the moment of the answer, in milliseconds */
export function parseSetCookie(header: string, now: number): SetCookie {
  const [pair = '', ...rest] = header.split(';').map((part) => part.trim())
  const cut = pair.indexOf('=')
  const attributes = rest.filter((part) => part !== '' && !/^(?:expires|max-age)=/i.test(part))
  return {
    name: cut < 0 ? pair : pair.slice(0, cut),
    value: cut < 0 ? '' : pair.slice(cut + 1),
    attributes,
    expiresIn: expiryOf(rest, now),
  }
}

function expiryOf(parts: readonly string[], now: number): number | undefined {
  const expires = attribute(parts, 'expires')
  const moment = expires === undefined ? Number.NaN : Date.parse(expires.replaceAll('-', ' '))
  // To ten seconds, so that recordings do not differ by the second of the answer.
  if (!Number.isNaN(moment)) return Math.round(Math.max((moment - now) / 1000, oldestExpiry) / 10) * 10
  const maxAge = attribute(parts, 'max-age')
  return maxAge !== undefined && /^-?\d{1,10}$/.test(maxAge) ? Number(maxAge) : undefined
}

const attribute = (parts: readonly string[], name: string): string | undefined =>
  parts.find((part) => part.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1)

/** Attributes that would make a client on a loopback address refuse the cookie. */
const hostBoundAttribute = /^(?:domain=.*|secure|samesite=none)$/i

/** The header for a cookie, for any host. @param now time in milliseconds, from which its date is counted */
export function writeSetCookie(cookie: SetCookie, now: number): string {
  const { name, value, attributes, expiresIn } = cookie
  const parts = [`${name}=${value}`]
  if (expiresIn !== undefined)
    parts.push(
      `expires=${new Date(now + expiresIn * 1000).toUTCString()}`,
      `Max-Age=${Math.max(0, expiresIn)}`,
    )
  return [...parts, ...attributes.filter((one) => !hostBoundAttribute.test(one))].join('; ')
}
