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

/** Answers of a recording that a session had one after the other: `count` of them, from the `turn`-th on. */
export interface Answered {
  readonly key: RequestKey
  readonly turn: number
  readonly count: number
  /** Told in another order or spelling than they stand there. */
  readonly reprojected: boolean
}

/** Up to so many writes are named one by one, so that a reader of the cassette can look them up. */
const namedWrites = 4

export class Session {
  /** As the client named it (`X-Cassette-Session`); undefined for one that only its cookies tell apart. */
  readonly name: string | undefined
  readonly #writes: RequestKey[] = []
  readonly #epochs: [Epoch, ...Epoch[]] = [{ state: '', written: new Set() }]
  /** By the key of the request as it was spelled. */
  readonly #had = new Map<RequestKey, readonly Answered[]>()

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

const stateAfter = (writes: readonly RequestKey[]): string =>
  writes.length <= namedWrites ? writes.join(' ') : `${writes.length} writes ${digest(writes.join(' '), 12)}`

/** Several responses are a sequence for each session; the last one repeats. */
export const atTurn = <T>(responses: readonly [T, ...T[]], turn: number): T =>
  responses[Math.min(turn, responses.length - 1)] ?? responses[0]
