/** The cookies of a caller: which of them the wiki knows it by, and what becomes of them by an answer. */
import type { RecordedCookie } from '../../cassette/interaction.ts'
import { headerText, type IncomingHeaders } from '../../http/incoming-request.ts'
import { digest } from '../../request/request-key.ts'
import { provesSession, type SessionNames, sessionCookies } from '../../wiki/cookies/session-cookies.ts'

/** What a caller is known by to the wiki: its session cookies, or what its Authorization header holds fast. */
export function marksOf(headers: IncomingHeaders, own: SessionNames): readonly string[] {
  const marks = cookiesOf(headers, own).flatMap(({ name, value }) =>
    provesSession(name, own) && !isGone(value) ? [`${name}=${value}`] : [],
  )
  const authorization = headerText(headers, 'authorization')
  if (authorization === undefined) return marks
  // OAuth 1 signs each request anew; the token stays. Source: RFC 5849, 3.5.1.
  const lasting = /oauth_token="[^"]{1,512}"/.exec(authorization)?.[0] ?? authorization
  return [...marks, `authorization ${digest(lasting, 64)}`]
}

export const isOfSession = ({ name, session }: RecordedCookie): boolean =>
  session === true || provesSession(name)

/** True of a cookie that deletes itself. */
export const isGone = (value: string): boolean => value === '' || value === 'deleted'

interface Cookie {
  readonly name: string
  readonly value: string
}

/** Those that the wiki itself would look at. */
export const cookiesOf = (headers: IncomingHeaders, own: SessionNames): readonly Cookie[] =>
  sessionCookies(cookiesSent(headers), own)

function cookiesSent(headers: IncomingHeaders): readonly Cookie[] {
  const pairs = headerText(headers, 'cookie')?.split(/;\s*/) ?? []
  return pairs.map((pair) => {
    const cut = pair.indexOf('=')
    return cut < 0 ? { name: pair, value: '' } : { name: pair.slice(0, cut), value: pair.slice(cut + 1) }
  })
}

/** The token that logs in again, of the wiki itself: CentralAuth makes a new one at each logout. */
export const isOwnToken = (mark: string): boolean => /^(?!(?:ss0-)?centralauth_)[^=]*Token=/.test(mark)

/** Those that may name a caller, in one order; empty where there is none. */
export const jarText = (cookies: readonly Cookie[]): string =>
  cookies
    .filter(({ name, value }) => !isGone(value) && !/(?:LoggedOut|forceHTTPS)$/.test(name))
    .map(({ name, value }) => `${name}=${value}`)
    .sort()
    .join('; ')

/** The same, once the client has taken these cookies. */
export function jarAfter(
  headers: IncomingHeaders,
  set: readonly RecordedCookie[],
  own: SessionNames,
): string {
  const jar = new Map([...cookiesSent(headers), ...set].map(({ name, value }) => [name, value]))
  return jarText(
    sessionCookies(
      [...jar].map(([name, value]) => ({ name, value })),
      own,
    ),
  )
}
