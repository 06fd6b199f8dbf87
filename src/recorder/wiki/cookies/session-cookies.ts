/**
 * `Set-Cookie` headers parsed and written, with dates relative to the answer; and which cookies belong to MediaWiki's own
 * sessions. All others (of a CDN, of a load balancer) say nothing about the wiki and change with every caller.
 * Source: RFC 6265; CookieSessionProvider and BotPasswordSessionProvider of MediaWiki 1.25 to 1.43; CentralAuth; measured
 * on 1,454 recordings of public wikis.
 */

/** Suffixes behind the wiki's own prefix: the session's id, its user, its end. */
const sessionSuffix =
  /(?:_session|_BPsession|Session|UserID|UserName|LoggedOut|forceHTTPS)$/

/** These count only with one of the former under the same prefix, since other programs use such names too. */
const companionSuffix = /(?:Token|User)$/

/** CentralAuth's prefix, and that of its copies for browsers without `SameSite=None`. */
const centralAuthPrefix = /^(?:ss0-)?centralauth_/

/** What is known of a cookie. */
interface CookieHints {
  readonly name: string
  /** The user asked for it, although it is not a session's. */
  readonly optedIn?: true
  /** The wiki has proven that it is a session's (`$wgSessionName`). */
  readonly session?: true
}

/** Names of session cookies that `$wgSessionName` has changed, so that they have none of the suffixes. */
export type SessionCookieNames = readonly string[]

/** The session cookies of an answer or a request. All others are neither recorded nor sent nor compared. */
export function selectSessionCookies<Cookie extends CookieHints>(
  cookies: readonly Cookie[],
  sessionNames: SessionCookieNames = []
): readonly Cookie[] {
  if (cookies.length === 0) return cookies
  const prefixes = new Set(
    cookies.flatMap(({ name }) =>
      sessionSuffix.test(name) ? [name.replace(sessionSuffix, '')] : []
    )
  )
  const selected = cookies.filter(
    ({ name, optedIn, session }) =>
      optedIn === true ||
      session === true ||
      sessionNames.includes(name) ||
      sessionSuffix.test(name) ||
      (companionSuffix.test(name) &&
        (centralAuthPrefix.test(name) || prefixes.has(name.replace(companionSuffix, ''))))
  )
  return selected.length === cookies.length ? cookies : selected
}

/** True for session cookies whose value alone identifies the caller. */
export const identifiesSession = (
  name: string,
  sessionNames: SessionCookieNames = []
): boolean =>
  sessionNames.includes(name) || /(?:_session|_BPsession|Session|Token)$/.test(name)

/** The name without the wiki's prefix, which is its database's name; CentralAuth's names stay as they are. */
export const withoutCookiePrefix = (name: string): string =>
  centralAuthPrefix.test(name)
    ? name
    : (sessionSuffix.exec(name)?.[0] ?? companionSuffix.exec(name)?.[0] ?? name)

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
  const attributes = rest.filter(
    (part) => part !== '' && !/^(?:expires|max-age)=/i.test(part)
  )
  return {
    name: cut < 0 ? pair : pair.slice(0, cut),
    value: cut < 0 ? '' : pair.slice(cut + 1),
    attributes,
    expiresIn: expiryOf(rest, now)
  }
}

function expiryOf(parts: readonly string[], now: number) {
  const expires = attribute(parts, 'expires')
  const moment =
    expires === undefined ? Number.NaN : Date.parse(expires.replaceAll('-', ' '))
  // To ten seconds, so that recordings do not differ by the second of the answer.
  if (!Number.isNaN(moment))
    return Math.round(Math.max((moment - now) / 1000, oldestExpiry) / 10) * 10
  const maxAge = attribute(parts, 'max-age')
  return maxAge !== undefined && /^-?\d{1,10}$/.test(maxAge) ? Number(maxAge) : undefined
}

const attribute = (parts: readonly string[], name: string) =>
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
      `Max-Age=${Math.max(0, expiresIn)}`
    )
  return [...parts, ...attributes.filter((one) => !hostBoundAttribute.test(one))].join(
    '; '
  )
}
