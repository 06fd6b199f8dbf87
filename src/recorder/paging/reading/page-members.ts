/**
 * Members of pages that are no rows of a listing's prop. Sibling members: what it adds to a page besides its rows
 * (`contributors` counts anonymous ones), on the first page of a batch and on later ones; only for props with that quirk,
 * and only where all recorded batches agree. Props whose limit counts pages (`extracts`) have one row a page instead.
 */

import {
  hasMember,
  itemsAt,
  type JsonMember,
  type JsonTree,
  membersOf,
  numberAt,
  objectOf,
  sameTree,
  textAt
} from '../../json/json-tree.ts'
import { hasQuirk, quirkNames } from '../../knowledge/module-quirks.ts'
import { getOrAdd, mapAll } from '../../text/group-by.ts'
import type { Params } from '../../wiki/parameters/request-params.ts'
import { type Batch, type Batches, type ListingPosition, startPosition } from './batch.ts'
import type { ListingRequest } from './listing-request.ts'
import { type ListingRow, mapFramePages } from './row.ts'

export type SiblingMembers = ReadonlyMap<string, readonly JsonMember[]>

/** Where a batch begins: at the start, or with the page of that id; undefined where it is not known. */
export type BatchStart = 'start' | number | undefined

/** Members that every answer has of a page, whatever its props. */
export const basePageMembers: ReadonlySet<string> = new Set(
  'pageid ns title missing known invalid invalidreason special'.split(' ')
)

/** The batches without such members, and the members; undefined where the batches do not prove which pages have them. */
export function extractSiblings(
  batches: Batches
): { readonly batches: Batches; readonly siblings: SiblingMembers } | undefined {
  const [first, ...others] = batches
  const siblings = new Map<string, readonly JsonMember[]>()
  for (const page of batches.flatMap(pagesOf)) {
    const own = siblingsIn(page)
    if (own.length === 0) continue
    const known = getOrAdd(siblings, titleOf(page), () => own)
    if (!sameTree(objectOf(known), objectOf(own))) return undefined
  }
  const isProven =
    hasQuirk('counts-later-pages', first.request.driver.module) &&
    batches.some((batch) => batch.startsAt === startPosition) &&
    batches.every((batch) => {
      const start = batchStartOf(batch.request.cursor)
      return pagesOf(batch)
        .filter((page) => siblings.has(titleOf(page)))
        .every((page) => carriesSiblings(page, start) === siblingsIn(page).length > 0)
    })
  return isProven
    ? { batches: [bareBatch(first), ...others.map(bareBatch)], siblings }
    : undefined
}

/** Whether that page has the members; undefined where that is not certain. */
function carriesSiblings(page: JsonTree, batchStart: BatchStart): boolean | undefined {
  if (batchStart === 'start') return true
  const id = numberAt(page, 'pageid')
  return batchStart === undefined || id === undefined ? undefined : id >= batchStart
}

/** Continue values of such props begin with a page id. */
export function batchStartOf(cursor: Params): BatchStart {
  const [value] = cursor.values()
  if (value === undefined) return 'start'
  const [, id] = /^(\d{1,12})(?:\||$)/.exec(value) ?? []
  return id === undefined ? undefined : Number(id)
}

/** A frame with the members on the pages that have them; undefined where that is not certain. */
export function insertSiblings(
  frame: JsonTree,
  siblings: SiblingMembers,
  batchStart: BatchStart
): JsonTree | undefined {
  let certain = true
  const filled = mapFramePages(frame, (page) => {
    const carries = siblings.has(titleOf(page))
      ? carriesSiblings(page, batchStart)
      : false
    if (carries === undefined) certain = false
    return carries ? withSiblings(page, siblings) : page
  })
  return certain ? filled : undefined
}

export const withSiblings = (
  page: JsonTree,
  siblings: SiblingMembers | undefined
): JsonTree => objectOf([...membersOf(page), ...(siblings?.get(titleOf(page)) ?? [])])

function bareBatch(batch: Batch): Batch {
  const { frame, rows } = batch.answer
  const bareRows = rows.map((row) => ({
    ...row,
    ...(row.page && { page: withoutSiblings(row.page) })
  }))
  const bareFrame = mapFramePages(frame, withoutSiblings)
  return { ...batch, answer: { ...batch.answer, frame: bareFrame, rows: bareRows } }
}

/** The pages of an answer, without their rows. */
export const pagesOf = ({ answer }: Batch): readonly JsonTree[] =>
  itemsAt(answer.frame, 'query', 'pages')

export const siblingsIn = (page: JsonTree): readonly JsonMember[] =>
  membersOf(page).slice(countBaseMembers(page))
export const withoutSiblings = (page: JsonTree): JsonTree =>
  objectOf(membersOf(page).slice(0, countBaseMembers(page)))
/** Props add their members behind those of the page, whose order thus stays as recorded. */
function countBaseMembers(page: JsonTree): number {
  // A prop of files says this of each in every batch.
  const ofFiles = quirkNames('cuts-files')
  const isBase = (key: string): boolean =>
    basePageMembers.has(key) || ofFiles.includes(key)
  return membersOf(page).findLastIndex(({ key }) => isBase(key)) + 1
}

const titleOf = (page: JsonTree): string => textAt(page, 'title') ?? ''

export const isPageLimited = ({ driver }: ListingRequest): boolean =>
  driver.kind === 'prop' && hasQuirk('fills-pages', driver.module)

/** True where pages are filled in the order of the response, and nothing else is on them. */
export const isPagewise = (request: ListingRequest): boolean =>
  isPageLimited(request) && request.isBare && request.formatVersion === '1'

/** The batches with one row a page; undefined where an answer contradicts that. */
export function asPageRows(batches: Batches): Batches | undefined {
  const pageCounts = pagesBefore(batches)
  // Without its start, the rows of a batch are not known.
  const placed = batches.filter((batch) => pageCounts.has(batch.startsAt))
  const [first, ...others] =
    mapAll(placed, (batch) => {
      const answer = splitPageRows(batch, pageCounts.get(batch.startsAt) ?? 0)
      return answer && { ...batch, answer }
    }) ?? []
  return first && [first, ...others]
}

/** The number of pages before each position that the walk from the start reaches. */
function pagesBefore(batches: readonly Batch[]): ReadonlyMap<ListingPosition, number> {
  const found = new Map<ListingPosition, number>([[startPosition, 0]])
  // The loop also visits the positions that it adds.
  for (const [position, count] of found) {
    for (const { startsAt, continuesAt, allowedRows } of batches) {
      if (startsAt !== position || continuesAt === undefined || allowedRows === undefined)
        continue
      if (!found.has(continuesAt)) found.set(continuesAt, count + allowedRows)
    }
  }
  return found
}

function splitPageRows(batch: Batch, from: number): Batch['answer'] | undefined {
  const { answer, allowedRows } = batch
  const pages = pagesOf(batch)
  const isBad = (page: JsonTree): boolean =>
    ['missing', 'invalid', 'special'].some((name) => hasMember(page, name))
  const good = pages.flatMap((page, at) =>
    isBad(page) ? [] : [{ page, slot: String(at) }]
  )
  const to = answer.next ? from + (allowedRows ?? 0) : good.length
  const filled = good.slice(from, to)
  const isPossible = answer.next
    ? allowedRows !== undefined && to < good.length
    : filled.length <= (allowedRows ?? filled.length)
  if (!isPossible) return undefined
  const others = pages.filter((page) => !filled.some((one) => one.page === page))
  if (others.some((page) => siblingsIn(page).length > 0)) return undefined
  const rows = filled.map(({ page, slot }): ListingRow => {
    const item = { kind: 'object', members: siblingsIn(page) } as const
    return { item, slot, page: withoutSiblings(page), spread: true }
  })
  return { ...answer, rows, frame: mapFramePages(answer.frame, withoutSiblings) }
}
