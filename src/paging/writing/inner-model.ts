/**
 * How a prop goes on inside of one batch of a generator: all answers repeat the pages, each carries the next rows of
 * the prop. Learned from recorded batches that took several answers, and believed only where it gives back every one
 * of those answers.
 */

import { type JsonMember, type JsonTree, jsonArray, memberOf, membersOf } from '../../json/json-tree.ts'
import { oddNames } from '../../knowledge/module-quirks.ts'
import type { WikiFacts } from '../../request/derive.ts'
import { grouped } from '../../text/group-by.ts'
import { sameButVolatile } from '../../wiki/answers/volatile.ts'
import type { ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import { once } from '../get-or-create.ts'
import type { Listing } from '../joining/listing.ts'
import { rowsBetween, sameRows } from '../joining/response-order.ts'
import { type LimitedProp, limitedProps } from '../reading/answer-chain.ts'
import type { Batch } from '../reading/batch.ts'
import { limitShape } from '../reading/limit.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import type { Row } from '../reading/row.ts'
import { pageMembers } from '../reading/sibling-members.ts'
import { continueHole } from '../reading/split-answer.ts'
import { type Boundary, type ContinueRule, isHidden, type Subject } from '../rules/continue-rule.ts'
import { knownOf } from '../rules/known-rules.ts'
import { learnRule } from '../rules/learn-rule.ts'
import { asWritten, pagesAsWritten } from '../rules/row-order.ts'
import { surroundings } from './answer-frame.ts'
import { companionOf, isLater, laterFrame, named } from './follow-up.ts'

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
type Chain = Batch & { readonly parts: readonly Batch[] }

const cache = new WeakMap<Listing, Map<boolean, readonly InnerModel[]>>()

/** Every model that explains the recorded batches; several where these do not tell them apart. */
export const learnedModels = (listing: Listing, raw: boolean, lookup: ModuleLookup): readonly InnerModel[] =>
  once(
    once(cache, listing, () => new Map()),
    raw,
    () => learnModels(listing, raw, lookup),
  )

function learnModels(listing: Listing, raw: boolean, lookup: ModuleLookup): readonly InnerModel[] {
  const chains = listing.batches.filter(
    (batch): batch is Chain =>
      batch.parts !== undefined &&
      (batch.request.dialect === 'raw') === raw &&
      limitShape(batch.request) === 'number',
  )
  const [chain] = chains
  const going = chains.flatMap(({ parts }) => parts.slice(0, -1))
  const [param, second] = new Set(going.flatMap((part) => [...(part.cut.inner?.values.keys() ?? [])]))
  const prop =
    chain &&
    limitedProps(chain.request, lookup).find(({ prefix }) =>
      ['continue', 'offset'].some((name) => prefix + name === param),
    )
  if (prop === undefined || param === undefined || second !== undefined) return []
  return innerOrders.flatMap((order) => {
    const boundaries: Boundary[] = []
    if (!chains.every((one) => collect(listing, one, { prop, order }, boundaries))) return []
    const rule = learnRule(boundaries)
    return rule === undefined ? [] : [{ prop, param, order, rule }]
  })
}

/** The models of a batch whose props were recorded in one answer, by what is known of each prop. */
export function knownModels(
  request: ListingRequest,
  rows: readonly Row[],
  facts: WikiFacts,
): readonly InnerModel[] {
  const { params, formatVersion } = request
  const pages = rows.map(({ item }) => item)
  return limitedProps(request, facts.lookup).flatMap((prop) => {
    const known = knownOf({ ...prop, kind: 'prop', params, formatVersion, pages }, facts)
    if (known === undefined || isHidden(known.rule)) return []
    const { rule, param, orders } = known
    return innerOrders.flatMap((order) =>
      orders.some((one) => one === order) ? [{ prop, param, order, rule }] : [],
    )
  })
}

/** What stands around the pages of an answer after which the same pages go on. */
export interface Around {
  readonly frame: JsonTree
  /** How the request was spelled for which it stands. */
  readonly asked: ReadonlyMap<string, string>
  /** The finished modules, as `continue` names them behind `||`. */
  readonly finished: readonly string[]
}

/** Modules that say all at once run for the first answer only, in the old dialect for every one. Source: ApiContinuationManager */
export function aroundPart(
  { frames, batches }: Listing,
  request: ListingRequest,
  { module }: LimitedProp,
): Around | undefined {
  const raw = request.dialect === 'raw'
  const framed = surroundings(
    frames,
    request,
    batches.some(({ parts }) => parts !== undefined),
  )
  if (framed === undefined) return undefined
  const head = { key: raw ? 'query-continue' : 'continue', value: continueHole }
  const whole = { kind: 'object', members: [head, ...framed.core] } as const
  const frame = isLater(request) ? laterFrame(whole, request) : whole
  const finished = [...named(request, 'prop').filter((name) => name !== module), ...named(request, 'meta')]
  return frame && { frame, asked: framed.asked, finished }
}

/** Checks a model against every answer of one recorded batch, and notes where the answers end. */
function collect(
  listing: Listing,
  { at, to: end, parts, request }: Chain,
  model: Pick<InnerModel, 'prop' | 'order'>,
  boundaries: Boundary[],
): boolean {
  const rows = rowsBetween(listing, { at, to: end })
  const pages = rows && pagesIn(listing, rows, model)
  if (pages === undefined) return false
  let from = 0
  for (const [nth, part] of parts.entries()) {
    const { cut } = part
    const continues = nth < parts.length - 1
    const to = continues ? from + model.prop.rows : pages.sequence.length
    if (to - from > model.prop.rows || continues !== (cut.inner !== undefined)) return false
    if (!sameRows(partOf(pages, model.prop, request, from, to), cut.rows)) return false
    const [value] = cut.inner?.values.values() ?? []
    if (value !== undefined) {
      const subject = pages.sequence[to]?.subject
      const around = aroundPart(listing, part.request, model.prop)
      if (subject === undefined || around === undefined || !sameButVolatile(cut.frame, around.frame))
        return false
      const said = cut.inner?.companion
      if (said !== undefined && said !== companionOf(part.request.cursor.keys(), around.finished))
        return false
      boundaries.push({ value, subject })
    }
    from = to
  }
  return true
}

/** The pages of one batch as they are written, and the rows of the prop in the order in which it gives them. */
export interface InnerPages {
  readonly written: readonly Row[]
  readonly sequence: readonly { readonly page: JsonTree; readonly subject: Subject }[]
}

/** @param rows whole pages in the order of the listing */
export function pagesIn(
  listing: Listing,
  rows: readonly Row[],
  { prop, order }: Pick<InnerModel, 'prop' | 'order'>,
): InnerPages | undefined {
  const written = pagesAsWritten(listing.wire, rows)
  const pages = order === 'wire' ? written : asWritten(rows, order)
  if (written === undefined || pages === undefined) return undefined
  const sequence: InnerPages['sequence'][number][] = []
  for (const { item: page } of pages) {
    // Of these it depends on where the batch goes on which pages say so.
    if (oddNames('counts-onward').some((name) => memberOf(page, name) !== undefined)) return undefined
    const held = memberOf(page, prop.module)
    if (held === undefined) continue
    if (held.kind !== 'array') return undefined
    for (const item of held.items) sequence.push({ page, subject: { item, page } })
  }
  return { written, sequence }
}

/** The pages with those rows of the prop, and with what other modules say in such an answer. */
export function partOf(
  { written, sequence }: InnerPages,
  { module }: LimitedProp,
  { dialect }: ListingRequest,
  from: number,
  to: number,
): readonly Row[] {
  const rows = grouped(sequence.slice(from, to), ({ page }) => page)
  const others = dialect === 'raw' || from === 0
  return written.map((row) => {
    const items = rows.get(row.item)?.map(({ subject }) => subject.item)
    const members = membersOf(row.item).flatMap(({ key, value }): readonly JsonMember[] => {
      if (key === module) return items === undefined ? [] : [{ key, value: jsonArray(items) }]
      return others || pageMembers.has(key) || key === 'index' ? [{ key, value }] : []
    })
    return { ...row, item: { kind: 'object', members } }
  })
}
