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
import { isOdd } from '../../knowledge/module-quirks.ts'
import { once } from '../get-or-create.ts'
import { type Batch, startPlace } from './batch.ts'
import { mapPages } from './row.ts'

/** The members, by the title of their page. */
export type BesideRows = ReadonlyMap<string, readonly JsonMember[]>

/** Where a batch begins: at the start, or with the rows of a page, whose id is undefined where it is not known. */
export type Begins = 'start' | number | undefined

/** What every answer says of a page, whatever its props. */
export const pageMembers: ReadonlySet<string> = new Set(
  'pageid ns title missing known invalid special'.split(' '),
)

/** The batches without such members, and these; undefined where the batches do not show them to stand so. */
export function takeBeside(
  batches: readonly [Batch, ...Batch[]],
): { readonly batches: readonly [Batch, ...Batch[]]; readonly beside: BesideRows } | undefined {
  const [first, ...others] = batches
  const beside = new Map<string, readonly JsonMember[]>()
  for (const page of batches.flatMap(pagesOf)) {
    const own = besideIn(page)
    if (own.length === 0) continue
    const held = once(beside, titleOf(page), () => own)
    if (!sameTree(objectOf(held), objectOf(own))) return undefined
  }
  const sound =
    isOdd('counts-onward', first.request.driver.module) &&
    batches.some((batch) => batch.at === startPlace) &&
    batches.every((batch) => explains(beside, batch))
  return sound ? { batches: [bare(first), ...others.map(bare)], beside } : undefined
}

const explains = (beside: BesideRows, batch: Batch): boolean =>
  pagesOf(batch).every(
    (page) =>
      !beside.has(titleOf(page)) || holds(page, beginsAt(batch.request.cursor)) === besideIn(page).length > 0,
  )

/** Whether the members stand on that page; undefined where that cannot be told. */
function holds(page: JsonTree, begins: Begins): boolean | undefined {
  if (begins === 'start') return true
  const id = numberOf(memberOf(page, 'pageid'))
  return begins === undefined || id === undefined ? undefined : id >= begins
}

/** Continue values of such props begin with a page id. */
export function beginsAt(cursor: ReadonlyMap<string, string>): Begins {
  const [value] = cursor.values()
  if (value === undefined) return 'start'
  const [, id] = /^(\d{1,12})(?:\||$)/.exec(value) ?? []
  return id === undefined ? undefined : Number(id)
}

/** A frame with the members on the pages where they stand; undefined where that is not certain. */
export function putBeside(frame: JsonTree, beside: BesideRows, begins: Begins): JsonTree | undefined {
  let certain = true
  const pages = mapPages(memberAt(frame, 'query', 'pages') ?? objectOf([]), (page) => {
    const own = beside.get(titleOf(page))
    const stands = own && holds(page, begins)
    if (own !== undefined && stands === undefined) certain = false
    return own && stands === true ? objectOf([...membersOf(page), ...own]) : page
  })
  return certain ? replaceAt(frame, ['query', 'pages'], pages) : undefined
}

/** The page with all that any batch says beside its rows. */
export const withBeside = (page: JsonTree, beside: BesideRows | undefined): JsonTree =>
  objectOf([...membersOf(page), ...(beside?.get(titleOf(page)) ?? [])])

function bare(batch: Batch): Batch {
  const { frame, rows } = batch.cut
  const pages = mapPages(memberAt(frame, 'query', 'pages') ?? objectOf([]), withoutBeside)
  const bareRows = rows.map((row) => ({ ...row, ...(row.page && { page: withoutBeside(row.page) }) }))
  return {
    ...batch,
    cut: { ...batch.cut, frame: replaceAt(frame, ['query', 'pages'], pages), rows: bareRows },
  }
}

/** The pages in an answer without their rows, as written. */
export const pagesOf = ({ cut }: Batch): readonly JsonTree[] => itemsOf(memberAt(cut.frame, 'query', 'pages'))

export const besideIn = (page: JsonTree): readonly JsonMember[] =>
  membersOf(page).filter((member) => !pageMembers.has(member.key))
export const withoutBeside = (page: JsonTree): JsonTree =>
  objectOf(membersOf(page).filter((member) => pageMembers.has(member.key)))
const titleOf = (page: JsonTree): string => textOf(memberOf(page, 'title')) ?? ''
