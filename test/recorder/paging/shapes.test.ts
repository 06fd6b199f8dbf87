/** Answers whose shape is their module's own, and recorded batches that are served whole. */
import { describe, expect, test } from 'vitest'
import { rowsOf, tapeOf } from './tape.ts'

const { ask, record } = tapeOf()

describe('a batch that ended with its listing', () => {
  const generated = (limit: number, more = ''): string =>
    `generator=categorymembers&gcmtitle=Category:X&gcmlimit=${limit}&formatversion=2${more}`
  const whole = record(generated(50), {
    batchcomplete: true,
    query: { pages: rowsOf('0|3|Z', '0|7|A', '0|9|K') }
  })

  test('is the answer wherever there is more room, in whatever order its rows come', () => {
    expect(ask(generated(100), whole)).toContain('"title":"Z"},{"pageid":7')
    expect(ask(generated(500, '&rawcontinue='), whole)).not.toContain('batchcomplete')
  })

  test('is none where several rows may be one page, and some may not fit', () => {
    expect(ask(generated(3), whole)).not.toContain('"pages"')
  })

  test('is none beside a start that lies behind the place where it began', () => {
    const query = (limit: string, from: string): string =>
      `list=allpages&aplimit=${limit}&continue=-||&apcontinue=C&apfrom=${from}`
    const rest = record(query('500', 'B'), {
      batchcomplete: '',
      query: { allpages: rowsOf('0|3|C', '0|4|D', '0|5|F') }
    })
    expect(ask(query('400', 'B'), rest)).toContain('"title":"C"')
    expect(ask(query('400', 'E'), rest)).not.toContain('"title":"C"')
  })

  test('is one where each row is one, as soon as all of them fit', () => {
    const links = (limit: number): string =>
      `prop=extlinks&titles=A|B&ellimit=${limit}&continue=`
    const linked = record(links(500), {
      batchcomplete: '',
      query: {
        pages: {
          3: { pageid: 3, ns: 0, title: 'A', extlinks: [{ '*': 'https://a.example/' }] },
          7: { pageid: 7, ns: 0, title: 'B', extlinks: [{ '*': 'https://b.example/' }] }
        }
      }
    })
    expect(ask(links(2), linked)).toContain('b.example')
    expect(ask(links(1), linked)).not.toContain('.example')
  })
})

test('a batch of an unknown module is not the whole, since its limit may count anything', () => {
  const parameters = [
    { name: 'limit', type: 'limit', default: 10, max: 500 },
    { name: 'continue', type: 'string' }
  ]
  const mystery = tapeOf({}, [
    { path: 'query+mystery', prefix: 'my', group: 'prop', parameters }
  ])
  const query = (limit: number): string =>
    `prop=mystery&titles=A|B&mylimit=${limit}&continue=`
  const page = (pageid: number, title: string): object => ({
    pageid,
    ns: 0,
    title,
    mystery: ['x']
  })
  const pages = { 3: page(3, 'A'), 7: page(7, 'B') }
  const said = mystery.ask(
    query(50),
    mystery.record(query(2), { batchcomplete: '', query: { pages } })
  )
  expect(said).not.toContain('mystery":[')
})

test('a generator without results is answered beside props if that is recorded', () => {
  const query = (limit: string, more = ''): string =>
    `generator=embeddedin&geititle=X&prop=info&geilimit=${limit}${more}`
  const none = record(query('10', '&continue='), { batchcomplete: '' })
  expect(ask(query('5', '&rawcontinue='), none)).toBe('{}')
  expect(ask(query('max'), none)).toBe('{"batchcomplete":"","limits":{"embeddedin":500}}')
})

test('a prop without rows, known to add nothing else, is answered beside other modules at any limit', () => {
  const query = (module: string, limit: number): string =>
    `prop=${module}&titles=A&meta=siteinfo&siprop=namespaces&continue=&${module === 'extracts' ? 'ex' : 'df'}limit=${limit}`
  const answer = {
    batchcomplete: '',
    query: { pages: { 3: { pageid: 3, ns: 0, title: 'A' } }, namespaces: {} }
  }
  const said = (module: string): string =>
    ask(query(module, 7), record(query(module, 10), answer))
  expect(said('duplicatefiles')).toBe(JSON.stringify(answer))
  expect(said('extracts')).not.toContain('"pages"')
})

describe('a list beside pages', () => {
  const query = (limit: number, more = '&continue='): string =>
    `list=allpages&titles=A|x_y&meta=userinfo&aplimit=${limit}${more}`
  const pages = {
    normalized: [{ from: 'x_y', to: 'X y' }],
    pages: { '-1': { ns: 0, title: 'X y', missing: '' }, 1: rowsOf('0|1|A')[0] }
  }
  const userinfo = { id: 0, name: '192.0.2.1', anon: '' }
  const rows = rowsOf('0|1|A', '0|2|B', '0|3|C')
  const head = { batchcomplete: '' }
  const whole = record(query(500), {
    ...head,
    query: { ...pages, allpages: rows, userinfo }
  })

  test('has them in the first batch', () => {
    const said = {
      ...head,
      continue: { apcontinue: 'B', continue: '-||userinfo' },
      query: { ...pages, allpages: rows.slice(0, 1), userinfo }
    }
    expect(ask(query(1), whole)).toBe(JSON.stringify(said))
  })

  test('says what max means behind them', () => {
    const said = { ...head, query: { ...pages, allpages: rows, userinfo } }
    const limits = { limits: { allpages: 500 } }
    const ofMax = query(500).replace('=500', '=max')
    expect(ask(ofMax, whole)).toBe(JSON.stringify({ ...said, ...limits }))
    expect(ask(query(500), record(ofMax, { ...said, ...limits }))).toBe(
      JSON.stringify(said)
    )
    const further = `list=allpages&titles=A|x_y&meta=userinfo&aplimit=max&continue=-||userinfo&apcontinue=B`
    expect(ask(further, whole)).not.toMatch(/^\{/)
  })

  test('has them in no other batch, but with rawcontinue', () => {
    const further = ask(query(5, '&continue=-||userinfo&apcontinue=B'), whole)
    expect(further).toBe(JSON.stringify({ ...head, query: { allpages: rows.slice(1) } }))
    const raw = ask(query(5, '&rawcontinue=&apcontinue=B'), whole)
    expect(raw).toBe(
      JSON.stringify({ query: { ...pages, allpages: rows.slice(1), userinfo } })
    )
  })
})

describe('a list with props and no pages', () => {
  const query = (limit: number, at = ''): string =>
    `list=allpages&prop=info|links&aplimit=${limit}&continue=${at}`
  const whole = record(query(500), {
    batchcomplete: '',
    query: { allpages: rowsOf('0|1|A', '0|2|B', '0|3|C') }
  })

  test('goes on without the props, which have finished', () => {
    expect(ask(query(1), whole)).toContain(
      '"continue":{"apcontinue":"B","continue":"-||info|links"}'
    )
    expect(ask(query(1, '-||info|links&apcontinue=B'), whole)).toContain('"title":"B"')
  })

  test('is a miss where the wiki knows no such module, which it does not say to have finished', () => {
    const beside = (limit: number): string => query(limit).replace('links', 'bogus')
    const answer = {
      batchcomplete: '',
      warnings: { query: { '*': 'Unrecognized value for parameter "prop": bogus' } },
      query: { allpages: rowsOf('0|1|A', '0|2|B') }
    }
    expect(ask(beside(1), record(beside(500), answer))).not.toContain('"allpages"')
  })
})

describe('the versions of a file', () => {
  const query = (limit: number, titles = 'File:A.png', at = ''): string =>
    `prop=imageinfo&titles=${titles}&iilimit=${limit}&continue=${at}`
  const versions = (...seconds: readonly number[]): readonly object[] =>
    seconds.map((one) => ({ timestamp: `2025-01-01T00:00:0${one}Z`, user: 'Bob' }))
  const answer = (rows: readonly object[], pageid = 5, title = 'File:A.png'): object => ({
    batchcomplete: '',
    query: {
      pages: {
        [pageid]: { pageid, ns: 6, title, imagerepository: 'local', imageinfo: rows }
      }
    }
  })
  const whole = record(query(50), answer(versions(9, 5, 3)))

  test('go on by the time of the next one, beside what each answer says of the file', () => {
    const said = ask(query(2), whole)
    expect(said).toContain(
      '"continue":{"iistart":"2025-01-01T00:00:03Z","continue":"||"}'
    )
    expect(said).toContain(
      '"imagerepository":"local","imageinfo":[{"timestamp":"2025-01-01T00:00:09Z"'
    )
    const rest = ask(query(2, 'File:A.png', '||&iistart=2025-01-01T00:00:03Z'), whole)
    expect(rest).toContain('batchcomplete')
    expect(rest).not.toContain('00:00:05Z')
  })

  test('are a miss where two have one time, since the wiki then gives one of them again', () => {
    const tied = record(query(50), answer(versions(9, 5, 5)))
    expect(ask(query(2), tied)).not.toContain('imageinfo')
    expect(ask(query(60), tied)).toContain('imageinfo')
  })

  test.each(['iiend=2025-01-01T00:00:01Z', 'iiurlwidth=20'])(
    'are a miss with %s, where the wiki counts otherwise',
    (more) => {
      const beside = (limit: number): string => query(limit, `File:A.png&${more}`)
      expect(ask(beside(2), record(beside(50), answer(versions(9, 5, 3))))).toContain(
        'elsewhere'
      )
    }
  )

  test('of several files are a miss, since the limit counts those of each', () => {
    const both = 'File:A.png|File:B.png'
    expect(ask(query(5, both), record(query(2, both), answer(versions(9, 5))))).toContain(
      'counts the rows of each file'
    )
  })
})

test('tests of rights in another order are another listing', () => {
  const query = (limit: number, tests: string): string =>
    `generator=allpages&prop=info&intestactions=${tests}&gaplimit=${limit}&continue=`
  const page = { pageid: 1, ns: 0, title: 'A', actions: { read: '', edit: '' } }
  const whole = record(query(50, 'read|edit'), {
    batchcomplete: '',
    query: { pages: { 1: page } }
  })
  expect(ask(query(60, 'read|edit'), whole)).toContain('"actions"')
  expect(ask(query(60, 'edit|read'), whole)).not.toContain('"actions"')
})

test('values of what stands beside a listing show in the order sent', () => {
  const query = (values: string, limit = 50): string =>
    `list=allpages&meta=allmessages&ammessages=${values}&aplimit=${limit}&continue=`
  const allmessages = [{ name: 'B' }, { name: 'A' }]
  const whole = record(query('B|A'), {
    batchcomplete: '',
    query: { allpages: rowsOf('0|1|A'), allmessages }
  })
  expect(ask(query('B|A', 60), whole)).toContain(JSON.stringify(allmessages))
  expect(ask(query('A|B', 60), whole)).not.toContain('"allmessages"')
})

test('a watchlist stands beside `query`, and goes on by namespace and title', () => {
  const query = (limit: number): string => `list=watchlistraw&wrlimit=${limit}&continue=`
  const rows = [
    { ns: 0, title: 'A' },
    { ns: 1, title: 'Обсуждение:Б в' }
  ]
  const whole = record(query(500), { batchcomplete: '', watchlistraw: rows })
  expect(ask(query(1), whole)).toBe(
    '{"batchcomplete":"","continue":{"wrcontinue":"1|Б_в","continue":"-||"},"watchlistraw":[{"ns":0,"title":"A"}]}'
  )
})

describe('the newest version of formats by its other name', () => {
  const whole = 'generator=categorymembers&gcmtitle=Категория:К&formatversion'
  const pages = rowsOf('0|2|Волга', '0|3|Б', '0|8|А', '14|9|Категория:В')

  test.each(['2', 'latest'])(
    'shows pages by id, not as they are listed: %s',
    (version) => {
      const recorded = record(`${whole}=${version}&gcmlimit=500`, {
        batchcomplete: true,
        query: { pages }
      })
      const said = ask(`${whole}=${version}&gcmlimit=3`, recorded)
      expect(said).not.toContain('"pages"')
    }
  )
})

describe('a module that describes no default of its limit', () => {
  const query = (more: string): string =>
    `list=allrevisions&arvprop=ids|timestamp${more}&continue=`
  const pages = Array.from({ length: 12 }, (_, at) => ({
    pageid: at + 1,
    revisions: [
      { revid: 90 - at, parentid: 0, timestamp: `2025-01-01T00:00:${59 - at}Z` }
    ],
    ns: 0,
    title: `Page ${at}`
  }))
  const whole = (more: string) =>
    record(query(`&arvlimit=50${more}`), {
      batchcomplete: '',
      query: { allrevisions: pages }
    })

  test('gives ten rows', () => {
    const said = ask(query(''), whole(''))
    expect(said).toContain('"title":"Page 9"')
    expect(said).not.toContain('"title":"Page 10"')
  })

  test('gives another number of them where it parses', () => {
    expect(ask(query('&arvparse='), whole('&arvparse='))).not.toContain('"title"')
  })
})
