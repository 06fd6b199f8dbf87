/** The filter of rows, and what differs between two runs. */
import { describe, expect, it } from 'vitest'
import type { RunLine } from '../../src/pages/run-views.ts'
import {
  type FilterFacts,
  matches,
  parseFilter,
  termFor,
  toggleTerm,
  withField
} from '../../ui/filter/row-filter.ts'
import { differencesOf } from '../../ui/runs/run-difference.ts'
import { readLines } from '../../ui/runs/run-lines.ts'

const row: FilterFacts = {
  text: 'miss 200 get query.allpages list allpages · apfrom=два слова',
  fields: {
    module: 'query.allpages',
    user: 'Анна Каренина',
    status: '200 503',
    epoch: '12',
    error: 'badtoken'
  },
  marks: new Set(['write', 'error']),
  bytes: 1_600,
  ms: 250,
  at: Date.parse('2026-11-29T10:00:00Z')
}

describe('a filter', () => {
  it.each([
    ['', true],
    ['слова два', true],
    ['"слова два"', false],
    ['"два слова"', true],
    ['apfrom=два', true],
    ['Категория:Реки', false],
    ['-Категория:Реки', true],
    ['module:allpages', true],
    ['module:backlinks', false],
    ['-module:backlinks user:анна', true],
    ['user:"анна каренина"', true],
    ['status:503', true],
    ['status:50', false],
    ['epoch:1', false],
    ['epoch:12', true],
    ['error:token', true],
    ['error', true],
    ['-error', false],
    ['"error"', false],
    ['-write', false],
    ['warning', false],
    ['unused', false],
    ['larger-than:1500', true],
    ['larger-than:1.5k', true],
    ['larger-than:10kB', false],
    ['larger-than:1M', false],
    ['slower-than:0.2s', true],
    ['slower-than:300ms', false],
    ['after:2026-11-29T09:59:59Z before:2026-11-29t10:00:00.000z', true],
    ['after:2026-11-29T10:00:01Z', false],
    // While it is being typed, it hides nothing.
    ['user:', true],
    ['-', false]
  ])('%j finds it: %s', (text, isFound) => {
    expect(matches(parseFilter(text), row)).toBe(isFound)
  })

  it('is changed by chips and choosers term by term', () => {
    const typed = 'два "a b" user:"x y"'
    expect(toggleTerm(typed, 'write')).toBe(`${typed} write`)
    expect(toggleTerm(`write ${typed}`, 'write')).toBe(typed)
    expect(withField(typed, 'user', 'z')).toBe('два "a b" user:z')
    expect(withField(typed, 'user', '')).toBe('два "a b"')
    expect(termFor('user', 'a "b" c')).toBe('user:"a b c"')
  })
})

describe('what differs between two runs', () => {
  const line = (id: number, params: Readonly<Record<string, string>>): RunLine => {
    const sent = Object.entries(params).map(([name, value]) => ({ name, value }))
    const [one] = readLines([
      { id, outcome: 'replayed', module: params['list'], sent: { params: sent } }
    ])
    if (!one) throw new Error('a line is a line')
    return one
  }
  const list = (id: number, apfrom: string): RunLine =>
    line(id, { action: 'query', list: 'allpages', apfrom })

  it('is nothing where the same was sent in another order', () => {
    const again = line(2, { apfrom: 'A', list: 'allpages', action: 'query' })
    expect(differencesOf([list(1, 'A'), list(2, 'B')], [list(1, 'B'), again])).toEqual([])
  })

  it('is a request more where it was sent once more', () => {
    const found = differencesOf([list(1, 'A')], [list(1, 'A'), list(2, 'A')])
    expect(found).toMatchObject([{ kind: 'added', line: { id: 2 } }])
  })

  it('is a parameter, a request that is gone, or another answer', () => {
    const older = [
      list(1, 'A'),
      list(2, 'B'),
      line(3, { action: 'query', list: 'blocks' })
    ]
    const newer = [list(1, 'A'), { ...list(2, 'C') }]
    expect(differencesOf(older, newer)).toMatchObject([
      { kind: 'changed', changes: [{ name: 'apfrom', before: 'B', after: 'C' }] },
      { kind: 'gone', line: { id: 3 } }
    ])
    const missed = { ...list(1, 'A'), outcome: 'miss' }
    expect(differencesOf([list(1, 'A')], [missed])).toMatchObject([
      { kind: 'answered otherwise', before: { outcome: 'replayed' } }
    ])
  })
})
