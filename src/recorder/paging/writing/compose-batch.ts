/** An answer with all rows of a batch, or with the last of them inside it. */
import {
  type JsonTree,
  jsonArray,
  jsonObject,
  jsonString,
  mapMembers,
  numberAt,
  replaceMember
} from '../../json/json-tree.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { groupBy } from '../../text/group-by.ts'
import type { Listing } from '../joining/listing.ts'
import type { RunPosition } from '../joining/run-layout.ts'
import { isOwnValue } from '../placing/locate.ts'
import { limitRangeOf } from '../reading/limits.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { batchStartOf, insertSiblings } from '../reading/page-members.ts'
import {
  fillPage,
  groupRows,
  type ListingRows,
  type MembersBehind,
  mapFramePages
} from '../reading/row.ts'
import {
  arrayPlace,
  groupsPlace,
  pageKeysPlace,
  rowsPlace
} from '../reading/split-answer.ts'
import { pagesInResponse } from '../rules/row-order.ts'
import { frameFor } from './answer-frame.ts'
import {
  continueText,
  finishedModules,
  followUpFrame,
  hasMore,
  nextValues
} from './follow-up.ts'

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
  /** Those of the batch, in the order of the listing; of a generator whole pages. */
  readonly rows: ListingRows
  readonly to: RunPosition
  /** The rows are those of one recorded batch, as it has them. */
  readonly isWhole?: true
}

/** @param lastPages in an answer inside the batch: its pages with the last rows of the prop */
export function composeBatch(
  input: ComposeInput,
  lastPages?: ListingRows
): ComposedBatch | string {
  const { request, listing, rows, to } = input
  const more = hasMore(to)
  const [framed] = (lastPages ? batchRequests(request) : [request]).flatMap(
    (one) => frameFor(listing, one, more, rows.length === 0) ?? []
  )
  if (!framed) return whyNoFrame(request)
  const next = more ? nextValues(listing, to) : undefined
  if (more && !next) return 'the next continue value is not known'
  const isPages = listing.driver.kind === 'generator' && input.isWhole !== true
  const written =
    lastPages ?? (isPages ? pagesInResponse(listing.pageOrders, rows) : rows)
  if (!written) return 'the order of its pages in the response is not proven'
  const frame = lastPages
    ? followUpFrame(framed.frame, request)
    : withSiblingMembers(framed.frame, input)
  if (!frame)
    return 'its pages have members besides the rows, and which pages have them in this batch is not proven'
  const continued: readonly ContinuedModule[] = next
    ? [[listing.driver.module, next.values]]
    : []
  const isFrameSource = lastPages !== undefined || rows.length === 0
  return {
    body: fillFrame(frame, listing, written, continued, framed.plainContinue),
    headers: framed.headers,
    keys: [...(isFrameSource ? [framed.key] : []), ...(next ? [next.key] : [])],
    own: next?.own === true
  }
}

function withSiblingMembers(
  frame: JsonTree,
  { request, listing: { siblings }, rows }: ComposeInput
): JsonTree | undefined {
  // A value of wikitape's own replaces one that names the first row's page.
  const isOwn = isOwnValue([...request.cursor.values()][0] ?? '')
  const start = isOwn ? numberAt(rows[0]?.page, 'pageid') : batchStartOf(request.cursor)
  return siblings ? insertSiblings(frame, siblings, start) : frame
}

/** The requests for the batch as a whole, of which the last answer inside it has the frame. */
function batchRequests(request: ListingRequest): readonly ListingRequest[] {
  if (request.inner.size === 0 || request.dialect === 'raw') return [request]
  const begun = { ...request, inner: new Map<string, string>() }
  if (request.cursor.size > 0)
    return [
      {
        ...begun,
        plainContinue: continueText(request.cursor.keys(), finishedModules(request))
      }
    ]
  return [
    { ...begun, plainContinue: '' },
    { ...begun, plainContinue: undefined, dialect: 'none' }
  ]
}

export const noFrameReason =
  'no recorded answer shows the members around the rows of this one'

function whyNoFrame({ limit, driver, params }: ListingRequest): string {
  if (limit.kind !== 'over') return noFrameReason
  const { max } = limitRangeOf(params, driver)
  const beyond =
    limit.sent === '0' ? 'less than a row' : `more than the wiki allows (${max})`
  return `limit=${limit.sent} is ${beyond}, and no recorded answer shows how it warns of that`
}

/** A module that continues, with the names and values of its continuation parameters. */
export type ContinuedModule = readonly [
  module: string,
  values: Iterable<readonly [string, JsonTree]>
]

/** The answer. A frame has a place for continue values exactly where a module continues. */
export function fillFrame(
  frame: JsonTree,
  { driver, membersBehind }: Listing,
  rows: ListingRows,
  continued: readonly ContinuedModule[],
  plainContinue: string | undefined
): JsonTree {
  const values = continued.flatMap(([module, own]) =>
    [...own].map((value) => ({ module, value }))
  )
  const modern = values.map(({ value }) => value)
  if (plainContinue !== undefined) modern.push(['continue', jsonString(plainContinue)])
  // A generator and a prop of one module have one group.
  const legacy = [...groupBy(values, ({ module }) => module)].map(
    ([module, own]) => [module, jsonObject(own.map(({ value }) => value))] as const
  )
  const filled = replaceMember(
    replaceMember(frame, 'continue', () => jsonObject(modern)),
    'query-continue',
    () => jsonObject(legacy)
  )
  if (driver.kind !== 'prop') return fillPlaces(filled, rows, membersBehind)
  const bySlot = groupBy(rows, ({ slot }) => slot)
  const rowsOf = (at: number): ListingRows => bySlot.get(String(at)) ?? []
  return mapFramePages(filled, (page, at) =>
    fillPage(page, driver.module, rowsOf(at), membersBehind)
  )
}

function fillPlaces(
  tree: JsonTree,
  rows: ListingRows,
  membersBehind: MembersBehind
): JsonTree {
  if (tree === groupsPlace) return jsonArray(groupRows(rows, membersBehind))
  if (tree === arrayPlace) return jsonArray(rows.map(({ item }) => item))
  if (tree === pageKeysPlace) return jsonArray(rows.map(({ slot }) => jsonString(slot)))
  if (tree === rowsPlace) return jsonObject(rows.map(({ slot, item }) => [slot, item]))
  if (tree.kind !== 'object') return tree
  return mapMembers(tree, (value) => fillPlaces(value, rows, membersBehind))
}
