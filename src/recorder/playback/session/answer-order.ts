/**
 * In which order sessions without a name were answered. Where they got different answers to one request, only this order
 * tells them apart: each *turn* has what came before it.
 */
import { digest, type RequestKey } from '../../request/request-key.ts'
import type { Session } from './session.ts'

/** One answer to a request that was answered differently. */
export interface Turn {
  /** `shared`: out of the recording of all sessions; `another`: out of that of the others. */
  readonly from: 'shared' | 'another'
  /** Its index there. */
  readonly at: number
  readonly session: Session
  /** What was answered before: to this session, and to all of them since the last turn. */
  readonly after: string
}

/** More answers before a turn are not compared. */
const maxEntries = 1000

export class AnswerOrder {
  /** Answers that were no reads: of all these sessions, and of each. */
  #all: RequestKey[] = []
  #dropped = 0
  readonly #bySession = new WeakMap<Session, RequestKey[]>()

  get length(): number {
    return this.#dropped + this.#all.length
  }

  add(session: Session, key: RequestKey): void {
    const own = this.#bySession.get(session) ?? []
    this.#bySession.set(session, [...own.slice(1 - maxEntries), key])
    this.#all.push(key)
    if (this.#all.length <= 2 * maxEntries) return

    const total = this.length
    this.#all = this.#all.slice(-maxEntries)
    this.#dropped = total - maxEntries
  }

  /** @param last how many answers there were at the last turn; undefined at the first */
  before(session: Session, last: number | undefined): string {
    const own = this.#bySession.get(session) ?? []
    const others =
      last === undefined ? [] : this.#all.slice(Math.max(0, last - this.#dropped))
    return digest([...own, '|', ...others].join(' '), 8)
  }
}

/** Turns as a recording has them, each with the number of its session. */
export function writeTurns(turns: readonly Turn[]): readonly string[] {
  const sessions = [...new Set(turns.map(({ session }) => session))]
  return turns.map(
    ({ from, at, session, after }) =>
      `${from} ${at} ${sessions.indexOf(session)} ${after}`
  )
}

export interface RecordedTurn extends Omit<Turn, 'session'> {
  readonly session: number
}

/** The turn that is next; undefined where the requests come in another order than recorded. @param taken those of this replay */
export function nextTurn(
  recorded: readonly string[],
  used: readonly Session[],
  session: Session,
  after: string
): RecordedTurn | undefined {
  const turns = recorded.flatMap((text) => readTurn(text) ?? [])
  const turn = turns[used.length]
  if (
    turns.length < recorded.length ||
    !turn ||
    (turn.after !== '' && turn.after !== after)
  )
    return undefined
  const numbers = [...new Set(used)]
  const number = numbers.includes(session) ? numbers.indexOf(session) : numbers.length
  return number === turn.session ? turn : undefined
}

function readTurn(text: string): RecordedTurn | undefined {
  const [, from, at = '', session = '', after = ''] =
    /^(shared|another) (\d{1,9}) (\d{1,9}) ([0-9a-f]{8})?$/.exec(text) ?? []
  if (from !== 'shared' && from !== 'another') return undefined
  return { from, at: Number(at), session: Number(session), after }
}
