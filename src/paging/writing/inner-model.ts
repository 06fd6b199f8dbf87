/**
 * How a prop goes on inside of one batch of a generator: all answers repeat the pages, each carries the next rows of
 * the prop. Learned from recorded batches that took several answers, and believed only where it gives back every one
 * of those answers.
 */

import { type JsonMember, type JsonTree, memberOf, membersOf, sameTree } from '../../json/tree.ts'
import type { WikiFacts } from '../../request/derive.ts'
import type { ModuleLookup } from '../../wiki/modules.ts'
import { sameButVolatile } from '../../wiki/volatile.ts'
import { grouped } from '../grouped.ts'
import type { Listing } from '../joining/listing.ts'
import { rowsBetween, sameRows } from '../joining/on-wire.ts'
import { once } from '../once.ts'
import type { Batch } from '../reading/batch.ts'
import { pageMembers } from '../reading/beside-rows.ts'
import { type LimitedProp, limitedProps } from '../reading/chain.ts'
import { continueHole } from '../reading/cut.ts'
import { limitShape } from '../reading/limit.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import type { Row } from '../reading/row.ts'
import { knownOf } from '../rules/known.ts'
import { learnRule } from '../rules/learn.ts'
import { asWritten, pagesAsWritten } from '../rules/row-order.ts'
import { type Boundary, type ContinueRule, isHidden, type Subject } from '../rules/rule.ts'
import { surroundings } from './frame.ts'
import { hasMeta, isLater, laterFrame, named } from './later.ts'

/** The order in which a prop goes through the pages: by id, by title, as the generator gives or as they are written. */
type InnerOrder = 'id' | 'title' | 'rows' | 'wire'

const innerOrders: readonly InnerOrder[] = ['id', 'title', 'rows', 'wire']

export interface InnerModel {
  readonly prop: LimitedProp
  /** The prop's continuation parameter. */
  readonly param: string
  readonly order: InnerOrder
  readonly rule: ContinueRule
  /** Members of pages beside the rows: in every answer, or only in the first. */
  readonly sides: Sides
  /** What stands around the pages of an answer after which the same pages go on: with all that runs for the first answer only, and without. */
  readonly frame: JsonTree | undefined
  readonly later: JsonTree | undefined
  /** How the requests were spelled for which it stands. */
  readonly asked: ReadonlyMap<string, string>
  /** The finished modules, as `continue` names them behind `||`; undefined in the `query-continue` dialect. */
  readonly finished: string | undefined
}

type Sides = ReadonlyMap<string, 'every' | 'first'>

/** A recorded batch that took several answers. */
interface Chain extends Batch {
  readonly parts: readonly Batch[]
}

const cache = new WeakMap<Listing, Map<boolean, readonly InnerModel[]>>()

/** Every model that explains the recorded batches; several where these do not tell them apart. */
export const innerModels = (listing: Listing, raw: boolean, lookup: ModuleLookup): readonly InnerModel[] =>
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
  const common = commonTo(chains, lookup)
  if (common === undefined) return []
  return innerOrders.flatMap((order) => {
    const boundaries: Boundary[] = []
    const draft = { ...common, order }
    if (!chains.every((chain) => collect(listing, chain, draft, boundaries))) return []
    const rule = learnRule(boundaries)
    return rule === undefined ? [] : [{ ...draft, rule }]
  })
}

type Draft = Omit<InnerModel, 'rule'>

/**
 * The models of a batch whose props were recorded in one answer, by what is known of each prop: those that say all at
 * once stand in the first answer only, in the old dialect in every one. Source: ApiContinuationManager
 */
export function knownModels(
  { frames }: Listing,
  request: ListingRequest,
  rows: readonly Row[],
  facts: WikiFacts,
): readonly InnerModel[] {
  const raw = request.dialect === 'raw'
  const { params, formatVersion } = request
  const others = new Set(rows.flatMap(({ item }) => membersOf(item).map(({ key }) => key)))
  const framed = surroundings(frames, request)
  if (framed === undefined || others.has(anonymous)) return []
  const head = { key: raw ? 'query-continue' : 'continue', value: continueHole }
  const frame = { kind: 'object', members: [head, ...framed.core] } as const
  const everywhere = [...pageMembers, 'index'].map((key) => [key, 'every'] as const)
  return limitedProps(request, facts.lookup).flatMap((prop) => {
    const pages = rows.map(({ item }) => item)
    const known = knownOf({ ...prop, kind: 'prop', params, formatVersion, pages }, facts)
    const rest = [...others].map((key) => [key, raw ? 'every' : 'first'] as const)
    const sides = new Map([...rest, ...everywhere])
    const done = [...named(request, 'prop').filter((name) => name !== prop.module), ...named(request, 'meta')]
    const finished = raw ? undefined : done.join('|')
    return (known?.orders ?? []).flatMap((order) => {
      const through = innerOrders.find((one) => one === order)
      if (known === undefined || through === undefined || isHidden(known.rule)) return []
      const { rule, param } = known
      const later = laterFrame(frame, request)
      return [{ prop, param, order: through, rule, sides, frame, later, asked: framed.asked, finished }]
    })
  })
}

/** What all chains have in common, whatever the order; undefined where they differ, or where several props go on. */
function commonTo(chains: readonly Chain[], lookup: ModuleLookup): Omit<Draft, 'order'> | undefined {
  const [chain] = chains
  const going = chains.flatMap(({ parts }) => parts.slice(0, -1))
  const [param, second] = new Set(going.flatMap((part) => [...(part.cut.inner?.values.keys() ?? [])]))
  const [model] = going
  if (chain === undefined || model === undefined || param === undefined || second !== undefined)
    return undefined
  const prop = limitedProps(chain.request, lookup).find(({ prefix }) =>
    ['continue', 'offset'].some((name) => prefix + name === param),
  )
  const finished = new Set(going.map((part) => part.cut.inner?.companion?.split('||')[1]))
  const sides = prop && sidesOf(chains, prop.module)
  const around = framesOf(going)
  if (prop === undefined || sides === undefined || around === undefined || finished.size !== 1)
    return undefined
  const { asked } = chain.request
  return { prop, param, sides, ...around, asked, finished: [...finished][0] }
}

/** What stands around the pages of those answers; undefined where recorded ones differ. */
function framesOf(going: readonly Batch[]): Pick<InnerModel, 'frame' | 'later'> | undefined {
  const [anew, later] = [false, true].map((wanted) =>
    going.filter(({ request }) => (hasMeta(request) && isLater(request)) === wanted),
  )
  const frames = [anew, later].map((parts) => parts?.[0]?.cut.frame)
  const alike = (parts: readonly Batch[] | undefined, frame: JsonTree | undefined): boolean =>
    parts?.every(({ cut }) => frame !== undefined && sameButVolatile(cut.frame, frame)) === true
  const [frame, ofLater] = frames
  if (!alike(anew, frame) || !alike(later, ofLater)) return undefined
  const [first] = anew ?? []
  const made = first && laterFrame(first.cut.frame, first.request)
  if (made !== undefined && ofLater !== undefined && !sameTree(made, ofLater)) return undefined
  return { frame, later: ofLater ?? made }
}

const anonymous = 'anoncontributors'

/** In which answers of a batch the members of its pages stand; undefined where that differs from page to page. */
function sidesOf(chains: readonly Chain[], module: string): Sides | undefined {
  const sides = new Map<string, 'every' | 'first'>([...pageMembers, 'index'].map((key) => [key, 'every']))
  for (const { parts, cut } of chains) {
    for (const [at, { item }] of cut.rows.entries()) {
      const [first, ...later] = parts.map((part) => part.cut.rows[at]?.item)
      for (const { key } of membersOf(item)) {
        if (key === module) continue
        // Of these it depends on where the batch goes on which pages say so.
        if (key === anonymous) return undefined
        const again = later.filter((page) => memberOf(page, key) !== undefined).length
        const side = again === later.length ? 'every' : again === 0 ? 'first' : undefined
        if (memberOf(first, key) === undefined || side === undefined) return undefined
        if ((sides.get(key) ?? side) !== side) return undefined
        sides.set(key, side)
      }
    }
  }
  return sides
}

/** Checks the draft against every answer of one recorded batch, and notes where the answers end. */
function collect(listing: Listing, chain: Chain, draft: Draft, boundaries: Boundary[]): boolean {
  const rows = rowsBetween(listing, chain)
  const pages = rows && pagesIn(listing, rows, draft)
  if (pages === undefined) return false
  let from = 0
  for (const [nth, { cut }] of chain.parts.entries()) {
    const continues = nth < chain.parts.length - 1
    const to = continues ? from + draft.prop.rows : pages.sequence.length
    const [value] = cut.inner?.values.values() ?? []
    const subject = pages.sequence[to]?.subject
    const again = to - from <= draft.prop.rows ? partOf(pages, draft, from, to) : undefined
    if (again === undefined || !sameRows(again, cut.rows) || continues !== (value !== undefined)) return false
    if (value !== undefined) {
      if (subject === undefined) return false
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
  { prop, order }: Draft,
): InnerPages | undefined {
  const written = pagesAsWritten(listing.wire, rows)
  if (written === undefined) return undefined
  const pages =
    order === 'wire' ? written : order === 'rows' ? asWritten(rows, 'rows') : asWritten(written, order)
  if (pages === undefined) return undefined
  const sequence: InnerPages['sequence'][number][] = []
  for (const { item: page } of pages) {
    const held = memberOf(page, prop.module)
    if (held === undefined) continue
    if (held.kind !== 'array') return undefined
    for (const item of held.items) sequence.push({ page, subject: { item, page } })
  }
  return { written, sequence }
}

/** The pages with those rows of the prop; undefined where a member is met of which no recording shows when it comes. */
export function partOf(
  { written, sequence }: InnerPages,
  { prop, sides }: Pick<InnerModel, 'prop' | 'sides'>,
  from: number,
  to: number,
): readonly Row[] | undefined {
  const rows = grouped(sequence.slice(from, to), ({ page }) => page)
  const parts: Row[] = []
  for (const row of written) {
    const members: JsonMember[] = []
    for (const { key, value } of membersOf(row.item)) {
      const side = key === prop.module ? undefined : sides.get(key)
      if (key !== prop.module && side === undefined) return undefined
      const items = rows.get(row.item)?.map(({ subject }) => subject.item)
      if (key === prop.module && items !== undefined) members.push({ key, value: { kind: 'array', items } })
      if (side === 'every' || (side === 'first' && from === 0)) members.push({ key, value })
    }
    parts.push({ ...row, item: { kind: 'object', members } })
  }
  return parts
}
