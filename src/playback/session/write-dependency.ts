/** Under which keys the answer to a request may stand, as the writes of one session have left the wiki. */
import type { Derivation } from '../../request/derive.ts'
import { keyForEpoch } from '../../request/scoped-keys.ts'
import { type ReadSet, readSetOf, whyAffected } from '../../wiki/effects/read-set.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { epochAfter, type Session, type SessionWrite } from './session.ts'

/** Epochs that are looked through for recordings which name more writes than concern them. */
const maxEpochsTried = 50

/** What of a session's past a request depends on. */
export interface WriteDependency {
  /** The request after the writes that may have changed its answer. */
  readonly scoped: Derivation
  readonly relevantWrites: readonly SessionWrite[]
  /** Why the last of them may have; undefined where there is none. */
  readonly reason: string | undefined
  readonly readSet: ReadSet
}

export function writeDependencyOf(
  derivation: Derivation,
  session: Session,
  site: SiteFacts | undefined,
): WriteDependency {
  const readSet = readSetOf(derivation.canonical, derivation.effect, site)
  const relevantWrites = session.writes.filter(({ writeSet }) => whyAffected(writeSet, readSet) !== undefined)
  const last = relevantWrites.at(-1)
  return {
    scoped: keyForEpoch(derivation, epochAfter(relevantWrites)),
    relevantWrites,
    reason: last && whyAffected(last.writeSet, readSet),
    readSet,
  }
}

/** The present place; then, for cassettes that 0.1 made, those that name every write of an epoch as good as the present one. */
export function* equivalentDerivations(
  derivation: Derivation,
  session: Session,
  { scoped, relevantWrites }: WriteDependency,
): IterableIterator<Derivation> {
  yield scoped
  const { writes } = session
  const last = relevantWrites.at(-1)
  const oldest = last === undefined ? 1 : writes.lastIndexOf(last) + 1
  for (let count = writes.length; count >= Math.max(oldest, writes.length - maxEpochsTried); count -= 1) {
    const older = keyForEpoch(derivation, epochAfter(writes.slice(0, count)))
    if (older.key !== scoped.key) yield older
  }
}
