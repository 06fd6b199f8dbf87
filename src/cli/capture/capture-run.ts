/** Asks an engine requests without a client, and follows where the wiki continues. */

import type { Interaction } from '../../cassette/interaction.ts'
import { folderOf } from '../../cassette/interaction-path.ts'
import type { Engine } from '../../engine/engine.ts'
import { contradictionsIn } from '../../engine/miss/conflicts.ts'
import type { Listing } from '../../paging/joining/listing.ts'
import { withoutCredentials } from '../../privacy/redact/url-credentials.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { plural } from '../../text/plural.ts'
import { UpstreamError } from '../../upstream/upstream.ts'
import { type Params, writeQuery } from '../../wiki/parameters/request-params.ts'
import { askForBoundaries, asksToComplete } from './missing-requests.ts'
import { namedPages } from './named-pages.ts'
import { nextRequest } from './next-request.ts'
import { isLost, type Lack } from './request-failures.ts'
import type { Asker } from './wiki-client.ts'

const apiError = 'mediawiki-api-error'

export class CaptureRun {
  readonly #engine: Engine
  readonly #asker: Asker
  readonly #report: (line: string) => void
  readonly #lacks: Lack[] = []
  /** What the wiki was asked in this run. */
  readonly #recorded = new Set<RequestKey>()
  /** Set from outside: nothing more is asked. */
  stopped = false
  /** True where the wiki could not be reached at all. */
  #lost = false
  /** True where the wiki lets only users read, and whoever asked is none. */
  denied = false

  constructor(engine: Engine, asker: Asker, report: (line: string) => void) {
    this.#engine = engine
    this.#asker = asker
    this.#report = report
  }

  /** What has no recording although it was asked for. */
  get lacks(): readonly Lack[] {
    return this.#lacks
  }

  get goesOn(): boolean {
    return !this.stopped && !this.#lost
  }

  /** One request and, with `follow`, what it continues to. */
  async ask(first: Params, follow: boolean): Promise<void> {
    const seen = new Set<string>()
    for (let params: Params | undefined = first; params !== undefined && this.goesOn; ) {
      const query = writeQuery(params)
      if (seen.has(query)) {
        this.#report(`the wiki continued in a circle at ${shown(query)}; this walk was ended there`)
        return
      }
      seen.add(query)
      const body = await this.#answer(query)
      params = follow && body !== undefined ? nextRequest(first, params, body) : undefined
    }
  }

  /** Keeps what the wiki says of all its modules; where it could not be asked, that is told. */
  async describeAll(): Promise<void> {
    await this.#unlessLost('what the wiki says of itself', async () => {
      const modules = await this.#engine.describeAll(this.#asker.headers())
      this.#report(
        modules > 0 ? `${plural(modules, 'module')} described` : 'the wiki does not describe its modules',
      )
    })
  }

  /** Recordings of this run that contradict others of their listing, and what to do. */
  contradictions(): readonly string[] {
    const { store } = this.#engine
    const touched = new Set(this.#recordings().map((one) => folderOf(one.request)))
    return this.#engine
      .listings(touched)
      .flatMap((listing) => contradictionsIn(listing, store))
      .map(({ file, what }) => `${file} ${what}`)
  }

  /** Goes on where recorded listings break off, until none does or nothing new is learned. */
  async closeGaps(): Promise<void> {
    const asked = new Set<string>()
    for (;;) {
      const asks = this.#engine.listings().flatMap(asksToComplete)
      const fresh = asks.filter((ask) => !asked.has(writeQuery(ask)))
      if (fresh.length === 0 || !this.goesOn) return
      for (const ask of fresh) {
        asked.add(writeQuery(ask))
        await this.ask(ask, true)
      }
    }
  }

  /** Keeps in which state the pages are that the requests of this run named. */
  async keepPageStates(): Promise<void> {
    await this.#engine.keepPageStates(namedPages(this.#recordings()), this.#asker.headers())
  }

  /** What was recorded in this run. */
  #recordings(): readonly Interaction[] {
    return [...this.#recorded].flatMap((key) => {
      const found = this.#engine.store.find(key)
      return found.kind === 'found' ? [found.interaction] : []
    })
  }

  /** Walks each listing once more at limit 1, so that every continue value is the wiki's own. */
  async walkBoundaries(): Promise<void> {
    for (const ask of this.#engine.listings().flatMap((one: Listing) => askForBoundaries(one) ?? []))
      await this.ask(ask, true)
  }

  /** The body of the answer; undefined where there was none, which is told. */
  async #answer(query: string): Promise<string | undefined> {
    return this.#unlessLost(shown(query), async () => {
      const reply = await this.#asker.ask(query)
      const { notRecorded: why, headers, key } = reply
      if (reply.cassetteStatus === 'recorded' && key !== undefined) this.#recorded.add(key)
      if (why !== undefined) this.#lacks.push({ request: shown(query), why })
      this.denied ||= headers.some(([name, value]) => name === apiError && value === 'readapidenied')
      return reply.body.toString('utf8')
    })
  }

  /** What the wiki was asked for; undefined where it could not be asked, which is told. */
  async #unlessLost<T>(what: string, ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      this.#lacks.push({ request: what, why: error.message })
      this.#lost = isLost(error.fault)
      return undefined
    }
  }
}

const shown = (query: string): string => withoutCredentials(`?${query}`).slice(1, 200)
