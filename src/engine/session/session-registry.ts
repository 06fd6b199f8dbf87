/**
 * Which client asks: sessions by their name or by what the wiki gave them to be known by, and who is logged in there.
 * On replay the cookies handed out are made here, so that they lead back to their session, and tokens tell their kind.
 */

import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { RecordedCookie, RecordedResponse } from '../../cassette/interaction.ts'
import { headerText, type IncomingHeaders, type IncomingRequest } from '../../http/incoming-request.ts'
import { type JsonTree, mapStrings } from '../../json/json-tree.ts'
import { Session } from '../../playback/session/session.ts'
import { isPlaceholder, nowPlaceholder } from '../../privacy/secrets/secret.ts'
import type { Identity } from '../../request/api-request.ts'
import type { Derivation } from '../../request/derive.ts'
import { digest } from '../../request/request-key.ts'
import { decodeQuery } from '../../text/percent-decoding.ts'
import type { SessionCookieNames } from '../../wiki/cookies/session-cookies.ts'
import type { Params } from '../../wiki/parameters/request-params.ts'
import {
  credentialsOf,
  isDeleted,
  isSessionCookie,
  isWikiToken,
  jarAfter,
  jarText,
  wikiCookiesOf,
} from './caller-cookies.ts'

/** What `intoken` and `action=tokens` call what is one token now. Source: https://www.mediawiki.org/wiki/API:Tokens_(action) */
const editTokens: ReadonlySet<string> = new Set([
  'edit',
  'delete',
  'protect',
  'move',
  'block',
  'unblock',
  'email',
  'import',
  'options',
])

/** Sessions that are remembered; a client that comes back after so many others starts anew. */
const maxSessions = 10_000

/** Counted as sizes: room for so many entries is not taken in advance, which would cost each start milliseconds. */
const lruOptions = (count: number): { maxSize: number; sizeCalculation: () => number } => ({
  maxSize: count,
  sizeCalculation: () => 1,
})

export class SessionRegistry {
  /** Of everybody who is known by nothing. */
  readonly common: Session = new Session(undefined)
  readonly #byName = new LRUCache<string, Session>(lruOptions(maxSessions))
  readonly #byCredential = new LRUCache<string, Session>(lruOptions(4 * maxSessions))
  /** By all cookies together that may name a caller: the wiki looks at all of them. */
  readonly #identities = new LRUCache<string, Identity>(lruOptions(4 * maxSessions))
  /** Whom a token logs in that was handed out here. */
  readonly #identityByToken = new LRUCache<string, Identity>(lruOptions(4 * maxSessions))
  /** Sessions that a login or logout has ended. */
  readonly #endedCredentials = new LRUCache<string, true>(lruOptions(4 * maxSessions))
  readonly #tokens = new Map<string, string>()
  readonly #cookieNames: () => SessionCookieNames

  /** @param cookieNames names of session cookies that no suffix tells, as far as they are known by now */
  constructor(cookieNames: () => SessionCookieNames) {
    this.#cookieNames = cookieNames
  }

  /** The session of a request; a name counts more than cookies. */
  sessionOf({ session, headers }: IncomingRequest): Session {
    if (session !== '') return this.#sessionNamed(session)
    const credentials = this.#credentialsOf(headers)
    const known = credentials
      .map((credential) => this.#byCredential.get(credential))
      .find((one) => one !== undefined)
    if (known !== undefined) return known
    if (credentials.length === 0) return this.common
    const fresh = new Session(undefined)
    for (const credential of credentials) this.#byCredential.set(credential, fresh)
    return fresh
  }

  /**
   * Who asks: as the wiki has said, else as its cookies tell by MediaWiki's own rule. A `UserID` counts only beside a
   * session or a token, of which a logout ends the session but not the wiki's own token.
   * Source: CookieSessionProvider; measured on 1.35 and 1.43.
   */
  identityOf(headers: IncomingHeaders, params: Params): Identity {
    const known = this.knownIdentity(headers, params)
    if (known !== undefined) return known
    const cookies = wikiCookiesOf(headers, this.#cookieNames()).filter(({ value }) => !isDeleted(value))
    const hasId = cookies.some(({ name }) => name.endsWith('UserID'))
    const active = this.#credentialsOf(headers).filter(
      (credential) => !this.#endedCredentials.has(credential),
    )
    if (!hasId || active.length === 0) return 'anonymous'
    const name = cookies.find((one) => one.name.endsWith('UserName'))?.value
    if (name !== undefined) return `user:${decodeQuery(name)}`
    return (
      active.map((credential) => this.#identityByToken.get(credential)).find((one) => one !== undefined) ??
      'unknown'
    )
  }

  /** Who asks, where no cookie names anybody or the wiki has said whom these name; otherwise undefined. */
  knownIdentity(headers: IncomingHeaders, params: Params): Identity | undefined {
    if (isCrossOrigin(params)) return 'anonymous'
    if (headerText(headers, 'authorization') !== undefined) return 'authorized'
    const jar = this.#jarOf(headers)
    return jar === '' ? 'anonymous' : this.#identities.get(jar)
  }

  /** True where it is the cookies that may name the caller. */
  isNamedByCookies(headers: IncomingHeaders, params: Params): boolean {
    const isIdentifiedOtherwise = isCrossOrigin(params) || headerText(headers, 'authorization') !== undefined
    return !isIdentifiedOtherwise && this.#jarOf(headers) !== ''
  }

  /** The wiki has said whom it takes the sender of these cookies for. */
  setIdentity(headers: IncomingHeaders, identity: Identity): void {
    this.#setIdentity(this.#jarOf(headers), identity)
  }

  /** A response as this client gets it on replay: its own cookies, its own tokens. */
  personalise(response: RecordedResponse, context: CookieContext): RecordedResponse {
    const cookies = this.#cookiesFor(response, context).map((cookie) =>
      isDeleted(cookie.value) || !isPlaceholder(cookie.value) || cookie.value === nowPlaceholder
        ? cookie
        : { ...cookie, value: randomValueLike(cookie) },
    )
    const { body } = response
    if (context.derivation.effect !== 'session' || body.kind !== 'json')
      return response.cookies.length === 0 ? response : { ...response, cookies }
    return { ...response, cookies, body: { ...body, tree: this.#mintTokens(body.tree) } }
  }

  /**
   * True where an answer holds what the wiki gave to its one caller, a token or a session: served from the disk while
   * recording, it would be none of the wiki's.
   */
  issuesCredentials(response: RecordedResponse, context: CookieContext): boolean {
    const { body } = response
    const issuesCookie = this.#cookiesFor(response, context).some(({ value }) => !isDeleted(value))
    return issuesCookie || (body.kind === 'json' && hasRedactedToken(body.tree))
  }

  /** A caller without a session has nothing to lose, one with a session gets none by a read. */
  #cookiesFor(
    response: RecordedResponse,
    { incoming, derivation }: CookieContext,
  ): readonly RecordedCookie[] {
    if (this.#credentialsOf(incoming.headers).length > 0)
      return withoutSessionCookies(response, derivation).cookies
    return mayChangeCaller(derivation)
      ? response.cookies
      : response.cookies.filter(({ value }) => !isDeleted(value))
  }

  /** Which kind of token was handed out as this one; undefined for tokens from elsewhere, which are taken for any. */
  tokenTypeOf(token: string): string | undefined {
    return this.#tokens.get(token)
  }

  /**
   * The client has got these cookies: from now on they mean its session. Somebody who was known by nothing gets one.
   * @returns the session that the exchange belongs to
   */
  bindSession(
    incoming: IncomingRequest,
    session: Session,
    cookies: readonly RecordedCookie[],
    { before, after, renewed }: CallerChange,
  ): Session {
    const { headers } = incoming
    const credentials = cookies
      .filter((cookie) => isSessionCookie(cookie) && !isDeleted(cookie.value))
      .map(({ name, value }) => `${name}=${value}`)
    const bound = session === this.common && credentials.length > 0 ? new Session(undefined) : session
    for (const credential of credentials) this.#byCredential.set(credential, bound)
    if (before !== undefined) this.setIdentity(headers, before)
    const jar = this.#jarOf(headers)
    const known = after ?? (jar === '' ? 'anonymous' : this.#identities.get(jar))
    if (renewed) this.#endSessions(this.#credentialsOf(headers))
    if (known !== undefined)
      for (const credential of credentials.filter(isWikiToken)) this.#identityByToken.set(credential, known)
    if (known !== undefined) this.#setIdentity(jarAfter(headers, cookies, this.#cookieNames()), known)
    return bound
  }

  /** These sessions have ended; a wiki's own token outlasts a logout, so nothing is known of who sends it next. */
  #endSessions(credentials: readonly string[]): void {
    for (const jar of [...this.#identities.keys()])
      if (credentials.some((credential) => jar.includes(credential))) this.#identities.delete(jar)
    for (const credential of credentials)
      if (!isWikiToken(credential)) this.#endedCredentials.set(credential, true)
  }

  #setIdentity(jar: string, identity: Identity): void {
    if (jar === '') return
    if (identity === 'unknown') this.#identities.delete(jar)
    else this.#identities.set(jar, identity)
  }

  #jarOf(headers: IncomingHeaders): string {
    return jarText(wikiCookiesOf(headers, this.#cookieNames()))
  }

  #credentialsOf(headers: IncomingHeaders): readonly string[] {
    return credentialsOf(headers, this.#cookieNames())
  }

  #sessionNamed(name: string): Session {
    const session = this.#byName.get(name) ?? new Session(name)
    this.#byName.set(name, session)
    return session
  }

  #mintTokens(tree: JsonTree): JsonTree {
    return mapStrings(tree, (value, path) => {
      const kind = /^(\w*?)token$/.exec(path.at(-1) ?? '')?.[1]
      if (kind === undefined || !redactedToken.test(value)) return value
      const type = kind === '' || kind === 'lg' ? 'login' : editTokens.has(kind) ? 'csrf' : kind
      const token = `${digest(`${type} token`, value.length - 2)}+\\`
      this.#tokens.set(token, type)
      return token
    })
  }
}

/** What an answer says of its caller; undefined where it says nothing. */
export interface CallerChange {
  /** Who the caller was to the wiki. */
  readonly before: Identity | undefined
  /** Who the caller is from this answer on. */
  readonly after: Identity | undefined
  /** True where the caller's session has ended with it. */
  readonly renewed: boolean
}

/** MediaWiki treats every caller from another origin as anonymous. */
const isCrossOrigin = (params: Params): boolean => params.has('callback') || params.get('origin') === '*'

/** What stands on the disk for a token. */
const redactedToken = /^0{32,}\+\\$/

function hasRedactedToken(tree: JsonTree): boolean {
  let found = false
  mapStrings(tree, (value) => {
    found ||= redactedToken.test(value)
    return value
  })
  return found
}

/** A request, as far as cookies depend on it. */
export interface CookieContext {
  readonly incoming: IncomingRequest
  readonly derivation: Derivation
}

/**
 * What a caller gets who has a session already: only a login or logout gives that one another. Who the caller is stands
 * in the cookies of what may have made them another one.
 */
export function withoutSessionCookies(response: RecordedResponse, derivation: Derivation): RecordedResponse {
  if (renewingActions.test(derivation.canonical.get('action') ?? '')) return response
  const named = mayChangeCaller(derivation)
  const cookies = response.cookies.filter((one) => one.optedIn === true || (named && !isSessionCookie(one)))
  return { ...response, cookies }
}

/** Actions after which the caller's session is another one. */
export const renewingActions: RegExp = /^(?:login|clientlogin|logout)$/

/** True of what may make its caller another one: an edit can give a temporary account, a form of the wiki log in. */
export const mayChangeCaller = ({ effect, canonical }: Derivation): boolean =>
  effect === 'write' || canonical.has('plain body') || renewingActions.test(canonical.get('action') ?? '')

/** The same shape as what was redacted: session ids of PHP are 32 letters and digits. */
function randomValueLike(cookie: RecordedCookie): string {
  const { value } = cookie
  if (/^0+$/.test(value)) return randomBytes(64).toString('hex').slice(0, value.length)
  return isSessionCookie(cookie) ? randomBytes(16).toString('hex') : value
}
