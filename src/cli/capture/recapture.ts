/** Sends everything that a cassette holds to a live wiki again, and records the answers into a new cassette. */

import type { RecordedResponse } from '../../recorder/cassette/interaction.ts'
import { EngineRegistry } from '../../recorder/engine/registry/engine-registry.ts'
import type { ApiUrl } from '../../recorder/http/api-url.ts'
import type { Reply } from '../../recorder/http/incoming-request.ts'
import type { Store } from '../../recorder/store/store.ts'
import { plural } from '../../recorder/text/words.ts'
import type { Invocation } from '../args/command.ts'
import {
  politeUpstreamOptions,
  readRetryPolicy,
  warnIfNoContact
} from '../connect/wiki-upstream.ts'
import { recordingOptions, writesPolicy } from '../flags/connection-flags.ts'
import { printNote, showProgress } from '../terminal/terminal-output.ts'
import {
  pagesNamedBy,
  type RecapturePlan,
  type RecaptureRequest
} from './recapture-plan.ts'
import { RequestRun, reportFailures, shortQuery } from './request-run.ts'
import { type Credentials, loggedInClient, WikiClient } from './wiki-client.ts'

export interface RecaptureJob {
  readonly api: ApiUrl
  readonly credentials: Credentials
  readonly call: Invocation
}

export interface RecaptureResult {
  readonly liveRequests: number
  /** Why the new cassette is incomplete; undefined if it is complete. */
  readonly incompleteReason: string | undefined
  /** True if the wiki never answered. */
  readonly nothingRecorded: boolean
  /** What came in place of answers of the API, by request. */
  readonly foreign: ReadonlyMap<string, RecordedResponse>
  /** Requests without any answer of the wiki, these among them. */
  readonly failed: number
}

/** Requests that write are sent only if `--writes record` says so. @throws UsageError */
export const includesWrites = (call: Invocation): boolean =>
  writesPolicy(call) === 'record'

interface RecaptureExtras {
  /** Modules whose descriptions are recorded. */
  readonly modules: readonly string[]
  /** Pages whose states are recorded; if absent, all that requests and answers name. */
  readonly pages?: readonly string[]
}

/** @param dir a new folder; a repeated run starts with a new one, and sends everything. @throws StoreError */
export async function recapture(
  plan: RecapturePlan,
  dir: string,
  extras: RecaptureExtras,
  { api, credentials, call }: RecaptureJob
): Promise<RecaptureResult> {
  const waitStatus = { text: '' }
  const engines = new EngineRegistry({
    cassette: dir,
    mode: 'all',
    live: politeUpstreamOptions(api, call, waitStatus),
    ...recordingOptions(call),
    onMiss: 'error',
    refuseWrites: !includesWrites(call),
    now: call.now,
    // The folder is temporary: the wiki's name says more.
    onEvent: ({ text }) => printNote(call, text.replaceAll(dir, api.host))
  })
  warnIfNoContact(api, call)
  const engine = engines.first
  const user = await loggedInClient(engine, api.path, credentials)
  // The login of this run is not part of what was recorded.
  const loginKeys = [...engine.store.paths()]
    .map(([key]) => key)
    .filter((key) => !plan.renewed.has(key))
  const anonymous = new WikiClient(engine, api.path, undefined)
  const run = new RecaptureRun(call)
  const total = plan.requests.length
  const sent = () => `${run.done}/${plural(total, 'request')} sent to ${api.host}`
  const stopProgress = showProgress(call, () => waitStatus.text || sent())
  try {
    await engine.ownRequests?.describe(extras.modules, user.headers())
    // One more than the wiki gets at a time: it works on the next while an answer is read and written.
    const parallel = includesWrites(call) ? 1 : readRetryPolicy(call).concurrency + 1
    await run.sendEach(plan.requests, parallel, (one) =>
      run.send(one, one.asUser ? user : anonymous)
    )
    if (run.done > 0 && run.isRunning) {
      const pages = extras.pages ?? pagesNamedBy(interactionsIn(engine.store))
      await engine.ownRequests?.recordPageStates(pages, user.headers())
    }
  } finally {
    stopProgress()
    for (const key of loginKeys) engine.store.delete(key)
    engines.close()
  }
  const skipped = run.isRunning ? 0 : Math.max(0, total - run.done - run.failures.length)
  reportFailures(run.failures, skipped, 'all', call)
  const { liveRequests, recorded, unchanged } = engines.counts()
  return {
    liveRequests,
    incompleteReason: run.incompleteReason(total),
    nothingRecorded: recorded + unchanged === 0,
    foreign: run.foreign,
    failed: run.failures.length
  }
}

const interactionsIn = (store: Store) =>
  store.folders().flatMap((folder) => [...store.interactionsIn(folder)])

/** After so many failures and no success the address is not that of a wiki. */
const maxFailuresAtStart = 5

class RecaptureRun extends RequestRun {
  /** Requests that were answered, walks to their end. */
  done = 0
  readonly foreign = new Map<string, RecordedResponse>()
  #failed = 0

  /** Why not all was answered; undefined if all was. */
  incompleteReason(total: number) {
    if (this.done === total) return undefined
    const were = total === 1 ? 'was' : 'were'
    const why = this.failures[0]?.why ?? 'stopped'
    return `only ${this.done} of ${plural(total, 'request')} ${were} answered: ${why}`
  }

  async send(request: RecaptureRequest, client: WikiClient) {
    if (await this.#isAnswered(request, client)) this.done += 1
    else this.#failed += 1
    if (this.done === 0 && this.#failed === maxFailuresAtStart) this.stop()
  }

  async #isAnswered(request: RecaptureRequest, client: WikiClient) {
    if (request.kind === 'api')
      return this.walk(request.params, request.batches, (query) =>
        this.#answer(query, () => client.query(query))
      )
    const { target } = request
    return (await this.#answer(target, () => client.get(target))) !== undefined
  }

  /** The body; undefined if nothing was recorded. */
  async #answer(target: string, send: () => Promise<Reply>) {
    const request = shortQuery(target)
    const reply = await this.attempt(request, send)
    // The second of two equal requests in parallel is `replayed`.
    if (!reply) return undefined
    if (['recorded', 'replayed'].includes(reply.cassetteStatus))
      return reply.body.toString('utf8')
    this.failures.push({ request, why: reply.whyNotRecorded ?? 'it was not recorded' })
    if (reply.key !== undefined && !passingStatuses.has(reply.status))
      this.foreign.set(reply.key, foreignResponse(reply))
    return undefined
  }
}

/** Of a server in trouble, which may answer the next time. A refusal is none: it stands for the answer. */
const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** As much of it as shows whose it is. */
const maxForeignBytes = 8000

const foreignResponse = ({ status, body }: Reply): RecordedResponse => ({
  status,
  headers: new Map(),
  cookies: [],
  body: { kind: 'text', text: body.subarray(0, maxForeignBytes).toString('utf8') }
})
