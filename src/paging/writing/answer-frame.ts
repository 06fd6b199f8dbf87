/**
 * The frame of an answer: taken from a recorded one of the same shape, or made from one of another shape where it is
 * certain what the wiki writes there.
 */

import { type JsonMember, type JsonTree, jsonLiteral, jsonString, objectOf } from '../../json/json-tree.ts'
import type { Listing } from '../joining/listing.ts'
import {
  type Framed,
  type Frames,
  fitsSpelling,
  nameOf,
  type Shape,
  shapeOf,
} from '../joining/recorded-frames.ts'
import type { Dialect, ListingRequest } from '../reading/listing-request.ts'
import { continueHole, coreOf, isOnlyPages } from '../reading/split-answer.ts'
import { companionOf, doneAtOnce, hasMeta, withoutDone } from './follow-up.ts'
import { withLimit } from './limit-notices.ts'
import { paramOf } from './next-values.ts'

/** The frame for an answer to this request; undefined where it is not certain. */
export function frameFor(
  listing: Listing,
  request: ListingRequest,
  more: boolean,
  empty: boolean,
): Framed | undefined {
  const { frames } = listing
  const wanted = shapeOf(request, more, empty)
  const framed =
    frames.byShape.get(nameOf(wanted))?.[1] ??
    (wanted.empty ? withoutRows(frames, request, more) : rebuilt(listing, request, wanted))
  return framed !== undefined && fitsSpelling(framed, request) ? framed : undefined
}

/**
 * The `continue` value of a request in which only the driver goes on: the modules behind `||` have said all with the
 * first batch. Undefined where a recorded batch shows another one. Source: ApiContinuationManager
 */
function companionFor(listing: Listing, request: ListingRequest): string | undefined {
  const { kind } = request.driver
  const going = { list: '-', generator: paramOf(listing) ?? '', prop: '' }[kind]
  const expected = companionOf([going], doneAtOnce(request))
  const others = [...listing.frames.companions].filter((one) => one !== expected)
  return others.every((one) => kind === 'generator' && one === '||') ? expected : undefined
}

/** A generator that finds nothing adds nothing: the answer says that it is complete, and has no `query`. */
function withoutRows(frames: Frames, request: ListingRequest, more: boolean): Framed | undefined {
  const framed = [...frames.byShape.values()].map(([, one]) => one)
  const [first] = framed
  // `max` and a limit beyond the maximum are told beside the rows.
  if (first === undefined || more || !request.alone || request.limit.kind !== 'number') return undefined
  // In the old dialect nothing at all is left, which PHP writes as an array.
  const modern = writtenIn(request.dialect, frames) === 'modern'
  if (!modern || !framed.every(({ frame }) => isOnlyPages(coreOf(frame)))) return undefined
  return { ...first, frame: objectOf(headOf('modern', false, request)), companion: undefined }
}

/** Written as `query-continue`, or as `continue` with `batchcomplete`; undefined where this wiki's default is unknown. */
function writtenIn(dialect: Dialect, frames: Frames): 'legacy' | 'modern' | undefined {
  if (dialect !== 'none') return dialect === 'raw' ? 'legacy' : 'modern'
  return frames.noneIs === 'continue' ? 'modern' : undefined
}

/** A frame of any other shape, its rows' surroundings kept and its continuation written anew. */
function rebuilt(listing: Listing, request: ListingRequest, wanted: Shape): Framed | undefined {
  const { frames } = listing
  const companion = companionFor(listing, request)
  const written = writtenIn(wanted.dialect, frames)
  if (companion === undefined || written === undefined || !isUnderstood(request)) return undefined
  if (![undefined, '', companion].includes(wanted.companion)) return undefined
  for (const [shape, framed] of frames.byShape.values()) {
    // 1.25 warns of its own default dialect: what that warning would be elsewhere is not known.
    const foreign = shape.dialect === 'none' && frames.noneIs !== 'continue'
    const core = shape.empty || foreign ? undefined : coreFor(frames, request, wanted, shape, framed.frame)
    if (core === undefined) continue
    const frame = objectOf([...headOf(written, wanted.more, request), ...core])
    return { ...framed, frame, companion: wanted.more && written === 'modern' ? companion : undefined }
  }
  return undefined
}

/**
 * What stands around the pages of a generator in an answer that all modules ran for; undefined where that is not recorded.
 * @param parted whether batches that took several answers are recorded, so that these show what else does
 */
export function surroundings(
  { byShape, noneIs, warnsOfLimit }: Frames,
  request: ListingRequest,
  parted: boolean,
): { readonly core: readonly JsonMember[]; readonly asked: Framed['asked'] } | undefined {
  for (const [shape, { frame, asked }] of byShape.values()) {
    const sameDialect = (shape.dialect === 'raw') === (request.dialect === 'raw')
    if (shape.empty || !sameDialect || (shape.dialect === 'none' && noneIs !== 'continue')) continue
    const core = withLimit(coreOf(frame), shape.limit, request, warnsOfLimit)
    if (core === undefined || !(hasMeta(request) ? beginsAnew(shape) : parted || isOnlyPages(core))) continue
    return { core, asked }
  }
  return undefined
}

/** True where all that stands beside a driver is known to come with the first batch, or with every one. */
const isUnderstood = ({ beside, driver, limit }: ListingRequest): boolean =>
  beside.length === 0 ||
  (limit.kind === 'number' &&
    beside.every((name) =>
      ['meta', 'indexpageids', ...(driver.kind === 'list' ? [] : ['prop'])].includes(name),
    ))

/** The surroundings of the rows as a batch of that shape would have them; undefined where that is not certain. */
function coreFor(
  { warnsOfLimit }: Frames,
  request: ListingRequest,
  wanted: Shape,
  shape: Shape,
  frame: JsonTree,
): readonly JsonMember[] | undefined {
  const core = withLimit(coreOf(frame), shape.limit, request, warnsOfLimit)
  if (core === undefined || request.alone) return core
  if (request.driver.kind === 'generator' && !hasMeta(request)) return isOnlyPages(core) ? core : undefined
  if (beginsAnew(shape) === beginsAnew(wanted)) return core
  return beginsAnew(shape) ? withoutDone(core, request) : undefined
}

/** A request without a `continue` value runs all of its modules, and so does every one in the old dialect. */
const beginsAnew = ({ companion, dialect }: Shape): boolean =>
  companion === undefined || companion === '' || dialect === 'raw'

/** Every version puts these in front of everything else. */
function headOf(written: 'legacy' | 'modern', more: boolean, request: ListingRequest): readonly JsonMember[] {
  if (written === 'legacy') return more ? [{ key: 'query-continue', value: continueHole }] : []
  const done = {
    key: 'batchcomplete',
    value: request.formatVersion === '1' ? jsonString('') : jsonLiteral(true),
  }
  const goOn = { key: 'continue', value: continueHole }
  // The rows of a prop belong to one batch of pages, which is complete with the last of them.
  if (!more) return [done]
  return request.driver.kind === 'prop' ? [goOn] : [done, goOn]
}
