/**
 * The frame of an answer: taken from a recorded one of the same shape, or made from one of another shape where it is
 * certain what the wiki writes there.
 */

import { type JsonMember, type JsonTree, jsonLiteral, jsonString, objectOf } from '../../json/json-tree.ts'
import type { Listing } from '../joining/listing.ts'
import {
  type FrameShape,
  fitsSpelling,
  frameShape,
  type RecordedFrame,
  type RecordedFrames,
  shapeName,
} from '../joining/recorded-frames.ts'
import type { ContinueDialect, ListingRequest } from '../reading/listing-request.ts'
import { continueHole, coreOf, isOnlyPages } from '../reading/split-answer.ts'
import { continueText, finishedModules, hasMeta, withoutFinished } from './follow-up.ts'
import { withLimit } from './limit-notices.ts'
import { continuationParam } from './next-values.ts'

/** The frame for an answer to this request; undefined where it is not certain. */
export function frameFor(
  listing: Listing,
  request: ListingRequest,
  more: boolean,
  empty: boolean,
): RecordedFrame | undefined {
  const { frames } = listing
  const wanted = frameShape(request, more, empty)
  const framed =
    frames.byShape.get(shapeName(wanted))?.[1] ??
    (wanted.empty ? emptyFrame(frames, request, more) : rebuildFrame(listing, request, wanted))
  return framed !== undefined && fitsSpelling(framed, request) ? framed : undefined
}

/**
 * The `continue` value of a request in which only the driver goes on: the modules behind `||` have said all with the
 * first batch. Undefined where a recorded batch shows another one. Source: ApiContinuationManager
 */
function companionIn(listing: Listing, request: ListingRequest): string | undefined {
  const { kind } = request.driver
  const going = { list: '-', generator: continuationParam(listing) ?? '', prop: '' }[kind]
  const expected = continueText([going], finishedModules(request))
  const others = [...listing.frames.companions].filter((one) => one !== expected)
  return others.every((one) => kind === 'generator' && one === '||') ? expected : undefined
}

/** A generator that finds nothing adds nothing: the answer says that it is complete, and has no `query`. */
function emptyFrame(
  frames: RecordedFrames,
  request: ListingRequest,
  more: boolean,
): RecordedFrame | undefined {
  const recorded = [...frames.byShape.values()].map(([, one]) => one)
  const [first] = recorded
  // `max` and a limit beyond the maximum are told beside the rows.
  if (first === undefined || more || !request.alone || request.limit.kind !== 'number') return undefined
  // In the old dialect nothing at all is left, which PHP writes as an array.
  const modern = continueStyle(request.dialect, frames) === 'modern'
  if (!modern || !recorded.every(({ frame }) => isOnlyPages(coreOf(frame)))) return undefined
  return { ...first, frame: objectOf(makeHead('modern', false, request)), companion: undefined }
}

/** Written as `query-continue`, or as `continue` with `batchcomplete`; undefined where this wiki's default is unknown. */
function continueStyle(dialect: ContinueDialect, frames: RecordedFrames): 'legacy' | 'modern' | undefined {
  if (dialect !== 'none') return dialect === 'raw' ? 'legacy' : 'modern'
  return frames.noneIs === 'continue' ? 'modern' : undefined
}

/** A frame of any other shape, its rows' surroundings kept and its continuation written anew. */
function rebuildFrame(
  listing: Listing,
  request: ListingRequest,
  wanted: FrameShape,
): RecordedFrame | undefined {
  const { frames } = listing
  const companion = companionIn(listing, request)
  const style = continueStyle(wanted.dialect, frames)
  if (companion === undefined || style === undefined || !isKnownAddition(request)) return undefined
  if (![undefined, '', companion].includes(wanted.companion)) return undefined
  for (const [shape, recorded] of frames.byShape.values()) {
    // 1.25 warns of its own default dialect: what that warning would be elsewhere is not known.
    const foreign = shape.dialect === 'none' && frames.noneIs !== 'continue'
    const core =
      shape.empty || foreign ? undefined : adaptCore(frames, request, wanted, shape, recorded.frame)
    if (core === undefined) continue
    const frame = objectOf([...makeHead(style, wanted.more, request), ...core])
    return { ...recorded, frame, companion: wanted.more && style === 'modern' ? companion : undefined }
  }
  return undefined
}

/**
 * What stands around the pages of a generator in an answer that all modules ran for; undefined where that is not recorded.
 * @param parted whether batches that took several answers are recorded, so that these show what else does
 */
export function generatorSurroundings(
  { byShape, noneIs, warnsOfLimit }: RecordedFrames,
  request: ListingRequest,
  parted: boolean,
): { readonly core: readonly JsonMember[]; readonly sentValues: RecordedFrame['sentValues'] } | undefined {
  for (const [shape, { frame, sentValues }] of byShape.values()) {
    const sameDialect = (shape.dialect === 'raw') === (request.dialect === 'raw')
    if (shape.empty || !sameDialect || (shape.dialect === 'none' && noneIs !== 'continue')) continue
    const core = withLimit(coreOf(frame), shape.limit, request, warnsOfLimit)
    if (core === undefined || !(hasMeta(request) ? runsAllModules(shape) : parted || isOnlyPages(core)))
      continue
    return { core, sentValues }
  }
  return undefined
}

/** True where all that stands beside a driver is known to come with the first batch, or with every one. */
const isKnownAddition = ({ additions, driver, limit }: ListingRequest): boolean =>
  additions.length === 0 ||
  (limit.kind === 'number' &&
    additions.every((name) =>
      ['meta', 'indexpageids', ...(driver.kind === 'list' ? [] : ['prop'])].includes(name),
    ))

/** The surroundings of the rows as a batch of that shape would have them; undefined where that is not certain. */
function adaptCore(
  { warnsOfLimit }: RecordedFrames,
  request: ListingRequest,
  wanted: FrameShape,
  shape: FrameShape,
  frame: JsonTree,
): readonly JsonMember[] | undefined {
  const core = withLimit(coreOf(frame), shape.limit, request, warnsOfLimit)
  if (core === undefined || request.alone) return core
  if (request.driver.kind === 'generator' && !hasMeta(request)) return isOnlyPages(core) ? core : undefined
  if (runsAllModules(shape) === runsAllModules(wanted)) return core
  return runsAllModules(shape) ? withoutFinished(core, request) : undefined
}

/** A request without a `continue` value runs all of its modules, and so does every one in the old dialect. */
const runsAllModules = ({ companion, dialect }: FrameShape): boolean =>
  companion === undefined || companion === '' || dialect === 'raw'

/** Every version puts these in front of everything else. */
function makeHead(
  written: 'legacy' | 'modern',
  more: boolean,
  request: ListingRequest,
): readonly JsonMember[] {
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
