/** Puts an answer into the cassette: redacted, checked, and only where it says something new. */
import { type Interaction, type RecordedResponse, sameTexts } from '../cassette/interaction.ts'
import { sameRecording, type Taking } from '../cassette/record.ts'
import type { Found } from '../playback/find.ts'
import { refusedOrigin } from '../playback/match.ts'
import { type Answered, atTurn, type Session } from '../playback/session.ts'
import type { Derivation } from '../request/derive.ts'
import type { RequestKey } from '../request/key.ts'
import { inOrderSent, inSession } from '../request/places.ts'
import type { CassetteStore } from '../store/cassette-store.ts'
import { Censor } from './censor.ts'
import type { IncomingHeaders } from './exchange.ts'
import type { Question } from './question.ts'
import { withoutSession } from './sessions.ts'
import type { Summary } from './summary.ts'

/** An answer to be recorded. */
export interface Recording {
  readonly question: Question
  /** What the cassette has for this request so far. */
  readonly found: Found
  readonly taking: Extract<Taking, { kind: 'taken' }>
  readonly headers: IncomingHeaders
}

/** What was recorded, as the client gets it: what replay will give, its secrets still in clear. */
export interface Recorded {
  readonly key: RequestKey
  readonly response: RecordedResponse
}

/** So many of the recordings that are dropped are named. */
const namedDrops = 20

/** Who has asked for a key in this run. */
interface Claim {
  readonly session: Session
  shared: boolean
}

export class Recorder {
  readonly #store: CassetteStore
  readonly #summary: Summary
  readonly #report: (line: string) => void
  readonly #censor: Censor
  readonly #claims = new Map<RequestKey, Claim>()

  constructor(store: CassetteStore, summary: Summary, report: (line: string) => void) {
    this.#store = store
    this.#summary = summary
    this.#report = report
    this.#censor = new Censor(summary, report)
  }

  /** Undefined where a secret stood in the answer in clear and nothing was written. @throws StoreError */
  record({ question, found, taking, headers }: Recording): Recorded | undefined {
    const { session, understood } = question
    const fresh = this.#censor.redact(understood.request, taking.response, headers)
    this.#learnEngine(taking.engine)
    const place = this.#placeFor(question, found, fresh)
    const told = this.#asBefore(place, question, found, fresh)
    if (told !== undefined) {
      this.noteServed(place.key, told.key, session)
      this.#summary.unchanged += 1
      const response =
        fresh === taking.response ? { ...told.response, cookies: taking.response.cookies } : taking.response
      return { key: told.key, response }
    }
    const { key, canonical, asked } = place
    const responses = this.#sequence(place, question, found, fresh)
    const written = this.#store.put({ key, request: canonical, asked, responses }, (text) =>
      this.#censor.passes(key, text),
    )
    this.#use(key, session)
    if (!written) return undefined
    this.#summary.recorded += 1
    return { key, response: taking.response }
  }

  /** A request was answered out of a recording: its own, or one from before the writes of the session. */
  noteServed(place: RequestKey, from: RequestKey, session: Session): void {
    if (from !== place) {
      session.borrow(place, from)
      this.#claim(place, session)
    }
    this.#use(from, session)
  }

  /**
   * For mode `update`: names every interaction that is not in use, and drops it.
   * @param doubt why it is not certain that all was asked for again that is needed: then they stay
   * @returns how many were not in use
   */
  dropUnused(used: ReadonlySet<RequestKey>, doubt: string | undefined): number {
    const unused = [...this.#store.paths()].filter(([key]) => !used.has(key))
    if (unused.length === 0) return 0
    const more = unused.length > namedDrops ? `, and ${unused.length - namedDrops} more` : ''
    const told = `${unused.length} recordings that were not asked for again: ${unused
      .slice(0, namedDrops)
      .map(([, file]) => file)
      .join(', ')}${more}`
    if (doubt === undefined) {
      this.#report(`drops ${told}`)
      for (const [key] of unused) this.#store.drop(key)
    } else {
      const { dir } = this.#store
      this.#report(`keeps ${told}; ${doubt}; to drop them: wikitape prune ${dir} --yes -- CMD`)
    }
    return unused.length
  }

  /** Where the answer belongs: with those of everybody, or by itself once a session's answers leave the common ones. */
  #placeFor(question: Question, found: Found, fresh: RecordedResponse): Derivation {
    const place = this.#commonPlace(question, found, fresh)
    const { session } = question
    const own = inSession(place, session.name)
    const hasOwn = this.#store.has(own.key)
    if (session.name !== undefined && hasOwn) return own
    const claim = this.#claims.get(place.key)
    if (claim === undefined) {
      // What an earlier run found contradictory is judged anew.
      if (hasOwn) this.#store.drop(own.key)
      return place
    }
    const alone = claim.session === session && !claim.shared
    if (alone || this.#saysAgain(place.key, question, fresh)) return place
    if (session.name === undefined) this.#tellContradiction(place)
    return own
  }

  #commonPlace(
    { understood, derivation }: Question,
    { match }: Found,
    response: RecordedResponse,
  ): Derivation {
    const refused = response.status === 403 ? refusedOrigin(understood.request, derivation) : undefined
    return refused ?? (match.kind === 'other-order' ? inOrderSent(derivation) : derivation)
  }

  /** The recording that replay would answer with here, where it says the same. */
  #asBefore(
    place: Derivation,
    question: Question,
    { match, earlier }: Found,
    fresh: RecordedResponse,
  ): Recorded | undefined {
    const { session, derivation } = question
    const { key, asked } = place
    const old = this.#read(key)
    const usable = match.kind === 'recorded' && (match.key === key || (old === undefined && earlier))
    const responses =
      old !== undefined && sameTexts(old.asked, asked)
        ? old.responses
        : usable && derivation.effect !== 'write'
          ? match.responses
          : undefined
    if (responses === undefined) return undefined
    const from = old === undefined && match.kind === 'recorded' ? match.key : key
    const response = atTurn(responses, session.turn(from))
    return saysAll(response, fresh, derivation) ? { key: from, response } : undefined
  }

  #saysAgain(key: RequestKey, question: Question, fresh: RecordedResponse): boolean {
    const old = this.#read(key)
    const said = old && atTurn(old.responses, question.session.turn(key))
    return said !== undefined && saysSame(said, fresh, question.derivation)
  }

  /** The answers that this session had in this place, and now this one; the last repeats. */
  #sequence(
    place: Derivation,
    question: Question,
    { match }: Found,
    fresh: RecordedResponse,
  ): Interaction['responses'] {
    const { session, derivation } = question
    const from = this.#store.has(place.key) ? place.key : derivation.key
    const old = this.#read(from)
    const turns = session.turn(from)
    if (from !== place.key) session.advance(place.key, turns)
    if (old === undefined) {
      const borrowed = session.borrowed(from).flatMap((one) => this.#answered(one) ?? [])
      session.advance(place.key, borrowed.length)
      return untilLast(borrowed, fresh)
    }
    const replaced = match.kind === 'other-order' || !sameTexts(old.asked, place.asked)
    const at = Math.min(turns, old.responses.length - 1)
    const said = replaced ? undefined : old.responses[at]
    if (said !== undefined && saysSame(said, fresh, derivation)) {
      const [first = fresh, ...more] = old.responses.with(at, fresh)
      return [first, ...more]
    }
    const before = replaced ? [] : Array.from({ length: turns }, (_, turn) => atTurn(old.responses, turn))
    return untilLast(before, fresh)
  }

  #answered({ key, turn }: Answered): RecordedResponse | undefined {
    const interaction = this.#read(key)
    return interaction && atTurn(interaction.responses, turn)
  }

  #use(key: RequestKey, session: Session): void {
    session.advance(key)
    this.#summary.used.add(key)
    this.#claim(key, session)
  }

  #claim(key: RequestKey, session: Session): void {
    const claim = this.#claims.get(key)
    if (claim === undefined) this.#claims.set(key, { session, shared: false })
    else if (claim.session !== session) claim.shared = true
  }

  #read(key: RequestKey): Interaction | undefined {
    const found = this.#store.find(key)
    return found.kind === 'found' ? found.interaction : undefined
  }

  #tellContradiction({ key }: Derivation): void {
    this.#report(
      `conflict at ${key}: two sessions without a name got different answers to it, so replay will refuse it; ` +
        'give each client a name (X-Cassette-Session, or the path /~@NAME/w/api.php), or a cassette of its own',
    )
  }

  #learnEngine(engine: string | undefined): void {
    if (engine !== undefined) this.#store.setManifest({ ...this.#store.manifest, engine })
  }
}

/** True where the two differ at most in the session that is begun for a caller who has none. */
const saysSame = (old: RecordedResponse, fresh: RecordedResponse, derivation: Derivation): boolean =>
  sameRecording(withoutSession(old, derivation), withoutSession(fresh, derivation))

/** True where replay can give the fresh answer out of the old one. */
const saysAll = (old: RecordedResponse, fresh: RecordedResponse, derivation: Derivation): boolean =>
  old.cookies.length >= fresh.cookies.length && saysSame(old, fresh, derivation)

/** The last answer repeats by itself. */
function untilLast(before: readonly RecordedResponse[], last: RecordedResponse): Interaction['responses'] {
  const end = before.findLastIndex((one) => !sameRecording(one, last)) + 1
  const [first = last, ...more] = [...before.slice(0, end), last]
  return [first, ...more]
}
