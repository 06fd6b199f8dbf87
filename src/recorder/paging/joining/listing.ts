/**
 * A listing: recorded batches joined by their continue values into runs of rows whose order and extent are proven, and
 * the frames of their answers.
 */
import { sameTexts } from '../../cassette/interaction.ts'
import { hasMember, type JsonTree, sameTree, textOf } from '../../json/json-tree.ts'
import type { PageOrder } from '../../knowledge/listing-facts.ts'
import { hasQuirk } from '../../knowledge/module-quirks.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { equalIgnoringVolatile } from '../../wiki/answers/volatile.ts'
import { isClean, type Params } from '../../wiki/parameters/request-params.ts'
import { isVersionSince, type SiteFacts } from '../../wiki/site/site-facts.ts'
import type { Batch, Batches } from '../reading/batch.ts'
import { type Driver, isAllLinks } from '../reading/driver.ts'
import { type LimitShape, limitShape } from '../reading/limits.ts'
import type { ContinueDialect, ListingRequest } from '../reading/listing-request.ts'
import {
  asPageRows,
  extractSiblings,
  isPageLimited,
  isPagewise,
  pagesOf,
  type SiblingMembers,
  siblingsIn
} from '../reading/page-members.ts'
import type { MembersBehind } from '../reading/row.ts'
import { isAmbiguous } from '../rules/continue-rule.ts'
import { isPageOrder, type KnownListing } from '../rules/known-rules.ts'
import { rowOrders } from '../rules/row-order.ts'
import {
  type JoinedBatches,
  joinCertain,
  joinKnown,
  joinProven,
  responseOrders
} from './join-batches.ts'
import type { BatchConflict } from './position-graph.ts'
import { recordedParam } from './rule-check.ts'

/** True where the order that the batches show is not that of their continue values: two numbers, ids of the target and of the linking page. */
function contradictsItself(batches: Batches) {
  const [{ request }] = batches
  const { driver, params } = request
  if (!isAllLinks(driver)) return false
  const isDescending = params.get(`${driver.prefix}dir`) === 'descending'
  if (!isDescending && batches.every((batch) => batch.request.startName === undefined))
    return false
  const values = batches.flatMap(({ answer }) => [
    ...(answer.next?.values.values() ?? [])
  ])
  return (
    values.length > 0 && values.every((value) => /^\d+\|\d+$/.test(textOf(value) ?? ''))
  )
}

export interface Listing extends JoinedBatches {
  readonly identity: string
  readonly driver: Driver
  readonly batches: Batches
  /** Whether recorded batches alone prove the rule, or what is known of the wiki's version does. */
  readonly by: 'learned' | 'known'
  /** What in the recording contradicts what is known of the version, which is then ignored. */
  readonly contradiction: string | undefined
  /** The orders of pages in a response that all recorded batches allow. */
  readonly pageOrders: readonly PageOrder[]
  /** The continuation parameter, where a recorded batch or the version shows it. */
  readonly param: string | undefined
  readonly frames: RecordedFrames
  readonly membersBehind: MembersBehind
  /** True for a prop that may add more to a page than its rows (`extracts`). */
  readonly hasOtherMembers: boolean
  readonly siblings: SiblingMembers | undefined
}

/** What is known of a listing for the wiki's version; called only where it is needed. */
export type KnownLookup = (
  request: ListingRequest,
  pages: readonly JsonTree[]
) => KnownListing | undefined

export function joinListing(
  recorded: Batches,
  site: SiteFacts | undefined,
  known: KnownLookup
): Listing {
  const [{ request }] = recorded
  const { identity, driver } = request
  const { batches, siblings, hasOtherMembers } = prepareBatches(recorded)
  let learned: JoinedBatches | undefined
  for (const order of rowOrders(batches)) learned ??= joinProven(batches, order)

  const isOpen = !learned?.rule || isAmbiguous(learned.rule)
  const version = isOpen ? known(request, pagesOf(recorded[0])) : undefined
  const tried = version && joinKnown(batches, version)
  // A learned rule is better than a known one without a value.
  const confirmed =
    typeof tried === 'object' && (tried.rule ?? learned?.rule) === tried.rule
      ? tried
      : undefined
  const joined = confirmed ?? learned ?? joinCertain(batches)
  const pages = confirmed && version?.pages
  return {
    identity,
    driver,
    batches,
    ...joined,
    by: confirmed ? 'known' : 'learned',
    contradiction: typeof tried === 'string' ? tried : undefined,
    disordered: joined.disordered || contradictsItself(batches),
    pageOrders:
      driver.kind === 'generator'
        ? responseOrders(batches, joined).filter(
            (order) => !pages || isPageOrder(pages, order)
          )
        : ['rows'],
    param: recordedParam(batches) ?? version?.param,
    frames: collectFrames(batches, site),
    hasOtherMembers,
    siblings,
    membersBehind: new Set(batches.flatMap((batch) => [...batch.answer.membersBehind]))
  }
}

/** The batches with page-limited props as rows and sibling members extracted, as far as that is certain. */
function prepareBatches(recorded: Batches) {
  const [{ request }] = recorded
  const isFilled = isPageLimited(request)
  const filled = isPagewise(request) ? asPageRows(recorded) : undefined
  const hasOtherMembers = isFilled ? !filled : mayHaveOtherMembers(recorded)
  const extracted =
    hasOtherMembers && request.isBare && !isFilled ? extractSiblings(recorded) : undefined
  return extracted
    ? { ...extracted, hasOtherMembers: false }
    : { batches: filled ?? recorded, siblings: undefined, hasOtherMembers }
}

/** True where a prop may have added other members than rows to its pages. */
function mayHaveOtherMembers(batches: Batches) {
  const [{ request }] = batches
  const { driver, isBare } = request
  if (driver.kind !== 'prop' || hasQuirk('page-member', driver.module)) return false
  if (!isBare) return batches.every((batch) => batch.answer.rows.length === 0)
  return batches.some((batch) =>
    pagesOf(batch).some((page) => siblingsIn(page).length > 0)
  )
}

export interface RecordedFrame {
  readonly shape: FrameShape
  readonly frame: JsonTree
  /** The `continue` parameter; undefined with `query-continue` or where nothing follows. */
  readonly plainContinue: string | undefined
  readonly headers: ReadonlyMap<string, string>
  readonly key: RequestKey
  readonly sentValues: Params
}

export interface FrameShape {
  readonly dialect: ContinueDialect
  readonly plainContinue: string | undefined
  readonly limit: LimitShape
  readonly more: boolean
  /** True for a generator without rows: its answer has no `query`. */
  readonly empty: boolean
}

export interface RecordedFrames {
  /** By their shape as JSON. */
  readonly byShape: ReadonlyMap<string, RecordedFrame>
  readonly plainContinues: ReadonlySet<string>
  /** The dialect of requests with neither `continue` nor `rawcontinue`, where a recording or the version shows it. */
  readonly noneIs: 'raw' | 'continue' | undefined
  /** Recorded answers of one shape whose frames differ. */
  readonly clash: BatchConflict | undefined
  /** True since 1.35: how the wiki warns of too high a limit, and writes an answer with nothing in it, is known. */
  readonly isSince35: boolean
}

export function collectFrames(
  batches: readonly Batch[],
  site: SiteFacts | undefined
): RecordedFrames {
  const byShape = new Map<string, RecordedFrame>()
  const plainContinues = new Set<string>()
  // From 1.26 on a request without either parameter is one with `continue`.
  let noneIs: RecordedFrames['noneIs'] = isVersionSince(site?.generator, 26)
    ? 'continue'
    : undefined
  let clash: BatchConflict | undefined
  for (const { request, answer, headers, key } of batches) {
    const plainContinue = answer.next?.plainContinue
    if (plainContinue !== undefined) plainContinues.add(plainContinue)
    if (request.dialect === 'none' && answer.next)
      noneIs = plainContinue === undefined ? 'raw' : 'continue'
    // The wiki warns of a start that is not normalized; no other request gets that warning.
    const starts = [
      request.startName ?? '',
      ...request.cursor.values(),
      ...request.inner.values()
    ]
    if (!starts.every(isClean)) continue
    const shape = frameShape(request, answer.next !== undefined, answer.rows.length === 0)
    const { sentValues } = request
    const recorded = {
      shape,
      frame: answer.frame,
      plainContinue,
      headers,
      key,
      sentValues
    }
    const earlier = getOrAdd(byShape, JSON.stringify(shape), () => recorded)
    const isSame =
      sameTree(earlier.frame, answer.frame) ||
      equalIgnoringVolatile(earlier.frame, answer.frame)
    if (earlier.plainContinue !== plainContinue || !isSame)
      clash ??= {
        between: [earlier.key, key],
        what: 'the members around the rows differ between them'
      }
  }
  return {
    byShape,
    plainContinues,
    noneIs,
    clash,
    isSince35: isVersionSince(site?.generator, 35)
  }
}

/** True where no warning around the rows can quote another spelling than the request has. */
export const fitsSpelling = (
  { frame, sentValues }: Pick<RecordedFrame, 'frame' | 'sentValues'>,
  request: ListingRequest
): boolean => !hasMember(frame, 'warnings') || sameTexts(sentValues, request.sentValues)

export const frameShape = (
  request: ListingRequest,
  more: boolean,
  empty: boolean
): FrameShape => ({
  dialect: request.dialect,
  plainContinue: request.plainContinue,
  limit: limitShape(request),
  more,
  empty: empty && request.driver.kind === 'generator'
})
