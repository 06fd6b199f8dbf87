/** The log of one engine: an entry for each request, and the counts of the run. */
import type { IncomingRequest, Reply } from '../http/incoming-request.ts'
import type { SecretRegistry } from '../privacy/known/secret-registry.ts'
import { entryOfFailure, entryOfReply, type RequestLogEntry } from './request-log-entry.ts'
import { RunSummary } from './run-summary.ts'

export interface RunLogOptions {
  /** Folder of the cassette. */
  readonly cassette: string
  readonly secrets: SecretRegistry | undefined
  /** The present in milliseconds. */
  readonly now: () => number
  /** Called after each request. */
  readonly onEntry: (entry: RequestLogEntry) => void
}

/** Of a request in flight. */
export interface PendingLogEntry {
  readonly done: (reply: Reply) => Reply
  /** Answered from the response cache. */
  readonly cached: (reply: Reply) => Reply
  readonly failed: (error: unknown) => unknown
}

export class RunLog {
  readonly summary: RunSummary = new RunSummary()
  readonly #options: RunLogOptions

  constructor(options: RunLogOptions) {
    this.#options = options
  }

  start(incoming: IncomingRequest): PendingLogEntry {
    const { cassette, secrets, now, onEntry } = this.#options
    const [at, startedAt] = [now(), performance.now()]
    const when = () => ({ at, ms: performance.now() - startedAt, cassette, secrets })
    const done = (reply: Reply): Reply => {
      onEntry(entryOfReply(incoming, reply, when()))
      return reply
    }
    return {
      done,
      cached: (reply) => {
        this.summary.replayed += 1
        if (reply.key !== undefined) this.summary.used.add(reply.key)
        return done(reply)
      },
      failed: (error) => {
        this.summary.countFailure(error)
        onEntry(entryOfFailure(incoming, error, when()))
        return error
      },
    }
  }
}
