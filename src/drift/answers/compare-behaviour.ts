/** All answers of two sides compared: listings whole, everything else interaction by interaction. */

import type { Interaction } from '../../cassette/interaction.ts'
import { jsonString } from '../../json/json-tree.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { grouped } from '../../text/group-by.ts'
import { writeQuery } from '../../wiki/parameters/request-params.ts'
import type { Asked, Change } from '../changes/change.ts'
import { type Kind, ratingOf } from '../changes/kinds.ts'
import { itemPath, rootPath } from '../changes/path.ts'
import { asContent, contentJudge } from '../content/decide-content.ts'
import { type AlignedPair, type Alignment, encodingParams, folder } from '../inputs/align-requests.ts'
import {
  askedOf,
  type CassetteSide,
  identityOf,
  shapeClassOf,
  type WholeListing,
} from '../inputs/cassette-side.ts'
import { continueValues, renumbering } from '../inputs/id-renumbering.ts'
import { type Localise, localiser } from '../inputs/strip-own-host.ts'
import { addSample, newShape, type Shape } from '../members/sample-shape.ts'
import type { KnownChanges } from '../releases/known-changes.ts'
import { type AnswerContext, compareAnswers, compareListings } from './compare-answers.ts'

export interface Behaviour {
  /** To be walked once: there may be very many. */
  readonly changes: Iterable<Change>
  readonly listings: number
}

/** What is worked out once for all pairs. */
interface Common {
  readonly localA: Localise
  readonly localB: Localise
  readonly shapesA: ShapeLookup
  readonly shapesB: ShapeLookup
  readonly renumbered: () => boolean
  readonly told: Map<string, Set<string>>
}

/** What runs on the two sides. */
export interface Software {
  /** The same version with the same modules. */
  readonly sameSoftware: boolean
  /** What releases between the two changed on purpose. */
  readonly known: KnownChanges
}

export function compareAll(
  a: CassetteSide,
  b: CassetteSide,
  alignment: Alignment,
  software: Software,
): Behaviour {
  const common: Common = {
    localA: localiser(a),
    localB: localiser(b),
    shapesA: shapesOf(a),
    shapesB: shapesOf(b),
    renumbered: renumbering(a, b),
    told: new Map(),
  }
  const listings = alignListings(a, b)
  const listed = new Map<RequestKey, readonly string[]>()
  for (const [one] of listings) for (const key of one.batches) listed.set(key, one.path)
  const covered = new Set(listings.flatMap(([one, other]) => [...one.batches, ...other.batches]))
  const isOpen = ({ key }: Interaction): boolean => !covered.has(key)
  const coverage = [
    ...coverageOf('interaction.missing', alignment.onlyA.filter(isOpen), a),
    ...coverageOf('interaction.new', alignment.onlyB.filter(isOpen), b),
  ]
  const isContent = contentJudge(alignment.pairs, { a, b, ...software, renumbered: common.renumbered })
  function* answers(): IterableIterator<Change> {
    for (const pair of alignment.pairs) yield* comparePair(pair, listed.get(pair.a.key), common)
    for (const [one, other] of listings) yield* compareWhole(one, other, a, common)
  }
  function* changes(): IterableIterator<Change> {
    for (const change of answers()) yield isContent(change) ? asContent(change) : change
    yield* coverage
  }
  return { changes: changes(), listings: listings.length }
}

/** Finds the shape of a class of requests; sampled when first asked for, since most classes never are. */
type ShapeLookup = (shapeClass: string) => Shape | undefined

function shapesOf(side: CassetteSide): ShapeLookup {
  const members = grouped(side.interactions, ({ request }) => shapeClassOf(request))
  const shapes = new Map<string, Shape>()
  return (name) => {
    const found = shapes.get(name) ?? sample(members.get(name) ?? [])
    shapes.set(name, found)
    return found
  }
}

function sample(interactions: readonly Interaction[]): Shape {
  const shape = newShape()
  for (const { responses } of interactions) {
    for (const { body } of responses) if (body.kind === 'json') addSample(shape, body.tree)
  }
  return shape
}

function comparePair(
  { a, b, differs }: AlignedPair,
  listedAt: readonly string[] | undefined,
  common: Common,
): readonly Change[] {
  const shift = differs.some((name) => encodingParams.has(name))
  const context = contextOf(
    askedOf(a),
    shapeClassOf(a.request),
    shapeClassOf(b.request),
    common,
    shift,
    listedAt,
  )
  const changes = a.responses.flatMap((one, at) => {
    const other = b.responses[at]
    return other === undefined ? [] : compareAnswers(one, other, context)
  })
  if (a.responses.length === b.responses.length) return changes
  const kind = a.responses.length > b.responses.length ? 'interaction.missing' : 'interaction.new'
  const note = `answered ${a.responses.length} times → ${b.responses.length} times`
  return [...changes, { ...unpaired(kind, a), note, mark: 'answers' }]
}

function contextOf(
  asked: Asked,
  classA: string,
  classB: string,
  common: Common,
  encodingShift: boolean,
  listedAt: readonly string[] | undefined,
): AnswerContext {
  const told = common.told.get(classA) ?? new Set<string>()
  common.told.set(classA, told)
  return {
    asked,
    shapeA: () => common.shapesA(classA),
    shapeB: () => common.shapesB(classB),
    localA: common.localA,
    localB: common.localB,
    renumbered: common.renumbered,
    encodingShift,
    listedAt,
    told,
  }
}

/** Listings of the same request; their batches need not be the same. */
function alignListings(a: CassetteSide, b: CassetteSide): readonly (readonly [WholeListing, WholeListing])[] {
  const fold = folder(a, b)
  const idOf = (one: WholeListing): string => `${identityOf(fold(one.request))} ${one.path.join('.')}`
  const inB = new Map((b.listings ?? []).map((one) => [idOf(one), one]))
  return (a.listings ?? []).flatMap((one) => {
    const other = inB.get(idOf(one))
    return other === undefined ? [] : [[one, other] as const]
  })
}

function compareWhole(
  a: WholeListing,
  b: WholeListing,
  side: CassetteSide,
  common: Common,
): readonly Change[] {
  const [key] = a.batches
  const first = side.interactions.find((one) => one.key === key)
  if (first === undefined) return []
  const asked = { ...askedOf(first), request: a.request }
  const [classA, classB] = [shapeClassOf(a.request), shapeClassOf(b.request)]
  return compareListings(a.items, b.items, a.path, contextOf(asked, classA, classB, common, false, undefined))
}

function coverageOf(kind: Kind, open: readonly Interaction[], side: CassetteSide): readonly Change[] {
  const values = open.length === 0 ? new Set<string>() : continueValues(side)
  return open.map((one) =>
    unpaired(
      kind,
      one,
      [...one.request].some(([name, value]) => values.has(`${name}=${value}`)),
    ),
  )
}

/** @param goesOn it sends a continue value, which only its own wiki hands out */
function unpaired(kind: Kind, interaction: Interaction, goesOn = false): Change {
  const asked = askedOf(interaction)
  const query = jsonString(interaction.request.get('plain target') ?? writeQuery(interaction.request))
  const isGone = kind === 'interaction.missing'
  return {
    kind,
    ...ratingOf(kind, goesOn),
    asked: [asked],
    scope: asked.requestClass,
    path: itemPath(rootPath, interaction.key),
    before: isGone ? query : undefined,
    after: isGone ? undefined : query,
    note: '',
    mark: '',
  }
}
