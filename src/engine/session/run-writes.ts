/** While recording: the run's writes. One that was sent outdates recordings of other sessions; one that was replayed, the wiki. */
import type { Interaction } from '../../cassette/interaction.ts'
import type { Session } from '../../playback/session/session.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { type ReadSet, whyAffected } from '../../wiki/effects/read-set.ts'
import type { WriteSet } from '../../wiki/effects/write-set.ts'

interface RunWrite {
  /** That sent it: their own epochs say what it has changed. */
  readonly sessions: readonly Session[]
  readonly writeSet: WriteSet
  readonly isReplayed: boolean
}

export class RunWrites {
  readonly #writes: RunWrite[] = []
  /** How many writes there were when the wiki was last asked: for each recording, and for each request of a session. */
  readonly #writesBeforeRecording = new Map<RequestKey, number>()
  readonly #writesBeforeRequest = new WeakMap<Session, Map<RequestKey, number>>()

  add(write: RunWrite): void {
    this.#writes.push(write)
  }

  /** @param key of the request in no epoch. @param recordedKey of the recording that has the answer */
  noteLiveRequest(session: Session, key: RequestKey, recordedKey: RequestKey): void {
    getOrAdd(this.#writesBeforeRequest, session, () => new Map()).set(key, this.#writes.length)
    this.#writesBeforeRecording.set(recordedKey, this.#writes.length)
  }

  /** True where another session has written since the wiki was last asked for this answer, and may have changed it. */
  haveOutdated(session: Session, key: RequestKey, reads: ReadSet, recorded: Interaction): boolean {
    const earlier =
      recorded.responses.length > 1
        ? this.#writesBeforeRequest.get(session)?.get(key)
        : this.#writesBeforeRecording.get(recorded.key)
    return this.#writes
      .slice(earlier ?? 0)
      .some((one) => !one.isReplayed && !one.sessions.includes(session) && affects(one, reads))
  }

  /** True where a write that was not sent would have changed the answer. */
  areUnsent(reads: ReadSet): boolean {
    return this.#writes.some((one) => one.isReplayed && affects(one, reads))
  }
}

const affects = ({ writeSet }: RunWrite, reads: ReadSet): boolean =>
  whyAffected(writeSet, reads) !== undefined
