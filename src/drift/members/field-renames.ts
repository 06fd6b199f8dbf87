/** Members with another name and the same value: decided for all items of a list together. */
import { getOrAdd, groupBy } from '../../text/group-by.ts'
import { type Path, templateOf } from '../changes/path.ts'
import { canonicalText, isDistinctive } from './canonical-text.ts'
import { isAbsent } from './sample-shape.ts'
import type { OneSidedMembers } from './tree-walk.ts'

/** New names by old ones, for each object that a rename is seen in. */
export type FieldRenames = ReadonlyMap<Path, ReadonlyMap<string, string>>

/** How often one old and one new name have the same value. */
interface RenameVotes {
  readonly from: string
  readonly to: string
  readonly values: Set<string>
  equal: number
  seen: number
  distinctive: boolean
}

export function findRenames(deferred: readonly OneSidedMembers[]): FieldRenames {
  const found = new Map<Path, ReadonlyMap<string, string>>()
  const uneven = deferred.filter(({ removed, added }) => removed.length > 0 && added.length > 0)
  for (const group of groupBy(uneven, ({ place }) => templateOf(place.path)).values()) {
    const names = bestNames(countVotes(group))
    if (names.size > 0) for (const { place } of group) found.set(place.path, names)
  }
  return found
}

function countVotes(group: readonly OneSidedMembers[]): readonly RenameVotes[] {
  const table = new Map<string, Map<string, RenameVotes>>()
  for (const { place, removed, added } of group) {
    // Only a name that one side never uses can have been replaced.
    const fresh = added.filter(({ key }) => isAbsent(place.shapeA, key))
    for (const { key: from, value } of removed.filter(({ key }) => isAbsent(place.shapeB, key))) {
      const row = getOrAdd(table, from, () => new Map<string, RenameVotes>())
      for (const { key: to, value: other } of fresh) {
        const none = { from, to, values: new Set<string>(), equal: 0, seen: 0, distinctive: false }
        const votes = getOrAdd(row, to, () => none)
        votes.seen += 1
        const text = canonicalText(value)
        if (text !== canonicalText(other)) continue
        votes.equal += 1
        votes.values.add(text)
        votes.distinctive ||= isDistinctive(value) && isDistinctive(other)
      }
    }
  }
  return [...table.values()].flatMap((row) => [...row.values()])
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
