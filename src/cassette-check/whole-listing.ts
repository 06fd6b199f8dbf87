/** Hands drift a recorded listing without its paging: all items in order, where the recording has them all. */
import type { WholeListing } from '../drift/inputs/cassette-side.ts'
import { type JsonTree, memberAt, membersOf, textOf } from '../json/json-tree.ts'
import { writeCompact } from '../json/write-json.ts'
import type { Listing } from '../paging/joining/listing.ts'
import { type Batch, keysOf } from '../paging/reading/batch.ts'
import { paramsIn } from '../paging/reading/listing-request.ts'
import { fillPage, groupRows, mapPages, type Row } from '../paging/reading/row.ts'
import { withBeside } from '../paging/reading/sibling-members.ts'
import { arrayHole, groupsHole, rowsHole } from '../paging/reading/split-answer.ts'
import { grouped } from '../text/group-by.ts'

/** Undefined where items are missing, or where it is not certain which there are. */
export function wholeListing(listing: Listing): WholeListing | undefined {
  const { batches, runs, places, conflicts, unclear } = listing
  const at = runs.findIndex((run) => run.start && run.end && run.rows.every((row) => row !== undefined))
  const rows = runs[at]?.rows.flatMap((one) => one?.row ?? [])
  if (conflicts.length > 0 || rows === undefined) return undefined
  const inRun = batches.filter((batch) => places.get(batch.at)?.run === at && !unclear.includes(batch.key))
  const placed = placeItems(listing, inRun, rows)
  if (placed === undefined) return undefined
  return {
    // Paging names a listing by the request less limit, start and continuation.
    request: new Map(paramsIn(listing.identity)),
    ...placed,
    batches: new Set(inRun.flatMap(keysOf)),
  }
}

type Placed = Pick<WholeListing, 'path' | 'items'>

function placeItems(listing: Listing, batches: readonly Batch[], rows: readonly Row[]): Placed | undefined {
  const [first] = batches
  if (first === undefined) return undefined
  switch (listing.driver.kind) {
    case 'list': {
      const hole = holeIn(first.cut.frame)
      const items = hole?.grouped === true ? groupRows(rows, listing.followers) : rows.map(({ item }) => item)
      return hole && { path: hole.path, items }
    }
    case 'generator':
      return { path: ['query', 'pages'], items: rows.map(({ item }) => withoutIndex(item)) }
    case 'prop':
      // What else a prop says of a page may stand in one batch and not in the next.
      return listing.foreign ? undefined : pagesOf(listing, first, rows)
  }
}

interface Hole {
  readonly path: readonly string[]
  readonly grouped: boolean
}

/** Where the rows were cut out. */
function holeIn(frame: JsonTree, path: readonly string[] = []): Hole | undefined {
  if (frame === arrayHole || frame === rowsHole || frame === groupsHole)
    return { path, grouped: frame === groupsHole }
  for (const { key, value } of membersOf(frame)) {
    const hole = holeIn(value, [...path, key])
    if (hole !== undefined) return hole
  }
  return undefined
}

/** A page's number inside of its batch says nothing of the page. */
const withoutIndex = (page: JsonTree): JsonTree =>
  page.kind === 'object'
    ? { kind: 'object', members: page.members.filter(({ key }) => key !== 'index') }
    : page

/** Every page asked for, each with all of its rows. */
function pagesOf({ driver, followers, beside }: Listing, first: Batch, rows: readonly Row[]): Placed {
  const byPage = grouped(rows, ({ page }) => nameOf(page))
  const items: JsonTree[] = []
  mapPages(memberAt(first.cut.frame, 'query', 'pages') ?? { kind: 'array', items: [] }, (page) => {
    const rowsOfPage = byPage.get(nameOf(page)) ?? []
    items.push(fillPage(withBeside(page, beside), driver.module, rowsOfPage, followers))
    return page
  })
  return { path: ['query', 'pages'], items }
}

const nameOf = (page: JsonTree | undefined): string =>
  page === undefined ? '' : (textOf(memberAt(page, 'title')) ?? writeCompact(page, 'utf8'))
