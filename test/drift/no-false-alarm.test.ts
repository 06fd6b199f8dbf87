/** One wiki, seen twice: whatever differs by itself must not be told. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../src/drift/compare.ts'
import { side } from './sides.ts'

const parse = 'action=parse&page=Волга'
const report = (seconds: string): string =>
  `<p>река</p>\n<!-- \nNewPP limit report\nCPU time usage: ${seconds} seconds\n-->\n<!--\nTransclusion expansion time report (%,ms,calls,template)\n100.00% ${seconds} 1 -total\n-->`

describe('the same wiki twice', () => {
  it('differs in its clock, its parser reports and its tokens, and tells nothing', () => {
    const answers = (
      time: string,
      seconds: string,
      token: string
    ): Record<string, unknown> => ({
      'action=query&meta=siteinfo': {
        query: { general: { time, timeoffset: 0, generator: 'MediaWiki 1.43.9' } }
      },
      [parse]: {
        parse: {
          text: { '*': report(seconds) },
          limitreportdata: [{ name: 'limitreport-cputime', '0': seconds }]
        }
      },
      'action=query&meta=tokens': { query: { tokens: { csrftoken: token } } },
      'action=query&curtimestamp=1': { curtimestamp: time, query: {} }
    })
    const a = side('a', answers('2026-01-01T00:00:00Z', '0.012', `${'a1'.repeat(20)}+\\`))
    const b = side('b', answers('2026-01-01T00:01:07Z', '0.310', `${'b2'.repeat(20)}+\\`))
    const result = compareCassettes(a, b)
    expect(result.findings).toEqual([])
    expect(result.suppressed.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(
      3
    )
  })

  it.each([
    ['another page', 'Ока', 2, 0],
    ['a page of another id', 'Волга', 3, 0],
    ['the same page', 'Волга', 2, 1]
  ])(
    'compares two revisions, which are on the other wiki of %s',
    (_, title, id, told) => {
      const answers = (
        totitle: string,
        toid: number,
        body: string
      ): Record<string, unknown> => ({
        'action=compare&fromrev=5&torev=6&formatversion=2': {
          compare: { fromrevid: 5, torevid: 6, totitle, toid, body }
        },
        'action=query&list=allpages&formatversion=2': {
          query: { allpages: [{ pageid: toid, title: 'Волга' }] }
        }
      })
      const engine = { manifest: { engine: '1.43.9' } }
      const a = side('a', answers('Волга', 2, '<tr><td>река</td></tr>'), engine)
      const b = side('b', answers(title, id, '<td>озеро</td>'), engine)
      const { findings } = compareCassettes(a, b)
      expect(findings.filter(({ axis }) => axis !== 'data')).toHaveLength(told)
    }
  )

  it('stands at another host, port and database', () => {
    const answers = (origin: string, database: string): Record<string, unknown> => ({
      'action=query&meta=siteinfo': {
        query: {
          general: {
            server: origin,
            servername: 'x',
            wikiid: database,
            logo: `${origin}/w/logo.png`,
            base: `${origin}/wiki/А`
          }
        }
      },
      'action=query&list=allimages': {
        query: { allimages: [{ name: 'A.png', url: `${origin}/w/A.png` }] }
      },
      'action=opensearch&search=а': ['а', ['А'], [''], [`${origin}/wiki/А`]],
      'action=logout': {
        body: {},
        cookies: [
          {
            name: `${database}UserID`,
            value: 'deleted',
            attributes: ['path=/'],
            expiresIn: -86400
          },
          {
            name: `${database}_session`,
            value: '',
            attributes: ['path=/', 'HttpOnly'],
            expiresIn: undefined
          }
        ]
      }
    })
    const one = 'http://127.0.0.1:8143'
    const other = 'http://wiki.test'
    const a = side('a', answers(one, 'wiki143'), {
      manifest: { upstream: `${one}/w/api.php` }
    })
    const b = side('b', answers(other, 'lab'), {
      manifest: { upstream: `${other}/w/api.php` }
    })
    expect(compareCassettes(a, b).findings).toEqual([])
  })

  it('was recorded with debuginfo on one side', () => {
    const a = side('a', { [parse]: { parse: { title: 'Волга' } } })
    const b = side('b', {
      [parse]: {
        parse: { title: 'Волга' },
        debuginfo: { mwVersion: '1.43.9', queries: [{ sql: 'x' }] }
      }
    })
    expect(compareCassettes(a, b).findings).toEqual([])
  })

  it('holds the same content under other page ids: only data', () => {
    const pages = (ids: readonly number[]): unknown => ({
      query: {
        allpages: ['Абрикос', 'Берёза', 'Волга'].map((title, at) => ({
          pageid: ids[at],
          ns: 0,
          title
        }))
      }
    })
    const query = 'action=query&list=allpages'
    const result = compareCassettes(
      side('a', { [query]: pages([1, 2, 3]) }),
      side('b', { [query]: pages([3, 1, 2]) })
    )
    expect(result.findings.map(({ axis, kind, place }) => [axis, kind, place])).toEqual([
      ['data', 'value.changed', 'query.allpages[*].pageid']
    ])
  })

  it('had a page deleted: that page is told, not its fields', () => {
    const page = { pageid: 7, ns: 0, title: 'Волга', touched: '2026-01-01T00:00:00Z' }
    const query = 'action=query&titles=Волга|Абрикос'
    const answer = (one: unknown): unknown => ({
      query: {
        pages: [
          { pageid: 1, ns: 0, title: 'Абрикос', touched: '2026-01-01T00:00:00Z' },
          one
        ]
      }
    })
    const result = compareCassettes(
      side('a', { [query]: answer(page) }),
      side('b', { [query]: answer({ ns: 0, title: 'Волга', missing: '' }) })
    )
    expect(
      result.findings.map(({ axis, severity, kind }) => [axis, severity, kind])
    ).toEqual([['data', 'cosmetic', 'items.fewer']])
  })
})

describe('ten thousand items', () => {
  const query = 'action=query&list=allpages&aplimit=max'
  const items = Array.from({ length: 10_000 }, (_, at) => ({
    pageid: at + 1,
    ns: 0,
    title: `Статья ${at + 1}`,
    length: 1000 + at
  }))
  const compare = (after: unknown): ReturnType<typeof compareCassettes> =>
    compareCassettes(
      side('a', { [query]: { query: { allpages: items } } }),
      side('b', { [query]: { query: { allpages: after } } })
    )

  it('one inserted in front and a hundred changed are 101 changes in two findings', () => {
    const changed = items.map((item, at) =>
      at % 100 === 50 ? { ...item, length: item.length + 1 } : item
    )
    const { findings } = compare([
      { pageid: 99_999, ns: 0, title: 'Новая', lastrevid: 1, length: 5 },
      ...changed
    ])
    expect(findings.map(({ kind, place, count }) => [kind, place, count])).toEqual([
      ['items.more', 'query.allpages[*]', 1],
      ['value.changed', 'query.allpages[*].length', 100]
    ])
  })

  it('one field changed in each is one finding', () => {
    const { findings } = compare(
      items.map((item) => ({ ...item, length: item.length + 1 }))
    )
    expect(findings.map(({ kind, count }) => [kind, count])).toEqual([
      ['value.changed', 10_000]
    ])
  })

  it('reversed is one finding', () => {
    expect(
      compare([...items].reverse()).findings.map(({ kind, count, title }) => [
        kind,
        count,
        title
      ])
    ).toEqual([['order.changed', 1, 'order changed: 9999 of 10000 moved']])
  })
})
