/**
 * The frame of an answer: taken from a recorded one of the same shape, or made from one of another shape where it is
 * certain what the wiki writes there.
 */

import { type JsonMember, type JsonTree, jsonLiteral, jsonString, membersOf } from '../../json/tree.ts'
import { type Framed, type Frames, fitsSpelling, nameOf, type Shape, shapeOf } from '../joining/frames.ts'
import { continueHole, coreOf, isOnlyPages } from '../reading/cut.ts'
import type { Dialect, ListingRequest } from '../reading/listing-request.ts'
import { doneAtOnce, hasMeta, withoutDone } from './later.ts'
import { withLimit } from './limit-words.ts'

/** The frame for an answer to this request; undefined where it is not certain. */
export function frameFor(
  frames: Frames,
  request: ListingRequest,
  more: boolean,
  empty: boolean,
  param: string | undefined,
): Framed | undefined {
  const framed = likeliest(frames, request, more, empty, param)
  return framed !== undefined && fitsSpelling(framed, request) ? framed : undefined
}

function likeliest(
  frames: Frames,
  request: ListingRequest,
  more: boolean,
  empty: boolean,
  param: string | undefined,
): Framed | undefined {
  const wanted = shapeOf(request, more, empty)
  const exact =
    frames.byShape.get(nameOf(wanted))?.[1] ?? (more ? undefined : lastOf(frames, wanted, request))
  if (exact !== undefined) return exact
  if (wanted.empty && !more && request.alone) return withoutRows(frames, request)
  const companion = companionOf(frames, request, param)
  if (companion === undefined || wanted.empty) return undefined
  return rebuilt({ frames, request, wanted, companion })
}

/** An answer after which more follows, turned into the last one: `batchcomplete` stays, the continue block goes. */
function lastOf(frames: Frames, wanted: Shape, request: ListingRequest): Framed | undefined {
  const framed = frames.byShape.get(nameOf({ ...wanted, more: true }))?.[1]
  // 1.25 warns of its own default dialect only where more follows.
  if (framed === undefined || wanted.empty || wanted.dialect === 'none') return undefined
  const written = wanted.dialect === 'raw' ? 'legacy' : 'modern'
  // The pages of a prop are complete with its last row; any other batch already was.
  if (
    written === 'modern' &&
    request.driver.kind !== 'prop' &&
    membersOf(framed.frame)[0]?.key !== 'batchcomplete'
  )
    return undefined
  const members = [...headOf(written, false, request), ...coreOf(framed.frame)]
  return { ...framed, companion: undefined, frame: { kind: 'object', members } }
}

/**
 * The `continue` value of a request in which only the driver goes on: the modules behind `||` have said all with the
 * first batch. Undefined where a recorded batch shows another one. Source: ApiContinuationManager
 */
function companionOf(frames: Frames, request: ListingRequest, param: string | undefined): string | undefined {
  const { kind } = request.driver
  const head = { list: '-', generator: param ?? '', prop: '' }[kind]
  const expected = `${head}||${doneAtOnce(request).join('|')}`
  const seen = [...frames.companions].every(
    (one) => one === expected || (kind === 'generator' && one === '||'),
  )
  return seen ? expected : undefined
}

/** A generator that finds nothing adds nothing: the answer says that it is complete, and has no `query`. */
function withoutRows(frames: Frames, request: ListingRequest): Framed | undefined {
  const [first] = frames.byShape.values()
  // `max` and a limit beyond the maximum are told beside the rows.
  if (first === undefined || request.limit.kind !== 'number') return undefined
  if (![...frames.byShape.values()].every(([, { frame }]) => isOnlyPages(coreOf(frame)))) return undefined
  // In the old dialect nothing at all is left, which PHP writes as an array.
  if (writtenIn(request.dialect, frames) !== 'modern') return undefined
  const frame = { kind: 'object', members: headOf('modern', false, request) } as const
  return { ...first[1], frame, companion: undefined }
}

interface Wish {
  readonly frames: Frames
  readonly request: ListingRequest
  readonly wanted: Shape
  /** What the wiki writes as `continue` where more follows. */
  readonly companion: string
}

/** Written as `query-continue`, or as `continue` with `batchcomplete`; undefined where this wiki's default is unknown. */
function writtenIn(dialect: Dialect, frames: Frames): 'legacy' | 'modern' | undefined {
  if (dialect !== 'none') return dialect === 'raw' ? 'legacy' : 'modern'
  return frames.noneIs === 'continue' ? 'modern' : undefined
}

/** A frame of any other shape, its rows' surroundings kept and its continuation written anew. */
function rebuilt(wish: Wish): Framed | undefined {
  const { wanted, frames, request, companion } = wish
  const sent = wanted.companion
  if (sent !== undefined && sent !== '' && sent !== companion) return undefined
  const written = writtenIn(wanted.dialect, frames)
  if (written === undefined || !isUnderstood(request)) return undefined
  for (const [shape, framed] of frames.byShape.values()) {
    // 1.25 warns of its own default dialect: what that warning would be elsewhere is not known.
    const foreign = shape.dialect === 'none' && frames.noneIs !== 'continue'
    const core = shape.empty || foreign ? undefined : coreFor(wish, shape, framed.frame)
    if (core === undefined) continue
    const head = headOf(written, wanted.more, request)
    return {
      ...framed,
      frame: { kind: 'object', members: [...head, ...core] },
      companion: wanted.more && written === 'modern' ? companion : undefined,
    }
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

/** What may stand beside a driver, so that all of it is known to come with the first batch, or with every one. */
const understood: ReadonlyMap<ListingRequest['driver']['kind'], readonly string[]> = new Map([
  ['list', ['meta', 'indexpageids']],
  ['generator', ['meta', 'indexpageids', 'prop']],
  ['prop', ['meta', 'indexpageids', 'prop']],
])

const isUnderstood = ({ beside, driver, limit }: ListingRequest): boolean =>
  beside.length === 0 ||
  (limit.kind === 'number' && beside.every((name) => understood.get(driver.kind)?.includes(name) === true))

/** The surroundings of the rows as a batch of that shape would have them; undefined where that is not certain. */
function coreFor(
  { wanted, frames, request }: Wish,
  shape: Shape,
  frame: JsonTree,
): readonly JsonMember[] | undefined {
  const core = withLimit(coreOf(frame), shape.limit, request, frames.warnsOfLimit)
  if (core === undefined || request.alone) return core
  const [later, wantsLater] = [shape, wanted].map((one) => !beginsAnew(one))
  if (request.driver.kind === 'generator' && !request.beside.includes('meta'))
    return isOnlyPages(core) ? core : undefined
  if (later === wantsLater) return core
  return later === true ? undefined : withoutDone(core, request)
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
