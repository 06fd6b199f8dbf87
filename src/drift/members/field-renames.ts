/** Members with another name and the same value: decided for all items of a list together. */

import type { JsonMember } from '../../json/json-tree.ts'
import { grouped } from '../../text/group-by.ts'
import { type Path, templateOf } from '../changes/path.ts'
import { canonicalText, isTelling } from './canonical-text.ts'
import { isAbsent } from './sample-shape.ts'
import type { Delta } from './tree-walk.ts'

/** New names by old ones, for each object that a rename is seen in. */
export type Renames = ReadonlyMap<Path, ReadonlyMap<string, string>>

/** What speaks for one old name having become one new name. */
interface Votes {
  readonly values: Set<string>
  equal: number
  seen: number
  telling: boolean
}

export function findRenames(deltas: readonly Delta[]): Renames {
  const found = new Map<Path, ReadonlyMap<string, string>>()
  const uneven = deltas.filter(({ removed, added }) => removed.length > 0 && added.length > 0)
  for (const group of grouped(uneven, ({ place }) => templateOf(place.path)).values()) {
    const names = bestNames(countVotes(group))
    if (names.size > 0) for (const { place } of group) found.set(place.path, names)
  }
  return found
}

function countVotes(group: readonly Delta[]): ReadonlyMap<string, ReadonlyMap<string, Votes>> {
  const table = new Map<string, Map<string, Votes>>()
  for (const { place, removed, added } of group) {
    // Only a name that one side never uses can have been replaced.
    const fresh = added.filter(({ key }) => isAbsent(place.shapeA, key))
    for (const one of removed.filter(({ key }) => isAbsent(place.shapeB, key))) {
      for (const other of fresh) vote(votesFor(table, one.key, other.key), one, other)
    }
  }
  return table
}

function votesFor(table: Map<string, Map<string, Votes>>, from: string, to: string): Votes {
  const row = table.get(from) ?? new Map<string, Votes>()
  table.set(from, row)
  const votes = row.get(to) ?? { values: new Set(), equal: 0, seen: 0, telling: false }
  row.set(to, votes)
  return votes
}

function vote(votes: Votes, one: JsonMember, other: JsonMember): void {
  votes.seen += 1
  const text = canonicalText(one.value)
  if (text !== canonicalText(other.value)) return
  votes.equal += 1
  votes.values.add(text)
  votes.telling ||= isTelling(one.value) && isTelling(other.value)
}

/** The strongest candidate for each old name; a new name is given once. */
function bestNames(table: ReadonlyMap<string, ReadonlyMap<string, Votes>>): ReadonlyMap<string, string> {
  const pairs = [...table].flatMap(([from, row]) => [...row].map(([to, votes]) => ({ from, to, votes })))
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const { from, to, votes } of pairs.sort((a, b) => b.votes.equal - a.votes.equal)) {
    const proven = votes.telling || votes.values.size > 1
    if (!proven || votes.equal * 2 < votes.seen || names.has(from) || taken.has(to)) continue
    names.set(from, to)
    taken.add(to)
  }
  return names
}
