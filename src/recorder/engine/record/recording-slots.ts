/** Chooses the recording that an answer goes to: the one of all sessions, or one of its session or spelling. */
import {
  bodyJson,
  type Interaction,
  type RecordedResponse,
  sameRecording,
  sameTexts,
} from '../../cassette/interaction.ts'
import { failureIn } from '../../cassette/recorded-failure.ts'
import { withRefusedLag, withRefusedOrigin } from '../../playback/lookup/find-in-session.ts'
import { withUnposted } from '../../playback/lookup/unposted.ts'
import { reorderResponse } from '../../playback/reorder/reorder-response.ts'
import { AnswerOrder, type Turn } from '../../playback/session/answer-order.ts'
import { responseAt, Session } from '../../playback/session/session.ts'
import { answerInState, stateAmong } from '../../playback/session/world.ts'
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { keyForExactOrder, keyForHeaders, keyForSession } from '../../request/scoped-keys.ts'
import type { Store } from '../../store/store.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { loginOutcome, sessionModules } from '../../wiki/effects/request-effect.ts'
import { bundledLookup } from '../../wiki/modules/module-descriptions.ts'
import type { Call } from '../call.ts'
import { isDeleted } from '../session/caller-cookies.ts'
import { withoutSessionCookies } from '../session/personaliser.ts'

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

/** Which of a recording's answers the session would get now; undefined if none was given after these writes of others. */
interface CurrentAnswer {
  readonly at: number | undefined
  /** The writes of others that the fresh answer may show, as a recording names them. */
  readonly state: string
}

/** The first session that requested a key in this run, and the most answers that any session got to it. */
interface SlotOwner {
  readonly session: Session
  shared: boolean
  maxAnswers: number
}

export class RecordingSlots {
  readonly #store: Store
  readonly #report: (line: string) => void
  readonly #owners = new Map<RequestKey, SlotOwner>()
  /** Answers to sessions without a name, by request; of a read only once a second one asks. */
  readonly #turns = new Map<RequestKey, { readonly turns: Turn[]; last: number | undefined }>()
  readonly #order = new AnswerOrder()
  /** By recording and index of its answer: after which writes of others it was given, in this run. */
  readonly #states = new Map<RequestKey, (readonly string[])[]>()
  /** Conflicts that were reported. */
  readonly #reported = new Set<RequestKey>()

  constructor(store: Store, report: (line: string) => void) {
    this.#store = store
    this.#report = report
  }

  /** The slot of all sessions, or the session's own from the first answer on that differs. */
  slotFor(call: Call, fresh: RecordedResponse): RecordingSlot {
    const { session, parsed } = call
    const derivation = this.#forHeaders(this.#withLag(call, fresh), call.chosenBy)
    const refused = fresh.status === 403 ? withRefusedOrigin(parsed.request, derivation) : undefined
    const ownKind = withUnposted(derivation, fresh) ?? derivation
    const common = refused ?? ownKind
    const slot = {
      ...this.#slotInSpelling(common, call, fresh),
      exactKey: keyForExactOrder(refused ?? ownKind).key,
    }
    const own = keyForSession(common, session.name)
    const ownKeys = [own.key, keyForExactOrder(own).key].filter((key) => this.#store.has(key))
    if (session.name !== undefined && ownKeys.length > 0)
      return this.#slotInSpelling(own, call, fresh)
    const owner = this.#owners.get(slot.derivation.key)
    if (owner === undefined) {
      // A conflict of an earlier run is forgotten.
      for (const key of ownKeys) this.#store.delete(key)
      return slot
    }
    const another = { derivation: own, base: own, exactKey: slot.exactKey, isAnother: true }
    // Callers by Authorization are told apart by whom it names.
    const takesTurns =
      session.name === undefined && call.incoming.headers['authorization'] === undefined
    if (takesTurns && ownKeys.includes(own.key)) return another
    const isAlone = owner.session === session && !owner.shared
    // Behind all answers that others got, a session continues their sequence.
    const isBeyondOthers = session.position(slot.exactKey) >= owner.maxAnswers
    if (isAlone || isBeyondOthers) return slot
    if (this.currentIndex(slot, call, fresh).at === undefined) return slot
    const current = this.currentAnswer(slot, call, fresh)
    if (current !== undefined && isSameAnswer(current, fresh, derivation)) return slot
    if (session.name === undefined) this.#reportConflict(slot.derivation)
    if (takesTurns) return another
    const ownSlot = this.#slotInSpelling(own, call, fresh)
    session.inherit(ownSlot.exactKey, slot.exactKey)
    return ownSlot
  }

  /** For one `maxlag` alone once the wiki was too far behind for it: others must not be answered so. */
  #withLag({ parsed, derivation, session }: Call, fresh: RecordedResponse): Derivation {
    const refused = withRefusedLag(parsed.request, derivation)
    if (refused === undefined) return derivation

    const exactKey = keyForExactOrder(refused).key
    const isKnown = this.#store.has(refused.key) || this.#store.has(exactKey)
    if (!isKnown && failureIn(fresh)?.code !== 'maxlag') return derivation

    session.inherit(exactKey, keyForExactOrder(derivation).key)
    return refused
  }

  /** The key of all headers, or of these, where the answer was recorded for others. */
  #forHeaders(derivation: Derivation, chosenBy: Interaction['chosenBy']): Derivation {
    const first = this.#store.get(derivation.key).interaction?.chosenBy
    if (first === undefined || chosenBy === undefined) return derivation
    const sent = new Map([...first.keys()].map((name) => [name, chosenBy.get(name) ?? ''] as const))
    return sameTexts(first, sent) ? derivation : keyForHeaders(derivation, sent)
  }

  /** The slot of all spellings while one answer can be reordered into the other, else a slot of its own. */
  #slotInSpelling(base: Derivation, call: Call, fresh: RecordedResponse): RecordingSlot {
    const ordered = keyForExactOrder(base)
    const exactKey = ordered.key
    const exact = { derivation: ordered, base, exactKey }
    if (this.#store.has(ordered.key)) return exact
    const slot = { derivation: base, base, exactKey }
    const old = this.#store.get(base.key).interaction
    if (old === undefined || sameTexts(old.sentValues, base.sentValues)) return slot
    const current = this.currentAnswer(slot, call, fresh)
    if (current === undefined) return exact
    // A recording of an earlier run is replaced.
    return canReplay(current, fresh, base) || !this.#owners.has(base.key) ? slot : exact
  }

  /** Which answer of a slot replay would give now. A first answer that differs is also told apart by earlier writes of others. */
  currentIndex(
    { derivation: { key, effect }, exactKey }: RecordingSlot,
    { session, dependency }: Call,
    fresh: RecordedResponse,
  ): CurrentAnswer {
    const { responses = [] } = this.#store.get(key).interaction ?? {}
    const { readSet } = dependency
    const others = effect === 'session' ? [] : dependency.others()
    const writes = { others: () => others, readSet }
    const states = this.statesIn(key, responses)
    const position = session.position(exactKey)
    const state = stateAmong(states.flat(), writes, true)
    const at = answerInState(states, state, position)
    const found = at === undefined ? undefined : responses[at]
    if (position > 0 || found === undefined || sameRecording(found, fresh)) return { at, state }
    const known = others.map((one) => ({ ...one, isNew: true }))
    const whole = stateAmong(states.flat(), { others: () => known, readSet }, true)
    return { at: answerInState(states, whole, position), state: whole }
  }

  /** After which writes of others each answer of a recording was given, as far as it or this run says. */
  statesIn(
    key: RequestKey,
    responses: readonly RecordedResponse[],
  ): readonly (readonly string[])[] {
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
  indexToReplay(slot: RecordingSlot, call: Call, fresh: RecordedResponse): number | undefined {
    const { responses = [] } = this.#store.get(slot.derivation.key).interaction ?? {}
    const isTold = responses.some(({ afterOthers }) => afterOthers !== undefined)
    const { at } = this.currentIndex(slot, call, fresh)
    if (isTold || at !== undefined) return at
    return Math.min(call.session.position(slot.exactKey), responses.length - 1)
  }

  /** A recording with an answer that only writes of others tell from its other answers; undefined if they do not. */
  withState(
    { key, responses }: Interaction,
    fresh: RecordedResponse,
    { at: current, state }: CurrentAnswer,
  ): Interaction['responses'] | undefined {
    const states = this.statesIn(key, responses)
    const isTold = state !== '' || states.flat().some((one) => one !== '')
    // A recording of an earlier run is replaced.
    if (!isTold || !this.#owners.has(key)) return undefined
    // Within one state they are a sequence.
    const isKnown = (one: RecordedResponse): boolean =>
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

  /** What replay would answer from a slot, in its spelling. */
  answerAt({ derivation, base }: RecordingSlot, at: number): RecordedResponse | undefined {
    const old = this.#store.get(derivation.key).interaction
    if (old === undefined) return undefined
    return derivation === base ? this.reordered(old, base, at) : responseAt(old.responses, at)
  }

  /** What it would answer now. */
  currentAnswer(
    slot: RecordingSlot,
    call: Call,
    fresh: RecordedResponse,
  ): RecordedResponse | undefined {
    const at = this.indexToReplay(slot, call, fresh)
    return at === undefined ? undefined : this.answerAt(slot, at)
  }

  /** A recorded answer in the order and spelling of a request; undefined where that is not certain. */
  reordered(old: Interaction, base: Derivation, position: number): RecordedResponse | undefined {
    const reordering = reorderResponse(old, base, this.#store.manifest.site, position)
    return reordering.kind === 'impossible' ? undefined : reordering.response
  }

  /** Notes an answer to a session without a name, before `noteAnswers`. @returns all such answers to the request, in order */
  noteTurn(request: Derivation, turn: Omit<Turn, 'after'>, served: RequestKey): readonly Turn[] {
    const { session } = turn
    const isRead = request.effect === 'read'
    const owner = this.#owners.get(request.key)
    if (
      isRead &&
      (owner === undefined || owner.session === session) &&
      !this.#turns.has(request.key)
    )
      return []
    const earlier = isRead && owner ? Array.from({ length: owner.maxAnswers }, (_, at) => at) : []
    const log = getOrAdd(this.#turns, request.key, () => ({
      turns: earlier.map(
        (at): Turn => ({ from: 'shared', at, session: owner?.session ?? session, after: '' }),
      ),
      last: undefined,
    }))
    log.turns.push({ ...turn, after: this.#order.before(session, log.last) })
    if (!isRead) this.#order.add(session, served)
    log.last = this.#order.length
    return log.turns
  }

  /** @param answers how many the session has got by now */
  noteAnswers(key: RequestKey, session: Session, answers: number): void {
    const owner = getOrAdd(this.#owners, key, () => ({ session, shared: false, maxAnswers: 0 }))
    if (owner.session !== session) owner.shared = true
    owner.maxAnswers = Math.max(owner.maxAnswers, answers)
  }

  /** A recorder on another machine has recorded there: its client is a session of its own. */
  noteOther(key: RequestKey): typeof recordedByAnother {
    const session = this.#owners.get(key)?.session ?? new Session(undefined)
    this.#owners.set(key, { session, shared: true, maxAnswers: Number.POSITIVE_INFINITY })
    return recordedByAnother
  }

  #reportConflict({ key }: Derivation): void {
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    this.#report(
      `conflict at ${key}: two sessions without a name got different answers to it, so replay gives them in this order and refuses any other; ` +
        'give each client a name (X-Cassette-Session, or the path /~@NAME/w/api.php), or a cassette of its own',
    )
  }
}

/** True where two answers are equal but for the cookies of a new session, or are the same login. */
export const isSameAnswer = (
  old: RecordedResponse,
  fresh: RecordedResponse,
  derivation: Derivation,
): boolean =>
  sameRecording(withoutSessionCookies(old, derivation), withoutSessionCookies(fresh, derivation)) ||
  (derivation.effect === 'session' && sameLogin(old, fresh))

/** True for logins with the same outcome and cookies; other differences mean nothing to the caller. */
function sameLogin(old: RecordedResponse, fresh: RecordedResponse): boolean {
  const effectOf = ({ body, cookies, status }: RecordedResponse): string | undefined => {
    const tree = bodyJson(body)
    const outcome = tree && loginOutcome(tree)
    const set = cookies.map(({ name, value }) => `${name} ${isDeleted(value)}`).sort()
    return outcome && [outcome, status, ...set].join('\n')
  }
  return effectOf(old) !== undefined && effectOf(old) === effectOf(fresh)
}

/** True where replay can serve the old answer in place of the fresh one. */
export const canReplay = (
  old: RecordedResponse,
  fresh: RecordedResponse,
  derivation: Derivation,
): boolean => old.cookies.length >= fresh.cookies.length && isSameAnswer(old, fresh, derivation)

/** True of the folder of a module that writes: its recordings may be an older version's. */
export const isWriteFolder = (folder: string): boolean =>
  !sessionModules.test(folder) && bundledLookup(undefined)(folder)?.mustBePosted === true
