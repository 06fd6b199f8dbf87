/** One client's progress in a cassette: its writes, each the start of an *epoch*, and its position in each sequence of answers. */
import { digest, type RequestKey } from '../../request/request-key.ts'
import { type WriteSet, writeSetFromJson, writeSetToJson } from '../../wiki/effects/write-set.ts'

/** A write that succeeded, by the key of its recording. */
export interface SessionWrite {
  readonly key: RequestKey
  readonly writeSet: WriteSet
}

/** Consecutive answers of one recording that a session got: `count` of them, from index `position` on. */
export interface AnsweredRange {
  readonly key: RequestKey
  readonly position: number
  readonly count: number
  /** They were served in another order or spelling than recorded. */
  readonly reordered: boolean
}

/** A session as JSON: sets as lists. */
export interface SessionState {
  readonly writes: readonly (readonly [RequestKey, writeSet: Readonly<Record<string, unknown>>])[]
  readonly history: readonly (readonly [RequestKey, readonly AnsweredRange[]])[]
}

/** So many writes are named in the cassette by their keys; more by a digest. */
const maxNamedWrites = 40

export class Session {
  /** As the client named it (`X-Cassette-Session`); undefined for a session known by its cookies alone. */
  readonly name: string | undefined
  readonly #writes: SessionWrite[] = []
  /** By exact key: the key of the request as it was spelled. */
  readonly #history = new Map<RequestKey, readonly AnsweredRange[]>()

  constructor(name: string | undefined) {
    this.name = name
  }

  get hasNoWrites(): boolean {
    return this.#writes.length === 0
  }

  addWrite(write: SessionWrite): void {
    this.#writes.push(write)
  }

  removeWrite(write: SessionWrite): void {
    const at = this.#writes.indexOf(write)
    if (at >= 0) this.#writes.splice(at, 1)
  }

  /** In the order made. */
  get writes(): readonly SessionWrite[] {
    return this.#writes
  }

  /** How many answers this session got to a request. */
  position(exactKey: RequestKey): number {
    return this.history(exactKey).reduce((sum, { count }) => sum + count, 0)
  }

  advance(exactKey: RequestKey, { key, position, reordered }: Omit<AnsweredRange, 'count'>): void {
    const history = this.history(exactKey)
    const last = history.at(-1)
    const continues =
      last?.key === key && last.reordered === reordered && last.position + last.count === position
    const ranges = continues
      ? [...history.slice(0, -1), { ...last, count: last.count + 1 }]
      : [...history, { key, position, reordered, count: 1 }]
    this.#history.set(exactKey, ranges)
  }

  /** Takes over the history of another key, where this one has none. */
  inherit(exactKey: RequestKey, from: RequestKey): void {
    if (!this.#history.has(exactKey)) this.#history.set(exactKey, this.history(from))
  }

  state(): SessionState {
    const writes = this.#writes.map(({ key, writeSet }) => [key, writeSetToJson(writeSet)] as const)
    return { writes, history: [...this.#history] }
  }

  /** Replaces what it has done by a state that was written elsewhere. */
  restore({ writes, history }: SessionState): void {
    this.#writes.splice(0)
    for (const [key, writeSet] of writes) this.#writes.push({ key, writeSet: writeSetFromJson(writeSet) })
    this.#history.clear()
    for (const [key, ranges] of history) this.#history.set(key, ranges)
  }

  history(exactKey: RequestKey): readonly AnsweredRange[] {
    return this.#history.get(exactKey) ?? []
  }
}

/** The name of the epoch after these writes, in whatever order they ended; empty before the first. */
export function epochAfter(writes: readonly SessionWrite[]): string {
  const keys = writes.map(({ key }) => key).sort()
  const names = keys.join(' ')
  return keys.length <= maxNamedWrites ? names : `${keys.length} writes ${digest(names, 12)}`
}

/** The answer at a position of a sequence; the last one repeats. */
export const responseAt = <T>(responses: readonly [T, ...T[]], position: number): T =>
  responses[Math.min(position, responses.length - 1)] ?? responses[0]
