/**
 * Listings recorded as most are: at limit 500, at `max`, or only their first batch. Nothing of how they go on was
 * recorded, so what is answered rests on what is known of the wiki's version.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Interaction } from '../../src/recorder/cassette/interaction.ts'
import { writeCompact } from '../../src/recorder/json/write-json.ts'
import { readListings } from '../../src/recorder/paging/joining/listings.ts'
import type { Case } from './cases.ts'
import {
  compare,
  compareWalk,
  drawn,
  type Effort,
  harvest,
  lottery,
  nextOf,
  queryOf,
  type Score,
  treeIn,
  walk,
  walkServed
} from './run.ts'
import type { RealWiki } from './wiki.ts'

const limits = [1, 2, 3, 7, 10, 25, 100] as const
/** Rows of a recorded first batch. */
const firstRows = 50
/** Batches of a walk at 500; each batch of a generator may take several answers. */
const mostAnswers = 400

/**
 * @param score answers at other limits, from the start on and from places further on
 * @param alone walks that never ask the wiki, each from its start to its end
 */
export async function oneBatch(
  wiki: RealWiki,
  one: Case,
  effort: Effort,
  score: Score,
  alone: Score
): Promise<void> {
  await fromOneBatch(wiki, one, effort, [], score, alone)
}

/** The same with one more answer recorded, which shows what the rows do not. */
export async function oneBatchShown(
  wiki: RealWiki,
  one: Case,
  effort: Effort,
  score: Score,
  alone: Score
): Promise<void> {
  if (one.shownBy === undefined) return
  const { interaction } = await wiki.ask(`action=query&format=json&${one.shownBy}`)
  await fromOneBatch(wiki, one, effort, [interaction], score, alone)
}

async function fromOneBatch(
  wiki: RealWiki,
  one: Case,
  effort: Effort,
  besides: readonly Interaction[],
  score: Score,
  alone: Score
): Promise<void> {
  for (const mode of ['500', 'max'] as const) {
    const { interactions, at } = await walk(wiki, one, mode, 'continue', mostAnswers)
    const recorded = [...interactions, ...besides]
    const listings = readListings(recorded, wiki.facts)
    const proof = numbersIn(recorded)
    const whole = at.length < mostAnswers
    const truth = harvest(
      interactions.flatMap(({ responses: [{ body }] }) => treeIn(body))
    )
    for (const limit of limits) {
      if (mode === '500')
        await compareWalk(wiki, listings, one, limit, effort.oneBatchSteps, score, proof)
      if (!whole) continue
      const walked = walkServed(wiki, listings, one, limit)
      if (typeof walked === 'string') {
        alone.refused += 1
        alone.notes.set(`walk at ${limit} of one recorded at ${mode}: ${walked}`, 1)
        continue
      }
      if (isDeepStrictEqual(harvest(walked), truth)) alone.exact += 1
      else {
        alone.wrong += 1
        alone.notes.set(`WRONG walk of ${one.query} at ${limit}, recorded at ${mode}`, 1)
      }
      await compareFurtherOn(wiki, one, effort, score, { listings, limit, walked, proof })
    }
  }
  const first = await walk(wiki, one, firstRows, 'continue', 60)
  // A batch of a generator may take several answers; its next one is named by a parameter of the generator.
  const prefix = one.limit.slice(0, -'limit'.length)
  const next = first.at.findIndex((at) =>
    [...at.keys()].some((name) => name.startsWith(prefix))
  )
  const recorded = [
    ...first.interactions.slice(0, next < 0 ? undefined : next),
    ...besides
  ]
  const listings = readListings(recorded, wiki.facts)
  for (const limit of limits) {
    const inside = Math.floor((firstRows - 1) / limit)
    await compareWalk(
      wiki,
      listings,
      one,
      limit,
      Math.min(inside, effort.oneBatchSteps),
      score,
      numbersIn(recorded)
    )
  }
}

/** Every number in what was recorded, in requests and answers. */
const numbersIn = (recorded: readonly Interaction[]): ReadonlySet<string> =>
  new Set(
    recorded.flatMap(({ request, responses }) =>
      [
        ...request.values(),
        ...responses.flatMap(({ body }) =>
          treeIn(body).map((tree) => writeCompact(tree, 'utf8'))
        )
      ].flatMap((text) => text.match(/\d+/g) ?? [])
    )
  )

interface Walked {
  readonly listings: Parameters<typeof compare>[1]
  readonly limit: number
  readonly walked: readonly Parameters<typeof nextOf>[1][]
  readonly proof: ReadonlySet<string>
}

/** Places that wikitape's own walk led to, by values that are the wiki's if they are right. */
async function compareFurtherOn(
  wiki: RealWiki,
  one: Case,
  { oneBatchPlaces }: Effort,
  score: Score,
  { listings, limit, walked, proof }: Walked
): Promise<void> {
  const places: ReadonlyMap<string, string>[] = []
  let at: ReadonlyMap<string, string> = new Map()
  for (const body of walked) {
    const next = nextOf(one, body, at)
    if (
      next === undefined ||
      [...next.values()].some((value) => value.startsWith('wikitape-'))
    )
      break
    places.push(next)
    at = next
  }
  for (const place of drawn(places, oneBatchPlaces, lottery(limit + one.query.length)))
    await compare(wiki, listings, queryOf(one, limit, 'continue', place), score, proof)
}
