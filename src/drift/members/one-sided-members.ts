/** Members that one side lacks, once the whole answer is seen: renamed, moved, optional, gone or new. */
import type { JsonMember } from '../../json/json-tree.ts'
import { memberPath, type Path } from '../changes/path.ts'
import { foldMoves } from './field-moves.ts'
import { findRenames } from './field-renames.ts'
import { isAbsent, isFlag, isRequired, presence } from './sample-shape.ts'
import type { Delta, Detail, Place, Walk } from './tree-walk.ts'

/** @param encodingShift flags are known to be spelled differently, so `false` on one side may be absence on the other */
export function settle(deltas: readonly Delta[], walk: Walk, encodingShift: boolean): void {
  const unfolded = encodingShift ? deltas.map((delta) => foldFalse(delta, walk)) : deltas
  const renamed = foldRenames(unfolded, walk)
  for (const { place, removed, added } of foldMoves(renamed, walk)) {
    for (const member of removed) tellRemoved(member, place, walk)
    for (const member of added) tellAdded(member, place, walk)
  }
}

function foldFalse(delta: Delta, walk: Walk): Delta {
  for (const { key, value } of delta.removed.filter(isFalse)) {
    walk.emit('encoding.flag', memberPath(delta.place.path, key), {
      before: value,
      note: 'false → absent',
      scope: '*',
    })
  }
  for (const { key, value } of delta.added.filter(isFalse)) {
    walk.emit('encoding.flag', memberPath(delta.place.path, key), {
      after: value,
      note: 'absent → false',
      scope: '*',
    })
  }
  const isOther = (member: JsonMember): boolean => !isFalse(member)
  return { place: delta.place, removed: delta.removed.filter(isOther), added: delta.added.filter(isOther) }
}

const isFalse = ({ value }: JsonMember): boolean => value.kind === 'literal' && value.text === 'false'

function foldRenames(deltas: readonly Delta[], walk: Walk): readonly Delta[] {
  const renames = findRenames(deltas)
  if (renames.size === 0) return deltas
  return deltas.map((delta) => {
    const taken = new Set<JsonMember>()
    for (const one of delta.removed) {
      const other = delta.added.find(({ key }) => key === renames.get(delta.place.path)?.get(one.key))
      if (other === undefined) continue
      taken.add(one).add(other)
      const note = `${one.key} → ${other.key}`
      walk.emit('field.renamed', memberPath(delta.place.path, one.key), {
        before: one.value,
        after: other.value,
        note,
      })
    }
    const isLeft = (member: JsonMember): boolean => !taken.has(member)
    return { place: delta.place, removed: delta.removed.filter(isLeft), added: delta.added.filter(isLeft) }
  })
}

function tellRemoved({ key, value }: JsonMember, place: Place, walk: Walk): void {
  const path = memberPath(place.path, key)
  const required = isRequired(place.shapeA, key) && !isFlag(value)
  if (isAbsent(place.shapeB, key)) {
    walk.emit('field.removed', path, {
      ...(isEverywhere(path) ? { scope: '*' } : {}),
      before: value,
      note: samples(place, key),
      other: !required,
    })
    return
  }
  if (required) {
    walk.emit('field.became-optional', path, { before: value, note: samples(place, key) })
    return
  }
  tellPresence(path, { before: value }, walk)
}

function tellAdded({ key, value }: JsonMember, place: Place, walk: Walk): void {
  const path = memberPath(place.path, key)
  if (isAbsent(place.shapeA, key)) {
    const detail = { after: value, note: samples(place, key) }
    walk.emit('field.added', path, isEverywhere(path) ? { ...detail, note: '', scope: '*' } : detail)
    return
  }
  if (isRequired(place.shapeB, key) && !isFlag(value)) {
    walk.emit('field.became-present', path, { after: value, note: samples(place, key) })
    return
  }
  tellPresence(path, { after: value }, walk)
}

/** Members that the main module puts at the top of every answer. */
const isEverywhere = (path: Path): boolean =>
  path.parent?.kind === 'root' && ['batchcomplete', 'curtimestamp', 'servedby', 'limits'].includes(path.step)

/** A member that comes and goes on both sides: with the content, not with the version. */
const tellPresence = (path: Path, values: Detail, walk: Walk): void => {
  walk.emit('value.changed', path, { ...values, note: 'comes and goes', other: true })
}

/** In how many samples a member is; nothing where nobody has sampled its place. */
const samples = ({ shapeA, shapeB }: Place, key: string): string =>
  shapeA === undefined && shapeB === undefined ? '' : `in ${presence(shapeA, key)} → ${presence(shapeB, key)}`
