/**
 * Members that a prop puts on its pages beside rows (`contributors` counts anonymous ones): on which pages of a batch
 * they stand is learned from the recorded batches, and said only where all laws that explain them agree.
 */

import {
  itemsOf,
  type JsonMember,
  type JsonTree,
  memberAt,
  memberOf,
  membersOf,
  numberOf,
  replaceAt,
  sameTree,
  textOf,
} from '../../json/tree.ts'
import { isOdd } from '../../knowledge/oddities.ts'
import { once } from '../once.ts'
import { type Batch, startPlace } from './batch.ts'
import { mapPages } from './row.ts'

/** On every page; in the first batch; on pages that the batch begins with or has still to come to; on those with rows. */
type Law = 'always' | 'first' | 'onward' | 'with-rows'

/** Of some modules the law is known; recorded batches have to agree all the same. */
const lawsOf = (module: string): readonly Law[] =>
  isOdd('counts-onward', module) ? ['onward'] : ['always', 'first', 'onward', 'with-rows']

export interface BesideRows {
  /** By the title of their page. */
  readonly members: ReadonlyMap<string, readonly JsonMember[]>
  readonly laws: readonly Law[]
}

/** Where a batch begins: at the start, or with the rows of a page, whose id is undefined where it is not known. */
export type Begins = 'start' | number | undefined

/** What every answer says of a page, whatever its props. */
export const pageMembers: ReadonlySet<string> = new Set(
  'pageid ns title missing known invalid special'.split(' '),
)

/** The batches without such members, and what is known of these; undefined where no law explains them. */
export function takeBeside(
  batches: readonly [Batch, ...Batch[]],
): { readonly batches: readonly [Batch, ...Batch[]]; readonly beside: BesideRows } | undefined {
  const members = new Map<string, readonly JsonMember[]>()
  for (const page of batches.flatMap(pagesOf)) {
    const own = besideIn(page)
    if (own.length === 0) continue
    const held = once(members, titleOf(page), () => own)
    if (!sameTree(asObject(held), asObject(own))) return undefined
  }
  const [first, ...others] = batches
  const laws = lawsOf(first.request.driver.module).filter((law) =>
    batches.every((batch) => explains(law, batch, members)),
  )
  if (laws.length === 0 || !batches.some((batch) => batch.at === startPlace)) return undefined
  return { batches: [bare(first), ...others.map(bare)], beside: { members, laws } }
}

function explains(law: Law, batch: Batch, members: BesideRows['members']): boolean {
  const begins = beginsAt(batch.request.cursor)
  const full = new Set(batch.cut.rows.map((row) => row.slot))
  return pagesOf(batch).every((page, at) => {
    if (!members.has(titleOf(page))) return true
    return holds(law, page, begins, full.has(String(at))) === besideIn(page).length > 0
  })
}

/** Whether the members stand on that page; undefined where the law cannot be applied. */
function holds(law: Law, page: JsonTree, begins: Begins, hasRows: boolean): boolean | undefined {
  switch (law) {
    case 'always':
      return true
    case 'first':
      return begins === 'start'
    case 'with-rows':
      return hasRows
    case 'onward': {
      const id = numberOf(memberOf(page, 'pageid'))
      if (begins === 'start') return true
      return begins === undefined || id === undefined ? undefined : id >= begins
    }
  }
}

/** Continue values of such props begin with a page id. */
export function beginsAt(cursor: ReadonlyMap<string, string>): Begins {
  const [value] = cursor.values()
  if (value === undefined) return 'start'
  const [, id] = /^(\d{1,12})(?:\||$)/.exec(value) ?? []
  return id === undefined ? undefined : Number(id)
}

/** A frame with the members on the pages where they stand; undefined where that is not certain. */
export function putBeside(
  frame: JsonTree,
  { members, laws }: BesideRows,
  begins: Begins,
  full: ReadonlySet<string>,
): JsonTree | undefined {
  let certain = true
  const pages = mapPages(memberAt(frame, 'query', 'pages') ?? asObject([]), (page, at) => {
    const own = members.get(titleOf(page))
    if (own === undefined) return page
    const [first, ...others] = laws.map((law) => holds(law, page, begins, full.has(String(at))))
    if (first === undefined || others.some((other) => other !== first)) certain = false
    return first === true ? asObject([...membersOf(page), ...own]) : page
  })
  return certain ? replaceAt(frame, ['query', 'pages'], pages) : undefined
}

/** The page with all that any batch says beside its rows. */
export const withBeside = (page: JsonTree, beside: BesideRows | undefined): JsonTree =>
  asObject([...membersOf(page), ...(beside?.members.get(titleOf(page)) ?? [])])

function bare(batch: Batch): Batch {
  const { frame, rows } = batch.cut
  const pages = mapPages(memberAt(frame, 'query', 'pages') ?? asObject([]), withoutBeside)
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
  asObject(membersOf(page).filter((member) => pageMembers.has(member.key)))
const asObject = (members: readonly JsonMember[]): JsonTree => ({ kind: 'object', members })
const titleOf = (page: JsonTree): string => textOf(memberOf(page, 'title')) ?? ''
