/**
 * While recording: what was sent that may have changed the wiki, in this run, by whatever session. A recorded answer
 * stands for the wiki's only if nothing was sent since the wiki was last asked for it (docs/sessions.md).
 */
import type { Interaction } from '../../cassette/interaction.ts'
import type { Session } from '../../playback/session/session.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { type ReadSet, whyAffected } from '../../wiki/effects/read-set.ts'
import type { WriteSet } from '../../wiki/effects/write-set.ts'

/** A moment of the run: it differs from an earlier one if something was sent in between, or was on its way. */
export type Moment = number

export class SentChanges {
  #now: Moment = 0
  /** Moments when the wiki was last asked: for each recording, and for each request of a session. */
  readonly #requestedForRecording = new Map<RequestKey, Moment>()
  readonly #requestedInSession = new WeakMap<Session, Map<RequestKey, Moment>>()
  /** Writes that were answered from the cassette, so that the wiki does not know of them. */
  readonly #unsent: WriteSet[] = []
  /** What was sent and has not ended, and what has ended, with the moment. */
  readonly #running = new Map<Promise<void>, WriteSet>()
  readonly #ended: { readonly writeSet: WriteSet; readonly at: Moment }[] = []

  get now(): Moment {
    return this.#now
  }

  /** A request goes out that may change the wiki. @returns to be called when it has ended, however it ended */
  begin(writeSet: WriteSet): () => void {
    this.#now += 1
    let resolve = (): void => undefined
    const ended = new Promise<void>((done) => {
      resolve = done
    })
    this.#running.set(ended, writeSet)
    return () => {
      this.#now += 1
      this.#running.delete(ended)
      this.#ended.push({ writeSet, at: this.#now })
      resolve()
    }
  }

  /** True if a write was on its way while the wiki answered: the answer is from before it, or from after it. */
  haveOverlapped(moment: Moment, reads: ReadSet): boolean {
    const ended = this.#ended
      .filter(({ at }) => at > moment)
      .map(({ writeSet }) => writeSet)
    return [...this.#running.values(), ...ended].some(
      (one) => whyAffected(one, reads) !== undefined
    )
  }

  /** Waits for what is on its way. */
  async settle(): Promise<void> {
    await Promise.all(this.#running.keys())
  }

  /** @param key of the request in no epoch. @param recordedKey of the recording that has the answer. @param moment before it was asked */
  noteRequest(
    session: Session,
    key: RequestKey,
    recordedKey: RequestKey,
    moment: Moment
  ): void {
    getOrAdd(this.#requestedInSession, session, () => new Map()).set(key, moment)
    this.#requestedForRecording.set(recordedKey, moment)
  }

  /** True if the wiki was asked for this recording in this run. */
  wasRequested(recordedKey: RequestKey): boolean {
    return this.#requestedForRecording.has(recordedKey)
  }

  /** True if the wiki may answer otherwise by now. What was recorded by an earlier run counts as asked for at the start. */
  haveOutdated(session: Session, key: RequestKey, recorded: Interaction): boolean {
    // In a sequence, other sessions may have got further answers.
    const requestedAt =
      recorded.responses.length > 1
        ? this.#requestedInSession.get(session)?.get(key)
        : this.#requestedForRecording.get(recorded.key)
    return (requestedAt ?? 0) < this.#now
  }

  /** True as long as nothing tells the wiki's state from that of the cassette: no write was sent, and none replayed. */
  get isQuiet(): boolean {
    return this.#now === 0 && this.#unsent.length === 0
  }

  /** The wiki is not as it was recorded: from now on it is asked. */
  noteMoved(): void {
    this.#now += 1
  }

  addUnsent(writeSet: WriteSet): void {
    this.#unsent.push(writeSet)
  }

  /** True if a write that was not sent would have changed the answer. */
  areUnsent(reads: ReadSet): boolean {
    return this.#unsent.some((writeSet) => whyAffected(writeSet, reads) !== undefined)
  }
}
