/** Lists as wholes: put together from batches, cut at another place, without a common item; and members renamed in them. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import type {
  CassetteSide,
  WholeListing
} from '../../../src/drift/inputs/cassette-side.ts'
import { itemsOf } from '../../../src/recorder/json/json-tree.ts'
import { side, tree } from '../sides.ts'

const request = 'action=query&list=things'
const kinds = (a: CassetteSide, b: CassetteSide): readonly string[] =>
  compareCassettes(a, b).findings.map(({ kind, place, samples: [first] }) =>
    `${kind} ${place} ${first?.note ?? ''}`.trim()
  )
const summaries = (a: unknown, b: unknown, query = request): readonly string[] =>
  kinds(side('a', { [query]: a }), side('b', { [query]: b }))
const things = (...list: readonly object[]): object => ({ query: { things: list } })

describe('a listing put together from its batches', () => {
  /** Its batches hold one item each. */
  const listed = (name: string, ...titles: readonly string[]): CassetteSide => {
    const batches = side(
      name,
      Object.fromEntries(
        titles.map((title, at) => [
          at === 0 ? `${request}&thlimit=1` : `${request}&thlimit=1&thcontinue=${title}`,
          { ...things({ title }), extra: { [name]: 0 } }
        ])
      )
    )
    const [one] = side('x', { [request]: {} }).interactions
    const listing: WholeListing = {
      request: one?.request ?? new Map(),
      path: ['query', 'things'],
      items: itemsOf(tree(JSON.stringify(titles.map((title) => ({ title }))))),
      batches: new Set(batches.interactions.map(({ key }) => key))
    }
    return { ...batches, listings: [listing] }
  }

  it('is compared whole: its items are told, its batches are not missed', () => {
    expect(kinds(listed('a', 'A', 'B', 'C'), listed('a', 'A', 'C'))).toEqual([
      'items.fewer query.things[*]'
    ])
    expect(kinds(listed('a', 'A', 'B'), listed('a', 'A', 'B'))).toEqual([])
    expect(compareCassettes(listed('a', 'A'), listed('a', 'A')).listings).toBe(1)
    expect(compareCassettes(listed('a', 'A'), side('b', {})).listings).toBe(0)
  })

  it('is none where its first batch is not there', () => {
    const bare = { ...listed('a', 'A', 'B'), interactions: [] }
    expect(
      kinds(bare, listed('a', 'A')).filter((one) => one.startsWith('items'))
    ).toEqual([])
  })

  it('leaves the rest of its batches to be compared one by one', () => {
    expect(kinds(listed('a', 'A'), listed('b', 'A'))).toEqual([
      'field.removed extra.a in 1/1 → 0/1',
      'field.added extra.b in 0/1 → 1/1'
    ])
  })
})

describe('a list cut at another place', () => {
  const more = { continue: { thcontinue: 'x', continue: '-||' } }

  it('is one of the answer itself, not of an item', () => {
    const page = (...titles: readonly string[]): object => ({
      query: { pages: [{ title: 'A', things: titles.map((title) => ({ title })) }] },
      ...more
    })
    expect(summaries(page('a', 'b'), page('a'))).toEqual([
      'items.fewer query.pages[*].things[*]'
    ])
  })

  it('has something in common with the other', () => {
    expect(
      summaries({ ...things({ title: 'A' }), ...more }, { ...things(), ...more })
    ).toEqual(['items.fewer query.things[*]'])
  })

  it('is the shorter one', () => {
    expect(
      summaries(
        { ...things({ title: 'A' }, { title: 'B' }), ...more },
        things({ title: 'A' })
      )
    ).toContain('items.fewer query.things[*]')
  })
})

describe('two lists without a common item', () => {
  const list = (name: string, ...members: readonly object[]): object =>
    things(...members.map((one, at) => ({ title: `${name}${at}`, ...one })))
  const structure = (a: readonly object[], b: readonly object[]): readonly string[] =>
    summaries(list('A', ...a), list('B', ...b)).filter((one) => !one.startsWith('items.'))
  const with_ = { x: 1 }
  const without = {}

  it.each<readonly [string, readonly object[], readonly object[], readonly string[]]>([
    [
      'lost what all had',
      [with_, with_],
      [without, without],
      ['field.removed query.things[*].x 2/2 → 0/2']
    ],
    [
      'won what none had',
      [without, without],
      [with_, without],
      ['field.added query.things[*].x 0/2 → 1/2']
    ],
    [
      'lost what most had, where that is hardly chance',
      [with_, with_, without],
      [without, without, without],
      ['field.removed query.things[*].x 2/3 → 0/3']
    ],
    ['may have lost it by chance', [with_, with_, without], [without, without], []],
    [
      'may lack what half had, four times, by chance',
      [with_, without],
      [without, without, without, without],
      []
    ],
    ['have it now and then', [with_, without], [with_, without], []],
    ['flag others', [{ x: '' }, without], [without, without], []],
    ['flag others now', [without, without], [{ x: '' }, without], []],
    [
      'flag none of all',
      [{ x: '' }, { x: '' }],
      [without, without],
      ['field.removed query.things[*].x 2/2 → 0/2']
    ],
    [
      'lost what all had in a member',
      [{ o: { x: 1, y: 1 } }, { o: { x: 1, y: 1 } }],
      [{ o: { y: 1 } }, { o: { y: 1 } }],
      ['field.removed query.things[*].o.x 2/2 → 0/2']
    ]
  ])('%s', (_, a, b, findings) => {
    expect(structure(a, b)).toEqual(findings)
  })
})

describe('a renamed member', () => {
  const named = (a: readonly object[], b: readonly object[]): readonly string[] => {
    const list = (members: readonly object[]): object =>
      things(...members.map((one, at) => ({ title: `T${at}`, ...one })))
    return summaries(list(a), list(b)).map((one) => one.replace('query.things[*].', ''))
  }
  const p = 'some long text one'
  const q = 'some long text two'
  const r = 'some long text three'

  it('is that which agrees most often, whichever comes first', () => {
    const old = [{ o: p }, { o: q }, { o: r }]
    const best = [
      { x: p, y: p },
      { x: q, y: q },
      { x: 'z', y: r }
    ]
    const second = [
      { y: p, x: p },
      { y: q, x: q },
      { y: r, x: 'z' }
    ]
    for (const now of [best, second])
      expect(named(old, now)).toContain('field.renamed o o → y')
  })

  it('has values that tell, or several that agree', () => {
    expect(
      named([{ o: 1 }, { o: 1 }], [{ x: 1 }, { x: 1 }]).some((one) =>
        one.startsWith('field.renamed')
      )
    ).toBe(false)
    expect(named([{ o: 1 }, { o: 2 }], [{ x: 1 }, { x: 2 }])).toEqual([
      'field.renamed o o → x'
    ])
    expect(named([{ o: p }], [{ x: p }])).toEqual(['field.renamed o o → x'])
  })

  it('agrees in half of all', () => {
    const renamed = (...values: readonly string[]): boolean =>
      named(
        values.map(() => ({ o: p })),
        values.map((x) => ({ x }))
      ).some((one) => one.startsWith('field.renamed'))
    expect([renamed(p, 'other'), renamed(p, 'other', 'another')]).toEqual([true, false])
  })

  it('gives its new name to one alone', () => {
    const summaries_ = named([{ o: p, u: p }], [{ x: p }])
    expect(summaries_.filter((one) => one.startsWith('field.renamed'))).toHaveLength(1)
    expect(summaries_.filter((one) => one.startsWith('field.removed'))).toHaveLength(1)
  })
})
