/** Recorded interactions as batches: parts of listings, each with its start and the position that comes next. */
import type { Interaction } from '../../cassette/interaction.ts'
import {
  hasMember,
  type JsonTree,
  memberAt,
  memberOf,
  membersOf,
  numberAt,
  scalarTextOf
} from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import { quirkNames } from '../../knowledge/module-quirks.ts'
import type { WikiFacts } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import {
  type ParamPairs,
  type Params,
  valuesOf
} from '../../wiki/parameters/request-params.ts'
import { countDoubt, type Driver } from './driver.ts'
import { acceptedLimit, limitRangeOf } from './limits.ts'
import {
  type ContinuationNames,
  formatVersionOf,
  type ListingRequest,
  readListingRequest
} from './listing-request.ts'
import { type ContinueValues, type SplitAnswer, splitAnswer } from './split-answer.ts'

export interface Batch {
  readonly key: RequestKey
  readonly request: ListingRequest
  readonly answer: SplitAnswer
  readonly headers: ReadonlyMap<string, string>
  readonly startsAt: ListingPosition
  readonly continuesAt: ListingPosition | undefined
  /** Rows that the limit allowed; undefined where the caller's own limit is not known. */
  readonly allowedRows: number | undefined
  /** The chain of answers that this batch was joined from. */
  readonly answers?: readonly Batch[]
}

export type Batches = readonly [Batch, ...Batch[]]

export const recordedKeysOf = ({ answers, key }: Batch): readonly RequestKey[] =>
  answers?.map((answer) => answer.key) ?? [key]

/** The name of a position in a listing: its start, a start by title, a continue value, or its end. */
export type ListingPosition = string

export const startPosition: ListingPosition = 'start'
export const endPosition: ListingPosition = 'end'
export const namePosition = (from: string): ListingPosition => `from ${from}`
/** @param values name and value of each continuation parameter, the value as sent in a URL */
export const cursorPosition = (
  values: Iterable<readonly [string, string]>
): ListingPosition =>
  `at ${JSON.stringify([...values].sort((a, b) => (a[0] < b[0] ? -1 : 1)))}`

/** The value of a position that this one continuation parameter names; undefined for any other position. */
export function cursorValue(
  position: ListingPosition,
  param: string
): string | undefined {
  if (!position.startsWith(`at [[${JSON.stringify(param)},`)) return undefined
  const [only, second]: ParamPairs = JSON.parse(position.slice('at '.length))
  return second ? undefined : only?.[1]
}

export function positionOf(
  request: Pick<ListingRequest, 'cursor' | 'startName'>
): ListingPosition {
  const { cursor, startName = '' } = request
  if (cursor.size > 0) return cursorPosition(cursor)
  return startName === '' ? startPosition : namePosition(startName)
}

/** A continue value as the client sends it back. */
export const cursorText = (value: JsonTree): string => scalarTextOf(value) ?? ''

export const cursorFrom = ({ values }: Pick<ContinueValues, 'values'>): Params =>
  new Map([...values].map(([name, value]) => [name, cursorText(value)]))

/** The JSON of an interaction with a single response of status 200, of which others may be made; undefined for any other. */
export function singleAnswerOf(interaction: Interaction): JsonTree | undefined {
  const [{ status, body }, second] = interaction.responses
  if (second || status !== 200 || body.kind !== 'json') return undefined
  return hasKeyedPages(interaction.request, body.tree) ? body.tree : undefined
}

/**
 * False where formatversion 1 writes pages as an array: where the greatest of their keys is one less than there are pages,
 * as with page 1 and a missing one. Source: ApiResult::applyTransformations ($maxKey), 1.25 to 1.43
 */
export const hasKeyedPages = (request: Params, body: JsonTree): boolean =>
  formatVersionOf(request) !== '1' || memberAt(body, 'query', 'pages')?.kind !== 'array'

/** False where the wiki would write this object as an array. */
export function keepsKeys(pages: JsonTree | undefined): boolean {
  const keys = membersOf(pages).map(({ key }) => Number(key))
  return Math.max(...keys) !== keys.length - 1
}

/** True for an answer that ended where the wiki had taken long enough: another one may end elsewhere. */
export const endsByTime = (body: JsonTree): boolean =>
  ['continue', 'query-continue'].some((key) =>
    quirkNames('ends-by-time').some((name) => hasMember(memberOf(body, key), name))
  )

/** The recording as if another request had got another answer. */
export const withAnswer = (
  from: Interaction,
  { request, sentValues }: Pick<Interaction, 'request' | 'sentValues'>,
  tree: JsonTree
): Interaction => ({
  ...from,
  request,
  sentValues,
  responses: [{ ...from.responses[0], body: { kind: 'json', tree, spelling: 'utf8' } }]
})

/** An interaction as a batch; undefined where it is no part of a listing. */
export function readBatch(
  from: Interaction,
  facts: WikiFacts,
  names: ContinuationNames
): Batch | undefined {
  const body = singleAnswerOf(from)
  if (!body) return undefined
  const reading = readListingRequest(from.request, from.sentValues, facts.lookup, names)
  if (typeof reading === 'string' || warnsOfModule(body, from, facts)) return undefined
  const answer = splitAnswer(body, reading.driver)
  if (typeof answer === 'string') return undefined
  if (hasRows(answer) && countDoubt(reading.params, reading.driver)) return undefined
  const limit = acceptedLimit(reading.limit, hasMember(body, 'warnings'))
  // A bound that is not known: what was warned of says nothing of other limits.
  if (limit.kind === 'number' && warnsOf(body, `${reading.driver.prefix}limit`))
    return undefined
  const request = { ...reading, limit }
  const allowed = allowedRows(request, answer)
  return {
    key: from.key,
    request,
    answer,
    headers: from.responses[0].headers,
    startsAt: positionOf(request),
    continuesAt: positionAfter(answer, request, allowed),
    allowedRows: allowed
  }
}

const hasRows = ({ rows, next, inner }: SplitAnswer) =>
  rows.length > 0 || next !== undefined || inner !== undefined

/** True for the answer to a request for the start of a listing that has no rows. */
export const showsNothing = ({ request, answer, continuesAt, answers }: Batch): boolean =>
  isAtStart(request) && continuesAt === endPosition && !hasRows(answer) && !answers

export const isAtStart = ({
  cursor,
  inner,
  plainContinue = ''
}: ListingRequest): boolean => cursor.size + inner.size === 0 && plainContinue === ''

const warnsOf = (body: JsonTree, param: string) => {
  const warnings = memberOf(body, 'warnings')
  return warnings !== undefined && writeCompact(warnings, 'utf8').includes(param)
}

/** True where the wiki may have no module of a name that was sent: `continue` then does not say that it has finished. */
function warnsOfModule(body: JsonTree, { request }: Interaction, { lookup }: WikiFacts) {
  if (!hasMember(body, 'warnings')) return false
  const names = ['prop', 'meta'].flatMap((kind) => valuesOf(request, kind))
  return names.some((name) => !lookup(`query+${name}`))
}

/**
 * Undefined inside a generator's batch, where the continue block repeats the start of that batch, and after a full batch
 * of a module that cannot continue.
 */
export function positionAfter(
  answer: SplitAnswer,
  { canContinue }: Pick<ListingRequest, 'canContinue'>,
  allowedRows: number | undefined
): ListingPosition | undefined {
  if (answer.inner) return undefined
  if (answer.next) return cursorPosition(cursorFrom(answer.next))
  const hasRoom = allowedRows !== undefined && answer.rows.length < allowedRows
  return canContinue || hasRoom ? endPosition : undefined
}

/** The number that `max` meant for this caller, where the answer says so. */
export const reportedMax = (
  { frame }: SplitAnswer,
  { module }: Driver
): number | undefined => numberAt(frame, 'limits', module)

/** The limit in force. Where the answer does not say what `max` meant, only a full batch shows it. */
function allowedRows({ limit, driver, params }: ListingRequest, answer: SplitAnswer) {
  const { rows, next } = answer
  const reported = limit.kind === 'max' ? reportedMax(answer, driver) : undefined
  if (reported !== undefined) return reported
  if (limit.kind === 'number' || !next) return limit.rows
  const { max, highMax } = limitRangeOf(params, driver)
  return rows.length === max || rows.length === highMax ? rows.length : limit.rows
}

/** True where the batch has as many rows as allowed, so that none can be hidden among them. */
export const isFull = ({ answer, allowedRows }: Batch): boolean =>
  answer.rows.length === allowedRows
