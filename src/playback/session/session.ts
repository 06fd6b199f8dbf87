/**
 * Where one client stands in a cassette: which writes it has made, and how many answers it had of each recording.
 * A write starts an *epoch*; what the writes made so far cannot have changed is the same in all of them.
 */
import { digest, type RequestKey } from '../../request/request-key.ts'
import type { Reach } from '../../wiki/effects/write-set.ts'

/** A write that succeeded. */
export interface Write {
  /** Of its recording. */
  readonly key: RequestKey
  readonly reach: Reach
}

/** Answers of a recording that a session had one after the other: `count` of them, from the `turn`-th on. */
export interface Answered {
  readonly key: RequestKey
  readonly turn: number
  readonly count: number
  /** Told in another order or spelling than they stand there. */
  readonly reprojected: boolean
}

/** Up to so many writes are named one by one, so that a reader of the cassette can look them up. */
const namedWrites = 40

export class Session {
  /** As the client named it (`X-Cassette-Session`); undefined for one that only its cookies tell apart. */
  readonly name: string | undefined
  /** In the order made. */
  readonly #writes: Write[] = []
  /** By the key of the request as it was spelled. */
  readonly #had = new Map<RequestKey, readonly Answered[]>()

  constructor(name: string | undefined) {
    this.name = name
  }

  /** True until the first write. */
  get pristine(): boolean {
    return this.#writes.length === 0
  }

  wrote(write: Write): void {
    this.#writes.push(write)
  }

  get writes(): readonly Write[] {
    return this.#writes
  }

  /** How many answers this session had to a request so spelled. */
  turn(spelled: RequestKey): number {
    return this.had(spelled).reduce((sum, { count }) => sum + count, 0)
  }

  /** It had one more. */
  advance(spelled: RequestKey, { key, turn, reprojected }: Omit<Answered, 'count'>): void {
    const had = this.had(spelled)
    const last = had.at(-1)
    const follows = last?.key === key && last.reprojected === reprojected && last.turn + last.count === turn
    const more = { key, turn, reprojected, count: follows ? last.count + 1 : 1 }
    this.#had.set(spelled, follows ? [...had.slice(0, -1), { ...more, turn: last.turn }] : [...had, more])
  }

  /** Its answers to the one request are those to the other, where it had none to that. */
  inherit(spelled: RequestKey, from: RequestKey): void {
    if (!this.#had.has(spelled)) this.#had.set(spelled, this.had(from))
  }

  /** The answers that this session had to a request so spelled, and where they stand. */
  had(spelled: RequestKey): readonly Answered[] {
    return this.#had.get(spelled) ?? []
  }
}

/** Names a set of writes, so that two made at once may end in either order; empty where there is none. */
export function stateAfter(writes: readonly Write[]): string {
  const keys = writes.map(({ key }) => key).sort()
  return keys.length <= namedWrites ? keys.join(' ') : `${keys.length} writes ${digest(keys.join(' '), 12)}`
}

/** Several responses are a sequence for each session; the last one repeats. */
export const atTurn = <T>(responses: readonly [T, ...T[]], turn: number): T =>
  responses[Math.min(turn, responses.length - 1)] ?? responses[0]
