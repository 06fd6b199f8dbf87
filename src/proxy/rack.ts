/** The cassettes that one server serves: the one named at the start, and others under the same root by name. */
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { dayOf } from '../cassette/manifest.ts'
import { goesOut, type Mode, narrowed } from '../playback/mode.ts'
import { discreet } from '../privacy/discreet.ts'
import { Ledger } from '../privacy/ledger.ts'
import { isLoopback } from '../privacy/shapes.ts'
import type { RequestKey } from '../request/key.ts'
import { CassetteStore } from '../store/cassette-store.ts'
import { StoreError } from '../store/errors.ts'
import { placeInside } from '../store/inside.ts'
import { mustBeSameWiki } from '../store/one-wiki.ts'
import type { Store } from '../store/store.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { ApiUrl } from './api-url.ts'
import { Engine, type EngineOptions } from './engine.ts'
import type { IncomingHeaders } from './exchange.ts'
import { Feed } from './feed.ts'
import type { Live } from './forwarder.ts'
import { inflate } from './inflate.ts'
import { Origins, type Rewriting } from './rewrite.ts'
import { Sessions } from './sessions.ts'
import { addCounts, type Counts } from './summary.ts'
import { ownAddresses, witnessHead } from './witness.ts'

export interface RackOptions
  extends Pick<
    EngineOptions,
    'missStatus' | 'onMiss' | 'trust' | 'recordErrors' | 'keepCookies' | 'now' | 'report'
  > {
  /** Folder of the cassette that serves requests which name none. */
  readonly cassette: string
  /** What the flag or the environment says; requests can only narrow it, unless `allowControl` is true. */
  readonly mode: Mode
  readonly allowControl?: boolean
  /** Cassettes in which a request must be spelled as it was recorded: new ones are begun so, others refused. */
  readonly strict?: boolean
  /** Writes do not reach the wiki. */
  readonly refuseWrites?: boolean
  /** The wiki's own addresses lead here in what is served. */
  readonly rewriteUrls?: boolean
  /** Opens what is replayed; a folder on the disk unless given. @throws StoreError */
  readonly open?: (dir: string) => Store
  /** Names where a cassette of this folder is recorded to until what is recorded may stay; there unless given. */
  readonly stage?: (dir: string) => string
  /** Milliseconds that a file must have been left alone to count as unchanged; 2000 unless given. */
  readonly racyWindowMs?: number
  /** The live wiki; undefined in replay, where no engine ever goes out. */
  readonly live: LiveSide | undefined
  /** The wiki that clients ask for, where one is named although nothing goes out; that of `live` otherwise. */
  readonly api?: ApiUrl | undefined
  /** Lets the cassette named at the start be a recording of that wiki under another address. */
  readonly moved?: boolean | undefined
}

/** How an engine reaches the wiki; each has its own connections. */
export interface LiveSide extends Pick<Live, 'secrets' | 'asksItself' | 'isKept'> {
  readonly api: ApiUrl
  readonly upstream: () => Upstream
  /** For questions of wikitape's own, where they go another way than a client's. */
  readonly own?: () => Upstream
}

export class Rack {
  readonly #options: RackOptions
  readonly #engines = new Map<string, Engine>()
  /** For requests that name neither cassette nor mode, as most do. */
  #first: Engine | undefined
  readonly #stores = new Map<string, Store>()
  readonly #sessions = new Map<Store, Sessions>()
  /** One for all cassettes: what was secret in one is secret in the others. */
  readonly ledger: Ledger = new Ledger({ inflate })
  /** What became of the last requests, of all cassettes. */
  readonly feed: Feed = new Feed()
  readonly #origins = new Map<Store, Origins>()
  /** Every request asks for it. */
  #wiki = { upstream: '', host: '' }
  #refused = false
  /** Wishes of X-Cassette-Mode that were not followed. */
  readonly #toldOf = new Set<Mode>()

  /** Opens the cassette named at the start. @throws StoreError */
  constructor(options: RackOptions) {
    this.#options = options
    if (options.live !== undefined) this.ledger.learn(ownAddresses())
    this.engine(undefined, undefined)
  }

  /** The engine for a cassette and a mode, opened at first use. @throws StoreError */
  engine(cassette: string | undefined, mode: Mode | undefined): Engine {
    if (cassette !== undefined || mode !== undefined) return this.#engineOf(cassette, mode)
    this.#first ??= this.#engineOf(undefined, undefined)
    return this.#first
  }

  #engineOf(cassette: string | undefined, mode: Mode | undefined): Engine {
    const options = this.#options
    const dir = this.#dirOf(cassette)
    const wanted = this.#modeFor(mode)
    const place = `${wanted}\n${dir}`
    const known = this.#engines.get(place)
    if (known !== undefined) return known
    const out = goesOut(wanted) ? options.live : undefined
    const store = this.#store(dir)
    const sessions = this.#sessions.get(store) ?? new Sessions(() => store.manifest.sessionCookies ?? [])
    this.#sessions.set(store, sessions)
    const engine = new Engine({
      store,
      sessions,
      mode: out === undefined ? 'none' : wanted,
      live: out && liveOf(out),
      apiPath: this.#asked?.path,
      steady: options.live === undefined,
      missStatus: options.missStatus,
      onMiss: options.onMiss,
      trust: options.trust,
      recordErrors: options.recordErrors,
      keepCookies: options.keepCookies,
      ledger: options.live === undefined ? undefined : this.ledger,
      refuseWrites: options.refuseWrites === true,
      now: options.now,
      report: (line) => options.report(this.discreet(line)),
      told: (told) => this.feed.tell(told),
    })
    this.#engines.set(place, engine)
    return engine
  }

  /** A request that wishes for more than the run was started with gets the run's mode, and that is said once. */
  #modeFor(wish: Mode | undefined): Mode {
    const { mode, allowControl, live, report } = this.#options
    if (wish === undefined || (allowControl === true && live !== undefined)) return wish ?? mode
    const given = narrowed(mode, wish)
    if (given !== wish && live !== undefined && !this.#toldOf.has(wish)) {
      this.#toldOf.add(wish)
      report(
        `X-Cassette-Mode: ${wish} reaches further than ${mode}, so ${mode} it stays; add --allow-control`,
      )
    }
    return given
  }

  /** @param reached tells the address by which a client has reached this server; undefined where it names the wiki itself */
  rewriting({ store }: Engine, reached: () => string | undefined): Rewriting | undefined {
    const address = this.#options.rewriteUrls === true ? reached() : undefined
    if (address === undefined) return undefined
    const origins = this.#origins.get(store) ?? new Origins(store)
    this.#origins.set(store, origins)
    return { origins, address }
  }

  /** Tells what a request holds to whoever watches for secrets, whatever becomes of it. */
  witness(target: string, headers: IncomingHeaders, address: string | undefined): void {
    if (!this.live) return
    witnessHead(this.ledger, target, headers)
    if (address !== undefined && !isLoopback(address))
      this.ledger.learn([{ kind: 'address', value: address, source: 'the client' }])
  }

  /** True where requests may go out to a wiki. */
  get live(): boolean {
    return this.#options.live !== undefined
  }

  /** Host and port of the wiki that the cassette named at the start is a recording of. */
  get wikiHost(): string {
    const upstream = this.#asked?.href ?? this.engine(undefined, undefined).store.manifest.upstream
    if (upstream !== this.#wiki.upstream)
      this.#wiki = { upstream, host: URL.canParse(upstream) ? new URL(upstream).host : '' }
    return this.#wiki.host
  }

  /** The wiki that clients ask for; undefined where it is whatever the cassette is a recording of. */
  get #asked(): ApiUrl | undefined {
    return this.#options.live?.api ?? this.#options.api
  }

  /** A line for people without the secrets of this run. */
  discreet(line: string): string {
    return discreet(line, this.ledger)
  }

  engines(): readonly Engine[] {
    return [...this.#engines.values()]
  }

  counts(): Counts {
    const unused = this.#byStore().reduce((sum, { store, used }) => sum + unusedOf(store, used), 0)
    return { ...addCounts(this.engines().map((engine) => engine.summary.counts())), unused }
  }

  /** The worst exit code of all engines; 2 where another wiki's cassette was named. */
  exitCode(): number {
    return Math.max(this.#refused ? 2 : 0, ...this.engines().map((engine) => engine.summary.exitCode()))
  }

  /** True where all that was to be recorded was passed on: replay would have nothing to answer with. */
  recordedNothing(): boolean {
    const { recorded, unchanged, replayed, synthesized } = this.counts()
    const passed = this.engines().some(({ summary }) => summary.unrecorded > 0)
    return passed && recorded + unchanged + replayed + synthesized === 0
  }

  /** Forces to the disk what was recorded, while clients are served. @throws what the disk says */
  async checkpoint(): Promise<void> {
    for (const store of this.#stores.values()) await store.checkpointAside()
  }

  /** @param doubt why it is not certain that everything was asked for that is needed: then `update` drops nothing */
  close(doubt?: string): void {
    const byStore = this.#byStore()
    for (const engine of this.engines())
      engine.close(byStore.find(({ store }) => store === engine.store)?.used ?? new Set(), doubt)
    // A replay opens the cassette of its flag first, also where all that was asked named another beside it.
    if (this.live && byStore.some(({ store }) => store.size > 0))
      this.engine(undefined, undefined).store.begin()
  }

  /** One cassette may be at work in several modes. */
  #byStore(): readonly { readonly store: Store; readonly used: ReadonlySet<RequestKey> }[] {
    return [...new Set(this.engines().map(({ store }) => store))].map((store) => ({
      store,
      used: new Set(
        this.engines().flatMap((engine) => (engine.store === store ? [...engine.summary.used] : [])),
      ),
    }))
  }

  /** @throws StoreError */
  #dirOf(name: string | undefined): string {
    const { cassette } = this.#options
    const whole = path.resolve(cassette)
    // The one named at the start may be a link to anywhere.
    if (name === undefined || name === path.basename(whole)) return cassette
    return placeInside(path.dirname(whole), name)
  }

  /**
   * One folder is one cassette: the flag's may be named by a path too, or in another case where the file system does
   * not mind. Two at work in it would each drop what only the other was asked for.
   */
  #underAnotherName(dir: string): Store | undefined {
    const name = folded(dir)
    const alike = [...this.#stores.values()].filter((store) => folded(store.dir) === name)
    const place = alike.length === 0 ? '' : placeOf(dir)
    return alike.find((store) => placeOf(store.dir) === place)
  }

  #openSteady(dir: string): Store {
    const { open, racyWindowMs } = this.#options
    return open?.(dir) ?? CassetteStore.open(dir, { racyWindowMs })
  }

  #store(dir: string): Store {
    const known = this.#stores.get(dir) ?? this.#underAnotherName(dir)
    const store = known ?? this.#open(dir)
    this.#stores.set(dir, store)
    return store
  }

  /** @throws StoreError */
  #open(dir: string): Store {
    const { live, now, stage, api, cassette } = this.#options
    const moved = this.#options.moved === true && dir === cassette
    let store: Store
    try {
      store =
        live === undefined
          ? this.#openSteady(dir)
          : CassetteStore.openOrCreate(dir, live.api.href, { day: dayOf(now()), stage, moved })
      if (api !== undefined) mustBeSameWiki(store, { upstream: api.href, site: undefined }, moved)
    } catch (error) {
      this.#refused ||= error instanceof StoreError && error.fault === 'other-wiki'
      throw error
    }
    if (this.#options.strict === true && store.manifest.match !== 'strict') {
      if (store.size > 0 || live === undefined) throw StoreError.notStrict(dir)
      store.setManifest({ ...store.manifest, match: 'strict' })
    }
    return store
  }
}

/** The folder's name as file systems compare it that mind neither case nor how letters are composed. */
const folded = (dir: string): string => path.basename(path.resolve(dir)).normalize('NFC').toLowerCase()

function placeOf(dir: string): string {
  try {
    return realpathSync.native(dir)
  } catch {
    return path.resolve(dir)
  }
}

const unusedOf = (store: Store, used: ReadonlySet<RequestKey>): number =>
  store.size - [...used].filter((key) => store.has(key)).length

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
