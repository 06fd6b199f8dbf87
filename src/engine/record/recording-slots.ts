/** Where the answers to a request stand in a cassette: with those of everybody, or by themselves. */

import { type Interaction, type RecordedResponse, sameTexts } from '../../cassette/interaction.ts'
import { sameRecording } from '../../cassette/record/recorded-response.ts'
import { jsonOf } from '../../cassette/recorded-body.ts'
import { refusedOrigin } from '../../playback/lookup/match.ts'
import { reproject } from '../../playback/reorder/reorder-response.ts'
import { atTurn, type Session } from '../../playback/session/session.ts'
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { inOrderSent, inSession } from '../../request/scoped-keys.ts'
import type { Store } from '../../store/store.ts'
import { loginOutcome } from '../../wiki/effects/request-effect.ts'
import type { Call } from '../call.ts'
import { isGone } from '../session/caller-cookies.ts'
import { withoutSession } from '../session/session-registry.ts'

/** Where the answers to a request stand. */
export interface Place {
  readonly derivation: Derivation
  /** The request with its other spellings: the same, unless those have a place apart. */
  readonly base: Derivation
  /** What the turns of a session are counted by. */
  readonly spelled: RequestKey
}

/** Who has asked for a key in this run, and how many answers the one has had who had most. */
interface Claim {
  readonly session: Session
  shared: boolean
  most: number
}

export class Places {
  readonly #store: Store
  readonly #report: (line: string) => void
  readonly #claims = new Map<RequestKey, Claim>()
  /** Contradictions that were told: a large answer is placed more than once. */
  readonly #told = new Set<RequestKey>()

  constructor(store: Store, report: (line: string) => void) {
    this.#store = store
    this.#report = report
  }

  /** Where the answer belongs: with those of everybody, or by itself once a session's answers leave the common ones. */
  placeFor(call: Call, fresh: RecordedResponse): Place {
    const { session, understood, derivation } = call
    const refused = fresh.status === 403 ? refusedOrigin(understood.request, derivation) : undefined
    const common = refused ?? derivation
    const place = { ...this.#inSpelling(common, session, fresh), spelled: inOrderSent(derivation).key }
    const own = inSession(common, session.name)
    const ownKeys = [own.key, inOrderSent(own).key].filter((key) => this.#store.has(key))
    if (session.name !== undefined && ownKeys.length > 0) return this.#inSpelling(own, session, fresh)
    const claim = this.#claims.get(place.derivation.key)
    if (claim === undefined) {
      // What an earlier run found contradictory is judged anew.
      for (const key of ownKeys) this.#store.drop(key)
      return place
    }
    const alone = claim.session === session && !claim.shared
    // Beyond what others have heard, a session goes on with the same sequence.
    const ahead = session.turn(place.spelled) >= claim.most
    if (alone || ahead || this.#saysAgain(place, call, fresh)) return place
    if (session.name === undefined) this.#tellContradiction(place.derivation)
    const left = this.#inSpelling(own, session, fresh)
    session.inherit(left.spelled, place.spelled)
    return left
  }

  /** With the other spellings of the request while one answer can be made of the other, else in a place of its own. */
  #inSpelling(base: Derivation, session: Session, fresh: RecordedResponse): Place {
    const ordered = inOrderSent(base)
    const spelled = ordered.key
    const alone = { derivation: ordered, base, spelled }
    if (this.#store.has(ordered.key)) return alone
    const place = { derivation: base, base, spelled }
    const old = this.#read(base.key)
    if (old === undefined || sameTexts(old.asked, base.asked)) return place
    const said = this.said(place, session)
    if (said === undefined) return alone
    // What this run has not asked yet is recorded anew.
    return saysAll(said, fresh, base) || !this.#claims.has(base.key) ? place : alone
  }

  /** What the recording in a place would tell this session now, in its spelling. */
  said({ derivation, base, spelled }: Place, session: Session): RecordedResponse | undefined {
    const old = this.#read(derivation.key)
    if (old === undefined) return undefined
    const turn = session.turn(spelled)
    return derivation === base ? this.projected(old, base, turn) : atTurn(old.responses, turn)
  }

  /** An answer in the spelling of a request; undefined where that is not certain. */
  projected(old: Interaction, base: Derivation, turn: number): RecordedResponse | undefined {
    const projected = reproject(old, base, this.#store.manifest.site, turn)
    return projected.kind === 'impossible' ? undefined : projected.response
  }

  /** Somebody in this run has asked for it, so often by now. */
  claim(key: RequestKey, session: Session, often: number): void {
    const claim = this.#claims.get(key) ?? { session, shared: false, most: 0 }
    this.#claims.set(key, claim)
    if (claim.session !== session) claim.shared = true
    claim.most = Math.max(claim.most, often)
  }

  #saysAgain(place: Place, { session, derivation }: Call, fresh: RecordedResponse): boolean {
    const said = this.said(place, session)
    return said !== undefined && saysSame(said, fresh, derivation)
  }

  #read(key: RequestKey): Interaction | undefined {
    const found = this.#store.find(key)
    return found.kind === 'found' ? found.interaction : undefined
  }

  #tellContradiction({ key }: Derivation): void {
    if (this.#told.has(key)) return
    this.#told.add(key)
    this.#report(
      `conflict at ${key}: two sessions without a name got different answers to it, so replay will refuse it; ` +
        'give each client a name (X-Cassette-Session, or the path /~@NAME/w/api.php), or a cassette of its own',
    )
  }
}

/** True where the two differ at most in the session that is begun for a caller who has none, or are one login. */
export const saysSame = (old: RecordedResponse, fresh: RecordedResponse, derivation: Derivation): boolean =>
  sameRecording(withoutSession(old, derivation), withoutSession(fresh, derivation)) ||
  (derivation.effect === 'session' && sameLogin(old, fresh))

/** Logins that come to the same and leave the same cookies: what differs besides means nothing to the caller. */
function sameLogin(old: RecordedResponse, fresh: RecordedResponse): boolean {
  const [one, other] = [old, fresh].map(({ body }) => {
    const tree = jsonOf(body)
    return tree && loginOutcome(tree)
  })
  const [cookies, others] = [old, fresh].map((response) =>
    response.cookies
      .map(({ name, value }) => `${name} ${isGone(value)}`)
      .sort()
      .join(),
  )
  return one !== undefined && one === other && cookies === others && old.status === fresh.status
}

/** True where replay can give the fresh answer out of the old one. */
export const saysAll = (old: RecordedResponse, fresh: RecordedResponse, derivation: Derivation): boolean =>
  old.cookies.length >= fresh.cookies.length && saysSame(old, fresh, derivation)
