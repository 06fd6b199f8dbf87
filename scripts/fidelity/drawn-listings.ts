/** Listings drawn by lot, recorded in part and asked for in other ways; what is answered is compared with the wiki's own bytes. */
import type { Interaction } from '../../src/recorder/cassette/interaction.ts'
import { memberOf } from '../../src/recorder/json/json-tree.ts'
import { readListings } from '../../src/recorder/paging/joining/listings.ts'
import type { Case } from './cases.ts'
import { type Draw, drawCase, drawFor, pick } from './drawn.ts'
import { compare, newScore, nextOf, queryOf, type Score, walk } from './run.ts'
import type { DescribedWiki, RealWiki } from './wiki.ts'

export interface DrawnListings extends Score {
  /** Drawn queries that the wiki did not take. */
  unusable: number
}

const limits = [1, 2, 3, 4, 5, 7, 10, 13, 25, 60, 500] as const

/** Some batches of the listing, at one limit or two, with holes now and then. */
async function recorded(
  wiki: RealWiki,
  one: Case,
  draw: Draw,
  oneBatch: boolean
): Promise<readonly Interaction[]> {
  if (oneBatch) {
    const limit = (['500', 'max', 'max', 100, 50, 20] as const)[draw(6)] ?? 'max'
    const most = draw(2) === 0 ? 1 : 12
    return (await walk(wiki, one, limit, draw(5) === 0 ? 'raw' : 'continue', most))
      .interactions
  }
  const dialect = draw(5) === 0 ? 'raw' : 'continue'
  const limit = [1, 2, 3, 5, 10, 20][draw(6)] ?? 10
  const first = await walk(wiki, one, limit, dialect, 3 + draw(14))
  const all = [...first.interactions]
  if (draw(3) === 0) {
    const start = pick(first.at, draw)
    const second = await walk(
      wiki,
      one,
      [1, 4, 7, 25][draw(4)] ?? 4,
      dialect,
      1 + draw(4),
      start
    )
    all.push(...second.interactions)
  }
  const holes = draw(4) === 0
  return holes ? all.filter(() => draw(5) > 0) : all
}

/** Questions near the recording: other limits, places and dialects; parts, reverses and starts. */
async function questions(
  wiki: RealWiki,
  one: Case,
  batches: readonly Interaction[],
  draw: Draw,
  score: Score
): Promise<void> {
  const listings = readListings(batches, wiki.facts)
  for (let nth = 0; nth < 6; nth += 1) {
    const near = nth < 4 ? one : narrowed(wiki, one, draw)
    const asked = draw(2) === 0 ? near : withOtherLimits(wiki, near, draw)
    const dialect = draw(4) === 0 ? 'raw' : 'continue'
    const limit = draw(12) === 0 ? 'max' : (limits[draw(limits.length)] ?? 3)
    let next: ReadonlyMap<string, string> | undefined = new Map()
    const steps = 1 + draw(4)
    for (let step = 0; step < steps && next !== undefined; step += 1)
      next = nextOf(
        asked,
        await compare(wiki, listings, queryOf(asked, limit, dialect, next), score),
        next
      )
  }
}

/** With drawn limits of the modules that run beside the first. */
function withOtherLimits(wiki: RealWiki, one: Case, draw: Draw): Case {
  const named = [...one.query.matchAll(/(?:list|prop)=([\w%|]+)/g)]
  const others = named.flatMap(([, names = '']) => decodeURIComponent(names).split('|'))
  const limited = others.flatMap((module) => {
    const { prefix = '', parameters } = wiki.facts.lookup(`query+${module}`) ?? {}
    const name = `${prefix}limit`
    if (!parameters?.has('limit') || name === one.limit || draw(2) === 0) return []
    return [`&${name}=${draw(8) === 0 ? 'max' : (limits[draw(limits.length)] ?? 3)}`]
  })
  return { ...one, query: `${one.query}${limited.join('')}` }
}

/** With one parameter more that the listing's module knows, or one of its own with another value. */
function narrowed(wiki: RealWiki, one: Case, draw: Draw): Case {
  const prefix = one.limit.slice(0, -'limit'.length)
  const module = /(?:list|generator|prop)=(\w+)/.exec(one.query)?.[1] ?? ''
  const known = wiki.facts.lookup(`query+${module}`)?.parameters
  const [name, value] = pick(
    narrowing.filter(([own]) => known?.has(own)),
    draw
  ) ?? ['', '']
  if (name === '') return one
  const kept = one.query
    .split('&')
    .filter((part) => !part.startsWith(`${prefix}${name}=`))
  return {
    ...one,
    query: [...kept, `${prefix}${name}=${encodeURIComponent(value)}`].join('&')
  }
}

const narrowing: readonly (readonly [string, string])[] = [
  ['from', 'B'],
  ['from', 'Река 00'],
  ['to', 'Hub 10'],
  ['prefix', 'Р'],
  ['dir', 'descending'],
  ['dir', 'newer'],
  ['dir', 'older'],
  ['start', '2014-06-01T00:00:00Z'],
  ['end', '2014-06-01T00:00:00Z'],
  ['namespace', '0']
]

/** Draws that many listings. */
export async function drawnListings(
  { wiki, modules }: DescribedWiki,
  count: number,
  seed: number,
  oneBatch = false
): Promise<DrawnListings> {
  const total: DrawnListings = { ...newScore(), unusable: 0 }
  for (let nth = 0; nth < count; nth += 1) {
    const draw = drawFor(wiki.url, seed, nth)
    const one = drawCase(modules, draw)
    const { body } = await wiki.ask(queryOf(one, 10, 'continue', new Map()))
    if (memberOf(body, 'error') !== undefined || memberOf(body, 'errors') !== undefined) {
      total.unusable += 1
      continue
    }
    const score = newScore()
    await questions(wiki, one, await recorded(wiki, one, draw, oneBatch), draw, score)
    for (const kind of ['exact', 'own', 'refused', 'wrong'] as const)
      total[kind] += score[kind]
    for (const [note, times] of score.notes) {
      const told = note.startsWith('WRONG')
        ? `${note}\n  listing ${nth}: ${one.name}`
        : note
      total.notes.set(told, (total.notes.get(told) ?? 0) + times)
    }
    wiki.forget(one.query)
  }
  return total
}
