/**
 * Listings drawn by lot, recorded in part through the whole program and asked for in other ways and orders; what is
 * answered is compared with the wiki's own bytes.
 */
import { hasMember, type JsonTree, textAt } from '../../src/recorder/json/json-tree.ts'
import { writeCompact } from '../../src/recorder/json/write-json.ts'
import type { Case } from './cases.ts'
import { type Draw, drawCase, drawFor, pick } from './drawn.ts'
import { compareOne, toldWrong } from './drawn-requests.ts'
import { askOf, mix } from './other-words.ts'
import { type Ask, shown } from './pairs/ask.ts'
import { treeOf } from './pairs/judge.ts'
import { whyMissed } from './pairs/run.ts'
import { recordAll, sideBySide, type Tape } from './pairs/tape.ts'
import { harvest, nextOf, queryOf, treeIn, walk } from './run.ts'
import type { DescribedWiki, RealWiki } from './wiki.ts'

export interface Counts {
  exact: number
  own: number
  missed: number
  /** Missed, and right so: the wiki's answer has what no recorded answer of the listing shows. */
  unshown: number
  wrong: number
}

export interface DrawnListings {
  /** Of the parameters that were recorded. */
  readonly same: Counts
  /** With a parameter more, or with another value of one. */
  readonly narrowed: Counts
  /** Drawn queries that the wiki did not take. */
  unusable: number
  readonly notes: Map<string, number>
}

const newCounts = (): Counts => ({ exact: 0, own: 0, missed: 0, unshown: 0, wrong: 0 })

const limits = [1, 2, 3, 4, 5, 7, 10, 13, 25, 60, 500] as const
/** Listings that share a cassette. */
const atOnce = 20

interface Recorded {
  readonly query: string
  readonly body: JsonTree
}

interface DrawnListing {
  readonly one: Case
  readonly draw: Draw
  readonly recorded: readonly Recorded[]
}

/** As a client may send it. */
const sent = (query: string, draw: Draw): Ask => {
  const entries = [...new URLSearchParams(query)]
  return askOf(draw(2) === 0 ? entries : mix(entries, draw), draw(6) === 0)
}

/** Some batches of the listing, at one limit or two, with holes now and then. */
async function recorded(
  wiki: RealWiki,
  one: Case,
  draw: Draw,
  oneBatch: boolean
): Promise<readonly Recorded[]> {
  const dialect = draw(5) === 0 ? 'raw' : 'continue'
  const batches = async (
    limit: number | string,
    most: number,
    start?: ReadonlyMap<string, string>
  ) => {
    const { interactions, at } = await walk(wiki, one, limit, dialect, most, start)
    const found = interactions.flatMap(({ responses: [{ body }] }, nth) =>
      treeIn(body).map((tree) => ({
        query: queryOf(one, limit, dialect, at[nth] ?? new Map()),
        body: tree
      }))
    )
    return { found, at }
  }
  if (oneBatch) {
    const limit = (['500', 'max', 'max', 100, 50, 20] as const)[draw(6)] ?? 'max'
    return (await batches(limit, draw(2) === 0 ? 1 : 12)).found
  }
  const limit = [1, 2, 3, 5, 10, 20][draw(6)] ?? 10
  const { found, at } = await batches(limit, 3 + draw(14))
  const all = [...found]
  if (draw(3) === 0) {
    const start = pick(at, draw)
    all.push(...(await batches([1, 4, 7, 25][draw(4)] ?? 4, 1 + draw(4), start)).found)
  }
  return draw(4) === 0 ? all.filter(() => draw(5) > 0) : all
}

/** Questions near the recording: other limits, places and dialects; parts, reverses and starts. */
async function questions(
  wiki: RealWiki,
  tape: Tape,
  { one, draw, recorded: known }: DrawnListing,
  total: DrawnListings
): Promise<void> {
  const shows = shownBy(known)
  for (let nth = 0; nth < 6; nth += 1) {
    const near = nth < 4 ? one : narrowed(wiki, one, draw)
    const counts = near === one ? total.same : total.narrowed
    const asked = draw(2) === 0 ? near : withOtherLimits(wiki, near, draw)
    const dialect = draw(4) === 0 ? 'raw' : 'continue'
    const limit = draw(12) === 0 ? 'max' : (limits[draw(limits.length)] ?? 3)
    let next: ReadonlyMap<string, string> | undefined = new Map()
    const steps = 1 + draw(4)
    for (let step = 0; step < steps && next !== undefined; step += 1) {
      const ask = sent(queryOf(asked, limit, dialect, next), draw)
      const { said, truth, verdict } = await compareOne(tape, wiki.url, ask)
      const body = treeOf(truth)
      const isUnshown = verdict === 'missed' && body !== undefined && !shows(ask, body)
      const kind = verdict === 'order' ? 'wrong' : isUnshown ? 'unshown' : verdict
      counts[kind] += 1
      if (kind === 'wrong')
        note(total, `WRONG ${toldWrong(ask, said, truth)}\n  listing ${one.name}`)
      else if (kind === 'missed')
        note(
          total,
          `${near === one ? '' : 'narrowed: '}${whyMissed(said)}\t${shown(ask)}\t${one.name}`
        )
      next = body && nextOf(asked, body, next)
    }
  }
}

const note = ({ notes }: DrawnListings, text: string): void => {
  notes.set(text, (notes.get(text) ?? 0) + 1)
}

/** Whether recorded answers show all rows of another, or its error, and requests or answers all numbers to continue with. */
function shownBy(known: readonly Recorded[]): (ask: Ask, truth: JsonTree) => boolean {
  const found = harvest(known.map(({ body }) => body))
  const rows = new Map([...found].map(([place, values]) => [place, new Set(values)]))
  const texts = known.flatMap(({ query, body }) => [query, writeCompact(body, 'utf8')])
  const numbers = new Set(texts.flatMap((text) => text.match(/\d+/g) ?? []))
  const codeOf = (body: JsonTree): string => textAt(body, 'error', 'code') ?? ''
  const errors = new Set(['', ...known.map(({ body }) => codeOf(body))])
  return ({ entries }, truth) =>
    errors.has(codeOf(truth)) &&
    [...harvest([truth])].every(([place, values]) =>
      values.every((value) => rows.get(place)?.has(value))
    ) &&
    entries
      .filter(([name]) => name.endsWith('continue'))
      .every(([, value]) =>
        decodeURIComponent(value)
          .split('|')
          .every((part) => !/^\d{1,12}$/.test(part) || numbers.has(part))
      )
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
  const total: DrawnListings = {
    same: newCounts(),
    narrowed: newCounts(),
    unusable: 0,
    notes: new Map()
  }
  for (let at = 0; at < count; at += atOnce) {
    const drawn: DrawnListing[] = []
    const some = Array.from(
      { length: Math.min(atOnce, count - at) },
      (_, nth) => at + nth
    )
    await sideBySide(some, async (nth) => {
      const draw = drawFor(wiki.url, seed, nth)
      const one = drawCase(modules, draw)
      const { body } = await wiki.ask(queryOf(one, 10, 'continue', new Map()))
      if (hasMember(body, 'error') || hasMember(body, 'errors')) total.unusable += 1
      else drawn.push({ one, draw, recorded: await recorded(wiki, one, draw, oneBatch) })
      wiki.forget(one.query)
    })
    const recordings = drawn.flatMap(({ recorded: all, draw }) =>
      all.map(({ query }) => ({ ask: sent(query, draw), steps: 1 }))
    )
    const tape = await recordAll(wiki.url, recordings, [])
    await sideBySide(drawn, (listing) => questions(wiki, tape, listing, total))
    await tape.close()
  }
  return total
}
