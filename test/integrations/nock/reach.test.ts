/** A cassette inserted in front of a wiki behind a proxy, or with a certificate that an authority of its own has signed. */
import nock from 'nock'
import { describe, expect, it, vi } from 'vitest'
import {
  type InsertOptions,
  insertCassette
} from '../../../src/integrations/nock/insert-cassette.ts'
import { resolveConnection } from '../../../src/recorder/upstream/connection/connection-options.ts'
import { HttpProxyUpstream } from '../../../src/recorder/upstream/transport/http-proxy-upstream.ts'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { allTextIn, temporaryFolder } from '../../helpers/folders.ts'
import { authority, proxyTo, tlsWiki } from '../../helpers/tls.ts'
import { answeringWith, socketStandIn } from '../../helpers/upstreams.ts'

const query = '?action=query&list=allpages&format=json'

it.each([
  [
    'the authority is believed with cacert',
    { cacert: authority },
    { query: { by: 'tls' } }
  ],
  ['any is with insecure', { insecure: true }, { query: { by: 'tls' } }],
  ['none is otherwise', {}, undefined]
])('%s', async (_, options, expected) => {
  const apiUrl = `https://127.0.0.1:${await tlsWiki('wiki')}/w/api.php`
  const root = temporaryFolder()
  const cassette = insertCassette('tape', {
    ...options,
    apiUrl,
    root,
    mode: 'once',
    quiet: true
  })
  const answer = await fetch(apiUrl + query).then(
    (reply) => reply.json(),
    () => undefined
  )
  await cassette.close()
  expect(answer).toEqual(expected)
})

it('a file that is no certificate is told at once', () => {
  const options = {
    apiUrl: 'https://wiki.test/w/api.php',
    root: temporaryFolder(),
    cacert: 'package.json'
  }
  expect(() => insertCassette('tape', options)).toThrow(
    'package.json has no PEM certificate'
  )
})

/** Names that only the proxy knows lead to its one server. */
const recorded = async (
  apiUrl: string,
  env: Readonly<Record<string, string>>,
  options: InsertOptions = {},
  times = 1
) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const root = temporaryFolder()
  const cassette = insertCassette('tape', {
    ...options,
    apiUrl,
    root,
    mode: 'once',
    quiet: true
  })
  vi.unstubAllEnvs()
  const asked = Array.from({ length: times }, (_, at) =>
    fetch(`${apiUrl}${query}&aplimit=${at + 1}`).then(
      (reply) => reply.json() as Promise<unknown>,
      (error: unknown) => String(error instanceof Error ? error.cause : error)
    )
  )
  const answers = await Promise.all(asked)
  await cassette.close()
  return { answers, text: allTextIn(root) }
}

const api = 'https://wiki.test/w/api.php'

describe('through a proxy', () => {
  it('of the environment, https goes in tunnels, and its password reaches no disk', async () => {
    const proxy = await proxyTo(await tlsWiki('wiki'), {
      credentials: 'me:k83hd7fhs82hf7s'
    })
    const env = { HTTPS_PROXY: `http://me:k83hd7fhs82hf7s@127.0.0.1:${proxy.port}` }
    const { answers, text } = await recorded(api, env, { cacert: authority }, 8)
    expect(answers).toEqual(Array.from({ length: 8 }, () => ({ query: { by: 'tls' } })))
    expect(new Set(proxy.lines)).toEqual(new Set(['CONNECT wiki.test:443']))
    expect(text).not.toContain('k83hd7fhs82hf7s')
  })

  it('of the environment, http goes with the whole URL', async () => {
    const wiki = await fakeWiki()
    const proxy = await proxyTo(Number(new URL(wiki.api).port))
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` }
    const { answers } = await recorded('http://wiki.test/w/api.php', env)
    expect(answers).toEqual([expect.objectContaining({ query: expect.anything() })])
    expect(proxy.lines.at(-1)).toMatch(
      /^GET http:\/\/wiki\.test\/w\/api\.php\?action=query\S+ host wiki\.test$/
    )
  })

  it('that is named counts before the environment; NO_PROXY excepts from that', async () => {
    const proxy = await proxyTo(await tlsWiki('expired'))
    const named = { proxy: `http://127.0.0.1:${proxy.port}`, insecure: true }
    const { answers } = await recorded(api, { HTTPS_PROXY: 'http://127.0.0.1:1' }, named)
    expect(answers).toEqual([{ query: { by: 'tls' } }])
    const excepted = { HTTPS_PROXY: named.proxy, NO_PROXY: '.test' }
    const earlier = proxy.lines.length
    expect((await recorded(api, excepted)).answers).toEqual([
      expect.stringMatching(/wiki\.test cannot be reached \(/)
    ])
    expect([earlier > 0, proxy.lines.length]).toEqual([true, earlier])
  })
})

describe('through a proxy, with other clients', () => {
  it.each([
    [
      'that refuses',
      { refuses: 403 },
      'refuses to connect to https://wiki.test (status 403)'
    ],
    [
      'that wants a password',
      { credentials: 'a:b' },
      'requires a user name and a password'
    ],
    ['to a wiki whose certificate is not believed', {}, 'signed by an unknown authority']
  ])('%s is told', async (_, options, message) => {
    const proxy = await proxyTo(await tlsWiki('wiki'), options)
    const { answers } = await recorded(api, {
      https_proxy: `http://127.0.0.1:${proxy.port}`
    })
    expect(answers).toEqual([expect.stringContaining(message)])
    // The first own requests go side by side, and nothing is asked after they failed.
    expect(new Set(proxy.lines)).toEqual(new Set(['CONNECT wiki.test:443']))
    expect(proxy.lines.length).toBeLessThanOrEqual(2)
  })

  it('so does whatever else asks a wiki beside nock (startRecording, toHaveNoDrift)', async () => {
    const proxy = await proxyTo(await tlsWiki('wiki'))
    const route = resolveConnection(
      'https://wiki.test',
      { proxy: `http://127.0.0.1:${proxy.port}`, cacert: authority },
      {}
    )
    const upstream = new HttpProxyUpstream('https://wiki.test', {
      ...route,
      timeout: 5000,
      maxBytes: 10_000
    })
    const question = {
      method: 'GET',
      target: `/w/api.php${query}`,
      headers: {},
      body: new Uint8Array()
    } as const
    const answers = await Promise.all([upstream.ask(question), upstream.ask(question)])
    upstream.close()
    expect(answers.map(({ body }) => Buffer.from(body).toString())).toEqual(
      Array.from({ length: 2 }, () => '{"query":{"by":"tls"}}')
    )
  })

  it('what nock is told not to let out stays in', async () => {
    const proxy = await proxyTo(await tlsWiki('wiki'))
    nock.disableNetConnect()
    const { answers } = await recorded(
      api,
      {},
      { proxy: `http://127.0.0.1:${proxy.port}`, cacert: authority }
    )
    nock.enableNetConnect()
    expect(answers).toEqual([expect.stringContaining('wiki.test cannot be reached')])
  })

  it('that speaks no TLS, or is silent, is told', async () => {
    const garbage = await answeringWith(
      'HTTP/1.1 200 OK\r\n\r\nThis is no TLS at all, it is a text.\r\n'
    )
    expect((await recorded(api, { HTTPS_PROXY: garbage.origin })).answers).toEqual([
      expect.stringContaining(`through the proxy ${garbage.origin}`)
    ])
    const silent = await socketStandIn(() => undefined)
    const { answers } = await recorded(
      api,
      { HTTPS_PROXY: silent.origin },
      { timeout: 1 }
    )
    expect(answers).toEqual([expect.stringContaining('no data for 1 s')])
  })

  it('that cannot be used is told at once, but not where the wiki is never asked', () => {
    vi.stubEnv('HTTPS_PROXY', 'socks5://127.0.0.1:1')
    const options = { apiUrl: api, root: temporaryFolder() }
    expect(() => insertCassette('tape', { ...options, mode: 'once' })).toThrow(
      'expected http://host:port'
    )
    expect(() => insertCassette('tape', { ...options, mode: 'none' })).toThrow(
      'there is no cassette'
    )
    vi.unstubAllEnvs()
  })
})
