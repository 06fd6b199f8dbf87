/** What is called missing, special or invalid on one side alone. Source: API:Query, "Missing and invalid titles". */
import {
  hasMember,
  type JsonTree,
  memberOf,
  scalarTextOf
} from '../../recorder/json/json-tree.ts'
import { wordSet } from '../../recorder/text/words.ts'
import { memberPath, type Path, turn } from '../changes/change.ts'
import { broken } from '../content/decide-content.ts'
import { variantOf } from '../members/sample-shape.ts'
import type { TreePosition } from '../members/tree-walk.ts'

/** @returns true if it was told that a variant is gone, new, or another, which no content explains */
export function emitLastingVariant(
  a: JsonTree,
  b: JsonTree,
  path: Path,
  place: TreePosition
): boolean {
  const variantA = variantOf(a)
  const variantB = variantOf(b)
  // A name that is unknown is no name that there cannot be.
  if (variantA !== '' && isLasting(variantB) && !isLasting(variantA)) {
    const renamed = memberPath(path, variantA)
    place.emit('field.renamed', { note: turn(variantA, variantB) }, renamed)
    return true
  }
  const isGone = isLasting(variantA) || (variantA === 'missing' && !isThere(b))
  const isNew = isLasting(variantB) || (variantB === 'missing' && !isThere(a))
  const mark = broken
  if (isGone) place.emit('field.removed', { mark }, memberPath(path, variantA))
  if (isNew) place.emit('field.added', { mark }, memberPath(path, variantB))
  return isGone || isNew
}

/** What a title is whatever is on the wiki. */
const lastingVariants = wordSet('special invalid interwiki')
const isLasting = (variant: string) => lastingVariants.has(variant)

/** A page or user that is there has a number, a message has its text. */
const isThere = (item: JsonTree) =>
  variantOf(item) !== '' ||
  hasMember(item, '*') ||
  ['pageid', 'userid'].some((name) => Number(scalarTextOf(memberOf(item, name)) ?? 0) > 0)
