/** One listing on one wiki: record a walk, forget the wiki, ask what nobody recorded, compare with the wiki's own bytes. */

import { isDeepStrictEqual } from 'node:util'
import type {
  Interaction,
  RecordedBody
} from '../../src/recorder/cassette/interaction.ts'
import {
  itemsOf,
  type JsonMember,
  type JsonTree,
  memberOf,
  membersOf,
  textOf
} from '../../src/recorder/json/json-tree.ts'
import { writeCompact } from '../../src/recorder/json/write-json.ts'
import {
  type Listings,
  readListings
} from '../../src/recorder/paging/joining/listings.ts'
import type { Synthesis } from '../../src/recorder/paging/synthesis.ts'
import { synthesize } from '../../src/recorder/paging/synthesize.ts'
import { equalIgnoringVolatile } from '../../src/recorder/wiki/answers/volatile.ts'
import type { Case } from './cases.ts'
import type { RealWiki } from './wiki.ts'

export interface Score {
  exact: number
  own: number
  refused: number
  wrong: number
  /** Of those with an own value or refused: a continue value is needed of which a part occurs nowhere in the recording. */
  untold: number
  readonly notes: Map<string, number>
}

export const newScore = (): Score => ({
  exact: 0,
  own: 0,
  refused: 0,
  wrong: 0,
  untold: 0,
  notes: new Map()
})

/** How continuation parameters are sent in one dialect. */
export type DialectName = 'continue' | 'raw'

export const queryOf = (
  one: Case,
  limit: number | string,
  dialect: DialectName,
  at: ReadonlyMap<string, string>
): string => {
  const sent = [...at]
    .map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
    .join('')
  const dialectParam =
    dialect === 'raw' ? '&rawcontinue=' : at.has('continue') ? '' : '&continue='
  return `action=query&format=json&${one.query}&${one.limit}=${limit}${dialectParam}${sent}`
}

/** The continuation parameters for the request after the one at that place; undefined at the end. */
export function nextOf(
  { query }: Pick<Case, 'query'>,
  body: JsonTree,
  at: ReadonlyMap<string, string>
): ReadonlyMap<string, string> | undefined {
  const modern = memberOf(body, 'continue')
  if (modern !== undefined)
    return new Map(membersOf(modern).map(({ key, value }) => [key, textIn(value)]))
  const legacy = membersOf(memberOf(body, 'query-continue'))
  if (legacy.length === 0) return undefined
  const values = (parts: readonly JsonMember[]): readonly (readonly [string, string])[] =>
    parts.flatMap((part) =>
      membersOf(part.value).map(({ key, value }) => [key, textIn(value)] as const)
    )
  // Props inside of a generator's batch come first, and the generator stays where it is; only then it goes on.
  const generator = new URLSearchParams(query).get('generator')
  const props = legacy.filter((part) => part.key !== generator)
  return props.length === 0 ? new Map(values(legacy)) : new Map([...at, ...values(props)])
}

const textIn = (value: JsonTree): string =>
  textOf(value) ?? (value.kind === 'literal' ? value.text : '')

/** Walks a listing; at most `most` batches. */
export async function walk(
  wiki: RealWiki,
  one: Case,
  limit: number | string,
  dialect: DialectName,
  most: number,
  start: ReadonlyMap<string, string> = new Map()
): Promise<{
  readonly interactions: readonly Interaction[]
  readonly at: readonly ReadonlyMap<string, string>[]
}> {
  const interactions: Interaction[] = []
  const at: ReadonlyMap<string, string>[] = []
  let next: ReadonlyMap<string, string> | undefined = start
  while (next !== undefined && interactions.length < most) {
    at.push(next)
    const asked = await wiki.ask(queryOf(one, limit, dialect, next))
    interactions.push(asked.interaction)
    next = nextOf(one, asked.body, next)
  }
  return { interactions, at }
}

/**
 * Asks one question of both and scores the answer.
 * @param numbers all numbers in the recording, where it is counted what that cannot tell
 */
export async function compare(
  wiki: RealWiki,
  listings: Listings,
  query: string,
  score: Score,
  numbers?: ReadonlySet<string>
): Promise<JsonTree> {
  const truth = await wiki.ask(query)
  const said = synthesize(truth.derivation, listings, wiki.facts)
  const kind = kindOf(said, truth.body)
  score[kind] += 1
  if (kind === 'wrong' && said.kind === 'synthesized') {
    const [wanted, got] = [truth.body, said.body].map((body) =>
      cut(writeCompact(body, 'utf8'))
    )
    score.notes.set(`WRONG ${query}\n  wiki ${wanted}\n  tape ${got}`, 1)
  }
  if (kind === 'refused') {
    const why =
      said.kind === 'conflict' ? `conflict: ${said.what}` : 'why' in said ? said.why : ''
    score.notes.set(why, (score.notes.get(why) ?? 0) + 1)
  }
  const short = kind === 'own' || kind === 'refused'
  if (short && numbers !== undefined && isUntold(query, truth.body, numbers))
    score.untold += 1
  return truth.body
}

function kindOf(said: Synthesis, truth: JsonTree): 'exact' | 'own' | 'refused' | 'wrong' {
  if (said.kind !== 'synthesized') return 'refused'
  // `meta=siteinfo` tells the time of its recording.
  if (equalIgnoringVolatile(said.body, truth)) return 'exact'
  return said.by === 'own' && equalIgnoringVolatile(said.body, withOwn(truth, said.body))
    ? 'own'
    : 'wrong'
}

/**
 * True where a continue value that was sent, or that the wiki answers with, has a number for a part that is not in the
 * recording: a number of rows aside, nothing there can tell it.
 */
function isUntold(query: string, truth: JsonTree, numbers: ReadonlySet<string>): boolean {
  const answered = membersOf(memberOf(truth, 'continue')).map(
    ({ key, value }) => [key, textIn(value)] as const
  )
  return [...new URLSearchParams(query), ...answered]
    .filter(([name]) => name.endsWith('continue'))
    .some(([, value]) =>
      value.split('|').some((part) => isIdIn(part) && !numbers.has(part))
    )
}

/** Times of fourteen digits are told in another spelling. */
const isIdIn = (part: string): boolean => /^\d{1,12}$/.test(part)

const cut = (text: string): string =>
  text.length > 700 ? `${text.slice(0, 700)}…` : text

/** The wiki's answer with the continue values of ours: what must be equal but for those. */
export function withOwn(truth: JsonTree, ours: JsonTree): JsonTree {
  const swap = (tree: JsonTree, other: JsonTree | undefined): JsonTree =>
    tree.kind === 'object'
      ? {
          kind: 'object',
          members: tree.members.map(({ key, value }) => ({
            key,
            value:
              textOf(memberOf(other, key))?.startsWith('wikitape-') === true
                ? (memberOf(other, key) ?? value)
                : swap(value, memberOf(other, key))
          }))
        }
      : tree
  return {
    kind: 'object',
    members: membersOf(truth).map(({ key, value }) => ({
      key,
      value:
        key === 'continue' || key === 'query-continue'
          ? swap(value, memberOf(ours, key))
          : value
    }))
  }
}

/** How much is asked. */
export interface Effort {
  /** Batches of the recorded walk, at most. */
  readonly batches: number
  /** Places of that walk asked from at each limit, and steps of a walk of its own at each limit. */
  readonly places: number
  readonly steps: number
  readonly starts: number
  /** Rows walked at limit 1 for `--boundaries`, and places of that walk asked from at each limit. */
  readonly boundaryRows: number
  readonly boundaryPlaces: number
  /** Of listings recorded in one batch: answers from the start at each limit, and from places further on. */
  readonly oneBatchSteps: number
  readonly oneBatchPlaces: number
  /** How many parts and reverses of the listing. */
  readonly parts: number
}

/** The same numbers in every run. */
export function lottery(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const limits = [1, 2, 3, 7, 25, 500] as const

/** Only the walk at limit 10 is known; every continue value asked for is one that the wiki gave. */
export async function afterWalk(
  wiki: RealWiki,
  one: Case,
  dialect: DialectName,
  effort: Effort,
  score: Score
): Promise<void> {
  const recorded = await walk(wiki, one, 10, dialect, effort.batches)
  const listings = readListings(recorded.interactions, wiki.facts)
  const draw = lottery(one.query.length + wiki.url.length)
  const whole = recorded.at.length < effort.batches
  for (const limit of limits) {
    if (!whole && limit > 25) continue
    for (const at of drawn(
      whole ? recorded.at : recorded.at.slice(0, -3),
      effort.places,
      draw
    ))
      await compare(wiki, listings, queryOf(one, limit, dialect, at), score)
    if (dialect === 'continue')
      await compareWalk(wiki, listings, one, limit, effort.steps, score)
  }
  // The other dialect, from a recording in this one, where nothing but the listing is in the answer.
  if (/^generator=.*&prop=|^prop=[^&]*\||&meta=/.test(one.query)) return
  const other = dialect === 'raw' ? 'continue' : 'raw'
  let next: ReadonlyMap<string, string> | undefined = new Map()
  for (let step = 0; step < 3 && next !== undefined; step += 1)
    next = nextOf(
      one,
      await compare(wiki, listings, queryOf(one, 7, other, next), score),
      next
    )
}

/** That many of the places; all of them where there are no more. */
export function drawn<T>(
  places: readonly T[],
  most: number,
  draw: (below: number) => number
): readonly T[] {
  if (places.length <= most) return places
  const left = [...places]
  return Array.from({ length: most }, () => left.splice(draw(left.length), 1)).flat()
}

/** Walks on by the values that the wiki gives at that limit, none of which may have been recorded. */
export async function compareWalk(
  wiki: RealWiki,
  listings: Listings,
  one: Case,
  limit: number,
  steps: number,
  score: Score,
  numbers?: ReadonlySet<string>
): Promise<void> {
  let next: ReadonlyMap<string, string> | undefined = new Map()
  for (let step = 0; step < steps && next !== undefined; step += 1)
    next = nextOf(
      one,
      await compare(
        wiki,
        listings,
        queryOf(one, limit, 'continue', next),
        score,
        numbers
      ),
      next
    )
}

/**
 * Whole walks at every limit that never ask the wiki again: each goes on by the value that wikitape gave. All of them
 * must bring what the recorded walk brought, item by item and in order.
 */
export async function walkAlone(
  wiki: RealWiki,
  one: Case,
  effort: Effort,
  score: Score
): Promise<void> {
  const recorded = await walk(wiki, one, 10, 'continue', effort.batches)
  if (recorded.at.length === effort.batches) return
  const listings = readListings(recorded.interactions, wiki.facts)
  const truth = harvest(
    recorded.interactions.map(({ responses: [{ body }] }) => body).flatMap(treeIn)
  )
  for (const limit of limits) {
    const walked = walkServed(wiki, listings, one, limit)
    if (typeof walked === 'string') {
      score.refused += 1
      score.notes.set(`walk at ${limit}: ${walked}`, 1)
    } else if (isDeepStrictEqual(harvest(walked), truth)) score.exact += 1
    else {
      score.wrong += 1
      score.notes.set(`WRONG walk of ${one.query} at ${limit}`, 1)
    }
  }
}

/** The answers of a walk from its start to its end, or why it stopped. */
export function walkServed(
  wiki: RealWiki,
  listings: Listings,
  one: Case,
  limit: number
): readonly JsonTree[] | string {
  const bodies: JsonTree[] = []
  let next: ReadonlyMap<string, string> | undefined = new Map()
  while (next !== undefined) {
    if (bodies.length > 5000) return 'no end'
    const said = synthesize(
      wiki.derive(queryOf(one, limit, 'continue', next)),
      listings,
      wiki.facts
    )
    if (said.kind !== 'synthesized')
      return said.kind === 'conflict' ? said.what : said.why
    bodies.push(said.body)
    next = nextOf(one, said.body, next)
  }
  return bodies
}

export const treeIn = (body: RecordedBody): readonly JsonTree[] =>
  body.kind === 'json' ? [body.tree] : []

/** What answers bring: the items of each array in their order, and everything else, by where it stands. */
export function harvest(
  bodies: readonly JsonTree[]
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const note = (place: string, tree: JsonTree, again: boolean): void => {
    const held = found.get(place)
    if (held === undefined) found.set(place, [writeCompact(tree, 'utf8')])
    else if (again) held.push(writeCompact(tree, 'utf8'))
  }
  const add = (place: string, tree: JsonTree): void => {
    if (tree.kind === 'array') {
      for (const item of tree.items) {
        // A page or a group of rows holds an array itself; anything else is a row.
        if (membersOf(item).some(({ value }) => value.kind === 'array'))
          addMembers(place, item)
        else note(place, item, true)
      }
    } else if (tree.kind === 'object') addMembers(place, tree)
    else note(place, tree, false)
  }
  const addMembers = (place: string, tree: JsonTree): void => {
    const title = textOf(memberOf(tree, 'title')) ?? ''
    for (const { key, value } of membersOf(tree))
      add(`${place} ${title} ${title === '' ? key : `.${key}`}`, value)
  }
  for (const body of bodies)
    for (const { key, value } of membersOf(memberOf(body, 'query'))) {
      // Missing pages are numbered in each answer anew.
      if (key === 'pages') for (const page of itemsOf(value)) addMembers(key, page)
      else add(key, value)
    }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Starts by title that nobody recorded. */
export async function randomStarts(
  wiki: RealWiki,
  one: Case,
  effort: Effort,
  score: Score
): Promise<void> {
  if (one.from === undefined) return
  const recorded = await walk(wiki, one, 10, 'continue', effort.batches)
  const listings = readListings(recorded.interactions, wiki.facts)
  const draw = lottery(7)
  for (let nth = 0; nth < effort.starts; nth += 1) {
    const from = starts[draw(starts.length)] ?? ''
    const limit = limits[draw(limits.length)] ?? 1
    const query = queryOf(one, limit, 'continue', new Map([[one.from, from]]))
    await compare(wiki, listings, query, score)
  }
}

/** Other limits than numbers, and parts of the listing or its reverse, from one recorded walk. */
export async function variants(
  wiki: RealWiki,
  one: Case,
  effort: Effort,
  score: Score
): Promise<void> {
  const recorded = await walk(wiki, one, 10, 'continue', effort.batches)
  const listings = readListings(recorded.interactions, wiki.facts)
  const whole = recorded.at.length < effort.batches
  await compare(wiki, listings, queryOf(one, 0, 'continue', new Map()), score)
  if (whole) {
    await compare(wiki, listings, queryOf(one, 'max', 'continue', new Map()), score)
    await compare(wiki, listings, queryOf(one, 9999, 'continue', new Map()), score)
  }
  await compare(
    wiki,
    listings,
    queryOf(one, 10, 'continue', new Map()).replace(`&${one.limit}=10`, ''),
    score
  )
  if (one.times !== undefined)
    await timeStarts(wiki, one, recorded.interactions, effort, score)
  if (one.from === undefined || one.query.includes('aisort')) return
  const prefix = one.from.slice(0, -'from'.length)
  const narrowed = [
    { prefix: 'H' },
    { dir: 'descending', from: 'Hub 12', prefix: 'Hub' },
    { to: 'Hub 10' },
    { prefix: 'Р' },
    { from: 'B', to: 'Map 05.jpg' },
    { dir: 'descending' },
    { dir: 'descending', from: 'Природа 4', to: 'Ё' },
    { dir: 'descending', prefix: 'Map' }
  ]
  for (const [nth, given] of narrowed.slice(0, effort.parts).entries()) {
    const named = Object.entries(given).map(
      ([name, value]) => [prefix + name, value] as const
    )
    const limit = limits[nth % 4] ?? 3
    const start = new Map(named)
    const first = await compare(
      wiki,
      listings,
      queryOf(one, limit, 'continue', start),
      score
    )
    const next = nextOf(one, first, start)
    if (next !== undefined)
      await compare(
        wiki,
        listings,
        queryOf(one, limit, 'continue', new Map([...named, ...next])),
        score
      )
  }
}

/** Starts, ends and the reverse of a listing in the order of time: at its own times, and a minute off them. */
async function timeStarts(
  wiki: RealWiki,
  one: Case,
  recorded: readonly Interaction[],
  effort: Effort,
  score: Score
): Promise<void> {
  const listings = readListings(recorded, wiki.facts)
  const bodies = recorded.flatMap(({ responses: [{ body }] }) =>
    body.kind === 'json' ? [body.tree] : []
  )
  const times = [
    ...bodies
      .map((body) => writeCompact(body, 'utf8'))
      .join()
      .matchAll(/"timestamp":"([^"]*)"/g)
  ].map(([, time]) => time ?? '')
  const draw = lottery(23)
  const time = (): string => times[draw(times.length)] ?? ''
  for (let nth = 0; nth < effort.parts; nth += 1) {
    const near = new Date(Date.parse(time()) + 60_000).toISOString().replace('.000', '')
    const given = [
      { start: time() },
      { dir: 'newer', start: near },
      { start: near, end: time() },
      { dir: 'newer', start: time(), end: near },
      { dir: 'newer' },
      { end: time() }
    ][nth % 6]
    const named = Object.entries(given ?? {}).map(
      ([name, value]) => [(one.times ?? '') + name, value] as const
    )
    const limit = limits[nth % 5] ?? 3
    const start = new Map(named)
    const first = await compare(
      wiki,
      listings,
      queryOf(one, limit, 'continue', start),
      score
    )
    const next = nextOf(one, first, start)
    if (next !== undefined)
      await compare(
        wiki,
        listings,
        queryOf(one, limit, 'continue', new Map([...named, ...next])),
        score
      )
  }
}

const letters = 'ABDHMRSZabzАБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЭЮЯабёя'
const starts: readonly string[] = [
  ...[...letters].flatMap((letter) => [
    letter,
    `${letter}о`,
    `${letter}р е`,
    `${letter}_1`
  ]),
  'Река 00',
  'Река_01',
  'река 02',
  'Map 0',
  'Map_05',
  'Box_B',
  'Природа 3',
  'Hub 1',
  '42',
  'Абрикос/2',
  'Узел',
  'B side',
  'Ёжик ',
  '日本',
  '!',
  'ÿ',
  'straße'
]

/** After one more walk at limit 1, so that every continue value is the wiki's own. */
export async function afterBoundaries(
  wiki: RealWiki,
  one: Case,
  effort: Effort,
  score: Score
): Promise<void> {
  const ones = await walk(wiki, one, 1, 'continue', effort.boundaryRows)
  const tens = await walk(wiki, one, 10, 'continue', effort.batches)
  const listings = readListings([...ones.interactions, ...tens.interactions], wiki.facts)
  const draw = lottery(11)
  const cut = ones.at.length === effort.boundaryRows
  for (const limit of limits) {
    // The rows behind the last place are not recorded where the walk was cut short.
    const places = cut ? ones.at.slice(0, -limit) : ones.at
    for (const at of drawn(places, effort.boundaryPlaces, draw))
      await compare(wiki, listings, queryOf(one, limit, 'continue', at), score)
  }
}
