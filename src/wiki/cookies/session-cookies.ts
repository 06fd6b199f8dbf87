/**
 * Which cookies belong to MediaWiki's own sessions. All others (of a CDN, of a load balancer) say nothing about the wiki and
 * change with every caller.
 * Source: CookieSessionProvider and BotPasswordSessionProvider of MediaWiki 1.25 to 1.43; CentralAuth; measured on
 * 1,454 recordings of public wikis.
 */

/** Suffixes behind the wiki's own prefix: the session's id, its user, its end. */
const sessionSuffix = /(?:_session|_BPsession|Session|UserID|UserName|LoggedOut|forceHTTPS)$/

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
  sessionNames: SessionCookieNames = [],
): readonly Cookie[] {
  if (cookies.length === 0) return cookies
  const prefixes = new Set(
    cookies.flatMap(({ name }) => (sessionSuffix.test(name) ? [name.replace(sessionSuffix, '')] : [])),
  )
  const selected = cookies.filter(
    ({ name, optedIn, session }) =>
      optedIn === true ||
      session === true ||
      sessionNames.includes(name) ||
      sessionSuffix.test(name) ||
      (companionSuffix.test(name) &&
        (centralAuthPrefix.test(name) || prefixes.has(name.replace(companionSuffix, '')))),
  )
  return selected.length === cookies.length ? cookies : selected
}

/** True for session cookies whose value alone identifies the caller. */
export const identifiesSession = (name: string, sessionNames: SessionCookieNames = []): boolean =>
  sessionNames.includes(name) || /(?:_session|_BPsession|Session|Token)$/.test(name)

/** The name without the wiki's prefix, which is its database's name; CentralAuth's names stay as they are. */
export const withoutCookiePrefix = (name: string): string =>
  centralAuthPrefix.test(name)
    ? name
    : (sessionSuffix.exec(name)?.[0] ?? companionSuffix.exec(name)?.[0] ?? name)
