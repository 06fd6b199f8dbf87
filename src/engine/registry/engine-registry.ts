/** What serves all requests of one run: its engines, the secrets that they share, its log, its counts and its exit code. */
import type { IncomingMessage } from 'node:http'
import { Origins, type Rewriting } from '../../http/url-rewriter.ts'
import type { Mode } from '../../playback/mode.ts'
import { Ledger } from '../../privacy/known/secret-registry.ts'
import { discreet } from '../../privacy/redact/redact-message.ts'
import { isLoopback } from '../../privacy/secrets/secret-shapes.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { reachedAt } from '../../server/host-policy.ts'
import type { Store } from '../../store/store.ts'
import type { Engine } from '../engine.ts'
import { inflate } from '../redaction/decompress.ts'
import { ownAddresses, witnessHead } from '../redaction/secret-observer.ts'
import { addCounts, type Counts } from '../run-summary.ts'
import { EngineRegistry, type EngineRegistryOptions } from './engine-pool.ts'
import { Feed } from './request-feed.ts'

export interface RackOptions extends EngineRegistryOptions {
  /** The wiki's own addresses lead here in what is served. */
  readonly rewriteUrls?: boolean
}

export class Rack {
  readonly #options: RackOptions
  readonly ledger: Ledger = new Ledger({ inflate })
  readonly feed: Feed = new Feed()
  readonly #engines: EngineRegistry
  readonly #origins = new Map<Store, Origins>()
  /** Every request asks for it. */
  #wiki = { upstream: '', host: '' }

  /** Opens the cassette named at the start. @throws StoreError */
  constructor(options: RackOptions) {
    this.#options = options
    if (options.live !== undefined) this.ledger.learn(ownAddresses())
    this.#engines = new EngineRegistry(options, this)
  }

  /** The engine for a cassette and a mode, opened at first use. @throws StoreError */
  engine(cassette: string | undefined, mode: Mode | undefined): Engine {
    return this.#engines.get(cassette, mode)
  }

  /** @param target path and query without the prefix of cassette and session */
  rewriting({ store }: Engine, request: IncomingMessage, target: string): Rewriting | undefined {
    const address = this.#options.rewriteUrls === true ? reachedAt(request, target) : undefined
    if (address === undefined) return undefined
    const origins = this.#origins.get(store) ?? new Origins(store)
    this.#origins.set(store, origins)
    return { origins, address }
  }

  /** Tells what a request holds to whoever watches for secrets, whatever becomes of it. */
  witness({ url = '', headers, socket }: IncomingMessage): void {
    if (!this.live) return
    witnessHead(this.ledger, url, headers)
    const address = socket.remoteAddress
    if (address !== undefined && !isLoopback(address))
      this.ledger.learn([{ kind: 'address', value: address, source: 'the client' }])
  }

  /** True where requests may go out to a wiki. */
  get live(): boolean {
    return this.#options.live !== undefined
  }

  /** Host and port of the wiki that clients ask for; of the cassette named at the start where none is named. */
  get wikiHost(): string {
    const { live, api } = this.#options
    const upstream = (live?.api ?? api)?.href ?? this.#engines.first.store.manifest.upstream
    if (upstream !== this.#wiki.upstream)
      this.#wiki = { upstream, host: URL.canParse(upstream) ? new URL(upstream).host : '' }
    return this.#wiki.host
  }

  /** A line for people without the secrets of this run. */
  discreet(line: string): string {
    return discreet(line, this.ledger)
  }

  engines(): readonly Engine[] {
    return this.#engines.all()
  }

  counts(): Counts {
    const unused = this.#byStore().reduce((sum, { store, used }) => sum + unusedOf(store, used), 0)
    return { ...addCounts(this.engines().map((engine) => engine.summary.counts())), unused }
  }

  /** The worst exit code of all engines; 2 where another wiki's cassette was named. */
  exitCode(): number {
    const own = this.#engines.stores.hasRefusedWiki ? 2 : 0
    return Math.max(own, ...this.engines().map((engine) => engine.summary.exitCode()))
  }

  /** True where all that was to be recorded was passed on: replay would have nothing to answer with. */
  recordedNothing(): boolean {
    const { recorded, unchanged, replayed, synthesized } = this.counts()
    const passed = this.engines().some(({ summary }) => summary.unrecorded > 0)
    return passed && recorded + unchanged + replayed + synthesized === 0
  }

  /** Forces to the disk what was recorded, while clients are served. @throws what the disk says */
  checkpoint(): Promise<void> {
    return this.#engines.stores.checkpoint()
  }

  /** @param doubt why it is not certain that everything was asked for that is needed: then `update` drops nothing */
  close(doubt?: string): void {
    const byStore = this.#byStore()
    for (const engine of this.engines())
      engine.close(byStore.find(({ store }) => store === engine.store)?.used ?? new Set(), doubt)
    // A replay opens the cassette of its flag first, also where all that was asked named another beside it.
    if (this.live && byStore.some(({ store }) => store.size > 0)) this.#engines.first.store.begin()
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
}

const unusedOf = (store: Store, used: ReadonlySet<RequestKey>): number =>
  store.size - [...used].filter((key) => store.has(key)).length
