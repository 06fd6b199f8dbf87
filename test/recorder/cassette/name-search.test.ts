/** What the names of recordings tell of them. */
import { describe, expect, it } from 'vitest'
import {
  readableName,
  wholeName
} from '../../../src/recorder/cassette/interaction-path.ts'
import {
  isWhole,
  likenessTo,
  mayHaveAll,
  mayHaveValue,
  type NameTest
} from '../../../src/recorder/cassette/name-search.ts'

const recorded = (
  params: Readonly<Record<string, string>>
): ReadonlyMap<string, string> =>
  new Map(Object.entries({ action: 'query', prop: 'info', ...params }))

function test<T>(
  one: NameTest<T>,
  params: Readonly<Record<string, string>>,
  nameOf: typeof wholeName = wholeName
): T {
  const name = Buffer.from(nameOf(recorded(params)))
  const around = Buffer.concat([
    Buffer.from('before,titles=Z'),
    name,
    Buffer.from('titles=Y,behind')
  ])
  return one(around, 15, 15 + name.length)
}

describe('recordings that may show a page', () => {
  it.each<[string, string, boolean]>([
    ['Page 1', 'Page 1', true],
    ['Page 1', 'Page 10', false],
    ['Page 1', 'A|Page 1|Z', true],
    ['(x) y', '(x) y', true],
    ['(x)', 'A|(x)', true],
    ['A (x)', 'A (x)|B', true],
    ['Zebra', 'A|B|C|D|E|F|G|H|I|J|K|L|M|N|O|P|Q|R|S|Zebra', true],
    ['Москва', 'Киев|Москва', true],
    ['Москва', 'Киев', false],
    ['Page 1', 'Another page', false]
  ])('are known by their names: %s in %s: %s', (page, titles, expected) => {
    expect(test(mayHaveValue('titles', [page]).test, { titles })).toBe(expected)
  })

  it('are found by id as by title', () => {
    expect(test(mayHaveValue('pageids', ['12']).test, { pageids: '1|12' })).toBe(true)
    expect(test(mayHaveValue('pageids', ['12']).test, { pageids: '112|121' })).toBe(false)
  })
})

describe('recordings with given parameters', () => {
  it('are known by their names', () => {
    const wanted = mayHaveAll([['inprop', 'url']]).test
    expect(test(wanted, { inprop: 'url', titles: 'A' })).toBe(true)
    expect(test(wanted, { titles: 'A' })).toBe(false)
    expect(
      test(wanted, { aaa: 'a'.repeat(39), bbb: 'b'.repeat(39), inprop: 'url' })
    ).toBe(true)
  })
})

describe('the name of a file', () => {
  it.each<[Readonly<Record<string, string>>, boolean]>([
    [{ inprop: 'url', titles: 'Page 1' }, true],
    [{ titles: 'Достопримечательности' }, false],
    [{ titles: 'A|B|C|D|E|F|G|H|I|J|K|L|M|N|O|P|Q|R|S|Zebra' }, false],
    [{ aaa: 'a'.repeat(30), bbb: 'b'.repeat(30), inprop: 'url' }, false]
  ])('%j is whole: %s', (params, expected) => {
    expect(test(isWhole, params, readableName)).toBe(expected)
  })
})

it('likeness is by what names begin and end with', () => {
  const like = likenessTo(recorded({ inprop: 'url', titles: 'Page 1' }))
  const scores = [
    { inprop: 'url', titles: 'Page 1' },
    { inprop: 'url', titles: 'Page 12' },
    { inprop: 'watched', titles: 'Page 1' },
    { titles: 'Quay' }
  ].map((params) => test(like, params, readableName))
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
})
