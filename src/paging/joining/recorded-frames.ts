/** The frames of recorded answers, by the shape of the request: dialect, `continue` value, kind of limit, whether more follows. */
import { sameTexts } from '../../cassette/interaction.ts'
import { type JsonTree, memberOf, sameTree } from '../../json/json-tree.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { equalIgnoringVolatile } from '../../wiki/answers/volatile.ts'
import { isVersionSince, type SiteFacts } from '../../wiki/site/site-facts.ts'
import type { Batch } from '../reading/batch.ts'
import { type LimitShape, limitShape } from '../reading/limit.ts'
import type { ContinueDialect, ListingRequest } from '../reading/listing-request.ts'
import type { BatchConflict } from './position-graph.ts'

export interface RecordedFrame {
  readonly shape: FrameShape
  readonly frame: JsonTree
  /** The `continue` parameter; undefined with `query-continue` or where nothing follows. */
  readonly companion: string | undefined
  readonly headers: ReadonlyMap<string, string>
  readonly key: RequestKey
  readonly sentValues: ReadonlyMap<string, string>
}

export interface FrameShape {
  readonly dialect: ContinueDialect
  readonly companion: string | undefined
  readonly limit: LimitShape
  readonly more: boolean
  /** True for a generator without rows: its answer has no `query`. */
  readonly empty: boolean
}

export interface RecordedFrames {
  readonly byShape: ReadonlyMap<string, RecordedFrame>
  readonly companions: ReadonlySet<string>
  /** The dialect of requests with neither `continue` nor `rawcontinue`, where a recording or the version shows it. */
  readonly noneIs: 'raw' | 'continue' | undefined
  /** Recorded answers of one shape whose frames differ. */
  readonly clash: BatchConflict | undefined
  /** True where the wording of the warning about too high a limit is known for this version. */
  readonly warnsOfLimit: boolean
}

export const shapeName = (shape: FrameShape): string =>
  JSON.stringify([shape.dialect, shape.companion ?? null, shape.limit, shape.more, shape.empty])

export function collectFrames(batches: readonly Batch[], site: SiteFacts | undefined): RecordedFrames {
  const byShape = new Map<string, RecordedFrame>()
  const companions = new Set<string>()
  // From 1.26 on a request without either parameter is one with `continue`.
  let noneIs: RecordedFrames['noneIs'] = isVersionSince(site?.generator, 26) ? 'continue' : undefined
  let clash: BatchConflict | undefined
  for (const { request, answer, headers, key } of batches) {
    const companion = answer.next?.companion
    if (companion !== undefined) companions.add(companion)
    if (request.dialect === 'none' && answer.next !== undefined)
      noneIs = companion === undefined ? 'raw' : 'continue'
    const shape = frameShape(request, answer.next !== undefined, answer.rows.length === 0)
    const { sentValues } = request
    const recorded = { shape, frame: answer.frame, companion, headers, key, sentValues }
    const earlier = getOrAdd(byShape, shapeName(shape), () => recorded)
    const isSame = sameTree(earlier.frame, answer.frame) || equalIgnoringVolatile(earlier.frame, answer.frame)
    if (earlier.companion !== companion || !isSame)
      clash ??= { between: [earlier.key, key], what: 'the members around the rows differ between them' }
  }
  return { byShape, companions, noneIs, clash, warnsOfLimit: isVersionSince(site?.generator, 35) }
}

/** True where no warning around the rows can quote another spelling than the request has. */
export const fitsSpelling = (
  { frame, sentValues }: Pick<RecordedFrame, 'frame' | 'sentValues'>,
  request: ListingRequest,
): boolean => memberOf(frame, 'warnings') === undefined || sameTexts(sentValues, request.sentValues)

export const frameShape = (request: ListingRequest, more: boolean, empty: boolean): FrameShape => ({
  dialect: request.dialect,
  companion: request.companion,
  limit: limitShape(request),
  more,
  empty: empty && request.driver.kind === 'generator',
})
