/** Asks a live wiki what a cassette holds, into a cassette of its own: all of it, or it says what is missing. */

import type { ApiUrl } from '../../proxy/api-url.ts'
import type { Engine } from '../../proxy/engine.ts'
import { Rack } from '../../proxy/rack.ts'
import { nextRequest } from '../../proxy/walk.ts'
import { UpstreamError } from '../../upstream/upstream.ts'
import { type Params, writeQuery } from '../../wiki/params.ts'
import { refusesWrites } from '../flags.ts'
import { showProgress } from '../progress.ts'
import { liveSide } from '../serve/live.ts'
import { type Given, type Shell, UsageError } from '../verb.ts'
import { exchangeFor } from './capture-run.ts'
import type { Ask, Plan } from './recorded-walks.ts'

/** How asking went. */
export interface Asked {
  readonly requests: number
  readonly done: number
  readonly liveRequests: number
  /** Why the new cassette is not whole; undefined where it is. */
  readonly lacks: string | undefined
  /** True where the wiki never answered. */
  readonly nothing: boolean
}

/** Nothing goes out with CI=true unless it is allowed. @throws UsageError */
export function mustBeAllowed(given: Given, shell: Shell): void {
  if (shell.env['CI'] === 'true' && !given.on('allow-live'))
    throw new UsageError('CI=true, and this asks a live wiki; add --allow-live if it shall')
}

/** Here nothing is written unless that was asked for in so many words. @throws UsageError */
export const asksWrites = (given: Given): boolean =>
  given.text('writes') !== undefined && !refusesWrites(given)

/** @param dir a new folder. @throws StoreError */
export async function askAgain(
  plan: Plan,
  api: ApiUrl,
  dir: string,
  given: Given,
  shell: Shell,
): Promise<Asked> {
  const rack = new Rack({
    cassette: dir,
    mode: 'all',
    live: liveSide(api, given),
    missStatus: 200,
    onMiss: 'error',
    recordErrors: given.on('record-errors'),
    keepCookies: given.texts('keep-cookie'),
    refuseWrites: !asksWrites(given),
    now: shell.now,
    // Nobody can look at the folder that it is recorded into.
    report: (line) => shell.err(`wikitape: ${line.replaceAll(dir, api.host)}\n`),
  })
  const run = new AskingRun(rack.engine(undefined, undefined), api)
  shell.stopped.then(() => run.stop()).catch(() => undefined)
  const total = plan.asks.length
  const progress = showProgress(shell, () => `${run.done}/${total} requests asked of ${api.host}`)
  try {
    for (const ask of plan.asks) if (run.goesOn) await run.ask(ask)
  } finally {
    progress.stop()
    rack.close()
  }
  const { liveRequests, recorded, unchanged } = rack.counts()
  return {
    requests: total,
    done: run.done,
    liveRequests,
    lacks: lacksOf(run, total),
    nothing: recorded + unchanged === 0,
  }
}

function lacksOf(run: AskingRun, total: number): string | undefined {
  if (run.done === total) return undefined
  const answered = `only ${run.done} of ${total} requests were answered`
  return `${answered}${run.why === '' ? ': stopped' : `: ${run.why}`}`
}

/** Asks in vain after which an address is taken for no wiki. */
const patience = 5

class AskingRun {
  /** Asks that were answered to their end. */
  done = 0
  /** The first thing that went wrong. */
  why = ''
  readonly #engine: Engine
  readonly #api: ApiUrl
  #failed = 0
  #stopped = false

  constructor(engine: Engine, api: ApiUrl) {
    this.#engine = engine
    this.#api = api
  }

  get goesOn(): boolean {
    return !this.#stopped
  }

  stop(): void {
    this.#stopped = true
  }

  async ask(ask: Ask): Promise<void> {
    const whole = ask.kind === 'plain' ? await this.#plain(ask.target) : await this.#walk(ask)
    if (whole) this.done += 1
    else this.#failed += 1
    if (this.done === 0 && this.#failed === patience) this.#stopped = true
  }

  async #plain(target: string): Promise<boolean> {
    const exchange = { method: 'GET', target, headers: {}, body: new Uint8Array(), session: '' } as const
    return (await this.#answer({ ...exchange, signal: undefined })) !== undefined
  }

  /** @returns false where an answer of the walk is missing */
  async #walk({ params: first, batches }: Extract<Ask, { kind: 'api' }>): Promise<boolean> {
    const seen = new Set<string>()
    let params: Params | undefined = first
    while (params !== undefined && seen.size < batches) {
      const query: string = writeQuery(params)
      // A wiki that continues in a circle has been heard to its end.
      if (seen.has(query)) return true
      if (!this.goesOn) return false
      seen.add(query)
      const body: string | undefined = await this.#answer(exchangeFor(this.#api.path, query))
      if (body === undefined) return false
      params = nextRequest(first, params, body)
    }
    return true
  }

  /** The body; undefined where there was none that could be recorded. */
  async #answer(exchange: Parameters<Engine['answer']>[0]): Promise<string | undefined> {
    try {
      const reply = await this.#engine.answer(exchange)
      if (reply.cassetteStatus === 'recorded') return reply.body.toString('utf8')
      this.why ||= 'the wiki gave an answer that cannot be recorded'
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      this.why ||= error.message
      if (error.fault === 'unreachable') this.#stopped = true
    }
    return undefined
  }
}
