/** Rows that are sorted by more than they are asked for by: namespaces of linking pages, users, distinct pages. */
import { describe, expect, test } from 'vitest'
import { pagesText, rowsOf, tapeOf } from './tape.ts'

const { record, ask } = tapeOf()
const continued = (param: string, value: string): string => `"${param}":"${value}"`

describe('linking pages of several namespaces', () => {
  const inOrder = ['0|5|B', '0|9|A', '1|2|Talk:A', '1|7|Talk:B']
  const rows = rowsOf(...inOrder)
  const answer = (pages: string): string =>
    `{"batchcomplete":"","query":{"pages":${pages}}}`

  test.each([
    ['linkshere', 'lh', 'titles=X', ['0|9|A', '0|5|B', '1|2|Talk:A', '1|7|Talk:B']],
    ['transcludedin', 'ti', 'titles=X', ['0|9|A', '0|5|B', '1|2|Talk:A', '1|7|Talk:B']],
    ['backlinks', 'bl', 'gbltitle=X', inOrder],
    ['embeddedin', 'ei', 'geititle=X', inOrder]
  ] as const)(
    'come by namespace, then by id: generator=%s',
    (module, prefix, of, written) => {
      const query = (limit: number): string =>
        `generator=${module}&${of}&g${prefix}namespace=0|1&g${prefix}limit=${limit}&continue=`
      const whole = record(query(500), answer(pagesText(...written)))
      const first = ask(query(1), whole)
      expect(first).toContain('"title":"B"')
      expect(first).toContain(continued(`g${prefix}continue`, '0|9'))
      const three = ask(query(3), whole)
      expect(three).toContain('"title":"Talk:A"')
      expect(three).toContain(continued(`g${prefix}continue`, '1|7'))
    }
  )

  test('of one page continue by namespace and id as rows of a prop, too', () => {
    const query = (limit: number): string =>
      `prop=linkshere&titles=X&lhnamespace=0|1&lhlimit=${limit}&continue=`
    const page = { 1: { pageid: 1, ns: 0, title: 'X', linkshere: rows } }
    const whole = record(query(500), { batchcomplete: '', query: { pages: page } })
    expect(ask(query(2), whole)).toContain(continued('lhcontinue', '1|2'))
  })

  test('come by id alone where no namespace is asked for, whatever their values name', () => {
    const query = (limit: number): string =>
      `generator=backlinks&gbltitle=X&gbllimit=${limit}&continue=`
    const written = ['1|2|Talk:A', '0|5|B', '1|7|Talk:B', '0|9|A']
    const whole = record(query(500), answer(pagesText(...written)))
    expect(ask(query(2), whole)).toContain(continued('gblcontinue', '1|7'))
    const list = (limit: number): string =>
      `list=backlinks&bltitle=X&bllimit=${limit}&continue=`
    const listed = record(list(500), {
      batchcomplete: '',
      query: { backlinks: rowsOf(...written) }
    })
    expect(ask(list(3), listed)).toContain(continued('blcontinue', '0|9'))
  })
})

describe('pages by title in several namespaces', () => {
  const query = (limit: number): string =>
    `generator=linkshere&titles=X&glhlimit=${limit}&continue=`

  test('are not served in an order of namespaces that the whole does not show', () => {
    // By id: 0, 1, 0. Either order of namespaces explains the whole, but not its last two rows.
    const whole = record(
      query(500),
      `{"batchcomplete":"","query":{"pages":${pagesText('0|9|A', '0|2|B', '1|5|Talk:A')}}}`
    )
    expect(ask(query(2), whole)).toContain('"Talk:A"')
    const rest = `${query(2).replace('continue=', '')}glhcontinue=5&continue=glhcontinue||`
    expect(ask(rest, whole)).toContain(
      'the order of its pages in the response is not proven'
    )
  })
})

describe('contributions', () => {
  const row = (user: string, at: number): object => ({
    user,
    revid: at,
    timestamp: `2024-01-01T00:00:0${at}Z`
  })
  const recorded = (query: string, ...rows: readonly object[]) =>
    record(`list=usercontribs&${query}&uclimit=500&continue=`, {
      batchcomplete: '',
      query: { usercontribs: rows }
    })
  const next = (query: string, ...rows: readonly object[]): string =>
    ask(`list=usercontribs&${query}&uclimit=1&continue=`, recorded(query, ...rows))

  test('of addresses in a range continue by address', () => {
    expect(
      next('uciprange=10.0.0.0/24', row('10.0.0.1', 5), row('10.0.0.2', 7))
    ).toContain(continued('uccontinue', 'name|10.0.0.2|20240101000007|7'))
  })

  test('of several ids continue by an id that no row shows; of one id by time', () => {
    const several = next('ucuserids=3|4', row('A', 5), row('B', 7))
    expect(several).toMatch(/"uccontinue":"wikitape-/)
    expect(next('ucuserids=3', row('A', 7), row('A', 5))).toContain(
      continued('uccontinue', '20240101000005|5')
    )
  })
})

describe('rows of distinct pages', () => {
  const query = (titles: string, limit: number): string =>
    `prop=linkshere&titles=${titles}&lhlimit=${limit}&continue=`
  const page = (rows: readonly object[]): object => ({
    pageid: 1,
    ns: 0,
    title: 'X',
    linkshere: rows
  })
  const links = rowsOf('0|5|B', '0|9|A')

  test.each([
    [
      'an invalid title',
      'X|<x>',
      { '-1': { title: '<x>', invalid: '', invalidreason: 'bad' } }
    ],
    ['a page named twice', 'X|:X', {}]
  ])('are those of one page beside %s', (_, titles, more) => {
    const whole = record(query(titles, 500), {
      batchcomplete: '',
      query: { pages: { ...more, 1: page(links) } }
    })
    expect(ask(query(titles, 1), whole)).toContain(continued('lhcontinue', '9'))
  })

  test('are those of files alone, for a prop that has only these', () => {
    const titles = 'File:F.png|X'
    const file = { pageid: 2, ns: 6, title: 'File:F.png', fileusage: links }
    const fileQuery = (limit: number): string =>
      `prop=fileusage&titles=${titles}&fulimit=${limit}&continue=`
    const whole = record(fileQuery(500), {
      batchcomplete: '',
      query: { pages: { 1: { pageid: 1, ns: 0, title: 'X' }, 2: file } }
    })
    expect(ask(fileQuery(1), whole)).toContain(continued('fucontinue', '9'))
  })
})
