/**
 * What is answered alike whoever asks, however often, and whatever was asked before: several processes may answer it,
 * none of which knows of the others (workers/).
 */
import { membersOfBody } from '../cassette/body.ts'
import type { RecordedResponse } from '../cassette/interaction.ts'
import { membersOf } from '../json/tree.ts'
import { standingOf } from '../playback/places.ts'
import { derive } from '../request/derive.ts'
import type { RequestKey } from '../request/key.ts'
import type { Store } from '../store/store.ts'
import { factsOf } from './describe.ts'
import type { Exchange } from './exchange.ts'
import { type LookUpOptions, lookUp } from './look-up.ts'
import { inPresent, type Question } from './question.ts'
import type { RecordedMatch } from './recorder.ts'
import type { Sessions } from './sessions.ts'
import { understand } from './wiki-request.ts'

export interface Free {
  readonly question: Question
  readonly match: RecordedMatch
  /** The recordings that were looked into. */
  readonly rests: readonly RequestKey[]
}

/**
 * The recording that answers a plain GET of nobody in particular; undefined where the answer hangs on anything else, or
 * leaves something behind. Nothing is done and nothing said of it.
 * @param vouched true where it is known that the same request got this very answer, and would get it again
 * @param known a recording that was just read
 */
export function findFree(
  exchange: Exchange,
  store: Store,
  sessions: Sessions,
  vouched: boolean,
  known?: LookUpOptions['known'],
): Free | undefined {
  const question = freeQuestion(exchange, store, sessions)
  if (question === undefined) return undefined
  // What cannot be read is nobody's answer here, and no recording is looked for in other epochs.
  const { match, rests } = lookUp(question, store, { known })
  return match.kind === 'recorded' && isFree(question, match, vouched)
    ? { question, match, rests }
    : undefined
}

function freeQuestion(exchange: Exchange, store: Store, sessions: Sessions): Question | undefined {
  const understood = understand(exchange, (headers, params) => sessions.identityOf(headers, params))
  const { request } = understood
  if (request.kind === 'api' && request.unread !== undefined) return undefined
  const derivation = derive(request, factsOf(store))
  const session = sessions.common
  const standing = standingOf(derivation, session, store.manifest.site)
  return inPresent({ exchange, understood, derivation, session, standing })
}

/** No turn of a sequence, no cookie; and unless somebody vouches for it no token and no step of a walk. */
function isFree(
  { derivation }: Question,
  { interaction, response }: RecordedMatch,
  vouched: boolean,
): boolean {
  if (interaction.responses.length > 1 || response.cookies.length > 0) return false
  return vouched || (derivation.effect === 'read' && derivation.tokenTypes.size === 0 && !leadsOn(response))
}

const leadsOn = ({ body }: RecordedResponse): boolean =>
  body.kind === 'json' && membersOf(membersOfBody(body, ['continue', 'query-continue'])).length > 0
