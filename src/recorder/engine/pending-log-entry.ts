/** Logs one request, once it is answered or has failed. */
import { folderOf } from '../cassette/interaction-path.ts'
import type { IncomingRequest, Reply } from '../http/incoming-request.ts'
import { describeFailure } from '../http/reply-headers.ts'
import { parseFormBody } from '../http/request-body.ts'
import type { EpochlessCall } from './call.ts'
import type { EngineContext } from './engine-options.ts'
import { type LoggedReply, moduleOf } from './request-log.ts'

/** MediaWiki writes warnings before results. */
const warningsWithin = 2_000
/** Bytes of a body that is kept: there are a thousand entries. */
const maxLoggedBody = 49_152
const noBody = Buffer.alloc(0)

export class PendingLogEntry {
  /** Undefined until its turn has come, and for replies of the response cache. */
  call: EpochlessCall | undefined
  readonly #incoming: IncomingRequest
  readonly #context: EngineContext
  readonly #at: number
  readonly #startedAt = performance.now()

  constructor(incoming: IncomingRequest, context: EngineContext) {
    this.#incoming = incoming
    this.#context = context
    this.#at = context.now()
  }

  done(reply: Reply): Reply {
    const hasWarnings = reply.body.subarray(0, warningsWithin).includes('"warnings":')
    this.#add({ ...reply, body: noBody }, reply.body.length, hasWarnings)
    return reply
  }

  cached(reply: Reply): Reply {
    const { summary } = this.#context
    summary.counts.replayed += 1
    if (reply.key !== undefined) summary.used.add(reply.key)
    return this.done(reply)
  }

  failed(error: unknown): unknown {
    this.#context.summary.countFailure(error)
    const { status, info } = describeFailure(error)
    const reply = {
      status,
      headers: [],
      body: noBody,
      key: undefined,
      whyNotRecorded: info
    }
    this.#add({ ...reply, cassetteStatus: 'failed' }, 0, false)
    return error
  }

  #add(reply: LoggedReply, bytes: number, hasWarnings: boolean) {
    const { store, secrets, onEntry } = this.#context
    onEntry({
      at: this.#at,
      ms: performance.now() - this.#startedAt,
      waitedMs: this.call?.waitedMs,
      cassette: store.dir,
      caller: this.call && {
        user: this.call.parsed.request.identity,
        writes: this.call.session.writes.length,
        // One that failed began no epoch.
        isWrite:
          reply.key !== undefined && this.call.session.writes.at(-1)?.key === reply.key
      },
      secrets,
      sent: withShortBody(this.#incoming),
      postedModule: this.#incoming.method === 'POST' ? this.#postedModule() : undefined,
      reply,
      bytes,
      hasWarnings
    })
  }

  #postedModule() {
    const { target, headers, body } = this.#incoming
    return this.call?.parsed.request.kind === 'api'
      ? folderOf(this.call.derivation.canonical)
      : moduleOf(target, () => parseFormBody(headers, body).params)
  }
}

function withShortBody(incoming: IncomingRequest) {
  const { signal, body } = incoming
  if (!signal && body.length <= maxLoggedBody) return incoming
  return {
    ...incoming,
    signal: undefined,
    body: body.length > maxLoggedBody ? noBody : body
  }
}
