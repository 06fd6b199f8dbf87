/** CONNECT, and what programs say inside of a tunnel. */
import { once } from 'node:events'
import tls from 'node:tls'
import { describe, expect, it } from 'vitest'
import { echo, fakeWiki } from '../../../helpers/fake-wiki.ts'
import {
  askInside,
  connectThrough,
  type ProxiedServer,
  proxiedServer,
  tlsInside
} from '../../../helpers/proxied.ts'

const recordingProxy = async (): Promise<ProxiedServer> =>
  proxiedServer({ origin: (await fakeWiki(echo)).origin })

const path = '/w/api.php?action=query&format=json&prop=info&titles=Box'

describe('inside of a tunnel', () => {
  it('answers in TLS in the name of the host, and records under that name', async () => {
    const proxied = await recordingProxy()
    const { status, text } = await askInside(proxied, 'en.wiki.test:443', { path })
    expect([status, text]).toEqual([200, expect.stringContaining('titles=Box')])
    expect(proxied.engines.all().map(({ store }) => store.manifest.upstream)).toEqual([
      'https://en.wiki.test/w/api.php'
    ])
  })

  it('answers plain http, which some programs ask for through a tunnel, too', async () => {
    const proxied = await recordingProxy()
    const { socket } = await connectThrough(proxied, 'en.wiki.test:80')
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: en.wiki.test\r\nconnection: close\r\n\r\n`
    )
    let text = ''
    socket.on('data', (part: Buffer) => {
      text += part.toString()
    })
    await once(socket, 'close')
    expect(text).toContain('titles=Box')
    expect(proxied.engines.first.store.manifest.upstream).toBe(
      'http://en.wiki.test/w/api.php'
    )
  })

  it.each([
    ['without a name', {}],
    ['with the wrong one', { servername: 'de.wiki.test' }]
  ])('shows a certificate %s', async (_, options) => {
    const proxied = await recordingProxy()
    const tunnel = await connectThrough(proxied, 'en.wiki.test:443')
    const checkServerIdentity = (): undefined => undefined
    const socket = await tlsInside(proxied, tunnel, { ...options, checkServerIdentity })
    const shown = Object.values(options)[0] ?? 'en.wiki.test'
    expect(socket.getPeerCertificate().subjectaltname).toBe(`DNS:${shown}`)
  })

  it('shows a certificate for an address', async () => {
    const proxied = await recordingProxy()
    const tunnel = await connectThrough(proxied, '[2001:db8::1]:443')
    // Node.js 22.23 finds no IPv6 address in any certificate, so the name is compared here.
    const checkServerIdentity = (): undefined => undefined
    const socket = await tlsInside(proxied, tunnel, {
      host: '2001:db8::1',
      checkServerIdentity
    })
    expect(socket.getPeerCertificate().subjectaltname).toBe(
      'IP Address:2001:DB8:0:0:0:0:0:1'
    )
  })

  it('takes half a ClientHello, and the rest of it later', async () => {
    const proxied = await recordingProxy()
    const tunnel = await connectThrough(proxied, 'en.wiki.test:443')
    const { socket } = tunnel
    const write = socket.write.bind(socket)
    const secure = tls.connect({
      socket: Object.assign(socket, {
        write: (bytes: Buffer): boolean => {
          write(bytes.subarray(0, 50))
          setTimeout(() => write(bytes.subarray(50)), 30)
          return true
        }
      }),
      ca: proxied.certificate,
      servername: 'en.wiki.test'
    })
    await once(secure, 'secureConnect')
    expect(secure.authorized).toBe(true)
  })
})

describe('what is refused in words', () => {
  it('a program that speaks HTTP/2 alone', async () => {
    const proxied = await recordingProxy()
    const tunnel = await connectThrough(proxied, 'en.wiki.test:443')
    const options = { servername: 'en.wiki.test', ALPNProtocols: ['h2'] }
    await expect(tlsInside(proxied, tunnel, options)).rejects.toThrow(
      /no application protocol/i
    )
    await expect
      .poll(() => proxied.reports)
      .toEqual([expect.stringContaining('HTTP/2 alone')])
  })

  it('a program that speaks neither TLS nor HTTP', async () => {
    const proxied = await recordingProxy()
    const { socket } = await connectThrough(proxied, 'en.wiki.test:443')
    socket.write('SSH-2.0-OpenSSH_9.2\r\n')
    await once(socket, 'close')
    expect(proxied.reports).toEqual([
      'a tunnel to en.wiki.test:443 was closed: its first bytes are neither TLS nor HTTP: "SSH-2.0-OpenSSH_9.2\\r"'
    ])
  })

  it('a WebSocket', async () => {
    const proxied = await recordingProxy()
    const headers = { connection: 'upgrade', upgrade: 'websocket' }
    const { status, text } = await askInside(proxied, 'en.wiki.test:443', {
      path,
      headers
    })
    expect([status, text]).toEqual([501, expect.stringContaining('no-websocket')])
  })

  it('a request for another host than that of the tunnel', async () => {
    const proxied = await recordingProxy()
    const headers = { host: 'de.wiki.test' }
    const { status, text } = await askInside(proxied, 'en.wiki.test:443', {
      path,
      headers
    })
    expect([status, text]).toEqual([421, expect.stringContaining('https://de.wiki.test')])
  })

  it.each([
    ['a body', 'en.wiki.test:443', ['content-length: 3'], 'has a body'],
    ['no port', 'en.wiki.test', [], 'expected host:port'],
    ['no host', ':443', [], 'expected host:port']
  ])('CONNECT with %s', async (_, target, headers, why) => {
    const proxied = await recordingProxy()
    const token = `proxy-authorization: ${proxied.interception.access.authorization}`
    const { status, text } = await connectThrough(proxied, target, [token, ...headers])
    expect([status, text]).toEqual([400, expect.stringContaining(why)])
  })
})

describe('tunnels in which nothing is said', () => {
  it('are refused from the 1001st on, and let the server end', async () => {
    const proxied = await recordingProxy()
    const opened = await Promise.all(
      Array.from({ length: 1000 }, () => connectThrough(proxied, 'en.wiki.test:443'))
    )
    expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]))
    const { status, text } = await connectThrough(proxied, 'en.wiki.test:443')
    expect([status, text]).toEqual([503, expect.stringContaining('too-many-tunnels')])

    opened[0]?.socket.destroy()
    await expect
      .poll(async () => (await connectThrough(proxied, 'en.wiki.test:443')).status)
      .toBe(200)
    await proxied.close()
  })
})
