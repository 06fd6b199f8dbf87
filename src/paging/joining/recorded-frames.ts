/** What stands around the rows, by the shape of the request: dialect, `continue` value, kind of limit, and whether more follows. */

import { sameTexts } from '../../cassette/interaction.ts'
import { type JsonTree, memberOf, sameTree } from '../../json/json-tree.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { sameButVolatile } from '../../wiki/answers/volatile.ts'
import { isSince } from '../../wiki/site/generator-version.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { once } from '../get-or-create.ts'
import type { Batch } from '../reading/batch.ts'
import { type LimitShape, limitShape } from '../reading/limit.ts'
import type { Dialect, ListingRequest } from '../reading/listing-request.ts'
import type { Conflict } from './position-graph.ts'

/** A recorded frame and what goes with it. */
export interface Framed {
  readonly frame: JsonTree
  /** The `continue` value beside the continuation parameters; undefined in the old dialect or where nothing follows. */
  readonly companion: string | undefined
  readonly headers: ReadonlyMap<string, string>
  readonly key: RequestKey
  /** How the request was spelled (see `ListingRequest`). */
  readonly asked: ReadonlyMap<string, string>
}

export interface Shape {
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
  /** What sending neither `continue` nor `rawcontinue` means on this wiki, where a recording or its version shows it. */
  readonly noneIs: 'raw' | 'continue' | undefined
  /** Recorded answers of one shape whose frames differ. */
  readonly clash: Conflict | undefined
  /** True where this version is known to warn of too high a limit in the words that are known. */
  readonly warnsOfLimit: boolean
}

export const nameOf = (shape: Shape): string =>
  JSON.stringify([shape.dialect, shape.companion ?? null, shape.limit, shape.more, shape.empty])

/** Collects the frames of recorded batches. */
export function collectFrames(batches: readonly Batch[], site: SiteFacts | undefined): Frames {
  const byShape = new Map<string, readonly [Shape, Framed]>()
  const companions = new Set<string>()
  // From 1.26 on a request without either parameter is one with `continue`.
  let noneIs: Frames['noneIs'] = isSince(site?.generator, 26) ? 'continue' : undefined
  let clash: Conflict | undefined
  for (const { request, cut, headers, key } of batches) {
    const companion = cut.next?.companion
    if (companion !== undefined) companions.add(companion)
    if (request.dialect === 'none' && cut.next !== undefined)
      noneIs = companion === undefined ? 'raw' : 'continue'
    const shape = shapeOf(request, cut.next !== undefined, cut.rows.length === 0)
    const framed = { frame: cut.frame, companion, headers, key, asked: request.asked }
    const [, held] = once(byShape, nameOf(shape), () => [shape, framed])
    if (held.companion !== companion || !sameFrame(held.frame, cut.frame))
      clash ??= { between: [held.key, key], what: 'what stands around the rows differs between them' }
  }
  return { byShape, companions, noneIs, clash, warnsOfLimit: isSince(site?.generator, 35) }
}

/** True where nothing around the rows can quote a spelling that this request has not. */
export const fitsSpelling = (
  { frame, asked }: Pick<Framed, 'frame' | 'asked'>,
  request: ListingRequest,
): boolean => memberOf(frame, 'warnings') === undefined || sameTexts(asked, request.asked)

const sameFrame = (a: JsonTree, b: JsonTree): boolean => sameTree(a, b) || sameButVolatile(a, b)

/** The shape of an answer to that request. */
export const shapeOf = (request: ListingRequest, more: boolean, empty: boolean): Shape => ({
  dialect: request.dialect,
  companion: request.companion,
  limit: limitShape(request),
  more,
  empty: empty && request.driver.kind === 'generator',
})
