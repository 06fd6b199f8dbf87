/** Pages of other sites in the user's browser: they read what a wiki lets them read, and change nothing. */
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { crossOriginOf } from '../../../src/recorder/server/host-policy.ts'
import { type FakeWiki, fakeWiki } from '../../helpers/fake-wiki.ts'
import { filesIn, temporaryFolder } from '../../helpers/folders.ts'
import { ask, post } from '../../helpers/http-client.ts'
import {
  type ProxyOptions,
  type RunningProxy,
  startProxy
} from '../../helpers/proxies.ts'

const call = (from: string): string =>
  `?action=query&format=json&list=allpages&apfrom=${from}`

/** As browsers mark what a page of another site asks for: by `fetch`, and by an image, a link or a form. */
const marks: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    'fetch',
    {
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'cors'
    }
  ],
  ['a browser without Fetch Metadata', { origin: 'https://evil.example' }],
  [
    'an image',
    {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'no-cors',
      'sec-fetch-dest': 'image'
    }
  ],
  [
    'a link',
    {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      referer: 'https://evil.example/'
    }
  ],
  ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['two origins', { origin: 'http://localhost, https://evil.example' }]
]

interface Scene {
  readonly wiki: FakeWiki
  readonly proxy: RunningProxy
  readonly root: string
  /** All files before the page asks. */
  readonly before: ReadonlyMap<string, unknown>
}

/** A recording run in front of a cassette with three recordings. */
async function scene(options: ProxyOptions = {}): Promise<Scene> {
  const root = temporaryFolder()
  const cassette = path.join(root, 'tape')
  const wiki = await fakeWiki()
  const first = await startProxy(wiki.api, { cassette })
  for (const from of 'ABC') await ask(first.api + call(from))
  await first.close()
  const proxy = await startProxy(wiki.api, { cassette, ...options })
  return { wiki, proxy, root, before: filesIn(root) }
}

describe.each(marks)('a page of another site, by %s', (_, headers) => {
  it.each([{}, { allowControl: true }])(
    'cannot choose a mode, a cassette or a session (%o)',
    async (options) => {
      const { proxy, root, before } = await scene(options)
      const replies = [
        await ask(proxy.api + call('A'), {
          headers: { ...headers, 'x-cassette-mode': 'update' }
        }),
        await ask(proxy.api + call('A'), {
          headers: { ...headers, 'x-cassette': 'other' }
        }),
        await ask(proxy.api + call('A'), {
          headers: { ...headers, 'x-cassette-session': 's' }
        }),
        await ask(`${proxy.origin}/~other/w/api.php${call('A')}`, { headers }),
        await ask(`${proxy.origin}/~@s/w/api.php${call('A')}`, { headers }),
        await post(`${proxy.origin}/~other/w/api.php`, call('A').slice(1), headers)
      ]
      for (const reply of replies)
        expect([reply.status, reply.headers['mediawiki-api-error']]).toEqual([
          403,
          'control-refused'
        ])
      await proxy.close()
      expect(filesIn(root)).toEqual(before)
    }
  )

  it.each(['new_episodes', 'all', 'update'] as const)(
    'is answered in mode %s, and nothing of it is recorded',
    async (mode) => {
      const { proxy, root, before } = await scene({ mode })
      for (const query of [call('A'), call('Z'), '?action=purge&titles=A&format=json']) {
        const reply = await ask(proxy.api + query, { headers })
        expect([reply.status, reply.headers['x-cassette-status']]).toEqual([
          200,
          'passthrough'
        ])
      }
      if (mode === 'update') for (const from of 'ABC') await ask(proxy.api + call(from))
      await proxy.close()
      expect(filesIn(root)).toEqual(before)
      expect(
        proxy.reports.filter((line) =>
          line.includes('are not recorded; if the page is yours')
        ).length
      ).toBe(1)
    }
  )
})

describe('a page of another site', () => {
  const origin = 'https://evil.example'

  it('is not lent the credentials of the api-url', async () => {
    const wiki = await fakeWiki()
    const proxy = await startProxy(wiki.api.replace('//', '//bot:secret@'))
    await ask(proxy.api + call('A'), { headers: { origin } })
    expect(wiki.seen.at(-1)?.headers.authorization).toBeUndefined()
    await ask(proxy.api + call('A'))
    expect(wiki.seen.at(-1)?.headers.authorization).toMatch(/^Basic /)
  })

  it('does not move what other clients are answered: no epoch begins by what it posts', async () => {
    const wiki = await fakeWiki((params) =>
      params.get('action') === 'purge'
        ? '{"purge":[{"title":"A","purged":""}]}'
        : '{"query":{}}'
    )
    const proxy = await startProxy(wiki.api)
    const first = await ask(proxy.api + call('A'))
    await post(proxy.api, 'action=purge&titles=A&format=json', { origin })
    const second = await ask(proxy.api + call('A'))
    // The wiki may have changed, so it is asked again; the answer is that of the same epoch.
    expect(second.headers['x-cassette-key']).toBe(first.headers['x-cassette-key'])
    expect(proxy.rack.counts()).toMatchObject({ recorded: 1, unchanged: 1 })
  })

  it('is replayed what everybody is', async () => {
    const { proxy, wiki } = await scene()
    await proxy.close()
    await wiki.close()
    const replay = await startProxy(undefined, { cassette: proxy.cassette })
    const reply = await ask(`${replay.api + call('A')}&origin=*`, { headers: { origin } })
    expect(reply.headers).toMatchObject({
      'x-cassette-status': 'replayed',
      'access-control-allow-origin': '*'
    })
    const named = await ask(`${replay.api + call('A')}&origin=${origin}`, {
      headers: { origin }
    })
    expect(named.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('named with --allow-origin is a client like any other', async () => {
    const { proxy } = await scene({ allowedOrigins: [origin] })
    const reply = await ask(`${proxy.origin}/~other/w/api.php${call('A')}`, {
      headers: { origin }
    })
    expect(reply.headers['x-cassette-status']).toBe('recorded')
  })
})

describe('a preflight', () => {
  const preflight = async (
    target: string,
    origin: string,
    wanted: string
  ): Promise<Record<string, unknown>> => {
    const proxy = await startProxy((await fakeWiki()).api)
    const headers = { origin, 'access-control-request-headers': wanted }
    return (await ask(proxy.api + target, { method: 'OPTIONS', headers })).headers
  }

  it.each([
    'x-cassette-mode',
    'api-user-agent, X-Cassette-Mode',
    'x-cassette',
    'X-Cassette-Session'
  ])('grants no control header: %s', async (wanted) => {
    for (const origin of ['https://evil.example', 'http://localhost:3000'])
      for (const target of ['', '?origin=*', `?origin=${origin}`]) {
        const granted = (await preflight(target, origin, wanted))[
          'access-control-allow-headers'
        ]
        expect(String(granted)).not.toMatch(/cassette/i)
      }
  })

  it('does not reflect the origin of a stranger', async () => {
    const origin = 'https://evil.example'
    for (const target of [
      '',
      `?origin=${origin}`,
      '?x=origin=*',
      '?origin=*.evil.example'
    ])
      expect(
        (await preflight(target, origin, 'a'))['access-control-allow-origin']
      ).toBeUndefined()
    expect(
      (await preflight('?origin=*', origin, 'a'))['access-control-allow-origin']
    ).toBe('*')
    expect(
      (await preflight('?action=query&origin=%2A', origin, 'a'))[
        'access-control-allow-origin'
      ]
    ).toBe('*')
  })
})

describe('who is no stranger', () => {
  const own = { host: '127.0.0.1:4050', allowed: new Set<string>() }
  it.each([
    {},
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:4050' },
    { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' },
    { 'sec-fetch-site': 'cross-site', referer: 'http://localhost:3000/app' },
    { 'sec-fetch-mode': 'cors' },
    { origin: 'http://[::1]:3000' },
    { origin: 'http://wiki.localhost' },
    // Programs send these, and no browser does.
    ...['*', '', 'file://', 'file:///', 'wtf', '*, '].map((origin) => ({ origin }))
  ])('%o', (headers) => expect(crossOriginOf(headers, own)).toBeUndefined())

  it.each([
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'http://evil.example#localhost',
    'http://1270.0.0.1.example',
    'null',
    'chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh',
    'moz-extension://0b2ff2f3-6a4b-4b59-9b8e-1f2d3c4b5a69',
    'http://192.168.1.5:3000',
    'http://host.docker.internal',
    'http://localhost@evil.example',
    'http://0.0.0.0:1',
    'http://[::2]'
  ])('but %s is one', (origin) => expect(crossOriginOf({ origin }, own)).toBe(origin))
})

it.each([
  ['Origin: *', {}, { origin: '*' }],
  ['an empty Origin', {}, { origin: '' }],
  [
    'an extension',
    { allowedOrigins: ['moz-extension://1f2d'] },
    { origin: 'moz-extension://1f2d' }
  ],
  [
    'a page of a file, by fetch',
    { allowedOrigins: ['null'] },
    { origin: 'null', 'sec-fetch-site': 'cross-site' }
  ],
  [
    'a page of a file, by an image',
    { allowedOrigins: ['null'] },
    {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'no-cors',
      'sec-fetch-dest': 'image'
    }
  ]
] as const)('%s is recorded and replayed (%o)', async (_, options, headers) => {
  const { proxy } = await scene(options)
  const reply = await ask(proxy.api + call('Z'), { headers })
  expect(reply.headers['x-cassette-status']).toBe('recorded')
  expect(proxy.rack.recordedNothing()).toBe(false)
  await proxy.close()
  const replay = await startProxy(undefined, { cassette: proxy.cassette })
  expect((await ask(replay.api + call('Z'), { headers })).text).toBe(reply.text)
})

it.each([
  [
    { origin: 'http://192.168.1.5:3000' },
    'a page of "http://192.168.1.5:3000"',
    'http://192.168.1.5:3000'
  ],
  [
    { 'sec-fetch-site': 'cross-site' },
    'a page without an origin (a file, a sandboxed frame)',
    'null'
  ]
])(
  'the message names the flag that takes the page for a client (%o)',
  async (headers, words, origin) => {
    const { proxy } = await scene()
    await ask(proxy.api + call('Z'), { headers })
    expect(proxy.rack.recordedNothing()).toBe(true)
    expect(proxy.reports).toEqual([
      `requests by ${words} are not recorded; if the page is yours, add --allow-origin ${origin}`
    ])
  }
)

it.each([
  ['host.docker.internal:4050', '0.0.0.0', 200],
  ['wikitape:4050', '0.0.0.0', 200],
  ['evil.example:4050', '0.0.0.0', 403],
  ['internal.evil.example', '0.0.0.0', 403],
  ['host.docker.internal:4050', '127.0.0.1', 403]
])('asked for as %s while listening on %s: %i', async (host, listening, status) => {
  const { proxy } = await scene({ host: listening })
  const { port } = new URL(proxy.api)
  const reply = await ask(`http://127.0.0.1:${port}/w/api.php${call('A')}`, {
    headers: { host }
  })
  expect(reply.status).toBe(status)
})
