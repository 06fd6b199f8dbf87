/** Members that one side lacks, once the whole answer is seen: renamed, moved, optional, gone or new. */
import type { JsonMember } from '../../json/json-tree.ts'
import { memberPath, type Path } from '../changes/path.ts'
import { extractMoves } from './field-moves.ts'
import { findRenames } from './field-renames.ts'
import { isAbsent, isFlag, isRequired, presence } from './sample-shape.ts'
import type { ChangeDetail, OneSidedMembers, TreePosition, TreeWalk } from './tree-walk.ts'

/** @param encodingDiffers flags are known to be spelled differently, so `false` on one side may be absence on the other */
export function settleMembers(
  deltas: readonly OneSidedMembers[],
  walk: TreeWalk,
  encodingDiffers: boolean,
): void {
  const unfolded = encodingDiffers ? deltas.map((delta) => foldFalse(delta, walk)) : deltas
  const renamed = foldRenames(unfolded, walk)
  for (const { position, removed, added } of extractMoves(renamed, walk)) {
    for (const member of removed) emitRemoved(member, position, walk)
    for (const member of added) emitAdded(member, position, walk)
  }
}

function foldFalse(delta: OneSidedMembers, walk: TreeWalk): OneSidedMembers {
  for (const { key, value } of delta.removed.filter(isFalse)) {
    walk.emit('encoding.flag', memberPath(delta.position.path, key), {
      before: value,
      note: 'false → absent',
      scope: '*',
    })
  }
  for (const { key, value } of delta.added.filter(isFalse)) {
    walk.emit('encoding.flag', memberPath(delta.position.path, key), {
      after: value,
      note: 'absent → false',
      scope: '*',
    })
  }
  const isOther = (member: JsonMember): boolean => !isFalse(member)
  return {
    position: delta.position,
    removed: delta.removed.filter(isOther),
    added: delta.added.filter(isOther),
  }
}

const isFalse = ({ value }: JsonMember): boolean => value.kind === 'literal' && value.text === 'false'

function foldRenames(deltas: readonly OneSidedMembers[], walk: TreeWalk): readonly OneSidedMembers[] {
  const renames = findRenames(deltas)
  if (renames.size === 0) return deltas
  return deltas.map((delta) => {
    const paired = new Set<JsonMember>()
    for (const one of delta.removed) {
      const other = delta.added.find(({ key }) => key === renames.get(delta.position.path)?.get(one.key))
      if (other === undefined) continue
      paired.add(one).add(other)
      const note = `${one.key} → ${other.key}`
      walk.emit('field.renamed', memberPath(delta.position.path, one.key), {
        before: one.value,
        after: other.value,
        note,
      })
    }
    const isLeft = (member: JsonMember): boolean => !paired.has(member)
    return {
      position: delta.position,
      removed: delta.removed.filter(isLeft),
      added: delta.added.filter(isLeft),
    }
  })
}

function emitRemoved({ key, value }: JsonMember, position: TreePosition, walk: TreeWalk): void {
  const path = memberPath(position.path, key)
  const required = isRequired(position.shapeA, key) && !isFlag(value)
  if (isAbsent(position.shapeB, key)) {
    walk.emit('field.removed', path, {
      ...(isOnEveryAnswer(path) ? { scope: '*' } : {}),
      before: value,
      note: samplesNote(position, key),
      other: !required,
    })
    return
  }
  if (required) {
    walk.emit('field.became-optional', path, { before: value, note: samplesNote(position, key) })
    return
  }
  emitPresence(path, { before: value }, walk)
}

function emitAdded({ key, value }: JsonMember, position: TreePosition, walk: TreeWalk): void {
  const path = memberPath(position.path, key)
  if (isAbsent(position.shapeA, key)) {
    const detail = { after: value, note: samplesNote(position, key) }
    walk.emit('field.added', path, isOnEveryAnswer(path) ? { ...detail, note: '', scope: '*' } : detail)
    return
  }
  if (isRequired(position.shapeB, key) && !isFlag(value)) {
    walk.emit('field.became-present', path, { after: value, note: samplesNote(position, key) })
    return
  }
  emitPresence(path, { after: value }, walk)
}

/** Members that the main module puts at the top of every answer. */
const isOnEveryAnswer = (path: Path): boolean =>
  path.parent?.kind === 'root' && ['batchcomplete', 'curtimestamp', 'servedby', 'limits'].includes(path.step)

/** A member that comes and goes on both sides: with the content, not with the version. */
const emitPresence = (path: Path, values: ChangeDetail, walk: TreeWalk): void => {
  walk.emit('value.changed', path, { ...values, note: 'comes and goes', other: true })
}

/** In how many samples a member is; nothing where nobody has sampled its place. */
const samplesNote = ({ shapeA, shapeB }: TreePosition, key: string): string =>
  shapeA === undefined && shapeB === undefined ? '' : `in ${presence(shapeA, key)} → ${presence(shapeB, key)}`
