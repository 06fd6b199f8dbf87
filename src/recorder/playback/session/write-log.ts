/**
 * What all sessions have written, in order. The answer to one session may show what others wrote: it then names those of their
 * writes that were made since the session began, and is given only after these (docs/sessions.md).
 */
import type { RecordedResponse } from '../../cassette/interaction.ts'
import { digest, type RequestKey } from '../../request/request-key.ts'
import { type ReadSet, whyAffected } from '../../wiki/effects/read-set.ts'
import { inNormalOrder } from '../../wiki/effects/write-order.ts'
import type { WriteSet } from '../../wiki/effects/write-set.ts'

/** A request that may have changed the wiki, by the key of its recording; that of the request if it is not recorded. */
export interface SessionWrite {
  readonly key: RequestKey
  readonly writeSet: WriteSet
  /** It was answered, and not with an error. */
  readonly hasSucceeded?: boolean
}

/** A write of another session. */
export interface OtherWrite extends SessionWrite {
  /** Made since the session began. */
  readonly isNew: boolean
}

/** Up to this many writes are listed by key; more become a count and a digest. */
const maxNamedWrites = 40

/**
 * The name of the epoch after these writes; empty before the first. Their order counts, as far as the answer may show it.
 * @param isOrdered true of an answer that shows in which order pages were edited
 */
export function epochAfter(given: readonly SessionWrite[], isOrdered: boolean): string {
  const writes = isOrdered ? given : inNormalOrder(given)
  const names = writes.map(({ key }) => key).join(' ')
  return writes.length <= maxNamedWrites
    ? names
    : `${writes.length} writes ${digest(names, 12)}`
}

/** True of two pasts that lead to the same answer. @param isOrdered true of an answer that shows in which order pages were edited */
export function sameWrites(
  one: readonly SessionWrite[],
  other: readonly SessionWrite[],
  isOrdered = true
): boolean {
  if (one.length !== other.length) return false
  const [a, b] = isOrdered ? [one, other] : [inNormalOrder(one), inNormalOrder(other)]
  return a.every(({ key }, at) => b[at]?.key === key)
}

/** Those that may have changed an answer that shows so much. */
export const writesAffecting = (
  writes: readonly SessionWrite[],
  readSet: ReadSet
): readonly SessionWrite[] =>
  writes.filter(({ writeSet }) => whyAffected(writeSet, readSet) !== undefined)

/** As cassettes of older versions name them. */
export const sortedByKey = (writes: readonly SessionWrite[]): readonly SessionWrite[] =>
  writes.toSorted((a, b) => (a.key < b.key ? -1 : 1))

export class WriteLog {
  readonly #writes = new Map<
    RequestKey,
    { readonly write: SessionWrite; readonly by: Set<object> }
  >()

  /** How many different writes there are. */
  get size(): number {
    return this.#writes.size
  }

  add(session: object, write: SessionWrite): void {
    const known = this.#writes.get(write.key)
    if (!known) this.#writes.set(write.key, { write, by: new Set([session]) })
    else known.by.add(session)
  }

  remove(session: object, { key }: SessionWrite): void {
    this.#writes.get(key)?.by.delete(session)
  }

  /** Those that the session has not made itself. @param begunAt the size when it began */
  notBy(session: object, begunAt: number): readonly OtherWrite[] {
    return [...this.#writes.values()].flatMap(({ write, by }, at) =>
      by.has(session) ? [] : [{ ...write, isNew: at >= begunAt }]
    )
  }
}

/** What an answer depends on beside the writes of its own session. */
export interface OthersWrites {
  /** Finds the writes of others that may have changed it. */
  readonly others: () => readonly OtherWrite[]
  readonly readSet: ReadSet
}

/** The states of the others' writes that an answer was given in; the empty one is that of before any. */
export const statesOf = ({ afterOthers }: RecordedResponse): readonly string[] =>
  afterOthers ?? ['']

/**
 * The present state as recordings name it: by the writes that any of them names.
 * @param isRecording then also by what was written since the session began
 */
export function stateAmong(
  states: readonly string[],
  { others, readSet: { isOrdered } }: OthersWrites,
  isRecording: boolean
): string {
  const named = new Set<string>(states.flatMap((one) => one.split(' ')))
  const areNamed = !states.some((one) => one.includes(' writes '))
  const counted = others().filter(({ key, isNew }) =>
    areNamed ? named.has(key) || (isRecording && isNew) : isNew
  )
  return epochAfter(counted, isOrdered)
}

/** Which of several answers is for this state, at a position of their sequence; the last one repeats. */
export function answerInState(
  states: readonly (readonly string[])[],
  state: string,
  position: number
): number | undefined {
  const fitting = states.flatMap((one, at) => (one.includes(state) ? [at] : []))
  return fitting.findLast((at) => at <= position) ?? fitting[0]
}

/** Which answer of a recording a session gets; undefined if none was given after just these writes of others. */
export function answerFor(
  responses: readonly RecordedResponse[],
  position: number,
  writes: OthersWrites
): number | undefined {
  if (responses.every(({ afterOthers }) => !afterOthers)) return position
  const states = responses.map(statesOf)
  return answerInState(states, stateAmong(states.flat(), writes, false), position)
}
