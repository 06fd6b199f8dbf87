/** All engines of one run, by cassette and mode, with the secrets, the request feed, the counts and the exit code they share. */
import path from 'node:path'
import {
  type UrlRewriting,
  type WikiOrigins,
  wikiOrigins
} from '../../http/url-rewriter.ts'
import { type Mode, mayAskWiki, narrowMode } from '../../playback/decide.ts'
import { SecretRegistry } from '../../privacy/known/secret-registry.ts'
import { redactMessage } from '../../privacy/redact/redact-message.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { pathInside } from '../../store/files/paths-inside.ts'
import type { Store } from '../../store/store.ts'
import { getOrAdd, groupBy } from '../../text/group-by.ts'
import { Engine } from '../engine.ts'
import { type EngineEvent, eventText } from '../engine-event.ts'
import { defaultMissStatus } from '../engine-options.ts'
import type { Miss } from '../miss/miss-reply.ts'
import { ownAddresses } from '../redaction/secret-observer.ts'
import { RequestFeed } from '../request-log.ts'
import { addCounts, type Counts, type RunSummary } from '../run-summary.ts'
import { SessionRegistry } from '../session/session-registry.ts'
import { closingNotes, doubtfulPlaces } from './closing-notes.ts'
import type { EngineRegistryOptions, WikiChoice, WikiSide } from './registry-options.ts'
import { StoreRegistry } from './store-registry.ts'

export class EngineRegistry {
  readonly #options: EngineRegistryOptions
  /** What was secret in one cassette is secret in the others. */
  readonly secrets: SecretRegistry = new SecretRegistry()
  readonly feed: RequestFeed = new RequestFeed()
  readonly #stores: StoreRegistry
  readonly #engines = new Map<string, Engine>()
  readonly #first: Engine | undefined
  readonly #sessions = new Map<Store, SessionRegistry>()
  readonly #origins = new Map<Store, WikiOrigins>()
  /** Values of X-Cassette-Mode that were not followed. */
  readonly #refusedModes = new Set<Mode>()

  /** Opens the cassette named at the start, if one is. @throws StoreError */
  constructor(options: EngineRegistryOptions) {
    this.#options = options
    if (this.isLive) this.secrets.learn(ownAddresses())
    this.#stores = new StoreRegistry(options)
    if (options.cassette !== undefined)
      this.#first = this.#getOrAdd(undefined, options.mode)
  }

  /** For requests that name neither cassette nor mode, as most do. @throws Error where no wiki was named yet */
  get first(): Engine {
    const first = this.#first ?? this.all()[0]
    if (!first) throw new Error('no wiki was asked for yet')
    return first
  }

  get hasFirst(): boolean {
    return this.#first !== undefined
  }

  misses(): readonly Miss[] {
    return this.all().flatMap(({ summary }) => [...summary.misses.values()])
  }

  /** What was passed on and not recorded, nor by a later try, without secrets. */
  notRecorded(): readonly string[] {
    return this.all().flatMap(({ summary }) =>
      [...summary.notRecorded.values()].map((words) => this.redact(words))
    )
  }

  /** The engine for a cassette and a mode, opened at first use. @throws StoreError */
  get(cassette: string | undefined, mode: Mode | undefined): Engine {
    return cassette === undefined && mode === undefined
      ? this.first
      : this.#getOrAdd(cassette, this.#modeFor(mode))
  }

  /** The engine of a wiki that a program named, which has its own cassette. @throws StoreError */
  ofWiki({ dir, cassette, mode, ...side }: WikiChoice): Engine {
    const folder = cassette === undefined ? dir : pathInside(path.dirname(dir), cassette)
    const chosen = this.#modeFor(mode)
    const create = () => this.#create(folder, chosen, side)
    return getOrAdd(this.#engines, `${chosen}\n${folder}`, create)
  }

  all(): readonly Engine[] {
    return [...this.#engines.values()]
  }

  /** @param address by which the client has reached the server; undefined where it named the wiki itself */
  rewritingFor({ store }: Engine, address: string | undefined): UrlRewriting | undefined {
    if (!this.#options.rewriteUrls || address === undefined) return undefined
    return { origins: getOrAdd(this.#origins, store, () => wikiOrigins(store)), address }
  }

  get isLive(): boolean {
    return this.#options.isLive ?? this.#options.live !== undefined
  }

  /** Host and port of the wiki that clients ask for; of the first cassette's where none is named. */
  get wikiHost(): string {
    if (!this.#first) return ''

    const { live, api } = this.#options
    const upstream = (live?.api ?? api)?.href ?? this.#first.store.manifest.upstream
    return URL.canParse(upstream) ? new URL(upstream).host : ''
  }

  /** A line for people, without the secrets of this run. */
  redact(line: string): string {
    return redactMessage(line, this.secrets)
  }

  counts(): Counts {
    const unused = [...this.summaries().keys()].reduce(
      (sum, store) =>
        sum + store.size - [...this.usedOf(store)].filter((key) => store.has(key)).length,
      0
    )
    return { ...addCounts(this.all().map(({ summary }) => summary.counts)), unused }
  }

  /** The worst exit code of all engines; 2 where another wiki's cassette was named. */
  exitCode(): number {
    const storeCode = this.#stores.hasRefusedWiki ? 2 : 0
    return Math.max(storeCode, ...this.all().map(({ summary }) => summary.exitCode()))
  }

  /** True where all that was to be recorded was passed on: replay would have nothing to answer with. */
  recordedNothing(): boolean {
    const { recorded, unchanged, replayed, synthesized } = this.counts()
    const passed = this.all().some(({ summary }) => summary.unrecorded > 0)
    return passed && recorded + unchanged + replayed + synthesized === 0
  }

  /** Forces to the disk what was recorded, while clients are served. @throws what the disk says */
  checkpoint(): Promise<void> {
    return this.#stores.checkpoint()
  }

  /** @param uncertainty why it is not certain that everything was asked for that is needed: then `update` drops nothing */
  close(uncertainty?: string): void {
    const used = new Map(this.all().map(({ store }) => [store, this.usedOf(store)]))
    for (const engine of this.all())
      engine.close(used.get(engine.store) ?? new Set(), uncertainty)
    // A replay opens the cassette of its flag first, even where all requests named another one.
    if (this.isLive && this.all().some(({ store }) => store.size > 0))
      this.#first?.store.saveManifest()
  }

  /** As `close`; also waits for remote stores, and ends their connections. @throws StoreError */
  async end(uncertainty?: string): Promise<void> {
    for (const engine of this.all()) await engine.loadWritten()
    await this.checkpoint()
    this.close(uncertainty)
    for (const text of closingNotes(this.all(), this.redact.bind(this)))
      this.#report({ kind: 'note', text })
    await this.#stores.close()
  }

  /** Places in what was recorded that look like a secret, as `check` names them. */
  doubtful(): readonly string[] {
    return doubtfulPlaces(this.all())
  }

  /** The open cassettes, and what the engines of each have counted: it may be at work in several modes. */
  summaries(): ReadonlyMap<Store, readonly RunSummary[]> {
    const engines = groupBy(this.all(), ({ store }) => store)
    return new Map(
      [...engines].map(([store, all]) => [store, all.map(({ summary }) => summary)])
    )
  }

  /** What was used of a cassette. */
  usedOf(store: Store): ReadonlySet<RequestKey> {
    return new Set(
      this.all().flatMap((one) => (one.store === store ? [...one.summary.used] : []))
    )
  }

  #getOrAdd(cassette: string | undefined, mode: Mode) {
    const dir = this.#stores.dirOf(cassette)
    return getOrAdd(this.#engines, `${mode}\n${dir}`, () =>
      this.#create(dir, mode, this.#options)
    )
  }

  #create(dir: string, mode: Mode, side: WikiSide) {
    const { live, api } = side
    const { refuseWrites = false } = this.#options
    const upstream = mayAskWiki(mode) ? live : undefined
    const store = this.#stores.get(dir, side)
    return new Engine({
      missStatus: defaultMissStatus,
      onMiss: 'synthesize',
      recordErrors: false,
      ...this.#options,
      store,
      sessions: this.#sessionsOf(store),
      mode: upstream ? mode : 'none',
      live: upstream,
      apiPath: (live?.api ?? api)?.path,
      readOnly: live === undefined,
      secrets: live ? this.secrets : undefined,
      refuseWrites,
      onEvent: (event) => this.#report(event),
      onEntry: (entry) => this.feed.add(entry)
    })
  }

  #sessionsOf(store: Store) {
    const create = () =>
      new SessionRegistry(
        () => store.manifest.sessionCookies ?? [],
        () => store.manifest.callers,
        this.isLive
      )
    return getOrAdd(this.#sessions, store, create)
  }

  #report(event: EngineEvent) {
    this.#options.onEvent({
      kind: event.kind,
      text: this.redact(eventText(event)),
      why: 'why' in event ? this.redact(event.why) : undefined
    })
  }

  /** A request that asks for a wider mode gets the run's; each such mode is reported once. */
  #modeFor(requested: Mode | undefined) {
    const { mode, allowControl } = this.#options
    if (requested === undefined || (allowControl && this.isLive)) return requested ?? mode
    const granted = narrowMode(mode, requested)
    if (granted !== requested && this.isLive && !this.#refusedModes.has(requested)) {
      this.#refusedModes.add(requested)
      this.#report({ kind: 'mode-refused', requested, mode })
    }
    return granted
  }
}
