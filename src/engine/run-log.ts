/** What happens in a run: each request told to whoever watches, and counted. */

import type { Exchange, Reply } from '../http/incoming-request.ts'
import type { Ledger } from '../privacy/known/secret-registry.ts'
import { entryOfFailure, entryOfReply, type RequestLogEntry } from './request-log-entry.ts'
import { Summary } from './run-summary.ts'

export interface RunLogOptions {
  /** Folder of the cassette. */
  readonly cassette: string
  readonly ledger: Ledger | undefined
  /** The present in milliseconds. */
  readonly now: () => number
  /** Told what became of each request. */
  readonly told: (entry: RequestLogEntry) => void
}

/** One request under way. */
export interface LogEntry {
  readonly done: (reply: Reply) => Reply
  /** Answered from the response cache. */
  readonly cached: (reply: Reply) => Reply
  readonly failed: (error: unknown) => unknown
}

export class RunLog {
  readonly summary: Summary = new Summary()
  readonly #options: RunLogOptions

  constructor(options: RunLogOptions) {
    this.#options = options
  }

  start(exchange: Exchange): LogEntry {
    const { cassette, ledger, now, told } = this.#options
    const [at, began] = [now(), performance.now()]
    const when = () => ({ at, ms: performance.now() - began, cassette, ledger })
    const done = (reply: Reply): Reply => {
      told(entryOfReply(exchange, reply, when()))
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
        this.summary.fail(error)
        told(entryOfFailure(exchange, error, when()))
        return error
      },
    }
  }
}
