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
  textOf,
} from '../../json/json-tree.ts'
import { singleAnswerOf } from '../../paging/reading/batch.ts'
import type { Derivation } from '../../request/derive.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import { wordSet } from '../../text/words.ts'
import { readSetOf, whyAffected } from '../../wiki/effects/read-set.ts'
import { namedTitles } from '../../wiki/effects/write-set.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { type SessionWrite, sameWrites } from '../session/write-log.ts'
import type { ComposedAnswer } from './composed-answer.ts'
import { recordedWrites, type WriteHistory } from './page-validity.ts'

/** Lists of revisions, each row with its page, newest or oldest first. */
const lists = wordSet('usercontribs')

/** @param recordings in any epoch. @param history writes before this request */
export function composeUnordered(
  { canonical, sentValues }: Derivation,
  recordings: Iterable<Interaction>,
  site: SiteFacts | undefined,
  history: WriteHistory,
): ComposedAnswer | undefined {
  const list = canonical.get('list') ?? ''
  if (!lists.has(list) || site === undefined || history.isOlder) return undefined
  if (
    ['prop', 'generator', 'titles', 'pageids', 'revids'].some((name) =>
      canonical.has(name),
    )
  )
    return undefined
  const request = withoutEpoch(canonical)
  const readSet = readSetOf(request, 'read', site)
  const made = history.writes.filter(
    ({ writeSet }) => whyAffected(writeSet, readSet) !== undefined,
  )
  for (const from of recordings) {
    const isSame =
      sameTexts(withoutEpoch(from.request), request) &&
      sameTexts(from.sentValues, sentValues)
    const body = isSame ? singleAnswerOf(from) : undefined
    const recorded = body && recordedWrites(from.request, history)
    if (body === undefined || recorded === undefined) continue
    if (!sameWrites(recorded, made, false)) continue
    const exchanged = made.filter(({ key }, at) => recorded[at]?.key !== key)
    if (showsNone(body, list, exchanged, site))
      return { kind: 'composed', body, from: [from.key] }
  }
  return undefined
}

const withoutEpoch = (
  request: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> =>
  new Map([...request].filter(([name]) => name !== epochParam))

/** True if no row is of such a write, nor where the list continues. */
function showsNone(
  body: JsonTree,
  list: string,
  exchanged: readonly SessionWrite[],
  site: SiteFacts,
): boolean {
  const rows = itemsAt(body, 'query', list)
  const shown = rows.map((row) => textAt(row, 'title'))
  const pages = namedTitles(
    shown.flatMap((one) => one ?? []),
    site,
  )?.names
  const places = membersAt(body, 'continue').flatMap(({ value }) => textOf(value) ?? [])
  return (
    pages !== undefined &&
    shown.every((one) => one !== undefined) &&
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
