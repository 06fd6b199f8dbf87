/**
 * A list of what was done, recorded after the same writes in another order. Edits of two pages that were exchanged stand in
 * another order in it, but what is before and behind them is the same. Source: ApiQueryUserContribs and its like, which sort
 * by time and id, MediaWiki 1.35 to 1.43.
 */

import { type Interaction, sameTexts } from '../../cassette/interaction.ts'
import {
  itemsAt,
  type JsonTree,
  membersAt,
  textAt,
  textOf
} from '../../json/json-tree.ts'
import { singleAnswerOf } from '../../paging/reading/batch.ts'
import { pageParams } from '../../paging/reading/driver.ts'
import type { Derivation } from '../../request/derive.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import { readSetOf } from '../../wiki/effects/read-set.ts'
import { namedTitles } from '../../wiki/effects/write-set.ts'
import { withoutParams } from '../../wiki/parameters/request-params.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { type SessionWrite, sameWrites, writesAffecting } from '../session/write-log.ts'
import { type ComposedAnswer, composedFrom } from './composed-answer.ts'
import { recordedWrites, type WriteHistory } from './page-validity.ts'

/** A list of revisions, each row with its page, newest or oldest first. */
const orderedList = 'usercontribs'

/** @param recordings in any epoch. @param history writes before this request */
export function composeUnordered(
  { canonical, sentValues }: Derivation,
  recordings: Iterable<Interaction>,
  site: SiteFacts | undefined,
  history: WriteHistory
): ComposedAnswer | undefined {
  const list = canonical.get('list') ?? ''
  const isWider = ['prop', 'generator', ...pageParams].some((name) => canonical.has(name))
  if (list !== orderedList || isWider || !site || history.isOlder) return undefined
  const request = withoutParams(canonical, epochParam)
  const made = writesAffecting(history.writes, readSetOf(request, 'read', site))
  for (const from of recordings) {
    const isSame =
      sameTexts(withoutParams(from.request, epochParam), request) &&
      sameTexts(from.sentValues, sentValues)
    const body = isSame ? singleAnswerOf(from) : undefined
    const recorded = body && recordedWrites(from.request, history)
    if (!body || !recorded) continue
    if (!sameWrites(recorded, made, false)) continue
    const exchanged = made.filter(({ key }, at) => recorded[at]?.key !== key)
    if (showsNone(body, exchanged, site)) return composedFrom(body, [{ from }])
  }
  return undefined
}

/** True if no row is of such a write, nor where the list continues. */
function showsNone(body: JsonTree, exchanged: readonly SessionWrite[], site: SiteFacts) {
  const rows = itemsAt(body, 'query', orderedList)
  const titles = rows.flatMap((row) => textAt(row, 'title') ?? [])
  const pages = namedTitles(titles, site)?.names
  const places = membersAt(body, 'continue').flatMap(({ value }) => textOf(value) ?? [])
  return (
    pages !== undefined &&
    titles.length === rows.length &&
    exchanged.every(({ writeSet }) => {
      if (writeSet.kind !== 'pages' || writeSet.at === undefined) return false
      const time = writeSet.at.replace(/\D/g, '')
      return (
        ![...writeSet.titles].some((one) => pages.has(one)) &&
        !places.some((one) => one.includes(time))
      )
    })
  )
}
