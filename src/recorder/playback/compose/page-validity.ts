/** Whether a recorded answer, or a part of it, still holds after the writes of a session. */

import type { Interaction } from '../../cassette/interaction.ts'
import type { JsonTree } from '../../json/json-tree.ts'
import type { CanonicalRequest, RequestKey } from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import { mapAll } from '../../text/group-by.ts'
import { type ReadSet, readSetOf } from '../../wiki/effects/read-set.ts'
import type { WriteSet } from '../../wiki/effects/write-set.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { namedWrites } from '../lookup/named-writes.ts'
import {
  type SessionWrite,
  sameWrites,
  sortedByKey,
  writesAffecting
} from '../session/write-log.ts'
import type { PageParam } from './composed-answer.ts'
import { isUntouched } from './untouched-page.ts'

/** The writes of a session, and the write sets of those that recordings name. */
export interface WriteHistory {
  readonly writes: readonly SessionWrite[]
  /** Undefined where the cassette does not tell. */
  readonly writeSetOf: (write: RequestKey) => WriteSet | undefined
  /** True of a cassette of an older version: the order of writes is unknown. */
  readonly isOlder: boolean
}

/** The writes of a recording's epoch; undefined if the cassette does not tell what one of them was. */
export function recordedWrites(
  recorded: CanonicalRequest,
  { writes, writeSetOf }: WriteHistory
): readonly SessionWrite[] | undefined {
  const named = namedWrites(recorded)
  const writeSets = new Map(writes.map(({ key, writeSet }) => [key, writeSet]))
  const made = (key: RequestKey) => {
    const writeSet = writeSets.get(key) ?? writeSetOf(key)
    return writeSet && { key, writeSet }
  }
  return named && mapAll(named, made)
}

/** A page that was recorded, alone or among others. */
export interface RecordedPart {
  readonly from: Interaction
  /** The present request; for this page its parameter `by` is replaced by `page`. */
  readonly requested: CanonicalRequest
  readonly by: PageParam
  readonly page: string
  /** As it was recorded, if that may prove it. */
  readonly shown?: JsonTree | undefined
}

/**
 * True if a page of a recorded answer still holds in a session: after the same writes, of those that may affect this page,
 * whatever they did to the others; or if the page itself proves it.
 */
export function isPageCurrent(
  { from: { request }, requested, by, page, shown }: RecordedPart,
  history: WriteHistory,
  site: SiteFacts | undefined
): boolean {
  const readSet = readSetOf(new Map([...requested, [by, page]]), 'read', site)
  if (isCurrent(request, requested, readSet, history)) return true
  const recorded = recordedWrites(request, history)
  if (!recorded || !shown || !site || history.isOlder) return false
  return isUntouched({
    page: shown,
    requested,
    recorded: writesAffecting(recorded, readSet),
    made: writesAffecting(history.writes, readSet),
    site
  })
}

/** True of an answer that was recorded after the same writes, of those that may change what it shows. */
export function isCurrent(
  recorded: CanonicalRequest,
  requested: CanonicalRequest,
  readSet: ReadSet,
  history: WriteHistory
): boolean {
  const writes = recordedWrites(recorded, history)
  if (!writes) return recorded.get(epochParam) === requested.get(epochParam)
  const past = writesAffecting(writes, readSet)
  const made = writesAffecting(history.writes, readSet)
  return history.isOlder
    ? sameWrites(sortedByKey(past), sortedByKey(made))
    : sameWrites(past, made, readSet.isOrdered)
}
