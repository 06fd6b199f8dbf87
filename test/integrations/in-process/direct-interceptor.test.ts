/** Requests of this process, answered beneath every library as they would be over a socket. */
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import tls from 'node:tls'
import nock from 'nock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { interceptDirectly } from '../../../src/integrations/in-process/direct-interceptor.ts'
import type { InProcessRequest } from '../../../src/integrations/in-process/in-process-request.ts'
import {
  type Interceptor,
  runAsOwner
} from '../../../src/integrations/in-process/interceptors.ts'
import { socketStandIn } from '../../helpers/upstreams.ts'

const api = 'https://wiki.test/w/api.php'
let interceptor: Interceptor
let asked: InProcessRequest[]
/** How long each answer takes. */
let latencyMs: number

/** Answers with what was sent, and with two cookies. */
function intercept(origin: string, owner?: object): Interceptor {
  return interceptDirectly({
    origin,
    owner,
    label: 'the cassette',
    apiUrl: `${origin}/w/api.php`,
    warn: () => undefined,
    answer: async (request) => {
      asked.push(request)
      await delay(latencyMs)
      if (request.target.includes('fails')) throw new Error('the cassette cannot be read')
      if (request.target.includes('elsewhere'))
        return [
          302,
          Buffer.alloc(0),
          ['location', '/w/api.php?here', 'content-length', '0']
        ]
      const body = Buffer.from(`${request.method} ${request.target} ${request.body}`)
      const headers = [
        'content-type',
        'text/plain',
        'set-cookie',
        'a=1',
        'set-cookie',
        'b=2'
      ]
      return [200, body, [...headers, 'content-length', String(body.length)]]
    }
  })
}

// Another file of this process may have loaded it.
beforeAll(() => nock.restore())
afterAll(() => nock.activate())
beforeEach(() => {
  ;[asked, latencyMs] = [[], 0]
  interceptor = intercept('https://wiki.test')
})
afterEach(() => interceptor.stop())

describe('fetch', () => {
  it('reads status, body and each cookie', async () => {
    const reply = await fetch(`${api}?action=query`)
    expect([reply.status, await reply.text()]).toEqual([
      200,
      'GET /w/api.php?action=query '
    ])
    expect(reply.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  it.each([
    [
      'a form',
      () => new URLSearchParams({ title: 'Узел' }),
      'title=%D0%A3%D0%B7%D0%B5%D0%BB'
    ],
    ['bytes', () => new Uint8Array([104, 105]), 'hi'],
    ['a stream', () => Readable.toWeb(Readable.from(['a', 'b'])), 'ab']
  ])('sends %s', async (_, body, expected) => {
    const init = { method: 'POST', body: body(), duplex: 'half' } as RequestInit
    expect(await (await fetch(api, init)).text()).toBe(`POST /w/api.php ${expected}`)
  })

  it('sends files with their boundary', async () => {
    const form = new FormData()
    form.set('file', new Blob(['picture']), 'a.png')
    await fetch(api, { method: 'POST', body: form })
    const [{ headers, body } = {}] = asked
    const boundary = /boundary=(\S+)/.exec(String(headers?.['content-type']))?.[1]
    expect(String(body)).toContain(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"`
    )
  })

  it('follows redirects', async () => {
    expect(await (await fetch(`${api}?elsewhere`)).text()).toBe('GET /w/api.php?here ')
  })

  it('is aborted while it waits', async () => {
    latencyMs = 500
    await expect(fetch(api, { signal: AbortSignal.timeout(20) })).rejects.toThrow(
      'timeout'
    )
  })

  it('gets the reason where the cassette fails', async () => {
    await expect(fetch(`${api}?fails`)).rejects.toMatchObject({
      cause: { message: 'the cassette cannot be read' }
    })
  })
})

describe('a client whose requests are not seen', () => {
  it('gets no connection to the wiki, but to others', async () => {
    const other = await socketStandIn((socket) => socket.end())
    const { hostname, port } = new URL(other.origin)
    await once(net.connect(Number(port), hostname), 'connect')
    await other.close()
    for (const connect of [
      () => net.connect(443, 'wiki.test'),
      () => tls.connect({ host: 'wiki.test', port: 443 })
    ])
      await expect(once(connect(), 'connect')).rejects.toThrow(
        /connection to https:\/\/wiki\.test was refused: the cassette answers for this wiki/
      )
    expect(asked).toEqual([])
  })

  it('gets no tunnel to the wiki through a proxy', async () => {
    const request = http.request({
      host: 'proxy.test',
      port: 3128,
      method: 'CONNECT',
      path: 'wiki.test:443'
    })
    await expect(once(request.end(), 'connect')).rejects.toThrow(
      /https:\/\/wiki\.test was refused/
    )
  })

  it('is seen if it is an undici that was loaded before the last cassette was inserted', async () => {
    const name = Symbol.for('undici.globalDispatcher.of-a-test')
    const dispatched: unknown[] = []
    Reflect.set(globalThis, name, {
      dispatch: (options: object) => dispatched.push(options)
    })
    const second = intercept('https://second.test')
    try {
      const { dispatch } = Reflect.get(globalThis, name)
      const body = await new Promise((resolve, reject) => {
        const handler = {
          onRequestStart() {},
          onResponseStart() {},
          onResponseEnd() {},
          onResponseError: reject
        }
        dispatch(
          { method: 'GET', origin: 'https://wiki.test', path: '/w/api.php?x' },
          {
            ...handler,
            onResponseData: (_: unknown, chunk: Buffer) => resolve(String(chunk))
          }
        )
      })
      expect([body, dispatched]).toEqual(['GET /w/api.php?x ', []])
    } finally {
      await second.stop()
      Reflect.deleteProperty(globalThis, name)
    }
  })
})

describe('a request of a test that has ended', () => {
  it('goes to no other test', async () => {
    await interceptor.stop()
    const first = {}
    const second = {}
    const ofFirst = intercept('https://wiki.test', first)
    const stray = runAsOwner(first, () => delay(20).then(() => fetch(api)))
    await ofFirst.stop()
    const ofSecond = intercept('https://wiki.test', second)
    await expect(stray).rejects.toMatchObject({
      cause: { message: expect.stringContaining('has ended') }
    })
    expect((await runAsOwner(second, () => fetch(api))).status).toBe(200)
    await ofSecond.stop()
    expect(asked).toHaveLength(1)
  })
})

const get = async (
  url: string,
  options: https.RequestOptions = {}
): Promise<http.IncomingMessage> => {
  const [reply] = await once(https.get(url, options), 'response')
  return reply as http.IncomingMessage
}

describe('node:https', () => {
  it.each([
    ['the global agent', {}],
    [
      'an agent that keeps connections',
      { agent: new https.Agent({ keepAlive: true, maxSockets: 1 }) }
    ],
    ['no agent', { agent: false }]
  ] as const)('is answered with %s, again and again', async (_, options) => {
    for (const at of [1, 2, 3]) {
      const reply = await get(`${api}?${at}`, options)
      expect([reply.statusCode, await text(reply)]).toEqual([
        200,
        `GET /w/api.php?${at} `
      ])
      expect(reply.headers['set-cookie']).toEqual(['a=1', 'b=2'])
    }
  })

  it('answers what is sent to a proxy, e.g. by axios where HTTP_PROXY is set', async () => {
    const request = http.get({ host: 'proxy.test', port: 3128, path: `${api}?x` })
    const [reply]: http.IncomingMessage[] = await once(request, 'response')
    expect(reply && (await text(reply))).toBe('GET /w/api.php?x ')
  })

  it('answers many at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => text(await get(`${api}?${at}`)))
    )
    expect(replies).toEqual(replies.map((_, at) => `GET /w/api.php?${at} `))
  })

  it('uploads a stream, after it was told to continue', async () => {
    const request = https.request(api, {
      method: 'POST',
      headers: { expect: '100-continue' }
    })
    request.flushHeaders()
    await once(request, 'continue')
    Readable.from(['x'.repeat(100_000), 'y']).pipe(request)
    const [reply] = await once(request, 'response')
    expect((await buffer(reply as Readable)).length).toBe(
      'POST /w/api.php '.length + 100_001
    )
  })

  it('sends heads of more than 16 KB', async () => {
    const titles = 'x'.repeat(60_000)
    expect(await text(await get(`${api}?titles=${titles}`))).toContain(titles)
  })

  it('is aborted, times out, and gets the reason where the cassette fails', async () => {
    const failure = (request: http.ClientRequest): Promise<unknown> =>
      once(request, 'response').catch((error: unknown) => error)
    await expect(failure(https.get(`${api}?fails`))).resolves.toMatchObject({
      message: 'the cassette cannot be read'
    })
    latencyMs = 500
    const aborted = https.get(api)
    setTimeout(() => aborted.destroy(new Error('enough')), 20)
    await expect(failure(aborted)).resolves.toMatchObject({ message: 'enough' })
    const slow = https.get(api, { timeout: 20 })
    slow.on('timeout', () => slow.destroy(new Error('too slow')))
    await expect(failure(slow)).resolves.toMatchObject({ message: 'too slow' })
  })
})

it('ends with the cassette, for connections that were kept, too', async () => {
  const wiki = await socketStandIn((socket) =>
    socket.on('data', () =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nlive')
    )
  )
  const agent = new http.Agent({ keepAlive: true })
  const read = async (): Promise<string> => {
    const [reply] = await once(
      http.get(`${wiki.origin}/w/api.php`, { agent }),
      'response'
    )
    return text(reply as Readable)
  }
  expect(await read()).toBe('live')
  const own = intercept(wiki.origin)
  expect(await read()).toBe('GET /w/api.php ')
  await own.stop()
  expect(await read()).toBe('live')
  agent.destroy()
})
