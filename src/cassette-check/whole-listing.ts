/** A recorded listing without its paging, for drift: all items in order, where the recording has them all. */
import type { WholeListing } from '../drift/inputs/cassette-side.ts'
import { type JsonTree, memberAt, membersOf, textOf, withoutMember } from '../json/json-tree.ts'
import { writeCompact } from '../json/write-json.ts'
import type { Listing } from '../paging/joining/listing.ts'
import { type Batch, recordedKeysOf } from '../paging/reading/batch.ts'
import { identityParams } from '../paging/reading/listing-request.ts'
import { withSiblings } from '../paging/reading/page-members.ts'
import { fillPage, groupRows, type ListingRow, mapPages } from '../paging/reading/row.ts'
import { arrayHole, groupsHole, rowsHole } from '../paging/reading/split-answer.ts'
import { groupBy } from '../text/group-by.ts'

/** Undefined where items are missing, or where it is not certain which there are. */
export function wholeListing(listing: Listing): WholeListing | undefined {
  const { batches, runs, positions, conflicts, unclear } = listing
  const whole = runs.find((run) => run.start && run.end && run.rows.every((row) => row !== undefined))
  const rows = whole?.rows.flatMap((one) => one?.row ?? [])
  const usedBatches = batches.filter(
    (batch) => positions.get(batch.startsAt)?.run === whole && !unclear.includes(batch.key),
  )
  const [first] = usedBatches
  if (conflicts.length > 0 || rows === undefined || first === undefined) return undefined
  const located = listingItems(listing, first, rows)
  if (located === undefined) return undefined
  return {
    // The request without limit, start and continuation.
    request: new Map(identityParams(listing.identity)),
    ...located,
    batches: new Set(usedBatches.flatMap(recordedKeysOf)),
  }
}

type ListingItems = Pick<WholeListing, 'path' | 'items'>

function listingItems(listing: Listing, first: Batch, rows: readonly ListingRow[]): ListingItems | undefined {
  switch (listing.driver.kind) {
    case 'list': {
      const hole = findRowHole(first.answer.frame)
      const items = hole?.grouped === true ? groupRows(rows, listing.followers) : rows.map(({ item }) => item)
      return hole && { path: hole.path, items }
    }
    case 'generator':
      // A page's number within its batch is no fact about the page.
      return { path: ['query', 'pages'], items: rows.map(({ item }) => withoutMember(item, 'index')) }
    case 'prop':
      // Other members of a page may be in one batch and not in the next.
      return listing.foreign ? undefined : pageItems(listing, first, rows)
  }
}

/** Where the rows were taken out of the frame. */
function findRowHole(
  frame: JsonTree,
  path: readonly string[] = [],
): { readonly path: readonly string[]; readonly grouped: boolean } | undefined {
  if (frame === arrayHole || frame === rowsHole || frame === groupsHole)
    return { path, grouped: frame === groupsHole }
  for (const { key, value } of membersOf(frame)) {
    const hole = findRowHole(value, [...path, key])
    if (hole !== undefined) return hole
  }
  return undefined
}

function pageItems(
  { driver, followers, siblings }: Listing,
  first: Batch,
  rows: readonly ListingRow[],
): ListingItems {
  const byPage = groupBy(rows, ({ page }) => pageName(page))
  const items: JsonTree[] = []
  mapPages(memberAt(first.answer.frame, 'query', 'pages') ?? { kind: 'array', items: [] }, (page) => {
    const rowsOfPage = byPage.get(pageName(page)) ?? []
    items.push(fillPage(withSiblings(page, siblings), driver.module, rowsOfPage, followers))
    return page
  })
  return { path: ['query', 'pages'], items }
}

const pageName = (page: JsonTree | undefined): string =>
  page === undefined ? '' : (textOf(memberAt(page, 'title')) ?? writeCompact(page, 'utf8'))
