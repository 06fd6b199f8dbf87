/** The cassettes that one server serves: the one named at the start, and others under the same root by name. */
import path from 'node:path'
import { goesOut, type Mode } from '../playback/mode.ts'
import { CassetteStore } from '../store/cassette-store.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { ApiUrl } from './api-url.ts'
import { Engine, type EngineOptions } from './engine.ts'
import { addCounts, type Counts } from './summary.ts'

export interface RackOptions extends Pick<EngineOptions, 'missStatus' | 'recordErrors' | 'now' | 'report'> {
  /** Folder of the cassette that serves requests which name none. */
  readonly cassette: string
  /** What the flag or the environment says; a header may change it only where `fixedMode` is false. */
  readonly mode: Mode
  readonly fixedMode: boolean
  /** The live wiki; undefined in replay, where no engine ever goes out. */
  readonly live: { readonly api: ApiUrl; readonly upstream: () => Upstream } | undefined
}

export class Rack {
  readonly #options: RackOptions
  readonly #engines = new Map<string, Engine>()
  readonly #stores = new Map<string, CassetteStore>()

  /** Opens the cassette named at the start. @throws StoreError */
  constructor(options: RackOptions) {
    this.#options = options
    this.engine(undefined, undefined)
  }

  /** The engine for a cassette and a mode, opened at first use. @throws StoreError */
  engine(cassette: string | undefined, mode: Mode | undefined): Engine {
    const options = this.#options
    const dir = this.#dirOf(cassette)
    const wanted = options.fixedMode || mode === undefined ? options.mode : mode
    const place = `${wanted}\n${dir}`
    const known = this.#engines.get(place)
    if (known !== undefined) return known
    const out = goesOut(wanted) ? options.live : undefined
    const engine = new Engine({
      store: this.#store(dir),
      mode: out === undefined ? 'none' : wanted,
      live: out === undefined ? undefined : { upstream: out.upstream(), apiPath: out.api.path },
      missStatus: options.missStatus,
      recordErrors: options.recordErrors,
      now: options.now,
      report: options.report,
    })
    this.#engines.set(place, engine)
    return engine
  }

  engines(): readonly Engine[] {
    return [...this.#engines.values()]
  }

  counts(): Counts {
    return addCounts(this.engines().map((engine) => engine.summary.counts(engine.store.size)))
  }

  /** The worst exit code of all engines. */
  exitCode(): number {
    return Math.max(0, ...this.engines().map((engine) => engine.summary.exitCode()))
  }

  checkpoint(): void {
    for (const store of this.#stores.values()) store.checkpoint()
  }

  close(): void {
    for (const engine of this.engines()) engine.close()
  }

  #dirOf(cassette: string | undefined): string {
    return cassette === undefined
      ? this.#options.cassette
      : path.join(path.dirname(path.resolve(this.#options.cassette)), cassette)
  }

  #store(dir: string): CassetteStore {
    const known = this.#stores.get(dir)
    if (known !== undefined) return known
    const { live } = this.#options
    const store =
      live === undefined ? CassetteStore.open(dir) : CassetteStore.openOrCreate(dir, live.api.href)
    this.#stores.set(dir, store)
    return store
  }
}
