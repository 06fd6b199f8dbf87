/** Sessions of a replay by several replicas, kept in the store: read before each request of a client, written before its reply. */
import type { RecordedCookie } from '../../cassette/interaction.ts'
import type { IncomingRequest } from '../../http/incoming-request.ts'
import {
  type Session,
  type SessionState,
  writeSetOfInteraction
} from '../../playback/session/session.ts'
import type { Identity } from '../../request/api-request.ts'
import { digest, type RequestKey } from '../../request/request-key.ts'
import { retryWhenLoaded } from '../../store/pending-read.ts'
import type { SessionStates, Store } from '../../store/store.ts'
import { writesEverything } from '../../wiki/effects/write-set.ts'
import { credentialsIn } from './caller-cookies.ts'
import { sessionIdOf } from './issued-values.ts'
import type { SessionRegistry } from './session-registry.ts'

interface StoredState extends SessionState {
  /** Who the sender of a set of cookies is, by its digest; the last ones. */
  readonly callers: readonly (readonly [jar: string, identity: Identity | 'ended'])[]
}

interface KnownState {
  readonly id: string
  readonly version: number
  readonly text: string
}

const maxCallers = 8
/** Of a client that has done nothing yet. */
const nothing = JSON.stringify({ writes: [], history: [], callers: [] })

export class SharedSessions {
  readonly #states: SessionStates
  readonly #store: Store
  readonly #sessions: SessionRegistry
  readonly #known = new WeakMap<Session, KnownState>()

  constructor(states: SessionStates, store: Store, sessions: SessionRegistry) {
    this.#states = states
    this.#store = store
    this.#sessions = sessions
  }

  /** Takes over what other replicas have done for this client. @throws StoreError */
  async load(incoming: IncomingRequest): Promise<void> {
    const id = this.#sessions.idOf(incoming)
    if (id === undefined) return
    const stored = await this.#states.load(id)
    const session = this.#sessions.sessionOf(incoming)
    const known = this.#known.get(session)
    if (!stored) {
      if (!known) this.#known.set(session, { id, version: 0, text: '' })
      return
    }
    const state: StoredState = JSON.parse(stored.text)
    for (const [jar, identity] of state.callers)
      if (jar === digest(this.#sessions.identities.jarOf(incoming.headers), 16))
        this.#sessions.identities.restore(incoming.headers, identity)
    if (known && known.version >= stored.version) return
    await retryWhenLoaded(() => session.restore(state, (key) => this.#writeSetOf(key)))
    this.#known.set(session, { id, ...stored })
  }

  /** A write that is not recorded may have changed everything. @throws PendingRead */
  #writeSetOf(key: RequestKey) {
    const { interaction } = this.#store.get(key)
    const known =
      interaction && writeSetOfInteraction(interaction, this.#store.manifest.site)
    return known ?? writesEverything('a write that another replica answered')
  }

  /**
   * @param cookies of the answer, which may have begun a session
   * @returns false where another replica has answered this client meanwhile: the request has to be answered anew
   */
  async save(
    session: Session,
    cookies: readonly RecordedCookie[] = []
  ): Promise<boolean> {
    const changes = this.#sessions.identities.takeChanges()
    const [id] = credentialsIn(cookies).map(sessionIdOf)
    const known =
      this.#known.get(session) ??
      (id === undefined ? undefined : { id, version: 0, text: '' })
    if (!known || session === this.#sessions.common) return true
    const before: StoredState | undefined =
      known.text === '' ? undefined : JSON.parse(known.text)
    const callers = new Map(before?.callers ?? [])
    for (const [jar, identity] of changes) {
      callers.delete(digest(jar, 16))
      callers.set(digest(jar, 16), identity)
    }
    const text = JSON.stringify({
      ...session.state(),
      callers: [...callers].slice(-maxCallers)
    })
    if (text === (known.text || nothing)) return true
    const version = known.version + 1
    if (!(await this.#states.save(known.id, version, text))) return false
    this.#known.set(session, { id: known.id, version, text })
    return true
  }
}
