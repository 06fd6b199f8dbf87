/** One run through a plan: sends its requests, follows its walks, and collects what failed. */
import type { Reply } from '../../http/incoming-request.ts'
import { redactUrl } from '../../privacy/redact/url-credentials.ts'
import { plural } from '../../text/plural.ts'
import { UpstreamError } from '../../upstream/upstream.ts'
import { type Params, writeQuery } from '../../wiki/parameters/request-params.ts'
import { nextRequest } from './next-request.ts'
import type { RecaptureRequest } from './recapture-plan.ts'
import { isFatal, type RequestFailure } from './request-failures.ts'
import type { WikiClient } from './wiki-client.ts'

/** After so many failures and no success the address is not that of a wiki. */
const maxFailuresAtStart = 5

export class RecaptureRun {
  /** Requests that were answered, walks to their end. */
  done = 0
  readonly failures: RequestFailure[] = []
  isRunning = true
  readonly #user: WikiClient
  readonly #anonymous: WikiClient
  #firstFailure = ''
  #failed = 0

  constructor(user: WikiClient, anonymous: WikiClient) {
    this.#user = user
    this.#anonymous = anonymous
  }

  stop(): void {
    this.isRunning = false
  }

  /** Sends in order, so many in parallel. @throws the first error, once all requests under way have ended */
  async sendAll(requests: readonly RecaptureRequest[], parallel: number): Promise<void> {
    const queue = requests.values()
    const sendNext = async (): Promise<void> => {
      try {
        for (const request of queue) if (this.isRunning) await this.#send(request)
      } catch (error) {
        this.stop()
        throw error
      }
    }
    const ends = await Promise.allSettled(Array.from({ length: parallel }, sendNext))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  /** Why not all was answered; undefined if all was. */
  incompleteReason(total: number): string | undefined {
    if (this.done === total) return undefined
    const were = total === 1 ? 'was' : 'were'
    return `only ${this.done} of ${plural(total, 'request')} ${were} answered: ${this.#firstFailure || 'stopped'}`
  }

  async #send(request: RecaptureRequest): Promise<void> {
    const client = request.asUser ? this.#user : this.#anonymous
    const isAnswered =
      request.kind === 'plain'
        ? (await this.#answer(request.target, () => client.get(request.target))) !== undefined
        : await this.#walk(request, client)
    if (isAnswered) this.done += 1
    else this.#failed += 1
    if (this.done === 0 && this.#failed === maxFailuresAtStart) this.stop()
  }

  /** @returns false if an answer of the walk is missing */
  async #walk(request: Extract<RecaptureRequest, { kind: 'api' }>, client: WikiClient): Promise<boolean> {
    const seen = new Set<string>()
    let params: Params | undefined = request.params
    while (params !== undefined && seen.size < request.batches) {
      const query: string = writeQuery(params)
      // A wiki that continues in a circle has no more to say.
      if (seen.has(query)) return true
      if (!this.isRunning) return false
      seen.add(query)
      const body: string | undefined = await this.#answer(query, () => client.query(query))
      if (body === undefined) return false
      params = nextRequest(request.params, params, body)
    }
    return true
  }

  /** The body; undefined if nothing was recorded. */
  async #answer(target: string, send: () => Promise<Reply>): Promise<string | undefined> {
    try {
      const reply = await send()
      // The second of two equal requests in parallel is `replayed`.
      if (['recorded', 'replayed'].includes(reply.cassetteStatus)) return reply.body.toString('utf8')
      const reason = reply.whyNotRecorded ?? 'it was not recorded'
      this.#fail(target, reason, 'the wiki gave an answer that cannot be recorded')
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      this.#fail(target, error.message, error.message)
      if (isFatal(error.fault)) this.stop()
    }
    return undefined
  }

  #fail(target: string, why: string, summary: string): void {
    this.failures.push({ request: redactUrl(`?${target}`).slice(1, 200), why })
    this.#firstFailure ||= summary
  }
}
