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
import type { Change, RequestRef } from '../changes/change.ts'
import { type Kind, ratingOf } from '../changes/kinds.ts'
import { memberPath, type Path, pathOf } from '../changes/path.ts'
import { namesItems } from '../inputs/cassette-side.ts'
import { settleMembers } from '../members/one-sided-members.ts'
import type { SampleShape } from '../members/sample-shape.ts'
import {
  type ChangeDetail,
  memberPosition,
  type OneSidedMembers,
  rootPosition,
  type TreePosition,
  type TreeWalk,
} from '../members/tree-walk.ts'
import { compareTrees } from '../trees/compare-trees.ts'
import { compareTextBodies } from '../trees/compare-values.ts'
import { compareContinuation, readContinuation } from './compare-continuation.ts'
import { compareErrors } from './compare-errors.ts'
import { compareHelp } from './compare-help.ts'
import { compareTransport } from './compare-transport.ts'
import { compareWarnings } from './compare-warnings.ts'
import { readOtherFormats } from './other-formats.ts'

/** What is known of both sides beyond the two answers. */
export interface AnswerContext {
  readonly requestRef: RequestRef
  /** What the answers of this class of requests have in common, on each side. */
  readonly shapeA: () => SampleShape | undefined
  readonly shapeB: () => SampleShape | undefined
  readonly stripHostA: (text: string) => string
  readonly stripHostB: (text: string) => string
  /** The two requests ask for different encodings (formatversion), so flags will be spelled differently. */
  readonly encodingDiffers: boolean
  /** Where items are that are compared as a whole listing elsewhere. */
  readonly listingPath: readonly string[] | undefined
  /** True where the two wikis give the same pages other ids. */
  readonly renumbered: () => boolean
  /** Names told already in this class of requests. */
  readonly emittedNames: Set<string>
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
  const format = context.requestRef.request.get('format') ?? ''
  if (!/^(?:xml|php)$/.test(format)) {
    compareTextBodies(a, b, walk)
    return
  }
  const trees = readOtherFormats(a, b)
  if (trees !== undefined) compareBodies(...trees, walk, withoutShapes(context))
  else walk.emit('body.changed', pathOf('text'), { before: jsonString(a), after: jsonString(b) })
}

/** Shapes are sampled from JSON alone. */
const withoutShapes = (context: AnswerContext): AnswerContext => ({
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
  const position = path.reduce<TreePosition>(
    (at, name) => memberPosition(at, memberPath(at.path, name), name),
    rootPosition(context.shapeA, context.shapeB),
  )
  walk.descend({ kind: 'array', items: a }, { kind: 'array', items: b }, position)
  walk.finish(context.encodingDiffers)
  return walk.changes
}

function compareBytes(a: Uint8Array, b: Uint8Array, walk: TreeWalk): void {
  if (a.length === b.length && a.every((byte, at) => byte === b[at])) return
  const [before, after] = [jsonLiteral(a.length), jsonLiteral(b.length)]
  walk.emit('value.changed', pathOf('body'), { before, after, note: 'bytes', other: true })
}

/** Compared by rules of their own. */
const envelopeMembers: ReadonlySet<string> = new Set([
  ...['error', 'errors', 'warnings', 'continue', 'query-continue', 'debuginfo', 'docref', 'requestid', '*'],
])

function compareBodies(a: JsonTree, b: JsonTree, walk: AnswerWalk, context: AnswerContext): void {
  if (sameTree(a, b)) return
  const [moreA, moreB] = [readContinuation(a), readContinuation(b)]
  walk.hasMoreA = moreA.dialect !== 'none'
  walk.hasMoreB = moreB.dialect !== 'none'
  walk.aboutOtherPage = isAboutOtherPage(a, b)
  const failure = compareErrors(a, b, walk)
  if (failure !== 'one') compareWarnings(memberOf(a, 'warnings'), memberOf(b, 'warnings'), walk)
  if (failure === 'none') {
    compareContinuation(moreA, moreB, hasOneModule(context.requestRef.request), walk)
    // `batchcomplete` belongs to the dialect; without any continuation it is a member like others.
    const skipped =
      walk.hasMoreA || walk.hasMoreB ? new Set([...envelopeMembers, 'batchcomplete']) : envelopeMembers
    const position = rootPosition(context.shapeA, context.shapeB)
    walk.descend(resultOf(a, skipped, context), resultOf(b, skipped, context), position)
    if (asksParaminfo(context.requestRef.request)) compareHelp(a, b, walk)
  }
  walk.finish(context.encodingDiffers)
}

/** Of a diff or a parse the title tells which page it is of: a revision's number may be another page elsewhere. */
const isAboutOtherPage = (a: JsonTree, b: JsonTree): boolean =>
  ['compare', 'parse'].some((result) =>
    ['title', 'fromtitle', 'totitle'].some(
      (name) => textOf(memberAt(a, result, name)) !== textOf(memberAt(b, result, name)),
    ),
  )

/** With several modules, which of them has more depends on the content. */
const hasOneModule = (request: CanonicalRequest): boolean =>
  ['generator', 'list', 'prop'].flatMap((name) => splitValues(request.get(name) ?? '')).length === 1

const asksParaminfo = (request: CanonicalRequest): boolean => request.get('action') === 'paraminfo'

/** The answer without its envelope, without items told elsewhere, and without descriptions of modules. */
function resultOf(
  tree: JsonTree,
  skipped: ReadonlySet<string>,
  { listingPath: listedAt, requestRef }: AnswerContext,
): JsonTree {
  if (tree.kind !== 'object') return tree
  const members = tree.members.filter(
    ({ key }) => !skipped.has(key) && !(asksParaminfo(requestRef.request) && key === 'paraminfo'),
  )
  const rest: JsonTree = { kind: 'object', members }
  return listedAt === undefined ? rest : withoutPath(rest, listedAt)
}

function withoutPath(tree: JsonTree, path: readonly string[]): JsonTree {
  const [name, ...rest] = path
  if (name === undefined || tree.kind !== 'object') return tree
  const members = tree.members.flatMap((member) => {
    if (member.key !== name) return [member]
    return rest.length === 0 ? [] : [{ key: name, value: withoutPath(member.value, rest) }]
  })
  return { kind: 'object', members }
}

class AnswerWalk implements TreeWalk {
  readonly changes: Change[] = []
  readonly namesItems: boolean
  hasMoreA = false
  hasMoreB = false
  aboutOtherPage = false
  readonly #context: AnswerContext
  readonly #oneSided: OneSidedMembers[] = []
  #encodings = 0

  constructor(context: AnswerContext) {
    this.#context = context
    this.namesItems = namesItems(context.requestRef.request)
  }

  descend(a: JsonTree, b: JsonTree, position: TreePosition): void {
    compareTrees(a, b, position, this)
  }

  emit(kind: Kind, path: Path, detail: ChangeDetail): void {
    if (kind.startsWith('encoding.') && kind !== 'encoding.empty') this.#encodings += 1
    const { requestRef: asked } = this.#context
    this.changes.push({
      kind,
      ...ratingOf(kind, detail.other),
      requests: [asked],
      scope: detail.scope ?? asked.requestClass,
      path,
      before: detail.before,
      after: detail.after,
      note: detail.note ?? '',
      mark: detail.mark ?? '',
    })
  }

  deferMembers(deferMembers: OneSidedMembers): void {
    if (deferMembers.removed.length + deferMembers.added.length > 0) this.#oneSided.push(deferMembers)
  }

  renumbered(): boolean {
    return this.#context.renumbered()
  }

  stripHostA(text: string): string {
    return this.#context.stripHostA(text)
  }

  stripHostB(text: string): string {
    return this.#context.stripHostB(text)
  }

  isFirstTime(name: string): boolean {
    if (this.#context.emittedNames.has(name)) return false
    this.#context.emittedNames.add(name)
    return true
  }

  finish(encodingDiffers: boolean): void {
    settleMembers(this.#oneSided, this, encodingDiffers || this.#encodings > 0)
  }
}
