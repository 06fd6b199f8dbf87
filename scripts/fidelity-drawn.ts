/**
 * Listings drawn by lot, recorded in part and asked for in other ways: nothing that wikitape answers may differ from
 * what the wiki says. Exits 1 where something does.
 * Usage: tsx scripts/fidelity-drawn.ts [--listings N] [--seed N] [--notes] [api-url …]
 */
import { parseArgs } from 'node:util'
import type { Interaction } from '../src/cassette/interaction.ts'
import { memberOf } from '../src/json/tree.ts'
import { readListings } from '../src/paging/listings.ts'
import type { Case } from './fidelity/cases.ts'
import { type Draw, drawCase, pick } from './fidelity/drawn.ts'
import { compare, lottery, newScore, nextOf, queryOf, type Score, walk } from './fidelity/run.ts'
import { connect, queryModules, type RealWiki } from './fidelity/wiki.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    listings: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    notes: { type: 'boolean' },
  },
})
const urls =
  positionals.length > 0
    ? positionals
    : [8135, 8139, 8143].map((port) => `http://127.0.0.1:${port}/w/api.php`)

const limits = [1, 2, 3, 4, 5, 7, 10, 13, 25, 60, 500] as const

/** Some batches of the listing, at one limit or two, with holes now and then. */
async function recorded(wiki: RealWiki, one: Case, draw: Draw): Promise<readonly Interaction[]> {
  const dialect = draw(5) === 0 ? 'raw' : 'continue'
  const limit = [1, 2, 3, 5, 10, 20][draw(6)] ?? 10
  const first = await walk(wiki, one, limit, dialect, 3 + draw(14))
  const all = [...first.interactions]
  if (draw(3) === 0) {
    const start = pick(first.at, draw)
    const second = await walk(wiki, one, [1, 4, 7, 25][draw(4)] ?? 4, dialect, 1 + draw(4), start)
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
  score: Score,
): Promise<void> {
  const listings = readListings(batches, wiki.facts)
  for (let nth = 0; nth < 6; nth += 1) {
    const asked = nth < 4 ? one : narrowed(wiki, one, draw)
    const dialect = draw(4) === 0 ? 'raw' : 'continue'
    const limit = draw(12) === 0 ? 'max' : (limits[draw(limits.length)] ?? 3)
    let next: ReadonlyMap<string, string> | undefined = new Map()
    const steps = 1 + draw(4)
    for (let step = 0; step < steps && next !== undefined; step += 1)
      next = nextOf(asked, await compare(wiki, listings, queryOf(asked, limit, dialect, next), score), next)
  }
}

/** With one parameter more that the listing's module knows, or one of its own with another value. */
function narrowed(wiki: RealWiki, one: Case, draw: Draw): Case {
  const prefix = one.limit.slice(0, -'limit'.length)
  const module = /(?:list|generator|prop)=(\w+)/.exec(one.query)?.[1] ?? ''
  const known = wiki.facts.lookup(`query+${module}`)?.parameters
  const [name, value] = pick(
    narrowing.filter(([own]) => known?.has(own)),
    draw,
  ) ?? ['', '']
  if (name === '') return one
  const kept = one.query.split('&').filter((part) => !part.startsWith(`${prefix}${name}=`))
  return { ...one, query: [...kept, `${prefix}${name}=${encodeURIComponent(value)}`].join('&') }
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
  ['namespace', '0'],
]

async function run(url: string): Promise<Score> {
  const wiki = await connect(url, await queryModules(url))
  const modules = (await queryModules(url)).flatMap((name) => wiki.facts.lookup(`query+${name}`) ?? [])
  const total = newScore()
  let unusable = 0
  for (let nth = 0; nth < Number(values.listings); nth += 1) {
    const draw = lottery(
      Number(values.seed) * 100_003 + nth * 7919 + url.length + Number(new URL(url).port) * 31,
    )
    for (let warm = 0; warm < 5; warm += 1) draw(2)
    const one = drawCase(modules, draw)
    const { body } = await wiki.ask(queryOf(one, 10, 'continue', new Map()))
    if (memberOf(body, 'error') !== undefined || memberOf(body, 'errors') !== undefined) {
      unusable += 1
      continue
    }
    const batches = await recorded(wiki, one, draw)
    const score = newScore()
    await questions(wiki, one, batches, draw, score)
    for (const kind of ['exact', 'own', 'refused', 'wrong'] as const) total[kind] += score[kind]
    for (const [note, times] of score.notes) {
      if (note.startsWith('WRONG'))
        process.stderr.write(`${url} #${nth} ${one.name}\n  recorded ${batches.length}\n  ${note}\n`)
      total.notes.set(note, (total.notes.get(note) ?? 0) + times)
    }
    wiki.forget(one.query)
  }
  wiki.close()
  console.log(
    `${url}: exact ${total.exact}, own value ${total.own}, refused ${total.refused}, wrong ${total.wrong}; ${unusable} drawn queries the wiki did not take; ${wiki.asked} questions`,
  )
  return total
}

const scores = await Promise.all(urls.map(run))
if (values.notes === true)
  for (const score of scores)
    for (const [note, times] of [...score.notes].sort((a, b) => b[1] - a[1]).slice(0, 25))
      if (!note.startsWith('WRONG')) process.stderr.write(`  ${times} × ${note.slice(0, 200)}\n`)
process.exitCode = scores.some(({ wrong }) => wrong > 0) ? 1 : 0
