/** The cookies of a caller: which of them the wiki knows it by, and what an answer changes in them. */
import { LRUCache } from 'lru-cache'
import type { RecordedCookie } from '../../cassette/interaction.ts'
import { headerText, type IncomingHeaders } from '../../http/incoming-request.ts'
import { digest } from '../../request/request-key.ts'
import {
  identifiesSession,
  type SessionCookieNames,
  selectSessionCookies
} from '../../wiki/cookies/session-cookies.ts'

/** The session cookies that the wiki knows a caller by. */
export const sessionCookiesOf = (
  headers: IncomingHeaders,
  sessionNames: SessionCookieNames
): readonly string[] =>
  wikiCookiesOf(headers, sessionNames).flatMap(({ name, value }) =>
    identifiesSession(name, sessionNames) && !isDeleted(value) ? [`${name}=${value}`] : []
  )

/** What is stable in an Authorization header; undefined without one. */
export function authorizationOf(headers: IncomingHeaders): string | undefined {
  const sent = headerText(headers, 'authorization')
  if (sent === undefined) return undefined
  // OAuth 1 signs each request anew; the token stays. Source: RFC 5849, 3.5.1.
  const stablePart = /oauth_token="[^"]{1,512}"/.exec(sent)?.[0] ?? sent
  return `authorization ${digest(stablePart, 64)}`
}

export const credentialsIn = (cookies: readonly RecordedCookie[]): readonly string[] =>
  cookies
    .filter((cookie) => isSessionCookie(cookie) && !isDeleted(cookie.value))
    .map(({ name, value }) => `${name}=${value}`)

export const isSessionCookie = ({ name, session }: RecordedCookie): boolean =>
  session === true || identifiesSession(name)

/** True of a cookie that deletes itself. */
export const isDeleted = (value: string): boolean => value === '' || value === 'deleted'

export interface CallerCookie {
  readonly name: string
  readonly value: string
}

/** Those that the wiki itself would look at. */
export const wikiCookiesOf = (
  headers: IncomingHeaders,
  sessionNames: SessionCookieNames
): readonly CallerCookie[] => selectSessionCookies(cookiesSent(headers), sessionNames)

export function cookiesSent(headers: IncomingHeaders): readonly CallerCookie[] {
  const pairs = headerText(headers, 'cookie')?.split(/;\s*/) ?? []
  return pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return { name, value: value.join('=') }
  })
}

/** The wiki's own token that logs in again; CentralAuth makes a new one at each logout. */
export const isWikiToken = (credential: string): boolean =>
  /^(?!(?:ss0-)?centralauth_)[^=]*Token=/.test(credential)

/** The credentials that may name a caller, in one order; empty where there is none. */
export const jarText = (
  cookies: readonly CallerCookie[],
  authorization: string | undefined
): string =>
  [
    ...cookies
      .filter(
        ({ name, value }) => !isDeleted(value) && !/(?:LoggedOut|forceHTTPS)$/.test(name)
      )
      .map(({ name, value }) => `${name}=${value}`)
      .sort(),
    ...(authorization === undefined ? [] : [authorization])
  ].join('; ')

/** All cookies of a client once it has received these. */
export const cookiesAfter = <Cookie extends CallerCookie>(
  headers: IncomingHeaders,
  received: readonly Cookie[]
): readonly (Cookie | CallerCookie)[] => [
  ...new Map(
    [...cookiesSent(headers), ...received].map((cookie) => [cookie.name, cookie])
  ).values()
]

/** Of 10,000 callers or more; one that comes back after so many others starts anew. */
const maxEntries = 40_000

/** Entries by name or credential. Counted as sizes: with `max`, LRUCache allocates room for all of them at once. */
export const callerCache = <T extends object | string | true>(): LRUCache<string, T> =>
  new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 })
