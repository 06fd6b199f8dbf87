/**
 * Which cookies belong to MediaWiki's own sessions. Everything else that answers set (an edge's counters and places,
 * a load balancer's stickiness, what lives ten seconds) says nothing of the wiki and changes with every caller.
 * Source: CookieSessionProvider and BotPasswordSessionProvider of MediaWiki 1.25 to 1.43; CentralAuth; measured on
 * 1,454 recordings of public wikis.
 */

/** Whatever the wiki's own prefix is, these stand behind it: the session's id, whose it is, and that it has ended. */
const sessionSuffix = /(?:_session|_BPsession|Session|UserID|UserName|LoggedOut|forceHTTPS)$/

/** These only beside one of the former under the same prefix, since other programs name cookies so too. */
const companionSuffix = /(?:Token|User)$/

/** CentralAuth's own prefix, and that of the doubles for browsers that know no `SameSite=None`. */
const centralAuthPrefix = /^(?:ss0-)?centralauth_/

/** A cookie by its name, and what is known of it that the name does not tell. */
interface CookieHints {
  readonly name: string
  /** The operator wants it although it is none of the wiki's sessions. */
  readonly optedIn?: true
  /** The wiki itself has proven that it is the session's (`$wgSessionName`). */
  readonly session?: true
}

/** Names of session cookies that no suffix tells: what `$wgSessionName` made of them. */
export type SessionCookieNames = readonly string[]

/** Those of an answer, or of a request, that count; the others are neither kept nor sent nor a difference. */
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

/** True for cookies by whose value alone the wiki knows its caller again, among those that count. */
export const identifiesSession = (name: string, sessionNames: SessionCookieNames = []): boolean =>
  sessionNames.includes(name) || /(?:_session|_BPsession|Session|Token)$/.test(name)

/** The name as it is on every wiki: the prefix is the database's name. CentralAuth's cookies are not the wiki's own. */
export const withoutCookiePrefix = (name: string): string =>
  centralAuthPrefix.test(name)
    ? name
    : (sessionSuffix.exec(name)?.[0] ?? companionSuffix.exec(name)?.[0] ?? name)
