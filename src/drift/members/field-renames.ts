/** Members with another name and the same value: decided for all items of a list together. */

import type { JsonMember } from '../../json/json-tree.ts'
import { groupBy } from '../../text/group-by.ts'
import { type Path, templateOf } from '../changes/path.ts'
import { canonicalText, isDistinctive } from './canonical-text.ts'
import { isAbsent } from './sample-shape.ts'
import type { OneSidedMembers } from './tree-walk.ts'

/** New names by old ones, for each object that a rename is seen in. */
export type FieldRenames = ReadonlyMap<Path, ReadonlyMap<string, string>>

/** What speaks for one old name having become one new name. */
interface RenameVotes {
  readonly values: Set<string>
  equal: number
  seen: number
  distinctive: boolean
}

export function findRenames(deltas: readonly OneSidedMembers[]): FieldRenames {
  const found = new Map<Path, ReadonlyMap<string, string>>()
  const uneven = deltas.filter(({ removed, added }) => removed.length > 0 && added.length > 0)
  for (const group of groupBy(uneven, ({ place }) => templateOf(place.path)).values()) {
    const names = bestNames(countVotes(group))
    if (names.size > 0) for (const { place } of group) found.set(place.path, names)
  }
  return found
}

function countVotes(
  group: readonly OneSidedMembers[],
): ReadonlyMap<string, ReadonlyMap<string, RenameVotes>> {
  const table = new Map<string, Map<string, RenameVotes>>()
  for (const { place, removed, added } of group) {
    // Only a name that one side never uses can have been replaced.
    const fresh = added.filter(({ key }) => isAbsent(place.shapeA, key))
    for (const one of removed.filter(({ key }) => isAbsent(place.shapeB, key))) {
      for (const other of fresh) vote(votesFor(table, one.key, other.key), one, other)
    }
  }
  return table
}

function votesFor(table: Map<string, Map<string, RenameVotes>>, from: string, to: string): RenameVotes {
  const row = table.get(from) ?? new Map<string, RenameVotes>()
  table.set(from, row)
  const votes = row.get(to) ?? { values: new Set(), equal: 0, seen: 0, distinctive: false }
  row.set(to, votes)
  return votes
}

function vote(votes: RenameVotes, one: JsonMember, other: JsonMember): void {
  votes.seen += 1
  const text = canonicalText(one.value)
  if (text !== canonicalText(other.value)) return
  votes.equal += 1
  votes.values.add(text)
  votes.distinctive ||= isDistinctive(one.value) && isDistinctive(other.value)
}

/** The strongest candidate for each old name; a new name is given once. */
function bestNames(
  table: ReadonlyMap<string, ReadonlyMap<string, RenameVotes>>,
): ReadonlyMap<string, string> {
  const pairs = [...table].flatMap(([from, row]) => [...row].map(([to, votes]) => ({ from, to, votes })))
  const names = new Map<string, string>()
  const usedNames = new Set<string>()
  for (const { from, to, votes } of pairs.sort((a, b) => b.votes.equal - a.votes.equal)) {
    const proven = votes.distinctive || votes.values.size > 1
    if (!proven || votes.equal * 2 < votes.seen || names.has(from) || usedNames.has(to)) continue
    names.set(from, to)
    usedNames.add(to)
  }
  return names
}
