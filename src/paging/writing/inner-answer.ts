/** One of several answers for the same batch of a generator: the pages with the next rows of a prop. */
import { type JsonTree, jsonObject, jsonString, replaceMember, sameTree } from '../../json/json-tree.ts'
import type { WikiFacts } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import type { Listing } from '../joining/listing.ts'
import { fitsSpelling } from '../joining/recorded-frames.ts'
import type { RunPosition } from '../joining/run-layout.ts'
import { type LimitedProp, propsFit, repeatsSurroundings } from '../reading/answer-chain.ts'
import { cursorText } from '../reading/batch.ts'
import { limitShape } from '../reading/limit.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import type { ListingRows } from '../reading/row.ts'
import { predict } from '../rules/continue-rule.ts'
import { fillFrame, frameFor } from './answer-frame.ts'
import {
  continueText,
  finishedModules,
  followUpFrame,
  hasMeta,
  hasMore,
  isFollowUp,
  type NextValues,
  nextValues,
} from './follow-up.ts'
import { type InnerSurroundings, innerSurroundings, knownModels, learnedModels } from './inner-model.ts'
import { type InnerModel, innerPages, pagesWithRows, rowsWithValue, startRow } from './inner-pages.ts'

export interface ComposedBatch {
  readonly body: JsonTree
  readonly headers: ReadonlyMap<string, string>
  readonly keys: readonly RequestKey[]
  /** True where it continues by a value of wikitape's own. */
  readonly own: boolean
  /** True where it relies on what is known of its props. */
  readonly known?: boolean
}

export interface ComposeInput {
  readonly request: ListingRequest
  readonly listing: Listing
  /** The whole pages of the generator's batch, in the order of the listing. */
  readonly rows: ListingRows
  readonly to: RunPosition
}

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
  const around = innerSurroundings(listing, request, model.prop)
  if (around === undefined) return noFrameReason
  if (!fitsSpelling(around, request)) return 'its warnings quote another spelling of the request'
  if (!hasExpectedCompanion(request, around))
    return 'its continue parameter names other modules than recorded'
  const from = startRow(request, model, pages)
  if (from === undefined) return 'no row inside this batch has that continue value'
  const to = Math.min(from + model.prop.rows, pages.sequence.length)
  const next = pages.sequence[to]
  const shown = pagesWithRows(pages, model.prop, request, from, to)
  const more = hasMore(end)
  const after = more ? nextValues(listing, end) : undefined
  // With `rawcontinue` every answer has the generator's continue value.
  if (more && after === undefined && (next === undefined || request.dialect === 'raw'))
    return 'the next continue value is not known'
  if (next === undefined) return completeBatch(input, shown, more, after)
  const value = predict(model.rule, next)
  // A value that two rows share does not say which of them comes next.
  if (value === undefined || rowsWithValue(model, pages, cursorText(value)).length !== 1)
    return 'the next continue value inside this batch is not known'
  if (limitShape(request) !== 'number') return 'what such a limit adds to a part of a batch is not recorded'
  const generatorNext = request.dialect === 'raw' ? after : undefined
  const filled = fillInnerContinue(input, model, around, value, generatorNext)
  return {
    body: fillFrame(filled, listing.driver, shown, undefined, listing.followers),
    headers: listing.batches[0].headers,
    keys: generatorNext?.key === undefined ? [] : [generatorNext.key],
    own: generatorNext?.own === true,
  }
}

/** True where the `continue` value fits a position inside the batch, or its beginning. */
function hasExpectedCompanion(request: ListingRequest, { finished }: InnerSurroundings): boolean {
  const { inner, cursor, companion, dialect } = request
  if (dialect === 'raw') return true
  if (inner.size === 0 && cursor.size === 0) return companion === undefined || companion === ''
  return companion === continueText(cursor.keys(), inner.size > 0 ? finished : finishedModules(request))
}

/** The frame with the prop's continue value, in either dialect, beside the generator's. */
function fillInnerContinue(
  { request: { cursor }, listing: { driver } }: ComposeInput,
  { prop, param }: InnerModel,
  { frame, finished }: InnerSurroundings,
  value: JsonTree,
  after: NextValues | undefined,
): JsonTree {
  const sent = [...cursor].map(([name, text]) => [name, jsonString(text)] as const)
  const companion = jsonString(continueText(cursor.keys(), finished))
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

export const noFrameReason = 'no recorded answer shows the members around the rows of this one'

/** The last answer of the batch has the frame of any other complete one. */
function completeBatch(
  { request, listing }: ComposeInput,
  written: ListingRows,
  more: boolean,
  after: NextValues | undefined,
): ComposedBatch | string {
  const framed = batchRequests(request)
    .map((outer) => frameFor(listing, outer, more, written.length === 0))
    .find((one) => one !== undefined)
  const frame = framed && (isFollowUp(request) ? followUpFrame(framed.frame, request) : framed.frame)
  if (framed === undefined || frame === undefined) return noFrameReason
  const next = after && { values: after.values, companion: framed.companion }
  return {
    body: fillFrame(frame, listing.driver, written, next, listing.followers),
    headers: framed.headers,
    keys: after?.key === undefined ? [framed.key] : [framed.key, after.key],
    own: after?.own === true,
  }
}

function batchRequests(request: ListingRequest): readonly ListingRequest[] {
  if (request.inner.size === 0 || request.dialect === 'raw') return [request]
  const begun = { ...request, inner: new Map<string, string>() }
  if (request.cursor.size > 0)
    return [{ ...begun, companion: continueText(request.cursor.keys(), finishedModules(request)) }]
  return [
    { ...begun, companion: '' },
    { ...begun, companion: undefined, dialect: 'none' },
  ]
}
