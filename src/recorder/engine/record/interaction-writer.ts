/** Writes answers into the cassette: redacted, scanned for secrets, and only where replay would not give the same. */

import {
  type Interaction,
  type RecordedResponse,
  sameRecording,
  sameTexts,
} from '../../cassette/interaction.ts'
import type { ResponseConversion } from '../../cassette/record/recorded-response.ts'
import { writeTurns } from '../../playback/session/answer-order.ts'
import {
  type AnsweredRange,
  responseAt,
  type Session,
} from '../../playback/session/session.ts'
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import {
  keyForExactOrder,
  refusedLagParam,
  refusedOriginParam,
} from '../../request/scoped-keys.ts'
import { retryWhenLoaded, type Store } from '../../store/store.ts'
import type { Call, RecordedMatch } from '../call.ts'
import type { EngineContext } from '../engine-options.ts'
import type { RedactionGate } from '../redaction/redaction-gate.ts'
import type { RunSummary } from '../run-summary.ts'
import { isWriteFolder } from '../session/recorded-writes.ts'
import type { CurrentAnswer } from './answer-states.ts'
import {
  canReplay,
  isSameAnswer,
  type RecordingSlot,
  RecordingSlots,
  recordedByAnother,
} from './recording-slots.ts'

type ConvertedAnswer = Extract<ResponseConversion, { kind: 'converted' }>

/** What was recorded, with its secrets in clear, as the client gets it. */
type RecordedAnswer = Pick<RecordedMatch, 'key' | 'response'>

type RecordingOutcome = RecordedAnswer | typeof recordedByAnother | undefined

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
  /** What was written in this run, with the number of secrets that were known then. */
  readonly #written = new Map<RequestKey, number>()

  constructor({ store, summary, onEvent }: EngineContext, redactionGate: RedactionGate) {
    this.#store = store
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
    fresh: RecordedResponse,
  ): Promise<RecordedAnswer | undefined> {
    for (;;) {
      const outcome = await retryWhenLoaded(() =>
        this.#recordNow(call, conversion, fresh),
      )
      if (outcome !== recordedByAnother) return outcome
    }
  }

  /** Synchronous, so that what it finds in the cassette still holds when it writes. A remote store compares it as well. */
  #recordNow(
    call: Call,
    conversion: ConvertedAnswer,
    fresh: RecordedResponse,
  ): RecordingOutcome | Promise<RecordingOutcome> {
    const { session } = call
    const { engine } = conversion
    if (engine !== undefined) this.#store.setManifest({ ...this.#store.manifest, engine })
    this.#markOrder(call)
    const slot = this.#slots.slotFor(call, fresh)
    if (slot.isAnother === true) return this.#recordAnother(slot, call, conversion, fresh)
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
    const responses = this.#withFresh(slot, call, fresh, current)
    const { chosenBy } = call
    const interaction = { key, request: canonical, sentValues, chosenBy, responses }
    const file = this.#store.pathFor(interaction)
    const encoded = this.#redactionGate.encode(key, file, interaction)
    const at = responses.findLastIndex(({ body }) => body === fresh.body)
    const served = { key, exactKey: slot.exactKey, reordered: false, at }
    const note = (): void => {
      this.#slots.states.noteState(key, at, state)
      this.#note(call.derivation, slot, served, session)
    }
    if (encoded === undefined) {
      note()
      return undefined
    }
    const finish = (): RecordedAnswer => {
      note()
      this.#written.set(key, this.#redactionGate.knownSecrets)
      this.#summary.counts.recorded += 1
      return { key, response: conversion.response }
    }
    const written = this.#store.putEncoded(key, file, encoded, call.leased)
    if (written === undefined) return finish()
    return written.then((isWritten) =>
      isWritten ? finish() : this.#slots.noteOther(key),
    )
  }

  /** Writes an answer that differs from what another session without a name got, and in which order they got them. */
  #recordAnother(
    { derivation: own }: RecordingSlot,
    call: Call,
    conversion: ConvertedAnswer,
    fresh: RecordedResponse,
  ): RecordingOutcome | Promise<RecordingOutcome> {
    const { session, derivation, chosenBy, leased } = call
    const others = this.#store.get(own.key).interaction
    const shared = this.#store.get(derivation.key).interaction
    const indexIn = (one: Interaction | undefined): number =>
      one?.responses.findIndex((response) => canReplay(response, fresh, derivation)) ?? -1
    const known = indexIn(others)
    const sharedAt = known < 0 && others !== undefined ? indexIn(shared) : -1
    const isNew = known < 0 && sharedAt < 0
    const responses: Interaction['responses'] =
      others === undefined
        ? [fresh]
        : isNew
          ? [...others.responses, fresh]
          : others.responses
    const from = sharedAt < 0 ? 'another' : 'shared'
    const at = isNew ? responses.length - 1 : Math.max(known, sharedAt)
    const key = from === 'shared' ? derivation.key : own.key
    const turns = writeTurns(this.#slots.noteTurn(derivation, { from, at, session }, key))
    this.#summary.used.add(key).add(own.key)

    const { canonical, sentValues } = own
    const interaction = {
      key: own.key,
      request: canonical,
      sentValues,
      chosenBy,
      turns,
      responses,
    }
    const file = this.#store.pathFor(interaction)
    const encoded = this.#redactionGate.encode(own.key, file, interaction)
    if (encoded === undefined) return undefined
    this.#written.set(own.key, this.#redactionGate.knownSecrets)
    this.#summary.counts.recorded += 1
    const answer = { key, response: conversion.response }
    const written = this.#store.putEncoded(own.key, file, encoded, leased)
    if (written === undefined) return answer
    return written.then((isWritten) =>
      isWritten ? answer : this.#slots.noteOther(own.key),
    )
  }

  /** With its first write, a cassette begins to name epochs by the writes of all sessions, in order. */
  #markOrder({ session, derivation }: Call): void {
    const { manifest } = this.#store
    if (
      manifest.writes !== undefined ||
      (derivation.effect !== 'write' && session.writes.length === 0)
    )
      return
    if (!this.#store.folders().some(isWriteFolder))
      this.#store.setManifest({ ...manifest, writes: 'ordered' })
  }

  /** How many recordings of this run are gone. */
  countLost(): number {
    this.#store.generation?.()
    return [...this.#written.keys()].filter((key) => !this.#store.has(key)).length
  }

  /** Asks a remote store what is there of what was written, and loads what `reportLateLeaks` reads. */
  async loadWritten(): Promise<void> {
    await this.#store.forgetLost?.([...this.#written.keys()])
    const { knownSecrets } = this.#redactionGate
    const late = [...this.#written].flatMap(([key, known]) =>
      known === knownSecrets ? [] : [key],
    )
    await Promise.all(late.map((key) => retryWhenLoaded(() => void this.#store.get(key))))
  }

  /** Reports secrets in what was written before they became known. */
  reportLateLeaks(): void {
    for (const [key, knownSecrets] of this.#written) {
      if (knownSecrets === this.#redactionGate.knownSecrets) continue
      const interaction = this.#store.get(key).interaction
      if (interaction === undefined) continue
      const file = this.#store.pathFor(interaction)
      this.#redactionGate.reportLeaksIn(interaction, file, `${this.#store.dir}/${file}`)
    }
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
    session: Session,
  ): void {
    const turn = { from: 'shared', at: served.at, session } as const
    if (session.name === undefined) this.#slots.noteTurn(request, turn, served.key)
    for (const each of new Set([exactKey, served.exactKey]))
      session.advance(each, { ...served, position: served.at })
    for (const key of new Set([derivation.key, served.key]))
      this.#slots.noteAnswers(key, session, session.position(exactKey))
    this.#summary.used.add(served.key)
  }

  /** The recorded answer that replay would serve in place of the fresh one; undefined where that has to be recorded. */
  #findRepeated(
    slot: RecordingSlot,
    call: Call,
    fresh: RecordedResponse,
  ): (ServedAnswer & RecordedAnswer) | undefined {
    const { derivation, chosenBy } = call
    const { key, sentValues } = slot.derivation
    const old = this.#store.get(key).interaction
    // An older recording does not say which headers chose it.
    if (old === undefined || (old.chosenBy === undefined && chosenBy !== undefined))
      return undefined
    const reordered = !sameTexts(old.sentValues, sentValues)
    if (reordered && derivation.effect === 'write') return undefined
    const at = this.#slots.states.indexToReplay(slot, call, fresh)
    const response = at === undefined ? undefined : this.#slots.answerAt(slot, at)
    if (at === undefined || response === undefined) return undefined
    if (!canReplay(response, fresh, derivation)) return undefined
    return { key, exactKey: slot.exactKey, reordered, response, at }
  }

  /** The answers that a recording has to hold: those that the session got to this request, then the fresh one. */
  #withFresh(
    slot: RecordingSlot,
    call: Call,
    fresh: RecordedResponse,
    current: CurrentAnswer,
  ): Interaction['responses'] {
    const {
      derivation: { key, sentValues },
      base,
      exactKey,
    } = slot
    const { session, derivation } = call
    const old = this.#store.get(key).interaction
    const { state } = current
    if (old !== undefined && sameTexts(old.sentValues, sentValues)) {
      const known = this.#slots.isOfThisRun(key)
        ? this.#slots.states.withFresh(old, fresh, current)
        : undefined
      if (known !== undefined) return known
      const position = Math.min(session.position(exactKey), old.responses.length - 1)
      if (isSameAnswer(responseAt(old.responses, position), fresh, derivation)) {
        const [first = fresh, ...more] = old.responses.with(position, fresh)
        return [first, ...more]
      }
    }
    const earlier = session
      .history(exactKey)
      .flatMap((range) => this.#answersIn(range, base))
    // The last answer repeats, so equal ones before it are left out.
    const end = earlier.findLastIndex((one) => !sameRecording(one, fresh)) + 1
    const stated = state === '' ? fresh : { ...fresh, afterOthers: [state] }
    const [first = stated, ...more] = [...earlier.slice(0, end), stated]
    return [first, ...more]
  }

  #answersIn(
    { key, position, count, reordered }: AnsweredRange,
    base: Derivation,
  ): RecordedResponse[] {
    const old = this.#store.get(key).interaction
    if (old === undefined) return []
    return Array.from({ length: count }, (_, more) =>
      reordered
        ? this.#slots.reordered(old, base, position + more)
        : responseAt(old.responses, position + more),
    ).filter((one) => one !== undefined)
  }
}
