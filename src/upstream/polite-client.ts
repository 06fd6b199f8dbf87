/**
 * A good guest: one question at a time, none while the wiki wants to be left alone, and a question that met overload
 * is asked again after a while, as is one for which a page came. Source: https://www.mediawiki.org/wiki/API:Etiquette, Manual:Maxlag_parameter
 */
import type { WikiAnswer } from '../wiki/answers/wiki-answer.ts'
import { transientFailure } from './answers/recordable.ts'
import { nextTurn } from './next-turn.ts'
import {
  type AbortListenable,
  type Upstream,
  UpstreamError,
  type UpstreamFault,
  type UpstreamRequest,
} from './upstream.ts'

export interface RetryPolicy {
  /** How often one question is asked again at most. */
  readonly retries: number
  /** Milliseconds that may be waited for one answer, all its waits together. */
  readonly maxWait: number
  /** Questions under way at a time. */
  readonly concurrency: number
}

/** Time and chance, from the shell. */
export interface RetryClock {
  readonly now: () => number
  readonly sleep: (milliseconds: number) => Promise<void>
  /** From 0 to 1. */
  readonly random: () => number
}

export interface PoliteClientOptions {
  readonly retryPolicy: RetryPolicy
  readonly clock: RetryClock
  /** Told why nothing is asked at present, and for how many milliseconds; undefined when it goes on. */
  readonly onWait: (why: string | undefined, milliseconds: number) => void
}

/** Seconds of replication lag beyond which a wiki is not to be bothered; it answers `maxlag` then. */
const maxLagSeconds = 5

export function politeUpstream(upstream: Upstream, options: PoliteClientOptions): Upstream {
  const client = new PoliteClient(upstream, options)
  return { ask: (request, signal) => client.ask(request, signal), close: () => upstream.close() }
}

/** What came of asking once. */
type AttemptOutcome =
  | { readonly kind: 'answer'; readonly answer: WikiAnswer; readonly failure: string | undefined }
  /** A page with status 200 where the API should answer: maintenance, a challenge; or what answers everything so. */
  | { readonly kind: 'page'; readonly answer: WikiAnswer; readonly failure: string }
  | { readonly kind: 'fault'; readonly error: UpstreamError }

/** How often a question is asked again for which pages came, where nothing else came before. */
const maxRetriesWhenBlocked = 2
/** Questions in a row for which nothing but pages came, after which no other is asked. */
const maxBlockedInARow = 3

class PoliteClient {
  readonly #upstream: Upstream
  readonly #options: PoliteClientOptions
  readonly #queue: (() => void)[] = []
  #active = 0
  /** Nothing is asked before this moment. */
  #notBefore = 0
  #wasReached = false
  /** True once the API itself has answered. */
  #apiHasAnswered = false
  /** Questions in a row for which nothing but pages came. */
  #blockedInARow = 0
  /** The page that answers everything; no other question is asked then. */
  #blockPage: string | undefined

  constructor(upstream: Upstream, options: PoliteClientOptions) {
    this.#upstream = upstream
    this.#options = options
  }

  async ask(request: UpstreamRequest, signal?: AbortListenable): Promise<WikiAnswer> {
    await this.#waitForSlot()
    try {
      if (this.#blockPage !== undefined) throw blockedError(this.#blockPage)
      return await this.#sendWithRetries(withMaxLag(request), signal)
    } finally {
      this.#active -= 1
      await this.#startNext()
    }
  }

  /** Who waits has its question on the way, one turn to connect and one to write, before this answer is worked on. */
  async #startNext(): Promise<void> {
    const next = this.#queue.shift()
    if (next === undefined) return
    next()
    await nextTurn()
  }

  async #waitForSlot(): Promise<void> {
    while (this.#active >= Math.max(1, this.#options.retryPolicy.concurrency))
      await new Promise<void>((resolve) => this.#queue.push(resolve))
    this.#active += 1
  }

  async #sendWithRetries(request: UpstreamRequest, signal: AbortListenable | undefined): Promise<WikiAnswer> {
    const { retryPolicy } = this.#options
    let waited = 0
    for (let tries = 0; ; tries += 1) {
      waited += await this.#waitForBackOff(retryPolicy.maxWait - waited)
      const outcome = await this.#send(request, signal)
      const why = this.#retryReason(request, outcome)
      if (why === undefined || tries >= this.#maxRetries(outcome)) return this.#finish(outcome)
      this.#backOff(this.#retryDelay(outcome, tries), why)
    }
  }

  /** @returns milliseconds that were waited. @throws UpstreamError where it would be too long */
  async #waitForBackOff(maxPause: number): Promise<number> {
    const { clock, onWait } = this.#options
    const pause = this.#notBefore - clock.now()
    if (pause <= 0) return 0
    if (pause > maxPause) throw busyError(this.#notBefore, pause)
    await clock.sleep(pause)
    onWait(undefined, 0)
    return pause
  }

  async #send(request: UpstreamRequest, signal: AbortListenable | undefined): Promise<AttemptOutcome> {
    try {
      const answer = await this.#upstream.ask(request, signal)
      this.#wasReached = true
      const failure = transientFailure(answer)
      const page =
        failure === undefined && answer.status === 200 ? request.whyNotApiAnswer?.(answer) : undefined
      if (page !== undefined) return { kind: 'page', answer, failure: page }
      return { kind: 'answer', answer, failure }
    } catch (error) {
      if (error instanceof UpstreamError) return { kind: 'fault', error }
      throw error
    }
  }

  /** An edge's page may be gone soon; what has never shown anything else is hardly the wiki. */
  #maxRetries({ kind }: AttemptOutcome): number {
    const { retries } = this.#options.retryPolicy
    return kind === 'page' && (!this.#apiHasAnswered || this.#blockedInARow > 0)
      ? Math.min(retries, maxRetriesWhenBlocked)
      : retries
  }

  /** @throws UpstreamError where nothing came, or nothing but pages for whatever was asked */
  #finish(outcome: AttemptOutcome): WikiAnswer {
    if (outcome.kind === 'fault') throw outcome.error
    if (outcome.kind === 'answer') {
      this.#apiHasAnswered ||= outcome.failure === undefined
      this.#blockedInARow = 0
      return outcome.answer
    }
    this.#blockedInARow += 1
    if (this.#apiHasAnswered && this.#blockedInARow < maxBlockedInARow) return outcome.answer
    this.#blockPage = outcome.failure
    throw blockedError(this.#blockPage)
  }

  /** Why asking again may help; undefined where it would not. */
  #retryReason(request: UpstreamRequest, outcome: AttemptOutcome): string | undefined {
    if (outcome.kind === 'page') return outcome.failure
    if (outcome.kind === 'answer') return isOverload(outcome.answer) ? outcome.failure : undefined
    const { fault, message } = outcome.error
    return this.#isRetryable(fault, request) ? message : undefined
  }

  /** An address at which nobody ever answered is taken for wrong, not for busy. */
  #isRetryable(fault: UpstreamFault, { method, isRepeatable: repeatable }: UpstreamRequest): boolean {
    switch (fault) {
      case 'reset':
      case 'timeout':
        return method === 'GET' || repeatable === true
      case 'unreachable':
        return this.#wasReached
      case 'undecodable':
      case 'too-large':
      case 'aborted':
      case 'untrusted':
      case 'proxy':
      case 'busy':
      case 'moved':
      case 'walled':
        return false
    }
  }

  /** As long as the wiki says, or longer each time; never all callers at the same moment. */
  #retryDelay(outcome: AttemptOutcome, tries: number): number {
    const { clock } = this.#options
    const serverDelay = outcome.kind !== 'fault' ? retryAfter(outcome.answer, clock.now()) : undefined
    const ownDelay = Math.min(60_000, 1000 * 2 ** tries)
    return serverDelay === undefined || serverDelay <= 0
      ? ownDelay * (0.5 + clock.random())
      : serverDelay + clock.random() * 500
  }

  #backOff(pause: number, why: string): void {
    const { clock, onWait } = this.#options
    this.#notBefore = Math.max(this.#notBefore, clock.now() + pause)
    onWait(why, pause)
  }
}

/** Overload, maintenance and limits; other errors of the server would be the same again. */
const isOverload = (answer: WikiAnswer): boolean =>
  answer.status < 500 || [502, 503, 504].includes(answer.status)

/** @param page what came in place of an answer */
const blockedError = (page: string): UpstreamError =>
  new UpstreamError(
    'walled',
    `${page}, whatever was asked: maintenance, a network that wants you to log in, or a login in front of the wiki? Open the address in a browser; for a login of HTTP's own put it into the address, https://NAME:PASSWORD@…`,
  )

/** Milliseconds that `Retry-After` names, as seconds or as a date. Source: RFC 9110, 10.2.3 */
export function retryAfter({ headers }: WikiAnswer, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const moment = Date.parse(value)
  return Number.isNaN(moment) ? undefined : moment - now
}

function busyError(until: number, pause: number): UpstreamError {
  const minutes = Math.ceil(pause / 60_000)
  return new UpstreamError(
    'busy',
    `the wiki asks to be left alone for ${minutes} min; run the same command again after ${new Date(until).toISOString()}, or wait longer with --max-wait SECONDS`,
  )
}

/** A parameter of transport: it is no part of any key. */
function withMaxLag(request: UpstreamRequest): UpstreamRequest {
  const { target } = request
  if (!/^[^?]*\/api\.php(?:\?|$)/.test(target) || /[?&]maxlag=/.test(target)) return request
  return { ...request, target: `${target}${target.includes('?') ? '&' : '?'}maxlag=${maxLagSeconds}` }
}
