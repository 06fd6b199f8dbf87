/** A whole cassette in memory, as a side of a drift comparison: its listings without their paging. */
import path from 'node:path'
import {
  decodeTraffic,
  requestsFile
} from '../../recorder/cassette/format/traffic-file.ts'
import type { Interaction } from '../../recorder/cassette/interaction.ts'
import { folderOf } from '../../recorder/cassette/interaction-path.ts'
import { wikiFactsOf } from '../../recorder/engine/call.ts'
import {
  type JsonTree,
  memberAt,
  memberOf,
  membersOf,
  textAt,
  withoutMember
} from '../../recorder/json/json-tree.ts'
import { toPlain } from '../../recorder/json/plain-json.ts'
import { faultText, readJson } from '../../recorder/json/read-json.ts'
import { writeCompact } from '../../recorder/json/write-json.ts'
import type { Listing } from '../../recorder/paging/joining/listing.ts'
import { readListings } from '../../recorder/paging/joining/listings.ts'
import { type Batch, recordedKeysOf } from '../../recorder/paging/reading/batch.ts'
import { identityParams } from '../../recorder/paging/reading/listing-request.ts'
import { withSiblings } from '../../recorder/paging/reading/page-members.ts'
import {
  fillPage,
  groupRows,
  type ListingRow,
  mapPages
} from '../../recorder/paging/reading/row.ts'
import {
  arrayPlace,
  groupsPlace,
  rowsPlace
} from '../../recorder/paging/reading/split-answer.ts'
import type { WikiFacts } from '../../recorder/request/derive.ts'
import { CassetteStore } from '../../recorder/store/cassette-store.ts'
import { isInside } from '../../recorder/store/files/paths-inside.ts'
import { readText } from '../../recorder/store/files/whole-files.ts'
import { StoreError } from '../../recorder/store/store-error.ts'
import { groupBy } from '../../recorder/text/group-by.ts'
import { describedByField } from '../../recorder/wiki/modules/module-descriptions.ts'
import type { CassetteSide, WholeListing } from './cassette-side.ts'

export interface LoadedSide {
  readonly dir: string
  readonly side: CassetteSide
  readonly facts: WikiFacts
}

/** Loads a cassette. Unreadable files become faults of the side: the comparison is then incomplete. @throws StoreError */
export function loadSide(dir: string, name: string = dir): LoadedSide {
  const store = CassetteStore.open(dir)
  const faults: string[] = []
  const interactions = readInteractions(store, faults)
  const facts = wikiFactsOf(store)
  const faultsBefore = faults.length
  const modules = readModules(store, faults)
  // Without readable descriptions no listing can be identified.
  const listings =
    faults.length === faultsBefore ? wholeListingsOf(interactions, facts) : []
  const pages = readPages(store, faults)
  const traffic = readTraffic(dir, faults)
  return {
    dir,
    side: {
      name,
      manifest: store.manifest,
      interactions,
      modules,
      listings,
      pages,
      traffic,
      faults
    },
    facts
  }
}

function readInteractions(store: CassetteStore, faults: string[]) {
  const interactions: Interaction[] = []
  for (const [key, file] of store.paths()) {
    const found = store.get(key)
    if (found.kind === 'found') interactions.push(found.interaction)
    else if (found.kind === 'absent') faults.push(`${file} is gone`)
    else faults.push(faultText(path.relative(store.dir, found.path), found.fault))
  }
  return interactions
}

/** An unreadable file is a fault: without page states a comparison takes edits for changes of the software. */
function readPages(store: CassetteStore, faults: string[]) {
  try {
    return store.pageStates()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    faults.push(error.message)
    return new Map()
  }
}

function readTraffic(dir: string, faults: string[]) {
  const text = isInside(dir, requestsFile)
    ? readText(path.join(dir, requestsFile))
    : undefined
  const traffic = text === undefined ? undefined : decodeTraffic(text)
  if (text !== undefined && !traffic) faults.push(`${requestsFile} has no counts`)
  return traffic
}

/** The wiki's descriptions of its modules, by module path. */
function readModules(store: CassetteStore, faults: string[]) {
  const modules = new Map<string, unknown>()
  for (const file of store.descriptionFiles()) {
    const reading = readJson(readText(file) ?? '')
    const module = reading.ok ? textAt(reading.tree, 'path') : undefined
    // A bundled description is not the wiki's own.
    if (reading.ok && memberOf(reading.tree, describedByField)) continue
    const noPath = { line: 1, column: 1, message: 'expected an object with a "path"' }
    const name = path.relative(store.dir, file).replaceAll(path.sep, '/')
    if (reading.ok && module !== undefined) modules.set(module, toPlain(reading.tree))
    else faults.push(faultText(name, reading.ok ? noPath : reading.fault))
  }
  return modules
}

export function wholeListingsOf(
  interactions: readonly Interaction[],
  facts: WikiFacts
): readonly WholeListing[] {
  return [...groupBy(interactions, ({ request }) => folderOf(request)).values()].flatMap(
    (members) =>
      readListings(members, facts)
        .all()
        .flatMap((one) => wholeListing(one) ?? [])
  )
}

/** All items in order; undefined where items are missing, or where it is not certain which there are. */
function wholeListing(listing: Listing) {
  const { batches, runs, positions, conflicts, unclear } = listing
  const whole = runs.find(
    (run) => run.start && run.end && run.rows.every((row) => row !== undefined)
  )
  const rows = whole?.rows.flatMap((one) => one?.row ?? [])
  const usedBatches = batches.filter(
    (batch) =>
      positions.get(batch.startsAt)?.run === whole && !unclear.includes(batch.key)
  )
  const [first] = usedBatches
  if (conflicts.length > 0 || !rows || !first) return undefined
  const located = listingItems(listing, first, rows)
  if (!located) return undefined
  return {
    // The request without limit, start and continuation.
    request: new Map(identityParams(listing.identity)),
    ...located,
    batches: new Set(usedBatches.flatMap(recordedKeysOf))
  }
}

function listingItems(listing: Listing, first: Batch, rows: readonly ListingRow[]) {
  switch (listing.driver.kind) {
    case 'list': {
      const hole = findRowHole(first.answer.frame)
      const items = hole?.grouped
        ? groupRows(rows, listing.membersBehind)
        : rows.map(({ item }) => item)
      return hole && { path: hole.path, items }
    }
    case 'generator':
      // A page's number within its batch is no fact about the page.
      return {
        path: ['query', 'pages'],
        items: rows.map(({ item }) => withoutMember(item, 'index'))
      }
    case 'prop':
      // Other members of a page may be in one batch and not in the next.
      return listing.hasOtherMembers ? undefined : pageItems(listing, first, rows)
  }
}

/** Where the rows were taken out of the frame. */
function findRowHole(
  frame: JsonTree,
  path: readonly string[] = []
): { readonly path: readonly string[]; readonly grouped: boolean } | undefined {
  if (frame === arrayPlace || frame === rowsPlace || frame === groupsPlace)
    return { path, grouped: frame === groupsPlace }
  for (const { key, value } of membersOf(frame)) {
    const hole = findRowHole(value, [...path, key])
    if (hole) return hole
  }
  return undefined
}

function pageItems(listing: Listing, first: Batch, rows: readonly ListingRow[]) {
  const { driver, membersBehind, siblings } = listing
  const byPage = groupBy(rows, ({ page }) => pageName(page))
  const items: JsonTree[] = []
  mapPages(
    memberAt(first.answer.frame, 'query', 'pages') ?? { kind: 'array', items: [] },
    (page) => {
      const rowsOfPage = byPage.get(pageName(page)) ?? []
      items.push(
        fillPage(withSiblings(page, siblings), driver.module, rowsOfPage, membersBehind)
      )
      return page
    }
  )
  return { path: ['query', 'pages'], items }
}

const pageName = (page: JsonTree | undefined) =>
  !page ? '' : (textAt(page, 'title') ?? writeCompact(page, 'utf8'))
