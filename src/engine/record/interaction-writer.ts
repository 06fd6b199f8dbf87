/** Puts an answer into the cassette: redacted, checked, and only where it says something new. */

import { type Interaction, type RecordedResponse, sameTexts } from '../../cassette/interaction.ts'
import { sameRecording, type Taking } from '../../cassette/record/recorded-response.ts'
import { type Answered, atTurn, type Session } from '../../playback/session/session.ts'
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { inOrderSent } from '../../request/scoped-keys.ts'
import { commandName } from '../../store/command-name.ts'
import type { Store } from '../../store/store.ts'
import { plural } from '../../text/plural.ts'
import type { Call, RecordedMatch } from '../call.ts'
import type { Censor, Looked } from '../redaction/redaction-gate.ts'
import { largeFrom } from '../redaction/scan-pool.ts'
import { type Draft, holdsInAll } from '../redaction/secret-scan.ts'
import type { Summary } from '../run-summary.ts'
import { type Place, Places, saysAll, saysSame } from './recording-slots.ts'

/** An answer to be recorded. */
export interface Recording {
  readonly call: Call
  readonly taking: Extract<Taking, { kind: 'taken' }>
  /** The answer less its secrets. */
  readonly fresh: RecordedResponse
}

/** What was recorded, as the client gets it: what replay will give, its secrets still in clear. */
export interface Recorded {
  readonly key: RequestKey
  readonly response: RecordedResponse
}

/** Too large to be looked through in one turn: nothing is written before that is done. */
interface Unseen {
  readonly unseen: Draft
}

const isUnseen = (outcome: Recorded | Unseen | undefined): outcome is Unseen =>
  outcome !== undefined && 'unseen' in outcome

/** Looks at one answer between which others may come. */
const mostLooks = 4
/** So many of the recordings that are dropped are named. */
const namedDrops = 20

type Responses = Interaction['responses']

/** An answer that a session is told, and where it stands. */
type Told = Pick<RecordedMatch, 'key' | 'spelled' | 'reprojected' | 'response'>

export class Recorder {
  readonly #store: Store
  readonly #summary: Summary
  readonly #report: (line: string) => void
  readonly #censor: Censor
  readonly #places: Places
  /** What was written in this run, each with how many secrets were known then. */
  readonly #written = new Map<RequestKey, number>()

  constructor(store: Store, censor: Censor, summary: Summary, report: (line: string) => void) {
    this.#store = store
    this.#summary = summary
    this.#report = report
    this.#places = new Places(store, report)
    this.#censor = censor
  }

  /**
   * Writes an answer. What is too large is looked through first, while others are served; then it is seen anew where it
   * belongs, since they may have recorded as well.
   * @returns undefined where a secret stood in the answer in clear and nothing was written. @throws StoreError
   */
  async record(recording: Recording): Promise<Recorded | undefined> {
    let looked: Looked | undefined
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const outcome = this.#recordNow(recording, looked)
      if (!isUnseen(outcome)) return outcome
      looked = await this.#censor.look(outcome.unseen)
    }
    // Each time something had changed meanwhile: the last look has nobody beside it.
    const outcome = this.#recordNow(recording, 'at once')
    return isUnseen(outcome) ? undefined : outcome
  }

  /** In one turn: what it finds in the cassette still holds when it writes. */
  #recordNow(
    { call, taking, fresh }: Recording,
    looked: Looked | 'at once' | undefined,
  ): Recorded | Unseen | undefined {
    const { session } = call
    this.#learnEngine(taking.engine)
    const place = this.#places.placeFor(call, fresh)
    const told = this.#asBefore(place, call, fresh)
    if (told !== undefined) {
      this.#note(place, told, session)
      this.#summary.unchanged += 1
      const response =
        fresh === taking.response ? { ...told.response, cookies: taking.response.cookies } : taking.response
      return { key: told.key, response }
    }
    const { key, canonical, asked } = place.derivation
    const responses = this.#sequence(place, call, fresh)
    const written = this.#write({ key, request: canonical, asked, responses }, looked)
    if (typeof written === 'object') return written
    this.#note(place, { key, spelled: place.spelled, reprojected: false }, session)
    if (!written) return undefined
    this.#written.set(key, this.#censor.known)
    this.#summary.recorded += 1
    return { key, response: taking.response }
  }

  /** False where a secret stands in it in clear. */
  #write(interaction: Interaction, looked: Looked | 'at once' | undefined): boolean | Unseen {
    const { key, responses } = interaction
    if (looked !== 'at once' && holdsInAll(largeFrom, interaction))
      return this.#writeLarge(interaction, looked)
    const judged = this.#censor.judge(responses)
    this.#censor.tellJudged(key, judged)
    return this.#store.put(judged.length === 0 ? interaction : { ...interaction, judged }, (text) =>
      this.#censor.passes(key, text),
    )
  }

  #writeLarge(interaction: Interaction, looked: Looked | undefined): boolean | Unseen {
    const { key } = interaction
    const file = this.#store.pathFor(interaction)
    const draft = { ...interaction, file }
    if (looked === undefined || !this.#censor.hasSeen(draft, looked)) return { unseen: draft }
    this.#censor.tellJudged(key, looked.judged)
    if (!this.#censor.passesLooked(key, looked)) return false
    this.#store.putEncoded(key, file, looked)
    return true
  }

  /** Searches what was written before the last secret became known. */
  searchWritten(): void {
    for (const [key, known] of this.#written) {
      if (known === this.#censor.known) continue
      const interaction = this.#read(key)
      if (interaction === undefined) continue
      const file = this.#store.pathFor(interaction)
      this.#censor.search({ ...interaction, file }, `${this.#store.dir}/${file}`)
    }
  }

  /** A request was answered out of a recording: its own, or one from before the writes of the session. */
  noteServed({ derivation, session }: Call, match: RecordedMatch): void {
    this.#note({ derivation, base: derivation, spelled: inOrderSent(derivation).key }, match, session)
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
    const told = `${plural(unused.length, 'recording')} that ${unused.length === 1 ? 'was' : 'were'} not asked for again: ${unused
      .slice(0, namedDrops)
      .map(([, file]) => file)
      .join(', ')}${more}`
    if (doubt === undefined) {
      this.#report(`drops ${told}`)
      for (const [key] of unused) this.#store.drop(key)
    } else {
      const { dir } = this.#store
      this.#report(`keeps ${told}; ${doubt}; to drop them: ${commandName} prune ${dir} --yes -- CMD`)
    }
    return unused.length
  }

  /** The recording that replay would answer with here, where it says the same. */
  #asBefore(place: Place, { session, derivation }: Call, fresh: RecordedResponse): Told | undefined {
    const { key, asked } = place.derivation
    const old = this.#read(key)
    const reprojected = old !== undefined && !sameTexts(old.asked, asked)
    const isWrite = derivation.effect === 'write'
    if (old === undefined || (isWrite && reprojected)) return undefined
    const response = this.#places.said(place, session)
    if (response === undefined || !saysAll(response, fresh, derivation)) return undefined
    return { key, spelled: place.spelled, reprojected, response }
  }

  /** The answers that this session had to this very request, and now this one; the last repeats. */
  #sequence(place: Place, { session, derivation }: Call, fresh: RecordedResponse): Responses {
    const old = this.#read(place.derivation.key)
    if (old !== undefined && sameTexts(old.asked, place.derivation.asked)) {
      const turn = Math.min(session.turn(place.spelled), old.responses.length - 1)
      if (saysSame(atTurn(old.responses, turn), fresh, derivation)) {
        const [first = fresh, ...more] = old.responses.with(turn, fresh)
        return [first, ...more]
      }
    }
    const before = session.had(place.spelled).flatMap((had) => this.#answers(had, place.base))
    return untilLast(before, fresh)
  }

  #answers({ key, turn, count, reprojected }: Answered, base: Derivation): readonly RecordedResponse[] {
    const old = this.#read(key)
    if (old === undefined) return []
    return Array.from({ length: count }, (_, more) =>
      reprojected ? this.#places.projected(old, base, turn + more) : atTurn(old.responses, turn + more),
    ).filter((one) => one !== undefined)
  }

  #note({ derivation, spelled }: Place, told: Omit<Told, 'response'>, session: Session): void {
    const turn = session.turn(told.spelled)
    for (const each of new Set([spelled, told.spelled])) session.advance(each, { ...told, turn })
    for (const key of new Set([derivation.key, told.key]))
      this.#places.claim(key, session, session.turn(spelled))
    this.#summary.used.add(told.key)
  }

  #read(key: RequestKey): Interaction | undefined {
    const found = this.#store.find(key)
    return found.kind === 'found' ? found.interaction : undefined
  }

  #learnEngine(engine: string | undefined): void {
    if (engine !== undefined) this.#store.setManifest({ ...this.#store.manifest, engine })
  }
}

/** The last answer repeats by itself. */
function untilLast(before: readonly RecordedResponse[], last: RecordedResponse): Responses {
  const end = before.findLastIndex((one) => !sameRecording(one, last)) + 1
  const [first = last, ...more] = [...before.slice(0, end), last]
  return [first, ...more]
}
