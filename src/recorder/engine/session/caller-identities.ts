/** Who is logged in: as the wiki has said, or as cookies tell by MediaWiki's own rule. */

import type { KnownCaller } from '../../cassette/format/manifest.ts'
import type { RecordedCookie } from '../../cassette/interaction.ts'
import {
  type IncomingHeaders,
  type IncomingRequest,
  isSigned
} from '../../http/incoming-request.ts'
import type { Identity } from '../../request/api-request.ts'
import type { Derivation } from '../../request/derive.ts'
import { type CanonicalRequest, digest } from '../../request/request-key.ts'
import { decodeQuery } from '../../text/percent-decoding.ts'
import {
  type SessionCookieNames,
  selectSessionCookies
} from '../../wiki/cookies/session-cookies.ts'
import {
  authorizationOf,
  callerCache,
  cookiesAfter,
  credentialsIn,
  isDeleted,
  isWikiToken,
  jarText,
  sessionCookiesOf,
  wikiCookiesOf
} from './caller-cookies.ts'
import { isIssued } from './issued-values.ts'
import {
  callerByBotPassword,
  callerByHeader,
  type KnownCallers
} from './known-callers.ts'

/** What an answer says of its caller; undefined where it says nothing. */
export interface CallerChange {
  readonly before: Identity | undefined
  readonly after: Identity | undefined
  /** True where the caller's session has ended with it. */
  readonly loggedInOrOut: boolean
  /** The name that a bot password was logged in with: it need not have all rights of its user. */
  readonly botPassword?: string | undefined
}

type Caller = Pick<IncomingRequest, 'headers' | 'session'>

export class CallerIdentities {
  /** By all credentials together that may name a caller: the wiki looks at all of them. */
  readonly #byJar = callerCache<Identity>()
  /** Whom a token logs in that a recorded answer handed out. */
  readonly #byToken = callerCache<Identity>()
  /** Sessions that a login or logout has ended. */
  readonly #ended = callerCache<true>()
  /** With which bot password a session was logged in, by its cookies. */
  readonly #botPasswords = callerCache<string>()
  /** Of these sessions the wiki has said which rights they have. */
  readonly #requested = callerCache<true>()
  readonly #cookieNames: () => SessionCookieNames
  readonly #callers: () => KnownCallers
  readonly #isLive: boolean
  /** What was learned since `takeChanges`, by the cookies. */
  #changes: (readonly [jar: string, identity: Identity | 'ended'])[] = []

  constructor(
    cookieNames: () => SessionCookieNames,
    callers: () => KnownCallers,
    isLive: boolean
  ) {
    this.#cookieNames = cookieNames
    this.#callers = callers
    this.#isLive = isLive
  }

  /** Who asks: as the wiki has said; otherwise as the cassette and the cookies tell. */
  identityOf({ headers, session }: Caller): Identity {
    const known = this.#isLive ? this.#knownToWiki(headers) : undefined
    if (known !== undefined) return known
    const hasHeader = authorizationOf(headers) !== undefined
    // A recording of 0.1 or 0.2 does not say whom a header names.
    const named = hasHeader
      ? (callerByHeader(this.#callers(), session) ?? 'authorized')
      : 'anonymous'
    if (named !== 'anonymous') return named
    return this.#inJar(headers) ?? this.#inCookies(headers)
  }

  /** Who asks, where no credential names anybody or the wiki has said whom they name; otherwise undefined. */
  #knownToWiki(headers: IncomingHeaders): Identity | undefined {
    const authorization = authorizationOf(headers)
    return authorization !== undefined && isSigned(headers)
      ? `authorized ${digest(authorization, 8)}`
      : this.#inJar(headers)
  }

  /**
   * A `UserID` counts only with a session or a token; a logout ends the session, but not the wiki's own token.
   * Source: CookieSessionProvider; measured on 1.35 and 1.43.
   */
  #inCookies(headers: IncomingHeaders): Identity {
    const cookies = wikiCookiesOf(headers, this.#cookieNames()).filter(
      ({ value }) => !isDeleted(value)
    )
    const active = sessionCookiesOf(headers, this.#cookieNames()).filter(
      (one) => !this.#ended.has(one)
    )
    const bot = active.some(isBotSession)
      ? callerByBotPassword(this.#callers())
      : undefined
    if (bot !== undefined) return bot
    const hasId = cookies.some(({ name }) => name.endsWith('UserID'))
    if (!hasId || active.length === 0) return 'anonymous'
    const userName = cookies.find((one) => one.name.endsWith('UserName'))?.value
    const named: Identity | undefined =
      userName === undefined ? undefined : `user:${decodeQuery(userName)}`
    const owner = active
      .map((one) => this.#byToken.get(one))
      .find((one) => one !== undefined)
    if (active.every(isWikiToken)) {
      if (owner !== undefined)
        return named === undefined || named === owner ? owner : 'anonymous'
      // Nothing here tells whether a token from elsewhere is the user's.
      if (!active.some(isIssued)) return 'unknown'
    }
    return named ?? owner ?? 'unknown'
  }

  /** True where it is the caller's credentials that may name it, and the wiki can be asked whom. */
  isNamedByCredentials(headers: IncomingHeaders): boolean {
    return !isSigned(headers) && this.jarOf(headers) !== ''
  }

  /** True where the wiki has to be asked who that is, or with which rights. */
  mustBeRequested(headers: IncomingHeaders): boolean {
    return (
      this.#knownToWiki(headers) === undefined ||
      this.#botSessions(headers).some((one) => !this.#requested.has(one))
    )
  }

  /** True of a session that need not have all rights of its user. */
  mayLackRights(headers: IncomingHeaders): boolean {
    return authorizationOf(headers) !== undefined || this.#botSessions(headers).length > 0
  }

  #botSessions(headers: IncomingHeaders): readonly string[] {
    const cookies = sessionCookiesOf(headers, this.#cookieNames())
    return cookies.filter((one) => isBotSession(one) || this.#botPasswords.has(one))
  }

  /** What the cassette has to know of a caller, so that a replay can name it; undefined where its requests do. */
  callerToKeep({ headers, session }: Caller, as: Identity): KnownCaller | undefined {
    const [login] = this.#botSessions(headers).map((one) => this.#botPasswords.get(one))
    if (login !== undefined) return as.includes('[') ? { as, login } : undefined
    const authorization = authorizationOf(headers)
    if (authorization === undefined || authorization !== this.jarOf(headers))
      return undefined
    return session === '' ? { as } : { as, session }
  }

  /** Who is logged in by a bot password. */
  afterBotLogin(login: string, user: Identity): Identity {
    return callerByBotPassword(this.#callers(), login) ?? user
  }

  /** The wiki has said whom the sender of these cookies is to it. */
  set(headers: IncomingHeaders, identity: Identity): void {
    for (const one of this.#botSessions(headers)) this.#requested.set(one, true)
    this.#set(this.jarOf(headers), identity)
  }

  /** The client has received these cookies with an answer. */
  update(
    headers: IncomingHeaders,
    cookies: readonly RecordedCookie[],
    { before, after, loggedInOrOut: renewed, botPassword }: CallerChange
  ): void {
    if (before !== undefined) this.#set(this.jarOf(headers), before)
    const known = after ?? this.#inJar(headers)
    if (renewed) {
      this.#end(sessionCookiesOf(headers, this.#cookieNames()))
      this.#changes.push([this.jarOf(headers), 'ended'])
    }
    if (botPassword !== undefined)
      for (const one of credentialsIn(cookies)) this.#botPasswords.set(one, botPassword)
    if (known === undefined) return
    for (const token of credentialsIn(cookies).filter(isWikiToken))
      this.#byToken.set(token, known)
    const jar = selectSessionCookies(cookiesAfter(headers, cookies), this.#cookieNames())
    this.#set(jarText(jar, authorizationOf(headers)), known)
  }

  takeChanges(): readonly (readonly [jar: string, identity: Identity | 'ended'])[] {
    const changes = this.#changes
    this.#changes = []
    return changes
  }

  /** Another replica has learned who sends these cookies. */
  restore(headers: IncomingHeaders, identity: Identity | 'ended'): void {
    if (identity === 'ended') this.#end(sessionCookiesOf(headers, this.#cookieNames()))
    else this.#set(this.jarOf(headers), identity)
    this.#changes = []
  }

  /** The wiki's own token outlasts a logout, so it is unknown who sends it next. */
  #end(credentials: readonly string[]): void {
    for (const jar of [...this.#byJar.keys()])
      if (credentials.some((credential) => jar.includes(credential)))
        this.#byJar.delete(jar)
    for (const credential of credentials)
      if (!isWikiToken(credential)) this.#ended.set(credential, true)
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

  /** The credentials that may name a caller. */
  jarOf(headers: IncomingHeaders): string {
    return jarText(wikiCookiesOf(headers, this.#cookieNames()), authorizationOf(headers))
  }
}

/** True of the session of a bot password. Source: BotPasswordSessionProvider. */
const isBotSession = (credential: string): boolean => /^[^=]*_BPsession=/.test(credential)

/** True of actions after which the caller's session is another one. */
export const logsInOrOut = (canonical: CanonicalRequest): boolean =>
  /^(?:login|clientlogin|logout)$/.test(canonical.get('action') ?? '')

/** True of what may make its caller another one: an edit can give a temporary account, a form of the wiki log in. */
export const mayChangeCaller = ({ effect, canonical }: Derivation): boolean =>
  effect === 'write' || canonical.has('plain body') || logsInOrOut(canonical)

/** True of `createaccount`: it hands out a session, and its account exists for all callers afterwards. */
export const createsAccount = (canonical: CanonicalRequest): boolean =>
  canonical.get('action') === 'createaccount'
