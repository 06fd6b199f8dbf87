/**
 * Props that go on page by page (`extracts`, `pageimages`): a batch fills so many pages as its limit says, from the
 * page on that its continue value names. Turned into rows, one a page, they are listings like any other.
 */

import { type JsonTree, memberAt, memberOf, replaceAt } from '../../json/json-tree.ts'
import { isOdd } from '../../knowledge/module-quirks.ts'
import { type Batch, type Place, startPlace } from './batch.ts'
import type { ListingRequest } from './listing-request.ts'
import { mapPages, type Row } from './row.ts'
import { besideIn, pagesOf, withoutBeside } from './sibling-members.ts'

/** True for a prop that fills pages rather than giving rows. */
export const fillsPages = ({ driver }: ListingRequest): boolean =>
  driver.kind === 'prop' && isOdd('fills-pages', driver.module)

/** True where the order of the pages as written is the one in which they are filled, and nothing else is on them. */
export const isPagewise = (request: ListingRequest): boolean =>
  fillsPages(request) && request.alone && request.formatVersion === '1'

/** The batches with a row for each page that they fill; undefined where that is not what they do. */
export function asPageRows(batches: readonly [Batch, ...Batch[]]): readonly [Batch, ...Batch[]] | undefined {
  const begins = placesOf(batches)
  // One whose beginning is not known shows no rows that could be told.
  const told = batches.filter((batch) => begins.has(batch.at))
  const made = told.flatMap((batch) => {
    const cut = cutPages(batch, begins.get(batch.at) ?? 0)
    return cut === undefined ? [] : [{ ...batch, cut }]
  })
  const [first, ...others] = made
  return first && made.length === told.length ? [first, ...others] : undefined
}

/** How many pages lie before each place that the walk from the start leads to. */
function placesOf(batches: readonly Batch[]): ReadonlyMap<Place, number> {
  const found = new Map<Place, number>([[startPlace, 0]])
  // What is found on the way is gone through, too.
  for (const [place, count] of found) {
    for (const { at, to, allowed } of batches) {
      if (at !== place || to === undefined || allowed === undefined) continue
      if (!found.has(to)) found.set(to, count + allowed)
    }
  }
  return found
}

function cutPages(batch: Batch, from: number): Batch['cut'] | undefined {
  const { cut, allowed } = batch
  const pages = pagesOf(batch)
  const good = pages.flatMap((page, at) => (exists(page) ? [{ page, slot: String(at) }] : []))
  const to = cut.next === undefined ? good.length : from + (allowed ?? 0)
  const filled = good.slice(from, to)
  if (cut.next !== undefined && (allowed === undefined || to >= good.length)) return undefined
  if (cut.next === undefined && allowed !== undefined && filled.length > allowed) return undefined
  const others = pages.filter((page) => !filled.some((one) => one.page === page))
  if (others.some((page) => besideIn(page).length > 0)) return undefined
  const rows = filled.map(({ page, slot }): Row => {
    const item = { kind: 'object', members: besideIn(page) } as const
    return { item, slot, page: withoutBeside(page), spread: true }
  })
  const bare = mapPages(memberAt(cut.frame, 'query', 'pages') ?? cut.frame, withoutBeside)
  return { ...cut, rows, frame: replaceAt(cut.frame, ['query', 'pages'], bare) }
}

const exists = (page: JsonTree): boolean =>
  ['missing', 'invalid', 'special'].every((name) => memberOf(page, name) === undefined)
