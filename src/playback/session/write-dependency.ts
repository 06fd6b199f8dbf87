/** Under which keys the answer to a request may stand, as the writes of one session have left the wiki. */
import type { Derivation } from '../../request/derive.ts'
import { afterWrites } from '../../request/scoped-keys.ts'
import { type Dependence, dependenceOf, whyTouched } from '../../wiki/effects/read-set.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { type Session, stateAfter, type Write } from './session.ts'

/** Epochs that are looked through for recordings which name more writes than concern them. */
const longestLook = 50

/** What of a session's past a request depends on. */
export interface Standing {
  /** The request after the writes that may have changed its answer. */
  readonly place: Derivation
  readonly touching: readonly Write[]
  /** Why the last of them may have; undefined where there is none. */
  readonly why: string | undefined
  readonly on: Dependence
}

export function standingOf(derivation: Derivation, session: Session, site: SiteFacts | undefined): Standing {
  const on = dependenceOf(derivation.canonical, derivation.effect, site)
  const touching = session.writes.filter(({ reach }) => whyTouched(reach, on) !== undefined)
  const last = touching.at(-1)
  return {
    place: afterWrites(derivation, stateAfter(touching)),
    touching,
    why: last && whyTouched(last.reach, on),
    on,
  }
}

/** The present place; then, for cassettes that 0.1 made, those that name every write of an epoch as good as the present one. */
export function* placesOf(
  derivation: Derivation,
  session: Session,
  { place, touching }: Standing,
): IterableIterator<Derivation> {
  yield place
  const { writes } = session
  const last = touching.at(-1)
  const oldest = last === undefined ? 1 : writes.lastIndexOf(last) + 1
  for (let count = writes.length; count >= Math.max(oldest, writes.length - longestLook); count -= 1) {
    const older = afterWrites(derivation, stateAfter(writes.slice(0, count)))
    if (older.key !== place.key) yield older
  }
}
