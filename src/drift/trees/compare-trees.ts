/** The comparison of two trees: picks the rule by the types of both values. */
import { type JsonTree, membersOf } from '../../json/json-tree.ts'
import { isNumberedMap } from '../members/sample-shape.ts'
import type { TreePosition, TreeWalk } from '../members/tree-walk.ts'
import { compareLists } from './compare-lists.ts'
import { compareMixedTypes } from './compare-mixed-types.ts'
import { compareObjects } from './compare-objects.ts'
import { compareLiterals, compareStrings } from './compare-values.ts'

export function compareTrees(a: JsonTree, b: JsonTree, place: TreePosition, walk: TreeWalk): void {
  if (a.kind === 'string' && b.kind === 'string') compareStrings(a, b, place.path, walk)
  else if (a.kind === 'literal' && b.kind === 'literal') compareLiterals(a, b, place.path, walk)
  else if (a.kind === 'array' && b.kind === 'array') compareLists(a.items, b.items, place, walk)
  else if (a.kind !== 'object' || b.kind !== 'object') compareMixedTypes(a, b, place, walk)
  else if (isList(a, b)) compareLists(valuesOf(a), valuesOf(b), place, walk, true)
  else compareObjects(a, b, place, walk)
}

/** Both keyed by number, or one of them and the other empty. */
const isList = (a: JsonTree, b: JsonTree): boolean =>
  (isNumberedMap(a) && (isNumberedMap(b) || isEmpty(b))) || (isNumberedMap(b) && isEmpty(a))
const isEmpty = (tree: JsonTree): boolean => membersOf(tree).length === 0
const valuesOf = (tree: JsonTree): readonly JsonTree[] => membersOf(tree).map(({ value }) => value)
