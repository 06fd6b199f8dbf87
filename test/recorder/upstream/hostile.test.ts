/** Upstreams that are slow, broken or lying. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { answeringWith, httpStandIn, socketStandIn } from '../../helpers/upstreams.ts'
import { faultOf, get, posting, textOf, upstreamAt } from './asking.ts'

const head = (...lines: string[]): string =>
  `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`

describe('bodies', () => {
  it('come whole out of chunks', async () => {
    const wiki = await answeringWith(
      `${head('Transfer-Encoding: chunked')}6\r\n{"quer\r\n4;ext=1\r\ny":1\r\n1\r\n}\r\n0\r\nX-Trailer: a\r\n\r\n`
    )
    expect(textOf(await upstreamAt(wiki.origin).ask(get('/')))).toBe('{"query":1}')
  })

  it('may be empty, by length, by chunks or by nature', async () => {
    const answers = [
      head('Content-Length: 0'),
      `${head('Transfer-Encoding: chunked')}0\r\n\r\n`,
      'HTTP/1.1 204 No Content\r\n\r\n',
      'HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n',
      head('Content-Length: 0', 'Content-Encoding: gzip')
    ]
    for (const answer of answers) {
      const wiki = await answeringWith(answer)
      expect((await upstreamAt(wiki.origin).ask(get('/'))).body.length).toBe(0)
    }
  })

  it('may end with the connection', async () => {
    const wiki = await answeringWith(`${head('Connection: close')}to the end`)
    expect(textOf(await upstreamAt(wiki.origin).ask(get('/')))).toBe('to the end')
  })

  it('may be 2 MB each way', async () => {
    const large = 'Волга '.repeat(2 ** 18)
    const wiki = await httpStandIn((request, response) => response.end(request.body))
    const answer = await upstreamAt(wiki.origin).ask(posting('/w/api.php', large))
    expect(Buffer.from(answer.body).equals(Buffer.from(large))).toBe(true)
  })

  it('beyond the limit are refused before they are read whole', async () => {
    const wiki = await httpStandIn((_, response) => {
      const more = (): void =>
        void (response.write(Buffer.alloc(65_536)) && setImmediate(more))
      response.on('drain', more)
      more()
    })
    const fault = await faultOf(
      upstreamAt(wiki.origin, { maxBytes: 1_000_000 }).ask(get('/endless'))
    )
    expect(fault.fault).toBe('too-large')
  })
})

describe('lies', () => {
  it('a content-length larger than the body is a broken answer', async () => {
    const wiki = await answeringWith(`${head('Content-Length: 100')}{"query":`)
    const fault = await faultOf(upstreamAt(wiki.origin).ask(get('/')))
    expect(fault.fault).toBe('reset')
    expect(fault.message).toContain('closed the connection after 9 bytes')
  })

  it('a content-length smaller than the body cuts it there, and the next question is not answered by the rest', async () => {
    const wiki = await socketStandIn((socket) => {
      socket.on('data', () =>
        socket.write(`${head('Content-Length: 8')}{"query":{"pages":{}}}`)
      )
    })
    const upstream = upstreamAt(wiki.origin)
    expect(textOf(await upstream.ask(get('/one')))).toBe('{"query"')
    expect(textOf(await upstream.ask(get('/two')))).toBe('{"query"')
  })

  it('chunks that never end are a broken answer', async () => {
    const wiki = await answeringWith(`${head('Transfer-Encoding: chunked')}ff\r\nhalf`)
    expect((await faultOf(upstreamAt(wiki.origin).ask(get('/')))).fault).toBe('reset')
  })

  it('chunks that are none are a broken answer', async () => {
    const wiki = await answeringWith(
      `${head('Transfer-Encoding: chunked')}zz\r\nno size\r\n0\r\n\r\n`
    )
    expect((await faultOf(upstreamAt(wiki.origin).ask(get('/')))).fault).toMatch(
      /reset|undecodable/
    )
  })

  it('what is no HTTP is said to be none', async () => {
    const wiki = await answeringWith('SSH-2.0-OpenSSH_9.2\r\n')
    const fault = await faultOf(upstreamAt(wiki.origin).ask(get('/')))
    expect(fault.fault).toBe('undecodable')
    expect(fault.message).toContain('does not answer in HTTP')
  })

  it('is told to have longer headers than Node.js reads', async () => {
    const head = `HTTP/1.1 301 Moved\r\nLocation: /${'x'.repeat(20_000)}\r\nContent-Length: 0\r\n\r\n`
    const { origin } = await socketStandIn(
      (socket) => void socket.once('data', () => socket.end(head))
    )
    expect((await faultOf(upstreamAt(origin).ask(get('/')))).message).toBe(
      `${origin} answers with headers longer than 16384 bytes; set NODE_OPTIONS=--max-http-header-size=131072`
    )
  })

  it('a length and chunks at once are refused', async () => {
    const wiki = await answeringWith(
      `${head('Content-Length: 3', 'Transfer-Encoding: chunked')}3\r\nabc\r\n0\r\n\r\n`
    )
    const outcome = await upstreamAt(wiki.origin)
      .ask(get('/'))
      .then(textOf, () => 'refused')
    expect(['abc', 'refused']).toContain(outcome)
  })
})

describe('silence and resets', () => {
  it('a connection reset before any answer is told as such', async () => {
    const wiki = await socketStandIn((socket) =>
      socket.once('data', () => socket.resetAndDestroy())
    )
    const fault = await faultOf(upstreamAt(wiki.origin).ask(get('/')))
    expect(fault.fault).toBe('reset')
    expect(fault.message).toContain('closed the connection without an answer')
  })

  it('a connection closed before any answer is told as such', async () => {
    const wiki = await socketStandIn((socket) => socket.once('data', () => socket.end()))
    expect((await faultOf(upstreamAt(wiki.origin).ask(get('/')))).fault).toBe('reset')
  })

  it('a reset in the middle of the body is a broken answer', async () => {
    const wiki = await socketStandIn((socket) => {
      socket.once('data', () => {
        socket.write(`${head('Content-Length: 50')}half`, () =>
          setImmediate(() => socket.resetAndDestroy())
        )
      })
    })
    expect((await faultOf(upstreamAt(wiki.origin).ask(get('/')))).fault).toBe('reset')
  })

  it('silence ends in a timeout that names the flag', async () => {
    const wiki = await socketStandIn((socket) => void socket.resume())
    const fault = await faultOf(upstreamAt(wiki.origin, { timeout: 50 }).ask(get('/')))
    expect(fault.fault).toBe('timeout')
    expect(fault.message).toBe(
      `${wiki.origin} timed out: no data for 0.05 s; raise --timeout`
    )
  })

  it('silence in the middle of the body ends in a timeout too', async () => {
    const wiki = await socketStandIn((socket) => {
      socket.once('data', () => socket.write(`${head('Content-Length: 50')}half`))
    })
    expect(
      (await faultOf(upstreamAt(wiki.origin, { timeout: 50 }).ask(get('/')))).fault
    ).toBe('timeout')
  })

  it('one bad answer leaves the others alone', async () => {
    const wiki = await httpStandIn((request, response) => {
      if (request.target === '/bad') response.destroy()
      else response.end('good')
    })
    const upstream = upstreamAt(wiki.origin)
    const outcomes = await Promise.all(
      ['/good', '/bad', '/good', '/bad', '/good'].map((target) =>
        upstream.ask(get(target)).then(textOf, () => 'broken')
      )
    )
    expect(outcomes).toEqual(['good', 'broken', 'good', 'broken', 'good'])
  })
})

const sent = async (
  headers: Parameters<typeof get>[1]
): Promise<Record<string, unknown>> => {
  const wiki = await httpStandIn((_, response) => response.end())
  await upstreamAt(wiki.origin).ask(get('/', headers))
  return { ...wiki.seen[0]?.headers }
}

describe('headers', () => {
  it('of the connection stay on their side of it, those named in Connection too', async () => {
    const names = Object.keys(
      await sent({
        connection: 'TE, close, X-Private',
        'keep-alive': 'timeout=5',
        te: 'deflate,gzip;q=0.3',
        trailer: 'x',
        upgrade: 'h2c',
        'proxy-authorization': 'Basic c2VjcmV0',
        'proxy-connection': 'keep-alive',
        'x-private': 'yes',
        'x-public': 'yes'
      })
    )
    expect(names.sort()).toEqual(['accept-encoding', 'connection', 'host', 'x-public'])
  })

  it('of wikitape itself never reach the wiki', async () => {
    const names = Object.keys(
      await sent({
        'x-cassette': 'a',
        'x-cassette-mode': 'all',
        'x-cassette-session': 's',
        'x-cassettes': 'b'
      })
    )
    expect(names.filter((name) => name.startsWith('x-'))).toEqual([])
  })

  it('name the wiki as host, not wikitape', async () => {
    const wiki = await httpStandIn((_, response) => response.end())
    await upstreamAt(wiki.origin).ask(get('/', { host: 'localhost:4050' }))
    expect(wiki.seen[0]?.headers.host).toBe(new URL(wiki.origin).host)
  })
})

describe('headers for one side only', () => {
  it('that ask for a part, or for nothing where the client has it, are dropped: a recording must be whole', async () => {
    const names = Object.keys(
      await sent({
        'if-none-match': '"abc"',
        'if-modified-since': 'Sat, 21 Nov 2026 00:00:00 GMT',
        'if-range': '"abc"',
        range: 'bytes=0-1'
      })
    )
    expect(names.filter((name) => name.startsWith('if-') || name === 'range')).toEqual([])
  })

  it('that the client sent otherwise arrive', async () => {
    const headers = await sent({
      cookie: 'a=1; b=2',
      'user-agent': 'Bot/1',
      'api-user-agent': 'x',
      accept: '*/*'
    })
    expect(headers).toMatchObject({
      cookie: 'a=1; b=2',
      'user-agent': 'Bot/1',
      'api-user-agent': 'x'
    })
  })

  it('of the answer lose what belonged to its connection and its coding', async () => {
    const wiki = await answeringWith(
      `${head('Connection: X-Hop, close', 'X-Hop: 1', 'Keep-Alive: timeout=5', 'X-Kept: 2', 'Content-Length: 2')}ok`
    )
    const { headers } = await upstreamAt(wiki.origin).ask(get('/'))
    expect([...headers.keys()]).toEqual(['x-kept'])
  })
})

describe('credentials of the api-url', () => {
  it('are sent where the client sends none', async () => {
    const wiki = await httpStandIn((_, response) => response.end())
    const upstream = upstreamAt(wiki.origin, { authorization: 'Basic b3duOnNlY3JldA==' })
    await upstream.ask(get('/'))
    await upstream.ask(get('/', { authorization: 'Bearer mine' }))
    expect(wiki.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Basic b3duOnNlY3JldA==',
      'Bearer mine'
    ])
  })
})

describe('closing', () => {
  it('gives every connection back', async () => {
    const wiki = createServer((_, response) => response.end('ok'))
    wiki.listen(0, '127.0.0.1')
    await once(wiki, 'listening')
    const address = wiki.address()
    if (address === null || typeof address === 'string')
      throw new Error('expected a port')
    const upstream = upstreamAt(`http://127.0.0.1:${address.port}`)
    await upstream.ask(get('/'))
    upstream.close()
    wiki.close()
    await once(wiki, 'close')
  })
})
