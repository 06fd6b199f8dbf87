/** http-proxy 1.18.1's known faults, one test each for its cure (docs/decisions/0003-http-proxy-behind-a-port.md). */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  answeringWith,
  deadOrigin,
  httpStandIn,
  socketStandIn
} from '../../../helpers/upstreams.ts'
import { faultOf, get, posting, textOf, upstreamAt } from '../asking.ts'

const closed = (socket: Socket): Promise<unknown> =>
  new Promise((resolve) => socket.once('close', resolve))

describe('clients that leave, through http-proxy', () => {
  it('breaks the upstream request off when the client leaves', async () => {
    const leaving = new AbortController()
    let hungUp: Promise<unknown> = Promise.resolve()
    const wiki = await socketStandIn((socket) => {
      hungUp = closed(socket)
      socket.once('data', () => leaving.abort())
    })
    const fault = await faultOf(upstreamAt(wiki.origin).ask(get('/slow'), leaving.signal))
    expect(fault.fault).toBe('aborted')
    await hungUp
  })

  it('breaks the upstream request off when the client leaves in the middle of the answer', async () => {
    const leaving = new AbortController()
    let hungUp: Promise<unknown> = Promise.resolve()
    const wiki = await socketStandIn((socket) => {
      hungUp = closed(socket)
      socket.once('data', () =>
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', () =>
          leaving.abort()
        )
      )
    })
    const fault = await faultOf(upstreamAt(wiki.origin).ask(get('/slow'), leaving.signal))
    expect(fault.fault).toBe('aborted')
    await hungUp
  })

  it('asks nothing at all for a client that has left already', async () => {
    const wiki = await httpStandIn((_, response) => response.end())
    const fault = await faultOf(
      upstreamAt(wiki.origin).ask(get('/'), AbortSignal.abort())
    )
    expect(fault.fault).toBe('aborted')
    expect(wiki.seen).toEqual([])
  })

  it('does not leave connections hanging for clients that left while they waited for one', async () => {
    const held: (() => void)[] = []
    const wiki = await httpStandIn((request, response) => {
      const answer = (): void => void response.end('ok')
      if (request.target === '/held') held.push(answer)
      else answer()
      if (held.length === 16 && request.target === '/held') allHeld.abort()
    })
    const allHeld = new AbortController()
    const upstream = upstreamAt(wiki.origin)
    const holding = Array.from({ length: 16 }, () => upstream.ask(get('/held')))
    await once(allHeld.signal, 'abort')
    const leaving = Array.from({ length: 40 }, () => new AbortController())
    const queued = leaving.map(({ signal }) =>
      faultOf(upstream.ask(get('/queued'), signal))
    )
    for (const one of leaving) one.abort()
    expect(new Set((await Promise.all(queued)).map(({ fault }) => fault))).toEqual(
      new Set(['aborted'])
    )
    for (const answer of held) answer()
    await Promise.all(holding)
    expect(textOf(await upstream.ask(get('/next')))).toBe('ok')
    expect(wiki.seen.some(({ target }) => target === '/queued')).toBe(false)
  })
})

describe('requests through http-proxy', () => {
  it('survives a dead upstream, and tells which', async () => {
    const origin = await deadOrigin()
    const fault = await faultOf(upstreamAt(origin).ask(get('/')))
    expect(fault.fault).toBe('unreachable')
    expect(fault.message).toBe(`${origin} cannot be reached (ECONNREFUSED)`)
  })

  it('sends a chunked body as one with its own length, so that nothing can be smuggled behind it', async () => {
    const wiki = await httpStandIn((_, response) => response.end('ok'))
    const smuggled = 'action=query\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
    const request = posting('/w/api.php', smuggled, {
      'transfer-encoding': 'chunked',
      'content-length': '3'
    })
    await upstreamAt(wiki.origin).ask(request)
    expect(wiki.seen.map(({ method, target }) => `${method} ${target}`)).toEqual([
      'POST /w/api.php'
    ])
    expect(wiki.seen[0]?.headers['content-length']).toBe(String(smuggled.length))
    expect(wiki.seen[0]?.headers['transfer-encoding']).toBeUndefined()
    expect(wiki.seen[0]?.body.toString()).toBe(smuggled)
  })

  it('sends a GET without a body, whatever length its client announced', async () => {
    const wiki = await httpStandIn((_, response) => response.end('ok'))
    await upstreamAt(wiki.origin).ask(
      get('/', { 'content-length': '10', 'transfer-encoding': 'chunked' })
    )
    expect(wiki.seen[0]?.body.length).toBe(0)
    expect(wiki.seen[0]?.headers['transfer-encoding']).toBeUndefined()
  })

  it('sends the empty body of a POST with length 0', async () => {
    const wiki = await httpStandIn((_, response) => response.end('ok'))
    await upstreamAt(wiki.origin).ask(posting('/', ''))
    expect(wiki.seen[0]?.headers['content-length']).toBe('0')
  })

  it('loads and asks without a deprecation warning', async () => {
    const source = fileURLToPath(
      new URL(
        '../../../../dist/recorder/upstream/transport/http-proxy-upstream.js',
        import.meta.url
      )
    )
    const script = `
      const { createServer } = await import('node:http')
      const { HttpProxyUpstream } = await import(${JSON.stringify(source)})
      const server = createServer((_, response) => response.end('fine')).listen(0, '127.0.0.1', async () => {
        const upstream = new HttpProxyUpstream('http://127.0.0.1:' + server.address().port, { timeout: 9000, maxBytes: 99 })
        const answer = await upstream.ask({ method: 'GET', target: '/', headers: {}, body: new Uint8Array() })
        console.log(Buffer.from(answer.body).toString())
        upstream.close()
        server.close()
      })`
    const flags = [
      '--throw-deprecation',
      '--pending-deprecation',
      '--input-type=module',
      '--eval',
      script
    ]
    const { stdout, stderr } = await promisify(execFile)(process.execPath, flags)
    expect(stdout).toBe('fine\n')
    expect(stderr).toBe('')
  })
})

describe('codings of an answer through http-proxy', () => {
  it.each([
    '/w//api.php?a=//b',
    '//w/api.php',
    '/w/api.php?titles=A%2FB%2fC&x=a+b%20c%7Cd|e',
    '/wiki/%D0%92%D0%BE%D0%BB%D0%B3%D0%B0/../..',
    '/w/api.php?',
    '/?=&&a&b=#',
    '/w/api.php?q=http://other.example//x'
  ])('sends the target %s exactly', async (target) => {
    const wiki = await httpStandIn((_, response) => response.end())
    await upstreamAt(wiki.origin).ask(get(target))
    expect(wiki.seen.map((one) => one.target)).toEqual([target])
  })

  it('asks for gzip alone, whatever the client takes', async () => {
    const wiki = await httpStandIn((_, response) => response.end())
    await upstreamAt(wiki.origin).ask(get('/', { 'accept-encoding': 'br, zstd;q=1, *' }))
    expect(wiki.seen[0]?.headers['accept-encoding']).toBe('gzip')
  })

  it.each([
    ['gzip', gzipSync('Волга'), 'gzip'],
    ['deflate in zlib format', deflateSync('Волга'), 'deflate'],
    ['raw deflate', deflateRawSync('Волга'), 'deflate'],
    ['br', brotliCompressSync('Волга'), 'br'],
    ['an upper-case name', gzipSync('Волга'), 'GZIP'],
    ['identity by name', Buffer.from('Волга'), 'identity']
  ])('decodes %s', async (_, body, coding) => {
    const wiki = await httpStandIn((_, response) => {
      response.writeHead(200, { 'content-encoding': coding })
      response.end(body)
    })
    expect(textOf(await upstreamAt(wiki.origin).ask(get('/')))).toBe('Волга')
  })

  it('says of an unknown coding what came and what was expected', async () => {
    const wiki = await httpStandIn((_, response) => {
      response.writeHead(200, { 'content-encoding': 'zstd' })
      response.end('x')
    })
    const fault = await faultOf(upstreamAt(wiki.origin).ask(get('/')))
    expect(fault.fault).toBe('undecodable')
    expect(fault.message).toContain('unknown content-encoding "zstd"; expected gzip')
  })

  it('takes no answer in a transfer coding that it did not ask for', async () => {
    const wiki = await httpStandIn((_, response) => {
      response.writeHead(200, { 'transfer-encoding': 'gzip, chunked' })
      response.end('x')
    })
    const fault = await faultOf(upstreamAt(wiki.origin).ask(get('/')))
    expect([fault.fault, fault.message]).toEqual([
      'undecodable',
      expect.stringContaining('answers in the transfer coding gzip')
    ])
  })
})

describe('answers through http-proxy', () => {
  it('says of a body that is not what its coding says, that it is not', async () => {
    const wiki = await httpStandIn((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end('this is no gzip')
    })
    const fault = await faultOf(upstreamAt(wiki.origin).ask(get('/')))
    expect(fault.fault).toBe('undecodable')
    expect(fault.message).toContain('says content-encoding gzip but cannot be decoded')
  })

  it('stops at a body that is larger decoded than is accepted', async () => {
    const wiki = await httpStandIn((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(gzipSync(Buffer.alloc(100_000)))
    })
    const fault = await faultOf(
      upstreamAt(wiki.origin, { maxBytes: 10_000 }).ask(get('/'))
    )
    expect(fault.fault).toBe('too-large')
    expect(fault.message).toBe('the answer is larger than 10000 bytes')
  })

  it('takes the answer into its own hands: a redirect is not followed, an error page is not replaced', async () => {
    const wiki = await answeringWith(
      'HTTP/1.1 302 Found\r\nLocation: https://elsewhere.example/\r\nContent-Length: 5\r\n\r\nmoved'
    )
    const answer = await upstreamAt(wiki.origin).ask(get('/'))
    expect([answer.status, answer.headers.get('location'), textOf(answer)]).toEqual([
      302,
      'https://elsewhere.example/',
      'moved'
    ])
  })
})

describe('connections of http-proxy', () => {
  it('asks again and again over one connection', async () => {
    const wiki = await httpStandIn((_, response) => response.end('ok'))
    const upstream = upstreamAt(wiki.origin)
    for (let turn = 0; turn < 20; turn += 1)
      await upstream.ask(turn % 2 === 0 ? get('/') : posting('/', 'a=b'))
    expect(wiki.seen.length).toBe(20)
    expect(wiki.connections()).toBe(1)
  })

  it('opens sixteen connections at most', async () => {
    const wiki = await httpStandIn((_, response) => response.end('ok'))
    const upstream = upstreamAt(wiki.origin)
    await Promise.all(Array.from({ length: 100 }, () => upstream.ask(get('/'))))
    expect(wiki.seen.length).toBe(100)
    expect(wiki.connections()).toBeLessThanOrEqual(16)
  })

  it('asks on another connection where the wiki closed a kept one just as it was used again', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
    const wiki = await socketStandIn((socket) => {
      socket.once('data', () => {
        socket.write(answer)
        socket.once('data', () => socket.destroy())
      })
    })
    const upstream = upstreamAt(wiki.origin)
    await upstream.ask(get('/first'))
    expect(textOf(await upstream.ask(get('/second')))).toBe('ok')
    expect(wiki.connections()).toBe(2)
  })

  it('asks on another connection where the wiki had closed and reset a kept one before anybody here could know', async () => {
    const wiki = await closingUnseen()
    const upstream = upstreamAt(wiki.origin)
    await upstream.ask(get('/first'))
    // The connection is kept from here on.
    await new Promise((resolve) => setImmediate(resolve))
    wiki.closeKept()
    expect(textOf(await upstream.ask(get('/second')))).toBe('ok')
  })

  it('does not ask a POST twice, which might write twice', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
    const wiki = await socketStandIn((socket) => {
      socket.once('data', () => {
        socket.write(answer)
        socket.once('data', () => socket.destroy())
      })
    })
    const upstream = upstreamAt(wiki.origin)
    await upstream.ask(get('/first'))
    expect((await faultOf(upstream.ask(posting('/second', 'a=b')))).fault).toBe('reset')
  })
})

/** A wiki in another thread: only there a connection can be closed while no event is heard in this one. */
async function closingUnseen(): Promise<{
  readonly origin: string
  readonly closeKept: () => void
}> {
  const script = `
    const net = require('node:net')
    const { parentPort, workerData: closed } = require('node:worker_threads')
    const kept = new Set()
    const server = net.createServer((socket) => {
      kept.add(socket)
      socket.on('error', () => undefined)
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok'))
    })
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
    parentPort.on('message', () => {
      for (const socket of kept) socket.end(() => socket.resetAndDestroy().once('close', () => {
        Atomics.store(closed, 0, 1)
        Atomics.notify(closed, 0)
      }))
    })`
  const closed = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(script, { eval: true, workerData: closed })
  onTestFinished(() => void worker.terminate())
  const [port] = await once(worker, 'message')
  const closeKept = (): void => {
    worker.postMessage('close')
    Atomics.wait(closed, 0, 0, 10_000)
  }
  return { origin: `http://127.0.0.1:${port}`, closeKept }
}
