/**
 * Whether a part of a recorded answer still holds in a session: only writes that affect this part count, whatever they
 * did to the others.
 */
import { type Interaction, sameTexts } from '../../cassette/interaction.ts'
import { type CanonicalRequest, parseRequestKey, type RequestKey } from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import { readSetOf, whyAffected } from '../../wiki/effects/read-set.ts'
import type { WriteSet } from '../../wiki/effects/write-set.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import type { SessionWrite } from '../session/session.ts'
import type { PageParam } from './composed-answer.ts'

/** The writes of a session, and the write sets of those that recordings name. */
export interface WriteHistory {
  readonly writes: readonly SessionWrite[]
  /** Undefined where the cassette does not tell. */
  readonly writeSetOf: (write: RequestKey) => WriteSet | undefined
}

/**
 * True where the recorded and the present epoch have the same writes that affect one page.
 * @param requested the present request; for the page, its parameter `by` is replaced by `page`
 */
export function isPageCurrent(
  { request: recorded }: Interaction,
  requested: CanonicalRequest,
  by: PageParam,
  page: string,
  { writes, writeSetOf }: WriteHistory,
  site: SiteFacts | undefined,
): boolean {
  const named = writesNamed(recorded)
  if (named === undefined) return recorded.get(epochParam) === requested.get(epochParam)
  const writeSets = new Map(writes.map(({ key, writeSet }) => [key, writeSet]))
  const known = named.flatMap((key) => {
    const writeSet = writeSets.get(key) ?? writeSetOf(key)
    return writeSet === undefined ? [] : [{ key, writeSet }]
  })
  const readSet = readSetOf(new Map([...requested, [by, page]]), 'read', site)
  const affecting = (made: readonly SessionWrite[]): string =>
    made
      .filter(({ writeSet }) => whyAffected(writeSet, readSet) !== undefined)
      .map(({ key }) => key)
      .sort()
      .join()
  return known.length === named.length && affecting(known) === affecting(writes)
}

/** Undefined where they are too many to be named. */
function writesNamed(recorded: CanonicalRequest): readonly RequestKey[] | undefined {
  const named = (recorded.get(epochParam) ?? '').split(' ').filter((one) => one !== '')
  const keys = named.flatMap((one) => parseRequestKey(one) ?? [])
  return keys.length === named.length ? keys : undefined
}

/** True where two requests are equal but for their pages and epochs. */
export function differsOnlyInPages(
  recorded: CanonicalRequest,
  requested: CanonicalRequest,
  by: PageParam,
): boolean {
  const rest = (request: CanonicalRequest): ReadonlyMap<string, string> =>
    new Map([...request].filter(([name]) => name !== by && name !== epochParam))
  return recorded.has(by) && sameTexts(rest(recorded), rest(requested))
}
