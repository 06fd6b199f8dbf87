/**
 * One of several answers for the same batch of a generator: the pages with the next rows of a prop, which continues as is
 * known, or as recorded batches teach that the model has to reproduce.
 */
import { type JsonTree, jsonString, sameTree } from '../../json/json-tree.ts'
import type { WikiFacts } from '../../request/derive.ts'
import { getOrAdd, mapAll } from '../../text/group-by.ts'
import { equalIgnoringVolatile } from '../../wiki/answers/volatile.ts'
import type { ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import { fitsSpelling, type Listing } from '../joining/listing.ts'
import { rowsBetween, sameRows } from '../joining/run-layout.ts'
import {
  type LimitedProp,
  limitedProps,
  propsFit,
  repeatsSurroundings
} from '../reading/answer-chain.ts'
import { type Batch, cursorText } from '../reading/batch.ts'
import { limitShape } from '../reading/limits.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import type { ListingRows } from '../reading/row.ts'
import { type Boundary, isHidden, predict, refineRule } from '../rules/continue-rule.ts'
import { knownListing, pageClass } from '../rules/known-rules.ts'
import { learnRule } from '../rules/learn-rule.ts'
import { innerFrame } from './answer-frame.ts'
import {
  type ComposedBatch,
  type ComposeInput,
  type ContinuedModule,
  composeBatch,
  fillFrame,
  noFrameReason
} from './compose-batch.ts'
import {
  continueText,
  finishedModules,
  hasMeta,
  hasMore,
  nextValues,
  plainContinueInside
} from './follow-up.ts'
import {
  type InnerModel,
  innerOrders,
  innerPages,
  pagesWithRows,
  rowsAt,
  startRow
} from './inner-pages.ts'

export function innerAnswer(
  input: ComposeInput,
  facts: WikiFacts
): ComposedBatch | string {
  const { request, listing, rows } = input
  const { lookup } = facts
  const isRaw = request.dialect === 'raw'
  const chains = chainsOf(listing, isRaw)
  const cached = getOrAdd(modelCache, listing, (): ModelsByDialect => new Map())
  const taught = getOrAdd(cached, isRaw, () => learnModels(listing, chains, lookup))
  const items = (some: ListingRows): readonly JsonTree[] => some.map(({ item }) => item)
  // The pages of the batch must be of the kind that taught the model.
  const learned = taught.filter(({ prop: { module } }) => {
    const own = pageClass(module, items(rows))
    return chains.every(({ answer }) => pageClass(module, items(answer.rows)) === own)
  })
  const fits = ({ module }: LimitedProp): boolean =>
    propsFit(request, rows, listing.batches, lookup, module)
  const known =
    learned.length > 0
      ? []
      : knownModels(request, rows, facts).filter(({ prop }) => fits(prop))
  if (known.length > 0 && contradictsKnown(listing, chains, facts))
    return 'a recorded batch continues inside otherwise than is known of its props'
  const models = [...learned, ...known]
  const [model] = models
  const isInside = request.inner.size > 0 && !isRaw
  if (isInside && !hasMeta(request) && !repeatsSurroundings(listing.batches))
    return 'members besides its pages may come with the first answer only'
  if (!model) return 'no recording proves how its props continue inside a batch'
  if (!fits(model.prop)) return 'several of its props would continue inside this batch'
  const first = answerByModel(input, model)
  if (typeof first === 'string') return first
  return models.every((one) => {
    const other = one === model ? first : answerByModel(input, one)
    return typeof other !== 'string' && sameTree(other.body, first.body)
  })
    ? { ...first, known: learned.length === 0 }
    : 'recorded batches allow several orders of the rows inside it'
}

function answerByModel(input: ComposeInput, model: InnerModel): ComposedBatch | string {
  const { request, listing, rows, to: end } = input
  const pages = innerPages(listing, rows, model)
  if (!pages) return 'the order of its pages in the response is not proven'
  const framed = innerFrame(listing, request)
  if (!framed) return noFrameReason
  if (!fitsSpelling(framed, request))
    return 'its warnings quote another spelling of the request'
  if (!hasExpectedContinue(request, model.prop))
    return 'its continue parameter names other modules than recorded'
  const from = startRow(request, model, pages)
  if (from === undefined) return 'no row inside this batch has that continue value'
  const to = Math.min(from + model.prop.rows, pages.sequence.length)
  const next = pages.sequence[to]
  const shown = pagesWithRows(pages, model.prop, request, from, to)
  if (!next) return composeBatch(input, shown)
  const value = predict(model.rule, next)
  // A value that two rows share does not say which of them comes next.
  if (!value || rowsAt(model, pages, cursorText(value)).length !== 1)
    return 'the next continue value inside this batch is not known'
  if (limitShape(request) !== 'number')
    return 'what such a limit adds to a part of a batch is not recorded'
  // With `rawcontinue` every answer has the generator's next continue value, else the one that was sent.
  const isRaw = request.dialect === 'raw'
  const after = isRaw && hasMore(end) ? nextValues(listing, end) : undefined
  if (isRaw && hasMore(end) && !after) return 'the next continue value is not known'
  const sent = [...request.cursor].map(
    ([name, text]) => [name, jsonString(text)] as const
  )
  const continued: readonly ContinuedModule[] = [
    [model.prop.module, [[model.param, value]]],
    [listing.driver.module, isRaw ? (after?.values ?? []) : sent]
  ]
  const plainContinue = plainContinueInside(request, model.prop)
  return {
    body: fillFrame(framed.frame, listing, shown, continued, plainContinue),
    headers: listing.batches[0].headers,
    keys: after ? [after.key] : [],
    own: after?.own === true
  }
}

/** True where the `continue` value fits a position inside the batch, or its beginning. */
function hasExpectedContinue(request: ListingRequest, prop: LimitedProp): boolean {
  const { inner, cursor, plainContinue, dialect } = request
  if (dialect === 'raw') return true
  if (inner.size === 0 && cursor.size === 0)
    return plainContinue === undefined || plainContinue === ''
  const expected = continueText(cursor.keys(), finishedModules(request))
  return (
    plainContinue === (inner.size > 0 ? plainContinueInside(request, prop) : expected)
  )
}

type AnsweredInParts = Batch & { readonly answers: readonly Batch[] }

type ModelsByDialect = Map<boolean, readonly InnerModel[]>
const modelCache = new WeakMap<Listing, ModelsByDialect>()

const chainsOf = ({ batches }: Listing, raw: boolean): readonly AnsweredInParts[] =>
  batches.filter(
    (batch): batch is AnsweredInParts =>
      batch.answers !== undefined &&
      (batch.request.dialect === 'raw') === raw &&
      limitShape(batch.request) === 'number'
  )

/** True where what is known of its props does not reproduce every recorded batch that took several answers. */
const contradictsKnown = (
  listing: Listing,
  chains: readonly AnsweredInParts[],
  facts: WikiFacts
): boolean =>
  chains.some((chain) => {
    const rows = rowsBetween(listing, chain) ?? chain.answer.rows
    return !knownModels(chain.request, rows, facts).some((model) => {
      const boundaries = boundariesInside(listing, chain, model)
      return boundaries !== undefined && refineRule(model.rule, boundaries) !== undefined
    })
  })

/** Every model that explains the recorded batches; several where these leave a choice. */
function learnModels(
  listing: Listing,
  chains: readonly AnsweredInParts[],
  lookup: ModuleLookup
): readonly InnerModel[] {
  const [chain] = chains
  const unfinished = chains.flatMap(({ answers }) => answers.slice(0, -1))
  const [param, second] = new Set(
    unfinished.flatMap((part) => [...(part.answer.inner?.values.keys() ?? [])])
  )
  const prop =
    chain &&
    limitedProps(chain.request, lookup).find(({ prefix }) =>
      ['continue', 'offset'].some((name) => prefix + name === param)
    )
  if (!prop || param === undefined || second !== undefined) return []
  return innerOrders.flatMap((order) => {
    const boundaries = mapAll(chains, (one) =>
      boundariesInside(listing, one, { prop, order })
    )
    const rule = boundaries && learnRule(boundaries.flat())
    return rule ? [{ prop, param, order, rule }] : []
  })
}

function knownModels(
  request: ListingRequest,
  rows: ListingRows,
  facts: WikiFacts
): readonly InnerModel[] {
  const { params, formatVersion } = request
  const pages = rows.map(({ item }) => item)
  return limitedProps(request, facts.lookup).flatMap((prop) => {
    if (!prop.isExact) return []
    const known = knownListing(
      { ...prop, kind: 'prop', params, formatVersion, pages },
      facts
    )
    if (!known || isHidden(known.rule)) return []
    const { rule, param, orders } = known
    const readOrders = innerOrders.filter((order) => orders.some((one) => one === order))
    return readOrders.map((order) => ({ prop, param, order, rule }))
  })
}

/** The ends of the answers for a recorded batch; undefined where the model does not reproduce each of them. */
function boundariesInside(
  listing: Listing,
  batch: AnsweredInParts,
  model: Pick<InnerModel, 'prop' | 'order'>
): readonly Boundary[] | undefined {
  const rows = rowsBetween(listing, batch)
  const pages = rows && innerPages(listing, rows, model)
  if (!pages) return undefined
  const boundaries: Boundary[] = []
  let from = 0
  for (const { answer, request } of batch.answers) {
    const to = answer.inner ? from + model.prop.rows : pages.sequence.length
    if (
      to - from > model.prop.rows ||
      !sameRows(pagesWithRows(pages, model.prop, batch.request, from, to), answer.rows)
    )
      return undefined
    const [value] = answer.inner?.values.values() ?? []
    if (value) {
      const row = pages.sequence[to]
      const framed = innerFrame(listing, request)
      const plainContinue = plainContinueInside(request, model.prop)
      if (!row || (answer.inner?.plainContinue ?? plainContinue) !== plainContinue)
        return undefined
      if (!framed || !equalIgnoringVolatile(answer.frame, framed.frame)) return undefined
      boundaries.push({ value, row })
    }
    from = to
  }
  return boundaries
}
