/** The engines of one server, by cassette and mode, each opened at first use. */

import type { ApiUrl } from '../../http/api-url.ts'
import { goesOut, type Mode, narrowed } from '../../playback/mode.ts'
import type { Ledger } from '../../privacy/known/secret-registry.ts'
import { discreet } from '../../privacy/redact/redact-message.ts'
import type { Store } from '../../store/store.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import { Engine, type EngineOptions } from '../engine.ts'
import type { Live } from '../live-wiki.ts'
import { Sessions } from '../session/session-registry.ts'
import type { Feed } from './request-feed.ts'
import { StoreRegistry, type StoreRegistryOptions } from './store-registry.ts'

export interface EngineRegistryOptions
  extends StoreRegistryOptions,
    Pick<EngineOptions, 'missStatus' | 'onMiss' | 'trust' | 'recordErrors' | 'keepCookies' | 'report'> {
  /** What the flag or the environment says; requests can only narrow it, unless `allowControl` is true. */
  readonly mode: Mode
  readonly allowControl?: boolean
  /** Writes do not reach the wiki. */
  readonly refuseWrites?: boolean
  /** The live wiki; undefined in replay, where no engine ever goes out. */
  readonly live: LiveSide | undefined
}

/** How an engine reaches the wiki; each has its own connections. */
export interface LiveSide extends Pick<Live, 'secrets' | 'asksItself' | 'isKept'> {
  readonly api: ApiUrl
  readonly upstream: () => Upstream
  /** For questions of wikitape's own, where they go another way than a client's. */
  readonly own?: () => Upstream
}

/** What all engines of a server share. */
export interface SharedByEngines {
  /** What was secret in one cassette is secret in the others. */
  readonly ledger: Ledger
  /** What became of the last requests, of all cassettes. */
  readonly feed: Feed
}

export class EngineRegistry {
  readonly #options: EngineRegistryOptions
  readonly #shared: SharedByEngines
  readonly stores: StoreRegistry
  readonly #engines = new Map<string, Engine>()
  readonly #sessions = new Map<Store, Sessions>()
  /** For requests that name neither cassette nor mode, as most do. */
  readonly first: Engine
  /** Wishes of X-Cassette-Mode that were not followed. */
  readonly #refusedModes = new Set<Mode>()

  /** Opens the cassette named at the start. @throws StoreError */
  constructor(options: EngineRegistryOptions, shared: SharedByEngines) {
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

  #get(cassette: string | undefined, wish: Mode | undefined): Engine {
    const dir = this.stores.dirOf(cassette)
    const mode = this.#modeFor(wish)
    const name = `${mode}\n${dir}`
    const engine = this.#engines.get(name) ?? this.#create(dir, mode)
    this.#engines.set(name, engine)
    return engine
  }

  #create(dir: string, mode: Mode): Engine {
    const { live, api, report, refuseWrites, ...options } = this.#options
    const { ledger, feed } = this.#shared
    const reachable = goesOut(mode) ? live : undefined
    const store = this.stores.get(dir)
    return new Engine({
      store,
      sessions: this.#sessionsOf(store),
      mode: reachable === undefined ? 'none' : mode,
      live: reachable && liveOf(reachable),
      apiPath: (live?.api ?? api)?.path,
      steady: live === undefined,
      missStatus: options.missStatus,
      onMiss: options.onMiss,
      trust: options.trust,
      recordErrors: options.recordErrors,
      keepCookies: options.keepCookies,
      ledger: live === undefined ? undefined : ledger,
      refuseWrites: refuseWrites === true,
      now: options.now,
      report: (line) => report(discreet(line, ledger)),
      told: (told) => feed.tell(told),
    })
  }

  #sessionsOf(store: Store): Sessions {
    const sessions = this.#sessions.get(store) ?? new Sessions(() => store.manifest.sessionCookies ?? [])
    this.#sessions.set(store, sessions)
    return sessions
  }

  /** A request that wishes for more than the run was started with gets the run's mode, and that is said once. */
  #modeFor(wish: Mode | undefined): Mode {
    const { mode, allowControl, live, report } = this.#options
    if (wish === undefined || (allowControl === true && live !== undefined)) return wish ?? mode
    const given = narrowed(mode, wish)
    if (given !== wish && live !== undefined && !this.#refusedModes.has(wish)) {
      this.#refusedModes.add(wish)
      report(
        `X-Cassette-Mode: ${wish} reaches further than ${mode}, so ${mode} it stays; add --allow-control`,
      )
    }
    return given
  }
}

const liveOf = ({ api, upstream, own, secrets, asksItself, isKept }: LiveSide): Live => ({
  upstream: upstream(),
  own: own?.(),
  href: api.href,
  apiPath: api.path,
  authorization: api.authorization,
  secrets,
  asksItself,
  isKept,
})
