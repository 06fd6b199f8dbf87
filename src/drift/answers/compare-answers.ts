/** Two answers to one request: transport, errors, warnings, continuation, then the results themselves. */
import type { RecordedResponse } from '../../recorder/cassette/interaction.ts'
import {
  itemsAt,
  type JsonTree,
  jsonArray,
  jsonLiteral,
  memberAt,
  memberOf,
  objectOf,
  replaceMember,
  sameTree,
  scalarTextOf,
  textAt,
  withoutMember
} from '../../recorder/json/json-tree.ts'
import { readTree } from '../../recorder/json/read-json.ts'
import { wordSet } from '../../recorder/text/words.ts'
import {
  type Change,
  itemPath,
  memberPath,
  type Path,
  pathOf,
  rootPath
} from '../changes/change.ts'
import {
  isOpenApi,
  readContinuation,
  type WholeListing
} from '../inputs/cassette-side.ts'
import { settleMembers } from '../members/one-sided-members.ts'
import { type AnswerContext, TreePosition, TreeWalk } from '../members/tree-walk.ts'
import { compareTrees } from '../trees/compare-trees.ts'
import { compareTextBodies } from '../trees/compare-values.ts'
import {
  compareBatchSizes,
  compareContinuation,
  compareEnds,
  isContinuedAlike
} from './compare-continuation.ts'
import { compareErrors, compareWarnings } from './compare-messages.ts'
import { compareCookies, compareTransport } from './compare-transport.ts'
import { readOtherFormats } from './other-formats.ts'
import { compareRestFailures, isTouchedByTag } from './rest-answers.ts'

/** All differences; none if a client could not tell the two apart. */
export function compareAnswers(
  responseA: RecordedResponse,
  responseB: RecordedResponse,
  context: AnswerContext
): readonly Change[] {
  const walk = new TreeWalk(context, compareTrees)
  const isComparable =
    !compareRestFailures(responseA, responseB, walk) &&
    compareTransport(responseA, responseB, walk)
  const failure = isComparable ? compareContents(responseA, responseB, walk) : 'none'
  if (failure !== 'one') compareCookies(responseA, responseB, walk)
  return walk.changes
}

function compareContents(
  responseA: RecordedResponse,
  responseB: RecordedResponse,
  walk: TreeWalk
) {
  const a = responseA.body
  const b = responseB.body
  const touched = walk.isRest ? isTouchedByTag(responseA, responseB) : undefined
  const root = { ...rootPath, touched }
  if (a.kind === 'json' && b.kind === 'json')
    return compareBodies(a.tree, b.tree, walk, root)
  if (a.kind === 'text' && b.kind === 'text') compareTexts(a.text, b.text, walk, root)
  else if (a.kind === 'binary' && b.kind === 'binary')
    compareBytes(a.bytes, b.bytes, walk)
  return 'none'
}

/** Two lists of items, put together from their batches. */
export function compareListings(
  a: WholeListing,
  b: WholeListing,
  context: AnswerContext
): readonly Change[] {
  const walk = new TreeWalk(context, compareTrees)
  const place = a.path.reduce<TreePosition>(
    (at, name) => at.member(memberPath(at.path, name), name),
    new TreePosition(rootPath, walk, context.shapeA, context.shapeB)
  )
  place.compare(jsonArray(a.items), jsonArray(b.items))
  settleMembers(walk)
  return walk.changes
}

/** XML and PHP are compared as trees; pages and feeds as markup; anything else as a whole. */
function compareTexts(a: string, b: string, walk: TreeWalk, root: Path) {
  if (a === b) return
  const isTree = /^(?:xml|php)$/.test(walk.context.requestRef.request.get('format') ?? '')
  const trees = isTree ? readOtherFormats(a, b) : readPlainValues(a, b, walk)
  if (trees) compareBodies(...trees, walk, root)
  else if (isTree) walk.emit('body.changed', pathOf('text'), { before: a, after: b })
  else compareTextBodies(a, b, walk, root)
}

/** A label alone is a JSON string. */
function readPlainValues(a: string, b: string, { isRest }: TreeWalk) {
  if (!isRest) return undefined
  const one = readTree(a)
  const other = readTree(b)
  return one && other ? ([one, other] as const) : undefined
}

function compareBytes(a: Uint8Array, b: Uint8Array, walk: TreeWalk) {
  if (a.length === b.length && a.every((byte, at) => byte === b[at])) return
  const before = jsonLiteral(a.length)
  const after = jsonLiteral(b.length)
  walk.emit('value.changed', pathOf('body'), {
    before,
    after,
    note: 'bytes',
    other: true
  })
}

/** Members that are compared by rules of their own. */
const envelopeMembers = wordSet(
  'error errors warnings continue query-continue debuginfo docref requestid *'
)

function compareBodies(a: JsonTree, b: JsonTree, walk: TreeWalk, at: Path) {
  if (sameTree(a, b)) return 'none'
  const { requestRef, renumbered, listingPath, shapeA, shapeB } = walk.context
  const isOtherPage = isAboutOtherPage(a, b)
  // A comparison of two revisions by their numbers stays for ever.
  const isFixed = haveSameRevisions(a, b) && !isOtherPage && !renumbered()
  const path = isFixed ? { ...rootPath, touched: false } : at
  const root = new TreePosition(path, walk, shapeA, shapeB)
  if (a.kind !== b.kind) {
    root.compare(a, b)
    settleMembers(walk)
    return 'none'
  }
  const moreA = readContinuation(a)
  const moreB = readContinuation(b)
  walk.hasMoreA = moreA.dialect !== 'none'
  walk.hasMoreB = moreB.dialect !== 'none'
  walk.aboutOtherPage = isOtherPage
  const failure = compareErrors(a, b, walk)
  const wasUnknown = /^(?:bad|unknown)/.test(textAt(a, 'error', 'code') ?? '')
  // What was not understood may have become a warning.
  if (failure !== 'one' || wasUnknown)
    compareWarnings(memberOf(a, 'warnings'), memberOf(b, 'warnings'), walk)
  if (failure === 'none') {
    compareContinuation(moreA, moreB, walk)
    const asksParaminfo = requestRef.request.get('action') === 'paraminfo'
    const skipped = new Set(envelopeMembers)
    // Follows from what continues: if that is the same, it is a member like others.
    if (!isContinuedAlike(moreA, moreB)) skipped.add('batchcomplete')
    if (asksParaminfo) skipped.add('paraminfo')
    if (isOpenApi(a) && isOpenApi(b))
      for (const name of ['paths', 'components', 'tags']) skipped.add(name)
    const resultA = resultOf(a, skipped, listingPath)
    const resultB = resultOf(b, skipped, listingPath)
    if (sameTree(resultA, resultB)) compareEnds(moreA, moreB, walk)
    root.compare(resultA, resultB)
    if (asksParaminfo) compareHelp(a, b, walk)
    compareBatchSizes(a, b, walk)
  }
  settleMembers(walk)
  return failure
}

/** The title of a diff or a parse says which page it is of: a revision's number may be another page's on the other wiki. */
const isAboutOtherPage = (a: JsonTree, b: JsonTree) =>
  ['compare', 'parse'].some((result) =>
    ['title', 'fromtitle', 'totitle'].some(
      (name) => textAt(a, result, name) !== textAt(b, result, name)
    )
  )

const haveSameRevisions = (a: JsonTree, b: JsonTree) =>
  ['fromrevid', 'torevid'].every((name) => {
    const number = scalarTextOf(memberAt(a, 'compare', name))
    return number !== undefined && number === scalarTextOf(memberAt(b, 'compare', name))
  })

/** The answer without what is compared by other rules, and without the items of a whole listing. */
function resultOf(
  tree: JsonTree,
  skipped: ReadonlySet<string>,
  listingPath?: readonly string[]
) {
  if (tree.kind !== 'object') return tree
  const rest = objectOf(tree.members.filter(({ key }) => !skipped.has(key)))
  return listingPath ? withoutPath(rest, listingPath) : rest
}

const withoutPath = (
  tree: JsonTree,
  [name = '', ...deeper]: readonly string[]
): JsonTree =>
  deeper.length === 0
    ? withoutMember(tree, name)
    : replaceMember(tree, name, (value) => withoutPath(value, deeper))

/** Answers to action=paraminfo: whether a module has a help text. The rest of a description, as that of an OpenAPI: `../contract/`. */
function compareHelp(a: JsonTree, b: JsonTree, walk: TreeWalk) {
  const inB = new Map(modulesIn(b).map((one) => [nameOf(one), one]))
  for (const one of modulesIn(a)) {
    const other = inB.get(nameOf(one))
    const before = memberOf(one, 'description')
    const after = memberOf(other, 'description')
    if (!other || (before === undefined) === (after === undefined)) continue
    const path = memberPath(
      itemPath(pathOf('paraminfo', 'modules'), nameOf(one)),
      'description'
    )
    walk.emit(after ? 'field.added' : 'field.removed', path, {
      before,
      after
    })
  }
}

const modulesIn = (answer: JsonTree) => itemsAt(answer, 'paraminfo', 'modules')
const nameOf = (module: JsonTree) =>
  textAt(module, 'path') ?? textAt(module, 'name') ?? ''
