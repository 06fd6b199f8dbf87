/** Asks an engine requests without a client, and follows where the wiki continues. */

import type { Interaction } from '../../cassette/interaction.ts'
import { folderOf } from '../../cassette/interaction-path.ts'
import type { Engine } from '../../engine/engine.ts'
import { conflictsIn } from '../../engine/miss/conflicts.ts'
import type { Listing } from '../../paging/joining/listing.ts'
import { redactUrl } from '../../privacy/redact/url-credentials.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { plural } from '../../text/plural.ts'
import { UpstreamError } from '../../upstream/upstream.ts'
import { type Params, writeQuery } from '../../wiki/parameters/request-params.ts'
import { boundaryWalkRequest, requestsToComplete } from './missing-requests.ts'
import { namedPages } from './named-pages.ts'
import { nextRequest } from './next-request.ts'
import { isFatal, type RequestFailure } from './request-failures.ts'
import type { WikiClient } from './wiki-client.ts'

const apiErrorHeader = 'mediawiki-api-error'

export class CaptureRun {
  readonly #engine: Engine
  readonly #client: WikiClient
  readonly #report: (line: string) => void
  readonly #failures: RequestFailure[] = []
  /** What the wiki was asked in this run. */
  readonly #recorded = new Set<RequestKey>()
  /** Set from outside: nothing more is asked. */
  isStopped = false
  /** True where the wiki could not be reached at all. */
  #isUnreachable = false
  /** True where the wiki lets only users read, and whoever asked is none. */
  isReadDenied = false

  constructor(engine: Engine, client: WikiClient, report: (line: string) => void) {
    this.#engine = engine
    this.#client = client
    this.#report = report
  }

  /** What has no recording although it was asked for. */
  get failures(): readonly RequestFailure[] {
    return this.#failures
  }

  get isRunning(): boolean {
    return !this.isStopped && !this.#isUnreachable
  }

  /** One request and, with `follow`, what it continues to. */
  async ask(first: Params, follow: boolean): Promise<void> {
    const seen = new Set<string>()
    for (let params: Params | undefined = first; params !== undefined && this.isRunning; ) {
      const query = writeQuery(params)
      if (seen.has(query)) {
        this.#report(`the wiki continued in a circle at ${shortQuery(query)}; this walk was ended there`)
        return
      }
      seen.add(query)
      const body = await this.#answer(query)
      params = follow && body !== undefined ? nextRequest(first, params, body) : undefined
    }
  }

  /** Keeps what the wiki says of all its modules; where it could not be asked, that is told. */
  async describeAll(): Promise<void> {
    await this.#orFailure('what the wiki says of itself', async () => {
      const modules = await this.#engine.describeAll(this.#client.headers())
      this.#report(
        modules > 0 ? `${plural(modules, 'module')} described` : 'the wiki does not describe its modules',
      )
    })
  }

  /** Recordings of this run that contradict others of their listing, and what to do. */
  conflicts(): readonly string[] {
    const { store } = this.#engine
    const folders = new Set(this.#recordings().map((one) => folderOf(one.request)))
    return this.#engine
      .listings(folders)
      .flatMap((listing) => conflictsIn(listing, store))
      .map(({ file, what }) => `${file} ${what}`)
  }

  /** Goes on where recorded listings break off, until none does or nothing new is learned. */
  async closeGaps(): Promise<void> {
    const sent = new Set<string>()
    for (;;) {
      const missing = this.#engine.listings().flatMap(requestsToComplete)
      const fresh = missing.filter((ask) => !sent.has(writeQuery(ask)))
      if (fresh.length === 0 || !this.isRunning) return
      for (const ask of fresh) {
        sent.add(writeQuery(ask))
        await this.ask(ask, true)
      }
    }
  }

  /** Keeps in which state the pages are that the requests of this run named. */
  async keepPageStates(): Promise<void> {
    await this.#engine.ownRequests?.recordPageStates(namedPages(this.#recordings()), this.#client.headers())
  }

  /** What was recorded in this run. */
  #recordings(): readonly Interaction[] {
    return [...this.#recorded].flatMap((key) => {
      const found = this.#engine.store.get(key)
      return found.kind === 'found' ? [found.interaction] : []
    })
  }

  /** Walks each listing once more at limit 1, so that every continue value is the wiki's own. */
  async walkBoundaries(): Promise<void> {
    for (const ask of this.#engine.listings().flatMap((one: Listing) => boundaryWalkRequest(one) ?? []))
      await this.ask(ask, true)
  }

  /** The body of the answer; undefined where there was none, which is told. */
  async #answer(query: string): Promise<string | undefined> {
    return this.#orFailure(shortQuery(query), async () => {
      const reply = await this.#client.query(query)
      const { whyNotRecorded: why, headers, key } = reply
      if (reply.cassetteStatus === 'recorded' && key !== undefined) this.#recorded.add(key)
      if (why !== undefined) this.#failures.push({ request: shortQuery(query), why })
      this.isReadDenied ||= headers.some(
        ([name, value]) => name === apiErrorHeader && value === 'readapidenied',
      )
      return reply.body.toString('utf8')
    })
  }

  /** What the wiki was asked for; undefined where it could not be asked, which is told. */
  async #orFailure<T>(what: string, ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      this.#failures.push({ request: what, why: error.message })
      this.#isUnreachable = isFatal(error.fault)
      return undefined
    }
  }
}

const shortQuery = (query: string): string => redactUrl(`?${query}`).slice(1, 200)
