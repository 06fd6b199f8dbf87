/** On replay: how far sessions without a name have come in the order in which they were recorded. */
import type { Interaction } from '../../cassette/interaction.ts'
import {
  AnswerOrder,
  nextTurn,
  type RecordedTurn
} from '../../playback/session/answer-order.ts'
import type { Session } from '../../playback/session/session.ts'
import type { RequestKey } from '../../request/request-key.ts'

interface UsedTurns {
  readonly sessions: readonly Session[]
  /** How many answers there were at the last of them. */
  readonly last: number | undefined
}

const none: UsedTurns = { sessions: [], last: undefined }

export class NamelessTurns {
  readonly #order = new AnswerOrder()
  readonly #used = new Map<RequestKey, UsedTurns>()

  /** @param another the recording of those sessions whose answer differs from the shared one */
  next({ key, turns = [] }: Interaction, session: Session): RecordedTurn | undefined {
    const { sessions, last } = this.#takenFor(key, turns.length, session)
    return nextTurn(turns, sessions, session, this.#order.before(session, last))
  }

  /** Notes an answer. @param turns of which it was the next, if any */
  note(
    session: Session,
    key: RequestKey,
    isRead: boolean,
    turns: Interaction | undefined
  ): void {
    if (!isRead) this.#order.add(session, key)
    if (!turns) return
    const { sessions } = this.#takenFor(turns.key, turns.turns?.length ?? 0, session)
    this.#used.set(turns.key, {
      sessions: [...sessions, session],
      last: this.#order.length
    })
  }

  /** Once all have had their turns, new sessions begin anew. */
  #takenFor(key: RequestKey, count: number, session: Session) {
    const used = this.#used.get(key) ?? none
    const isOver = used.sessions.length >= count && !used.sessions.includes(session)
    return isOver ? none : used
  }
}
