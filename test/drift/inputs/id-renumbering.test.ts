/** Two wikis with the same content and other ids: what follows from the ids alone is data. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import type { Finding } from '../../../src/drift/findings/finding.ts'
import { renumberingDetector } from '../../../src/drift/inputs/shown-facts.ts'
import { mayFollowIds } from '../../../src/drift/trees/item-order.ts'
import { side, tree } from '../sides.ts'

interface Item {
  readonly pageid: number
  readonly title: string
}

const titles = ['Волга', 'Абрикос', 'Ель', 'Берёза', 'Дуб']
const numbered = (from: number, step: number): readonly Item[] =>
  titles.map((title, at) => ({ pageid: from + at * step, title }))
const upwards = (items: readonly Item[]): readonly Item[] =>
  items.toSorted((a, b) => a.pageid - b.pageid)
const byTitle = (items: readonly Item[]): readonly Item[] =>
  items.toSorted((a, b) => (a.title < b.title ? -1 : 1))

const query = 'action=query&list=backlinks&bltitle=А'
const compare = (
  a: readonly unknown[],
  b: readonly unknown[],
  ask: string = query
): readonly Finding[] =>
  compareCassettes(
    side('a', { [ask]: { query: { backlinks: a } } }),
    side('b', { [ask]: { query: { backlinks: b } } })
  ).findings
const summaries = (findings: readonly Finding[]): readonly string[] =>
  findings
    .filter(({ place }) => !place.endsWith('pageid'))
    .map(({ kind, axis }) => `${kind} ${axis}`)

describe('an order', () => {
  const rows = (...ids: readonly number[]) =>
    ids.map((pageid, at) => tree({ pageid, title: ['A', 'B', 'C'][at] }))

  it('may be that of ids where they rise, or fall, on both sides, equal ones beside each other', () => {
    expect(mayFollowIds(rows(3, 3, 2), rows(9, 8, 8))).toBe(true)
    expect(mayFollowIds(rows(2, 3, 3), rows(8, 8, 9))).toBe(true)
    expect(mayFollowIds(rows(2, 3, 1), rows(8, 8, 9))).toBe(false)
    expect(mayFollowIds(rows(3, 3, 3), rows(8, 8, 9))).toBe(false)
    expect(mayFollowIds([tree({ n: 1 })], [tree({ n: 2 })])).toBe(true)
  })
})

describe('pages with other ids', () => {
  it('are those of a wiki that numbers more than one of five otherwise', () => {
    const of = (ids: readonly number[]) =>
      side('x', {
        [query]: {
          query: { pages: ids.map((pageid, at) => ({ pageid, title: `P${at}` })) }
        }
      })
    const renumbered = (...ids: readonly number[]): boolean =>
      renumberingDetector(of([1, 2, 3, 4, 5].slice(0, ids.length)), of(ids))()
    expect(renumbered(1, 2, 3, 4, 5)).toBe(false)
    expect(renumbered(9, 2, 3, 4, 5)).toBe(false)
    expect(renumbered(9, 2, 3, 4)).toBe(true)
    expect(renumbered(9, 8, 3, 4, 5)).toBe(true)
  })

  it('come in the order of their ids: data', () => {
    expect(summaries(compare(upwards(numbered(1, 1)), upwards(numbered(9, -1))))).toEqual(
      ['order.by-id data']
    )
  })

  it('that came in the order of their titles and no longer do: risky', () => {
    expect(
      summaries(compare(byTitle(numbered(1, 1)), numbered(9, -2).toReversed().slice(1)))
    ).toContain('order.changed behaviour')
  })

  it('with the same ids in another order: risky', () => {
    const items = upwards(numbered(1, 1))
    expect(summaries(compare(items, items.toReversed()))).toEqual([
      'order.changed behaviour'
    ])
  })

  it('are walked with other continue values: later batches are data, a lost request is not', () => {
    const answers = (cursor: string): Readonly<Record<string, unknown>> => ({
      [query]: {
        continue: { blcontinue: cursor, continue: '-||' },
        query: { backlinks: [] }
      },
      [`${query}&blcontinue=${cursor}`]: { query: { backlinks: [] } }
    })
    const a = side('a', { ...answers('0|17'), 'action=parse&page=А': { parse: {} } })
    const { findings } = compareCassettes(a, side('b', answers('0|99')))
    expect(
      findings
        .filter(({ kind }) => kind.startsWith('interaction'))
        .map(({ kind, axis, scope }) => [kind, axis, scope])
    ).toEqual([
      ['interaction.missing', 'behaviour', 'action=parse'],
      ['interaction.missing', 'data', 'list=backlinks'],
      ['interaction.new', 'data', 'list=backlinks']
    ])
  })

  it('have other revisions of pages that were touched at one time', () => {
    const ask = 'action=query&prop=info&titles=А'
    const pages = (items: readonly Item[]): Readonly<Record<string, unknown>> => ({
      [query]: { query: { backlinks: items } },
      [ask]: {
        query: {
          pages: items.map((one) => ({
            ...one,
            lastrevid: one.pageid * 10,
            touched: '2026-01-01T00:00:00Z'
          }))
        }
      }
    })
    const { findings } = compareCassettes(
      side('a', pages(numbered(1, 1))),
      side('b', pages(numbered(50, -1)))
    )
    expect(
      findings.filter(({ axis, severity }) => axis !== 'data' && severity === 'risky')
    ).toEqual([])
  })

  it('make a revision number name another page: its markup is data', () => {
    const answer = (totitle: string, body: string): unknown => ({
      compare: { totitle, body }
    })
    const kindsOf = (other: string): readonly string[] =>
      summaries(
        compareCassettes(
          side('a', {
            'action=compare&fromrev=1&torev=2': answer('А', '<tr><td>x</td></tr>')
          }),
          side('b', {
            'action=compare&fromrev=1&torev=2': answer(other, '<tr><th>x</th></tr>')
          })
        ).findings
      )
    expect(kindsOf('А')).toEqual(['html.structure behaviour'])
    expect(kindsOf('Б').toSorted()).toEqual(['html.structure data', 'value.changed data'])
  })
})
