/**
 * How a prop goes on inside of one batch of a generator: all answers repeat the pages, each carries the next rows of
 * the prop. Learned from recorded batches that took several answers, and believed only where it gives back every one
 * of those answers.
 */

import { type JsonMember, type JsonTree, jsonArray, memberOf, membersOf } from '../../json/json-tree.ts'
import { quirkNames } from '../../knowledge/module-quirks.ts'
import type { WikiFacts } from '../../request/derive.ts'
import { groupBy } from '../../text/group-by.ts'
import { equalIgnoringVolatile } from '../../wiki/answers/volatile.ts'
import type { ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import { getOrCreate } from '../get-or-create.ts'
import type { Listing } from '../joining/listing.ts'
import { rowsBetween, sameRows } from '../joining/response-order.ts'
import { type LimitedProp, limitedProps } from '../reading/answer-chain.ts'
import type { Batch } from '../reading/batch.ts'
import { limitShape } from '../reading/limit.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import type { ListingRow } from '../reading/row.ts'
import { basePageMembers } from '../reading/sibling-members.ts'
import { continueHole } from '../reading/split-answer.ts'
import { type Boundary, type ContinueRow, type ContinueRule, isHidden } from '../rules/continue-rule.ts'
import { knownListing } from '../rules/known-rules.ts'
import { learnRule } from '../rules/learn-rule.ts'
import { inResponseOrder, pagesInResponse } from '../rules/row-order.ts'
import { generatorSurroundings } from './answer-frame.ts'
import { continueText, followUpFrame, isFollowUp, modulesSent } from './follow-up.ts'

/** The order in which a prop goes through the pages: by id, by title, as the generator gives or as they are written. */
type InnerOrder = 'id' | 'title' | 'rows' | 'wire'

const innerOrders: readonly InnerOrder[] = ['id', 'title', 'rows', 'wire']

export interface InnerModel {
  readonly prop: LimitedProp
  /** The prop's continuation parameter. */
  readonly param: string
  readonly order: InnerOrder
  readonly rule: ContinueRule
}

/** A recorded batch that took several answers. */
type AnsweredInParts = Batch & { readonly answers: readonly Batch[] }

const modelCache = new WeakMap<Listing, Map<boolean, readonly InnerModel[]>>()

/** Every model that explains the recorded batches; several where these do not tell them apart. */
export const learnedModels = (listing: Listing, raw: boolean, lookup: ModuleLookup): readonly InnerModel[] =>
  getOrCreate(
    getOrCreate(modelCache, listing, () => new Map()),
    raw,
    () => learnModels(listing, raw, lookup),
  )

function learnModels(listing: Listing, raw: boolean, lookup: ModuleLookup): readonly InnerModel[] {
  const chains = listing.batches.filter(
    (batch): batch is AnsweredInParts =>
      batch.answers !== undefined &&
      (batch.request.dialect === 'raw') === raw &&
      limitShape(batch.request) === 'number',
  )
  const [chain] = chains
  const unfinished = chains.flatMap(({ answers }) => answers.slice(0, -1))
  const [param, second] = new Set(unfinished.flatMap((part) => [...(part.answer.inner?.values.keys() ?? [])]))
  const prop =
    chain &&
    limitedProps(chain.request, lookup).find(({ prefix }) =>
      ['continue', 'offset'].some((name) => prefix + name === param),
    )
  if (prop === undefined || param === undefined || second !== undefined) return []
  return innerOrders.flatMap((order) => {
    const boundaries: Boundary[] = []
    if (!chains.every((one) => checkChain(listing, one, { prop, order }, boundaries))) return []
    const rule = learnRule(boundaries)
    return rule === undefined ? [] : [{ prop, param, order, rule }]
  })
}

/** The models of a batch whose props were recorded in one answer, by what is known of each prop. */
export function knownModels(
  request: ListingRequest,
  rows: readonly ListingRow[],
  facts: WikiFacts,
): readonly InnerModel[] {
  const { params, formatVersion } = request
  const pages = rows.map(({ item }) => item)
  return limitedProps(request, facts.lookup).flatMap((prop) => {
    const known = knownListing({ ...prop, kind: 'prop', params, formatVersion, pages }, facts)
    if (known === undefined || isHidden(known.rule)) return []
    const { rule, param, orders } = known
    return innerOrders.flatMap((order) =>
      orders.some((one) => one === order) ? [{ prop, param, order, rule }] : [],
    )
  })
}

/** What stands around the pages of an answer after which the same pages go on. */
export interface InnerSurroundings {
  readonly frame: JsonTree
  /** How the request was spelled for which it stands. */
  readonly sentValues: ReadonlyMap<string, string>
  /** The finished modules, as `continue` names them behind `||`. */
  readonly finished: readonly string[]
}

/** Modules that say all at once run for the first answer only, in the old dialect for every one. Source: ApiContinuationManager */
export function innerSurroundings(
  { frames, batches }: Listing,
  request: ListingRequest,
  { module }: LimitedProp,
): InnerSurroundings | undefined {
  const raw = request.dialect === 'raw'
  const recorded = generatorSurroundings(
    frames,
    request,
    batches.some(({ answers }) => answers !== undefined),
  )
  if (recorded === undefined) return undefined
  const head = { key: raw ? 'query-continue' : 'continue', value: continueHole }
  const whole = { kind: 'object', members: [head, ...recorded.core] } as const
  const frame = isFollowUp(request) ? followUpFrame(whole, request) : whole
  const finished = [
    ...modulesSent(request, 'prop').filter((name) => name !== module),
    ...modulesSent(request, 'meta'),
  ]
  return frame && { frame, sentValues: recorded.sentValues, finished }
}

/** Checks a model against every answer of one recorded batch, and notes where the answers end. */
function checkChain(
  listing: Listing,
  { startsAt, continuesAt: end, answers, request }: AnsweredInParts,
  model: Pick<InnerModel, 'prop' | 'order'>,
  boundaries: Boundary[],
): boolean {
  const rows = rowsBetween(listing, { startsAt, continuesAt: end })
  const pages = rows && innerPages(listing, rows, model)
  if (pages === undefined) return false
  let from = 0
  for (const [nth, answered] of answers.entries()) {
    const { answer } = answered
    const continues = nth < answers.length - 1
    const to = continues ? from + model.prop.rows : pages.sequence.length
    if (to - from > model.prop.rows || continues !== (answer.inner !== undefined)) return false
    if (!sameRows(pagesWithRows(pages, model.prop, request, from, to), answer.rows)) return false
    const [value] = answer.inner?.values.values() ?? []
    if (value !== undefined) {
      const row = pages.sequence[to]?.row
      const around = innerSurroundings(listing, answered.request, model.prop)
      if (row === undefined || around === undefined || !equalIgnoringVolatile(answer.frame, around.frame))
        return false
      const companion = answer.inner?.companion
      if (
        companion !== undefined &&
        companion !== continueText(answered.request.cursor.keys(), around.finished)
      )
        return false
      boundaries.push({ value, row })
    }
    from = to
  }
  return true
}

/** The pages of one batch as they are written, and the rows of the prop in the order in which it gives them. */
export interface InnerPages {
  readonly written: readonly ListingRow[]
  readonly sequence: readonly { readonly page: JsonTree; readonly row: ContinueRow }[]
}

/** @param rows whole pages in the order of the listing */
export function innerPages(
  listing: Listing,
  rows: readonly ListingRow[],
  { prop, order }: Pick<InnerModel, 'prop' | 'order'>,
): InnerPages | undefined {
  const written = pagesInResponse(listing.pageOrders, rows)
  const pages = order === 'wire' ? written : inResponseOrder(rows, order)
  if (written === undefined || pages === undefined) return undefined
  const sequence: InnerPages['sequence'][number][] = []
  for (const { item: page } of pages) {
    // Of these it depends on where the batch goes on which pages say so.
    if (quirkNames('counts-later-pages').some((name) => memberOf(page, name) !== undefined)) return undefined
    const member = memberOf(page, prop.module)
    if (member === undefined) continue
    if (member.kind !== 'array') return undefined
    for (const item of member.items) sequence.push({ page, row: { item, page } })
  }
  return { written, sequence }
}

/** The pages with those rows of the prop, and with what other modules say in such an answer. */
export function pagesWithRows(
  { written, sequence }: InnerPages,
  { module }: LimitedProp,
  { dialect }: ListingRequest,
  from: number,
  to: number,
): readonly ListingRow[] {
  const rows = groupBy(sequence.slice(from, to), ({ page }) => page)
  const allMembers = dialect === 'raw' || from === 0
  return written.map((row) => {
    const items = rows.get(row.item)?.map(({ row }) => row.item)
    const members = membersOf(row.item).flatMap(({ key, value }): readonly JsonMember[] => {
      if (key === module) return items === undefined ? [] : [{ key, value: jsonArray(items) }]
      return allMembers || basePageMembers.has(key) || key === 'index' ? [{ key, value }] : []
    })
    return { ...row, item: { kind: 'object', members } }
  })
}
