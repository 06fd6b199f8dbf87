/**
 * The frame of an answer: taken from a recorded one of the same shape, or made from one of another shape where it is
 * certain what the wiki writes there.
 */

import { type JsonMember, type JsonTree, jsonLiteral, jsonString, membersOf } from '../../json/tree.ts'
import { type Framed, type Frames, fitsSpelling, nameOf, type Shape, shapeOf } from '../joining/frames.ts'
import { continueHole } from '../reading/cut.ts'
import type { Dialect, ListingRequest } from '../reading/listing-request.ts'
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
  if (!request.alone && !isOnlyPages(frames, request)) return besideMeta(frames, request, wanted)
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
  if (first === undefined || !isOnlyPages(frames, request)) return undefined
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
    if (!request.alone && shape.dialect !== wanted.dialect) continue
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

/**
 * True for a generator with props and nothing else, where all that recorded answers hold is pages: then it goes on as
 * without props, as long as those say all in each answer (reading/chain.ts).
 */
function isOnlyPages({ byShape }: Frames, { driver, beside, limit }: ListingRequest): boolean {
  return (
    driver.kind === 'generator' &&
    beside.every((name) => name === 'prop') &&
    limit.kind === 'number' &&
    [...byShape.values()].every(([, { frame }]) =>
      coreOf(frame).every(
        ({ key, value }) => key === 'query' && membersOf(value).every((one) => one.key === 'pages'),
      ),
    )
  )
}

/**
 * A list beside one `meta` module, which runs for the first batch only: from then on `continue` names it as done, and
 * the list stands alone. Source: ApiContinuationManager
 */
function besideMeta(frames: Frames, request: ListingRequest, wanted: Shape): Framed | undefined {
  const meta = metaBeside(request)
  if (meta === undefined || writtenIn(wanted.dialect, frames) !== 'modern') return undefined
  const companion = `-||${meta}`
  const begins = wanted.companion === undefined || wanted.companion === ''
  if (wanted.limit !== 'number' || !(begins || wanted.companion === companion)) return undefined
  if ([...frames.companions].some((one) => one !== companion)) return undefined
  const like = frames.byShape.get(nameOf({ ...wanted, more: !wanted.more }))?.[1]
  const first = like === undefined && !begins ? firstOf(frames) : undefined
  const core = like ? coreOf(like.frame) : first && listAlone(first, request)
  const framed = like ?? first
  if (core === undefined || framed === undefined) return undefined
  const members = [...headOf('modern', wanted.more, request), ...core]
  return { ...framed, frame: { kind: 'object', members }, companion: wanted.more ? companion : undefined }
}

/** The one `meta` module beside a list, where nothing else adds to the answer. */
function metaBeside({ driver, beside, params }: ListingRequest): string | undefined {
  const meta = beside.every((name) => name === 'meta') ? params.get('meta') : undefined
  return driver.kind === 'list' && meta !== undefined && !/[|\u001f]/.test(meta) ? meta : undefined
}

/** A recorded answer with which a listing begins. */
const firstOf = ({ byShape }: Frames): Framed | undefined =>
  [...byShape.values()].find(
    ([{ companion, dialect, limit }]) =>
      limit === 'number' && dialect === 'continue' && (companion === undefined || companion === ''),
  )?.[1]

/** What is left around the rows when only the list runs; undefined where a warning may have been of the other module. */
function listAlone({ frame }: Framed, { driver }: ListingRequest): readonly JsonMember[] | undefined {
  const [query, second] = coreOf(frame)
  if (query?.key !== 'query' || second !== undefined) return undefined
  const own = membersOf(query.value).filter(({ key }) => key === driver.module)
  return [{ key: 'query', value: { kind: 'object', members: own } }]
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
