/** What only an edit explains is told where nobody edited the wiki: rows lost, rows twice, users of other names. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import { side } from '../sides.ts'

const manifest = { engine: '1.43.9' }
const log = 'action=query&list=recentchanges'

/** @param newest the newest row of the log on B's side; on A's it is 9 */
function told(query: string, a: unknown, b: unknown, newest = 9): readonly string[] {
  const changes = (rcid: number): unknown => ({ query: { recentchanges: [{ rcid }] } })
  const { findings } = compareCassettes(
    side('a', { [query]: a, [log]: changes(9) }, { manifest }),
    side('b', { [query]: b, [log]: changes(newest) }, { manifest })
  )
  return findings.flatMap(({ axis, severity, kind, place }) =>
    place.startsWith('query.recentchanges') || severity === 'noise'
      ? []
      : [`${axis === 'data' ? 'data' : severity} ${kind} ${place}`]
  )
}

const rows = (...titles: readonly string[]): readonly unknown[] =>
  titles.map((title) => ({ ns: 0, title }))
const lists: readonly (readonly [
  string,
  string,
  string,
  (titles: readonly string[]) => unknown
])[] = [
  [
    'a list',
    'action=query&list=allpages',
    'query.allpages[*]',
    (titles) => ({ query: { allpages: rows(...titles) } })
  ],
  [
    'a generator',
    'action=query&generator=links&titles=Узел',
    'query.pages[*]',
    (titles) => ({ query: { pages: rows(...titles) } })
  ],
  [
    'a query page',
    'action=query&list=querypage&qppage=Wantedpages',
    'query.querypage.results[*]',
    (titles) => ({ query: { querypage: { results: rows(...titles) } } })
  ]
]

describe.each(lists)('%s', (_, query, place, answer) => {
  it('that lost a row is told, unless somebody edited the wiki', () => {
    const a = answer(['А', 'Б', 'В'])
    const b = answer(['А', 'В'])
    expect(told(query, a, b)).toEqual([`risky items.fewer ${place}`])
    expect(told(query, a, b, 10)).toEqual([`data items.fewer ${place}`])
  })

  it('that holds each row twice is told, whatever was edited', () => {
    const a = answer(['А', 'Б', 'В'])
    const b = answer(['А', 'А', 'Б', 'Б', 'В', 'В'])
    expect(told(query, a, b, 10)).toEqual([`risky items.more ${place}`])
  })

  it('that holds a few rows twice is content if somebody edited the wiki', () => {
    const a = answer(['А', 'Б', 'В', 'Г'])
    const b = answer(['А', 'А', 'Б', 'В', 'Г'])
    expect(told(query, a, b, 10)).toEqual([`data items.more ${place}`])
  })
})

it('rows that go by themselves are content: of a search, of a month', () => {
  const found = (...titles: readonly string[]): unknown => ({
    query: { search: rows(...titles) }
  })
  expect(
    told('action=query&list=search&srsearch=x', found('А', 'Б'), found('А'))
  ).toEqual(['data items.fewer query.search[*]'])
})

describe('a generator without results', () => {
  const query = 'action=query&generator=links&titles=Узел&prop=info'
  const a = { query: { pages: rows('А') } }

  it('is content where the wiki was edited', () => {
    expect(
      told(query, a, { batchcomplete: true }, 10).filter((one) => !/^additive/.test(one))
    ).toEqual(['data field.removed query'])
  })

  it('is told where it was not', () => {
    expect(told(query, a, { batchcomplete: true })).toContain(
      'breaking field.removed query'
    )
  })

  it('is told of requests without a generator', () => {
    expect(told('action=query&titles=А', a, { batchcomplete: true }, 10)).toContain(
      'breaking field.removed query'
    )
  })
})

describe('a user of another name, at one revision', () => {
  const query = 'action=query&prop=revisions&revids=5|6&rvprop=ids|user'
  const answer = (...users: readonly string[]): unknown => ({
    query: {
      pages: [
        {
          pageid: 1,
          title: 'А',
          revisions: users.map((user, at) => ({ revid: 5 + at, user }))
        }
      ]
    }
  })
  const place = 'query.pages[*].revisions[*].user'

  it('was renamed, where other users have their names', () => {
    expect(told(query, answer('Bob', 'Eve'), answer('Robert', 'Eve'))).toEqual([
      `data value.changed ${place}`
    ])
  })

  it('is another name, where all have other ones, or one has the name of another', () => {
    expect(told(query, answer('Bob', 'Eve'), answer('User:Bob', 'User:Eve'))).toEqual([
      `risky value.changed ${place}`
    ])
    expect(told(query, answer('Bob', 'Eve'), answer('Eve', 'Eve'))).toEqual([
      `risky value.changed ${place}`
    ])
  })
})

it('numbers of pages that another wiki gave to other pages are content', () => {
  const all = 'action=query&list=allpages'
  const pages = (...ids: readonly number[]): unknown => ({
    query: { allpages: ids.map((pageid, at) => ({ pageid, title: `Т${at}` })) }
  })
  const query = 'action=query&pageids=1'
  const page = (title: string): unknown => ({
    query: { pages: [{ pageid: 1, ns: 0, title }] }
  })
  const { findings } = compareCassettes(
    side('a', { [all]: pages(1, 2, 3), [query]: page('Т0') }, { manifest }),
    side('b', { [all]: pages(3, 2, 1), [query]: page('Т2') }, { manifest })
  )
  expect(findings.filter(({ axis }) => axis !== 'data')).toEqual([])
})
