/** How a prop continues inside one batch of a generator, learned from batches that the model has to reproduce. */
import type { WikiFacts } from '../../request/derive.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { equalIgnoringVolatile } from '../../wiki/answers/volatile.ts'
import type { ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import type { Listing } from '../joining/listing.ts'
import { rowsBetween, sameRows } from '../joining/run-layout.ts'
import { limitedProps } from '../reading/answer-chain.ts'
import type { Batch } from '../reading/batch.ts'
import { limitShape } from '../reading/limit.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import type { ListingRows } from '../reading/row.ts'
import { type Boundary, isHidden } from '../rules/continue-rule.ts'
import { knownListing } from '../rules/known-rules.ts'
import { learnRule } from '../rules/learn-rule.ts'
import { innerFrame } from './answer-frame.ts'
import { companionInside } from './follow-up.ts'
import { type InnerModel, innerOrders, innerPages, pagesWithRows } from './inner-pages.ts'

type AnsweredInParts = Batch & { readonly answers: readonly Batch[] }

const modelCache = new WeakMap<Listing, Map<boolean, readonly InnerModel[]>>()

/** Every model that explains the recorded batches; several where these leave a choice. */
export function learnedModels(listing: Listing, raw: boolean, lookup: ModuleLookup): readonly InnerModel[] {
  const models = getOrAdd(modelCache, listing, () => new Map())
  return getOrAdd(models, raw, () => learnModels(listing, raw, lookup))
}

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

export function knownModels(
  request: ListingRequest,
  rows: ListingRows,
  facts: WikiFacts,
): readonly InnerModel[] {
  const { params, formatVersion } = request
  const pages = rows.map(({ item }) => item)
  return limitedProps(request, facts.lookup).flatMap((prop) => {
    if (!prop.isExact) return []
    const known = knownListing({ ...prop, kind: 'prop', params, formatVersion, pages }, facts)
    if (known === undefined || isHidden(known.rule)) return []
    const { rule, param, orders } = known
    const readOrders = innerOrders.filter((order) => orders.some((one) => one === order))
    return readOrders.map((order) => ({ prop, param, order, rule }))
  })
}

/** True where the model reproduces every answer of a recorded batch; adds the ends of the answers to `boundaries`. */
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
      const row = pages.sequence[to]
      const framed = innerFrame(listing, answered.request)
      if (row === undefined || framed === undefined || !equalIgnoringVolatile(answer.frame, framed.frame))
        return false
      const companion = companionInside(answered.request, model.prop)
      if ((answer.inner?.companion ?? companion) !== companion) return false
      boundaries.push({ value, row })
    }
    from = to
  }
  return true
}
