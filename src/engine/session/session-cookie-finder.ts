/**
 * The name of a wiki's session cookie where `$wgSessionName` made it one that no suffix tells from an edge's. No answer
 * says it, so the wiki is asked: a token is made of a secret of the session and of the second it is made in, so two of
 * one second are the same for whoever is the same session, and for nobody else.
 * Source: MediaWiki\Session\Token and ApiQueryTokens, 1.27 to 1.43.
 */

import { headerText, type IncomingHeaders } from '../../http/incoming-request.ts'
import { memberAt, textOf } from '../../json/json-tree.ts'
import { readTree } from '../../json/read-json.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import { bodyText, type WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import {
  identifiesSession,
  type SessionCookieNames,
  selectSessionCookies,
} from '../../wiki/cookies/session-cookies.ts'
import { parseSetCookie } from '../../wiki/cookies/set-cookie.ts'

/** What a cookie header says: name → value, as sent. */
type CookieJar = ReadonlyMap<string, string>

/** Two of them in a row fall into one second soon, however slow the wiki is. */
const maxTokens = 8

/** Ids of PHP's sessions and of MediaWiki's own. Source: session.sid_length; SessionManager::validateSessionId */
const looksLikeId = /^[\w,-]{22,256}$/

export class SessionCookieFinder {
  readonly #upstream: Upstream
  readonly #apiPath: string
  /** Told of each question that goes out. */
  readonly #onRequest: () => void
  /** Cookies that were tried and are somebody else's. */
  readonly #rejected = new Set<string>()

  constructor(upstream: Upstream, apiPath: string, onRequest: () => void) {
    this.#upstream = upstream
    this.#apiPath = apiPath
    this.#onRequest = onRequest
  }

  /**
   * @param headers of the client's request that the answer is for
   * @param known names that were found already
   * @returns undefined where the session is known, where there is none, or where no cookie is proven to be its
   * @throws UpstreamError
   */
  async find(
    headers: IncomingHeaders,
    answer: WikiAnswer,
    known: SessionCookieNames,
  ): Promise<string | undefined> {
    if (!holdsSessionToken(answer)) return undefined
    const jar = new Map([...jarSent(headers), ...jarReceived(answer)])
    const sessionLike = selectSessionCookies(
      [...jar.keys()].map((name) => ({ name })),
      known,
    )
    if (sessionLike.some(({ name }) => identifiesSession(name, known))) return undefined
    const needed = sessionLike.map(({ name }) => [name, jar.get(name) ?? ''] as const)
    for (const [name, value] of jar) {
      if (!looksLikeId.test(value) || this.#rejected.has(name)) continue
      if (await this.#isSession(new Map([...needed, [name, value]]), headers)) return name
      this.#rejected.add(name)
    }
    return undefined
  }

  /** True where the wiki knows its caller again by these cookies alone. */
  async #isSession(jar: CookieJar, headers: IncomingHeaders): Promise<boolean> {
    let last: LoginToken | undefined
    for (let attempt = 0; attempt < maxTokens; attempt += 1) {
      const token = await this.#token(jar, headers)
      if (token === undefined) return false
      if (token.second === last?.second) return token.digest === last.digest
      last = token
    }
    return false
  }

  async #token(jar: CookieJar, headers: IncomingHeaders): Promise<LoginToken | undefined> {
    this.#onRequest()
    const answer = await this.#upstream.ask({
      method: 'GET',
      target: `${this.#apiPath}?action=query&meta=tokens&type=login&format=json`,
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        authorization: headers['authorization'],
        'user-agent': headers['user-agent'],
      },
      body: new Uint8Array(),
    })
    const text = textOf(memberAt(readTree(bodyText(answer)), 'query', 'tokens', 'logintoken'))
    const [, digest, second] = /^([0-9a-f]{32})([0-9a-f]{8,})\+\\$/.exec(text ?? '') ?? []
    return digest === undefined || second === undefined ? undefined : { digest, second }
  }
}

interface LoginToken {
  readonly digest: string
  /** When it was made, in hexadecimal digits. */
  readonly second: string
}

/** In JSON, XML or PHP: a token that only one session has. */
const holdsSessionToken = (answer: WikiAnswer): boolean =>
  /[0-9a-f]{40,}\+\\/.test(bodyText(answer)?.slice(0, 100_000) ?? '')

function jarSent(headers: IncomingHeaders): CookieJar {
  const pairs = (headerText(headers, 'cookie') ?? '').split(/;\s*/)
  return new Map(
    pairs.flatMap((pair) => {
      const cut = pair.indexOf('=')
      return cut < 1 ? [] : [[pair.slice(0, cut), pair.slice(cut + 1)] as const]
    }),
  )
}

const jarReceived = ({ setCookies }: WikiAnswer): CookieJar =>
  new Map(setCookies.map((sent) => parseSetCookie(sent, 0)).map(({ name, value }) => [name, value]))
