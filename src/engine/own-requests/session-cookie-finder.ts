/**
 * Finds the name of a wiki's session cookie where `$wgSessionName` made it one without a telling suffix. No answer says
 * it, so the wiki is asked for tokens: a token is made of a secret of the session and of the present second, so two
 * tokens of one second are equal only within one session.
 * Source: MediaWiki\Session\Token and ApiQueryTokens, 1.27 to 1.43.
 */
import type { IncomingHeaders } from '../../http/incoming-request.ts'
import { memberAt, textOf } from '../../json/json-tree.ts'
import { bodyText, type WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import {
  identifiesSession,
  parseSetCookie,
  type SessionCookieNames,
  selectSessionCookies,
} from '../../wiki/cookies/session-cookies.ts'
import { type CallerCookie, cookiesAfter } from '../session/caller-cookies.ts'
import type { AskWiki } from './ask-wiki.ts'

/** A digest, and when the token was made. */
const loginToken = /^([0-9a-f]{32})([0-9a-f]{8,})\+\\$/

/** Of so many, two in a row were made in one second, however slow the wiki is. */
const maxTokens = 8

/** Ids of PHP's sessions and of MediaWiki's own. Source: session.sid_length; SessionManager::validateSessionId */
const looksLikeId = /^[\w,-]{22,256}$/

/**
 * @param headers of the client's request that the answer is for
 * @param known names that were found before
 * @param rejected names that were tried and are no session's; takes more of them
 * @returns undefined where the session is known, there is none, or no cookie is proven to be its own
 * @throws UpstreamError
 */
export async function findSessionCookieName(
  ask: AskWiki,
  headers: IncomingHeaders,
  answer: WikiAnswer,
  known: SessionCookieNames,
  rejected: Set<string>,
): Promise<string | undefined> {
  if (!holdsSessionToken(answer)) return undefined
  const received = answer.setCookies.map((header) => parseSetCookie(header, 0))
  const cookies = cookiesAfter(headers, received)
  const sessionLike = selectSessionCookies(cookies, known)
  if (sessionLike.some(({ name }) => identifiesSession(name, known))) return undefined
  for (const { name, value } of cookies) {
    if (!looksLikeId.test(value) || rejected.has(name)) continue
    const others = sessionLike.filter((cookie) => cookie.name !== name)
    if (await isSession(ask, [...others, { name, value }], headers)) return name
    rejected.add(name)
  }
  return undefined
}

/** True where the wiki recognises its caller by these cookies alone. */
async function isSession(
  ask: AskWiki,
  cookies: readonly CallerCookie[],
  headers: IncomingHeaders,
): Promise<boolean> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  let last: RegExpExecArray | null = null
  for (let attempt = 0; attempt < maxTokens; attempt += 1) {
    const answer = await ask({ action: 'query', meta: 'tokens', type: 'login' }, { ...headers, cookie })
    const token = textOf(memberAt(answer, 'query', 'tokens', 'logintoken'))
    const current = loginToken.exec(token ?? '')
    if (current === null) return false
    if (current[2] === last?.[2]) return current[1] === last?.[1]
    last = current
  }
  return false
}

/** In JSON, XML or PHP: a token that only one session has. */
const holdsSessionToken = (answer: WikiAnswer): boolean =>
  /[0-9a-f]{40,}\+\\/.test(bodyText(answer)?.slice(0, 100_000) ?? '')
