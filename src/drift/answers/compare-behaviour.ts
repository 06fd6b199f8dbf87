/** All answers of two sides compared: listings whole, everything else interaction by interaction. */
import type { Interaction } from '../../recorder/cassette/interaction.ts'
import type { CanonicalRequest, RequestKey } from '../../recorder/request/request-key.ts'
import { getOrAdd, groupBy, lazy } from '../../recorder/text/group-by.ts'
import { writeQuery } from '../../recorder/wiki/parameters/request-params.ts'
import {
  type Change,
  type ChangeDetail,
  itemPath,
  newChange,
  type RequestRef,
  rootPath,
  templateOf,
  turn
} from '../changes/change.ts'
import {
  behaviourRatingOf,
  contentRating,
  familyOf,
  type Kind
} from '../changes/kinds.ts'
import { asConfiguration } from '../content/configuration.ts'
import { type ContentFacts, isContent, isUnexplained } from '../content/decide-content.ts'
import { findEditedPages } from '../content/edited-pages.ts'
import {
  findEdits,
  findOtherConfiguration,
  findOtherEnds,
  findRenamedUsers,
  findSameLog
} from '../content/wiki-evidence.ts'
import {
  type AlignedPair,
  type Alignment,
  encodingParams,
  isSentOtherwise,
  sharedSpelling
} from '../inputs/align-requests.ts'
import {
  type CassetteSide,
  continueValues,
  jsonBodies,
  ownHostStripper,
  requestIdentity,
  requestRefOf,
  restRouteOf,
  shapeClassOf,
  type WholeListing,
  wikiNameOf
} from '../inputs/cassette-side.ts'
import { renumberingDetector } from '../inputs/shown-facts.ts'
import { SampleShape } from '../members/sample-shape.ts'
import type { AnswerContext } from '../members/tree-walk.ts'
import { compareAnswers, compareListings } from './compare-answers.ts'

interface BehaviourChanges {
  /** To be walked once: there may be very many. */
  readonly changes: Iterable<Change>
  /** A change that no noise explains, as one of the wiki's configuration if it is one. */
  readonly settle: (change: Change) => Change
  readonly listings: number
}

export function compareBehaviour(
  a: CassetteSide,
  b: CassetteSide,
  { pairs, onlyA, onlyB }: Alignment,
  software: Pick<ContentFacts, 'sameRelease' | 'sameSoftware' | 'known'>
): BehaviourChanges {
  const renumbered = renumberingDetector(a, b)
  const contextOf = contextsOf(a, b, renumbered)
  const listings = alignListings(a, b)
  const listed = new Map<RequestKey, readonly string[]>()
  for (const [one] of listings) for (const key of one.batches) listed.set(key, one.path)
  const covered = new Set(
    listings.flatMap(([one, other]) => [...one.batches, ...other.batches])
  )
  const isUncovered = ({ key }: Interaction) => !covered.has(key)
  const isLogSame = lazy(() => findSameLog(pairs))
  const facts: ContentFacts = {
    ...software,
    editedPages: lazy(() => findEditedPages(pairs, a, b, renumbered(), isLogSame())),
    renumbered,
    editEvidence: lazy(() => (renumbered() ? 'edited' : findEdits(a, b))),
    isLogSame,
    haveWalksOtherEnds: lazy(() => findOtherEnds(pairs)),
    // A renaming is a row of the log.
    renamedUsers: lazy(() => (isLogSame() ? new Set() : findRenamedUsers(a, b))),
    isConfiguredOtherwise: lazy(() => findOtherConfiguration(pairs, a, b)),
    site: a.manifest.site,
    recorded: b.manifest.recorded ?? ''
  }
  function* answers() {
    for (const pair of pairs) yield* comparePair(pair, listed.get(pair.a.key), contextOf)
    for (const [one, other] of listings) {
      const [key] = one.batches
      const first = a.interactions.find((each) => each.key === key)
      if (!first) continue
      const requestRef = { ...requestRefOf(first), request: one.request }
      yield* compareListings(one, other, contextOf(requestRef, other.request))
    }
  }
  function* changes() {
    for (const change of answers()) yield rated(change, facts)
    yield* unpairedChanges('interaction.missing', onlyA.filter(isUncovered), a)
    yield* unpairedChanges('interaction.new', onlyB.filter(isUncovered), b)
  }
  return {
    changes: changes(),
    settle: (change) => asConfiguration(change, facts),
    listings: listings.length
  }
}

function rated(change: Change, facts: ContentFacts) {
  const isData = change.axis === 'data'
  if (!isData && !isContent(change, facts)) return change
  if (isUnexplained(change, facts))
    return { ...change, ...(isData ? behaviourRatingOf(change.kind) : {}) }
  return { ...change, ...contentRating }
}

type ContextOf = (requestRef: RequestRef, requestB: CanonicalRequest) => AnswerContext

/** Contexts of pairs of answers, with what is worked out once for all of them. */
function contextsOf(
  a: CassetteSide,
  b: CassetteSide,
  renumbered: () => boolean
): ContextOf {
  const sides = {
    stripHostA: ownHostStripper(a),
    stripHostB: ownHostStripper(b),
    renumbered,
    isSameWiki: wikiNameOf(a) === wikiNameOf(b),
    encodingDiffers: false,
    listingPath: undefined
  }
  const shapesA = shapesOf(a)
  const shapesB = shapesOf(b)
  const namesByClass = new Map<string, Set<string>>()
  return (requestRef, requestB) => {
    const classA = shapeClassOf(requestRef.request)
    const classB = shapeClassOf(requestB)
    const emittedNames = getOrAdd(namesByClass, classA, () => new Set<string>())
    const shapes = { shapeA: () => shapesA(classA), shapeB: () => shapesB(classB) }
    return { ...sides, ...shapes, requestRef, emittedNames }
  }
}

/** Shapes by class of requests, sampled on demand: most classes never are. */
function shapesOf(side: CassetteSide): (shapeClass: string) => SampleShape {
  const members = groupBy(side.interactions, ({ request }) => shapeClassOf(request))
  const sample = (shapeClass: string) => {
    const shape = new SampleShape()
    // Errors of rest.php have other members.
    const results = (members.get(shapeClass) ?? []).filter(
      ({ request, responses: [{ status }] }) =>
        status < 400 || restRouteOf(request) === undefined
    )
    for (const tree of jsonBodies(results)) shape.add(tree)
    return shape
  }
  const shapes = new Map<string, SampleShape>()
  return (shapeClass) => getOrAdd(shapes, shapeClass, () => sample(shapeClass))
}

function comparePair(
  pair: AlignedPair,
  listingPath: readonly string[] | undefined,
  contextOf: ContextOf
) {
  const { a, b, differs } = pair
  const isRepeated = ({ kind, path }: Change) =>
    kind === 'order.changed' || templateOf(path).startsWith('query.normalized')
  const context = {
    ...contextOf(requestRefOf(a), b.request),
    encodingDiffers: differs.some((name) => encodingParams.has(name)),
    listingPath
  }
  const changes = a.responses.flatMap((one, at) => {
    const other = b.responses[at]
    const found = other ? withRows(compareAnswers(one, other, context)) : []
    return isSentOtherwise(pair) ? found.filter((change) => !isRepeated(change)) : found
  })
  const countA = a.responses.length
  const countB = b.responses.length
  if (countA === countB) return changes
  const kind = countA > countB ? 'interaction.missing' : 'interaction.new'
  const note = turn(`answered ${countA} times`, `${countB} times`)
  return [...changes, unpairedChange(kind, a, { note, mark: 'answers' })]
}

/** Rows that are gone or new may explain what else changed; not if none is left, or there was none. */
function withRows(changes: readonly Change[]) {
  const isRow = ({ kind, mark }: Change) => familyOf(kind) === 'items' && mark !== 'all'
  const hasOtherRows = changes.some(isRow)
  return hasOtherRows ? changes.map((one) => ({ ...one, hasOtherRows })) : changes
}

/** Listings of the same request; their batches need not be the same. */
function alignListings(a: CassetteSide, b: CassetteSide) {
  const spell = sharedSpelling(a, b)
  const idOf = (one: WholeListing) =>
    `${requestIdentity(spell(one.request))} ${one.path.join('.')}`
  const inB = new Map((b.listings ?? []).map((one) => [idOf(one), one]))
  return (a.listings ?? []).flatMap((one) => {
    const other = inB.get(idOf(one))
    return other ? [[one, other] as const] : []
  })
}

function unpairedChanges(kind: Kind, open: readonly Interaction[], side: CassetteSide) {
  const values = open.length === 0 ? new Set<string>() : continueValues(side)
  // A continue value is handed out by its own wiki alone, and so is content.
  return open.map((one) => {
    const other = [...one.request].some(([name, value]) => values.has(`${name}=${value}`))
    return unpairedChange(kind, one, { other })
  })
}

function unpairedChange(kind: Kind, interaction: Interaction, detail: ChangeDetail) {
  const { request } = interaction
  const query = request.get('plain target') ?? writeQuery(request)
  return newChange(kind, itemPath(rootPath, interaction.key), {
    requests: [requestRefOf(interaction)],
    [kind === 'interaction.missing' ? 'before' : 'after']: query,
    ...detail
  })
}
