/** Asks the wiki for wikitape itself, without touching a session: one request; which wiki it is; which of a caller's cookies is its session's. */
import { compareWikis } from '../../cassette/wiki-identity.ts'
import { type IncomingHeaders, isSigned } from '../../http/incoming-request.ts'
import { type JsonTree, memberAt, textOf } from '../../json/json-tree.ts'
import { toPlain } from '../../json/plain-json.ts'
import { readTree } from '../../json/read-json.ts'
import type { SecretRegistry } from '../../privacy/known/secret-registry.ts'
import { redactMessage } from '../../privacy/redact/redact-message.ts'
import type { Store } from '../../store/store.ts'
import { requireSameWiki, StoreError } from '../../store/store-error.ts'
import { whyNotApiJson, whyUnusable } from '../../upstream/answers/recordable.ts'
import { type Upstream, UpstreamError } from '../../upstream/upstream.ts'
import { bodyText, type WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import {
  identifiesSession,
  parseSetCookie,
  type SessionCookieNames,
  selectSessionCookies
} from '../../wiki/cookies/session-cookies.ts'
import { writeQuery } from '../../wiki/parameters/request-params.ts'
import { decodeSiteinfo, siteinfoParams } from '../../wiki/site/site-facts.ts'
import type { RunSummary } from '../run-summary.ts'
import { type CallerCookie, cookiesAfter } from '../session/caller-cookies.ts'

export type AskWiki = (
  params: Readonly<Record<string, string>>,
  headers: IncomingHeaders
) => Promise<JsonTree | undefined>

/** Longer queries go as a POST: web servers refuse long request lines. */
const maxQueryLength = 6000

/**
 * Asks in `format=json` and `formatversion=2`; undefined where the answer is no JSON.
 * @param apiPath path of the wiki's api.php. @throws UpstreamError, RetryLater where a later answer may be better
 */
export function createAskWiki(
  upstream: Upstream,
  apiPath: string,
  summary: RunSummary,
  secrets: SecretRegistry
): AskWiki {
  return async (params, headers) => {
    summary.counts.liveRequests += 1
    const query = writeQuery(
      Object.entries({ ...params, format: 'json', formatversion: '2' })
    )
    const isShort = query.length <= maxQueryLength
    const answer = await upstream.ask({
      method: isShort ? 'GET' : 'POST',
      target: isShort ? `${apiPath}?${query}` : apiPath,
      // A private wiki describes itself to those who may read it.
      headers: {
        cookie: headers['cookie'],
        authorization: isSigned(headers) ? undefined : headers['authorization'],
        'user-agent': headers['user-agent'],
        ...(isShort ? {} : { 'content-type': 'application/x-www-form-urlencoded' })
      },
      body: isShort ? new Uint8Array() : Buffer.from(query),
      isRepeatable: true,
      whyNotApiAnswer: whyNotApiJson
    })
    const why = whyUnusable(answer)
    if (why !== undefined) throw new RetryLater(redactMessage(why, secrets))
    return readTree(bodyText(answer))
  }
}

/** The wiki or a proxy in front may answer better another time: nothing is concluded from this answer. */
export class RetryLater extends UpstreamError {
  constructor(why: string) {
    super('undecodable', why)
  }
}

export interface WikiCheck {
  /** True where the cassette moves to a new address, which is verified before anything is answered from it. */
  readonly moves: boolean
  /**
   * Asks once, and again only after a failure.
   * @param headers with the caller's credentials. @throws StoreError where it is another one, UpstreamError
   */
  readonly verify: (headers: IncomingHeaders) => Promise<void>
}

/**
 * Asks the wiki which one it is before its answers are recorded into a cassette of a known wiki.
 * @param upstream the wiki's api.php, which `store` was opened for
 */
export function createWikiCheck(store: Store, ask: AskWiki, upstream: string): WikiCheck {
  const moves = compareWikis(store.manifest, { upstream, site: undefined }) !== 'same'
  const isUnknown = store.manifest.site?.wikiId === undefined
  let result = !moves && isUnknown ? Promise.resolve() : undefined
  const verifyNow = async (headers: IncomingHeaders) => {
    const answer = await ask(siteinfoParams, headers)
    const site = answer && decodeSiteinfo(toPlain(answer))
    requireSameWiki(store, { upstream, site }, moves)
    const { manifest } = store
    if (moves)
      store.setManifest({
        ...manifest,
        upstream,
        site: site ? { ...manifest.site, ...site } : manifest.site
      })
  }
  const verify = (headers: IncomingHeaders) => {
    result ??= verifyNow(headers).catch((error: unknown) => {
      if (!(error instanceof StoreError)) result = undefined
      throw error
    })
    return result
  }
  return { moves, verify }
}

/** A digest, and when the token was made. */
const loginToken = /^([0-9a-f]{32})([0-9a-f]{8,})\+\\$/

/** Tries: among this many tokens, two in a row were made in the same second, however slow the wiki is. */
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
  rejected: Set<string>
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
  headers: IncomingHeaders
) {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  let last: RegExpExecArray | null = null
  for (let attempt = 0; attempt < maxTokens; attempt += 1) {
    const answer = await ask(
      { action: 'query', meta: 'tokens', type: 'login' },
      { ...headers, cookie }
    )
    const token = textOf(memberAt(answer, 'query', 'tokens', 'logintoken'))
    const current = loginToken.exec(token ?? '')
    if (current === null) return false
    if (current[2] === last?.[2]) return current[1] === last?.[1]
    last = current
  }
  return false
}

/** In JSON, XML or PHP: a token that only one session has. */
const holdsSessionToken = (answer: WikiAnswer) =>
  /[0-9a-f]{40,}\+\\/.test(bodyText(answer)?.slice(0, 100_000) ?? '')
