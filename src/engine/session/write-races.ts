/**
 * Reads and writes of one session, in the order they came in: while one of the wiki's answers is awaited, what could be
 * answered before or after it waits, so that every answer has its epoch.
 */

import type { Session } from '../../playback/session/session.ts'
import type { Leaving } from '../../upstream/upstream.ts'
import { withResolvers } from '../../upstream/with-resolvers.ts'
import { type Dependence, whyTouched } from '../../wiki/effects/read-set.ts'
import { type Reach, reachOf } from '../../wiki/effects/write-set.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import type { Call } from '../call.ts'
import { renewing } from './session-registry.ts'
import { makesAccount } from './update-session.ts'

/** What a request may meet: a read another answer by a write, and everything another caller by a login or logout. */
type Effect =
  | { readonly kind: 'read'; readonly on: Dependence }
  | { readonly kind: 'write'; readonly reach: Reach }
  | { readonly kind: 'token' }
  | { readonly kind: 'login' }

/** One request on its way. */
export interface Passage {
  /** Resolves to the milliseconds waited once it is its turn; undefined where nothing is in the way. */
  readonly turn: Promise<number> | undefined
  /** Why its answer may be from before or after a write that can have changed it; undefined where it is certain. */
  readonly doubt: () => string | undefined
  /** It has been answered, and the session has learned from it. */
  readonly end: () => void
}

interface Entry {
  readonly effect: Effect
  readonly ended: Promise<void>
  doubt?: string
}

/** Several engines serve one session, each in another mode. */
const underWay = new WeakMap<Session, Set<Entry>>()

/** No client is kept waiting longer for other requests: many give up after that time. */
const mostHeld = 30_000

export class Races {
  readonly #limit: number

  /** @param limit milliseconds after which a request goes on although another is still on its way */
  constructor(limit: number = mostHeld) {
    this.#limit = limit
  }

  /** @param shared true of the session of all who are known by nothing, whom no login or logout makes another */
  begin(
    { session, derivation, standing, exchange }: Call,
    site: SiteFacts | undefined,
    shared: boolean,
  ): Passage {
    const entries = underWay.get(session) ?? new Set()
    underWay.set(session, entries)
    const { promise: ended, resolve } = withResolvers<void>()
    const entry: Entry = { effect: effectOf({ derivation, standing }, site, shared), ended }
    const before = [...entries].filter((other) => meet(other.effect, entry.effect))
    entries.add(entry)
    return {
      turn: before.length === 0 ? undefined : this.#wait(entry, before, exchange.signal),
      doubt: () => entry.doubt,
      end: () => {
        entries.delete(entry)
        resolve()
      },
    }
  }

  /** @returns milliseconds */
  async #wait(entry: Entry, before: readonly Entry[], signal: Leaving | undefined): Promise<number> {
    const began = performance.now()
    const ended = Promise.all(before.map((one) => one.ended))
    // Where the two meet after all, only a read does not know its epoch.
    if (await isOverdue(ended, this.#limit, signal))
      for (const one of [entry, ...before]) if (isRead(one)) one.doubt = tooLong(this.#limit)
    return performance.now() - began
  }
}

function effectOf(
  { derivation, standing }: Pick<Call, 'derivation' | 'standing'>,
  site: SiteFacts | undefined,
  shared: boolean,
): Effect {
  const { effect, canonical } = derivation
  switch (makesAccount(canonical) ? 'write' : effect) {
    case 'read':
      return { kind: 'read', on: standing.on }
    case 'write':
      return { kind: 'write', reach: reachOf(canonical, [], [], site) }
    case 'session':
      return { kind: !shared && renewing.test(canonical.get('action') ?? '') ? 'login' : 'token' }
  }
}

/** True where the one can change the answer to the other; two writes may end in either order. */
function meet(one: Effect, other: Effect): boolean {
  if (one.kind === 'login' || other.kind === 'login') return true
  if (one.kind === 'write' && other.kind === 'read') return whyTouched(one.reach, other.on) !== undefined
  return one.kind === 'read' && other.kind === 'write' && meet(other, one)
}

const isRead = ({ effect: { kind } }: Entry): boolean => kind === 'read' || kind === 'token'

const tooLong = (limit: number): string =>
  `a write or login of the same session took longer than ${limit / 1000} s, and nothing tells whether this was answered before or after it`

/** True where it has not come to its end in time, although somebody waits for it. */
function isOverdue(ended: Promise<unknown>, limit: number, signal: Leaving | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), limit)
    const stop = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      resolve(false)
    }
    signal?.addEventListener('abort', stop)
    if (signal?.aborted === true) stop()
    void ended.then(stop)
  })
}
