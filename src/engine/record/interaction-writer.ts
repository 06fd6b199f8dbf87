/** Puts an answer into the cassette: redacted, checked, and only where it says something new. */

import { type Interaction, type RecordedResponse, sameTexts } from '../../cassette/interaction.ts'
import type { ResponseConversion } from '../../cassette/record/recorded-response.ts'
import { sameRecording } from '../../cassette/same-recording.ts'
import { type AnsweredRange, responseAt, type Session } from '../../playback/session/session.ts'
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { keyForExactOrder } from '../../request/scoped-keys.ts'
import { commandName } from '../../store/command-name.ts'
import type { Store } from '../../store/store.ts'
import { plural } from '../../text/plural.ts'
import type { Call, RecordedMatch } from '../call.ts'
import type { RedactionGate, ScannedWrite } from '../redaction/redaction-gate.ts'
import { largeScanSize } from '../redaction/scan-pool.ts'
import { isLargeInteraction, type PendingWrite } from '../redaction/secret-scan.ts'
import type { RunSummary } from '../run-summary.ts'
import { canReplay, isSameAnswer, type RecordingSlot, RecordingSlots } from './recording-slots.ts'

/** An answer to be recorded. */
export interface AnswerToRecord {
  readonly call: Call
  readonly conversion: Extract<ResponseConversion, { kind: 'taken' }>
  /** The answer less its secrets. */
  readonly fresh: RecordedResponse
}

/** What was recorded, as the client gets it: what replay will give, its secrets still in clear. */
export interface RecordedAnswer {
  readonly key: RequestKey
  readonly response: RecordedResponse
}

/** Too large to be looked through in one turn: nothing is written before that is done. */
interface UnscannedWrite {
  readonly unscanned: PendingWrite
}

const isUnscanned = (outcome: RecordedAnswer | UnscannedWrite | undefined): outcome is UnscannedWrite =>
  outcome !== undefined && 'unscanned' in outcome

/** Looks at one answer between which others may come. */
const maxScans = 4
/** So many of the recordings that are dropped are named. */
const maxNamedDrops = 20

type InteractionResponses = Interaction['responses']

/** An answer that a session is told, and where it stands. */
type RepeatedAnswer = Pick<RecordedMatch, 'key' | 'exactKey' | 'reordered' | 'response'>

export class InteractionWriter {
  readonly #store: Store
  readonly #summary: RunSummary
  readonly #report: (line: string) => void
  readonly #redactionGate: RedactionGate
  readonly #slots: RecordingSlots
  /** What was written in this run, each with how many secrets were known then. */
  readonly #written = new Map<RequestKey, number>()

  constructor(
    store: Store,
    redactionGate: RedactionGate,
    summary: RunSummary,
    report: (line: string) => void,
  ) {
    this.#store = store
    this.#summary = summary
    this.#report = report
    this.#slots = new RecordingSlots(store, report)
    this.#redactionGate = redactionGate
  }

  /**
   * Writes an answer. What is too large is looked through first, while others are served; then it is seen anew where it
   * belongs, since they may have recorded as well.
   * @returns undefined where a secret stood in the answer in clear and nothing was written. @throws StoreError
   */
  async record(answer: AnswerToRecord): Promise<RecordedAnswer | undefined> {
    let scan: ScannedWrite | undefined
    for (let scans = 0; scans < maxScans; scans += 1) {
      const outcome = this.#recordOnce(answer, scan)
      if (!isUnscanned(outcome)) return outcome
      scan = await this.#redactionGate.scan(outcome.unscanned)
    }
    // Each time something had changed meanwhile: the last look has nobody beside it.
    const outcome = this.#recordOnce(answer, 'at once')
    return isUnscanned(outcome) ? undefined : outcome
  }

  /** In one turn: what it finds in the cassette still holds when it writes. */
  #recordOnce(
    { call, conversion, fresh }: AnswerToRecord,
    scan: ScannedWrite | 'at once' | undefined,
  ): RecordedAnswer | UnscannedWrite | undefined {
    const { session } = call
    this.#learnEngine(conversion.engine)
    const slot = this.#slots.slotFor(call, fresh)
    const repeated = this.#findRepeated(slot, call, fresh)
    if (repeated !== undefined) {
      this.#note(slot, repeated, session)
      this.#summary.unchanged += 1
      const response =
        fresh === conversion.response
          ? { ...repeated.response, cookies: conversion.response.cookies }
          : conversion.response
      return { key: repeated.key, response }
    }
    const { key, canonical, sentValues } = slot.derivation
    const responses = this.#sequence(slot, call, fresh)
    const written = this.#write({ key, request: canonical, sentValues, responses }, scan)
    if (typeof written === 'object') return written
    this.#note(slot, { key, exactKey: slot.exactKey, reordered: false }, session)
    if (!written) return undefined
    this.#written.set(key, this.#redactionGate.knownSecrets)
    this.#summary.recorded += 1
    return { key, response: conversion.response }
  }

  /** False where a secret stands in it in clear. */
  #write(interaction: Interaction, scan: ScannedWrite | 'at once' | undefined): boolean | UnscannedWrite {
    const { key, responses } = interaction
    if (scan !== 'at once' && isLargeInteraction(largeScanSize, interaction))
      return this.#writeLarge(interaction, scan)
    const falseAlarms = this.#redactionGate.falseAlarmsIn(responses)
    this.#redactionGate.reportFalseAlarms(key, falseAlarms)
    return this.#store.put(falseAlarms.length === 0 ? interaction : { ...interaction, falseAlarms }, (text) =>
      this.#redactionGate.mayWrite(key, text),
    )
  }

  #writeLarge(interaction: Interaction, scan: ScannedWrite | undefined): boolean | UnscannedWrite {
    const { key } = interaction
    const file = this.#store.pathFor(interaction)
    const write = { ...interaction, file }
    if (scan === undefined || !this.#redactionGate.isUpToDate(write, scan)) return { unscanned: write }
    this.#redactionGate.reportFalseAlarms(key, scan.falseAlarms)
    if (!this.#redactionGate.mayWriteScanned(key, scan)) return false
    this.#store.putEncoded(key, file, scan)
    return true
  }

  /** Searches what was written before the last secret became known. */
  reportLateLeaks(): void {
    for (const [key, knownSecrets] of this.#written) {
      if (knownSecrets === this.#redactionGate.knownSecrets) continue
      const interaction = this.#read(key)
      if (interaction === undefined) continue
      const file = this.#store.pathFor(interaction)
      this.#redactionGate.reportLeaksIn({ ...interaction, file }, `${this.#store.dir}/${file}`)
    }
  }

  /** A request was answered out of a recording: its own, or one from before the writes of the session. */
  noteServed({ derivation, session }: Call, match: RecordedMatch): void {
    this.#note({ derivation, base: derivation, exactKey: keyForExactOrder(derivation).key }, match, session)
  }

  /**
   * For mode `update`: names every interaction that is not in use, and drops it.
   * @param uncertainty why it is not certain that all was asked for again that is needed: then they stay
   * @returns how many were not in use
   */
  dropUnused(used: ReadonlySet<RequestKey>, uncertainty: string | undefined): number {
    const unused = [...this.#store.paths()].filter(([key]) => !used.has(key))
    if (unused.length === 0) return 0
    const more = unused.length > maxNamedDrops ? `, and ${unused.length - maxNamedDrops} more` : ''
    const repeated = `${plural(unused.length, 'recording')} that ${unused.length === 1 ? 'was' : 'were'} not asked for again: ${unused
      .slice(0, maxNamedDrops)
      .map(([, file]) => file)
      .join(', ')}${more}`
    if (uncertainty === undefined) {
      this.#report(`drops ${repeated}`)
      for (const [key] of unused) this.#store.delete(key)
    } else {
      const { dir } = this.#store
      this.#report(
        `keeps ${repeated}; ${uncertainty}; to drop them: ${commandName} prune ${dir} --yes -- CMD`,
      )
    }
    return unused.length
  }

  /** The recording that replay would answer with here, where it says the same. */
  #findRepeated(
    slot: RecordingSlot,
    { session, derivation }: Call,
    fresh: RecordedResponse,
  ): RepeatedAnswer | undefined {
    const { key, sentValues } = slot.derivation
    const old = this.#read(key)
    const reordered = old !== undefined && !sameTexts(old.sentValues, sentValues)
    const isWrite = derivation.effect === 'write'
    if (old === undefined || (isWrite && reordered)) return undefined
    const response = this.#slots.currentAnswer(slot, session)
    if (response === undefined || !canReplay(response, fresh, derivation)) return undefined
    return { key, exactKey: slot.exactKey, reordered, response }
  }

  /** The answers that this session had to this very request, and now this one; the last repeats. */
  #sequence(
    slot: RecordingSlot,
    { session, derivation }: Call,
    fresh: RecordedResponse,
  ): InteractionResponses {
    const old = this.#read(slot.derivation.key)
    if (old !== undefined && sameTexts(old.sentValues, slot.derivation.sentValues)) {
      const position = Math.min(session.position(slot.exactKey), old.responses.length - 1)
      if (isSameAnswer(responseAt(old.responses, position), fresh, derivation)) {
        const [first = fresh, ...more] = old.responses.with(position, fresh)
        return [first, ...more]
      }
    }
    const earlier = session.history(slot.exactKey).flatMap((range) => this.#answersIn(range, slot.base))
    return withoutRepeatedEnd(earlier, fresh)
  }

  #answersIn(
    { key, position, count, reordered }: AnsweredRange,
    base: Derivation,
  ): readonly RecordedResponse[] {
    const old = this.#read(key)
    if (old === undefined) return []
    return Array.from({ length: count }, (_, more) =>
      reordered
        ? this.#slots.inSpelling(old, base, position + more)
        : responseAt(old.responses, position + more),
    ).filter((one) => one !== undefined)
  }

  #note(
    { derivation, exactKey }: RecordingSlot,
    repeated: Omit<RepeatedAnswer, 'response'>,
    session: Session,
  ): void {
    const position = session.position(repeated.exactKey)
    for (const each of new Set([exactKey, repeated.exactKey]))
      session.advance(each, { ...repeated, position })
    for (const key of new Set([derivation.key, repeated.key]))
      this.#slots.owner(key, session, session.position(exactKey))
    this.#summary.used.add(repeated.key)
  }

  #read(key: RequestKey): Interaction | undefined {
    const found = this.#store.get(key)
    return found.kind === 'found' ? found.interaction : undefined
  }

  #learnEngine(engine: string | undefined): void {
    if (engine !== undefined) this.#store.setManifest({ ...this.#store.manifest, engine })
  }
}

/** The last answer repeats by itself. */
function withoutRepeatedEnd(
  before: readonly RecordedResponse[],
  last: RecordedResponse,
): InteractionResponses {
  const end = before.findLastIndex((one) => !sameRecording(one, last)) + 1
  const [first = last, ...more] = [...before.slice(0, end), last]
  return [first, ...more]
}
