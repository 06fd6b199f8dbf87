/**
 * A rate limiter with retries in front of an upstream: few requests at a time, none while the wiki wants a pause, and
 * those that met overload, or for which a page came, are sent again.
 * Source: https://www.mediawiki.org/wiki/API:Etiquette, Manual:Maxlag_parameter
 */
import { setImmediate } from 'node:timers/promises'
import type { WikiAnswer } from '../wiki/answers/wiki-answer.ts'
import { transientFailure } from './answers/recordable.ts'
import { isOverload, isRetryable, retryDelay } from './retry-rules.ts'
import { type Upstream, UpstreamError, type UpstreamRequest } from './upstream.ts'

export interface RetryPolicy {
  /** How often one request is sent again at most. */
  readonly retries: number
  /** Milliseconds of all waits for one answer together. */
  readonly maxWait: number
  /** Requests at a time. */
  readonly concurrency: number
}

/** Time and chance, as the process or a test has them. */
export interface RetryClock {
  readonly now: () => number
  readonly sleep: (milliseconds: number) => Promise<void>
  /** From 0 to 1. */
  readonly random: () => number
}

export interface PoliteClientOptions {
  readonly retryPolicy: RetryPolicy
  readonly clock: RetryClock
  /** Called with the reason and length of a pause, in milliseconds; with undefined when it is over. */
  readonly onWait: (why: string | undefined, milliseconds: number) => void
}

/** Seconds of replication lag beyond which the wiki shall answer with the error `maxlag`. */
const maxLagSeconds = 5

type AttemptOutcome =
  | {
      readonly kind: 'answer'
      readonly answer: WikiAnswer
      readonly failure: string | undefined
    }
  /** A page with status 200 where the API should answer: maintenance, a challenge, a login. */
  | { readonly kind: 'page'; readonly answer: WikiAnswer; readonly failure: string }
  | { readonly kind: 'fault'; readonly error: UpstreamError }

/** Retries of a request for which pages came, where the API has not answered before. */
const maxRetriesWhenBlocked = 2
/** Requests in a row for which only pages came, after which no other is sent. */
const maxBlockedInARow = 3

export class PoliteClient implements Upstream {
  readonly #upstream: Upstream
  readonly #options: PoliteClientOptions
  readonly #queue: (() => void)[] = []
  #active = 0
  /** Nothing is sent before this moment. */
  #notBefore = 0
  #wasReached = false
  #apiHasAnswered = false
  #blockedInARow = 0
  /** The page that came for everything; nothing more is sent then. */
  #blockPage: string | undefined

  constructor(upstream: Upstream, options: PoliteClientOptions) {
    this.#upstream = upstream
    this.#options = options
  }

  async ask(request: UpstreamRequest, signal?: AbortSignal): Promise<WikiAnswer> {
    await this.#waitForSlot()
    try {
      if (this.#blockPage !== undefined) throw blockedError(this.#blockPage)
      return await this.#sendWithRetries(withMaxLag(request), signal)
    } finally {
      this.#active -= 1
      // The next request is on its way, one turn to connect and one to write, before this answer is processed.
      const next = this.#queue.shift()
      next?.()
      for (let turns = 0; next && turns < 2; turns += 1) await setImmediate()
    }
  }

  close(): void {
    this.#upstream.close()
  }

  async #waitForSlot(): Promise<void> {
    while (this.#active >= Math.max(1, this.#options.retryPolicy.concurrency))
      await new Promise<void>((resolve) => this.#queue.push(resolve))
    this.#active += 1
  }

  async #sendWithRetries(
    request: UpstreamRequest,
    signal: AbortSignal | undefined
  ): Promise<WikiAnswer> {
    const { retryPolicy } = this.#options
    let waited = 0
    for (let tries = 0; ; tries += 1) {
      waited += await this.#waitForBackOff(retryPolicy.maxWait - waited)
      const outcome = await this.#send(request, signal)
      const why = this.#retryReason(request, outcome)
      if (why === undefined || tries >= this.#maxRetries(outcome))
        return this.#finish(outcome)
      this.#backOff(outcome, tries, why)
    }
  }

  /** @returns milliseconds waited. @throws UpstreamError where the pause is too long */
  async #waitForBackOff(maxPause: number): Promise<number> {
    const { clock, onWait } = this.#options
    const pause = this.#notBefore - clock.now()
    if (pause <= 0) return 0
    if (pause > maxPause) throw busyError(this.#notBefore, pause)
    await clock.sleep(pause)
    onWait(undefined, 0)
    return pause
  }

  async #send(
    request: UpstreamRequest,
    signal: AbortSignal | undefined
  ): Promise<AttemptOutcome> {
    try {
      const { now } = this.#options.clock
      const sent = now()
      const received = await this.#upstream.ask(request, signal)
      const answer = { ...received, seconds: Math.round((now() - sent) / 100) / 10 }
      this.#wasReached = true
      const failure = transientFailure(answer)
      const page =
        failure === undefined && answer.status === 200
          ? request.whyNotApiAnswer?.(answer)
          : undefined
      if (page !== undefined) return { kind: 'page', answer, failure: page }
      return { kind: 'answer', answer, failure }
    } catch (error) {
      if (error instanceof UpstreamError) return { kind: 'fault', error }
      throw error
    }
  }

  /** A page instead of the first answer is hardly a passing one. */
  #maxRetries({ kind }: AttemptOutcome): number {
    const { retries } = this.#options.retryPolicy
    return kind === 'page' && (!this.#apiHasAnswered || this.#blockedInARow > 0)
      ? Math.min(retries, maxRetriesWhenBlocked)
      : retries
  }

  /** @throws UpstreamError where nothing came, or only pages for whatever was requested */
  #finish(outcome: AttemptOutcome): WikiAnswer {
    if (outcome.kind === 'fault') throw outcome.error
    if (outcome.kind === 'answer') {
      this.#apiHasAnswered ||= outcome.failure === undefined
      this.#blockedInARow = 0
      return outcome.answer
    }
    this.#blockedInARow += 1
    if (this.#apiHasAnswered && this.#blockedInARow < maxBlockedInARow)
      return outcome.answer
    this.#blockPage = outcome.failure
    throw blockedError(this.#blockPage)
  }

  /** Why sending again may help; undefined where it would not. */
  #retryReason(request: UpstreamRequest, outcome: AttemptOutcome): string | undefined {
    if (outcome.kind === 'page') return outcome.failure
    if (outcome.kind === 'answer')
      return isOverload(outcome.answer) ? outcome.failure : undefined
    const { fault, message } = outcome.error
    return isRetryable(fault, request, this.#wasReached) ? message : undefined
  }

  #backOff(outcome: AttemptOutcome, tries: number, why: string): void {
    const { clock, onWait } = this.#options
    const answer = outcome.kind === 'fault' ? undefined : outcome.answer
    const pause = retryDelay(answer, tries, clock.now(), clock.random())
    this.#notBefore = Math.max(this.#notBefore, clock.now() + pause)
    onWait(why, pause)
  }
}

/** @param page what came in place of an answer */
const blockedError = (page: string): UpstreamError =>
  new UpstreamError(
    'blocked',
    `${page} to every request: maintenance, a network that wants you to log in, or a login in front of the wiki? Open the address in a browser; for a login of HTTP's own put it into the address, https://NAME:PASSWORD@…`
  )

function busyError(until: number, pause: number): UpstreamError {
  const minutes = Math.ceil(pause / 60_000)
  return new UpstreamError(
    'busy',
    `the wiki demands a pause of ${minutes} min (Retry-After); run the same command again after ${new Date(until).toISOString()}, or wait longer with --max-wait SECONDS`
  )
}

/** Added after the key is made, so never recorded. What a client sends itself is dropped from the key in request/key-step.ts (`transportParams`). */
function withMaxLag(request: UpstreamRequest): UpstreamRequest {
  const { target } = request
  if (!/^[^?]*\/api\.php(?:\?|$)/.test(target) || /[?&]maxlag=/.test(target))
    return request
  return {
    ...request,
    target: `${target}${target.includes('?') ? '&' : '?'}maxlag=${maxLagSeconds}`
  }
}
