/** Who is logged in: as the wiki has said, or as cookies tell by MediaWiki's own rule. */
import type { RecordedCookie } from '../../cassette/interaction.ts'
import { headerText, type IncomingHeaders } from '../../http/incoming-request.ts'
import { type Identity, isCrossOrigin } from '../../request/api-request.ts'
import type { Derivation } from '../../request/derive.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { decodeQuery } from '../../text/percent-decoding.ts'
import { type SessionCookieNames, selectSessionCookies } from '../../wiki/cookies/session-cookies.ts'
import type { Params } from '../../wiki/parameters/request-params.ts'
import {
  callerCache,
  cookiesAfter,
  credentialsIn,
  credentialsOf,
  isDeleted,
  isWikiToken,
  jarText,
  wikiCookiesOf,
} from './caller-cookies.ts'

/** What an answer says of its caller; undefined where it says nothing. */
export interface CallerChange {
  readonly before: Identity | undefined
  readonly after: Identity | undefined
  /** True where the caller's session has ended with it. */
  readonly loggedInOrOut: boolean
}

export class CallerIdentities {
  /** By all cookies together that may name a caller: the wiki looks at all of them. */
  readonly #byJar = callerCache<Identity>()
  /** Whom a token logs in that a recorded answer handed out. */
  readonly #byToken = callerCache<Identity>()
  /** Sessions that a login or logout has ended. */
  readonly #ended = callerCache<true>()
  readonly #cookieNames: () => SessionCookieNames
  /** What was learned since `takeChanges`, by the cookies. */
  #changes: (readonly [jar: string, identity: Identity | 'ended'])[] = []

  constructor(cookieNames: () => SessionCookieNames) {
    this.#cookieNames = cookieNames
  }

  /**
   * Who asks. A `UserID` counts only with a session or a token; a logout ends the session, but not the wiki's own token.
   * Source: CookieSessionProvider; measured on 1.35 and 1.43.
   */
  identityOf(headers: IncomingHeaders, params: Params): Identity {
    const known = this.knownIdentity(headers, params)
    if (known !== undefined) return known
    const cookies = wikiCookiesOf(headers, this.#cookieNames()).filter(({ value }) => !isDeleted(value))
    const hasId = cookies.some(({ name }) => name.endsWith('UserID'))
    const active = credentialsOf(headers, this.#cookieNames()).filter((one) => !this.#ended.has(one))
    if (!hasId || active.length === 0) return 'anonymous'
    const name = cookies.find((one) => one.name.endsWith('UserName'))?.value
    if (name !== undefined) return `user:${decodeQuery(name)}`
    return active.map((one) => this.#byToken.get(one)).find((one) => one !== undefined) ?? 'unknown'
  }

  /** Who asks, where no cookie names anybody or the wiki has said whom they name; otherwise undefined. */
  knownIdentity(headers: IncomingHeaders, params: Params): Identity | undefined {
    if (isCrossOrigin(params)) return 'anonymous'
    return headerText(headers, 'authorization') === undefined ? this.#inJar(headers) : 'authorized'
  }

  /** True where it is the cookies that may name the caller. */
  isNamedByCookies(headers: IncomingHeaders, params: Params): boolean {
    const isAuthorized = headerText(headers, 'authorization') !== undefined
    return !isCrossOrigin(params) && !isAuthorized && this.jarOf(headers) !== ''
  }

  /** The wiki has said whom the sender of these cookies is to it. */
  set(headers: IncomingHeaders, identity: Identity): void {
    this.#set(this.jarOf(headers), identity)
  }

  /** The client has received these cookies with an answer. */
  update(
    headers: IncomingHeaders,
    cookies: readonly RecordedCookie[],
    { before, after, loggedInOrOut: renewed }: CallerChange,
  ): void {
    if (before !== undefined) this.set(headers, before)
    const known = after ?? this.#inJar(headers)
    if (renewed) {
      this.#end(credentialsOf(headers, this.#cookieNames()))
      this.#changes.push([this.jarOf(headers), 'ended'])
    }
    if (known === undefined) return
    for (const token of credentialsIn(cookies).filter(isWikiToken)) this.#byToken.set(token, known)
    const jar = selectSessionCookies(cookiesAfter(headers, cookies), this.#cookieNames())
    this.#set(jarText(jar), known)
  }

  takeChanges(): readonly (readonly [jar: string, identity: Identity | 'ended'])[] {
    const changes = this.#changes
    this.#changes = []
    return changes
  }

  /** Another replica has learned who sends these cookies. */
  restore(headers: IncomingHeaders, identity: Identity | 'ended'): void {
    if (identity === 'ended') this.#end(credentialsOf(headers, this.#cookieNames()))
    else this.#set(this.jarOf(headers), identity)
    this.#changes = []
  }

  /** The wiki's own token outlasts a logout, so it is unknown who sends it next. */
  #end(credentials: readonly string[]): void {
    for (const jar of [...this.#byJar.keys()])
      if (credentials.some((credential) => jar.includes(credential))) this.#byJar.delete(jar)
    for (const credential of credentials) if (!isWikiToken(credential)) this.#ended.set(credential, true)
  }

  #set(jar: string, identity: Identity): void {
    if (jar === '') return
    if (identity === 'unknown') this.#byJar.delete(jar)
    else {
      this.#byJar.set(jar, identity)
      this.#changes = [...this.#changes.slice(-20), [jar, identity]]
    }
  }

  #inJar(headers: IncomingHeaders): Identity | undefined {
    const jar = this.jarOf(headers)
    return jar === '' ? 'anonymous' : this.#byJar.get(jar)
  }

  /** The cookies that may name a caller. */
  jarOf(headers: IncomingHeaders): string {
    return jarText(wikiCookiesOf(headers, this.#cookieNames()))
  }
}

/** True of actions after which the caller's session is another one. */
export const logsInOrOut = (canonical: CanonicalRequest): boolean =>
  /^(?:login|clientlogin|logout)$/.test(canonical.get('action') ?? '')

/** True of what may make its caller another one: an edit can give a temporary account, a form of the wiki log in. */
export const mayChangeCaller = ({ effect, canonical }: Derivation): boolean =>
  effect === 'write' || canonical.has('plain body') || logsInOrOut(canonical)

/** True of `createaccount`: it hands out a session, and its account exists for all callers afterwards. */
export const createsAccount = (canonical: CanonicalRequest): boolean =>
  canonical.get('action') === 'createaccount'
