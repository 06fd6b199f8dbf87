/** All answers of two sides compared: listings whole, everything else interaction by interaction. */

import type { Interaction } from '../../cassette/interaction.ts'
import { jsonString } from '../../json/json-tree.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { groupBy } from '../../text/group-by.ts'
import { writeQuery } from '../../wiki/parameters/request-params.ts'
import type { Change, RequestRef } from '../changes/change.ts'
import { type Kind, ratingOf } from '../changes/kinds.ts'
import { itemPath, rootPath } from '../changes/path.ts'
import { contentPredicate, rateAsContent } from '../content/decide-content.ts'
import { type AlignedPair, type Alignment, encodingParams, sharedSpelling } from '../inputs/align-requests.ts'
import {
  type CassetteSide,
  requestIdentity,
  requestRefOf,
  shapeClassOf,
  type WholeListing,
} from '../inputs/cassette-side.ts'
import { continueValues, renumberingDetector } from '../inputs/id-renumbering.ts'
import { ownHostStripper, type StripOwnHost } from '../inputs/strip-own-host.ts'
import { addSample, newShape, type SampleShape } from '../members/sample-shape.ts'
import type { KnownChangeLookup } from '../releases/known-changes.ts'
import { type AnswerContext, compareAnswers, compareListings } from './compare-answers.ts'

export interface BehaviourChanges {
  /** To be walked once: there may be very many. */
  readonly changes: Iterable<Change>
  readonly listings: number
}

/** What is worked out once for all pairs. */
interface SharedContext {
  readonly stripHostA: StripOwnHost
  readonly stripHostB: StripOwnHost
  readonly shapesA: ShapeLookup
  readonly shapesB: ShapeLookup
  readonly renumbered: () => boolean
  readonly emittedNames: Map<string, Set<string>>
}

/** What runs on the two sides. */
export interface SoftwareFacts {
  /** The same version with the same modules. */
  readonly sameSoftware: boolean
  /** What releases between the two changed on purpose. */
  readonly known: KnownChangeLookup
}

export function compareBehaviour(
  a: CassetteSide,
  b: CassetteSide,
  alignment: Alignment,
  software: SoftwareFacts,
): BehaviourChanges {
  const common: SharedContext = {
    stripHostA: ownHostStripper(a),
    stripHostB: ownHostStripper(b),
    shapesA: shapesOf(a),
    shapesB: shapesOf(b),
    renumbered: renumberingDetector(a, b),
    emittedNames: new Map(),
  }
  const listings = alignListings(a, b)
  const listed = new Map<RequestKey, readonly string[]>()
  for (const [one] of listings) for (const key of one.batches) listed.set(key, one.path)
  const covered = new Set(listings.flatMap(([one, other]) => [...one.batches, ...other.batches]))
  const isUncovered = ({ key }: Interaction): boolean => !covered.has(key)
  const coverage = [
    ...coverageOf('interaction.missing', alignment.onlyA.filter(isUncovered), a),
    ...coverageOf('interaction.new', alignment.onlyB.filter(isUncovered), b),
  ]
  const isContent = contentPredicate(alignment.pairs, { a, b, ...software, renumbered: common.renumbered })
  function* answers(): IterableIterator<Change> {
    for (const pair of alignment.pairs) yield* comparePair(pair, listed.get(pair.a.key), common)
    for (const [one, other] of listings) yield* compareWholeListing(one, other, a, common)
  }
  function* changes(): IterableIterator<Change> {
    for (const change of answers()) yield isContent(change) ? rateAsContent(change) : change
    yield* coverage
  }
  return { changes: changes(), listings: listings.length }
}

/** Finds the shape of a class of requests; sampled when first asked for, since most classes never are. */
type ShapeLookup = (shapeClass: string) => SampleShape | undefined

function shapesOf(side: CassetteSide): ShapeLookup {
  const members = groupBy(side.interactions, ({ request }) => shapeClassOf(request))
  const shapes = new Map<string, SampleShape>()
  return (name) => {
    const found = shapes.get(name) ?? sampleShapeOf(members.get(name) ?? [])
    shapes.set(name, found)
    return found
  }
}

function sampleShapeOf(interactions: readonly Interaction[]): SampleShape {
  const shape = newShape()
  for (const { responses } of interactions) {
    for (const { body } of responses) if (body.kind === 'json') addSample(shape, body.tree)
  }
  return shape
}

function comparePair(
  { a, b, differs }: AlignedPair,
  listingPath: readonly string[] | undefined,
  common: SharedContext,
): readonly Change[] {
  const encodingDiffers = differs.some((name) => encodingParams.has(name))
  const context = contextOf(
    requestRefOf(a),
    shapeClassOf(a.request),
    shapeClassOf(b.request),
    common,
    encodingDiffers,
    listingPath,
  )
  const changes = a.responses.flatMap((one, at) => {
    const other = b.responses[at]
    return other === undefined ? [] : compareAnswers(one, other, context)
  })
  if (a.responses.length === b.responses.length) return changes
  const kind = a.responses.length > b.responses.length ? 'interaction.missing' : 'interaction.new'
  const note = `answered ${a.responses.length} times → ${b.responses.length} times`
  return [...changes, { ...unpairedChange(kind, a), note, mark: 'answers' }]
}

function contextOf(
  requestRef: RequestRef,
  classA: string,
  classB: string,
  common: SharedContext,
  encodingDiffers: boolean,
  listingPath: readonly string[] | undefined,
): AnswerContext {
  const emittedNames = common.emittedNames.get(classA) ?? new Set<string>()
  common.emittedNames.set(classA, emittedNames)
  return {
    requestRef,
    shapeA: () => common.shapesA(classA),
    shapeB: () => common.shapesB(classB),
    stripHostA: common.stripHostA,
    stripHostB: common.stripHostB,
    renumbered: common.renumbered,
    encodingDiffers,
    listingPath,
    emittedNames,
  }
}

/** Listings of the same request; their batches need not be the same. */
function alignListings(a: CassetteSide, b: CassetteSide): readonly (readonly [WholeListing, WholeListing])[] {
  const fold = sharedSpelling(a, b)
  const idOf = (one: WholeListing): string => `${requestIdentity(fold(one.request))} ${one.path.join('.')}`
  const inB = new Map((b.listings ?? []).map((one) => [idOf(one), one]))
  return (a.listings ?? []).flatMap((one) => {
    const other = inB.get(idOf(one))
    return other === undefined ? [] : [[one, other] as const]
  })
}

function compareWholeListing(
  a: WholeListing,
  b: WholeListing,
  side: CassetteSide,
  common: SharedContext,
): readonly Change[] {
  const [key] = a.batches
  const first = side.interactions.find((one) => one.key === key)
  if (first === undefined) return []
  const requestRef = { ...requestRefOf(first), request: a.request }
  const [classA, classB] = [shapeClassOf(a.request), shapeClassOf(b.request)]
  return compareListings(
    a.items,
    b.items,
    a.path,
    contextOf(requestRef, classA, classB, common, false, undefined),
  )
}

function coverageOf(kind: Kind, open: readonly Interaction[], side: CassetteSide): readonly Change[] {
  const values = open.length === 0 ? new Set<string>() : continueValues(side)
  return open.map((one) =>
    unpairedChange(
      kind,
      one,
      [...one.request].some(([name, value]) => values.has(`${name}=${value}`)),
    ),
  )
}

/** @param usesContinueValue it sends a continue value, which only its own wiki hands out */
function unpairedChange(kind: Kind, interaction: Interaction, usesContinueValue = false): Change {
  const asked = requestRefOf(interaction)
  const query = jsonString(interaction.request.get('plain target') ?? writeQuery(interaction.request))
  const isGone = kind === 'interaction.missing'
  return {
    kind,
    ...ratingOf(kind, usesContinueValue),
    requests: [asked],
    scope: asked.requestClass,
    path: itemPath(rootPath, interaction.key),
    before: isGone ? query : undefined,
    after: isGone ? undefined : query,
    note: '',
    mark: '',
  }
}
