/**
 * Members that a prop puts beside rows (`contributors` counts anonymous ones), on pages that a batch begins with or has
 * still to come to. Every recorded batch has to agree; of props that are not known to do so nothing is said.
 */

import {
  itemsOf,
  type JsonMember,
  type JsonTree,
  memberAt,
  memberOf,
  membersOf,
  numberOf,
  objectOf,
  replaceAt,
  sameTree,
  textOf,
} from '../../json/json-tree.ts'
import { hasQuirk } from '../../knowledge/module-quirks.ts'
import { getOrCreate } from '../get-or-create.ts'
import { type Batch, startPosition } from './batch.ts'
import { mapPages } from './row.ts'

/** The members, by the title of their page. */
export type SiblingMembers = ReadonlyMap<string, readonly JsonMember[]>

/** Where a batch begins: at the start, or with the rows of a page, whose id is undefined where it is not known. */
export type BatchStart = 'start' | number | undefined

/** What every answer says of a page, whatever its props. */
export const basePageMembers: ReadonlySet<string> = new Set(
  'pageid ns title missing known invalid special'.split(' '),
)

/** The batches without such members, and these; undefined where the batches do not show them to stand so. */
export function extractSiblings(
  batches: readonly [Batch, ...Batch[]],
): { readonly batches: readonly [Batch, ...Batch[]]; readonly siblings: SiblingMembers } | undefined {
  const [first, ...others] = batches
  const siblings = new Map<string, readonly JsonMember[]>()
  for (const page of batches.flatMap(pagesOf)) {
    const own = siblingsIn(page)
    if (own.length === 0) continue
    const known = getOrCreate(siblings, titleOf(page), () => own)
    if (!sameTree(objectOf(known), objectOf(own))) return undefined
  }
  const sound =
    hasQuirk('counts-later-pages', first.request.driver.module) &&
    batches.some((batch) => batch.startsAt === startPosition) &&
    batches.every((batch) => agreesWith(siblings, batch))
  return sound ? { batches: [bareBatch(first), ...others.map(bareBatch)], siblings } : undefined
}

const agreesWith = (siblings: SiblingMembers, batch: Batch): boolean =>
  pagesOf(batch).every(
    (page) =>
      !siblings.has(titleOf(page)) ||
      carriesSiblings(page, batchStartOf(batch.request.cursor)) === siblingsIn(page).length > 0,
  )

/** Whether the members stand on that page; undefined where that cannot be told. */
function carriesSiblings(page: JsonTree, batchStart: BatchStart): boolean | undefined {
  if (batchStart === 'start') return true
  const id = numberOf(memberOf(page, 'pageid'))
  return batchStart === undefined || id === undefined ? undefined : id >= batchStart
}

/** Continue values of such props begin with a page id. */
export function batchStartOf(cursor: ReadonlyMap<string, string>): BatchStart {
  const [value] = cursor.values()
  if (value === undefined) return 'start'
  const [, id] = /^(\d{1,12})(?:\||$)/.exec(value) ?? []
  return id === undefined ? undefined : Number(id)
}

/** A frame with the members on the pages where they stand; undefined where that is not certain. */
export function insertSiblings(
  frame: JsonTree,
  siblings: SiblingMembers,
  batchStart: BatchStart,
): JsonTree | undefined {
  let certain = true
  const pages = mapPages(memberAt(frame, 'query', 'pages') ?? objectOf([]), (page) => {
    const own = siblings.get(titleOf(page))
    const carries = own && carriesSiblings(page, batchStart)
    if (own !== undefined && carries === undefined) certain = false
    return own && carries === true ? objectOf([...membersOf(page), ...own]) : page
  })
  return certain ? replaceAt(frame, ['query', 'pages'], pages) : undefined
}

/** The page with all that any batch says beside its rows. */
export const withSiblings = (page: JsonTree, siblings: SiblingMembers | undefined): JsonTree =>
  objectOf([...membersOf(page), ...(siblings?.get(titleOf(page)) ?? [])])

function bareBatch(batch: Batch): Batch {
  const { frame, rows } = batch.answer
  const pages = mapPages(memberAt(frame, 'query', 'pages') ?? objectOf([]), withoutSiblings)
  const bareRows = rows.map((row) => ({ ...row, ...(row.page && { page: withoutSiblings(row.page) }) }))
  return {
    ...batch,
    answer: { ...batch.answer, frame: replaceAt(frame, ['query', 'pages'], pages), rows: bareRows },
  }
}

/** The pages in an answer without their rows, as written. */
export const pagesOf = ({ answer }: Batch): readonly JsonTree[] =>
  itemsOf(memberAt(answer.frame, 'query', 'pages'))

export const siblingsIn = (page: JsonTree): readonly JsonMember[] =>
  membersOf(page).filter((member) => !basePageMembers.has(member.key))
export const withoutSiblings = (page: JsonTree): JsonTree =>
  objectOf(membersOf(page).filter((member) => basePageMembers.has(member.key)))
const titleOf = (page: JsonTree): string => textOf(memberOf(page, 'title')) ?? ''
