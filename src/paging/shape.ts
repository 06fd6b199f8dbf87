/**
 * What stands around the rows, by the shape of the request: dialect, `continue` value, kind of limit, and whether
 * more follows. A frame is taken from a recorded answer of the same shape, or, where nothing but the driver adds to
 * the answer, made from one of another shape.
 */
import { type JsonMember, type JsonTree, jsonLiteral, jsonString, membersOf, sameTree } from '../json/tree.ts'
import type { RequestKey } from '../request/key.ts'
import { sameButVolatile } from '../wiki/volatile.ts'
import type { Batch } from './batch.ts'
import { continueHole } from './frame.ts'
import { type LimitShape, limitShape, withLimit } from './limit-frame.ts'
import type { Dialect, ListingRequest } from './listing-request.ts'
import type { Conflict } from './places.ts'

/** A recorded frame and what goes with it. */
export interface Framed {
  readonly frame: JsonTree
  /** The `continue` value beside the continuation parameters; undefined in the old dialect or where nothing follows. */
  readonly companion: string | undefined
  readonly headers: ReadonlyMap<string, string>
  readonly key: RequestKey
}

interface Shape {
  readonly dialect: Dialect
  readonly companion: string | undefined
  readonly limit: LimitShape
  readonly more: boolean
  /** Answers of a generator without any row lack `query` altogether. */
  readonly empty: boolean
}

export interface Frames {
  readonly byShape: ReadonlyMap<string, readonly [Shape, Framed]>
  /** All `continue` values that the wiki gave in this listing. */
  readonly companions: ReadonlySet<string>
  /** What sending neither `continue` nor `rawcontinue` means on this wiki, where a recording shows it. */
  readonly noneIs: 'raw' | 'continue' | undefined
  /** Recorded answers of one shape whose frames differ. */
  readonly clash: Conflict | undefined
  /** True where this version is known to warn of too high a limit in the words that are known. */
  readonly warnsOfLimit: boolean
}

const nameOf = (shape: Shape): string =>
  JSON.stringify([shape.dialect, shape.companion ?? null, shape.limit, shape.more, shape.empty])

/** Collects the frames of recorded batches. */
export function collectFrames(batches: readonly Batch[]): Frames {
  const byShape = new Map<string, readonly [Shape, Framed]>()
  const companions = new Set<string>()
  let noneIs: Frames['noneIs']
  let clash: Conflict | undefined
  for (const { request, cut, headers, key } of batches) {
    const companion = cut.next?.companion
    if (companion !== undefined) companions.add(companion)
    if (request.dialect === 'none' && cut.next !== undefined)
      noneIs = companion === undefined ? 'raw' : 'continue'
    const shape: Shape = {
      dialect: request.dialect,
      companion: request.companion,
      limit: limitShape(request),
      more: cut.next !== undefined,
      empty: request.driver.kind === 'generator' && cut.rows.length === 0,
    }
    const name = nameOf(shape)
    const held = byShape.get(name)?.[1]
    if (held === undefined) byShape.set(name, [shape, { frame: cut.frame, companion, headers, key }])
    else if (held.companion !== companion || !sameFrame(held.frame, cut.frame))
      clash ??= { between: [held.key, key], what: 'what stands around the rows differs between them' }
  }
  return { byShape, companions, noneIs, clash, warnsOfLimit: false }
}

const sameFrame = (a: JsonTree, b: JsonTree): boolean => sameTree(a, b) || sameButVolatile(a, b)

/** The frame for an answer to this request; undefined where it is not certain. */
export function frameFor(
  frames: Frames,
  request: ListingRequest,
  more: boolean,
  empty: boolean,
  param: string | undefined,
): Framed | undefined {
  const wanted: Shape = {
    dialect: request.dialect,
    companion: request.companion,
    limit: limitShape(request),
    more,
    empty: empty && request.driver.kind === 'generator',
  }
  const exact =
    frames.byShape.get(nameOf(wanted))?.[1] ?? (more ? undefined : lastOf(frames, wanted, request))
  if (exact !== undefined) return exact
  if (wanted.empty && !more && request.alone) return withoutRows(frames, request)
  const companion = request.alone ? companionOf(frames, request, param) : undefined
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
 * The `continue` value of a request in which only the driver goes on, as every version writes it; undefined where a
 * recorded batch shows another one.
 */
function companionOf(
  frames: Frames,
  { driver }: ListingRequest,
  param: string | undefined,
): string | undefined {
  const expected = { list: '-||', generator: `${param ?? ''}||`, prop: '||' }[driver.kind]
  const seen = [...frames.companions].every(
    (one) => one === expected || (driver.kind === 'generator' && one === '||'),
  )
  return seen ? expected : undefined
}

/** A generator that finds nothing adds nothing: the answer says that it is complete, and has no `query`. */
function withoutRows(frames: Frames, request: ListingRequest): Framed | undefined {
  const [first] = frames.byShape.values()
  const plain = [...frames.byShape.values()].every(([, { frame }]) =>
    coreOf(frame).every(
      ({ key, value }) => key === 'query' && membersOf(value).every((one) => one.key === 'pages'),
    ),
  )
  if (first === undefined || !plain || request.limit.kind !== 'number') return undefined
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
  if (written === undefined) return undefined
  for (const [shape, framed] of frames.byShape.values()) {
    // 1.25 warns of its own default dialect: what that warning would be elsewhere is not known.
    const foreign = shape.dialect === 'none' && frames.noneIs !== 'continue'
    const core =
      shape.empty || foreign
        ? undefined
        : withLimit(coreOf(framed.frame), shape.limit, request, frames.warnsOfLimit)
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

const headKeys: ReadonlySet<string> = new Set(['batchcomplete', 'continue', 'query-continue'])

const coreOf = (frame: JsonTree): readonly JsonMember[] =>
  membersOf(frame).filter((member) => !headKeys.has(member.key))

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
