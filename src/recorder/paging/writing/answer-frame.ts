/** The frame of an answer: recorded, or made from another shape where that is certain. */
import { jsonLiteral, jsonString, memberOf, objectOf } from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import { quirkNames } from '../../knowledge/module-quirks.ts'
import {
  type FrameShape,
  fitsSpelling,
  frameShape,
  type Listing,
  type RecordedFrame,
  type RecordedFrames
} from '../joining/listing.ts'
import { pageParams } from '../reading/driver.ts'
import { givesTexts } from '../reading/limits.ts'
import type { ContinueDialect, ListingRequest } from '../reading/listing-request.ts'
import { continuePlace, coreOf, isOnlyPages, withHead } from '../reading/split-answer.ts'
import {
  continuationParam,
  continueText,
  finishedModules,
  followUpFrame,
  hasMeta,
  withLimit,
  withoutFinished
} from './follow-up.ts'

/** The frame for an answer to this request; undefined where it is not certain. */
export function frameFor(
  listing: Listing,
  request: ListingRequest,
  more: boolean,
  empty: boolean
): RecordedFrame | undefined {
  const { frames } = listing
  const wanted = frameShape(request, more, empty)
  const framed =
    frames.byShape.get(JSON.stringify(wanted)) ??
    (wanted.empty
      ? emptyFrame(listing, request, more)
      : makeFrame(listing, request, wanted))
  const isOfRequest = framed && fitsSpelling(framed, request) && !warnsOfPages(framed)
  return isOfRequest ? framed : undefined
}

/** Of which rows it warns is not known. */
function warnsOfPages({ frame }: RecordedFrame) {
  const warnings = memberOf(frame, 'warnings')
  const text = warnings ? writeCompact(warnings, 'utf8') : ''
  return quirkNames('warns-of-pages').some((words) => text.includes(words))
}

/** The `continue` value if only the driver continues; undefined if a batch has another. Source: ApiContinuationManager */
function plainContinueIn(listing: Listing, request: ListingRequest) {
  const { kind } = request.driver
  const continuing = { list: '-', generator: continuationParam(listing) ?? '', prop: '' }[
    kind
  ]
  const expected = continueText([continuing], finishedModules(request))
  const others = [...listing.frames.plainContinues].filter((one) => one !== expected)
  return others.every((one) => kind === 'generator' && one === '||')
    ? expected
    : undefined
}

/**
 * The frame of a generator without results, which has no `query`. Props add nothing to it, as far as recorded ones are
 * known to. With `rawcontinue` an empty object is left (ApiResult::reset; measured on 1.39 and 1.43 without debuginfo).
 */
function emptyFrame(
  { frames }: Listing,
  request: ListingRequest,
  more: boolean
): RecordedFrame | undefined {
  const recorded = [...frames.byShape.values()]
  const [first] = recorded
  const isShown = request.isBare || recorded.some(({ shape }) => shape.empty)
  const areKnown = request.additions.every(
    (name) => name !== 'meta' && knownOfPages.includes(name)
  )
  if (!first || more || !isShown || !areKnown) return undefined
  const style = continueStyle(request.dialect, frames)
  // Before 1.35 it was an array.
  const isWritten = style === 'modern' || (style === 'legacy' && frames.isSince35)
  const core = withLimit([], 'number', request, false)
  if (!core || !isWritten || !recorded.every(({ frame }) => isOnlyPages(coreOf(frame))))
    return undefined
  return {
    ...first,
    frame: objectOf([...makeHead(style, false, request), ...core]),
    plainContinue: undefined
  }
}

/** `legacy`: `query-continue`; `modern`: `continue` and `batchcomplete`. Undefined where the wiki's default is unknown. */
function continueStyle(dialect: ContinueDialect, frames: RecordedFrames) {
  if (dialect !== 'none') return dialect === 'raw' ? 'legacy' : 'modern'
  return frames.noneIs === 'continue' ? 'modern' : undefined
}

/** These are known to come with the first batch, or with every batch. Props without pages add nothing. */
const knownAdditions: readonly string[] = ['meta', 'indexpageids', 'prop']

/** The pages that were sent come with every batch of a prop, and with those of a list for which all modules run. Source: ApiQuery::execute */
const knownOfPages: readonly string[] = [
  ...knownAdditions,
  ...pageParams,
  'redirects',
  'converttitles'
]

/** A frame of another shape: the members around its rows, with a new continue block. */
function makeFrame(listing: Listing, request: ListingRequest, wanted: FrameShape) {
  const { frames } = listing
  const plainContinue = plainContinueIn(listing, request)
  const style = continueStyle(wanted.dialect, frames)
  const { additions, limit } = request
  const known = request.driver.kind === 'generator' ? knownAdditions : knownOfPages
  const isKnown = limit.kind !== 'over' && additions.every((name) => known.includes(name))
  if (plainContinue === undefined || style === undefined) return undefined
  if (!isKnown && !request.isBare) return undefined
  // Without rows the module may have returned before it asks for fewer texts. Source: run of ApiQueryRevisions, ApiQueryDeletedRevisions
  const isRead = listing.batches.some(({ answer }) => answer.rows.length > 0)
  if (limit.kind !== 'number' && !isRead && givesTexts(request.params, request.driver))
    return undefined
  if (![undefined, '', plainContinue].includes(wanted.plainContinue)) return undefined
  /** The members around the rows in a batch of the wanted shape; undefined where they are not certain. */
  const adaptCore = ({ shape, frame }: RecordedFrame) => {
    const core = withLimit(coreOf(frame), shape.limit, request, frames.isSince35)
    if (!core || request.isBare) return core
    if (request.driver.kind === 'generator' && !hasMeta(request))
      return isOnlyPages(core) ? core : undefined
    if (runsAllModules(shape) === runsAllModules(wanted)) return core
    // Beside pages `limits` comes last, and without them first.
    const isMoved = request.driver.kind === 'list' && core.at(-1)?.key === 'limits'
    return runsAllModules(shape) && !isMoved ? withoutFinished(core, request) : undefined
  }
  for (const recorded of usableFrames(frames)) {
    const core = adaptCore(recorded)
    if (!core) continue
    const frame = withHead(makeHead(style, wanted.more, request), core, recorded.frame)
    if (!frame) continue
    return {
      ...recorded,
      frame,
      plainContinue: wanted.more && style === 'modern' ? plainContinue : undefined
    }
  }
  return undefined
}

/** The frames with rows, and without 1.25's warning about its own default dialect, which other dialects lack. */
const usableFrames = ({ byShape, noneIs }: RecordedFrames) =>
  [...byShape.values()].filter(
    ({ shape }) => !shape.empty && (shape.dialect !== 'none' || noneIs === 'continue')
  )

/**
 * The frame of an answer inside a generator's batch, without its continue value; undefined where none is recorded.
 * Modules that do not continue run for the first answer only, with `rawcontinue` for every one. Source: ApiContinuationManager
 */
export function innerFrame(
  { frames, batches }: Listing,
  request: ListingRequest
): Pick<RecordedFrame, 'frame' | 'sentValues'> | undefined {
  const isRaw = request.dialect === 'raw'
  // Recorded batches of several answers show the members around pages.
  const isProven = batches.some(({ answers }) => answers !== undefined)
  for (const { shape, frame: recorded, sentValues } of usableFrames(frames)) {
    if ((shape.dialect === 'raw') !== isRaw) continue
    const core = withLimit(coreOf(recorded), shape.limit, request, frames.isSince35)
    if (
      !core ||
      !(hasMeta(request) ? runsAllModules(shape) : isProven || isOnlyPages(core))
    )
      continue
    const next = { key: isRaw ? 'query-continue' : 'continue', value: continuePlace }
    const headed = withHead([next], core, recorded)
    if (!headed) continue
    const frame = followUpFrame(headed, request)
    return frame && { frame, sentValues }
  }
  return undefined
}

/** Requests without a `continue` value run all modules; with `rawcontinue` every request does. */
const runsAllModules = ({ plainContinue, dialect }: FrameShape) =>
  plainContinue === undefined || plainContinue === '' || dialect === 'raw'

function makeHead(written: 'legacy' | 'modern', more: boolean, request: ListingRequest) {
  if (written === 'legacy')
    return more ? [{ key: 'query-continue', value: continuePlace }] : []
  const done = {
    key: 'batchcomplete',
    value: request.formatVersion === '1' ? jsonString('') : jsonLiteral(true)
  }
  if (!more) return [done]
  const next = { key: 'continue', value: continuePlace }
  // A prop's batch of pages is complete only with its last row.
  return request.driver.kind === 'prop' ? [next] : [done, next]
}
