/**
 * Pages recorded together after writes of some of them: whether what was said of one of them still holds in a session,
 * whatever became of the others.
 */
import { type Interaction, sameTexts } from '../../cassette/interaction.ts'
import { asRequestKey, type CanonicalRequest, type RequestKey } from '../../request/request-key.ts'
import { stateName } from '../../request/scoped-keys.ts'
import { dependenceOf, whyTouched } from '../../wiki/effects/read-set.ts'
import type { Reach } from '../../wiki/effects/write-set.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import type { Write } from '../session/session.ts'

/** The writes that a session has made, and what those did that recordings name. */
export interface Past {
  readonly writes: readonly Write[]
  /** What a recorded write changed; undefined where the cassette does not tell. */
  readonly reachOf: (write: RequestKey) => Reach | undefined
}

/**
 * True where the recording was made after the very writes of the session that concern a part of it.
 * @param part the request as it would be for that part alone, a read
 */
function stillHolds(
  recorded: CanonicalRequest,
  part: CanonicalRequest,
  { writes, reachOf }: Past,
  site: SiteFacts | undefined,
): boolean {
  const on = dependenceOf(part, 'read', site)
  const own = new Map(writes.map(({ key, reach }) => [key, reach]))
  const then = writesNamed(recorded)?.map((key) => ({ key, reach: own.get(key) ?? reachOf(key) }))
  if (then === undefined) return recorded.get(stateName) === part.get(stateName)
  const concerning = (made: readonly { readonly key: RequestKey; readonly reach: Reach }[]): string =>
    made
      .filter(({ reach }) => whyTouched(reach, on) !== undefined)
      .map(({ key }) => key)
      .sort()
      .join()
  const known = then.flatMap(({ key, reach }) => (reach === undefined ? [] : [{ key, reach }]))
  return known.length === then.length && concerning(known) === concerning(writes)
}

/** Undefined where they are too many to be named one by one. */
function writesNamed(recorded: CanonicalRequest): readonly RequestKey[] | undefined {
  const named = (recorded.get(stateName) ?? '').split(' ').filter((one) => one !== '')
  const keys = named.flatMap((one) => asRequestKey(one) ?? [])
  return keys.length === named.length ? keys : undefined
}

/** Equal but for the parameter that names the pages, and for the writes before. */
export function isAlike(
  recorded: CanonicalRequest,
  asked: CanonicalRequest,
  by: 'titles' | 'pageids',
): boolean {
  const rest = (request: CanonicalRequest): ReadonlyMap<string, string> =>
    new Map([...request].filter(([name]) => name !== by && name !== stateName))
  return recorded.has(by) && sameTexts(rest(recorded), rest(asked))
}

/** True where the writes that the session made left one page as it was when recorded. */
export const partHolds = (
  { request }: Interaction,
  asked: CanonicalRequest,
  by: 'titles' | 'pageids',
  page: string,
  past: Past,
  site: SiteFacts | undefined,
): boolean => stillHolds(request, new Map([...asked, [by, page]]), past, site)
