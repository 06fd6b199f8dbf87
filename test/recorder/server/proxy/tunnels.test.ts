/** CONNECT, and what programs say inside of a tunnel. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Duplex } from 'node:stream'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { echo, fakeWiki } from '../../../helpers/fake-wiki.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'
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

/** Bytes with which a client begins TLS. */
async function clientHello(options: tls.ConnectionOptions): Promise<Buffer> {
  const parts: Buffer[] = []
  const sink = new Duplex({
    read: () => undefined,
    write: (part: Buffer, _, done) => {
      parts.push(part)
      done()
    }
  })
  const client = tls.connect({ ...options, socket: sink })
  client.on('error', () => undefined)
  await expect.poll(() => parts.length).toBeGreaterThan(0)
  client.destroy()
  return Buffer.concat(parts)
}

describe('a ClientHello', () => {
  it('that has an address as its name gets a certificate for that address', async () => {
    const proxied = await recordingProxy()
    const { socket } = await connectThrough(proxied, 'en.wiki.test:443')
    // Up to TLS 1.2 the certificate is sent in clear.
    const hello = await clientHello({ servername: '192a0b2c7', maxVersion: 'TLSv1.2' })
    const text = hello.toString('latin1').replace('192a0b2c7', '192.0.2.7')
    socket.write(Buffer.from(text, 'latin1'))
    const parts: Buffer[] = []
    socket.on('data', (part: Buffer) => parts.push(part))
    const subject = Buffer.from('8704c0000207', 'hex')
    await expect.poll(() => Buffer.concat(parts).includes(subject)).toBe(true)
  })

  it('of which half comes, and no more, is let go without a word', async () => {
    const proxied = await recordingProxy()
    const { socket } = await connectThrough(proxied, 'en.wiki.test:443')
    const hello = await clientHello({ servername: 'en.wiki.test' })
    socket.write(hello.subarray(0, 50), () => socket.destroy())
    await once(socket, 'close')
    expect(proxied.reports).toEqual([])
    const { status } = await askInside(proxied, 'en.wiki.test:443', { path })
    expect(status).toBe(200)
  })
})

it('answers for 300 hosts in one run', async () => {
  const proxied = await recordingProxy()
  for (let at = 0; at < 300; at += 1) {
    const { status } = await askInside(proxied, `w${at}.wiki.test:443`, {
      path: '/favicon.ico'
    })
    expect(status).toBe(200)
  }
  expect(proxied.interception.hosts.passed.size).toBe(300)
})

describe('what is refused in words', () => {
  it('a program whose clock is two days behind', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 86_400_000 })
    onTestFinished(() => void vi.useRealTimers())
    const proxied = await recordingProxy()
    const cacert = `${temporaryFolder()}/authority.pem`
    writeFileSync(cacert, proxied.certificate)
    const proxy = proxied.interception.access.addressAt(
      `http://127.0.0.1:${proxied.port}`
    )
    const url = `https://en.wiki.test${path}`
    const args = ['-sS', '--cacert', cacert, '-x', proxy, url]
    await expect(promisify(execFile)('curl', args)).rejects.toThrow(/not yet valid/)
    expect(proxied.reports).toEqual([
      expect.stringMatching(/does not trust the certificate.*has another clock/)
    ])
  })

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
