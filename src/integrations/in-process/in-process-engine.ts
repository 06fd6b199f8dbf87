/** One cassette served inside this process: what the server does between socket and engine, with values. */
import path from 'node:path'
import { writeRun } from '../../pages/runs/run-file.ts'
import { EngineRegistry } from '../../recorder/engine/registry/engine-registry.ts'
import {
  hasBody,
  headerText,
  type IncomingRequest,
  methodFor
} from '../../recorder/http/incoming-request.ts'
import {
  chooseCoding,
  encodeBody,
  methodNotAllowed,
  type OwnError,
  ownErrorReply,
  replyHeaders
} from '../../recorder/http/reply-headers.ts'
import { mayAskWiki } from '../../recorder/playback/decide.ts'
import { redactUrl } from '../../recorder/privacy/redact/redact-url.ts'
import { readControls } from '../../recorder/server/control-headers.ts'
import { preflightHeaders } from '../../recorder/server/host-policy.ts'
import { errorText } from '../../recorder/text/error-text.ts'
import { HttpProxyUpstream } from '../../recorder/upstream/transport/http-proxy-upstream.ts'
import type { InProcessReply, InProcessRequest } from './in-process-request.ts'
import type { InsertSettings } from './insert-options.ts'

const maxAnswerBytes = 256 * 1024 * 1024

/** The client's error if its request could not be answered. */
export class CassetteError extends Error {
  override readonly name = 'CassetteError'
  readonly code = 'ERR_CASSETTE'
}

/** In place of an answer that ends in the middle of its body: nock would deliver that as if it were whole. */
export class CutConnection extends Error {
  readonly code = 'ECONNRESET'
}

/** A recording that nothing asked for. */
export interface Unused {
  readonly key: string
  /** Path inside the cassette. */
  readonly file: string
}

export class InProcessEngine {
  readonly #settings: InsertSettings
  readonly engines: EngineRegistry

  /** @param stage names the folder to record to first, if not the cassette's own @throws StoreError */
  constructor(settings: InsertSettings, stage?: (folder: string) => string) {
    this.#settings = settings
    const { api, mode, connection, timeout, name: test, report } = settings
    const limits = {
      timeout,
      maxBytes: maxAnswerBytes,
      authorization: api.authorization,
      ...connection
    }
    this.engines = new EngineRegistry({
      ...settings,
      ...(stage ? { stage } : {}),
      cassette: settings.folder,
      live: mayAskWiki(mode)
        ? { api, upstream: () => new HttpProxyUpstream(api.origin, limits) }
        : undefined,
      now: Date.now
    })
    const run = process.env['WIKITAPE_RUN']
    if (run) writeRun(run, this.engines, { test, report })
  }

  /** @throws CassetteError */
  async answer(incoming: InProcessRequest): Promise<InProcessReply> {
    try {
      return this.#settings.overrides.answer(incoming) ?? (await this.#answer(incoming))
    } catch (error) {
      if (error instanceof CutConnection) throw error
      const text = errorText(error)
      const address = redactUrl(incoming.target).slice(0, 200)
      this.#settings.report(this.engines.redact(`${incoming.method} ${address}: ${text}`))
      throw new CassetteError(`wikitape: cassette ${this.#settings.folder}: ${text}`, {
        cause: error
      })
    }
  }

  async #answer({
    method,
    target,
    headers,
    body
  }: InProcessRequest): Promise<InProcessReply> {
    if (method === 'OPTIONS')
      return [204, Buffer.alloc(0), preflightHeaders(target, headers, undefined)]
    const known = methodFor(method, target)
    if (known === undefined) return refuse(methodNotAllowed(method))
    const controls = readControls(target, headers)
    if (typeof controls === 'string') return refuseControl(controls)
    if (this.#settings.isExclusive && controls.cassette !== undefined)
      return refuseControl(
        `this cassette is used exclusively, so a request cannot name another one (${controls.cassette})`
      )
    const request: IncomingRequest = {
      method: known,
      target: controls.target,
      headers,
      body: hasBody(known) ? body : new Uint8Array(),
      session: controls.session,
      namedHost: true,
      signal: undefined
    }
    const mode = this.#settings.isExclusive ? undefined : controls.mode
    const reply = await this.engines.get(controls.cassette, mode).handle(request)
    if (reply.trouble === 'cut')
      throw new CutConnection('wikitape: the connection was cut (trouble)')
    const coding = chooseCoding(headerText(headers, 'accept-encoding'), reply.body.length)
    const encoded = encodeBody(reply.body, coding)
    const hasNoBody = method === 'HEAD' || bodilessStatuses.has(reply.status)
    return [
      reply.status,
      hasNoBody ? Buffer.alloc(0) : encoded,
      replyHeaders(reply, coding, encoded.length)
    ]
  }

  /** Recordings of the settings' cassette that nothing asked for. */
  unused(): readonly Unused[] {
    const { store } = this.engines.first
    const used = this.engines.usedOf(store)
    return [...store.paths()].flatMap(([key, file]) =>
      used.has(key) ? [] : [{ key, file }]
    )
  }

  /** True if a write was answered from the cassette, so that the wiki does not know of it. */
  hasReplayedWrite(): boolean {
    const { store, summary } = this.engines.first
    // Writes want a token; logins have one of another name.
    return [...summary.used].some(
      (key) => store.get(key).interaction?.request.has('token') === true
    )
  }

  /** Those of no listing that was asked for: other batches of one that was answer the same walk. */
  stale(): readonly Unused[] {
    const { synthesizer } = this.engines.first
    const unused = this.unused()
    const keys = new Set<string>(unused.map(({ key }) => key))
    const folders = new Set(unused.map(({ file }) => path.posix.dirname(file)))
    const listings = [...folders].flatMap((folder) =>
      synthesizer.listingsIn(folder).recordings()
    )
    const walked = new Set<string>(
      listings.filter((all) => all.some((key) => !keys.has(key))).flat()
    )
    return unused.filter(({ key }) => !walked.has(key))
  }
}

/** Source: RFC 9110, 6.4.1. */
const bodilessStatuses: ReadonlySet<number> = new Set([204, 205, 304])

const refuseControl = (info: string) => refuse({ status: 400, code: 'bad-control', info })

function refuse(error: OwnError): InProcessReply {
  const { headers, body } = ownErrorReply(error)
  return [error.status, body, headers]
}
