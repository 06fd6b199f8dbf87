/** Recorded answers as one client gets them on replay: with cookies that lead back to its session, and tokens of its own. */
import type { RecordedCookie, RecordedResponse } from '../../cassette/interaction.ts'
import type { IncomingHeaders } from '../../http/incoming-request.ts'
import { type JsonTree, mapStrings } from '../../json/json-tree.ts'
import { isPlaceholder, nowPlaceholder } from '../../privacy/secrets/secret.ts'
import type { Derivation } from '../../request/derive.ts'
import { digest } from '../../request/request-key.ts'
import type { SessionCookieNames } from '../../wiki/cookies/session-cookies.ts'
import { credentialsOf, isDeleted, isSessionCookie } from './caller-cookies.ts'
import { logsInOrOut, mayChangeCaller } from './caller-effects.ts'
import { derivedValue, newSessionId, sessionIdOf } from './derived-cookies.ts'

/** What `intoken` and `action=tokens` name apart and is one token now. Source: https://www.mediawiki.org/wiki/API:Tokens_(action) */
const editTokens = /^(?:edit|delete|protect|move|block|unblock|email|import|options)$/

const redactedToken = /^0{32,}\+\\$/

export class Personaliser {
  readonly #typeByToken = new Map<string, string>()
  readonly #cookieNames: () => SessionCookieNames

  constructor(cookieNames: () => SessionCookieNames) {
    this.#cookieNames = cookieNames
  }

  personalise(
    response: RecordedResponse,
    headers: IncomingHeaders,
    derivation: Derivation,
  ): RecordedResponse {
    if (response.cookies.length === 0 && derivation.effect !== 'session') return response
    const credentials = credentialsOf(headers, this.#cookieNames())
    const id = credentials.map(sessionIdOf)[0] ?? newSessionId()
    const cookies = this.#cookiesFor(response, headers, derivation).map((cookie) =>
      isDeleted(cookie.value) || !isPlaceholder(cookie.value) || cookie.value === nowPlaceholder
        ? cookie
        : { ...cookie, value: derivedValueLike(cookie, id, credentials) },
    )
    const { body } = response
    if (derivation.effect !== 'session' || body.kind !== 'json') return { ...response, cookies }
    return { ...response, cookies, body: { ...body, tree: this.#mintTokens(body.tree) } }
  }

  /** True where an answer gives its caller a session or a token: replayed while recording, the wiki would not accept it. */
  issuesCredentials(response: RecordedResponse, headers: IncomingHeaders, derivation: Derivation): boolean {
    const { body } = response
    const cookies = this.#cookiesFor(response, headers, derivation)
    return cookies.some(({ value }) => !isDeleted(value)) || (body.kind === 'json' && hasToken(body.tree))
  }

  /** What a token minted here is for; undefined for tokens from elsewhere, which are accepted for anything. */
  tokenTypeOf(token: string): string | undefined {
    return (
      this.#typeByToken.get(token) ?? knownTokenTypes.find((type) => tokenOf(type, token.length) === token)
    )
  }

  /** A caller without a session has nothing to lose; one with a session gets none by a read. */
  #cookiesFor(
    response: RecordedResponse,
    headers: IncomingHeaders,
    derivation: Derivation,
  ): readonly RecordedCookie[] {
    if (credentialsOf(headers, this.#cookieNames()).length > 0)
      return withoutSessionCookies(response, derivation).cookies
    return mayChangeCaller(derivation)
      ? response.cookies
      : response.cookies.filter(({ value }) => !isDeleted(value))
  }

  #mintTokens(tree: JsonTree): JsonTree {
    return mapStrings(tree, (value, path) => {
      const kind = /^(\w*?)token$/.exec(path.at(-1) ?? '')?.[1]
      if (kind === undefined || !redactedToken.test(value)) return value
      const type = kind === '' || kind === 'lg' ? 'login' : editTokens.test(kind) ? 'csrf' : kind
      const token = tokenOf(type, value.length)
      this.#typeByToken.set(token, type)
      return token
    })
  }
}

/** The same for every session and replica. */
const tokenOf = (type: string, length: number): string => `${digest(`${type} token`, length - 2)}+\\`

/** Those of MediaWiki and its common extensions, which another replica may have handed out. Source: API:Tokens */
const knownTokenTypes = [
  ...['csrf', 'login', 'createaccount', 'watch', 'patrol', 'rollback', 'userrights'],
  ...['deleteglobalaccount', 'setglobalaccountstatus'],
]

function hasToken(tree: JsonTree): boolean {
  let found = false
  mapStrings(tree, (value) => {
    found ||= redactedToken.test(value)
    return value
  })
  return found
}

/** As a caller with a session gets it: only a login or logout gives another session; cookies that name the caller stay. */
export function withoutSessionCookies(response: RecordedResponse, derivation: Derivation): RecordedResponse {
  if (logsInOrOut(derivation.canonical)) return response
  const named = mayChangeCaller(derivation)
  const cookies = response.cookies.filter((one) => one.optedIn === true || (named && !isSessionCookie(one)))
  return { ...response, cookies }
}

/** The same shape as what was redacted: session ids of PHP are 32 letters and digits. @param sent makes it another one than those */
function derivedValueLike(cookie: RecordedCookie, id: string, sent: readonly string[]): string {
  const { value } = cookie
  const salt = [cookie.name, ...sent].join(' ')
  if (/^0+$/.test(value)) return derivedValue(id, salt, value.length)
  return isSessionCookie(cookie) ? derivedValue(id, salt, 32) : value
}
