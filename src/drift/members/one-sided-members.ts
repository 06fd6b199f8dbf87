/** Members that one side lacks, once the whole answer is walked: renamed, moved, optional, gone or new. */
import type { JsonMember } from '../../json/json-tree.ts'
import { getOrAdd, groupBy } from '../../text/group-by.ts'
import { type ChangeDetail, memberPath, type Path, templateOf } from '../changes/change.ts'
import { isInDictionary } from '../content/field-names.ts'
import { canonicalText, isDistinctive, isFlag } from '../content/same-state.ts'
import { extractMoves } from './field-moves.ts'
import { isAbsent, isRequired, presence } from './sample-shape.ts'
import type { OneSidedMembers, TreePosition, TreeWalk } from './tree-walk.ts'

/** Decides about deferred members; to be called once, at the end. */
export function settleMembers(walk: TreeWalk): void {
  const { context, changes, deferred } = walk
  // Where flags are spelled differently, `false` on one side may be absence on the other.
  const encodingDiffers = context.encodingDiffers || changes.some(({ kind }) => isEncoding.test(kind))
  const flagged = encodingDiffers ? deferred.map((one) => extractFalse(one, walk)) : deferred
  for (const { place, removed, added } of extractMoves(extractRenames(flagged, walk), walk)) {
    for (const member of removed) emitRemoved(member, place, walk)
    for (const member of added) emitAdded(member, place, walk)
  }
}

const isEncoding = /^encoding\.(?!empty$)/

function extractFalse({ place, removed, added }: OneSidedMembers, walk: TreeWalk): OneSidedMembers {
  const emit = (key: string, detail: ChangeDetail): void =>
    walk.emit('encoding.flag', memberPath(place.path, key), { ...detail, scope: '*' })
  for (const { key, value } of removed.filter(isFalse)) emit(key, { before: value, note: 'false → absent' })
  for (const { key, value } of added.filter(isFalse)) emit(key, { after: value, note: 'absent → false' })
  const isOther = (member: JsonMember): boolean => !isFalse(member)
  return { place, removed: removed.filter(isOther), added: added.filter(isOther) }
}

const isFalse = ({ value }: JsonMember): boolean => value.kind === 'literal' && value.text === 'false'

/** Emits members with another name and the same value: decided for all items of a list together. */
const extractRenames = (deferred: readonly OneSidedMembers[], walk: TreeWalk): readonly OneSidedMembers[] =>
  [...groupBy(deferred, ({ place }) => templateOf(place.path)).values()].flatMap((group) => {
    const names = bestNames(countVotes(group))
    return names.size === 0 ? group : group.map((one) => extractNamed(one, names, walk))
  })

function extractNamed(
  { place, removed, added }: OneSidedMembers,
  names: ReadonlyMap<string, string>,
  walk: TreeWalk,
): OneSidedMembers {
  const paired = new Set<JsonMember>()
  for (const one of removed) {
    const other = added.find(({ key }) => key === names.get(one.key))
    if (other === undefined) continue
    paired.add(one).add(other)
    const detail = { before: one.value, after: other.value, note: `${one.key} → ${other.key}` }
    walk.emit('field.renamed', memberPath(place.path, one.key), detail)
  }
  const isLeft = (member: JsonMember): boolean => !paired.has(member)
  return { place, removed: removed.filter(isLeft), added: added.filter(isLeft) }
}

/** How often one old and one new name have the same value. */
interface RenameVotes {
  readonly from: string
  readonly to: string
  readonly values: Set<string>
  equal: number
  seen: number
  distinctive: boolean
}

function countVotes(group: readonly OneSidedMembers[]): readonly RenameVotes[] {
  const table = new Map<string, RenameVotes>()
  for (const { place, removed, added } of group) {
    // Only a name that one side never uses can have been replaced.
    const fresh = added.filter(({ key }) => isAbsent(place.shapeA, key))
    for (const { key: from, value } of removed.filter(({ key }) => isAbsent(place.shapeB, key))) {
      for (const { key: to, value: other } of fresh) {
        const none = { from, to, values: new Set<string>(), equal: 0, seen: 0, distinctive: false }
        const votes = getOrAdd(table, JSON.stringify([from, to]), () => none)
        votes.seen += 1
        const text = canonicalText(value)
        if (text !== canonicalText(other)) continue
        votes.equal += 1
        votes.values.add(text)
        votes.distinctive ||= isDistinctive(value) && isDistinctive(other)
      }
    }
  }
  return [...table.values()]
}

/** The strongest candidate for each old name; a new name is given once. */
function bestNames(candidates: readonly RenameVotes[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const usedNames = new Set<string>()
  for (const { from, to, values, equal, seen, distinctive } of candidates.toSorted(
    (a, b) => b.equal - a.equal,
  )) {
    const isProven = distinctive || values.size > 1
    if (!isProven || equal * 2 < seen || names.has(from) || usedNames.has(to)) continue
    names.set(from, to)
    usedNames.add(to)
  }
  return names
}

function emitRemoved({ key, value: before }: JsonMember, place: TreePosition, walk: TreeWalk): void {
  const path = memberPath(place.path, key)
  const isAlwaysThere = !isFlag(before) || isOnEveryAnswer(path)
  const [required, note] = [isRequired(place.shapeA, key) && isAlwaysThere, samplesNote(place, key)]
  if (isFlag(before) && isInDictionary(path)) emitPresence(path, { before }, walk)
  else if (isAbsent(place.shapeB, key)) {
    const scope = isOnEveryAnswer(path) ? { scope: '*' } : {}
    walk.emit('field.removed', path, { ...scope, before, note, other: !required })
  } else if (required) walk.emit('field.became-optional', path, { before, note })
  else emitPresence(path, { before }, walk)
}

function emitAdded({ key, value: after }: JsonMember, place: TreePosition, walk: TreeWalk): void {
  const path = memberPath(place.path, key)
  const note = samplesNote(place, key)
  if (isFlag(after) && isInDictionary(path)) emitPresence(path, { after }, walk)
  else if (isAbsent(place.shapeA, key))
    walk.emit('field.added', path, isOnEveryAnswer(path) ? { after, scope: '*' } : { after, note })
  else if (isRequired(place.shapeB, key) && !isFlag(after))
    walk.emit('field.became-present', path, { after, note })
  else emitPresence(path, { after }, walk)
}

/** Members that the main module puts at the top of every answer. */
const isOnEveryAnswer = (path: Path): boolean =>
  path.parent?.kind === 'root' && ['batchcomplete', 'curtimestamp', 'servedby', 'limits'].includes(path.step)

/** A member that comes and goes on both sides: with the content, not with the version. */
const emitPresence = (path: Path, values: ChangeDetail, walk: TreeWalk): void => {
  walk.emit('value.changed', path, { ...values, note: 'comes and goes', other: true })
}

/** In how many samples a member is; empty where its place was never sampled. */
const samplesNote = ({ shapeA, shapeB }: TreePosition, key: string): string =>
  shapeA?.samples || shapeB?.samples ? `in ${presence(shapeA, key)} → ${presence(shapeB, key)}` : ''
