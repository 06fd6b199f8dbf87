/** What two recordings show of the wiki as a whole: whether anybody edited it, whether it is configured otherwise. */
import type { Interaction } from '../../recorder/cassette/interaction.ts'
import {
  itemsAt,
  type JsonTree,
  memberAt,
  membersOf,
  objectOf,
  sameTree,
  scalarTextOf
} from '../../recorder/json/json-tree.ts'
import { fromPlain } from '../../recorder/json/plain-json.ts'
import { wordSet } from '../../recorder/text/words.ts'
import type { Alignment } from '../inputs/align-requests.ts'
import {
  type CassetteSide,
  isContinued,
  jsonBodies,
  siteinfoBodies
} from '../inputs/cassette-side.ts'
import { countNumber, shownIn } from '../inputs/shown-facts.ts'

/**
 * `unedited` if both sides hold counts of all edits, or rows of a log, and nothing is newer; `unseen` if only
 * revisions are held, which say nothing of deletions. A block is no edit, but a row of the log.
 */
export type EditEvidence = 'edited' | 'unedited' | 'unseen'

type Pairs = Alignment['pairs']

export function findEdits(a: CassetteSide, b: CassetteSide): EditEvidence {
  const countsA = a.manifest.site?.statistics
  const countsB = b.manifest.site?.statistics
  const areCounted = countsA !== undefined && countsB !== undefined
  if (areCounted && !sameTree(fromPlain(countsA), fromPlain(countsB))) return 'edited'
  const newestA = newestNumbers(a)
  const newestB = newestNumbers(b)
  const common = [...newestA.keys()].filter((name) => newestB.has(name))
  if (common.some((name) => newestA.get(name) !== newestB.get(name))) return 'edited'
  // All but those of revisions rise with each deletion and move, too.
  if (areCounted || common.some((name) => name !== 'revid')) return 'unedited'
  return common.length > 0 ? 'unseen' : 'edited'
}

/** The highest number of each sort, in all answers and states of pages. */
function newestNumbers({ interactions, pages }: CassetteSide) {
  const newest = new Map(shownIn(interactions).newest)
  for (const state of pages?.values() ?? [])
    for (const [name, value] of state) countNumber(newest, name, value)
  return newest
}

/** True if two answers show the newest row of the whole log, and it is one: nobody was blocked, nothing protected. */
export const findSameLog = (pairs: Pairs): boolean =>
  pairs.some(({ a, b }) => {
    const isWhole = [...a.request.keys()].every((name) => !/^le(?!limit|prop)/.test(name))
    const newestIn = (one: Interaction) =>
      scalarTextOf(
        memberAt(itemsAt(jsonBodies([one])[0], 'query', 'logevents')[0], 'logid')
      )
    const newest = newestIn(a)
    return isWhole && newest !== undefined && newest === newestIn(b)
  })

/** Lists of siteinfo that say how wikitext is read and shown. */
const parserLists = [
  ...wordSet(
    'extensions skins magicwords extensiontags functionhooks variables namespaces'
  )
]

/** Whether extensions, magic words or the like differ, in what was recorded with the cassettes or asked by requests. */
export function findOtherConfiguration(
  pairs: Pairs,
  a: CassetteSide,
  b: CassetteSide
): boolean {
  const one = a.manifest.site?.configuration
  const other = b.manifest.site?.configuration
  const isOther = (list: string) =>
    !sameTree(fromPlain(one?.[list]), fromPlain(other?.[list]))
  if (one && other && ['extensions', 'skins'].some(isOther)) return true
  return pairs.some((pair) => {
    const [bodyA] = siteinfoBodies({ interactions: [pair.a] })
    const [bodyB] = jsonBodies([pair.b])
    return parserLists.some((name) => {
      const before = memberAt(bodyA, 'query', name)
      const after = memberAt(bodyB, 'query', name)
      return before && after && !sameTree(before, after)
    })
  })
}

/** One list may end sooner by a deletion, or later, with the same first batch; not a quarter of all that end so. */
export function findOtherEnds(pairs: Pairs): boolean {
  const ends = pairs.flatMap(({ a, b }) => {
    const [one] = jsonBodies([a])
    const [other] = jsonBodies([b])
    if (!one || !other) return []
    const isOther =
      isContinued(one) !== isContinued(other) &&
      sameTree(withoutEnd(one), withoutEnd(other))
    return [{ isMore: isContinued(one), isOther }]
  })
  return [true, false].some((isMore) => {
    const all = ends.filter((end) => end.isMore === isMore)
    const differing = all.filter(({ isOther }) => isOther).length
    return differing >= minOtherEnds && differing * 4 > all.length
  })
}
const minOtherEnds = 3

const withoutEnd = (tree: JsonTree) =>
  objectOf(
    membersOf(tree).filter(
      ({ key }) => !/^(?:continue|query-continue|batchcomplete)$/.test(key)
    )
  )

/** Names that one side alone has, while as many are the same on both: users were renamed on the wiki. */
export function findRenamedUsers(a: CassetteSide, b: CassetteSide): ReadonlySet<string> {
  const usersA = shownIn(a.interactions).users
  const usersB = shownIn(b.interactions).users
  const isCommon = (name: string) => usersA.has(name) && usersB.has(name)
  const all = [...new Set([...usersA, ...usersB])]
  const common = all.filter(isCommon).length
  const renamed = all.filter((name) => !isCommon(name))
  return renamed.length <= 2 * common ? new Set(renamed) : new Set()
}
