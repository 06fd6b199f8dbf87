/** Props whose limit counts pages (`extracts`, `pageimages`): with one row a page they are listings like others. */
import { type JsonTree, memberOf } from '../../json/json-tree.ts'
import { hasQuirk } from '../../knowledge/module-quirks.ts'
import { type Batch, type Batches, type ListingPosition, startPosition } from './batch.ts'
import type { ListingRequest } from './listing-request.ts'
import { type ListingRow, mapFramePages } from './row.ts'
import { pagesOf, siblingsIn, withoutSiblings } from './sibling-members.ts'

export const isPageLimited = ({ driver }: ListingRequest): boolean =>
  driver.kind === 'prop' && hasQuirk('fills-pages', driver.module)

/** True where pages are filled in the order of the response, and nothing else is on them. */
export const isPagewise = (request: ListingRequest): boolean =>
  isPageLimited(request) && request.alone && request.formatVersion === '1'

/** The batches with one row a page; undefined where an answer contradicts that. */
export function asPageRows(batches: Batches): Batches | undefined {
  const pageCounts = pagesBefore(batches)
  // Without its start, the rows of a batch are not known.
  const placed = batches.filter((batch) => pageCounts.has(batch.startsAt))
  const split = placed.flatMap((batch) => {
    const answer = splitPageRows(batch, pageCounts.get(batch.startsAt) ?? 0)
    return answer === undefined ? [] : [{ ...batch, answer }]
  })
  const [first, ...others] = split
  return first && split.length === placed.length ? [first, ...others] : undefined
}

/** The number of pages before each position that the walk from the start reaches. */
function pagesBefore(batches: readonly Batch[]): ReadonlyMap<ListingPosition, number> {
  const found = new Map<ListingPosition, number>([[startPosition, 0]])
  // The loop also visits the positions that it adds.
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
  return { ...answer, rows, frame: mapFramePages(answer.frame, withoutSiblings) }
}

const exists = (page: JsonTree): boolean =>
  ['missing', 'invalid', 'special'].every((name) => memberOf(page, name) === undefined)
