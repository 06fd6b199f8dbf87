/** Counting requests of a log, and choosing which to send. */
import { describe, expect, it } from 'vitest'
import { LogTally } from '../../../src/cli/access-log/log-tally.ts'
import { writeQuery } from '../../../src/recorder/wiki/parameters/request-params.ts'

const line = (
  query: string,
  { method = 'GET', path = '/w/api.php', agent = 'Bot/1.0', second = 0 } = {}
): string =>
  `203.0.113.9 - - [10/Nov/2026:13:55:${String(second).padStart(2, '0')} +0000] "${method} ${path}${query === '' ? '' : '?'}${query} HTTP/1.1" 200 5 "-" "${agent}"`

function tallyOf(...lines: readonly string[]): LogTally {
  const tally = new LogTally('/w/api.php')
  for (const one of lines) tally.add(one)
  return tally
}
const skippedOf = ({ skipped }: LogTally): object =>
  Object.fromEntries([...skipped].map(([why, { calls }]) => [why, calls]))

describe('LogTally', () => {
  it('counts one request in several spellings once, by client, with the first and the last time', () => {
    const tally = tallyOf(
      line('action=query&titles=A%7CB&format=json', { second: 7 }),
      line('format=json&titles=B|A&action=query', { agent: 'Other/2', second: 3 }),
      line('action=query&titles=A%7CB&format=json', { second: 9 })
    )
    const [request, ...more] = tally.choose(10)
    expect(more).toEqual([])
    expect(request?.count).toEqual({
      calls: 3,
      first: Date.UTC(2026, 10, 10, 13, 55, 3),
      last: Date.UTC(2026, 10, 10, 13, 55, 9),
      agents: new Map([
        ['Bot/1.0', 2],
        ['Other/2', 1]
      ])
    })
    expect(tally.sampled).toBe(false)
  })

  it('leaves out and counts writes, secrets, POSTs and what is no request; other paths are not the wiki', () => {
    const tally = tallyOf(
      line('action=query&meta=siteinfo&format=json'),
      line('action=purge&titles=A&format=json'),
      line('action=purge&titles=B&format=json'),
      line('action=edit&title=A&token=1234567890abcdef1234567890abcdef12345678%2B%5C'),
      line('action=login&lgname=A&lgpassword=hunter2'),
      line('action=query&meta=siteinfo', { method: 'POST' }),
      line('', { method: 'POST' }),
      line(''),
      line('a=b', { path: '/de/api.php' }),
      line('a=b', { path: '/wiki/Page' }),
      'about /api.php and nothing else',
      ''
    )
    expect(tally.choose(10).map(({ params }) => writeQuery(params))).toEqual([
      'action=query&meta=siteinfo&format=json'
    ])
    expect(skippedOf(tally)).toEqual({
      'that write': 3,
      'with a secret': 1,
      'by POST, whose body no log has': 2,
      'without parameters': 1
    })
    expect([tally.lines, tally.unreadable, tally.apiCalls, tally.otherPath]).toEqual([
      12,
      1,
      8,
      '/de/api.php'
    ])
  })

  it('chooses the most frequent of each form, and counts the others with them', () => {
    const titles = Array.from({ length: 40 }, (_, at) =>
      line(`action=query&prop=info&titles=P${at}`)
    )
    const tally = tallyOf(
      ...titles,
      ...titles.slice(7, 9),
      line('action=query&meta=siteinfo'),
      line('action=parse&page=A')
    )
    const chosen = tally.choose(4)
    expect(
      chosen.map(({ params, count }) => [params.get('titles') ?? '', count.calls])
    ).toEqual([
      ['', 1],
      ['', 1],
      ['P7', 21],
      ['P8', 21]
    ])
    expect(tally.sampled).toBe(true)
  })

  it('sends no more than the limit where there are more forms', () => {
    const tally = tallyOf(
      ...Array.from({ length: 9 }, (_, at) => line(`action=query&p${at}=1`)),
      line('action=query&p5=1')
    )
    expect(tally.choose(3)).toHaveLength(3)
    expect(skippedOf(tally)).toEqual({ 'of a form beyond --limit': 6 })
  })

  it('tells a thousand clients apart, and no more', () => {
    const tally = tallyOf(
      ...Array.from({ length: 1200 }, (_, at) =>
        line('action=query', { agent: `Bot${at}/1` })
      )
    )
    const [request] = tally.choose(1)
    expect(request?.count.agents.size).toBe(1001)
    expect(request?.count.agents.get('other clients')).toBe(200)
  })
})
