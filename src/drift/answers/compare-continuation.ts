/** The continuations of two answers, compared, and the sizes of their batches; where these end shows in their items. */
import {
  type JsonTree,
  memberAt,
  memberOf,
  membersOf,
  scalarTextOf,
  textOf
} from '../../recorder/json/json-tree.ts'
import { splitValues } from '../../recorder/wiki/parameters/request-params.ts'
import { type ChangeDetail, pathOf, turn } from '../changes/change.ts'
import { broken } from '../content/decide-content.ts'
import type { Continuation } from '../inputs/cassette-side.ts'
import { typeOf } from '../members/sample-shape.ts'
import type { TreeWalk } from '../members/tree-walk.ts'
import { countsInnerRows, emitBatchSizes } from '../trees/compare-lists.ts'
import { lexicalClassOf } from '../trees/value-classes.ts'

export function compareContinuation(
  a: Continuation,
  b: Continuation,
  walk: TreeWalk
): void {
  if (a.dialect === 'none' || b.dialect === 'none') return
  compareTypes(a.tree, b.tree, walk)
  const path = pathOf('continue')
  const values = { before: a.tree, after: b.tree }
  const before = memberOf(a.tree, 'continue')
  const after = memberOf(b.tree, 'continue')
  if (a.dialect !== b.dialect)
    walk.emit('continuation.format', path, {
      ...values,
      note: turn(a.dialect, b.dialect)
    })
  else if (b.tree?.kind === 'object' && before && !after)
    walk.emit('field.removed', pathOf('continue', 'continue'), { before, scope: '*' })
  const note = otherParam(a, b, walk)
  if (note) walk.emit('continuation.param', path, { ...values, note })
  for (const [name, value] of a.values) {
    const other = b.values.get(name)
    if (other !== undefined && other !== value) compareValue(name, value, other, walk)
  }
  const doneA = textOf(before)
  const doneB = textOf(after)
  // What goes on says which modules are done.
  if (!isContinuedAlike(a, b) || doneA === undefined || doneB === undefined) return
  if (doneA !== doneB)
    emitShape('continue', { before: doneA, after: doneB, note: turn(doneA, doneB) }, walk)
}

/** One parameter that became another. */
function otherParam(
  a: Continuation,
  b: Continuation,
  { context: { requestRef } }: TreeWalk
) {
  const [from, ...moreA] = a.values.keys()
  const [to, ...moreB] = b.values.keys()
  if (moreA.length + moreB.length > 0 || from === to) return undefined
  if (from === undefined || to === undefined) return undefined
  // Which of several modules has more depends on the content; if there is one, another name is another parameter.
  const modules = ['generator', 'list', 'prop'].flatMap((name) =>
    splitValues(requestRef.request.get(name) ?? '')
  )
  return modules.length === 1 || isOfOneModule(from, to) ? turn(from, to) : undefined
}

/** `gapcontinue` and `gapfrom` begin with the module's prefix. */
const isOfOneModule = (a: string, b: string) =>
  [a, b].some((name) => {
    const prefix = name.replace(/(?:continue|offset|start|from)$/, '')
    return prefix.length > 1 && a.startsWith(prefix) && b.startsWith(prefix)
  })

const emitShape = (name: string, detail: ChangeDetail, walk: TreeWalk) =>
  walk.emit('continuation.value-shape', pathOf('continue', name), detail)

/** True if both go on in one dialect with the same modules, or neither goes on. */
export const isContinuedAlike = (a: Continuation, b: Continuation): boolean =>
  a.dialect === b.dialect && namesOf(a) === namesOf(b)

const namesOf = ({ values }: Continuation) => [...values.keys()].join()

/** One value as a text and as a number; another value is compared by its shape. */
function compareTypes(a: JsonTree | undefined, b: JsonTree | undefined, walk: TreeWalk) {
  const emit = (before: JsonTree, after: JsonTree, ...name: readonly string[]) => {
    const note = turn(typeOf(before), typeOf(after))
    walk.emit('type.changed', pathOf('continue', ...name), { before, after, note })
  }
  if (a && b && a.kind !== b.kind) emit(a, b)
  for (const { key, value } of membersOf(a)) {
    const other = memberOf(b, key)
    if (!other || typeOf(other) === typeOf(value)) continue
    if ([undefined, scalarTextOf(value)].includes(scalarTextOf(other)))
      emit(value, other, key)
  }
}

/** Two equal results, with more to follow on one side alone: walks end too soon, or never. */
export function compareEnds(a: Continuation, b: Continuation, walk: TreeWalk): void {
  const isEnd = (a.dialect === 'none') !== (b.dialect === 'none')
  const areObjects = a.tree?.kind === 'object' && b.tree?.kind === 'object'
  if (!isEnd && !(areObjects && a.values.size !== b.values.size)) return
  const nameOf = (one: Continuation) => (isEnd ? one.dialect : namesOf(one))
  const note = turn(nameOf(a), nameOf(b))
  const detail = { before: a.tree, after: b.tree, note, mark: 'end' }
  walk.emit('continuation.format', pathOf('continue'), detail)
}

/** A batch with more behind it is full, whatever people edited: one side's is, the other's is not. */
export function compareBatchSizes(a: JsonTree, b: JsonTree, walk: TreeWalk): void {
  const { request } = walk.context.requestRef
  const list = request.get('list') ?? ''
  const one = memberAt(a, 'query', list)
  const other = memberAt(b, 'query', list)
  if (!walk.hasMoreA || !walk.hasMoreB) return
  if (one?.kind !== 'array' || other?.kind !== 'array') return
  // What the request says, or the default of all lists. Source: API:Query.
  const limit = [...request].find(([name]) => name.endsWith('limit'))?.[1] ?? '10'
  const full = limit === 'max' ? [500, 5000] : [Number(limit)]
  if (full.includes(one.items.length) === full.includes(other.items.length)) return
  const isReported = walk.changes.some(({ kind }) => kind === 'continuation.batch')
  if (!isReported && !countsInnerRows(one.items))
    emitBatchSizes(one.items, other.items, pathOf('query', list), walk)
}

function compareValue(name: string, before: string, after: string, walk: TreeWalk) {
  const a = partsOf(before)
  const b = partsOf(after)
  const isOffset = name.endsWith('offset')
  const isAlone = a.length === 1 && !isOffset
  const same =
    a.length === b.length &&
    a.every((part, at) => isCompatible(part, b[at] ?? '', isAlone))
  // What an offset is follows from the limit, whatever the rows are.
  const mark = isOffset ? broken : ''
  if (!same)
    emitShape(name, { before, after, note: turn(a.join('|'), b.join('|')) }, walk)
  else
    walk.emit('value.changed', pathOf('continue', name), {
      before,
      after,
      mark,
      other: true
    })
}

/** The grammar of a continue value: the classes of the parts between its bars. */
const partsOf = (value: string) =>
  value.split('|').map((part) => {
    const sort = lexicalClassOf(part)
    if (sort !== 'text') return sort
    if (isBase64(part)) return 'base64'
    if (part.includes('_')) return 'DB key'
    return part.includes(' ') ? 'title' : 'text'
  })

/** True for text that was encoded; a title that looks like it decodes to no text. */
const isBase64 = (text: string) =>
  text.length % 4 === 0 &&
  /^[\w+/-]+={0,2}$/.test(text) &&
  /^[\p{L}\p{N}\p{P} |]+$/u.test(Buffer.from(text, 'base64').toString())

/** A title without spaces looks like a DB key, one made of digits like a number. */
function isCompatible(a: string, b: string, alone: boolean) {
  const open = (one: string) =>
    one === 'text' || (alone && (one === 'integer' || one === 'hex digest'))
  const named = (one: string) =>
    open(one) || one === 'DB key' || one === 'title' || one === 'empty'
  return a === b || (open(a) && named(b)) || (open(b) && named(a))
}
