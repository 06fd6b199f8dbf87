/** The cookies of a caller: which of them the wiki knows it by, and what becomes of them by an answer. */
import type { RecordedCookie } from '../../cassette/interaction.ts'
import { headerText, type IncomingHeaders } from '../../http/incoming-request.ts'
import { digest } from '../../request/request-key.ts'
import {
  identifiesSession,
  type SessionCookieNames,
  selectSessionCookies,
} from '../../wiki/cookies/session-cookies.ts'

/** What a caller is known by to the wiki: its session cookies, or what its Authorization header holds fast. */
export function credentialsOf(headers: IncomingHeaders, sessionNames: SessionCookieNames): readonly string[] {
  const credentials = wikiCookiesOf(headers, sessionNames).flatMap(({ name, value }) =>
    identifiesSession(name, sessionNames) && !isDeleted(value) ? [`${name}=${value}`] : [],
  )
  const authorization = headerText(headers, 'authorization')
  if (authorization === undefined) return credentials
  // OAuth 1 signs each request anew; the token stays. Source: RFC 5849, 3.5.1.
  const stablePart = /oauth_token="[^"]{1,512}"/.exec(authorization)?.[0] ?? authorization
  return [...credentials, `authorization ${digest(stablePart, 64)}`]
}

export const isSessionCookie = ({ name, session }: RecordedCookie): boolean =>
  session === true || identifiesSession(name)

/** True of a cookie that deletes itself. */
export const isDeleted = (value: string): boolean => value === '' || value === 'deleted'

interface CallerCookie {
  readonly name: string
  readonly value: string
}

/** Those that the wiki itself would look at. */
export const wikiCookiesOf = (
  headers: IncomingHeaders,
  sessionNames: SessionCookieNames,
): readonly CallerCookie[] => selectSessionCookies(cookiesSent(headers), sessionNames)

function cookiesSent(headers: IncomingHeaders): readonly CallerCookie[] {
  const pairs = headerText(headers, 'cookie')?.split(/;\s*/) ?? []
  return pairs.map((pair) => {
    const cut = pair.indexOf('=')
    return cut < 0 ? { name: pair, value: '' } : { name: pair.slice(0, cut), value: pair.slice(cut + 1) }
  })
}

/** The token that logs in again, of the wiki itself: CentralAuth makes a new one at each logout. */
export const isWikiToken = (credential: string): boolean =>
  /^(?!(?:ss0-)?centralauth_)[^=]*Token=/.test(credential)

/** Those that may name a caller, in one order; empty where there is none. */
export const jarText = (cookies: readonly CallerCookie[]): string =>
  cookies
    .filter(({ name, value }) => !isDeleted(value) && !/(?:LoggedOut|forceHTTPS)$/.test(name))
    .map(({ name, value }) => `${name}=${value}`)
    .sort()
    .join('; ')

/** The same, once the client has taken these cookies. */
export function jarAfter(
  headers: IncomingHeaders,
  received: readonly RecordedCookie[],
  sessionNames: SessionCookieNames,
): string {
  const jar = new Map([...cookiesSent(headers), ...received].map(({ name, value }) => [name, value]))
  return jarText(
    selectSessionCookies(
      [...jar].map(([name, value]) => ({ name, value })),
      sessionNames,
    ),
  )
}
