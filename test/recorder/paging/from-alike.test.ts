/** Answers out of listings that differ in what does not matter: without rows, or in limits of props with room. */
import { describe, expect, test } from 'vitest'
import { rowsOf, tapeOf } from './tape.ts'

const { record, ask } = tapeOf()
const none = { batchcomplete: '' }
const listOf = (module: string, ...rows: readonly string[]): object => ({
  batchcomplete: '',
  query: { [module]: rowsOf(...rows) }
})
const pageOf = (ns: number, more: object = {}): object => ({
  batchcomplete: '',
  query: { pages: { 1: { pageid: 1, ns, title: 'A', ...more } } }
})

describe('a list without rows has none', () => {
  const base = 'list=backlinks&bltitle=A&continue='
  const empty = record(`${base}&bllimit=3`, listOf('backlinks'))

  test('in the other direction', () => {
    expect(ask(`${base}&bllimit=1&bldir=descending`, empty)).toContain('"backlinks":[]')
    expect(ask(`${base}&bllimit=1&bldir=newer`, empty)).toContain('nothing of this')
    const warned = record(`${base}&bllimit=3`, {
      ...listOf('backlinks'),
      warnings: { backlinks: { '*': 'Bad' } }
    })
    expect(ask(`${base}&bllimit=1&bldir=descending`, warned)).not.toContain('[]')
  })

  test('but of those from a time on, which are others then', () => {
    const timed = 'list=protectedtitles&ptlimit=3&continue='
    const since = `${timed}&ptstart=2020-01-01T00:00:00Z`
    const newer = '&ptdir=newer'
    const answer = listOf('protectedtitles')
    expect(ask(timed + newer, record(timed, answer))).toContain('"protectedtitles":[]')
    expect(ask(since + newer, record(since, answer))).toContain('nothing of this')
  })

  test('but of files by time between two of them', () => {
    const files = 'list=allimages&aisort=timestamp&ailimit=3&continue='
    const between = '&aistart=2025-01-01T00:00:00Z&aiend=2001-01-01T00:00:00Z'
    const down = '&aidir=descending'
    const answer = listOf('allimages')
    expect(ask(files + down, record(files, answer))).toContain('"allimages":[]')
    expect(ask(files + between + down, record(files + between, answer))).not.toContain(
      '[]'
    )
  })

  test('but of those from a sort key on, or up to one', () => {
    const members = 'list=categorymembers&cmtitle=Category:A&cmlimit=3&continue='
    const answer = listOf('categorymembers')
    const desc = '&cmdir=desc'
    expect(ask(members + desc, record(members, answer))).toContain('"categorymembers":[]')
    for (const bound of [
      'startsortkeyprefix=Z',
      'endsortkeyprefix=B',
      'starthexsortkey=ff'
    ]) {
      const bounded = `${members}&cm${bound}`
      expect(ask(bounded + desc, record(bounded, answer))).toContain('keeps to that')
    }
  })

  test('in fewer namespaces, unless the wiki refuses to be asked for some', () => {
    const more = record(`${base}&bllimit=3&blnamespace=0|4`, listOf('backlinks'))
    expect(ask(`${base}&bllimit=3&blnamespace=4`, more)).toContain('"backlinks":[]')
    expect(ask(`${base}&bllimit=3&blnamespace=6`, more)).toContain('nothing of this')
    expect(ask(`${base}&bllimit=3&blnamespace=4321`, more)).toContain('nothing of this')
    const log = 'list=logevents&letitle=A&lelimit=3&continue='
    expect(ask(`${log}&lenamespace=0`, record(log, listOf('logevents')))).toContain(
      'nothing of this'
    )
    const prop = 'prop=fileusage&titles=A&fulimit=3&continue='
    expect(ask(`${prop}&funamespace=0`, record(prop, pageOf(6)))).toContain('"title":"A"')
  })

  test('of which fewer are asked for, or other members', () => {
    const titles = 'list=protectedtitles&ptlimit=3&continue='
    const noTitles = record(titles, listOf('protectedtitles'))
    const narrower = [
      '&ptstart=2020-01-01T00:00:00Z',
      '&ptend=2020-01-01T00:00:00Z&ptprop=level|expiry'
    ]
    for (const more of narrower)
      expect(ask(titles + more, noTitles)).toContain('"protectedtitles":[]')
    for (const more of ['&ptstart=soon', '&ptprop=bogus'])
      expect(ask(titles + more, noTitles)).toContain('nothing of this')
    const since = `${titles}&ptstart=2020-01-01T00:00:00Z`
    expect(ask(titles, record(since, listOf('protectedtitles')))).not.toContain('[]')

    const users = 'list=allusers&aulimit=3&continue='
    const noUsers = record(users, listOf('allusers'))
    expect(ask(`${users}&auto=B&auprefix=C`, noUsers)).toContain('"allusers":[]')
    const pages = 'list=allpages&aplimit=3&continue='
    const noPages = record(pages, listOf('allpages'))
    expect(ask(`${pages}&apfrom=Ab&apprefix=A`, noPages)).toContain('"allpages":[]')
  })

  test('unless the wiki may refuse to be asked for fewer', () => {
    const pages = 'list=allpages&aplimit=3&continue='
    const noPages = record(pages, listOf('allpages'))
    for (const more of ['&apfrom=<', '&apprefix=a/../b'])
      expect(ask(pages + more, noPages)).not.toContain('[]')
    const words = 'list=iwbacklinks&iwbllimit=3&continue='
    const noWords = record(words, listOf('iwbacklinks'))
    expect(ask(`${words}&iwblprefix=A`, noWords)).not.toContain('[]')
    const changes = 'list=recentchanges&rclimit=3&continue='
    const noChanges = record(changes, listOf('recentchanges'))
    expect(ask(`${changes}&rcprop=patrolled`, noChanges)).not.toContain('[]')
  })

  test('unless it was filtered after its limit', () => {
    const miser = tapeOf({ miserMode: true })
    const of = 'list=categorymembers&cmtitle=Category:A&continue='
    const filtered = miser.record(
      `${of}&cmlimit=500&cmnamespace=0|4`,
      listOf('categorymembers')
    )
    const whole = miser.record(`${of}&cmlimit=500`, listOf('categorymembers'))
    const asked = `${of}&cmlimit=1&cmnamespace=0`
    expect(miser.ask(asked, filtered)).toContain('miser mode')
    expect(miser.ask(asked, whole)).toContain('"categorymembers":[]')
  })
})

describe('a generator without pages has none', () => {
  const base = 'generator=redirects&prop=links&titles=A&grdlimit=3&continue='
  const empty = record(`${base}&pllimit=2`, none)

  test('with another limit of its props, as far as the wiki says nothing of it', () => {
    expect(ask(`${base}&pllimit=500`, empty)).toBe('{"batchcomplete":""}')
    expect(ask(base, empty)).toBe('{"batchcomplete":""}')
    expect(ask(`${base}&pllimit=max`, empty)).toContain('nothing of this')
    expect(ask(`${base}&pllimit=501`, empty)).toContain('nothing of this')
    expect(ask(`${base}&plnamespace=0`, empty)).toContain('nothing of this')
  })

  test('beside whole extracts, which come for one page at a time', () => {
    const extracts = base.replace('links', 'extracts')
    expect(ask(`${extracts}&exlimit=5`, record(extracts, none))).toBe(
      '{"batchcomplete":""}'
    )
    const one = {
      query: { pages: { 1: { pageid: 1, ns: 0, title: 'A', extract: 'a' } } }
    }
    expect(ask(`${extracts}&grdlimit=7`, record(extracts, one))).toContain('one page at')
  })

  test('in another dialect, beside what is said of pages alone', () => {
    const indexed = base.replace('continue=', 'indexpageids=&converttitles=')
    const known = record(`${indexed}&continue=`, none)
    expect(ask(`${indexed}&rawcontinue=`, known)).toBe('{}')
  })
})

describe('links to redirects count in two levels, which', () => {
  const base = 'list=backlinks&bltitle=A&blredirect=&continue='

  test('does not matter where nothing links there, but for the maximum', () => {
    const empty = record(`${base}&bllimit=3`, listOf('backlinks'))
    expect(ask(`${base}&bllimit=250`, empty)).toContain('"backlinks":[]')
    expect(ask(`${base}&bllimit=max`, empty)).toContain('"limits":{"backlinks":250}')
    for (const limit of [0, 251, 501])
      expect(ask(`${base}&bllimit=${limit}`, empty)).toContain('warn twice')
    const rows = record(`${base}&bllimit=3`, listOf('backlinks', '0|1|B'))
    expect(ask(`${base}&bllimit=250`, rows)).toContain('counts too')
  })
})

describe('versions of files', () => {
  test('have pages that are none at no limit', () => {
    const query = (limit: number): string =>
      `prop=imageinfo&titles=A|B&iiurlwidth=20&iilimit=${limit}&continue=`
    expect(ask(query(5), record(query(2), pageOf(0)))).toContain('"title":"A"')
  })

  test('add nothing to these beside other modules', () => {
    const query = (limit: number, props = 'imageinfo|templates'): string =>
      `prop=${props}&titles=A|B&tllimit=${limit}&continue=`
    const templates = rowsOf('10|2|T', '10|3|U')
    expect(ask(query(5), record(query(2), pageOf(0, { templates })))).toContain(
      '"title":"U"'
    )
    expect(ask(query(5), record(query(2), pageOf(6, { templates })))).not.toContain(
      '"title":"U"'
    )
  })
})

describe('pages of a generator, with another limit of its props,', () => {
  const query = (limits: string, prop = 'links'): string =>
    `generator=allpages&prop=${prop}&continue=&${limits}`
  const answer = (more: object, head: object = {}): object => ({
    batchcomplete: '',
    ...head,
    query: { pages: { 1: { pageid: 1, ns: 0, title: 'A', ...more } } }
  })
  const links = rowsOf('0|2|B', '0|3|C')

  test('are the same if that has room for all rows', () => {
    const whole = record(query('gaplimit=3&pllimit=5'), answer({ links }))
    for (const limit of ['pllimit=2', 'pllimit=500', ''])
      expect(ask(query(`gaplimit=7&${limit}`), whole)).toContain('"title":"C"')
    for (const limit of ['pllimit=1', 'pllimit=max', 'pllimit=501', 'plnamespace=0'])
      expect(ask(query(`gaplimit=7&${limit}`), whole)).toContain('nothing of this')
  })

  test('are others where the limit cuts the rows of each, or was warned of', () => {
    const files = record(
      query('gaplimit=3&iilimit=1', 'imageinfo'),
      answer({ imageinfo: [{ user: 'Bob' }] })
    )
    expect(ask(query('gaplimit=3&iilimit=5', 'imageinfo'), files)).toContain('nothing of')
    const warned = record(
      query('gaplimit=3&pllimit=5'),
      answer({ links }, { warnings: { links: { '*': 'Bad' } } })
    )
    expect(ask(query('gaplimit=7&pllimit=6'), warned)).toContain('nothing of this')
    const miser = tapeOf({ miserMode: true })
    const filtered = miser.record(
      query('gaplimit=3&rdlimit=5&rdnamespace=0', 'redirects'),
      answer({ redirects: links })
    )
    expect(
      miser.ask(query('gaplimit=3&rdlimit=2&rdnamespace=0', 'redirects'), filtered)
    ).toContain('miser mode')
  })
})

describe('a whole listing', () => {
  const query = (limit: number, more = ''): string =>
    `prop=templates&titles=A&tllimit=${limit}&continue=${more}`
  const answer = (
    rows: readonly string[],
    head: object = { batchcomplete: '' }
  ): object => ({
    ...head,
    query: { pages: { 1: { pageid: 1, ns: 0, title: 'A', templates: rowsOf(...rows) } } }
  })
  const rows = ['0|2|B', '0|3|C', '10|4|Template:T']
  const whole = record(query(5), answer(rows))
  const down = '&tldir=descending'

  test('is read from its other end', () => {
    expect(ask(query(2, down), whole)).toBe(
      '{"continue":{"tlcontinue":"1|0|B","continue":"||"},"query":{"pages":{"1":{"pageid":1,"ns":0,"title":"A","templates":[{"pageid":4,"ns":10,"title":"Template:T"},{"pageid":3,"ns":0,"title":"C"}]}}}}'
    )
    const rest = ask(query(2, `||${down}&tlcontinue=1|0|B`), whole)
    expect(rest).toContain('"title":"B"')
    expect(rest).not.toContain('"title":"C"')
    const back = record(query(5, down), answer(rows.toReversed()))
    expect(ask(query(1), back)).toContain('"tlcontinue":"1|0|C"')
  })

  test('has the rows of its namespaces', () => {
    const said = ask(query(1, '&tlnamespace=0'), whole)
    expect(said).toContain('"tlcontinue":"1|0|C"')
    expect(ask(query(5, '&tlnamespace=0|10'), whole)).toContain('Template:T')
    expect(ask(query(5, '&tlnamespace=4'), whole)).not.toContain('"templates"')
    expect(ask(query(5, '&tlnamespace=4'), whole)).toContain('batchcomplete')
  })

  test('is one of which nothing is lacking, in the order of its continue values', () => {
    const head = { continue: { tlcontinue: '1|10|U', continue: '||' } }
    const part = record(query(3), answer(rows, head))
    for (const more of [down, '&tlnamespace=0'])
      expect(ask(query(2, more), part)).toContain('nothing of this')
    const mixed = record(query(5), answer(rows.toReversed()))
    expect(ask(query(2, down), mixed)).toContain('nothing of this')
    expect(ask(query(2, '&tldir=newer'), whole)).toContain('nothing of this')
    expect(ask(query(2, '&tltemplates=B'), whole)).toContain('nothing of this')
  })

  test('of which several namespaces were wanted is in another order', () => {
    const base = 'list=backlinks&bltitle=A&continue=&bllimit='
    const links = ['0|2|B', '4|3|Project:C', '0|4|D']
    const all = record(`${base}5`, listOf('backlinks', ...links))
    expect(ask(`${base}2&bldir=descending`, all)).toContain('"blcontinue":"0|2"')
    expect(ask(`${base}2&blnamespace=0|4`, all)).toContain('nothing of this')
    const here = 'prop=linkshere&titles=A&lhlimit=5&continue='
    const linkshere = record(here, pageOf(0, { linkshere: rowsOf(...links) }))
    expect(ask(`${here}&lhnamespace=0`, linkshere)).toContain('"title":"D"')
    expect(ask(`${here}&lhnamespace=0|4`, linkshere)).toContain('nothing of this')
  })

  test('of the members of a category has their kinds in one order in either direction', () => {
    const of =
      'list=categorymembers&cmtitle=Category:A&cmprop=ids|title|sortkey&cmlimit=5'
    const member = (ns: number, pageid: number, title: string): object => ({
      ...{ pageid, ns, title },
      sortkey: '4f'
    })
    const categorymembers = [member(0, 5, 'A'), member(14, 3, 'Category:B')]
    const all = record(`${of}&continue=`, {
      batchcomplete: '',
      query: { categorymembers }
    })
    expect(ask(`${of}&continue=&cmdir=descending`, all)).toContain('nothing of this')
    expect(ask(`${of}&continue=&cmnamespace=14`, all)).toContain('Category:B')
  })
})
