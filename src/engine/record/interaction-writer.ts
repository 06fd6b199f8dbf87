/** Writes answers into the cassette: redacted, scanned for secrets, and only where replay would not give the same. */
import type { RecordedResponse } from '../../cassette/interaction.ts'
import type { ResponseConversion } from '../../cassette/record/recorded-response.ts'
import type { Session } from '../../playback/session/session.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { keyForExactOrder } from '../../request/scoped-keys.ts'
import { retryWhenLoaded, type Store } from '../../store/store.ts'
import type { Call, RecordedMatch } from '../call.ts'
import type { RedactionGate } from '../redaction/redaction-gate.ts'
import type { RunSummary } from '../run-summary.ts'
import { findRepeated, type RepeatedAnswer, withFresh } from './answer-sequences.ts'
import { type RecordingSlot, RecordingSlots, recordedByAnother } from './recording-slots.ts'

export interface AnswerToRecord {
  readonly call: Call
  readonly conversion: Extract<ResponseConversion, { kind: 'converted' }>
  /** The answer without its secrets. */
  readonly fresh: RecordedResponse
}

/** What was recorded, with its secrets in clear, as the client gets it. */
export interface RecordedAnswer {
  readonly key: RequestKey
  readonly response: RecordedResponse
}

/** Undefined where the answer has a secret in clear, and nothing was written. */
type RecordingOutcome = RecordedAnswer | typeof recordedByAnother | undefined

export class InteractionWriter {
  readonly #store: Store
  readonly #summary: RunSummary
  readonly #redactionGate: RedactionGate
  readonly #slots: RecordingSlots
  /** What was written in this run, with the number of secrets that were known then. */
  readonly #written = new Map<RequestKey, number>()

  constructor(
    store: Store,
    redactionGate: RedactionGate,
    summary: RunSummary,
    report: (line: string) => void,
  ) {
    this.#store = store
    this.#summary = summary
    this.#slots = new RecordingSlots(store, report)
    this.#redactionGate = redactionGate
  }

  /** Writes an answer. @returns undefined where it has a secret in clear, and nothing was written. @throws StoreError */
  async record(answer: AnswerToRecord): Promise<RecordedAnswer | undefined> {
    for (;;) {
      const outcome = await retryWhenLoaded(() => this.#recordNow(answer))
      if (outcome !== recordedByAnother) return outcome
    }
  }

  /** Synchronous, so that what it finds in the cassette still holds when it writes. A remote store compares it as well. */
  #recordNow({ call, conversion, fresh }: AnswerToRecord): RecordingOutcome | Promise<RecordingOutcome> {
    const { session } = call
    const { engine } = conversion
    if (engine !== undefined) this.#store.setManifest({ ...this.#store.manifest, engine })
    const slot = this.#slots.slotFor(call, fresh)
    const repeated = findRepeated(this.#slots, slot, call, fresh)
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
    const responses = withFresh(this.#slots, slot, call, fresh)
    const interaction = { key, request: canonical, sentValues, responses }
    const file = this.#store.pathFor(interaction)
    const encoded = this.#redactionGate.encode(key, file, interaction)
    const note = (): void => this.#note(slot, { key, exactKey: slot.exactKey, reordered: false }, session)
    if (encoded === undefined) {
      note()
      return undefined
    }
    const finish = (): RecordedAnswer => {
      note()
      this.#written.set(key, this.#redactionGate.knownSecrets)
      this.#summary.recorded += 1
      return { key, response: conversion.response }
    }
    const written = this.#store.putEncoded(key, file, encoded, call.leased)
    if (written === undefined) return finish()
    return written.then((isWritten) => (isWritten ? finish() : this.#slots.noteOther(key)))
  }

  /** Loads from a remote store what `reportLateLeaks` reads. */
  async loadWritten(): Promise<void> {
    const { knownSecrets } = this.#redactionGate
    const late = [...this.#written].flatMap(([key, known]) => (known === knownSecrets ? [] : [key]))
    await Promise.all(late.map((key) => retryWhenLoaded(() => void this.#slots.read(key))))
  }

  /** Reports secrets in what was written before they became known. */
  reportLateLeaks(): void {
    for (const [key, knownSecrets] of this.#written) {
      if (knownSecrets === this.#redactionGate.knownSecrets) continue
      const interaction = this.#slots.read(key)
      if (interaction === undefined) continue
      const file = this.#store.pathFor(interaction)
      this.#redactionGate.reportLeaksIn(interaction, file, `${this.#store.dir}/${file}`)
    }
  }

  /** Notes that a request was answered by a recording, of its own epoch or of an earlier one. */
  noteServed({ derivation, session }: Call, match: RecordedMatch): void {
    this.#note({ derivation, base: derivation, exactKey: keyForExactOrder(derivation).key }, match, session)
  }

  #note(
    { derivation, exactKey }: RecordingSlot,
    served: Omit<RepeatedAnswer, 'response'>,
    session: Session,
  ): void {
    const position = session.position(served.exactKey)
    for (const each of new Set([exactKey, served.exactKey])) session.advance(each, { ...served, position })
    for (const key of new Set([derivation.key, served.key]))
      this.#slots.noteAnswers(key, session, session.position(exactKey))
    this.#summary.used.add(served.key)
  }
}
