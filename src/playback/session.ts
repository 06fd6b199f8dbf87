/**
 * Where one client stands in a cassette: which writes it has made, and how many answers it had of each recording.
 * A write starts an *epoch*; reads are looked up in the present epoch, then in earlier ones.
 */
import { digest, type RequestKey } from '../request/key.ts'

/** The time from one successful write of a session to the next. */
export interface Epoch {
  /** Names the set of writes made so far, so that two made at once may end in either order; empty at the start. */
  readonly state: string
  /** The pages that the write named which started it. */
  readonly written: ReadonlySet<string>
}

/** One answer of a recording: the how-manieth that a session had of it, from 0. */
export interface Answered {
  readonly key: RequestKey
  readonly turn: number
}

/** Up to so many writes are named one by one, so that a reader of the cassette can look them up. */
const namedWrites = 4

export class Session {
  /** As the client named it (`X-Cassette-Session`); undefined for one that only its cookies tell apart. */
  readonly name: string | undefined
  readonly #writes: RequestKey[] = []
  readonly #epochs: [Epoch, ...Epoch[]] = [{ state: '', written: new Set() }]
  readonly #turns = new Map<RequestKey, number>()
  readonly #borrowed = new Map<RequestKey, Answered[]>()

  constructor(name: string | undefined) {
    this.name = name
  }

  /** The present epoch first. */
  epochs(): readonly [Epoch, ...Epoch[]] {
    return this.#epochs
  }

  /** True until the first write. */
  get pristine(): boolean {
    return this.#epochs.length === 1
  }

  /** A write has succeeded. @param key of its recording */
  wrote(key: RequestKey, written: ReadonlySet<string>): void {
    this.#writes.push(key)
    this.#writes.sort()
    this.#epochs.unshift({ state: stateAfter(this.#writes), written })
  }

  /** How many answers this session had of a recording. */
  turn(key: RequestKey): number {
    return this.#turns.get(key) ?? 0
  }

  /** It had one more, or several. */
  advance(key: RequestKey, by = 1): void {
    this.#turns.set(key, this.turn(key) + by)
  }

  /** The next answer to a request with the one key was that of an earlier epoch with the other. */
  borrow(key: RequestKey, from: RequestKey): void {
    const borrowed = this.#borrowed.get(key) ?? []
    borrowed.push({ key: from, turn: this.turn(from) })
    this.#borrowed.set(key, borrowed)
  }

  /** The answers that requests with this key were given out of earlier epochs. */
  borrowed(key: RequestKey): readonly Answered[] {
    return this.#borrowed.get(key) ?? []
  }
}

const stateAfter = (writes: readonly RequestKey[]): string =>
  writes.length <= namedWrites ? writes.join(' ') : `${writes.length} writes ${digest(writes.join(' '), 12)}`

/** Several responses are a sequence for each session; the last one repeats. */
export const atTurn = <T>(responses: readonly [T, ...T[]], turn: number): T =>
  responses[Math.min(turn, responses.length - 1)] ?? responses[0]
