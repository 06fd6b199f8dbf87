/** Of no rows none is left out: answers to requests that differ from one without rows. */
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
    const rows = record(`${base}&bllimit=3`, listOf('backlinks', '0|1|B'))
    expect(ask(`${base}&bllimit=1&bldir=descending`, rows)).toContain('nothing of this')
  })

  test('but of those from a time on, which are others then', () => {
    const timed = 'list=protectedtitles&ptlimit=3&continue='
    const since = `${timed}&ptstart=2020-01-01T00:00:00Z`
    const newer = '&ptdir=newer'
    const answer = listOf('protectedtitles')
    expect(ask(timed + newer, record(timed, answer))).toContain('"protectedtitles":[]')
    expect(ask(since + newer, record(since, answer))).toContain('nothing of this')
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
    expect(
      ask(
        `${prop}&funamespace=0`,
        record(prop, pageOf(6, { fileusage: rowsOf('0|2|B') }))
      )
    ).toContain('nothing of this')
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
