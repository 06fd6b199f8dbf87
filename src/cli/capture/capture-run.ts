/** One run of `capture`, and the requests that complete a recorded listing. */

import { folderOf } from '../../recorder/cassette/interaction-path.ts'
import type { Engine } from '../../recorder/engine/engine.ts'
import { conflictsIn } from '../../recorder/engine/miss/remedies.ts'
import type { Listing } from '../../recorder/paging/joining/listing.ts'
import { cursorFrom } from '../../recorder/paging/reading/batch.ts'
import type { ContinueCursor } from '../../recorder/paging/reading/listing-request.ts'
import type { RequestKey } from '../../recorder/request/request-key.ts'
import { retryWhenLoaded } from '../../recorder/store/pending-read.ts'
import { plural } from '../../recorder/text/words.ts'
import { type Params, writeQuery } from '../../recorder/wiki/parameters/request-params.ts'
import type { Invocation } from '../args/command.ts'
import { messagePrinter } from '../terminal/terminal-output.ts'
import { pagesNamedBy } from './recapture-plan.ts'
import type { RequestLine } from './request-run.ts'
import { RequestRun, shortQuery } from './request-run.ts'
import type { WikiClient } from './wiki-client.ts'

export class CaptureRun extends RequestRun {
  /** True if the wiki lets only users read, and this client is none. */
  isReadDenied = false
  readonly #engine: Engine
  readonly #client: WikiClient
  readonly #report: (line: string) => void
  readonly #recorded = new Set<RequestKey>()

  constructor(engine: Engine, client: WikiClient, call: Invocation) {
    super(call)
    this.#engine = engine
    this.#client = client
    this.#report = messagePrinter(call)
  }

  /** Sends one request and, with `follow`, what it continues to. */
  async send({ params, follow = false }: RequestLine): Promise<void> {
    const onCircle = (query: string) =>
      this.#report(
        `the continuation repeats itself at ${shortQuery(query)}; this walk was stopped there`
      )
    const batches = follow ? Number.POSITIVE_INFINITY : 1
    await this.walk(params, batches, (query) => this.#bodyOf(query), onCircle)
  }

  async describeAll(): Promise<void> {
    await this.attempt('the descriptions of its modules', async () => {
      const count =
        (await this.#engine.ownRequests?.describeAll(this.#client.headers())) ?? 0
      this.#report(
        count > 0
          ? `${plural(count, 'module')} described`
          : 'the wiki does not describe its modules'
      )
    })
  }

  /** Recordings of this run that contradict others of their listing, and what to do. */
  conflicts(): Promise<readonly string[]> {
    const { store, synthesizer } = this.#engine
    return retryWhenLoaded(() => {
      const folders = new Set(this.#recordings().map((one) => folderOf(one.request)))
      const conflicts = synthesizer
        .listings(folders)
        .flatMap((listing) => conflictsIn(listing, store))
      return conflicts.map(({ file, what }) => `${file} ${what}`)
    })
  }

  /** Continues recorded listings where they break off, until none does or nothing new is recorded. */
  async closeGaps(): Promise<void> {
    const sent = new Set<string>()
    for (;;) {
      const missing = (await this.#listings()).flatMap(requestsToComplete)
      const fresh = missing.filter((one) => !sent.has(writeQuery(one)))
      if (fresh.length === 0 || !this.isRunning) return
      for (const params of fresh) {
        sent.add(writeQuery(params))
        await this.send({ params, follow: true })
      }
    }
  }

  /** Walks each listing once more with limit 1, so that every continue value comes from the wiki. */
  async walkBoundaries(): Promise<void> {
    for (const listing of await this.#listings()) {
      const params = boundaryWalkRequest(listing)
      if (params) await this.send({ params, follow: true })
    }
  }

  async recordPageStates(): Promise<void> {
    const pages = await retryWhenLoaded(() => pagesNamedBy(this.#recordings()))
    await this.#engine.ownRequests?.recordPageStates(pages, this.#client.headers())
  }

  #listings() {
    return retryWhenLoaded(() => this.#engine.synthesizer.listings())
  }

  #recordings() {
    return [...this.#recorded].flatMap(
      (key) => this.#engine.store.get(key).interaction ?? []
    )
  }

  async #bodyOf(query: string) {
    return this.attempt(shortQuery(query), async () => {
      const reply = await this.#client.query(query)
      const { whyNotRecorded: why, key, cassetteStatus } = reply
      if (cassetteStatus === 'recorded' && key !== undefined) this.#recorded.add(key)
      if (why !== undefined) this.failures.push({ request: shortQuery(query), why })
      this.isReadDenied ||= reply.headers.some(
        ([name, value]) => name === 'mediawiki-api-error' && value === 'readapidenied'
      )
      return reply.body.toString('utf8')
    })
  }
}

/** Continues where the recording breaks off; sent again and again they close all gaps. Empty for a complete listing. */
export function requestsToComplete(listing: Listing): readonly Params[] {
  const { runs } = listing
  if (isSessionBound(listing)) return []
  const begins = runs.some((run) => run.start) ? [] : [requestAt(listing, new Map())]
  const continues = runs.flatMap((run) => {
    const emitted = run.end ? undefined : run.continues.get(run.rows.length)
    return emitted ? [requestAt(listing, cursorFrom(emitted))] : []
  })
  return [...begins, ...continues]
}

/** The start of a walk with limit 1, which records every continue value; undefined if all of them are recorded. */
export function boundaryWalkRequest(listing: Listing): Params | undefined {
  if (isSessionBound(listing)) return undefined
  const isRecorded = listing.runs.every((run) =>
    run.rows.every((_, at) => at === 0 || run.continues.has(at))
  )
  return isRecorded ? undefined : requestAt(listing, new Map(), '1')
}

/** Only the client that was logged in there, or had written before, could send more requests of it. */
const isSessionBound = ({ batches }: Listing) =>
  batches.some(
    ({ request }) => request.params.has('as user') || request.params.has('after writes')
  )

/** A recorded request of the listing, with another start and another limit. */
function requestAt(
  { batches, driver, frames }: Listing,
  cursor: ContinueCursor,
  limit?: string
) {
  const [{ request }] = batches
  const from = `${driver.prefix}from`
  const drop = new Set([
    ...request.cursor.keys(),
    ...request.inner.keys(),
    from,
    'continue'
  ])
  const params = new Map(
    [...request.params].filter(([name]) => !drop.has(name) && !name.includes(' '))
  )
  params.set('format', 'json')
  if (limit !== undefined) params.set(`${driver.prefix}limit`, limit)
  const [companion = ''] = frames.plainContinues
  if (request.dialect === 'continue')
    params.set('continue', cursor.size === 0 ? '' : companion)
  return new Map([...params, ...cursor])
}
