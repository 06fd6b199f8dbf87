/** What serves all requests of one run: its engines, the secrets that they share, its log, its counts and its exit code. */
import type { IncomingMessage } from 'node:http'
import { type UrlRewriting, WikiOrigins } from '../../http/url-rewriter.ts'
import type { Mode } from '../../playback/mode.ts'
import { SecretRegistry } from '../../privacy/known/secret-registry.ts'
import { redactMessage } from '../../privacy/redact/redact-message.ts'
import { isLoopback } from '../../privacy/secrets/secret-shapes.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { publicAddressOf } from '../../server/host-policy.ts'
import type { Store } from '../../store/store.ts'
import type { Engine } from '../engine.ts'
import { decompress } from '../redaction/decompress.ts'
import { observeHead, ownAddresses } from '../redaction/secret-observer.ts'
import { addCounts, type Counts } from '../run-summary.ts'
import { EnginePool, type EnginePoolOptions } from './engine-pool.ts'
import { RequestFeed } from './request-feed.ts'

export interface EngineRegistryOptions extends EnginePoolOptions {
  /** The wiki's own addresses lead here in what is served. */
  readonly rewriteUrls?: boolean
}

export class EngineRegistry {
  readonly #options: EngineRegistryOptions
  readonly secrets: SecretRegistry = new SecretRegistry({ inflate: decompress })
  readonly feed: RequestFeed = new RequestFeed()
  readonly #pool: EnginePool
  readonly #origins = new Map<Store, WikiOrigins>()
  /** Every request asks for it. */
  #wiki = { upstream: '', host: '' }

  /** Opens the cassette named at the start. @throws StoreError */
  constructor(options: EngineRegistryOptions) {
    this.#options = options
    if (options.live !== undefined) this.secrets.learn(ownAddresses())
    this.#pool = new EnginePool(options, this)
  }

  /** The engine for a cassette and a mode, opened at first use. @throws StoreError */
  get(cassette: string | undefined, mode: Mode | undefined): Engine {
    return this.#pool.get(cassette, mode)
  }

  /** @param target path and query without the prefix of cassette and session */
  rewritingFor({ store }: Engine, request: IncomingMessage, target: string): UrlRewriting | undefined {
    const address = this.#options.rewriteUrls === true ? publicAddressOf(request, target) : undefined
    if (address === undefined) return undefined
    const origins = this.#origins.get(store) ?? new WikiOrigins(store)
    this.#origins.set(store, origins)
    return { origins, address }
  }

  /** Tells what a request holds to whoever watches for secrets, whatever becomes of it. */
  observe({ url = '', headers, socket }: IncomingMessage): void {
    if (!this.isLive) return
    observeHead(this.secrets, url, headers)
    const address = socket.remoteAddress
    if (address !== undefined && !isLoopback(address))
      this.secrets.learn([{ kind: 'address', value: address, source: 'the client' }])
  }

  /** True where requests may go out to a wiki. */
  get isLive(): boolean {
    return this.#options.live !== undefined
  }

  /** Host and port of the wiki that clients ask for; of the cassette named at the start where none is named. */
  get wikiHost(): string {
    const { live: isLive, api } = this.#options
    const upstream = (isLive?.api ?? api)?.href ?? this.#pool.first.store.manifest.upstream
    if (upstream !== this.#wiki.upstream)
      this.#wiki = { upstream, host: URL.canParse(upstream) ? new URL(upstream).host : '' }
    return this.#wiki.host
  }

  /** A line for people without the secrets of this run. */
  redact(line: string): string {
    return redactMessage(line, this.secrets)
  }

  all(): readonly Engine[] {
    return this.#pool.all()
  }

  counts(): Counts {
    const unused = this.#byStore().reduce((sum, { store, used }) => sum + unusedOf(store, used), 0)
    return { ...addCounts(this.all().map((get) => get.summary.counts())), unused }
  }

  /** The worst exit code of all engines; 2 where another wiki's cassette was named. */
  exitCode(): number {
    const ownCode = this.#pool.stores.hasRefusedWiki ? 2 : 0
    return Math.max(ownCode, ...this.all().map((get) => get.summary.exitCode()))
  }

  /** True where all that was to be recorded was passed on: replay would have nothing to answer with. */
  recordedNothing(): boolean {
    const { recorded, unchanged, replayed, synthesized } = this.counts()
    const passed = this.all().some(({ summary }) => summary.unrecorded > 0)
    return passed && recorded + unchanged + replayed + synthesized === 0
  }

  /** Forces to the disk what was recorded, while clients are served. @throws what the disk says */
  checkpoint(): Promise<void> {
    return this.#pool.stores.checkpoint()
  }

  /** @param uncertainty why it is not certain that everything was asked for that is needed: then `update` drops nothing */
  close(uncertainty?: string): void {
    const byStore = this.#byStore()
    for (const get of this.all())
      get.close(byStore.find(({ store }) => store === get.store)?.used ?? new Set(), uncertainty)
    // A replay opens the cassette of its flag first, also where all that was asked named another beside it.
    if (this.isLive && byStore.some(({ store }) => store.size > 0)) this.#pool.first.store.saveManifest()
  }

  /** One cassette may be at work in several modes. */
  #byStore(): readonly { readonly store: Store; readonly used: ReadonlySet<RequestKey> }[] {
    return [...new Set(this.all().map(({ store }) => store))].map((store) => ({
      store,
      used: new Set(this.all().flatMap((get) => (get.store === store ? [...get.summary.used] : []))),
    }))
  }
}

const unusedOf = (store: Store, used: ReadonlySet<RequestKey>): number =>
  store.size - [...used].filter((key) => store.has(key)).length
