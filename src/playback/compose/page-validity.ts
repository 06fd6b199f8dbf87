/**
 * Pages recorded together after writes of some of them: whether what was said of one of them still holds in a session,
 * whatever became of the others.
 */
import { type Interaction, sameTexts } from '../../cassette/interaction.ts'
import { type CanonicalRequest, parseRequestKey, type RequestKey } from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import { readSetOf, whyAffected } from '../../wiki/effects/read-set.ts'
import type { WriteSet } from '../../wiki/effects/write-set.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import type { SessionWrite } from '../session/session.ts'

/** The writes that a session has made, and what those did that recordings name. */
export interface WriteHistory {
  readonly writes: readonly SessionWrite[]
  /** What a recorded write changed; undefined where the cassette does not tell. */
  readonly writeSetOf: (write: RequestKey) => WriteSet | undefined
}

/**
 * True where the recording was made after the very writes of the session that concern a part of it.
 * @param part the request as it would be for that part alone, a read
 */
function isUnaffected(
  recorded: CanonicalRequest,
  part: CanonicalRequest,
  { writes, writeSetOf }: WriteHistory,
  site: SiteFacts | undefined,
): boolean {
  const readSet = readSetOf(part, 'read', site)
  const writeSets = new Map(writes.map(({ key, writeSet }) => [key, writeSet]))
  const recordedWrites = writesNamed(recorded)?.map((key) => ({
    key,
    writeSet: writeSets.get(key) ?? writeSetOf(key),
  }))
  if (recordedWrites === undefined) return recorded.get(epochParam) === part.get(epochParam)
  const affectingKeys = (
    made: readonly { readonly key: RequestKey; readonly writeSet: WriteSet }[],
  ): string =>
    made
      .filter(({ writeSet }) => whyAffected(writeSet, readSet) !== undefined)
      .map(({ key }) => key)
      .sort()
      .join()
  const known = recordedWrites.flatMap(({ key, writeSet }) =>
    writeSet === undefined ? [] : [{ key, writeSet }],
  )
  return known.length === recordedWrites.length && affectingKeys(known) === affectingKeys(writes)
}

/** Undefined where they are too many to be named one by one. */
function writesNamed(recorded: CanonicalRequest): readonly RequestKey[] | undefined {
  const named = (recorded.get(epochParam) ?? '').split(' ').filter((one) => one !== '')
  const keys = named.flatMap((one) => parseRequestKey(one) ?? [])
  return keys.length === named.length ? keys : undefined
}

/** Equal but for the parameter that names the pages, and for the writes before. */
export function differsOnlyInPages(
  recorded: CanonicalRequest,
  requested: CanonicalRequest,
  by: 'titles' | 'pageids',
): boolean {
  const rest = (request: CanonicalRequest): ReadonlyMap<string, string> =>
    new Map([...request].filter(([name]) => name !== by && name !== epochParam))
  return recorded.has(by) && sameTexts(rest(recorded), rest(requested))
}

/** True where the writes that the session made left one page as it was when recorded. */
export const isPageCurrent = (
  { request }: Interaction,
  requested: CanonicalRequest,
  by: 'titles' | 'pageids',
  page: string,
  history: WriteHistory,
  site: SiteFacts | undefined,
): boolean => isUnaffected(request, new Map([...requested, [by, page]]), history, site)
