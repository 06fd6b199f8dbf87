/** Two answers to one request: transport, errors, warnings, continuation, then the results themselves. */
import type { RecordedResponse } from '../../cassette/interaction.ts'
import {
  type JsonTree,
  jsonLiteral,
  jsonString,
  memberAt,
  memberOf,
  sameTree,
  textOf,
} from '../../json/json-tree.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import type { Asked, Change } from '../changes/change.ts'
import { type Kind, ratingOf } from '../changes/kinds.ts'
import { memberPath, type Path, pathOf } from '../changes/path.ts'
import { pinsItems } from '../inputs/cassette-side.ts'
import { settle } from '../members/one-sided-members.ts'
import type { Shape } from '../members/sample-shape.ts'
import {
  type Delta,
  type Detail,
  memberPlace,
  type Place,
  rootPlace,
  type Walk,
} from '../members/tree-walk.ts'
import { compareTrees } from '../trees/compare-trees.ts'
import { compareText } from '../trees/compare-values.ts'
import { compareContinuation, continuationOf } from './compare-continuation.ts'
import { compareErrors } from './compare-errors.ts'
import { compareHelp } from './compare-help.ts'
import { compareTransport } from './compare-transport.ts'
import { compareWarnings } from './compare-warnings.ts'
import { foreignTrees } from './other-formats.ts'

/** What is known of both sides beyond the two answers. */
export interface AnswerContext {
  readonly asked: Asked
  /** What the answers of this class of requests have in common, on each side. */
  readonly shapeA: () => Shape | undefined
  readonly shapeB: () => Shape | undefined
  readonly localA: (text: string) => string
  readonly localB: (text: string) => string
  /** The two requests ask for different encodings (formatversion), so flags will be spelled differently. */
  readonly encodingShift: boolean
  /** Where items are that are compared as a whole listing elsewhere. */
  readonly listedAt: readonly string[] | undefined
  /** True where the two wikis give the same pages other ids. */
  readonly renumbered: () => boolean
  /** Names told already in this class of requests. */
  readonly told: Set<string>
}

/** All differences; none where a client could not tell the two apart. */
export function compareAnswers(
  a: RecordedResponse,
  b: RecordedResponse,
  context: AnswerContext,
): readonly Change[] {
  const walk = new AnswerWalk(context)
  if (!compareTransport(a, b, walk)) return walk.changes
  if (a.body.kind === 'json' && b.body.kind === 'json') compareBodies(a.body.tree, b.body.tree, walk, context)
  else if (a.body.kind === 'text' && b.body.kind === 'text')
    compareTexts(a.body.text, b.body.text, walk, context)
  else if (a.body.kind === 'binary' && b.body.kind === 'binary')
    compareBytes(a.body.bytes, b.body.bytes, walk)
  return walk.changes
}

/** Texts in the API's other formats are compared as trees; pages and feeds as markup; anything else as a whole. */
function compareTexts(a: string, b: string, walk: AnswerWalk, context: AnswerContext): void {
  if (a === b) return
  const format = context.asked.request.get('format') ?? ''
  if (!/^(?:xml|php)$/.test(format)) {
    compareText(a, b, walk)
    return
  }
  const trees = foreignTrees(a, b)
  if (trees !== undefined) compareBodies(...trees, walk, unsampled(context))
  else walk.emit('body.changed', pathOf('text'), { before: jsonString(a), after: jsonString(b) })
}

/** Shapes are sampled from JSON alone. */
const unsampled = (context: AnswerContext): AnswerContext => ({
  ...context,
  shapeA: () => undefined,
  shapeB: () => undefined,
})

/** Two lists of items, put together from their batches. */
export function compareListings(
  a: readonly JsonTree[],
  b: readonly JsonTree[],
  path: readonly string[],
  context: AnswerContext,
): readonly Change[] {
  const walk = new AnswerWalk(context)
  const place = path.reduce<Place>(
    (at, name) => memberPlace(at, memberPath(at.path, name), name),
    rootPlace(context.shapeA, context.shapeB),
  )
  walk.descend({ kind: 'array', items: a }, { kind: 'array', items: b }, place)
  walk.settle(context.encodingShift)
  return walk.changes
}

function compareBytes(a: Uint8Array, b: Uint8Array, walk: Walk): void {
  if (a.length === b.length && a.every((byte, at) => byte === b[at])) return
  const [before, after] = [jsonLiteral(a.length), jsonLiteral(b.length)]
  walk.emit('value.changed', pathOf('body'), { before, after, note: 'bytes', other: true })
}

/** Compared by rules of their own. */
const envelope: ReadonlySet<string> = new Set([
  ...['error', 'errors', 'warnings', 'continue', 'query-continue', 'debuginfo', 'docref', 'requestid', '*'],
])

function compareBodies(a: JsonTree, b: JsonTree, walk: AnswerWalk, context: AnswerContext): void {
  if (sameTree(a, b)) return
  const [moreA, moreB] = [continuationOf(a), continuationOf(b)]
  walk.cutA = moreA.dialect !== 'none'
  walk.cutB = moreB.dialect !== 'none'
  walk.otherPage = isAboutAnother(a, b)
  const failure = compareErrors(a, b, walk)
  if (failure !== 'one') compareWarnings(memberOf(a, 'warnings'), memberOf(b, 'warnings'), walk)
  if (failure === 'none') {
    compareContinuation(moreA, moreB, hasOneModule(context.asked.request), walk)
    // `batchcomplete` belongs to the dialect; without any continuation it is a member like others.
    const skipped = walk.cutA || walk.cutB ? new Set([...envelope, 'batchcomplete']) : envelope
    const place = rootPlace(context.shapeA, context.shapeB)
    walk.descend(resultOf(a, skipped, context), resultOf(b, skipped, context), place)
    if (isDescription(context.asked.request)) compareHelp(a, b, walk)
  }
  walk.settle(context.encodingShift)
}

/** Of a diff or a parse the title tells which page it is of: a revision's number may be another page elsewhere. */
const isAboutAnother = (a: JsonTree, b: JsonTree): boolean =>
  ['compare', 'parse'].some((result) =>
    ['title', 'fromtitle', 'totitle'].some(
      (name) => textOf(memberAt(a, result, name)) !== textOf(memberAt(b, result, name)),
    ),
  )

/** With several modules, which of them has more depends on the content. */
const hasOneModule = (request: CanonicalRequest): boolean =>
  ['generator', 'list', 'prop'].flatMap((name) => splitValues(request.get(name) ?? '')).length === 1

const isDescription = (request: CanonicalRequest): boolean => request.get('action') === 'paraminfo'

/** The answer without its envelope, without items told elsewhere, and without descriptions of modules. */
function resultOf(
  tree: JsonTree,
  skipped: ReadonlySet<string>,
  { listedAt, asked }: AnswerContext,
): JsonTree {
  if (tree.kind !== 'object') return tree
  const members = tree.members.filter(
    ({ key }) => !skipped.has(key) && !(isDescription(asked.request) && key === 'paraminfo'),
  )
  const rest: JsonTree = { kind: 'object', members }
  return listedAt === undefined ? rest : without(rest, listedAt)
}

function without(tree: JsonTree, path: readonly string[]): JsonTree {
  const [name, ...rest] = path
  if (name === undefined || tree.kind !== 'object') return tree
  const members = tree.members.flatMap((member) => {
    if (member.key !== name) return [member]
    return rest.length === 0 ? [] : [{ key: name, value: without(member.value, rest) }]
  })
  return { kind: 'object', members }
}

class AnswerWalk implements Walk {
  readonly changes: Change[] = []
  readonly pinned: boolean
  cutA = false
  cutB = false
  otherPage = false
  readonly #context: AnswerContext
  readonly #deltas: Delta[] = []
  #encodings = 0

  constructor(context: AnswerContext) {
    this.#context = context
    this.pinned = pinsItems(context.asked.request)
  }

  descend(a: JsonTree, b: JsonTree, place: Place): void {
    compareTrees(a, b, place, this)
  }

  emit(kind: Kind, path: Path, detail: Detail): void {
    if (kind.startsWith('encoding.') && kind !== 'encoding.empty') this.#encodings += 1
    const { asked } = this.#context
    this.changes.push({
      kind,
      ...ratingOf(kind, detail.other),
      asked: [asked],
      scope: detail.scope ?? asked.requestClass,
      path,
      before: detail.before,
      after: detail.after,
      note: detail.note ?? '',
      mark: detail.mark ?? '',
    })
  }

  delta(delta: Delta): void {
    if (delta.removed.length + delta.added.length > 0) this.#deltas.push(delta)
  }

  renumbered(): boolean {
    return this.#context.renumbered()
  }

  localA(text: string): string {
    return this.#context.localA(text)
  }

  localB(text: string): string {
    return this.#context.localB(text)
  }

  once(name: string): boolean {
    if (this.#context.told.has(name)) return false
    this.#context.told.add(name)
    return true
  }

  settle(encodingShift: boolean): void {
    settle(this.#deltas, this, encodingShift || this.#encodings > 0)
  }
}
