/** The sequence of answers in one recording: what a session got, and where a fresh answer belongs in it. */
import {
  type Interaction,
  type RecordedResponse,
  sameRecording,
  sameTexts,
} from '../../cassette/interaction.ts'
import { type AnsweredRange, responseAt } from '../../playback/session/session.ts'
import type { Derivation } from '../../request/derive.ts'
import type { Call, RecordedMatch } from '../call.ts'
import { canReplay, isSameAnswer, type RecordingSlot, type RecordingSlots } from './recording-slots.ts'

/** A recorded answer that replay would serve in place of the fresh one. */
export type RepeatedAnswer = Pick<RecordedMatch, 'key' | 'exactKey' | 'reordered' | 'response'>

type InteractionResponses = Interaction['responses']

/** Undefined where the fresh answer has to be recorded. */
export function findRepeated(
  slots: RecordingSlots,
  slot: RecordingSlot,
  { session, derivation }: Call,
  fresh: RecordedResponse,
): RepeatedAnswer | undefined {
  const { key, sentValues } = slot.derivation
  const old = slots.read(key)
  if (old === undefined) return undefined
  const reordered = !sameTexts(old.sentValues, sentValues)
  if (reordered && derivation.effect === 'write') return undefined
  const response = slots.currentAnswer(slot, session)
  if (response === undefined || !canReplay(response, fresh, derivation)) return undefined
  return { key, exactKey: slot.exactKey, reordered, response }
}

/** The answers that a recording has to hold: those that the session got to this request, then the fresh one. */
export function withFresh(
  slots: RecordingSlots,
  slot: RecordingSlot,
  { session, derivation }: Call,
  fresh: RecordedResponse,
): InteractionResponses {
  const old = slots.read(slot.derivation.key)
  if (old !== undefined && sameTexts(old.sentValues, slot.derivation.sentValues)) {
    const position = Math.min(session.position(slot.exactKey), old.responses.length - 1)
    if (isSameAnswer(responseAt(old.responses, position), fresh, derivation)) {
      const [first = fresh, ...more] = old.responses.with(position, fresh)
      return [first, ...more]
    }
  }
  const earlier = session.history(slot.exactKey).flatMap((range) => answersIn(slots, range, slot.base))
  // The last answer repeats, so equal ones before it are left out.
  const end = earlier.findLastIndex((one) => !sameRecording(one, fresh)) + 1
  const [first = fresh, ...more] = [...earlier.slice(0, end), fresh]
  return [first, ...more]
}

function answersIn(
  slots: RecordingSlots,
  range: AnsweredRange,
  base: Derivation,
): readonly RecordedResponse[] {
  const old = slots.read(range.key)
  if (old === undefined) return []
  return Array.from({ length: range.count }, (_, more) => {
    const position = range.position + more
    return range.reordered ? slots.reordered(old, base, position) : responseAt(old.responses, position)
  }).filter((one) => one !== undefined)
}
