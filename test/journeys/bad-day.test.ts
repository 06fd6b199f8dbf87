/** `--trouble`: what requests meet first, in the words of MediaWiki 1.43 and of an edge; which requests, and how often. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { insertCassette } from '../../src/integrations/nock/insert-cassette.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { ask, type HttpReply, post, sendBytes } from '../helpers/http-client.ts'
import { run, serving } from '../helpers/program.ts'

const query = (title: string, more = ''): string =>
  `?action=query&format=json&formatversion=2&prop=info&titles=${title}&maxlag=5${more}`
const read = query('A')
const edit =
  'action=edit&format=json&formatversion=2&errorformat=html&title=A&text=a&token=%2B%5C'
const login = 'action=login&format=json&lgname=Bob&lgpassword=hunter2&lgtoken=%2B%5C'
const listing = (limit: number): string =>
  `?action=query&format=json&list=allpages&aplimit=${limit}`
const titles = Array.from({ length: 12 }, (_, at) => `P${at}`)

interface Recorded {
  readonly tape: string
  readonly api: string
}

// Of all tests: a replay writes nothing.
const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-bad-day-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let made: Promise<Recorded> | undefined
const recorded = (): Promise<Recorded> => (made ??= record())

/** @returns the folder of a cassette with reads, a listing, a request for the user Bob and an edit */
async function record(): Promise<Recorded> {
  const tape = path.join(folder, 'tape')
  const wiki = await fakeWiki((params) => {
    if (params.get('action') === 'login')
      return {
        headers: {
          'set-cookie': 'wiki_session=5up3rs3cr3tsess10n0f4l0g1n; path=/; httponly'
        },
        body: '{"login":{"result":"Success","lguserid":2,"lgusername":"Bob"}}'
      }
    if (params.get('action') === 'edit')
      return '{"edit":{"result":"Success","title":"A"}}'
    if (params.has('list'))
      return '{"batchcomplete":"","query":{"allpages":[{"pageid":1,"ns":0,"title":"A"}]}}'
    return `{"batchcomplete":true,"query":{"pages":[{"title":"${params.get('titles')}"}]}}`
  })
  const recording = await serving(['record', wiki.api, '--cassette', tape])
  const { api } = recording
  for (const one of [
    ...titles.map((title) => query(title)),
    read,
    query('B', '&assertuser=Bob')
  ])
    await ask(api + one)
  for (const one of [
    listing(500),
    '?action=query&format=xml&meta=siteinfo',
    `${read}&assert=bot`
  ])
    await ask(api + one)
  await post(api, edit)
  await post(api, login)
  await recording.stop()
  return { tape, api: wiki.api }
}

type Replay = (...flags: readonly string[]) => Promise<{
  readonly api: string
  readonly end: () => Promise<string>
}>
async function replays(): Promise<Replay> {
  const { tape } = await recorded()
  return async (...flags) => {
    const replay = await serving(['replay', '--cassette', tape, ...flags])
    return { api: replay.api, end: async () => (await replay.stop()).stderr }
  }
}
const partsOf = ({ status, headers, text }: HttpReply): unknown => [
  status,
  headers['mediawiki-api-error'] ?? headers['content-type'],
  headers['retry-after'],
  headers['x-database-lag'],
  text.replace(/,"(?:docref|\*)":"See [^"]*"/, '')
]

describe('what a request meets', () => {
  const page = (title: string, text: string): string =>
    `<!DOCTYPE html>\n<html><head><title>${title}</title></head>\n<body><h1>${title}</h1>\n<p>${text}</p></body></html>\n`
  const html = 'text/html; charset=utf-8'

  it.each([
    [
      'maxlag',
      read,
      [
        200,
        'maxlag',
        '5',
        '7',
        '{"error":{"code":"maxlag","info":"Waiting for a database server: 7 seconds lagged.","host":"db1","lag":7,"type":"db"}}'
      ]
    ],
    [
      'session-lost',
      `${read}&assert=bot`,
      [
        200,
        'assertbotfailed',
        undefined,
        undefined,
        '{"error":{"code":"assertbotfailed","info":"You do not have the \\"bot\\" right, so the action could not be completed."}}'
      ]
    ],
    [
      'session-lost',
      query('B', '&assertuser=Bob'),
      [
        200,
        'assertnameduserfailed',
        undefined,
        undefined,
        '{"error":{"code":"assertnameduserfailed","info":"You are no longer logged in as \\"Bob\\", so the action could not be completed."}}'
      ]
    ],
    [
      'readonly',
      edit,
      [
        200,
        'readonly',
        undefined,
        undefined,
        '{"errors":[{"code":"readonly","text":"The wiki is currently in read-only mode.","data":{"readonlyreason":"The database is locked for maintenance"},"module":"main"}]}'
      ]
    ],
    [
      'ratelimited',
      edit,
      [
        200,
        'ratelimited',
        undefined,
        undefined,
        '{"errors":[{"code":"ratelimited","text":"You\'ve exceeded your rate limit. Please wait some time and try again.","module":"edit"}]}'
      ]
    ],
    [
      'badtoken',
      edit,
      [
        200,
        'badtoken',
        undefined,
        undefined,
        '{"errors":[{"code":"badtoken","text":"Invalid CSRF token.","module":"edit"}]}'
      ]
    ],
    [
      '503',
      read,
      [503, html, '5', undefined, page('503 Backend fetch failed', 'Guru Meditation:')]
    ],
    [
      '429',
      edit,
      [
        429,
        html,
        '5',
        undefined,
        page(
          '429 Too Many Requests',
          'You are making too many requests. Please slow down.'
        )
      ]
    ],
    [
      'html',
      read,
      [
        200,
        html,
        undefined,
        undefined,
        page(
          'Maintenance',
          'This wiki is being upgraded. Please come back in a few minutes.'
        )
      ]
    ]
  ])('%s: %s', async (kind, request, parts) => {
    const { api, end } = await (await replays())('--trouble', kind)
    const sent = (): Promise<HttpReply> =>
      request === edit ? post(api, edit) : ask(api + request)
    const first = await sent()
    expect(partsOf(first)).toEqual(parts)
    expect([
      first.headers['x-cassette-status'],
      first.headers['x-cassette-trouble']
    ]).toEqual(['trouble', kind])
    // A client that asks again gets its answer.
    expect((await sent()).text).toMatch(/"title":"[AB]"/)
    expect(await end()).toContain('live requests: 0, trouble: 1')
  })

  it('slow and cut are the true answer, late or in part', async () => {
    const replay = await replays()
    const slow = await replay('--trouble', 'slow', '--trouble-delay', '1')
    const before = performance.now()
    expect((await ask(slow.api + read)).text).toContain('"title":"A"')
    expect(performance.now() - before).toBeGreaterThan(950)
    const cut = await replay('--trouble', 'cut')
    // A login that was cut is none, so that it may be made again.
    const head = `POST /w/api.php HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${login.length}\r\n\r\n`
    const answers = [
      await sendBytes(cut.api, head + login),
      await sendBytes(cut.api, head + login)
    ]
    expect(
      answers.map((text) => [/^set-cookie/im.test(text), text.includes('lgusername')])
    ).toEqual([
      [false, false],
      [true, true]
    ])
    await expect(ask(cut.api + read)).rejects.toThrow('aborted')
    expect((await ask(cut.api + read)).text).toContain('"title":"A"')
  })
})

describe('which requests, and how often', () => {
  const troubledBy = async (
    replay: Replay,
    ...flags: readonly string[]
  ): Promise<readonly string[]> => {
    const { api, end } = await replay('--trouble', ...flags)
    const kinds: string[] = []
    for (const title of titles)
      kinds.push(
        String((await ask(api + query(title))).headers['x-cassette-trouble'] ?? '')
      )
    await end()
    return kinds
  }

  it('a seed chooses, and nothing else', async () => {
    const replay = await replays()
    const first = await troubledBy(replay, 'maxlag=0.3,503=0.3', '--seed', '7')
    expect(await troubledBy(replay, 'maxlag=0.3,503=0.3', '--seed', '7')).toEqual(first)
    expect(await troubledBy(replay, 'maxlag=0.3,503=0.3', '--seed', '8')).not.toEqual(
      first
    )
    expect(new Set(first)).toEqual(new Set(['', 'maxlag', '503']))
  })

  it('the first N of each request; one for fewer rows is the same', async () => {
    const { api } = await (await replays())('--trouble', '503', '--trouble-first', '2')
    const statuses: number[] = []
    for (const url of [listing(500), listing(250), listing(125), read, read, read])
      statuses.push((await ask(api + url)).status)
    expect(statuses).toEqual([503, 503, 200, 503, 503, 200])
  })

  it('only the named modules; where none met it, the end says so', async () => {
    const replay = await replays()
    const some = await replay(
      '--trouble',
      '503',
      '--trouble-modules',
      'edit,query+allpages'
    )
    const statuses = [
      await ask(some.api + read),
      await ask(some.api + listing(500)),
      await post(some.api, edit)
    ]
    expect(statuses.map(({ status }) => status)).toEqual([200, 503, 503])
    const none = await replay('--trouble', '503', '--trouble-modules', 'edti')
    await ask(none.api + read)
    expect(await none.end()).toContain('trouble: no request met it')
  })

  it('a request that cannot meet it is answered, and what is not recorded is a miss', async () => {
    const { api } = await (await replays())('--trouble', 'maxlag,readonly,badtoken')
    expect(
      (await ask(`${api}?action=query&format=xml&meta=siteinfo`)).headers[
        'x-cassette-status'
      ]
    ).toBe('replayed')
    expect((await ask(api + query('Nowhere'))).headers['x-cassette-status']).toBe('miss')
  })
})

it.each([
  [
    ['replay', '--trouble', 'maxlga'],
    'unknown trouble kind "maxlga" (did you mean maxlag?); expected one of maxlag, '
  ],
  [
    ['replay', '--trouble', 'maxlag=2'],
    'the share of "maxlag=2" is not above 0 and up to 1; expected e.g. maxlag=0.2'
  ],
  [['replay', '--trouble', '503,'], 'unknown trouble kind ""; expected one of'],
  [['replay', '--seed', '2'], '--seed needs --trouble KINDS'],
  [
    ['record', 'http://127.0.0.1:1/w/api.php', '--trouble', '503'],
    'trouble is for replay and exec, and never recorded'
  ],
  [
    [
      'exec',
      '--record',
      'http://127.0.0.1:1/w/api.php',
      '--trouble',
      '503',
      '--',
      'true'
    ],
    '--trouble is valid only without --record'
  ]
])('refuses %j', async (args, message) => {
  const { tape } = await recorded()
  const { code, stderr } = await run([
    ...args.slice(0, 1),
    '--cassette',
    tape,
    ...args.slice(1)
  ])
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})

it('in a test, begins when the test says so, also for a request that was answered before, and ends', async () => {
  const { tape, api } = await recorded()
  const cassette = insertCassette('tape', {
    root: path.dirname(tape),
    mode: 'none',
    apiUrl: api
  })
  const statuses: number[] = []
  const request = async (): Promise<void> =>
    void statuses.push((await fetch(api + read)).status)
  await request()
  await request()
  const end = cassette.trouble({ kinds: '503', first: 2 })
  await request()
  end()
  await request()
  await cassette.close()
  expect([statuses, cassette.summary().counts.troubled]).toEqual([
    [200, 200, 503, 200],
    1
  ])
})
