import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Interaction } from '../../../src/recorder/cassette/interaction.ts'
import { type JsonTree, memberAt, textOf } from '../../../src/recorder/json/json-tree.ts'
import { mapStrings } from '../../../src/recorder/json/map-strings.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import { readListings } from '../../../src/recorder/paging/joining/listings.ts'
import { coverageOf } from '../../../src/recorder/paging/listing-coverage.ts'
import type { Synthesis } from '../../../src/recorder/paging/synthesis.ts'
import { synthesize } from '../../../src/recorder/paging/synthesize.ts'
import { rounds } from '../../helpers/scale.ts'
import {
  type Continues,
  deriveQuery,
  FakeWiki,
  facts,
  type ModelRow
} from './fake-wiki.ts'

const letters = 'ABRZabz_ АЁЖЯабё09'
const title = fc
  .string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 6 })
  .map((text) => text.replace(/[_ ]+/g, ' ').trim())
  .filter((text) => text !== '')
  .map((text) => text.slice(0, 1).toUpperCase() + text.slice(1))

const rows: fc.Arbitrary<readonly ModelRow[]> = fc
  .uniqueArray(title, { maxLength: 60 })
  .chain((titles) =>
    fc
      .uniqueArray(fc.integer({ min: 1, max: 9999 }), {
        minLength: titles.length,
        maxLength: titles.length
      })
      .map((ids) =>
        titles.map((one, at) => ({
          title: one,
          pageid: ids[at] ?? 0,
          secret: (at * 7919) % 10_007
        }))
      )
  )
const continues = fc.constantFrom<Continues>('db-key', 'ns|pageid', 'opaque', 'offset')
const wikis = fc
  .tuple(rows, continues, fc.constantFrom('list' as const, 'generator' as const))
  .map(([all, how, form]) => new FakeWiki(all, how, form))
const limits = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(25, 500))
const parts = fc.array(
  fc.record({
    at: fc.nat(1000),
    limit: limits,
    dialect: fc.constantFrom('continue' as const, 'raw' as const)
  }),
  { minLength: 1, maxLength: 25 }
)

/** A whole walk at one limit. */
function walkAt(
  wiki: FakeWiki,
  limit: number,
  dialect: 'continue' | 'raw' = 'continue'
): readonly Interaction[] {
  const walked: Interaction[] = []
  for (let at = 0; at === 0 || at < wiki.rows.length; at += limit)
    walked.push(wiki.record(wiki.partAt(at, limit, dialect)))
  return walked
}

const ask = (interactions: readonly Interaction[], query: string): Synthesis =>
  synthesize(deriveQuery(query), readListings(interactions, facts), facts)

const text = (tree: JsonTree): string => writeCompact(tree, 'utf8')

/** The truth but for continue values of wikitape's own. */
function expectTrue(wiki: FakeWiki, query: string, said: Synthesis): void {
  if (said.kind !== 'synthesized') return
  const truth = wiki.answer(query)
  if (said.by !== 'own') {
    expect(text(said.body)).toBe(text(truth))
    return
  }
  const own = [
    memberAt(said.body, 'continue', wiki.param),
    memberAt(said.body, 'query-continue', wiki.module, wiki.param)
  ].find((value) => value !== undefined)
  expect(textOf(own)).toMatch(/^wikitape-\d+-[0-9a-f]{20}$/)
  expect(text(said.body)).toBe(
    text(own === undefined ? truth : withValue(truth, wiki.param, own))
  )
}

/** The same with another continue value. */
function withValue(tree: JsonTree, param: string, value: JsonTree): JsonTree {
  if (tree.kind !== 'object') return tree
  const members = tree.members.map((member) =>
    member.key === param
      ? { key: param, value }
      : { key: member.key, value: withValue(member.value, param, value) }
  )
  return { kind: 'object', members }
}

describe('any listing, any recording of it, any request', () => {
  test('the answer is the slice of the true list, or there is none', () => {
    let answered = 0
    fc.assert(
      fc.property(wikis, parts, parts, (wiki, recorded, asked) => {
        const place = (at: number): number =>
          wiki.rows.length === 0 ? 0 : at % wiki.rows.length
        const interactions = recorded.map((one) =>
          wiki.record(wiki.partAt(place(one.at), one.limit, one.dialect))
        )
        for (const one of asked) {
          const query = wiki.partAt(place(one.at), one.limit, one.dialect)
          const said = ask(interactions, query)
          expect(said.kind).not.toBe('conflict')
          expectTrue(wiki, query, said)
          if (said.kind === 'synthesized') answered += 1
        }
      }),
      { numRuns: rounds(300) }
    )
    expect(answered).toBeGreaterThan(rounds(350))
  })

  test('where there is none, what is said to be missing is missing', () => {
    let missed = 0
    fc.assert(
      fc.property(
        rows,
        fc.integer({ min: 1, max: 4 }),
        fc.nat(),
        parts,
        (all, size, hole, asked) => {
          const wiki = new FakeWiki(all, 'db-key')
          const place = (at: number): number =>
            wiki.rows.length === 0 ? 0 : at % wiki.rows.length
          // A walk that lacks a batch, or two.
          const walked = walkAt(wiki, size)
          const lost = [hole % walked.length, (hole * 7) % walked.length]
          const known = (at: number): boolean => !lost.includes(Math.floor(at / size))
          const interactions = walked.filter((_, nth) => !lost.includes(nth))
          for (const one of asked) {
            const said = ask(
              interactions,
              wiki.partAt(place(one.at), one.limit, one.dialect)
            )
            // Without a rule it is not known which recorded rows are the same, or what a value stands for.
            if (said.kind !== 'outside' || said.listing.rule === undefined) continue
            missed += 1
            const { gaps } = coverageOf(said.listing)
            expect(gaps).not.toEqual([])
            for (const { after, before } of gaps) {
              const from = wiki.rows.findIndex((row) => row.title === after) + 1
              const to = wiki.rows.findIndex((row) => row.title === before)
              const between = wiki.rows
                .slice(from, to < 0 ? undefined : to)
                .map((_, at) => from + at)
              expect(between.some((at) => !known(at))).toBe(true)
            }
          }
        }
      ),
      { numRuns: rounds(300) }
    )
    expect(missed).toBeGreaterThan(rounds(50))
  })
})

describe('any listing, by title or from recorded places', () => {
  test('starts by title are true too', () => {
    fc.assert(
      fc.property(
        rows,
        parts,
        fc.array(title, { minLength: 1, maxLength: 8 }),
        (all, recorded, froms) => {
          const wiki = new FakeWiki(all, 'db-key')
          const place = (at: number): number =>
            wiki.rows.length === 0 ? 0 : at % wiki.rows.length
          const interactions = [
            ...recorded.map((one) =>
              wiki.record(wiki.partAt(place(one.at), one.limit, one.dialect))
            ),
            ...froms
              .slice(0, 2)
              .map((from) =>
                wiki.record(wiki.query(`&aplimit=7&continue=&apfrom=${from}`))
              )
          ]
          for (const from of froms) {
            const query = wiki.query(`&aplimit=5&continue=&apfrom=${from}`)
            expectTrue(wiki, query, ask(interactions, query))
          }
        }
      ),
      { numRuns: rounds(300) }
    )
  })

  test('what recorded batches reach from a recorded place is answered', () => {
    fc.assert(
      fc.property(rows, continues, parts, limits, (all, how, recorded, limit) => {
        const wiki = new FakeWiki(all, how)
        const place = (at: number): number =>
          wiki.rows.length === 0 ? 0 : at % wiki.rows.length
        const batches = recorded.map((one) => ({ ...one, at: place(one.at) }))
        const [first] = batches
        if (first === undefined) return
        let reached = first.at
        for (let again = true; again; ) {
          const next = Math.max(
            reached,
            ...batches
              .filter((one) => one.at === reached)
              .map((one) => one.at + one.limit)
          )
          again = next > reached && next < wiki.rows.length
          reached = Math.min(next, wiki.rows.length)
        }
        const interactions = batches.map((one) =>
          wiki.record(wiki.partAt(one.at, one.limit, one.dialect))
        )
        const said = ask(interactions, wiki.partAt(first.at, limit, first.dialect))
        if (first.at + limit <= reached || reached === wiki.rows.length)
          expect(said.kind).toBe('synthesized')
      }),
      { numRuns: rounds(300) }
    )
  })
})

describe('any walk', () => {
  test('a whole walk is walked again at any limit, to the end and in order', () => {
    fc.assert(
      fc.property(rows, continues, limits, limits, (all, how, recorded, asked) => {
        const wiki = new FakeWiki(all, how)
        const listings = readListings(walkAt(wiki, recorded), facts)
        let cursor = ''
        const titles: string[] = []
        for (let step = 0; step <= wiki.rows.length; step += 1) {
          const said = synthesize(
            deriveQuery(wiki.query(`&${wiki.prefix}limit=${asked}&continue=${cursor}`)),
            listings,
            facts
          )
          if (said.kind !== 'synthesized')
            throw new Error(`refused: ${JSON.stringify(said.kind)}`)
          const items = memberAt(said.body, 'query', wiki.module)
          if (items?.kind === 'array')
            titles.push(
              ...items.items.map((item) => textOf(memberAt(item, 'title')) ?? '')
            )
          const value = memberAt(said.body, 'continue', wiki.param)
          if (value === undefined) break
          cursor = `-||&${wiki.param}=${value.kind === 'string' ? value.value : text(value)}`
        }
        expect(titles).toEqual(wiki.rows.map((row) => row.title))
      }),
      { numRuns: rounds(200) }
    )
  })
})

describe('parts of a listing, and its reverse', () => {
  const plain = title.filter((one) => !/^[a-zа-яё]/.test(one))
  const narrow = fc.record(
    {
      from: plain,
      to: plain,
      prefix: plain,
      dir: fc.constantFrom('descending', 'ascending')
    },
    { requiredKeys: [] }
  )
  test('are the true ones, or none', () => {
    let answered = 0
    fc.assert(
      fc.property(
        rows,
        fc.integer({ min: 1, max: 4 }),
        limits,
        narrow,
        fc.boolean(),
        (all, recorded, asked, given, broken) => {
          const wiki = new FakeWiki(all, 'db-key')
          const walked = walkAt(wiki, recorded)
          const listings = readListings(broken ? walked.slice(1) : walked, facts)
          let cursor = ''
          for (let step = 0; step < 5; step += 1) {
            const query = wiki.query(
              `&aplimit=${asked}&continue=${cursor}${Object.entries(given)
                .map(([name, value]) => `&ap${name}=${value}`)
                .join('')}`
            )
            const said = synthesize(deriveQuery(query), listings, facts)
            if (said.kind !== 'synthesized') break
            answered += 1
            expectTrue(wiki, query, said)
            const value = textOf(memberAt(said.body, 'continue', 'apcontinue'))
            if (value === undefined || value.startsWith('wikitape')) break
            cursor = `-||&apcontinue=${value}`
          }
        }
      ),
      { numRuns: rounds(400) }
    )
    expect(answered).toBeGreaterThan(rounds(100))
  })
})

describe('recordings that contradict each other', () => {
  test('are named as a conflict, never mixed', () => {
    fc.assert(
      fc.property(
        rows.filter((all) => all.length > 3),
        continues,
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 7, max: 12 }),
        fc.nat(),
        fc.nat(),
        limits,
        (all, how, small, large, which, at, limit) => {
          const wiki = new FakeWiki(all, how)
          const walked = [...walkAt(wiki, small), ...walkAt(wiki, large)]
          const nth = which % walked.length
          const mutated = walked.map((one, index) =>
            index === nth ? changed(wiki, one) : one
          )
          const said = ask(mutated, wiki.partAt(at % wiki.rows.length, limit, 'continue'))
          expect(said.kind).toBe('conflict')
          if (said.kind !== 'conflict') return
          expect(said.between[0]).not.toBe(said.between[1])
          expect(said.between).toContain(walked[nth]?.key)
        }
      ),
      { numRuns: rounds(300) }
    )
  })
})

/** The same interaction with the title of its first row changed. */
function changed(wiki: FakeWiki, interaction: Interaction): Interaction {
  const { body } = interaction.responses[0]
  if (body.kind !== 'json') return interaction
  let done = false
  const tree = mapStrings(body.tree, (value, { path }) => {
    if (done || path.at(-1) !== 'title' || path[1] !== wiki.module) return value
    done = true
    return `${value} иначе`
  })
  return {
    ...interaction,
    responses: [{ ...interaction.responses[0], body: { ...body, tree } }]
  }
}

describe("wikitape's own continue values", () => {
  test('cannot be made up', () => {
    fc.assert(
      fc.property(
        fc.nat(70),
        fc.string({
          unit: fc.constantFrom(...'0123456789abcdef'),
          minLength: 20,
          maxLength: 20
        }),
        (count, seal) => {
          const wiki = new FakeWiki(
            Array.from({ length: 60 }, (_, at) => ({
              title: `T ${at}`,
              pageid: at + 1,
              secret: at * 31
            })),
            'opaque'
          )
          const said = ask(
            walkAt(wiki, 10),
            wiki.query(`&aplimit=3&apcontinue=wikitape-${count}-${seal}&continue=-||`)
          )
          expect(said.kind).toBe('outside')
        }
      )
    )
  })

  test('are the same in every run, whatever the order of reading', () => {
    const wiki = new FakeWiki(
      Array.from({ length: 60 }, (_, at) => ({
        title: `T ${at}`,
        pageid: at + 1,
        secret: at * 31
      })),
      'opaque'
    )
    const query = wiki.query('&aplimit=3&continue=')
    const forward = ask(walkAt(wiki, 10), query)
    const backward = ask(walkAt(wiki, 10).toReversed(), query)
    expect(forward.kind === 'synthesized' && text(forward.body)).toBe(
      backward.kind === 'synthesized' && text(backward.body)
    )
  })
})
