/** Reads that are on their way while their session writes: nothing tells on which side of the write the wiki answered. */
import type { Session } from '../playback/session.ts'
import { type Dependence, whyTouched } from '../wiki/dependence.ts'
import { type Reach, reachOf } from '../wiki/reach.ts'
import type { SiteFacts } from '../wiki/site.ts'
import type { Question } from './question.ts'

interface Read {
  readonly on: Dependence
  beside: boolean
}

/** What of one session is on its way to the wiki. */
interface UnderWay {
  readonly writes: Set<Reach>
  readonly reads: Set<Read>
}

/** One request on its way. */
export interface Passage {
  /** Why its answer may be from before or after a write that can have changed it; undefined where it is certain. */
  readonly doubt: () => string | undefined
  /** It has been answered, and the session has learned from it. */
  readonly end: () => void
}

const touches = (reach: Reach, { on }: Read): boolean => whyTouched(reach, on) !== undefined

export class Races {
  readonly #sessions = new WeakMap<Session, UnderWay>()

  begin({ session, derivation, standing }: Question, site: SiteFacts | undefined): Passage {
    const known = this.#sessions.get(session)
    const underWay = known ?? { writes: new Set(), reads: new Set() }
    this.#sessions.set(session, underWay)
    switch (derivation.effect) {
      case 'read':
        return beginRead(underWay, standing.on)
      case 'write':
        return beginWrite(underWay, reachOf(derivation.canonical, [], [], site))
      case 'session':
        return { doubt: () => undefined, end: () => undefined }
    }
  }
}

function beginRead({ writes, reads }: UnderWay, on: Dependence): Passage {
  const read: Read = { on, beside: false }
  read.beside = [...writes].some((reach) => touches(reach, read))
  reads.add(read)
  return {
    doubt: () =>
      read.beside
        ? 'a write of the same session was under way, and nothing tells whether this is from before or after it'
        : undefined,
    end: () => void reads.delete(read),
  }
}

function beginWrite({ writes, reads }: UnderWay, reach: Reach): Passage {
  writes.add(reach)
  for (const read of reads) read.beside ||= touches(reach, read)
  return { doubt: () => undefined, end: () => void writes.delete(reach) }
}
