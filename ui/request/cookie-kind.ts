/** What MediaWiki uses a cookie for. */
import {
  identifiesSession,
  selectSessionCookies
} from '../../src/recorder/wiki/cookies/session-cookies.ts'

/** @param all names of the cookies sent together. @param sessionNames session cookies that no suffix tells */
export function cookieKind(
  name: string,
  all: readonly string[],
  sessionNames: readonly string[]
): string {
  const known = selectSessionCookies(
    all.map((one) => ({ name: one })),
    sessionNames
  )
  if (!known.some((one) => one.name === name))
    return "not the wiki's: neither recorded nor compared"
  return identifiesSession(name, sessionNames) ? 'session' : 'user'
}
