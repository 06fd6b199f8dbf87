/** What tells the items of two lists apart, and what order they stand in. */
import { describe, expect, it } from 'vitest'
import { chooseKey, itemLabeller } from '../../../src/drift/trees/item-keys.ts'
import { countMoved, mayFollowIds } from '../../../src/drift/trees/item-order.ts'
import type { JsonTree } from '../../../src/recorder/json/json-tree.ts'
import { tree } from '../sides.ts'
import { keyCases } from './item-keys-cases.ts'

const items = (...list: readonly object[]): readonly JsonTree[] =>
  list.map((one) => tree(one))
const chosen = (a: readonly object[], b: readonly object[]): unknown => {
  const lists = chooseKey(items(...a), items(...b))
  return lists && [lists.name, [...lists.indexes], lists.common]
}

describe('a key', () => {
  it.each(keyCases)('%s', (_, a, b, expected) => {
    expect(chosen(a, b)).toEqual(expected)
  })

  it('that is a number is proven by all items, of which a fifth may have another name', () => {
    const list = (isOther: (at: number) => boolean): readonly JsonTree[] =>
      items(
        ...Array.from({ length: 1000 }, (_, at) => ({
          id: at,
          name: isOther(at) ? `m${at}` : `n${at}`
        }))
      )
    const before = list(() => false)
    expect(
      chooseKey(
        before,
        list((at) => at % 5 === 0)
      )?.name
    ).toBe('id')
    expect(
      chooseKey(
        before,
        list((at) => at % 4 === 0)
      )?.name
    ).toBe('name')
    expect(
      chooseKey(
        before,
        list((at) => at % 4 === 1)
      )?.name
    ).toBe('name')
  })

  it('names a page by title, a user by name, anything else by itself', () => {
    const labelBy = (a: object): string | undefined => {
      const lists = chooseKey(items(a), items(a))
      return lists && itemLabeller(lists)(tree(a))
    }
    expect(labelBy({ pageid: 1, title: 'A' })).toBe('title=A')
    expect(labelBy({ userid: 1, name: 'B' })).toBe('name=B')
    expect(labelBy({ userid: 1 })).toBe('userid=1')
    expect(labelBy({ revid: 1, title: 'A' })).toBe('revid=1')
  })
})

describe('an order', () => {
  it.each([
    [[], 0],
    [[0, 1, 2], 3],
    [[2, 1, 0], 1],
    [[3, 0, 4, 1, 2], 3],
    [[1, 2, 0, 3], 3],
    [[0, 8, 4, 12, 2, 10, 6, 14, 1, 9], 4]
  ])('%j has %i that stand one after the other', (positions, length) => {
    expect(positions.length - countMoved(positions)).toBe(length)
    expect(countMoved(positions)).toBe(positions.length - length)
  })

  it('begins with the first, wherever that is', () => {
    expect(countMoved([0])).toBe(0)
    expect(countMoved([1, 0])).toBe(1)
  })

  const byId = items(
    { pageid: 1, title: 'B' },
    { pageid: 2, title: 'A' },
    { pageid: 3, title: 'C' }
  )
  it.each<readonly [string, readonly JsonTree[], readonly JsonTree[], boolean]>([
    ['numbers, on both sides', byId, byId, true],
    ['numbers downwards', byId.toReversed(), byId.toReversed(), true],
    [
      'nothing that is shown',
      items({ title: 'B' }, { title: 'A' }, { title: 'C' }),
      byId,
      true
    ],
    ['titles', items({ title: 'A' }, { title: 'B' }, { title: 'C' }), byId, false],
    ['titles downwards', items({ title: 'C' }, { title: 'B' }), byId, false],
    ['times', items({ timestamp: '1' }, { timestamp: '2' }), byId, false],
    [
      'one title for all, which is no order',
      items({ title: 'A' }, { title: 'A' }),
      byId,
      true
    ],
    [
      'numbers on the first side alone, and titles',
      items({ pageid: 1, title: 'A' }, { pageid: 2, title: 'B' }),
      items({ pageid: 2 }, { pageid: 3 }, { pageid: 1 }),
      false
    ],
    [
      'numbers that are texts',
      items({ pageid: '1', title: 'A' }, { pageid: '2', title: 'B' }),
      byId,
      false
    ]
  ])('by %s', (_, a, b, may) => {
    expect(mayFollowIds(a, b)).toBe(may)
  })
})

it('an item without a number says nothing of an order by numbers', () => {
  const rows = (first: number, last: number): readonly JsonTree[] =>
    items(
      { pageid: first, title: 'A' },
      { title: 'B', missing: true },
      { pageid: last, title: 'C' }
    )
  expect(mayFollowIds(rows(5, 7), rows(8, 9))).toBe(true)
  expect(mayFollowIds(rows(7, 5), rows(8, 9))).toBe(true)
})
