/** The sessions of one cassette: by the name that a client sends, or by the credentials that it got from the wiki. */
import type { RecordedCookie } from '../../cassette/interaction.ts'
import type { IncomingHeaders, IncomingRequest } from '../../http/incoming-request.ts'
import { CommonSession, Session } from '../../playback/session/session.ts'
import { type SessionWrite, WriteLog } from '../../playback/session/write-log.ts'
import { digest } from '../../request/request-key.ts'
import { getOrAdd } from '../../text/group-by.ts'
import type { SessionCookieNames } from '../../wiki/cookies/session-cookies.ts'
import {
  authorizationOf,
  callerCache,
  credentialsIn,
  sessionCookiesOf
} from './caller-cookies.ts'
import { type CallerChange, CallerIdentities } from './caller-identities.ts'
import { sessionIdOf } from './issued-values.ts'
import type { KnownCallers } from './known-callers.ts'
import { NamelessTurns } from './nameless-turns.ts'
import { SentChanges } from './sent-changes.ts'

export class SessionRegistry {
  readonly #writeLog = new WriteLog()
  /** Of all callers that have neither a name nor credentials. */
  readonly common: Session = new CommonSession(undefined, this.#writeLog)
  readonly identities: CallerIdentities
  readonly turns: NamelessTurns = new NamelessTurns()
  /** Undefined in replay, where nothing is sent. */
  readonly sent: SentChanges | undefined
  readonly #byName = callerCache<Session>()
  readonly #byId = callerCache<Session>()
  /** The write whose answer began a session, until its client has sent the cookies of that answer. */
  readonly #firstWrites = new WeakMap<Session, SessionWrite>()
  readonly #cookieNames: () => SessionCookieNames

  /**
   * @param cookieNames names of session cookies that no suffix tells, as far as they are known by now
   * @param callers whom the cassette knows by name. @param isLive true if a wiki may be asked
   */
  constructor(
    cookieNames: () => SessionCookieNames,
    callers: () => KnownCallers = () => undefined,
    isLive = false
  ) {
    this.#cookieNames = cookieNames
    this.sent = isLive ? new SentChanges() : undefined
    this.identities = new CallerIdentities(cookieNames, callers, isLive)
  }

  credentialsOf(headers: IncomingHeaders): readonly string[] {
    const cookies = sessionCookiesOf(headers, this.#cookieNames())
    const authorization = authorizationOf(headers)
    return authorization === undefined ? cookies : [...cookies, authorization]
  }

  /** The session of a request; a name counts more than credentials. */
  sessionOf({
    session: name,
    headers
  }: Pick<IncomingRequest, 'session' | 'headers'>): Session {
    if (name !== '')
      return getOrAdd(this.#byName, name, () => new Session(name, this.#writeLog))
    const credentials = this.credentialsOf(headers)
    const known = credentials
      .map((one) => this.#byId.get(sessionIdOf(one)))
      .find((one) => one !== undefined)
    if (!known) return this.#begin(credentials)
    const firstWrite = this.#firstWrites.get(known)
    if (firstWrite) this.common.removeWrite(firstWrite)
    this.#firstWrites.delete(known)
    return known
  }

  /** One that began a session counts in the common one until its cookies are sent: a client may ignore them. */
  addWrite(bound: Session, write: SessionWrite, caller: Session): void {
    bound.addWrite(write)
    if (caller === bound) return
    caller.addWrite(write)
    this.#firstWrites.set(bound, write)
  }

  /** By which all replicas know the session of a request; undefined for the common one. */
  idOf({ session: name, headers }: IncomingRequest): string | undefined {
    if (name !== '') return `name ${digest(name, 32)}`
    return this.credentialsOf(headers).map(sessionIdOf)[0]
  }

  /**
   * The client has received these cookies: from now on they mean its session. A caller of the common session gets its own.
   * @returns the session that the request belongs to
   */
  bindSession(
    headers: IncomingHeaders,
    session: Session,
    cookies: readonly RecordedCookie[],
    change: CallerChange
  ): Session {
    const credentials = credentialsIn(cookies)
    const bound = session === this.common ? this.#begin(credentials) : session
    for (const credential of credentials) this.#byId.set(sessionIdOf(credential), bound)
    this.identities.update(headers, cookies, change)
    return bound
  }

  #begin(credentials: readonly string[]) {
    const session =
      credentials.length === 0 ? this.common : new Session(undefined, this.#writeLog)
    for (const credential of credentials) this.#byId.set(sessionIdOf(credential), session)
    return session
  }
}
