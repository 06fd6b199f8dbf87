/** One run through a plan: sends its requests, follows its walks. */
import type { Reply } from '../../http/incoming-request.ts'
import { plural } from '../../text/plural.ts'
import type { Invocation } from '../args/command.ts'
import type { RecaptureRequest } from './recapture-plan.ts'
import { RequestRun, shortQuery } from './request-run.ts'
import type { WikiClient } from './wiki-client.ts'

/** After so many failures and no success the address is not that of a wiki. */
const maxFailuresAtStart = 5

export class RecaptureRun extends RequestRun {
  /** Requests that were answered, walks to their end. */
  done = 0
  readonly #user: WikiClient
  readonly #anonymous: WikiClient
  #firstFailure: string | undefined
  #failed = 0

  constructor(user: WikiClient, anonymous: WikiClient, call: Invocation) {
    super(call)
    this.#user = user
    this.#anonymous = anonymous
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
    return `only ${this.done} of ${plural(total, 'request')} ${were} answered: ${this.#firstFailure ?? 'stopped'}`
  }

  async #send(request: RecaptureRequest): Promise<void> {
    const client = request.asUser ? this.#user : this.#anonymous
    const isAnswered =
      request.kind === 'plain'
        ? (await this.#answer(request.target, () => client.get(request.target))) !== undefined
        : await this.walk(request.params, request.batches, (query) =>
            this.#answer(query, () => client.query(query)),
          )
    if (isAnswered) this.done += 1
    else this.#failed += 1
    if (this.done === 0 && this.#failed === maxFailuresAtStart) this.stop()
  }

  /** The body; undefined if nothing was recorded. */
  async #answer(target: string, send: () => Promise<Reply>): Promise<string | undefined> {
    const request = shortQuery(target)
    const reply = await this.attempt(request, send)
    // The second of two equal requests in parallel is `replayed`.
    if (reply !== undefined && ['recorded', 'replayed'].includes(reply.cassetteStatus))
      return reply.body.toString('utf8')
    if (reply !== undefined) {
      this.failures.push({ request, why: reply.whyNotRecorded ?? 'it was not recorded' })
      this.#firstFailure ??= 'the wiki gave an answer that cannot be recorded'
    }
    this.#firstFailure ??= this.failures.at(-1)?.why
    return undefined
  }
}
