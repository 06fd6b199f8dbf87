/** What shows that recorded batches, or what is known of a module, do not fit an answer: it is a miss. */
import { describe, expect, test } from 'vitest'
import type { Interaction } from '../../../src/recorder/cassette/interaction.ts'
import { rowsOf, tapeOf } from './tape.ts'

const { record, ask } = tapeOf()
const limitParam = {
  name: 'limit',
  type: 'limit',
  default: 10,
  min: 1,
  max: 500,
  highmax: 5000
}

describe('batches by numbers of rows', () => {
  const query = (limit: number, offset = 0): string =>
    `list=querypage&qppage=Longpages&qplimit=${limit}&continue=${offset === 0 ? '' : `-||&qpoffset=${offset}`}`
  const row = (title: string, value = '1'): object => ({ value, ns: 0, title })
  const batch = (
    limit: number,
    offset: number,
    next: number | undefined,
    ...rows: readonly object[]
  ) =>
    record(query(limit, offset), {
      batchcomplete: '',
      ...(next === undefined ? {} : { continue: { qpoffset: next, continue: '-||' } }),
      query: { querypage: { name: 'Longpages', results: rows } }
    })
  const first = batch(3, 0, 3, row('A'), row('B'), row('C'))

  test('are joined', () => {
    expect(ask(query(6), first, batch(3, 3, undefined, row('D'), row('E')))).toContain(
      '"title":"D"'
    )
  })

  test.each([row('C'), row('C', '9')])(
    'are not joined where both have one page',
    (again) => {
      expect(ask(query(6), first, batch(3, 3, undefined, again, row('E')))).toContain(
        'one row at two places'
      )
    }
  )
})

describe('a batch as long as its limit, of a module that cannot continue', () => {
  const things = (more: readonly object[]): object => ({
    path: 'query+things',
    prefix: 'th',
    group: 'list',
    parameters: [limitParam, ...more]
  })
  const asked = (limit: number, more: readonly object[], answered: number): string => {
    const tape = tapeOf({}, [things(more)])
    const rows = rowsOf('0|1|A', '0|2|B', '0|3|C').slice(0, answered)
    const known = tape.record('list=things&thlimit=2&continue=', {
      batchcomplete: '',
      query: { things: rows }
    })
    return tape.ask(`list=things&thlimit=${limit}&continue=`, known)
  }

  test('need not be the whole list', () => {
    expect(asked(10, [], 2)).not.toContain('"title"')
    expect(asked(10, [], 1)).toContain('"title":"A"')
    expect(asked(10, [{ name: 'continue', type: 'string' }], 2)).toContain('"title":"B"')
  })
})

describe('the size of an answer', () => {
  const query = (limit: number, at = ''): string =>
    `list=allpages&aplimit=${limit}&continue=${at === '' ? '' : `-||&apcontinue=${at}`}`
  const long = (name: string, length: number): string => name + 'x'.repeat(length)
  const recorded = (
    length: number,
    limit: number,
    warnings?: object
  ): readonly Interaction[] => {
    const rows = [long('A', length), long('B', length)].map((title, at) => ({
      pageid: at + 1,
      ns: 0,
      title
    }))
    const next = { apcontinue: long('B', length), continue: '-||' }
    const head = record(query(1), {
      batchcomplete: '',
      continue: next,
      query: { allpages: rows.slice(0, 1) }
    })
    const tail = record(query(1, long('B', length)), {
      batchcomplete: '',
      query: { allpages: rows.slice(1) }
    })
    const cut = record(`list=allpages&apnamespace=4&aplimit=${limit}&continue=`, {
      batchcomplete: '',
      continue: next,
      warnings,
      query: { allpages: rows.slice(0, 1) }
    })
    return warnings === undefined ? [head, tail] : [head, tail, cut]
  }
  const warning = { result: { '*': 'This result was truncated because …' } }

  test('is at most what the wiki makes, 8 MB unless a recorded answer was cut', () => {
    expect(ask(query(5), ...recorded(10, 5))).toContain('"title":"Bx')
    expect(ask(query(5), ...recorded(5_000_000, 5))).toContain(
      'larger than the wiki makes'
    )
    expect(ask(query(5), ...recorded(10, 5, warning))).toContain(
      'larger than the wiki makes'
    )
    const said = { result: { '*': 'larger than the limit of 9,000 bytes' } }
    expect(ask(query(5), ...recorded(10, 5, said))).toContain('"title":"Bx')
    expect(ask(query(5), ...recorded(5000, 5, said))).toContain(
      'larger than the wiki makes'
    )
  })
})

describe('limits', () => {
  const revisions = (count: number): readonly object[] =>
    Array.from({ length: count }, (_, at) => ({
      revid: 1000 - at,
      timestamp: new Date(Date.UTC(2024, 0, 1, 0, 0, 1000 - at))
        .toISOString()
        .replace('.000', ''),
      slots: { main: { '*': 'text' } }
    }))
  const query = (limit: number | string, prop = 'ids|timestamp|content'): string =>
    `prop=revisions&titles=X&rvprop=${prop}&rvslots=main&rvlimit=${limit}&continue=`
  const page = (count: number): object => ({
    1: { pageid: 1, ns: 0, title: 'X', revisions: revisions(count) }
  })
  const next = { rvcontinue: '20240101001550|950', continue: '||' }
  const warned = (limit: string): object => ({
    revisions: {
      '*': `The value "${limit}" for parameter "rvlimit" must be between 1 and 50.`
    }
  })

  test('of texts of revisions are lower, and their warnings name the limit that was sent', () => {
    const whole = record(query(500), {
      continue: next,
      warnings: warned('500'),
      query: { pages: page(50) }
    })
    const over = JSON.parse(ask(query(60), whole)) as {
      warnings: unknown
      query: { pages: object }
    }
    expect(over.warnings).toEqual(warned('60'))
    expect(JSON.stringify(over.query.pages).match(/revid/g)).toHaveLength(50)
    expect(ask(query(7), whole)).not.toContain('warnings')
    expect(ask(query(7), whole)).toContain('"rvcontinue":"20240101001633|993"')
  })

  test('of texts are warned of twice where they are beyond both maxima, and 0 only by the general one', () => {
    const whole = record(query(50), { batchcomplete: '', query: { pages: page(3) } })
    const warnedTwice =
      'The value \\"501\\" for parameter \\"rvlimit\\" must be between 1 and 500.\\n' +
      'The value \\"500\\" for parameter \\"rvlimit\\" must be between 1 and 50.'
    expect(ask(query(501), whole)).toContain(`"*":"${warnedTwice}"`)
    expect(ask(query(51), whole)).toContain('"51\\" for parameter')
    expect(ask(query(51), whole)).not.toContain('500')
    expect(ask(query(0), whole)).toMatch(/"0\\" for \S+ \S+ must be between 1 and 500\."/)
    const twice = record(query(501), {
      batchcomplete: '',
      warnings: { revisions: { '*': JSON.parse(`"${warnedTwice}"`) } },
      query: { pages: page(3) }
    })
    expect(ask(query(7), twice)).not.toContain('warnings')
    expect(ask(query(7), twice)).toContain('"revid":998')
  })

  test('of texts are lower only where the module is shown to have read them', () => {
    const deleted = (limit: number | string): string =>
      `prop=deletedrevisions&revids=7&drvprop=ids|content&drvlimit=${limit}&continue=`
    const none = record(deleted(1), {
      batchcomplete: '',
      query: { pages: { 3: { pageid: 3, ns: 0, title: 'X' } } }
    })
    for (const limit of [0, 51, 501, 'max'])
      expect(ask(deleted(limit), none)).not.toContain('"query"')
    expect(ask(deleted(50), none)).toContain('"pageid":3')
  })

  test('of texts are those of pages where a generator gives pages alone', () => {
    const generated = (limit: number | string): string =>
      `generator=revisions&titles=X&grvprop=content&grvlimit=${limit}&continue=`
    const whole = record(generated(40), {
      batchcomplete: '',
      query: { pages: { 1: { pageid: 1, ns: 0, title: 'X' } } }
    })
    expect(ask(generated(500), whole)).not.toContain('warnings')
    expect(ask(generated(500), whole)).toContain('"pageid":1')
    expect(ask(generated('max'), whole)).toContain('"limits":{"revisions":500}')
  })

  test('of callers who may have more are not those of everybody', () => {
    const changes = rowsOf('0|1|A', '0|2|B').map((one, at) => ({
      ...one,
      rcid: 9 - at,
      timestamp: `2024-01-01T00:00:0${9 - at}Z`
    }))
    const listed = (limit: string, more: object = {}): Interaction =>
      record(`list=recentchanges&rclimit=${limit}&continue=`, {
        batchcomplete: '',
        ...more,
        query: { recentchanges: changes }
      })
    const over = 'list=recentchanges&rclimit=600&continue='
    const high = { limits: { recentchanges: 5000 } }
    expect(ask(over, listed('500'))).toContain('must be between 1 and 500')
    expect(ask(over, listed('max', high))).not.toContain('warnings')
    expect(ask(over, listed('max', high))).toContain('"rcid":9')
    expect(
      ask('list=recentchanges&rclimit=6000&continue=', listed('max', high))
    ).toContain('allows this caller')
    const everybody = tapeOf({
      configuration: { usergroups: [{ name: '*', rights: ['apihighlimits'] }] }
    })
    expect(everybody.ask(over, listed('500'))).toContain('allows this caller')
  })
})

describe('props inside a generator’s batch', () => {
  const redirects = rowsOf('0|7|R1', '0|8|R2', '0|9|R3')
  const generated = (limit: number, more = ''): string =>
    `generator=links&titles=S&gpllimit=${limit}&prop=redirects&rdlimit=2&continue=${more}`
  const pages = (missing: readonly object[], existing: readonly object[]): string =>
    `{"-1":${JSON.stringify({ ns: 0, title: 'C', missing: '', ...(missing.length > 0 ? { redirects: missing } : {}) })},` +
    `"1":${JSON.stringify({ pageid: 1, ns: 0, title: 'B', ...(existing.length > 0 ? { redirects: existing } : {}) })}}`
  const answer = (next: string | undefined, shown: string): string =>
    next === undefined
      ? `{"batchcomplete":"","query":{"pages":${shown}}}`
      : `{"continue":{"rdcontinue":"${next}","continue":"||"},"query":{"pages":${shown}}}`

  test('sorted by title have rows of missing pages in their places', () => {
    const whole = record(
      generated(500).replace('rdlimit=2', 'rdlimit=500'),
      answer(undefined, pages(redirects.slice(2), redirects.slice(0, 2)))
    )
    expect(ask(generated(500).replace('rdlimit=2', 'rdlimit=500'), whole)).toContain('R1')
    const chain = [
      record(generated(500), answer('C|9', pages([], redirects.slice(0, 2)))),
      record(
        generated(500, '||&rdcontinue=C|9'),
        answer(undefined, pages(redirects.slice(2), []))
      )
    ]
    const said = ask(generated(5), ...chain)
    expect(said).toContain('"rdcontinue":"C|9"')
    expect(said).toContain('"title":"B","redirects"')
  })

  test('are refused where a recorded batch contradicts what is known of them', () => {
    const chain = [
      record(generated(500), answer('C|77', pages([], redirects.slice(0, 2)))),
      record(
        generated(500, '||&rdcontinue=C|77'),
        answer(undefined, pages(redirects.slice(2), []))
      )
    ]
    expect(ask(generated(5), ...chain)).not.toContain('"redirects"')
  })

  test('of several pages teach nothing of one page', () => {
    const linked = (limit: number, more = ''): string =>
      `generator=allpages&gaplimit=${limit}&prop=linkshere&lhlimit=1&continue=${more}`
    const row = (id: number, here: readonly object[]): object => ({
      pageid: id,
      ns: 0,
      title: id === 1 ? 'Alpha' : 'Beta',
      ...(here.length > 0 ? { linkshere: here } : {})
    })
    const shown = (a: readonly object[], b: readonly object[]): object => ({
      1: row(1, a),
      2: row(2, b)
    })
    const [x = {}, y = {}, z = {}] = rowsOf('0|141|X', '0|143|Y', '0|145|Z')
    const part = (at: string, next: string | undefined, of: object): Interaction =>
      record(linked(500, at), {
        ...(next === undefined
          ? { batchcomplete: '' }
          : { continue: { lhcontinue: next, continue: '||' } }),
        query: { pages: of }
      })
    const chain = [
      part('', 'Alpha|143', shown([x], [])),
      part('||&lhcontinue=Alpha|143', 'Beta|145', shown([y], [])),
      part('||&lhcontinue=Beta|145', undefined, shown([], [z]))
    ]
    expect(ask(linked(2), ...chain)).toContain('"lhcontinue":"Alpha|143"')
    expect(ask(linked(1), ...chain)).toContain('"lhcontinue":"143"')
  })
})

describe('parts of a recorded part', () => {
  const changes = [9, 7, 5, 3].map((at) => ({
    rcid: at,
    timestamp: `2024-01-01T00:00:0${at}Z`
  }))
  const query = (more: string): string =>
    `list=recentchanges&rcprop=ids|timestamp&rclimit=500&continue=&${more}`
  const at = (second: number): string => `2024-01-01T00:00:0${second}Z`
  const part = record(query(`rcstart=${at(9)}&rcend=${at(2)}`), {
    batchcomplete: '',
    query: { recentchanges: changes }
  })
  const idsIn = (said: string): readonly string[] => said.match(/"rcid":\d/g) ?? []

  test('are answered from it, in either direction', () => {
    expect(idsIn(ask(query(`rcstart=${at(8)}&rcend=${at(4)}`), part))).toEqual([
      '"rcid":7',
      '"rcid":5'
    ])
    expect(
      idsIn(ask(query(`rcdir=newer&rcstart=${at(4)}&rcend=${at(8)}`), part))
    ).toEqual(['"rcid":5', '"rcid":7'])
  })

  test('are misses where they reach beyond it', () => {
    expect(idsIn(ask(query(`rcstart=${at(8)}`), part))).toEqual([])
    expect(idsIn(ask(query(`rcend=${at(4)}`), part))).toEqual([])
    expect(idsIn(ask(query(`rcstart=${at(8)}&rcend=${at(1)}`), part))).toEqual([])
  })

  test('need only the rows up to their limit', () => {
    const first = record(query(''), {
      batchcomplete: '',
      continue: { rccontinue: '20240101000001|1', continue: '-||' },
      query: { recentchanges: changes }
    })
    const few = query(`rcstart=${at(8)}`).replace('rclimit=500', 'rclimit=2')
    const whole = { ...first, request: new Map([...first.request, ['rclimit', '4']]) }
    expect(idsIn(ask(few, whole))).toEqual(['"rcid":7', '"rcid":5'])
  })
})

test('a start that is no title is a miss', () => {
  const query = (more: string): string => `list=allpages&aplimit=500&continue=${more}`
  const whole = record(query(''), {
    batchcomplete: '',
    query: { allpages: rowsOf('0|1|A', '0|2|B') }
  })
  expect(ask(query('&apfrom=B'), whole)).toContain('"title":"B"')
  for (const bad of ['./', 'A/../B', 'A/./B', '../A', 'B'.repeat(255)]) {
    for (const name of ['apfrom', 'apto', 'apprefix'])
      expect(ask(query(`&${name}=${bad}`), whole)).not.toContain('"allpages"')
  }
})
