/** What the answers of a side show of its wiki: ids of pages, the newest revision and row of a log, users. */
import type { Interaction } from '../../recorder/cassette/interaction.ts'
import { type JsonTree, scalarTextOf } from '../../recorder/json/json-tree.ts'
import { getOrAdd, lazy } from '../../recorder/text/group-by.ts'
import { type CassetteSide, jsonBodies } from './cassette-side.ts'

interface ShownFacts {
  /** Ids of pages by title. */
  readonly ids: Map<string, string>
  /** The highest number of each sort. */
  readonly newest: Map<string, number>
  readonly users: Set<string>
}

/** Numbers that rise with each edit; of revisions, the highest of all is that of the last edit. */
const sortsOfNumbers = new Map(
  'revid lastrevid newrevid fromrevid torevid logid rcid edits'
    .split(' ')
    .map((name) => [name, name.replace(/.+(?=revid)/, '')])
)

const known = new WeakMap<readonly Interaction[], ShownFacts>()

/** Read in one walk: there may be very many values. */
export const shownIn = (interactions: readonly Interaction[]): ShownFacts =>
  getOrAdd(known, interactions, () => {
    const facts = { ids: new Map(), newest: new Map(), users: new Set<string>() }
    for (const body of jsonBodies(interactions)) collect(body, facts)
    return facts
  })

/** Counts a number if it is one that rises. */
export function countNumber(
  newest: Map<string, number>,
  name: string,
  value: JsonTree
): void {
  const sort = sortsOfNumbers.get(name)
  if (sort === undefined) return
  const number = Number(scalarTextOf(value))
  if (number > (newest.get(sort) ?? 0)) newest.set(sort, number)
}

function collect(tree: JsonTree, facts: ShownFacts) {
  if (tree.kind === 'array') for (const item of tree.items) collect(item, facts)
  if (tree.kind !== 'object') return
  let id = '0'
  let title: string | undefined
  for (const { key, value } of tree.members)
    if (value.kind === 'literal') {
      if (key === 'pageid') id = value.text
      else countNumber(facts.newest, key, value)
    } else if (value.kind !== 'string') collect(value, facts)
    else if (key === 'title') title = value.value
    else if (key === 'user') facts.users.add(value.value)
    else countNumber(facts.newest, key, value)
  // An id of 0 is a page that does not exist.
  if (id !== '0' && title !== undefined) facts.ids.set(title, id)
}

/** Whether the two wikis give the same pages other ids, e.g. after an import. */
export const renumberingDetector = (a: CassetteSide, b: CassetteSide): (() => boolean) =>
  lazy(() => {
    const inA = shownIn(a.interactions).ids
    const inB = shownIn(b.interactions).ids
    let common = 0
    let others = 0
    for (const [title, id] of inA) {
      const now = inB.get(title)
      if (now !== undefined) common += 1
      if (now !== undefined && now !== id) others += 1
    }
    return others * 5 > common
  })
