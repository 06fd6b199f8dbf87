/** Chooses the recording that an answer goes to: the one of all sessions, or one of its session or spelling. */

import {
  type Interaction,
  type RecordedResponse,
  sameTexts
} from '../../cassette/interaction.ts'
import { failureIn } from '../../cassette/recorded-failure.ts'
import {
  withRefusedLag,
  withRefusedOrigin,
  withUnposted
} from '../../playback/lookup/match.ts'
import { reorderResponse } from '../../playback/reorder/reorder-response.ts'
import { AnswerOrder, type Turn } from '../../playback/session/answer-order.ts'
import { responseAt, Session } from '../../playback/session/session.ts'
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import {
  keyForExactOrder,
  keyForHeaders,
  keyForSession
} from '../../request/scoped-keys.ts'
import type { Store } from '../../store/store.ts'
import { getOrAdd } from '../../text/group-by.ts'
import type { Call } from '../call.ts'
import type { EngineEvent } from '../engine-event.ts'
import { AnswerStates } from './answer-states.ts'
import { canReplay, isSameAnswer } from './same-answer.ts'

/** Nothing was written: the slot has to be chosen anew. */
export const recordedByAnother = 'recorded by another'

export interface RecordingSlot {
  /** Its key is the recording's. */
  readonly derivation: Derivation
  /** The request in any order and spelling; the same, unless the slot is for the exact one. */
  readonly base: Derivation
  /** Positions in the sequence are counted by it. */
  readonly exactKey: RequestKey
  /** True of what sessions without a name got that differs from the shared recording. */
  readonly isAnother?: boolean
}

/** The first session that requested a key in this run, and the most answers that any session got to it. */
interface SlotOwner {
  readonly session: Session
  shared: boolean
  maxAnswers: number
}

export class RecordingSlots {
  readonly #store: Store
  readonly #onEvent: (event: EngineEvent) => void
  readonly #owners = new Map<RequestKey, SlotOwner>()
  /** Answers to sessions without a name, by request; of a read only once a second one asks. */
  readonly #turns = new Map<
    RequestKey,
    { readonly turns: Turn[]; last: number | undefined }
  >()
  readonly #order = new AnswerOrder()
  readonly states: AnswerStates
  /** Conflicts that were reported. */
  readonly #reported = new Set<RequestKey>()

  constructor(store: Store, onEvent: (event: EngineEvent) => void) {
    this.#store = store
    this.#onEvent = onEvent
    this.states = new AnswerStates(store)
  }

  /** The slot of all sessions, or the session's own from the first answer on that differs. */
  slotFor(call: Call, fresh: RecordedResponse): RecordingSlot {
    const { session, parsed } = call
    const derivation = this.#forHeaders(this.#withLag(call, fresh), call.chosenBy)
    const refused =
      fresh.status === 403 ? withRefusedOrigin(parsed.request, derivation) : undefined
    const ownKind = withUnposted(derivation, fresh) ?? derivation
    const common = refused ?? ownKind
    const slot = {
      ...this.#slotInSpelling(common, call, fresh),
      exactKey: keyForExactOrder(refused ?? ownKind).key
    }
    const own = keyForSession(common, session.name)
    const ownKeys = [own.key, keyForExactOrder(own).key].filter((key) =>
      this.#store.has(key)
    )
    if (session.name !== undefined && ownKeys.length > 0)
      return this.#slotInSpelling(own, call, fresh)
    const owner = this.#owners.get(slot.derivation.key)
    if (!owner) {
      // A conflict of an earlier run is forgotten.
      for (const key of ownKeys) this.#store.delete(key)
      return slot
    }
    const { exactKey } = slot
    const another = { derivation: own, base: own, exactKey, isAnother: true }
    // Callers by Authorization are told apart by whom it names.
    const takesTurns =
      session.name === undefined && call.incoming.headers['authorization'] === undefined
    if (takesTurns && ownKeys.includes(own.key)) return another
    const isAlone = owner.session === session && !owner.shared
    // Behind all answers that others got, a session continues their sequence.
    const isBeyondOthers = session.position(slot.exactKey) >= owner.maxAnswers
    if (isAlone || isBeyondOthers) return slot
    if (this.states.current(slot, call, fresh).at === undefined) return slot
    const current = this.currentAnswer(slot, call, fresh)
    if (current && isSameAnswer(current, fresh, derivation)) return slot
    if (session.name === undefined) this.#reportConflict(slot.derivation)
    if (takesTurns) return another
    const ownSlot = this.#slotInSpelling(own, call, fresh)
    session.inherit(ownSlot.exactKey, slot.exactKey)
    return ownSlot
  }

  /** For one `maxlag` alone once the wiki was too far behind for it: others must not be answered so. */
  #withLag({ parsed, derivation, session }: Call, fresh: RecordedResponse) {
    const refused = withRefusedLag(parsed.request, derivation)
    if (!refused) return derivation

    const exactKey = keyForExactOrder(refused).key
    const isKnown = this.#store.has(refused.key) || this.#store.has(exactKey)
    if (!isKnown && failureIn(fresh)?.code !== 'maxlag') return derivation

    session.inherit(exactKey, keyForExactOrder(derivation).key)
    return refused
  }

  /** The key of all headers, or of these, where the answer was recorded for others. */
  #forHeaders(derivation: Derivation, chosenBy: Interaction['chosenBy']) {
    const first = this.#store.get(derivation.key).interaction?.chosenBy
    if (!first || !chosenBy) return derivation
    const sent = new Map(
      [...first.keys()].map((name) => [name, chosenBy.get(name) ?? ''] as const)
    )
    return sameTexts(first, sent) ? derivation : keyForHeaders(derivation, sent)
  }

  /** The slot of all spellings while one answer can be reordered into the other, else a slot of its own. */
  #slotInSpelling(base: Derivation, call: Call, fresh: RecordedResponse) {
    const ordered = keyForExactOrder(base)
    const exactKey = ordered.key
    const exact = { derivation: ordered, base, exactKey }
    if (this.#store.has(ordered.key)) return exact
    const slot = { derivation: base, base, exactKey }
    const old = this.#store.get(base.key).interaction
    if (!old || sameTexts(old.sentValues, base.sentValues)) return slot
    const current = this.currentAnswer(slot, call, fresh)
    if (!current) return exact
    // A recording of an earlier run is replaced.
    return canReplay(current, fresh, base) || !this.#owners.has(base.key) ? slot : exact
  }

  /** A recording of an earlier run is replaced, and not continued. */
  isOfThisRun(key: RequestKey): boolean {
    return this.#owners.has(key)
  }

  /** What replay would answer from a slot, in its spelling. */
  answerAt(
    { derivation, base }: RecordingSlot,
    at: number
  ): RecordedResponse | undefined {
    const old = this.#store.get(derivation.key).interaction
    if (!old) return undefined
    return derivation === base
      ? this.reordered(old, base, at)
      : responseAt(old.responses, at)
  }

  /** What it would answer now. */
  currentAnswer(
    slot: RecordingSlot,
    call: Call,
    fresh: RecordedResponse
  ): RecordedResponse | undefined {
    const at = this.states.indexToReplay(slot, call, fresh)
    return at === undefined ? undefined : this.answerAt(slot, at)
  }

  /** A recorded answer in the order and spelling of a request; undefined where that is not certain. */
  reordered(
    old: Interaction,
    base: Derivation,
    position: number
  ): RecordedResponse | undefined {
    const reordering = reorderResponse(old, base, this.#store.manifest.site, position)
    return reordering.kind === 'impossible' ? undefined : reordering.response
  }

  /** Notes an answer to a session without a name, before `noteAnswers`. @returns all such answers to the request, in order */
  noteTurn(
    request: Derivation,
    turn: Omit<Turn, 'after'>,
    served: RequestKey
  ): readonly Turn[] {
    const { session } = turn
    const isRead = request.effect === 'read'
    const owner = this.#owners.get(request.key)
    if (isRead && (!owner || owner.session === session) && !this.#turns.has(request.key))
      return []
    const earlier =
      isRead && owner ? Array.from({ length: owner.maxAnswers }, (_, at) => at) : []
    const log = getOrAdd(this.#turns, request.key, () => ({
      turns: earlier.map(
        (at): Turn => ({
          from: 'shared',
          at,
          session: owner?.session ?? session,
          after: ''
        })
      ),
      last: undefined
    }))
    log.turns.push({ ...turn, after: this.#order.before(session, log.last) })
    if (!isRead) this.#order.add(session, served)
    log.last = this.#order.length
    return log.turns
  }

  /** @param answers how many the session has got by now */
  noteAnswers(key: RequestKey, session: Session, answers: number): void {
    const owner = getOrAdd(this.#owners, key, () => ({
      session,
      shared: false,
      maxAnswers: 0
    }))
    if (owner.session !== session) owner.shared = true
    owner.maxAnswers = Math.max(owner.maxAnswers, answers)
  }

  /** A recorder on another machine has recorded there: its client is a session of its own. */
  noteOther(key: RequestKey): typeof recordedByAnother {
    const session = this.#owners.get(key)?.session ?? new Session(undefined)
    this.#owners.set(key, { session, shared: true, maxAnswers: Number.POSITIVE_INFINITY })
    return recordedByAnother
  }

  #reportConflict({ key }: Derivation) {
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    this.#onEvent({ kind: 'conflict', key })
  }
}
