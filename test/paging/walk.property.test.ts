/** Recordings of a walk, read together, say what they say when each is read by itself. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { familiesOf } from '../../src/cassette/families.ts'
import { decodeInteraction, encodeInteraction } from '../../src/cassette/format.ts'
import type { Interaction } from '../../src/cassette/interaction.ts'
import { valuesOf } from '../../src/json/held.ts'
import { type JsonTree, jsonString, memberAt, objectOf, replaceAt } from '../../src/json/tree.ts'
import { writeCompact } from '../../src/json/write.ts'
import { coverageOf } from '../../src/paging/coverage.ts'
import { type Listings, readListings } from '../../src/paging/joining/listings.ts'
import { type Batch, keysOf, readBatch } from '../../src/paging/reading/batch.ts'
import { type Synthesis, synthesise } from '../../src/paging/synthesise.ts'
import { batchesOf } from '../../src/paging/walk.ts'
import { rounds } from '../helpers/scale.ts'
import { type Continues, deriveQuery, FakeWiki, facts } from './fake-wiki.ts'

/** Out of the text of its file, in which nothing is looked at closely, or out of its bytes, of which all becomes a tree. */
function reread(interaction: Interaction, how: 'quickly' | 'slowly'): Interaction {
  const { text } = encodeInteraction(interaction, 'x')
  const reading = decodeInteraction(how === 'quickly' ? text : Buffer.from(text), { read: () => undefined })
  return reading.ok ? reading.interaction : expect.fail(reading.fault.message)
}

const wikiOf = (size: number, continues: Continues): FakeWiki =>
  new FakeWiki(
    Array.from({ length: size }, (_, at) => ({
      title: `Page ${String.fromCodePoint(65 + (at % 26))}${at}`,
      pageid: 1 + ((at * 37) % 1009),
      secret: (at * 7919) % 10_007,
    })),
    continues,
  )

/** What a hand, or another day, may have made of an answer. */
type Harm = 'row' | 'value' | 'around' | 'short' | 'grouped' | 'back'

function harmed(wiki: FakeWiki, { responses: [response], ...rest }: Interaction, harm: Harm): Interaction {
  const { body } = response
  const tree = body.kind === 'json' ? body.tree : expect.fail('no JSON')
  const path = ['query', wiki.module]
  const held = memberAt(tree, ...path)
  const items = held?.kind === 'array' ? held.items : []
  const withRows = (rows: readonly JsonTree[]): JsonTree =>
    replaceAt(tree, path, { kind: 'array', items: rows })
  const [first, ...others] = items
  const changed: Readonly<Record<Harm, () => JsonTree>> = {
    row: () => withRows([objectOf([{ key: 'title', value: jsonString('Aaa') }]), ...others]),
    value: () => replaceAt(tree, ['continue', wiki.param], jsonString('Page M12')),
    around: () => replaceAt(tree, ['batchcomplete'], jsonString('x')),
    short: () => withRows(others),
    grouped: () =>
      withRows([
        objectOf([{ key: 'revisions', value: { kind: 'array', items: first === undefined ? [] : [first] } }]),
        ...others,
      ]),
    back: () => replaceAt(tree, ['continue', wiki.param], wiki.valueAt(3)),
  }
  return {
    ...rest,
    responses: [{ ...response, body: { ...body, kind: 'json', tree: changed[harm](), spelling: 'utf8' } }],
  }
}

function told(said: Synthesis): unknown {
  switch (said.kind) {
    case 'synthesized':
      // Where recordings overlap, which of them is named as the proof is left open.
      return [said.kind, writeCompact(said.body, 'utf8'), said.by, said.from.length > 0]
    case 'outside':
      return [said.kind, said.why, said.at?.at]
    case 'conflict':
      return said.kind
    default:
      // Which of several that agree is named beside the one that does not is left open.
      return [said.kind, said.why.replaceAll(/\b[0-9a-f]{12}\b/g, 'one')]
  }
}

const covered = (listings: Listings): unknown =>
  listings.all().map((listing) => {
    const { conflicts, unclear, rule, ...coverage } = coverageOf(listing)
    const keys = listing.batches.flatMap(keysOf).sort()
    // How far contradictions reach depends on who is believed first.
    if (conflicts.length > 0) return [listing.identity, keys]
    return [coverage, [...unclear].sort(), rule?.words, keys]
  })

const harms = fc.constantFrom<Harm>('row', 'value', 'around', 'short', 'grouped', 'back')
const drawn = fc.record({
  size: fc.integer({ min: 0, max: 120 }),
  continues: fc.constantFrom<Continues>('db-key', 'ns|pageid', 'opaque', 'offset'),
  walks: fc.array(
    fc.record({
      limit: fc.integer({ min: 1, max: 12 }),
      lost: fc.uniqueArray(fc.nat(20), { maxLength: 3 }),
      harm: fc.option(fc.tuple(fc.nat(20), harms), { freq: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  shuffled: fc.boolean(),
  asked: fc.array(fc.tuple(fc.nat(200), fc.constantFrom(1, 2, 5, 7, 13, 500)), {
    minLength: 1,
    maxLength: 12,
  }),
})

function recordedOf(
  wiki: FakeWiki,
  { walks, shuffled }: typeof drawn extends fc.Arbitrary<infer T> ? T : never,
) {
  const all = walks.flatMap(({ limit, lost, harm }) => {
    const count = Math.max(1, Math.ceil(wiki.rows.length / limit))
    return Array.from({ length: count }, (_, nth) => nth).flatMap((nth) => {
      if (lost.includes(nth)) return []
      const one = wiki.record(wiki.partAt(nth * limit, limit, 'continue'))
      return [harm !== null && harm[0] === nth ? harmed(wiki, one, harm[1]) : one]
    })
  })
  const once = [...new Map(all.map((one) => [one.key, one])).values()]
  return shuffled ? once.sort((a, b) => (a.key < b.key ? -1 : 1)) : once
}

describe('a walk', () => {
  test('says the same whether its recordings are read together or each by itself', () => {
    let [answered, joined] = [0, 0]
    fc.assert(
      fc.property(drawn, (one) => {
        const wiki = wikiOf(one.size, one.continues)
        const recorded = recordedOf(wiki, one)
        const together = readListings(
          recorded.map((each) => reread(each, 'quickly')),
          facts,
        )
        const apart = readListings(
          recorded.map((each) => reread(each, 'slowly')),
          facts,
        )
        expect(covered(together)).toEqual(covered(apart))
        joined += together
          .all()
          .filter(({ batches }) => batches.some(({ steps }) => steps !== undefined)).length
        for (const [place, limit] of one.asked) {
          const at = wiki.rows.length === 0 ? 0 : place % wiki.rows.length
          const derivation = deriveQuery(wiki.partAt(at, limit, 'continue'))
          const said = told(synthesise(derivation, together, facts))
          expect(said).toEqual(told(synthesise(derivation, apart, facts)))
          if (Array.isArray(said) && said[0] === 'synthesized') answered += 1
        }
      }),
      { numRuns: rounds(300) },
    )
    expect(answered).toBeGreaterThan(rounds(100))
    expect(joined).toBeGreaterThan(rounds(30))
  })

  test('becomes one long batch, whose recordings are all known', () => {
    const wiki = wikiOf(100, 'db-key')
    const recorded = Array.from({ length: 10 }, (_, nth) =>
      wiki.record(wiki.partAt(nth * 10, 10, 'continue')),
    )
    const read = recorded.map((one) => reread(one, 'quickly'))
    const isQuick = ({ responses: [{ body }] }: Interaction): boolean =>
      body.kind === 'json' && valuesOf(body.tree) !== undefined
    expect(read.every(isQuick)).toBe(true)
    const [listing] = readListings(read, facts).all()
    // The first request and the last answer are of another kind.
    expect(listing?.batches.map(({ steps }) => steps?.length)).toEqual([undefined, 8, undefined])
    expect(listing && coverageOf(listing).batches).toBe(10)
  })

  test('stays in its recordings where one of them may say more, or less, than rows and the next place', () => {
    const stepsOf = (wiki: FakeWiki, change: (batch: Batch) => Batch = (one) => one, count = 3): unknown => {
      const middle = Array.from({ length: count }, (_, nth) =>
        reread(wiki.record(wiki.partAt(10 + nth * 10, 10, 'continue')), 'quickly'),
      )
      const [family, another] = familiesOf(middle)
      if (family === undefined || another !== undefined) return 'no family'
      const read = (one: Interaction): Batch | undefined => {
        const batch = readBatch(one, facts, new Set([wiki.param]))
        return batch && change(batch)
      }
      return batchesOf(family, read).map(({ steps }) => steps?.length)
    }
    const letters = wikiOf(100, 'db-key')
    const apart = [undefined, undefined, undefined]
    const asked = (more: (request: Batch['request']) => Partial<Batch['request']>): unknown =>
      stepsOf(letters, (one) => ({ ...one, request: { ...one.request, ...more(one.request) } }))
    const cut = (more: (cut: Batch['cut']) => Partial<Batch['cut']>): unknown =>
      stepsOf(letters, (one) => ({ ...one, cut: { ...one.cut, ...more(one.cut) } }))
    expect(stepsOf(letters)).toEqual([3])
    expect(asked(() => ({}))).toEqual([3])
    expect(stepsOf(letters, undefined, 1)).toEqual([undefined])
    expect(stepsOf(wikiOf(100, 'offset'))).toEqual(apart)
    expect(asked(({ driver }) => ({ driver: { ...driver, kind: 'prop' } }))).toEqual(apart)
    expect(asked(({ driver }) => ({ driver: { ...driver, module: 'alllinks' } }))).toEqual(apart)
    expect(asked(({ limit }) => ({ limit: { ...limit, kind: 'max' } }))).toEqual(apart)
    expect(asked(({ cursor }) => ({ cursor: new Map([...cursor, ['x', 'y']]) }))).toEqual(apart)
    expect(asked(() => ({ cursor: new Map([['x', 'y']]) }))).toEqual(apart)
    expect(asked(() => ({ inner: new Map([['x', 'y']]) }))).toEqual(apart)
    expect(cut(({ next }) => ({ inner: next }))).toEqual(apart)
    expect(cut(({ rows }) => ({ rows: rows.slice(1) }))).toEqual(apart)
    expect(
      cut(({ rows }) => ({ rows: rows.map((row) => ({ item: row.item, slot: '', page: row.item })) })),
    ).toEqual(apart)
  })
})
