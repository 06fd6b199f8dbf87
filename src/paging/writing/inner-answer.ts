/** One of several answers for the same batch of a generator: the pages with the next rows of a prop. */
import { type JsonTree, jsonObject, jsonString, replaceMember, sameTree } from '../../json/json-tree.ts'
import type { WikiFacts } from '../../request/derive.ts'
import { fitsSpelling } from '../joining/listing.ts'
import { type LimitedProp, propsFit, repeatsSurroundings } from '../reading/answer-chain.ts'
import { cursorText } from '../reading/batch.ts'
import { limitShape } from '../reading/limit.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { predict } from '../rules/continue-rule.ts'
import { fillFrame, innerFrame } from './answer-frame.ts'
import { type ComposedBatch, type ComposeInput, composeBatch, noFrameReason } from './compose-batch.ts'
import {
  companionInside,
  continueText,
  finishedModules,
  hasMeta,
  hasMore,
  type NextValues,
  nextValues,
} from './follow-up.ts'
import { knownModels, learnedModels } from './inner-model.ts'
import { type InnerModel, innerPages, pagesWithRows, rowsWithValue, startRow } from './inner-pages.ts'

export function innerAnswer(input: ComposeInput, facts: WikiFacts): ComposedBatch | string {
  const { request, listing, rows } = input
  const { lookup } = facts
  const learned = learnedModels(listing, request.dialect === 'raw', lookup)
  const fits = ({ module }: LimitedProp): boolean => propsFit(request, rows, listing.batches, lookup, module)
  const models =
    learned.length > 0 ? learned : knownModels(request, rows, facts).filter((model) => fits(model.prop))
  const [{ prop } = {}] = models
  const isInside = request.inner.size > 0 && request.dialect !== 'raw'
  if (isInside && !hasMeta(request) && !repeatsSurroundings(listing.batches))
    return 'members besides its pages may come with the first answer only'
  if (prop === undefined) return 'no recording proves how its props continue inside a batch'
  if (!fits(prop)) return 'several of its props would continue inside this batch'
  const [first, ...others] = models.map((model) => answerByModel(input, model))
  if (first === undefined || typeof first === 'string') return first ?? 'no model'
  const same = others.every((other) => typeof other !== 'string' && sameTree(other.body, first.body))
  return same
    ? { ...first, known: learned.length === 0 }
    : 'recorded batches allow several orders of the rows inside it'
}

function answerByModel(input: ComposeInput, model: InnerModel): ComposedBatch | string {
  const { request, listing, rows, to: end } = input
  const pages = innerPages(listing, rows, model)
  if (pages === undefined) return 'the order of its pages in the response is not proven'
  const framed = innerFrame(listing, request)
  if (framed === undefined) return noFrameReason
  if (!fitsSpelling(framed, request)) return 'its warnings quote another spelling of the request'
  if (!hasExpectedCompanion(request, model.prop))
    return 'its continue parameter names other modules than recorded'
  const from = startRow(request, model, pages)
  if (from === undefined) return 'no row inside this batch has that continue value'
  const to = Math.min(from + model.prop.rows, pages.sequence.length)
  const next = pages.sequence[to]
  const shown = pagesWithRows(pages, model.prop, request, from, to)
  if (next === undefined) return composeBatch(input, shown)
  const value = predict(model.rule, next)
  // A value that two rows share does not say which of them comes next.
  if (value === undefined || rowsWithValue(model, pages, cursorText(value)).length !== 1)
    return 'the next continue value inside this batch is not known'
  if (limitShape(request) !== 'number') return 'what such a limit adds to a part of a batch is not recorded'
  // With `rawcontinue` every answer has the generator's continue value.
  const isContinued = request.dialect === 'raw' && hasMore(end)
  const after = isContinued ? nextValues(listing, end) : undefined
  if (isContinued && after === undefined) return 'the next continue value is not known'
  const filled = fillInnerContinue(input, model, framed.frame, value, after)
  return {
    body: fillFrame(filled, listing.driver, shown, undefined, listing.followers),
    headers: listing.batches[0].headers,
    keys: after ? [after.key] : [],
    own: after?.own === true,
  }
}

/** True where the `continue` value fits a position inside the batch, or its beginning. */
function hasExpectedCompanion(request: ListingRequest, prop: LimitedProp): boolean {
  const { inner, cursor, companion, dialect } = request
  if (dialect === 'raw') return true
  if (inner.size === 0 && cursor.size === 0) return companion === undefined || companion === ''
  const expected = continueText(cursor.keys(), finishedModules(request))
  return companion === (inner.size > 0 ? companionInside(request, prop) : expected)
}

/** The frame with the prop's continue value, in either dialect, beside the generator's. */
function fillInnerContinue(
  { request, listing: { driver } }: ComposeInput,
  { prop, param }: InnerModel,
  frame: JsonTree,
  value: JsonTree,
  after: NextValues | undefined,
): JsonTree {
  const sent = [...request.cursor].map(([name, text]) => [name, jsonString(text)] as const)
  const companion = jsonString(companionInside(request, prop))
  const modern = jsonObject([[param, value], ...sent, ['continue', companion]])
  const outer = after === undefined ? [] : [...after.values]
  const inner = [[param, value]] as const
  const isSameModule = prop.module === driver.module
  const legacy = jsonObject([
    [prop.module, jsonObject(isSameModule ? [...inner, ...outer] : inner)],
    ...(isSameModule || after === undefined ? [] : [[driver.module, jsonObject(outer)] as const]),
  ])
  return replaceMember(
    replaceMember(frame, 'continue', () => modern),
    'query-continue',
    () => legacy,
  )
}
