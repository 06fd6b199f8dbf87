/** Writes answers into the cassette: redacted, scanned for secrets, and only where replay would not give the same. */

import {
  type Interaction,
  type RecordedResponse,
  sameTexts,
  withNotesOf
} from '../../cassette/interaction.ts'
import type { ResponseConversion } from '../../cassette/record/recorded-response.ts'
import type { RecordedMatch } from '../../playback/lookup/match.ts'
import { writeTurns } from '../../playback/session/answer-order.ts'
import type { Session } from '../../playback/session/session.ts'
import type { Derivation } from '../../request/derive.ts'
import {
  keyForExactOrder,
  refusedLagParam,
  refusedOriginParam
} from '../../request/scoped-keys.ts'
import { retryWhenLoaded } from '../../store/pending-read.ts'
import type { Store } from '../../store/store.ts'
import type { Call } from '../call.ts'
import type { EngineContext } from '../engine-options.ts'
import type { RedactionGate } from '../redaction/redaction-gate.ts'
import type { RunSummary } from '../run-summary.ts'
import { isWriteFolder } from '../session/recorded-writes.ts'
import { answersToRecord } from './answers-to-record.ts'
import {
  type RecordingSlot,
  RecordingSlots,
  recordedByAnother
} from './recording-slots.ts'
import { canReplay } from './same-answer.ts'
import { WrittenRecordings } from './written-recordings.ts'

type ConvertedAnswer = Extract<ResponseConversion, { kind: 'converted' }>

/** What was recorded, with its secrets in clear, as the client gets it. */
type RecordedAnswer = Pick<RecordedMatch, 'key' | 'response'>

/** The recorded answer that replay serves. */
interface ServedAnswer extends Pick<RecordedMatch, 'key' | 'exactKey' | 'reordered'> {
  /** Its index. */
  readonly at: number
}

export class InteractionWriter {
  readonly #store: Store
  readonly #summary: RunSummary
  readonly #redactionGate: RedactionGate
  readonly #slots: RecordingSlots
  readonly written: WrittenRecordings

  constructor({ store, summary, onEvent }: EngineContext, redactionGate: RedactionGate) {
    this.#store = store
    this.written = new WrittenRecordings(store, redactionGate)
    this.#summary = summary
    this.#slots = new RecordingSlots(store, onEvent)
    this.#redactionGate = redactionGate
  }

  /**
   * Writes an answer. @param fresh the answer without its secrets
   * @returns undefined where it has a secret in clear, and nothing was written. @throws StoreError
   */
  async record(
    call: Call,
    conversion: ConvertedAnswer,
    fresh: RecordedResponse
  ): Promise<RecordedAnswer | undefined> {
    for (;;) {
      const outcome = await retryWhenLoaded(() =>
        this.#recordNow(call, conversion, fresh)
      )
      if (outcome !== recordedByAnother) return outcome
    }
  }

  /** Synchronous, so that what it finds in the cassette still holds when it writes. A remote store compares it as well. */
  #recordNow(call: Call, conversion: ConvertedAnswer, fresh: RecordedResponse) {
    const { session } = call
    const { engine } = conversion
    if (engine !== undefined) this.#store.setManifest({ ...this.#store.manifest, engine })
    this.#markOrder(call)
    const slot = this.#slots.slotFor(call, fresh)
    if (slot.isAnother) return this.#recordAnother(slot, call, conversion, fresh)
    const repeated = this.#findRepeated(slot, call, fresh)
    const current = this.#slots.states.current(slot, call, fresh)
    const { state } = current
    if (repeated !== undefined) {
      this.#slots.states.noteState(repeated.key, repeated.at, state)
      this.#note(call.derivation, slot, repeated, session)
      this.#summary.counts.unchanged += 1
      const response =
        fresh === conversion.response
          ? { ...repeated.response, cookies: conversion.response.cookies }
          : conversion.response
      return { key: repeated.key, response }
    }
    const { key, canonical, sentValues } = slot.derivation
    const responses = answersToRecord({
      store: this.#store,
      slots: this.#slots,
      slot,
      call,
      fresh,
      current
    })
    const { chosenBy } = call
    const at = responses.findLastIndex(({ body }) => body === fresh.body)
    const served = { key, exactKey: slot.exactKey, reordered: false, at }
    return this.#write(
      { key, request: canonical, sentValues, chosenBy, responses },
      call,
      { key, response: conversion.response },
      () => {
        this.#slots.states.noteState(key, at, state)
        this.#note(call.derivation, slot, served, session)
      }
    )
  }

  /** @param note called unless a recorder on another machine was first, also where a secret forbids writing */
  #write(
    interaction: Interaction,
    { leased }: Call,
    answer: RecordedAnswer,
    note: () => void
  ) {
    const { key } = interaction
    const file = this.#store.pathFor(interaction)
    const noted = withNotesOf(this.#store.get(key).interaction, interaction)
    const encoded = this.#redactionGate.encode(key, file, noted)
    if (!encoded) {
      note()
      return undefined
    }
    const finish = () => {
      note()
      this.written.add(key)
      this.#summary.counts.recorded += 1
      return answer
    }
    const written = this.#store.putEncoded(key, file, encoded, leased)
    if (!written) return finish()
    return written.then((isWritten) =>
      isWritten ? finish() : this.#slots.noteOther(key)
    )
  }

  /** Writes an answer that differs from what another session without a name got, and in which order they got them. */
  #recordAnother(
    { derivation: own }: RecordingSlot,
    call: Call,
    conversion: ConvertedAnswer,
    fresh: RecordedResponse
  ) {
    const { session, derivation, chosenBy } = call
    const others = this.#store.get(own.key).interaction
    const shared = this.#store.get(derivation.key).interaction
    const indexIn = (one: Interaction | undefined) =>
      one?.responses.findIndex((response) => canReplay(response, fresh, derivation)) ?? -1
    const known = indexIn(others)
    const sharedAt = known < 0 && others ? indexIn(shared) : -1
    const isNew = known < 0 && sharedAt < 0
    const recorded = others?.responses ?? []
    const [first = fresh, ...more] = isNew ? [...recorded, fresh] : recorded
    const from = sharedAt < 0 ? 'another' : 'shared'
    const at = isNew ? recorded.length : Math.max(known, sharedAt)
    const key = from === 'shared' ? derivation.key : own.key
    const turns = writeTurns(this.#slots.noteTurn(derivation, { from, at, session }, key))
    this.#summary.used.add(key).add(own.key)

    const { canonical: request, sentValues } = own
    return this.#write(
      { key: own.key, request, sentValues, chosenBy, turns, responses: [first, ...more] },
      call,
      { key, response: conversion.response },
      () => {}
    )
  }

  /** With its first write, a cassette begins to name epochs by the writes of all sessions, in order. */
  #markOrder({ session, derivation }: Call) {
    const { manifest } = this.#store
    if (
      manifest.writes !== undefined ||
      (derivation.effect !== 'write' && session.writes.length === 0)
    )
      return
    if (!this.#store.folders().some(isWriteFolder))
      this.#store.setManifest({ ...manifest, writes: 'ordered' })
  }

  /** Notes that a request was answered by a recording, of its own epoch or of an earlier one. */
  noteServed({ dependency: { scoped }, session }: Call, match: RecordedMatch): void {
    const { request } = match.interaction
    const isRefusal = request.has(refusedLagParam) || request.has(refusedOriginParam)
    const exactKey = isRefusal ? match.exactKey : keyForExactOrder(scoped).key
    const index = match.interaction.responses.indexOf(match.response)
    const at = index < 0 ? session.position(match.exactKey) : index
    this.#note(scoped, { derivation: scoped, exactKey }, { ...match, at }, session)
  }

  #note(
    request: Derivation,
    { derivation, exactKey }: Omit<RecordingSlot, 'base'>,
    served: ServedAnswer,
    session: Session
  ) {
    const turn = { from: 'shared', at: served.at, session } as const
    if (session.name === undefined) this.#slots.noteTurn(request, turn, served.key)
    for (const each of new Set([exactKey, served.exactKey]))
      session.advance(each, { ...served, position: served.at })
    for (const key of new Set([derivation.key, served.key]))
      this.#slots.noteAnswers(key, session, session.position(exactKey))
    this.#summary.used.add(served.key)
  }

  /** The recorded answer that replay would serve in place of the fresh one; undefined where that has to be recorded. */
  #findRepeated(slot: RecordingSlot, call: Call, fresh: RecordedResponse) {
    const { derivation, chosenBy } = call
    const { key, sentValues } = slot.derivation
    const old = this.#store.get(key).interaction
    // An older recording does not say which headers chose it.
    if (!old || (!old.chosenBy && chosenBy)) return undefined
    const reordered = !sameTexts(old.sentValues, sentValues)
    if (reordered && derivation.effect === 'write') return undefined
    const at = this.#slots.states.indexToReplay(slot, call, fresh)
    const response = at === undefined ? undefined : this.#slots.answerAt(slot, at)
    if (at === undefined || !response) return undefined
    if (!canReplay(response, fresh, derivation)) return undefined
    return { key, exactKey: slot.exactKey, reordered, response, at }
  }
}
