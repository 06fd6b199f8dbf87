/**
 * Where one client stands in a cassette: which writes it has made, and how many answers it had of each recording.
 * A write starts an *epoch*; what the writes made so far cannot have changed is the same in all of them.
 */
import { digest, type RequestKey } from '../../request/request-key.ts'
import type { WriteSet } from '../../wiki/effects/write-set.ts'

/** A write that succeeded. */
export interface SessionWrite {
  /** Of its recording. */
  readonly key: RequestKey
  readonly writeSet: WriteSet
}

/** Answers of a recording that a session had one after the other: `count` of them, from the `turn`-th on. */
export interface AnsweredRange {
  readonly key: RequestKey
  readonly position: number
  readonly count: number
  /** Told in another order or spelling than they stand there. */
  readonly reordered: boolean
}

/** Up to so many writes are named one by one, so that a reader of the cassette can look them up. */
const maxNamedWrites = 40

export class Session {
  /** As the client named it (`X-Cassette-Session`); undefined for one that only its cookies tell apart. */
  readonly name: string | undefined
  /** In the order made. */
  readonly #writes: SessionWrite[] = []
  /** By the key of the request as it was spelled. */
  readonly #history = new Map<RequestKey, readonly AnsweredRange[]>()

  constructor(name: string | undefined) {
    this.name = name
  }

  /** True until the first write. */
  get hasNoWrites(): boolean {
    return this.#writes.length === 0
  }

  addWrite(write: SessionWrite): void {
    this.#writes.push(write)
  }

  get writes(): readonly SessionWrite[] {
    return this.#writes
  }

  /** How many answers this session had to a request so spelled. */
  position(exactKey: RequestKey): number {
    return this.history(exactKey).reduce((sum, { count }) => sum + count, 0)
  }

  /** It had one more. */
  advance(exactKey: RequestKey, { key, position, reordered }: Omit<AnsweredRange, 'count'>): void {
    const history = this.history(exactKey)
    const last = history.at(-1)
    const follows =
      last?.key === key && last.reordered === reordered && last.position + last.count === position
    const more = { key, position, reordered, count: follows ? last.count + 1 : 1 }
    this.#history.set(
      exactKey,
      follows ? [...history.slice(0, -1), { ...more, position: last.position }] : [...history, more],
    )
  }

  /** Its answers to the one request are those to the other, where it had none to that. */
  inherit(exactKey: RequestKey, from: RequestKey): void {
    if (!this.#history.has(exactKey)) this.#history.set(exactKey, this.history(from))
  }

  /** The answers that this session had to a request so spelled, and where they stand. */
  history(exactKey: RequestKey): readonly AnsweredRange[] {
    return this.#history.get(exactKey) ?? []
  }
}

/** Names a set of writes, so that two made at once may end in either order; empty where there is none. */
export function epochAfter(writes: readonly SessionWrite[]): string {
  const keys = writes.map(({ key }) => key).sort()
  return keys.length <= maxNamedWrites
    ? keys.join(' ')
    : `${keys.length} writes ${digest(keys.join(' '), 12)}`
}

/** Several responses are a sequence for each session; the last one repeats. */
export const responseAt = <T>(responses: readonly [T, ...T[]], position: number): T =>
  responses[Math.min(position, responses.length - 1)] ?? responses[0]
