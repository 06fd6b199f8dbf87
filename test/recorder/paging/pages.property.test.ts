/** Rows inside of pages, and generators whose rows lead to the same page: never wrong, whatever is recorded. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Interaction } from '../../../src/recorder/cassette/interaction.ts'
import {
  type JsonTree,
  jsonArray,
  jsonLiteral,
  jsonObject,
  jsonString
} from '../../../src/recorder/json/json-tree.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import { readListings } from '../../../src/recorder/paging/joining/listings.ts'
import { dbKey } from '../../../src/recorder/paging/rules/explanation.ts'
import { compareUtf8 } from '../../../src/recorder/paging/rules/row-order.ts'
import { synthesize } from '../../../src/recorder/paging/synthesize.ts'
import { rounds } from '../../helpers/scale.ts'
import { deriveQuery, facts, recorded } from './fake-wiki.ts'

const text = (tree: JsonTree): string => writeCompact(tree, 'utf8')
const ownValue = /wikitape-\d+-[0-9a-f]{20}/

/** One walk recorded at a limit or two, then questions at others. */
function never(
  answer: (at: number, limit: number) => JsonTree,
  query: (at: number, limit: number) => string,
  rows: number,
  walked: readonly number[],
  asked: readonly { readonly at: number; readonly limit: number }[]
): number {
  const interactions: Interaction[] = []
  for (const limit of walked)
    for (let at = 0; at === 0 || at < rows; at += limit)
      interactions.push(recorded(query(at, limit), answer(at, limit)))
  const listings = readListings(interactions, facts)
  let answered = 0
  for (const one of asked) {
    const at = rows === 0 ? 0 : one.at % rows
    const said = synthesize(deriveQuery(query(at, one.limit)), listings, facts)
    expect(said.kind).not.toBe('conflict')
    if (said.kind !== 'synthesized') continue
    answered += 1
    const truth = text(answer(at, one.limit))
    const ours = text(said.body)
    if (said.by === 'own')
      expect(ours.replace(ownValue, '')).toBe(
        truth.replace(/(?<="(?:gap|g?cl)continue":")[^"]*/, '')
      )
    else expect(ours).toBe(truth)
  }
  return answered
}

const questions = fc.array(
  fc.record({ at: fc.nat(200), limit: fc.integer({ min: 1, max: 30 }) }),
  {
    minLength: 1,
    maxLength: 12
  }
)
const walks = fc.uniqueArray(fc.integer({ min: 1, max: 8 }), {
  minLength: 1,
  maxLength: 3
})

describe('prop over several pages', () => {
  const pages = fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 999 }),
      rows: fc.integer({ min: 0, max: 9 })
    }),
    {
      maxLength: 6,
      minLength: 1,
      selector: (page) => page.id
    }
  )

  test('every answer is the true one', () => {
    let answered = 0
    fc.assert(
      fc.property(
        pages,
        fc.boolean(),
        walks,
        questions,
        (model, opaque, walked, asked) => {
          // The wire has the pages in the order given, the rows come by page id.
          const rows = [...model]
            .sort((a, b) => a.id - b.id)
            .flatMap(({ id, rows: count }) =>
              Array.from({ length: count }, (_, nth) => ({ id, title: `C ${nth}` }))
            )
          const valueAt = (at: number): string =>
            opaque
              ? `x${(at * 7919) % 1009}`
              : `${rows[at]?.id}|${rows[at]?.title.replace(' ', '_')}`
          const answer = (at: number, limit: number): JsonTree => {
            const end = Math.min(at + limit, rows.length)
            const shown = rows.slice(at, end)
            const wire = model.map(({ id }) => {
              const items = shown
                .filter((row) => row.id === id)
                .map((row) =>
                  jsonObject([
                    ['ns', jsonLiteral(0)],
                    ['title', jsonString(row.title)]
                  ])
                )
              return [
                String(id),
                jsonObject([
                  ['pageid', jsonLiteral(id)],
                  ['ns', jsonLiteral(0)],
                  ['title', jsonString(`P${id}`)],
                  ...(items.length > 0 ? [['categories', jsonArray(items)] as const] : [])
                ])
              ] as const
            })
            const go = jsonObject([
              ['clcontinue', jsonString(valueAt(end))],
              ['continue', jsonString('||')]
            ])
            return jsonObject([
              end < rows.length ? ['continue', go] : ['batchcomplete', jsonString('')],
              ['query', jsonObject([['pages', jsonObject(wire)]])]
            ])
          }
          const query = (at: number, limit: number): string =>
            `action=query&format=json&prop=categories&titles=${model.map(({ id }) => `P${id}`).join('|')}&cllimit=${limit}&continue=${at === 0 ? '' : `||&clcontinue=${valueAt(at)}`}`
          answered += never(answer, query, rows.length, walked, asked)
        }
      ),
      { numRuns: rounds(300) }
    )
    expect(answered).toBeGreaterThan(rounds(300))
  })
})

/** What a generator answers: these pages in this order, and the value to go on by. */
function generated(ids: readonly number[], next: string | undefined): JsonTree {
  const pages = ids.map((id) => {
    const page = jsonObject([
      ['pageid', jsonLiteral(id)],
      ['ns', jsonLiteral(0)],
      ['title', jsonString(`P${100 - id}`)]
    ])
    return [String(id), page] as const
  })
  return answerOf('gapcontinue', pages, next)
}

function answerOf(
  param: string,
  pages: readonly (readonly [string, JsonTree])[],
  next: string | undefined
): JsonTree {
  const go = jsonObject([
    [param, jsonString(next ?? '')],
    ['continue', jsonString(`${param}||`)]
  ])
  return jsonObject([
    ['batchcomplete', jsonString('')],
    ...(next === undefined ? [] : [['continue', go] as const]),
    ...(pages.length > 0
      ? [['query', jsonObject([['pages', jsonObject(pages)]])] as const]
      : [])
  ])
}

describe('a generator whose rows lead to pages several times', () => {
  test('every answer is the true one', () => {
    let answered = 0
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 40 }),
        fc.constantFrom('rows' as const, 'id' as const),
        walks,
        questions,
        (targets, wireOrder, walked, asked) => {
          const valueAt = (at: number): string => `x${(at * 7919) % 1009}`
          const answer = (at: number, limit: number): JsonTree => {
            const end = Math.min(at + limit, targets.length)
            const ids = [...new Set(targets.slice(at, end))]
            if (wireOrder === 'id') ids.sort((a, b) => a - b)
            return generated(ids, end < targets.length ? valueAt(end) : undefined)
          }
          const query = (at: number, limit: number): string =>
            `action=query&format=json&generator=allpages&gaplimit=${limit}&continue=${at === 0 ? '' : `gapcontinue||&gapcontinue=${valueAt(at)}`}`
          answered += never(answer, query, targets.length, walked, asked)
        }
      ),
      { numRuns: rounds(400) }
    )
    expect(answered).toBeGreaterThan(rounds(100))
  })
})

describe('a generator whose continue values end in the id of the page to go on from', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 60 })

  /** The answers of a wiki that writes its pages in the generator's order, or by their ids. */
  const wikiOf = (order: readonly number[], wire: 'rows' | 'id') => {
    const valueAt = (at: number): string =>
      `page|x${((order[at] ?? 0) * 7919) % 1009}|${order[at]}`
    const answer = (at: number, limit: number): JsonTree => {
      const end = Math.min(at + limit, order.length)
      const shown = order.slice(at, end)
      if (wire === 'id') shown.sort((a, b) => a - b)
      return generated(shown, end < order.length ? valueAt(end) : undefined)
    }
    const query = (at: number, limit: number): string =>
      `action=query&format=json&generator=allpages&gaplimit=${limit}&continue=${at === 0 ? '' : `gapcontinue||&gapcontinue=${valueAt(at)}`}`
    return { answer, query }
  }

  test('every answer is the true one, whatever order pages are written in', () => {
    let answered = 0
    fc.assert(
      fc.property(
        ids,
        fc.constantFrom('rows' as const, 'id' as const),
        walks,
        questions,
        (order, wire, walked, asked) => {
          const { answer, query } = wikiOf(order, wire)
          answered += never(answer, query, order.length, walked, asked)
        }
      ),
      { numRuns: rounds(400) }
    )
    expect(answered).toBeGreaterThan(rounds(250))
  })

  test('no walk at ten proves in what order the others would be written', () => {
    const order = Array.from({ length: 45 }, (_, at) => 1 + ((at * 37) % 97))
    const asked = [1, 2, 3, 7, 25, 45, 500].map((limit) => ({ at: 0, limit }))
    for (const wire of ['rows', 'id'] as const) {
      const { answer, query } = wikiOf(order, wire)
      expect(never(answer, query, order.length, [10], asked)).toBe(0)
    }
  })
})

describe('a generator of what stands on one page', () => {
  const targets = fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 999 }),
      name: fc.string({
        unit: fc.constantFrom(...'ABZabЯя 19'),
        minLength: 1,
        maxLength: 6
      }),
      missing: fc.boolean()
    }),
    { maxLength: 40, selector: (one) => one.id }
  )

  const ofRow = (id: number, name: string, missing = false) => ({ id, name, missing })
  const categoryOfItself = [
    [ofRow(1, ' '), ofRow(2, '1'), ofRow(3, '9'), ofRow(4, 'A', true), ofRow(88, 'AA')],
    'title',
    'X|Y',
    [4],
    [{ at: 0, limit: 1 }]
  ] satisfies [unknown, 'title', 'X|Y', number[], unknown]

  test('goes on by the id of that page, which no row shows: every answer is the true one', () => {
    let answered = 0
    fc.assert(
      fc.property(
        targets,
        fc.constantFrom('title' as const, 'id' as const),
        fc.constantFrom('X', 'X|Y'),
        walks,
        questions,
        (all, wire, titles, walked, asked) => {
          const rows = [...new Map(all.map((one) => [`К${one.name.trim()}`, one]))]
            .map(([name, one]) => ({ ...one, name }))
            .sort((a, b) => compareUtf8(dbKey(a.name), dbKey(b.name)))
          // Where there are two pages, the second begins half-way.
          const pageOf = (at: number): number =>
            titles === 'X' || at < rows.length / 2 ? 77 : 88
          const valueAt = (at: number): string =>
            `${pageOf(at)}|${dbKey(rows[at]?.name ?? '')}`
          const answer = (at: number, limit: number): JsonTree => {
            const end = Math.min(at + limit, rows.length)
            const shown = rows.slice(at, end)
            const there = shown.filter((row) => !row.missing)
            if (wire === 'id') there.sort((a, b) => a.id - b.id)
            const pages = [...shown.filter((row) => row.missing), ...there].map(
              (row, nth) => {
                const named = [
                  ['ns', jsonLiteral(14)],
                  ['title', jsonString(`К:${row.name}`)]
                ] as const
                return row.missing
                  ? ([
                      String(-1 - nth),
                      jsonObject([...named, ['missing', jsonString('')]])
                    ] as const)
                  : ([
                      String(row.id),
                      jsonObject([['pageid', jsonLiteral(row.id)], ...named])
                    ] as const)
              }
            )
            return answerOf(
              'gclcontinue',
              pages,
              end < rows.length ? valueAt(end) : undefined
            )
          }
          const query = (at: number, limit: number): string =>
            `action=query&format=json&generator=categories&titles=${titles}&gcllimit=${limit}&continue=${at === 0 ? '' : `gclcontinue||&gclcontinue=${valueAt(at)}`}`
          answered += never(answer, query, rows.length, walked, asked)
        }
      ),
      { numRuns: rounds(400), examples: [categoryOfItself] }
    )
    expect(answered).toBeGreaterThan(rounds(400))
  })
})
