/**
 * While recording: after which writes of other sessions each answer was given. An answer that differs only since others wrote
 * is recorded beside the earlier one; an equal one is noted, so that it is not taken for one of before these writes only.
 */
import {
  type Interaction,
  type RecordedResponse,
  sameRecording
} from '../../cassette/interaction.ts'
import { answerInState, stateAmong } from '../../playback/session/write-log.ts'
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import type { Store } from '../../store/store.ts'
import { getOrAdd } from '../../text/group-by.ts'
import type { Call } from '../call.ts'

/** Where the recording of an answer is, and by which key the answers of a session to it are counted. */
interface AnswerPlace {
  readonly derivation: Derivation
  readonly exactKey: RequestKey
}

/** Which of a recording's answers the session would get now; undefined if none was given after these writes of others. */
export interface CurrentAnswer {
  readonly at: number | undefined
  /** The writes of others that the fresh answer may show, as a recording names them. */
  readonly state: string
}

export class AnswerStates {
  readonly #store: Store
  readonly #states = new Map<RequestKey, (readonly string[])[]>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Which answer of a slot replay would give now. A first answer that differs is also told apart by earlier writes of others. */
  current(
    { derivation: { key }, exactKey }: AnswerPlace,
    { session, dependency }: Call,
    fresh: RecordedResponse
  ): CurrentAnswer {
    const { responses = [] } = this.#store.get(key).interaction ?? {}
    const { readSet } = dependency
    const others = dependency.others()
    const writes = { others: () => others, readSet }
    const states = this.#statesIn(key, responses)
    const position = session.position(exactKey)
    const state = stateAmong(states.flat(), writes, true)
    const at = answerInState(states, state, position)
    const candidates = at === undefined ? responses : responses.slice(at, at + 1)
    const isFirst = position === 0 && responses.length > 0
    if (!isFirst || candidates.some((one) => sameRecording(one, fresh)))
      return { at, state }
    const known = others.map((one) => ({ ...one, isNew: true }))
    const whole = stateAmong(states.flat(), { others: () => known, readSet }, true)
    return { at: answerInState(states, whole, position), state: whole }
  }

  /** After which writes of others each answer of a recording was given, as far as it or this run says. */
  #statesIn(key: RequestKey, responses: readonly RecordedResponse[]) {
    const seen = this.#states.get(key) ?? []
    return responses.map(({ afterOthers = [] }, at) => {
      const states = new Set([...afterOthers, ...(seen[at] ?? [])])
      return states.size === 0 ? [''] : [...states]
    })
  }

  noteState(key: RequestKey, at: number, state: string): void {
    const seen = getOrAdd(this.#states, key, () => [])
    seen[at] = [...new Set([...(seen[at] ?? []), state])]
  }

  /** The same, also if an answer that says nothing of others holds after their writes, too. */
  indexToReplay(
    place: AnswerPlace,
    call: Call,
    fresh: RecordedResponse
  ): number | undefined {
    const { responses = [] } = this.#store.get(place.derivation.key).interaction ?? {}
    const isKnown = responses.some(({ afterOthers }) => afterOthers !== undefined)
    const { at } = this.current(place, call, fresh)
    if (isKnown || at !== undefined) return at
    return Math.min(call.session.position(place.exactKey), responses.length - 1)
  }

  /** A recording with an answer that only writes of others tell from its other answers; undefined if they do not. */
  withFresh(
    { key, responses }: Interaction,
    fresh: RecordedResponse,
    { at: current, state }: CurrentAnswer
  ): Interaction['responses'] | undefined {
    const states = this.#statesIn(key, responses)
    const isNamed = state !== '' || states.flat().some((one) => one !== '')
    if (!isNamed) return undefined
    // Within one state they are a sequence.
    const isKnown = (one: RecordedResponse) =>
      current === undefined && sameRecording(one, fresh)
    const known = responses.findIndex(isKnown)
    const at = known < 0 ? responses.length : known
    const all = [...responses.slice(0, at), fresh, ...responses.slice(at + 1)]
    const [first = fresh, ...more] = all.map((one, index) => {
      const seen = new Set([...(states[index] ?? []), ...(index === at ? [state] : [])])
      const afterOthers = seen.size === 1 && seen.has('') ? undefined : [...seen]
      return { ...one, afterOthers }
    })
    return [first, ...more]
  }
}
