/** The sessions of one cassette: by the name that a client sends, or by the credentials that it got from the wiki. */
import type { Interaction, RecordedCookie } from '../../cassette/interaction.ts'
import type { IncomingHeaders, IncomingRequest } from '../../http/incoming-request.ts'
import { Session, type SessionWrite } from '../../playback/session/session.ts'
import { digest, type RequestKey } from '../../request/request-key.ts'
import { getOrAdd } from '../../text/group-by.ts'
import type { SessionCookieNames } from '../../wiki/cookies/session-cookies.ts'
import { type ReadSet, whyAffected } from '../../wiki/effects/read-set.ts'
import type { WriteSet } from '../../wiki/effects/write-set.ts'
import { callerCache, credentialsIn, credentialsOf } from './caller-cookies.ts'
import { type CallerChange, CallerIdentities } from './caller-identities.ts'
import { sessionIdOf } from './personaliser.ts'

export class SessionRegistry {
  /** Of all callers that have neither a name nor credentials. */
  readonly common: Session = new Session(undefined)
  readonly identities: CallerIdentities
  /** Undefined in replay, where no wiki can be out of step. */
  readonly runWrites: RunWrites | undefined
  readonly #byName = callerCache<Session>()
  readonly #byId = callerCache<Session>()
  /** The write whose answer began a session, until its client has sent the cookies of that answer. */
  readonly #firstWrites = new WeakMap<Session, SessionWrite>()
  readonly #cookieNames: () => SessionCookieNames

  /** @param cookieNames names of session cookies that no suffix tells, as far as they are known by now. @param isLive true where a wiki may be asked */
  constructor(cookieNames: () => SessionCookieNames, isLive = false) {
    this.#cookieNames = cookieNames
    this.runWrites = isLive ? new RunWrites() : undefined
    this.identities = new CallerIdentities(cookieNames)
  }

  credentialsOf(headers: IncomingHeaders): readonly string[] {
    return credentialsOf(headers, this.#cookieNames())
  }

  /** The session of a request; a name counts more than credentials. */
  sessionOf({ session: name, headers }: Pick<IncomingRequest, 'session' | 'headers'>): Session {
    if (name !== '') return getOrAdd(this.#byName, name, () => new Session(name))
    const credentials = this.credentialsOf(headers)
    const known = credentials.map((one) => this.#byId.get(sessionIdOf(one))).find((one) => one !== undefined)
    if (known === undefined) return this.#begin(credentials)
    const firstWrite = this.#firstWrites.get(known)
    if (firstWrite !== undefined) this.common.removeWrite(firstWrite)
    this.#firstWrites.delete(known)
    return known
  }

  /** Adds a write. One that began a session counts in the common one until its cookies are sent: a client may ignore them. */
  addWrite(caller: Session, bound: Session, write: SessionWrite): void {
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
    change: CallerChange,
  ): Session {
    const credentials = credentialsIn(cookies)
    const bound = session === this.common ? this.#begin(credentials) : session
    for (const credential of credentials) this.#byId.set(sessionIdOf(credential), bound)
    this.identities.update(headers, cookies, change)
    return bound
  }

  #begin(credentials: readonly string[]): Session {
    const session = credentials.length === 0 ? this.common : new Session(undefined)
    for (const credential of credentials) this.#byId.set(sessionIdOf(credential), session)
    return session
  }
}

/* While recording: the run's writes. A write that was sent outdates other sessions' recordings; one that was replayed is unknown to the wiki. */

interface RunWrite {
  /** That sent it: their own epochs say what it has changed. */
  readonly sessions: readonly Session[]
  readonly writeSet: WriteSet
  readonly isReplayed: boolean
}

export class RunWrites {
  readonly #writes: RunWrite[] = []
  /** How many writes there were when the wiki was last asked: for each recording, and for each request of a session. */
  readonly #writesBeforeRecording = new Map<RequestKey, number>()
  readonly #writesBeforeRequest = new WeakMap<Session, Map<RequestKey, number>>()

  add(write: RunWrite): void {
    this.#writes.push(write)
  }

  /** @param key of the request in no epoch. @param recordedKey of the recording that has the answer */
  noteLiveRequest(session: Session, key: RequestKey, recordedKey: RequestKey): void {
    getOrAdd(this.#writesBeforeRequest, session, () => new Map()).set(key, this.#writes.length)
    this.#writesBeforeRecording.set(recordedKey, this.#writes.length)
  }

  /** True where the wiki was asked for this recording in this run. */
  wasAskedFor(recordedKey: RequestKey): boolean {
    return this.#writesBeforeRecording.has(recordedKey)
  }

  /** True where another session has written since the wiki was last asked for this answer, and may have changed it. */
  haveOutdated(session: Session, key: RequestKey, reads: ReadSet, recorded: Interaction): boolean {
    const earlier =
      recorded.responses.length > 1
        ? this.#writesBeforeRequest.get(session)?.get(key)
        : this.#writesBeforeRecording.get(recorded.key)
    return this.#writes
      .slice(earlier ?? 0)
      .some((one) => !one.isReplayed && !one.sessions.includes(session) && affects(one, reads))
  }

  /** True where a write that was not sent would have changed the answer. */
  areUnsent(reads: ReadSet): boolean {
    return this.#writes.some((one) => one.isReplayed && affects(one, reads))
  }
}

const affects = ({ writeSet }: RunWrite, reads: ReadSet): boolean =>
  whyAffected(writeSet, reads) !== undefined
