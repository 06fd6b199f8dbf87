/**
 * Props that go on page by page (`extracts`, `pageimages`): a batch fills so many pages as its limit says, from the
 * page on that its continue value names. Turned into rows, one a page, they are listings like any other.
 */

import { type JsonTree, memberAt, memberOf, replaceAt } from '../../json/json-tree.ts'
import { hasQuirk } from '../../knowledge/module-quirks.ts'
import { type Batch, type ListingPosition, startPosition } from './batch.ts'
import type { ListingRequest } from './listing-request.ts'
import { type ListingRow, mapPages } from './row.ts'
import { pagesOf, siblingsIn, withoutSiblings } from './sibling-members.ts'

/** True for a prop that fills pages rather than giving rows. */
export const isPageLimited = ({ driver }: ListingRequest): boolean =>
  driver.kind === 'prop' && hasQuirk('fills-pages', driver.module)

/** True where the order of the pages as written is the one in which they are filled, and nothing else is on them. */
export const isPagewise = (request: ListingRequest): boolean =>
  isPageLimited(request) && request.alone && request.formatVersion === '1'

/** The batches with a row for each page that they fill; undefined where that is not what they do. */
export function asPageRows(batches: readonly [Batch, ...Batch[]]): readonly [Batch, ...Batch[]] | undefined {
  const pageCounts = pagesBefore(batches)
  // One whose beginning is not known shows no rows that could be told.
  const placed = batches.filter((batch) => pageCounts.has(batch.startsAt))
  const split = placed.flatMap((batch) => {
    const answer = splitPageRows(batch, pageCounts.get(batch.startsAt) ?? 0)
    return answer === undefined ? [] : [{ ...batch, answer }]
  })
  const [first, ...others] = split
  return first && split.length === placed.length ? [first, ...others] : undefined
}

/** How many pages lie before each place that the walk from the start leads to. */
function pagesBefore(batches: readonly Batch[]): ReadonlyMap<ListingPosition, number> {
  const found = new Map<ListingPosition, number>([[startPosition, 0]])
  // What is found on the way is gone through, too.
  for (const [position, count] of found) {
    for (const { startsAt, continuesAt, allowedRows } of batches) {
      if (startsAt !== position || continuesAt === undefined || allowedRows === undefined) continue
      if (!found.has(continuesAt)) found.set(continuesAt, count + allowedRows)
    }
  }
  return found
}

function splitPageRows(batch: Batch, from: number): Batch['answer'] | undefined {
  const { answer, allowedRows } = batch
  const pages = pagesOf(batch)
  const good = pages.flatMap((page, at) => (exists(page) ? [{ page, slot: String(at) }] : []))
  const to = answer.next === undefined ? good.length : from + (allowedRows ?? 0)
  const filled = good.slice(from, to)
  if (answer.next !== undefined && (allowedRows === undefined || to >= good.length)) return undefined
  if (answer.next === undefined && allowedRows !== undefined && filled.length > allowedRows) return undefined
  const others = pages.filter((page) => !filled.some((one) => one.page === page))
  if (others.some((page) => siblingsIn(page).length > 0)) return undefined
  const rows = filled.map(({ page, slot }): ListingRow => {
    const item = { kind: 'object', members: siblingsIn(page) } as const
    return { item, slot, page: withoutSiblings(page), spread: true }
  })
  const bare = mapPages(memberAt(answer.frame, 'query', 'pages') ?? answer.frame, withoutSiblings)
  return { ...answer, rows, frame: replaceAt(answer.frame, ['query', 'pages'], bare) }
}

const exists = (page: JsonTree): boolean =>
  ['missing', 'invalid', 'special'].every((name) => memberOf(page, name) === undefined)
