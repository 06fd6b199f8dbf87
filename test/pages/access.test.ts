/** The pages open no door: who may ask, by which method, and what a browser asks for by itself. */
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { ask } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'

const firefox = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
}
const typed = { ...firefox, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const addresses = [
  ...[
    '',
    'summary',
    'misses',
    'interactions',
    'api/about',
    'api/requests',
    'api/check',
    'api/drift?a=tape&b=tape'
  ]
].map((one) => `/__wikitape/${one}`)

describe.each(addresses)('%s', (address) => {
  it.each([
    [
      'fetch',
      {
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'cors'
      }
    ],
    [
      'a script',
      {
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'no-cors',
        'sec-fetch-dest': 'script'
      }
    ],
    [
      'a frame',
      {
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'iframe'
      }
    ],
    ['a sandboxed page', { origin: 'null' }]
  ])('is refused to a page of another site, by %s', async (_, headers) => {
    const { origin } = await startProxy((await fakeWiki()).api)
    const reply = await ask(origin + address, { headers })
    expect(reply.status).toBe(403)
    expect(JSON.parse(reply.text)).toMatchObject({ error: { code: 'pages-refused' } })
  })

  it('is refused under a foreign name', async () => {
    const { origin } = await startProxy((await fakeWiki()).api)
    expect(
      (await ask(origin + address, { headers: { host: 'evil.example' } })).status
    ).toBe(403)
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])(
    'is not there for %s',
    async (method) => {
      const { origin } = await startProxy((await fakeWiki()).api)
      const { status, headers } = await ask(origin + address, { method })
      expect([status, headers['allow']]).toEqual([405, 'GET, HEAD'])
      expect(
        Object.keys(headers).filter((name) => name.startsWith('access-control'))
      ).toEqual([])
    }
  )

  it('lets no other page read, frame or guess it', async () => {
    const { origin } = await startProxy((await fakeWiki()).api)
    const { headers } = await ask(origin + address, { method: 'HEAD' })
    expect(headers).toMatchObject({
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer'
    })
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'.*frame-ancestors 'none'/
    )
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('a request that is asked', () => {
  const body = JSON.stringify({ address: 'action=query' })
  const askFrom = async (headers: Readonly<Record<string, string>>) => {
    const { origin } = await startProxy((await fakeWiki()).api)
    return ask(`${origin}/__wikitape/api/ask`, { method: 'POST', headers, body })
  }

  it('is refused to a page of another site', async () => {
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect(
      (await askFrom({ ...foreign, 'content-type': 'application/json' })).status
    ).toBe(403)
  })

  it('is not read out of a form or a text, which any page may send', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const { status } = await askFrom({ 'content-type': type })
      expect(status).toBe(415)
    }
  })

  it('is refused if it is no JSON', async () => {
    const { origin } = await startProxy((await fakeWiki()).api)
    const headers = { 'content-type': 'application/json' }
    const send = (text: string) =>
      ask(`${origin}/__wikitape/api/ask`, { method: 'POST', headers, body: text })
    expect((await send('{"address"')).status).toBe(400)
  })
})

describe('questions of a page', () => {
  it.each([
    ['api/interactions?from=-1', 400],
    ['api/interactions?from=1e9', 400],
    [`api/interactions?q=${'x'.repeat(1000)}`, 400],
    ['api/interaction', 404],
    ['api/interaction?key=__proto__', 404],
    ['api/interaction?key=../../etc/passwd', 404],
    ['api/body?key=0123456789ab', 404],
    ['api/request?id=7', 404],
    ['api/compare?a=tape&b=tape&key-a=../x', 404],
    ['api/nothing', 404],
    ['..%2f..%2fpackage.json', 404],
    ['%2e%2e/%2e%2e/package.json', 404],
    ['assets/../../cli/main.js', 404],
    ['%', 404]
  ])('%.60s: %i, and what was wrong', async (target, status) => {
    const { origin, rack } = await startProxy((await fakeWiki()).api)
    const reply = await ask(origin, { target: `/__wikitape/${target}` })
    expect([reply.status, JSON.parse(reply.text)]).toEqual([
      status,
      { error: { code: expect.any(String), info: expect.any(String) } }
    ])
    expect(rack.counts().missed).toBe(0)
  })
})

describe('who comes by a link of another site', () => {
  it('sees the frame', async () => {
    const { origin } = await startProxy((await fakeWiki()).api)
    const headers = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document'
    }
    expect((await ask(`${origin}/__wikitape/`, { headers })).status).toBe(200)
  })
})

describe('what browsers ask for', () => {
  it('leads from / to the pages', async () => {
    const wiki = await fakeWiki()
    const { origin } = await startProxy(wiki.api)
    const { status, headers } = await ask(`${origin}/`, { headers: typed })
    expect([status, headers['location']]).toEqual([303, '/__wikitape/'])
    expect(wiki.seen).toEqual([])
  })

  it.each([
    '/favicon.ico',
    '/apple-touch-icon.png',
    '/apple-touch-icon-120x120-precomposed.png',
    '/.well-known/appspecific/com.chrome.devtools.json'
  ])('%s is no miss, and is not recorded', async (target) => {
    const wiki = await fakeWiki()
    const recording = await startProxy(wiki.api)
    expect((await ask(recording.origin + target, { headers: firefox })).status).toBe(204)
    expect(
      (await ask(recording.origin + target, { headers: { 'sec-fetch-mode': 'no-cors' } }))
        .status
    ).toBe(204)
    expect([wiki.seen, recording.rack.counts().recorded]).toEqual([[], 0])
    await recording.close()
    const replay = await startProxy(wiki.api, {
      cassette: recording.cassette,
      mode: 'none'
    })
    await ask(replay.origin + target, { headers: firefox })
    expect(replay.rack.counts().missed).toBe(0)
  })

  it('is the wiki’s where a program asks, or somebody through a forward proxy', async () => {
    const wiki = await fakeWiki(() => ({
      body: 'the wiki',
      headers: { 'content-type': 'text/plain' }
    }))
    const { origin, rack } = await startProxy(wiki.api)
    expect((await ask(`${origin}/`)).text).toBe('the wiki')
    expect((await ask(`${origin}/`, { headers: { accept: '*/*' } })).text).toBe(
      'the wiki'
    )
    expect((await ask(`${origin}/favicon.ico`)).text).toBe('the wiki')
    expect((await ask(origin, { target: `${wiki.origin}/`, headers: typed })).text).toBe(
      'the wiki'
    )
    expect((await ask(`${origin}/?x`, { headers: typed })).text).toBe('the wiki')
    expect(rack.counts().recorded).toBe(3)
  })
})
