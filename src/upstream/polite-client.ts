/**
 * A good guest: one question at a time, none while the wiki wants to be left alone, and a question that met overload
 * is asked again after a while, as is one for which a page came. Source: https://www.mediawiki.org/wiki/API:Etiquette, Manual:Maxlag_parameter
 */
import type { WikiAnswer } from '../wiki/answers/wiki-answer.ts'
import { passingFailure } from './answers/recordable.ts'
import { nextTurn } from './next-turn.ts'
import {
  type Leaving,
  type Upstream,
  UpstreamError,
  type UpstreamFault,
  type UpstreamRequest,
} from './upstream.ts'

export interface Patience {
  /** How often one question is asked again at most. */
  readonly retries: number
  /** Milliseconds that may be waited for one answer, all its waits together. */
  readonly maxWait: number
  /** Questions under way at a time. */
  readonly concurrency: number
}

/** Time and chance, from the shell. */
export interface Clock {
  readonly now: () => number
  readonly sleep: (milliseconds: number) => Promise<void>
  /** From 0 to 1. */
  readonly random: () => number
}

export interface PoliteOptions {
  readonly patience: Patience
  readonly clock: Clock
  /** Told why nothing is asked at present, and for how many milliseconds; undefined when it goes on. */
  readonly waiting: (why: string | undefined, milliseconds: number) => void
}

/** Seconds of replication lag beyond which a wiki is not to be bothered; it answers `maxlag` then. */
const maxLag = 5

export function politeUpstream(upstream: Upstream, options: PoliteOptions): Upstream {
  const guest = new Guest(upstream, options)
  return { ask: (request, signal) => guest.ask(request, signal), close: () => upstream.close() }
}

/** What came of asking once. */
type Outcome =
  | { readonly kind: 'answer'; readonly answer: WikiAnswer; readonly failure: string | undefined }
  /** A page with status 200 where the API should answer: maintenance, a challenge; or what answers everything so. */
  | { readonly kind: 'page'; readonly answer: WikiAnswer; readonly failure: string }
  | { readonly kind: 'fault'; readonly error: UpstreamError }

/** How often a question is asked again for which pages came, where nothing else came before. */
const triesAtWall = 2
/** Questions in a row for which nothing but pages came, after which no other is asked. */
const mostWalled = 3

class Guest {
  readonly #upstream: Upstream
  readonly #options: PoliteOptions
  readonly #queue: (() => void)[] = []
  #underWay = 0
  /** Nothing is asked before this moment. */
  #notBefore = 0
  #answered = false
  /** True once the API itself has answered. */
  #spoke = false
  /** Questions in a row for which nothing but pages came. */
  #walled = 0
  /** The page that answers everything; no other question is asked then. */
  #wall: string | undefined

  constructor(upstream: Upstream, options: PoliteOptions) {
    this.#upstream = upstream
    this.#options = options
  }

  async ask(request: UpstreamRequest, signal?: Leaving): Promise<WikiAnswer> {
    await this.#turn()
    try {
      if (this.#wall !== undefined) throw walled(this.#wall)
      return await this.#insist(withMaxLag(request), signal)
    } finally {
      this.#underWay -= 1
      await this.#letNext()
    }
  }

  /** Who waits has its question on the way, one turn to connect and one to write, before this answer is worked on. */
  async #letNext(): Promise<void> {
    const next = this.#queue.shift()
    if (next === undefined) return
    next()
    await nextTurn()
  }

  async #turn(): Promise<void> {
    while (this.#underWay >= Math.max(1, this.#options.patience.concurrency))
      await new Promise<void>((resolve) => this.#queue.push(resolve))
    this.#underWay += 1
  }

  async #insist(request: UpstreamRequest, signal: Leaving | undefined): Promise<WikiAnswer> {
    const { patience } = this.#options
    let waited = 0
    for (let tries = 0; ; tries += 1) {
      waited += await this.#untilWelcome(patience.maxWait - waited)
      const outcome = await this.#once(request, signal)
      const why = this.#whyAgain(request, outcome)
      if (why === undefined || tries >= this.#mostTries(outcome)) return this.#settled(outcome)
      this.#leaveAlone(this.#pause(outcome, tries), why)
    }
  }

  /** @returns milliseconds that were waited. @throws UpstreamError where it would be too long */
  async #untilWelcome(most: number): Promise<number> {
    const { clock, waiting } = this.#options
    const pause = this.#notBefore - clock.now()
    if (pause <= 0) return 0
    if (pause > most) throw tooLong(this.#notBefore, pause)
    await clock.sleep(pause)
    waiting(undefined, 0)
    return pause
  }

  async #once(request: UpstreamRequest, signal: Leaving | undefined): Promise<Outcome> {
    try {
      const answer = await this.#upstream.ask(request, signal)
      this.#answered = true
      const failure = passingFailure(answer)
      const page = failure === undefined && answer.status === 200 ? request.whyForeign?.(answer) : undefined
      if (page !== undefined) return { kind: 'page', answer, failure: page }
      return { kind: 'answer', answer, failure }
    } catch (error) {
      if (error instanceof UpstreamError) return { kind: 'fault', error }
      throw error
    }
  }

  /** An edge's page may be gone soon; what has never shown anything else is hardly the wiki. */
  #mostTries({ kind }: Outcome): number {
    const { retries } = this.#options.patience
    return kind === 'page' && (!this.#spoke || this.#walled > 0) ? Math.min(retries, triesAtWall) : retries
  }

  /** @throws UpstreamError where nothing came, or nothing but pages for whatever was asked */
  #settled(outcome: Outcome): WikiAnswer {
    if (outcome.kind === 'fault') throw outcome.error
    if (outcome.kind === 'answer') {
      this.#spoke ||= outcome.failure === undefined
      this.#walled = 0
      return outcome.answer
    }
    this.#walled += 1
    if (this.#spoke && this.#walled < mostWalled) return outcome.answer
    this.#wall = outcome.failure
    throw walled(this.#wall)
  }

  /** Why asking again may help; undefined where it would not. */
  #whyAgain(request: UpstreamRequest, outcome: Outcome): string | undefined {
    if (outcome.kind === 'page') return outcome.failure
    if (outcome.kind === 'answer') return isOverload(outcome.answer) ? outcome.failure : undefined
    const { fault, message } = outcome.error
    return this.#mayPass(fault, request) ? message : undefined
  }

  /** An address at which nobody ever answered is taken for wrong, not for busy. */
  #mayPass(fault: UpstreamFault, { method, repeatable }: UpstreamRequest): boolean {
    switch (fault) {
      case 'reset':
      case 'timeout':
        return method === 'GET' || repeatable === true
      case 'unreachable':
        return this.#answered
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
  #pause(outcome: Outcome, tries: number): number {
    const { clock } = this.#options
    const told = outcome.kind !== 'fault' ? retryAfter(outcome.answer, clock.now()) : undefined
    const own = Math.min(60_000, 1000 * 2 ** tries)
    return told === undefined || told <= 0 ? own * (0.5 + clock.random()) : told + clock.random() * 500
  }

  #leaveAlone(pause: number, why: string): void {
    const { clock, waiting } = this.#options
    this.#notBefore = Math.max(this.#notBefore, clock.now() + pause)
    waiting(why, pause)
  }
}

/** Overload, maintenance and limits; other errors of the server would be the same again. */
const isOverload = (answer: WikiAnswer): boolean =>
  answer.status < 500 || [502, 503, 504].includes(answer.status)

/** @param page what came in place of an answer */
const walled = (page: string): UpstreamError =>
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

function tooLong(until: number, pause: number): UpstreamError {
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
  return { ...request, target: `${target}${target.includes('?') ? '&' : '?'}maxlag=${maxLag}` }
}
