/** Answers that HTTP allows and no wiki gives, or that it does not allow: each ends, and with a reason. */
import { describe, expect, it } from 'vitest'
import { answeringWith, socketStandIn } from '../../helpers/upstreams.ts'
import { faultOf, get, textOf, upstreamAt } from './asking.ts'

describe('a status that is no answer', () => {
  it.each([
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\n\r\n',
    'HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\n{}',
    'HTTP/1.1 600 Odd\r\nContent-Length: 2\r\n\r\n{}',
    'HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\n{}',
    'HTTP/1.1 000 Odd\r\nContent-Length: 2\r\n\r\n{}'
  ])('%j ends in an error', async (answer) => {
    const wiki = await answeringWith(answer)
    const fault = await faultOf(upstreamAt(wiki.origin).ask(get('/')))
    expect(fault.fault).toMatch(/undecodable|reset/)
  })

  it.each([
    '100 Continue',
    '102 Processing',
    '103 Early Hints\r\nLink: </a>; rel=preload'
  ])('before the real one is passed over: %j', async (early) => {
    const wiki = await answeringWith(
      `HTTP/1.1 ${early}\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}`
    )
    expect(textOf(await upstreamAt(wiki.origin).ask(get('/')))).toBe('{}')
  })
})

describe('an answer that trickles', () => {
  it('is broken off in the end, though it is never silent', async () => {
    const wiki = await socketStandIn((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n')
        const drip = setInterval(() => socket.write('x'), 10)
        socket.once('close', () => clearInterval(drip))
      })
    })
    const fault = await faultOf(upstreamAt(wiki.origin, { timeout: 200 }).ask(get('/')))
    expect(fault.fault).toBe('timeout')
    expect(fault.message).toContain(
      'response incomplete after 2 s (10 × --timeout); raise --timeout'
    )
  })

  it('in its head is broken off as well', async () => {
    const wiki = await socketStandIn((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nX: ')
        const drip = setInterval(() => socket.write('x'), 10)
        socket.once('close', () => clearInterval(drip))
      })
    })
    const fault = await faultOf(upstreamAt(wiki.origin, { timeout: 200 }).ask(get('/')))
    expect(fault.fault).toBe('timeout')
  })
})
