/** wikitape as an HTTP server: methods, hosts, codings, CORS, limits. */
import { EventEmitter, once } from 'node:events'
import { Agent, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { chooseCoding } from '../../../src/recorder/http/reply-headers.ts'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { interactionFiles } from '../../helpers/folders.ts'
import { ask, post, sendBytes } from '../../helpers/http-client.ts'
import { type RunningProxy, startProxy } from '../../helpers/proxies.ts'

const query = '?action=query&format=json&list=allpages&apfrom=A'
const large = JSON.stringify({ query: { text: 'Волга '.repeat(1000) } })

describe('methods', () => {
  it('HEAD gets the headers of GET and no body, and is recorded as a GET', async () => {
    const wiki = await fakeWiki(() => ({
      body: '{"query":{}}',
      headers: { 'content-language': 'ru' }
    }))
    const proxy = await startProxy(wiki.api)
    const head = await ask(proxy.api + query, { method: 'HEAD' })
    const whole = await ask(proxy.api + query)
    expect([head.text, head.headers['content-length']]).toEqual(['', '12'])
    expect([whole.text, whole.headers['x-cassette-status']]).toEqual([
      '{"query":{}}',
      'replayed'
    ])
    expect(head.headers['content-language']).toBe('ru')
    expect(wiki.seen.map(({ method }) => method)).not.toContain('HEAD')
  })

  it.each(['PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'])(
    '%s is refused and never reaches the wiki',
    async (method) => {
      const wiki = await fakeWiki()
      const proxy = await startProxy(wiki.api)
      const reply = await ask(proxy.api + query, { method })
      expect(reply.status).toBe(405)
      expect(reply.text).toContain(
        `${method} is not a method of the Action API; use GET, HEAD or POST`
      )
      expect(wiki.seen).toEqual([])
    }
  )

  it('CONNECT opens no tunnel, and says what to do instead, to the client and at the terminal', async () => {
    const proxy = await startProxy((await fakeWiki()).api)
    const reply = await sendBytes(
      proxy.origin,
      'CONNECT other.example:443 HTTP/1.1\r\nHost: other.example\r\n\r\n'
    )
    expect(reply).toMatch(/^HTTP\/1\.1 405 /)
    expect(reply).toContain(
      'CONNECT other.example:443 was refused: wikitape does not look inside TLS'
    )
    expect(proxy.reports).toEqual([
      expect.stringContaining('give the client WIKITAPE_API_URL')
    ])
  })

  it('OPTIONS is answered as a CORS preflight without asking the wiki', async () => {
    const wiki = await fakeWiki()
    const proxy = await startProxy(wiki.api)
    const reply = await ask(proxy.api, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://localhost:3000',
        'access-control-request-headers': 'api-user-agent, x-cassette'
      }
    })
    expect(reply.status).toBe(204)
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': 'http://localhost:3000',
      'access-control-allow-headers': 'api-user-agent',
      'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS'
    })
    expect(wiki.seen).toEqual([])
  })
})

describe('a GET, a urlencoded POST and a multipart POST of one read', () => {
  it('are one interaction', async () => {
    const wiki = await fakeWiki(() => '{"query":{}}')
    const proxy = await startProxy(wiki.api)
    const boundary = '----x7'
    const parts = [
      ['action', 'query'],
      ['list', 'allpages'],
      ['apfrom', 'A'],
      ['format', 'json']
    ].map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    )
    const replies = [
      await ask(proxy.api + query),
      await post(proxy.api, query.slice(1)),
      await post(`${proxy.api}?action=query&format=json`, 'list=allpages&apfrom=A'),
      await ask(proxy.api, {
        method: 'POST',
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
        body: `${parts.join('')}--${boundary}--\r\n`
      })
    ]
    expect(new Set(replies.map(({ headers }) => headers['x-cassette-key'])).size).toBe(1)
    expect(wiki.asked().length).toBe(1)
  })
})

describe('content codings', () => {
  it.each([
    ['gzip', 'gzip', gunzipSync],
    ['br', 'br', brotliDecompressSync],
    ['deflate', 'deflate', inflateSync],
    ['gzip, compress, deflate, br', 'gzip', gunzipSync],
    ['gzip;q=0, br;q=0.5', 'br', brotliDecompressSync],
    ['deflate,gzip;q=0.3', 'deflate', inflateSync],
    ['*', 'gzip', gunzipSync]
  ])('a client that takes "%s" gets %s', async (accept, coding, decode) => {
    const wiki = await fakeWiki(() => large)
    const proxy = await startProxy(wiki.api)
    for (const turn of ['recorded', 'replayed']) {
      const reply = await ask(proxy.api + query, {
        headers: { 'accept-encoding': accept }
      })
      expect(reply.headers['x-cassette-status']).toBe(turn)
      expect(reply.headers['content-encoding']).toBe(coding)
      expect(reply.headers['content-length']).toBe(String(reply.body.length))
      expect(decode(reply.body).toString()).toBe(large)
    }
  })

  it.each([undefined, '', 'identity', 'zstd', 'gzip;q=0'])(
    'a client that takes %j gets the plain text',
    async (accept) => {
      const wiki = await fakeWiki(() => large)
      const proxy = await startProxy(wiki.api)
      const reply = await ask(proxy.api + query, {
        headers: accept === undefined ? {} : { 'accept-encoding': accept }
      })
      expect(reply.headers['content-encoding']).toBeUndefined()
      expect(reply.text).toBe(large)
    }
  )

  it('compress neither what is short nor what is so long that others would wait', () => {
    const most = 8 * 1024 * 1024
    const codings = [1023, 1024, most, most + 1].map((bytes) =>
      chooseCoding('gzip', bytes)
    )
    expect(codings).toEqual(['identity', 'gzip', 'gzip', 'identity'])
  })

  it('answers to different codings do not mix', async () => {
    const wiki = await fakeWiki(() => large)
    const recording = await startProxy(wiki.api)
    await ask(recording.api + query)
    await recording.close()
    const proxy = await startProxy(undefined, { cassette: recording.cassette })
    for (let turn = 0; turn < 3; turn += 1) {
      const zipped = await ask(proxy.api + query, {
        headers: { 'accept-encoding': 'gzip' }
      })
      expect(gunzipSync(zipped.body).toString()).toBe(large)
      expect((await ask(proxy.api + query)).text).toBe(large)
    }
  })
})

describe('headers of a reply', () => {
  it('are the wiki’s that mean something, and none of Express, PHP or caches', async () => {
    const wiki = await fakeWiki(() => ({
      body: '{"error":{"code":"nosuchuser"}}',
      headers: {
        'mediawiki-api-error': 'nosuchuser',
        'content-language': 'ru',
        'x-powered-by': 'PHP/8.2',
        etag: '"1"',
        server: 'Apache',
        'x-request-id': '12345'
      }
    }))
    const recording = await startProxy(wiki.api)
    const recorded = await ask(recording.api + query)
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const replayed = await ask(replay.api + query)
    expect(recorded.headers['x-cassette-status']).toBe('recorded')
    expect(replayed.headers['x-cassette-status']).toBe('replayed')
    for (const { headers } of [recorded, replayed]) {
      expect(Object.keys(headers).sort()).toEqual([
        'connection',
        'content-language',
        'content-length',
        'content-type',
        'date',
        'mediawiki-api-error',
        'vary',
        'x-cassette-key',
        'x-cassette-status'
      ])
    }
  })
})

describe('CORS', () => {
  it('with origin=* is answered as a wiki does, in record and in replay', async () => {
    const wiki = await fakeWiki(() => ({
      body: '{"query":{}}',
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-credentials': 'false',
        'mediawiki-login-suppressed': 'true'
      }
    }))
    const proxy = await startProxy(wiki.api, { allowedOrigins: ['https://app.example'] })
    for (const turn of ['recorded', 'replayed']) {
      const { headers } = await ask(`${proxy.api + query}&origin=*`, {
        headers: { origin: 'https://app.example' }
      })
      expect(headers['x-cassette-status']).toBe(turn)
      expect(headers['access-control-allow-origin']).toBe('*')
    }
    expect(
      (await ask(proxy.api + query)).headers['access-control-allow-origin']
    ).toBeUndefined()
  })

  it('with a named origin that the wiki allows names that origin to it alone', async () => {
    const wiki = await fakeWiki((params) => ({
      body: '{"query":{}}',
      headers: {
        'access-control-allow-origin': params.get('origin') ?? 'none',
        vary: 'Origin'
      }
    }))
    const proxy = await startProxy(wiki.api, { allowedOrigins: ['https://a.example'] })
    const from = (origin: string): ReturnType<typeof ask> =>
      ask(`${proxy.api + query}&origin=${encodeURIComponent(origin)}`, {
        headers: { origin }
      })
    expect((await from('https://a.example')).headers['access-control-allow-origin']).toBe(
      'https://a.example'
    )
    expect((await from('https://a.example')).headers['access-control-allow-origin']).toBe(
      'https://a.example'
    )
    expect(
      (await from('https://b.example')).headers['access-control-allow-origin']
    ).not.toBe('https://a.example')
  })
})

describe('CORS of a named origin', () => {
  it('a refused origin (403) is kept apart from the answer to everybody else', async () => {
    const wiki = await fakeWiki((params) =>
      params.has('origin')
        ? {
            status: 403,
            body: "<p>'origin' parameter does not match Origin header</p>",
            headers: { 'content-type': 'text/html' }
          }
        : '{"query":{}}'
    )
    const recording = await startProxy(wiki.api)
    const outcomes = async ({ api }: RunningProxy): Promise<readonly string[]> => {
      const refused = `${api + query}&origin=https://evil.example`
      const seen = [
        await ask(refused),
        await ask(api + query),
        await ask(refused),
        await ask(api + query)
      ]
      return seen.map(
        ({ status, headers }) => `${status} ${headers['x-cassette-status']}`
      )
    }
    // While recording, an error of this run is asked for again.
    expect(await outcomes(recording)).toEqual([
      '403 recorded',
      '200 recorded',
      '403 recorded',
      '200 replayed'
    ])
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    expect(await outcomes(replay)).toEqual([
      '403 replayed',
      '200 replayed',
      '403 replayed',
      '200 replayed'
    ])
    const another = await ask(replay.api + query, {
      headers: { 'x-cassette-session': 'b' }
    })
    expect(another.status).toBe(200)
    expect(interactionFiles(recording.cassette).length).toBe(2)
  })

  it('an origin that is not in the Origin header gets no answer to others, however much of it is known', async () => {
    const listing =
      '{"batchcomplete":"","query":{"allpages":[{"pageid":1,"ns":0,"title":"A"}]}}'
    const wiki = await fakeWiki(() => listing)
    const recording = await startProxy(wiki.api)
    await ask(recording.api + query)
    await recording.close()
    const { api } = await startProxy(undefined, { cassette: recording.cassette })
    const statusOf = async (
      more: string,
      headers: Readonly<Record<string, string>> = {}
    ): Promise<unknown> =>
      (await ask(api + query + more, { headers })).headers['x-cassette-status']
    const origin = 'https://a.example'
    for (const more of [`&origin=${origin}`, '&origin=', `&origin=${origin}&aplimit=1`])
      expect(await statusOf(more)).toBe('miss')
    expect((await ask(`${api}${query}&origin=`)).text).toContain(
      'not the one in its Origin header'
    )
    for (const more of ['', '&origin=*']) expect(await statusOf(more)).toBe('replayed')
    expect(await statusOf(`&origin=${origin}`, { origin })).toBe('replayed')
    expect(
      await statusOf(`&origin=${origin}`, { origin: `https://b.example ${origin}` })
    ).toBe('replayed')
  })

  it('an origin that no header can hold does not end in an error of the server', async () => {
    const proxy = await startProxy((await fakeWiki()).api, { mode: 'none' })
    for (const origin of ['%0d%0aX-Evil:1', '%D0%92', '%00', '']) {
      const reply = await ask(`${proxy.api + query}&origin=${origin}`)
      expect([reply.status, reply.headers['x-evil']]).toEqual([200, undefined])
    }
  })
})

describe('limits', () => {
  it('a body beyond --max-body is refused with the flag’s name, and the next request is served', async () => {
    const wiki = await fakeWiki()
    const proxy = await startProxy(wiki.api, { maxBody: 1000 })
    const reply = await post(proxy.api, `action=parse&text=${'x'.repeat(1500)}`)
    expect(reply.status).toBe(413)
    expect(reply.text).toContain('larger than 1000 bytes; raise --max-body')
    expect(wiki.seen).toEqual([])
    expect((await ask(proxy.api + query)).status).toBe(200)
  })

  it.each(['Content-Length: 1001', 'Content-Length: 90071992547409'])(
    'a body of %s is refused before it is sent',
    async (length) => {
      const proxy = await startProxy((await fakeWiki()).api, { maxBody: 1000 })
      const { hostname, port } = new URL(proxy.origin)
      const socket = connect(Number(port), hostname)
      socket.write(`POST /w/api.php HTTP/1.1\r\nHost: localhost\r\n${length}\r\n\r\n`)
      const [reply] = (await once(socket, 'data')) as [Buffer]
      socket.destroy()
      expect(reply.toString('latin1')).toMatch(/^HTTP\/1\.1 413 /)
    }
  )

  it('a body that never ends is cut off', async () => {
    const proxy = await startProxy((await fakeWiki()).api, { maxBody: 1000 })
    const endless = `POST /w/api.php HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${`${(1000).toString(16)}\r\n${'x'.repeat(1000)}\r\n`.repeat(100)}`
    const reply = await sendBytes(proxy.origin, endless).catch(() => 'reset')
    expect(reply).toMatch(/reset|413|^$/)
    expect((await ask(proxy.api + query)).status).toBe(200)
  })

  it('a URL of fifty long Cyrillic titles is served', async () => {
    const wiki = await fakeWiki(() => '{"query":{"pages":{}}}')
    const proxy = await startProxy(wiki.api)
    const titles = Array.from(
      { length: 50 },
      (_, at) => `Длинное название страницы номер ${at} ${'ё'.repeat(40)}`
    )
    const target = `${proxy.api}?action=query&format=json&prop=info&titles=${encodeURIComponent(titles.join('|'))}`
    expect(target.length).toBeGreaterThan(20_000)
    expect((await ask(target)).status).toBe(200)
  })

  it('a longer URL is refused with what to do instead', async () => {
    const proxy = await startProxy((await fakeWiki()).api)
    const reply = await ask(`${proxy.api}?titles=${'x'.repeat(200_000)}`).catch(
      () => undefined
    )
    expect(
      reply === undefined ||
        (reply.status === 431 && reply.text.includes('send the parameters as a POST'))
    ).toBe(true)
  })

  it('raw bytes in a URL are refused with what to do instead', async () => {
    const proxy = await startProxy((await fakeWiki()).api)
    const request = Buffer.from(
      'GET /w/api.php?titles=Волга HTTP/1.1\r\nHost: localhost\r\n\r\n'
    )
    expect(await sendBytes(proxy.origin, request)).toContain('must be percent-encoded')
  })

  it('what is no HTTP is refused, and the server goes on', async () => {
    const proxy = await startProxy((await fakeWiki()).api)
    expect(await sendBytes(proxy.origin, 'NONSENSE\r\n\r\n')).toContain(
      'the request is not HTTP'
    )
    expect((await ask(proxy.api + query)).status).toBe(200)
  })
})

describe('a server that is closed', () => {
  const longest = 20_000

  it('waits for answers under way, and for nobody who asks nothing, or nothing more', async () => {
    const asked = new EventEmitter()
    const isAsked = once(asked, 'response')
    const wiki = await fakeWiki((_, __, response) => {
      asked.emit('response', response)
      return 'taken'
    })
    const proxy = await startProxy(wiki.api)
    const { port } = new URL(proxy.origin)
    const silent = connect(Number(port), '127.0.0.1')
    await once(silent, 'connect')
    const agent = new Agent({ keepAlive: true })
    const underWay = ask(proxy.api + query, { agent })
    const [response] = (await isAsked) as [ServerResponse]
    const closed = proxy.close().then(() => 'closed')
    const gone = once(silent, 'close')
    expect(
      await Promise.race([closed, gone.then(() => 'gone'), setTimeout(longest, 'waits')])
    ).toBe('gone')
    response.end('{"query":{}}')
    expect((await underWay).text).toBe('{"query":{}}')
    expect(await Promise.race([closed, setTimeout(longest, 'waits')])).toBe('closed')
    agent.destroy()
  })
})

const withHost = (origin: string, host: string): Promise<string> =>
  sendBytes(
    origin,
    `GET /w/api.php${query} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
  )

describe('the Host of a request', () => {
  it.each([
    'localhost',
    'localhost:4050',
    '127.0.0.1:1',
    '[::1]:4050',
    '[::1]',
    'wiki.localhost',
    'LOCALHOST'
  ])('%s is served', async (host) => {
    const proxy = await startProxy((await fakeWiki()).api)
    expect(await withHost(proxy.origin, host)).toMatch(/^HTTP\/1\.1 200 /)
  })

  it.each([
    'evil.example',
    'evil.example:4050',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    ''
  ])('%j is not served (DNS rebinding)', async (host) => {
    const wiki = await fakeWiki()
    const proxy = await startProxy(wiki.api)
    const reply = await withHost(proxy.origin, host)
    expect(reply).toMatch(/^HTTP\/1\.1 403 /)
    expect(reply).toContain('not for this server; add --host')
    expect(wiki.seen).toEqual([])
  })

  it.each([
    '8.8.8.8',
    '192.168.1.5:4050',
    '[2001:db8::1]:4050',
    '0.0.0.0',
    '169.254.169.254',
    '[::ffff:8.8.8.8]'
  ])('%s is an address that nobody listens on here', async (host) => {
    const wiki = await fakeWiki()
    const proxy = await startProxy(wiki.api)
    expect(await withHost(proxy.origin, host)).toMatch(/^HTTP\/1\.1 403 /)
    expect(wiki.seen).toEqual([])
  })
})

describe('the Host of a request, wherever it leads', () => {
  it('may be any address where wikitape listens on all of them', async () => {
    const proxy = await startProxy((await fakeWiki()).api, { host: '0.0.0.0' })
    expect(await withHost(proxy.origin, '192.168.1.5:4050')).toMatch(/^HTTP\/1\.1 200 /)
    expect(await withHost(proxy.origin, 'evil.example')).toMatch(/^HTTP\/1\.1 403 /)
  })

  it.each([
    'localhost\r\nHost: evil.example',
    'evil.example\r\nHost: localhost',
    'localhost\r\nhOsT: localhost'
  ])('stands there once: %j', async (hosts) => {
    const wiki = await fakeWiki()
    const proxy = await startProxy(wiki.api)
    const reply = await withHost(proxy.origin, hosts)
    expect(reply).toMatch(/^HTTP\/1\.1 403 /)
    expect(wiki.seen).toEqual([])
  })

  it('guards the admin pages as well', async () => {
    const proxy = await startProxy((await fakeWiki()).api)
    const reply = await ask(`${proxy.origin}/__wikitape/interactions`, {
      headers: { host: 'evil.example' }
    })
    expect(reply.status).toBe(403)
  })
})

describe('other paths of the wiki', () => {
  it('are recorded as they are: target exact, bytes exact', async () => {
    const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 254, 10, 13])
    const wiki = await fakeWiki(() => ({
      body: image,
      headers: { 'content-type': 'image/png' }
    }))
    const proxy = await startProxy(wiki.api)
    const target = '/w/images//a/%2F.png?x=1'
    for (const turn of ['recorded', 'replayed']) {
      const reply = await ask(proxy.origin, { target })
      expect(reply.headers['x-cassette-status']).toBe(turn)
      expect([reply.body.equals(image), reply.headers['content-type']]).toEqual([
        true,
        'image/png'
      ])
    }
    expect(wiki.seen.map((one) => one.target)).toEqual([target])
  })

  it('are recorded whole though the client asked for a part', async () => {
    const wiki = await fakeWiki((_, { headers }) =>
      headers.range === undefined && headers['if-none-match'] === undefined
        ? { body: 'whole', headers: { 'content-type': 'text/plain' } }
        : { status: 304, body: '' }
    )
    const proxy = await startProxy(wiki.api)
    const reply = await ask(`${proxy.origin}/w/load.php?a`, {
      headers: { 'if-none-match': '"1"', range: 'bytes=0-1' }
    })
    expect([reply.status, reply.text]).toEqual([200, 'whole'])
  })
})

describe('connections', () => {
  it('are kept for the next request', async () => {
    const proxy = await startProxy((await fakeWiki()).api)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ports = new Set<number | undefined>()
    agent.on('free', (socket: { readonly localPort?: number }) =>
      ports.add(socket.localPort)
    )
    for (let turn = 0; turn < 5; turn += 1) await ask(proxy.api + query, { agent })
    agent.destroy()
    expect(ports.size).toBe(1)
  })
})
