/** Where the answers to a request stand in a cassette: with those of everybody, or by themselves. */

import { type Interaction, type RecordedResponse, sameTexts } from '../../cassette/interaction.ts'
import { bodyJson } from '../../cassette/recorded-body.ts'
import { sameRecording } from '../../cassette/same-recording.ts'
import { withRefusedOrigin } from '../../playback/lookup/match.ts'
import { reorderResponse } from '../../playback/reorder/reorder-response.ts'
import { responseAt, type Session } from '../../playback/session/session.ts'
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { keyForExactOrder, keyForSession } from '../../request/scoped-keys.ts'
import type { Store } from '../../store/store.ts'
import { loginOutcome } from '../../wiki/effects/request-effect.ts'
import type { Call } from '../call.ts'
import { isDeleted } from '../session/caller-cookies.ts'
import { withoutSessionCookies } from '../session/session-registry.ts'

/** Where the answers to a request stand. */
export interface RecordingSlot {
  readonly derivation: Derivation
  /** The request with its other spellings: the same, unless those have a place apart. */
  readonly base: Derivation
  /** What the turns of a session are counted by. */
  readonly exactKey: RequestKey
}

/** Who has asked for a key in this run, and how many answers the one has had who had most. */
interface SlotOwner {
  readonly session: Session
  shared: boolean
  maxAnswers: number
}

export class RecordingSlots {
  readonly #store: Store
  readonly #report: (line: string) => void
  readonly #owners = new Map<RequestKey, SlotOwner>()
  /** Contradictions that were told: a large answer is placed more than once. */
  readonly #reported = new Set<RequestKey>()

  constructor(store: Store, report: (line: string) => void) {
    this.#store = store
    this.#report = report
  }

  /** Where the answer belongs: with those of everybody, or by itself once a session's answers leave the common ones. */
  slotFor(call: Call, fresh: RecordedResponse): RecordingSlot {
    const { session, parsed, derivation } = call
    const refused = fresh.status === 403 ? withRefusedOrigin(parsed.request, derivation) : undefined
    const common = refused ?? derivation
    const slot = {
      ...this.#slotInSpelling(common, session, fresh),
      exactKey: keyForExactOrder(derivation).key,
    }
    const own = keyForSession(common, session.name)
    const ownKeys = [own.key, keyForExactOrder(own).key].filter((key) => this.#store.has(key))
    if (session.name !== undefined && ownKeys.length > 0) return this.#slotInSpelling(own, session, fresh)
    const owner = this.#owners.get(slot.derivation.key)
    if (owner === undefined) {
      // What an earlier run found contradictory is judged anew.
      for (const key of ownKeys) this.#store.delete(key)
      return slot
    }
    const isAlone = owner.session === session && !owner.shared
    // Beyond what others have heard, a session goes on with the same sequence.
    const isBeyondOthers = session.position(slot.exactKey) >= owner.maxAnswers
    if (isAlone || isBeyondOthers || this.#repeatsAnswer(slot, call, fresh)) return slot
    if (session.name === undefined) this.#reportConflict(slot.derivation)
    const ownSlot = this.#slotInSpelling(own, session, fresh)
    session.inherit(ownSlot.exactKey, slot.exactKey)
    return ownSlot
  }

  /** With the other spellings of the request while one answer can be made of the other, else in a place of its own. */
  #slotInSpelling(base: Derivation, session: Session, fresh: RecordedResponse): RecordingSlot {
    const ordered = keyForExactOrder(base)
    const exactKey = ordered.key
    const isAlone = { derivation: ordered, base, exactKey }
    if (this.#store.has(ordered.key)) return isAlone
    const slot = { derivation: base, base, exactKey }
    const old = this.#read(base.key)
    if (old === undefined || sameTexts(old.sentValues, base.sentValues)) return slot
    const currentAnswer = this.currentAnswer(slot, session)
    if (currentAnswer === undefined) return isAlone
    // What this run has not asked yet is recorded anew.
    return canReplay(currentAnswer, fresh, base) || !this.#owners.has(base.key) ? slot : isAlone
  }

  /** What the recording in a place would tell this session now, in its spelling. */
  currentAnswer(
    { derivation, base, exactKey }: RecordingSlot,
    session: Session,
  ): RecordedResponse | undefined {
    const old = this.#read(derivation.key)
    if (old === undefined) return undefined
    const position = session.position(exactKey)
    return derivation === base ? this.inSpelling(old, base, position) : responseAt(old.responses, position)
  }

  /** An answer in the spelling of a request; undefined where that is not certain. */
  inSpelling(old: Interaction, base: Derivation, position: number): RecordedResponse | undefined {
    const inSpelling = reorderResponse(old, base, this.#store.manifest.site, position)
    return inSpelling.kind === 'impossible' ? undefined : inSpelling.response
  }

  /** Somebody in this run has asked for it, so often by now. */
  owner(key: RequestKey, session: Session, answers: number): void {
    const owner = this.#owners.get(key) ?? { session, shared: false, maxAnswers: 0 }
    this.#owners.set(key, owner)
    if (owner.session !== session) owner.shared = true
    owner.maxAnswers = Math.max(owner.maxAnswers, answers)
  }

  #repeatsAnswer(slot: RecordingSlot, { session, derivation }: Call, fresh: RecordedResponse): boolean {
    const currentAnswer = this.currentAnswer(slot, session)
    return currentAnswer !== undefined && isSameAnswer(currentAnswer, fresh, derivation)
  }

  #read(key: RequestKey): Interaction | undefined {
    const found = this.#store.get(key)
    return found.kind === 'found' ? found.interaction : undefined
  }

  #reportConflict({ key }: Derivation): void {
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    this.#report(
      `conflict at ${key}: two sessions without a name got different answers to it, so replay will refuse it; ` +
        'give each client a name (X-Cassette-Session, or the path /~@NAME/w/api.php), or a cassette of its own',
    )
  }
}

/** True where the two differ at most in the session that is begun for a caller who has none, or are one login. */
export const isSameAnswer = (
  old: RecordedResponse,
  fresh: RecordedResponse,
  derivation: Derivation,
): boolean =>
  sameRecording(withoutSessionCookies(old, derivation), withoutSessionCookies(fresh, derivation)) ||
  (derivation.effect === 'session' && sameLogin(old, fresh))

/** Logins that come to the same and leave the same cookies: what differs besides means nothing to the caller. */
function sameLogin(old: RecordedResponse, fresh: RecordedResponse): boolean {
  const [one, other] = [old, fresh].map(({ body }) => {
    const tree = bodyJson(body)
    return tree && loginOutcome(tree)
  })
  const [cookies, others] = [old, fresh].map((response) =>
    response.cookies
      .map(({ name, value }) => `${name} ${isDeleted(value)}`)
      .sort()
      .join(),
  )
  return one !== undefined && one === other && cookies === others && old.status === fresh.status
}

/** True where replay can give the fresh answer out of the old one. */
export const canReplay = (old: RecordedResponse, fresh: RecordedResponse, derivation: Derivation): boolean =>
  old.cookies.length >= fresh.cookies.length && isSameAnswer(old, fresh, derivation)
