/** The answers that a recording has to hold: those that the session got to this request, then the fresh one. */
import {
  type Interaction,
  type RecordedResponse,
  sameRecording,
  sameTexts
} from '../../cassette/interaction.ts'
import { type AnsweredRange, responseAt } from '../../playback/session/session.ts'
import type { Store } from '../../store/store.ts'
import type { Call } from '../call.ts'
import type { CurrentAnswer } from './answer-states.ts'
import type { RecordingSlot, RecordingSlots } from './recording-slots.ts'
import { isSameAnswer } from './same-answer.ts'

export interface FreshAnswer {
  readonly store: Store
  readonly slots: RecordingSlots
  readonly slot: RecordingSlot
  readonly call: Call
  readonly fresh: RecordedResponse
  readonly current: CurrentAnswer
}

export function answersToRecord(answer: FreshAnswer): Interaction['responses'] {
  const { store, slots, slot, call, fresh, current } = answer
  const { key, sentValues } = slot.derivation
  const { session, derivation } = call
  const old = store.get(key).interaction
  if (old && sameTexts(old.sentValues, sentValues)) {
    const known = slots.isOfThisRun(key)
      ? slots.states.withFresh(old, fresh, current)
      : undefined
    if (known) return known
    const position = Math.min(session.position(slot.exactKey), old.responses.length - 1)
    if (isSameAnswer(responseAt(old.responses, position), fresh, derivation)) {
      const [first = fresh, ...more] = old.responses.with(position, fresh)
      return [first, ...more]
    }
  }
  const earlier = session
    .history(slot.exactKey)
    .flatMap((range) => answersIn(range, answer))
  // The last answer repeats, so equal ones before it are left out.
  const end = earlier.findLastIndex((one) => !sameRecording(one, fresh)) + 1
  const { state } = current
  const stated = state === '' ? fresh : { ...fresh, afterOthers: [state] }
  const [first = stated, ...more] = [...earlier.slice(0, end), stated]
  return [first, ...more]
}

function answersIn(
  { key, position, count, reordered }: AnsweredRange,
  { store, slots, slot: { base } }: FreshAnswer
) {
  const old = store.get(key).interaction
  if (!old) return []
  return Array.from({ length: count }, (_, more) =>
    reordered
      ? slots.reordered(old, base, position + more)
      : responseAt(old.responses, position + more)
  ).filter((one) => one !== undefined)
}
