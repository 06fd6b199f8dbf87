/** Members that one side lacks, once the whole answer is walked: renamed, moved, optional, gone or new. */
import type { JsonMember } from '../../json/json-tree.ts'
import type { ChangeDetail } from '../changes/change.ts'
import { memberPath, type Path } from '../changes/path.ts'
import { isInDictionary } from '../content/content-fields.ts'
import { isFlag } from '../content/same-state.ts'
import { extractMoves } from './field-moves.ts'
import { findRenames } from './field-renames.ts'
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

function extractRenames(deferred: readonly OneSidedMembers[], walk: TreeWalk): readonly OneSidedMembers[] {
  const renames = findRenames(deferred)
  if (renames.size === 0) return deferred
  return deferred.map(({ place, removed, added }) => {
    const paired = new Set<JsonMember>()
    for (const one of removed) {
      const other = added.find(({ key }) => key === renames.get(place.path)?.get(one.key))
      if (other === undefined) continue
      paired.add(one).add(other)
      const note = `${one.key} → ${other.key}`
      walk.emit('field.renamed', memberPath(place.path, one.key), {
        before: one.value,
        after: other.value,
        note,
      })
    }
    const isLeft = (member: JsonMember): boolean => !paired.has(member)
    return { place, removed: removed.filter(isLeft), added: added.filter(isLeft) }
  })
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
  shapeA === undefined && shapeB === undefined ? '' : `in ${presence(shapeA, key)} → ${presence(shapeB, key)}`
