/** The engines of one server, by cassette and mode, each opened at first use. */

import type { ApiUrl } from '../../http/api-url.ts'
import { type Mode, mayAskWiki, narrowMode } from '../../playback/mode.ts'
import type { SecretRegistry } from '../../privacy/known/secret-registry.ts'
import { redactMessage } from '../../privacy/redact/redact-message.ts'
import type { Store } from '../../store/store.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import { Engine, type EngineOptions } from '../engine.ts'
import type { LiveWiki } from '../live-wiki.ts'
import { SessionRegistry } from '../session/session-registry.ts'
import type { RequestFeed } from './request-feed.ts'
import { StoreRegistry, type StoreRegistryOptions } from './store-registry.ts'

export interface EnginePoolOptions
  extends StoreRegistryOptions,
    Pick<EngineOptions, 'missStatus' | 'onMiss' | 'trust' | 'recordErrors' | 'keepCookies' | 'report'> {
  /** What the flag or the environment says; requests can only narrow it, unless `allowControl` is true. */
  readonly mode: Mode
  readonly allowControl?: boolean
  /** Writes do not reach the wiki. */
  readonly refuseWrites?: boolean
  /** The live wiki; undefined in replay, where no engine ever goes out. */
  readonly live: UpstreamOptions | undefined
}

/** How an engine reaches the wiki; each has its own connections. */
export interface UpstreamOptions extends Pick<LiveWiki, 'secrets' | 'ownRequestsOnly' | 'isImported'> {
  readonly api: ApiUrl
  readonly upstream: () => Upstream
  /** For questions of wikitape's own, where they go another way than a client's. */
  readonly ownUpstream?: () => Upstream
}

/** What all engines of a server share. */
export interface SharedByEngines {
  /** What was secret in one cassette is secret in the others. */
  readonly secrets: SecretRegistry
  /** What became of the last requests, of all cassettes. */
  readonly feed: RequestFeed
}

export class EnginePool {
  readonly #options: EnginePoolOptions
  readonly #shared: SharedByEngines
  readonly stores: StoreRegistry
  readonly #engines = new Map<string, Engine>()
  readonly #sessions = new Map<Store, SessionRegistry>()
  /** For requests that name neither cassette nor mode, as most do. */
  readonly first: Engine
  /** Wishes of X-Cassette-Mode that were not followed. */
  readonly #refusedModes = new Set<Mode>()

  /** Opens the cassette named at the start. @throws StoreError */
  constructor(options: EnginePoolOptions, shared: SharedByEngines) {
    this.#options = options
    this.#shared = shared
    this.stores = new StoreRegistry(options)
    this.first = this.#get(undefined, undefined)
  }

  /** The engine for a cassette and a mode. @throws StoreError */
  get(cassette: string | undefined, mode: Mode | undefined): Engine {
    return cassette === undefined && mode === undefined ? this.first : this.#get(cassette, mode)
  }

  all(): readonly Engine[] {
    return [...this.#engines.values()]
  }

  #get(cassette: string | undefined, requested: Mode | undefined): Engine {
    const dir = this.stores.dirOf(cassette)
    const mode = this.#modeFor(requested)
    const name = `${mode}\n${dir}`
    const engine = this.#engines.get(name) ?? this.#create(dir, mode)
    this.#engines.set(name, engine)
    return engine
  }

  #create(dir: string, mode: Mode): Engine {
    const { live, api, report, refuseWrites, ...options } = this.#options
    const { secrets, feed } = this.#shared
    const upstreamOptions = mayAskWiki(mode) ? live : undefined
    const store = this.stores.get(dir)
    return new Engine({
      store,
      sessions: this.#sessionsOf(store),
      mode: upstreamOptions === undefined ? 'none' : mode,
      live: upstreamOptions && liveWikiOf(upstreamOptions),
      apiPath: (live?.api ?? api)?.path,
      readOnly: live === undefined,
      missStatus: options.missStatus,
      onMiss: options.onMiss,
      trust: options.trust,
      recordErrors: options.recordErrors,
      keepCookies: options.keepCookies,
      secrets: live === undefined ? undefined : secrets,
      refuseWrites: refuseWrites === true,
      now: options.now,
      report: (line) => report(redactMessage(line, secrets)),
      onEntry: (told) => feed.add(told),
    })
  }

  #sessionsOf(store: Store): SessionRegistry {
    const sessions =
      this.#sessions.get(store) ?? new SessionRegistry(() => store.manifest.sessionCookies ?? [])
    this.#sessions.set(store, sessions)
    return sessions
  }

  /** A request that wishes for more than the run was started with gets the run's mode, and that is said once. */
  #modeFor(requested: Mode | undefined): Mode {
    const { mode, allowControl, live, report } = this.#options
    if (requested === undefined || (allowControl === true && live !== undefined)) return requested ?? mode
    const granted = narrowMode(mode, requested)
    if (granted !== requested && live !== undefined && !this.#refusedModes.has(requested)) {
      this.#refusedModes.add(requested)
      report(
        `X-Cassette-Mode: ${requested} reaches further than ${mode}, so ${mode} it stays; add --allow-control`,
      )
    }
    return granted
  }
}

const liveWikiOf = ({
  api,
  upstream,
  ownUpstream,
  secrets,
  ownRequestsOnly: asksItself,
  isImported,
}: UpstreamOptions): LiveWiki => ({
  upstream: upstream(),
  ownUpstream: ownUpstream?.(),
  href: api.href,
  apiPath: api.path,
  authorization: api.authorization,
  secrets,
  ownRequestsOnly: asksItself,
  isImported,
})
