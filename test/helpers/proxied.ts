/** wikitape as a forward proxy in this process, and a program that speaks with it byte by byte. */
import http from 'node:http'
import net from 'node:net'
import tls from 'node:tls'
import { onTestFinished } from 'vitest'
import { EngineRegistry } from '../../src/recorder/engine/registry/engine-registry.ts'
import { readApiUrl } from '../../src/recorder/http/api-url.ts'
import {
  CertificateAuthority,
  createAuthority
} from '../../src/recorder/server/certificates/certificate-authority.ts'
import { Interception } from '../../src/recorder/server/proxy/interception.ts'
import {
  type OthersPolicy,
  WikiHosts
} from '../../src/recorder/server/proxy/wiki-hosts.ts'
import { startServer } from '../../src/recorder/server/start-server.ts'
import { HttpProxyUpstream } from '../../src/recorder/upstream/transport/http-proxy-upstream.ts'
import { temporaryFolder } from './folders.ts'

export interface ProxiedServer {
  readonly port: number
  readonly interception: Interception
  readonly engines: EngineRegistry
  readonly reports: string[]
  /** Of the authority, in PEM. */
  readonly certificate: string
  readonly close: () => Promise<void>
}

export interface ProxiedOptions {
  /** Where every host leads to while recording; undefined to replay. */
  readonly origin?: string
  readonly others?: OthersPolicy
  /** Wikis that are recorded, by folder. */
  readonly known?: Readonly<Record<string, string>>
}

export async function proxiedServer(
  options: ProxiedOptions = {}
): Promise<ProxiedServer> {
  const { origin, others = 'pass', known = {} } = options
  const folder = temporaryFolder()
  const reports: string[] = []
  const report = (line: string): void => void reports.push(line)
  const limits = { timeout: 30_000, maxBytes: 64 * 1024 * 1024 }
  const upstream = (): HttpProxyUpstream => new HttpProxyUpstream(origin ?? '', limits)
  const engines = new EngineRegistry({
    cassette: undefined,
    live: undefined,
    isLive: origin !== undefined,
    mode: origin === undefined ? 'none' : 'new_episodes',
    now: Date.now,
    onEvent: ({ text }) => report(text)
  })
  const hosts = new WikiHosts({
    isClosed: false,
    known: Object.entries(known).map(([dir, address]) => ({ dir, api: apiUrl(address) })),
    recording:
      origin === undefined
        ? undefined
        : {
            live: (api) => ({ api, upstream }),
            dirFor: ({ host }) => `${folder}/${host.replace(':', '_')}`,
            others,
            passOn: upstream
          }
  })
  const { certificate, key } = createAuthority(1)
  const interception = new Interception(hosts, new CertificateAuthority(certificate, key))
  const server = await startServer({
    engines,
    interception,
    host: '127.0.0.1',
    port: 0,
    maxBody: 1024 * 1024,
    pages: () => Promise.reject(new Error('no pages')),
    report
  })
  const close = async (): Promise<void> => {
    await server.close()
    await engines.end()
    hosts.close()
  }
  onTestFinished(close)
  return {
    port: Number(new URL(server.url).port),
    interception,
    engines,
    reports,
    certificate,
    close
  }
}

function apiUrl(address: string): Exclude<ReturnType<typeof readApiUrl>, string> {
  const api = readApiUrl(address)
  if (typeof api === 'string') throw new TypeError(api)
  return api
}

export interface Tunnel {
  readonly status: number
  /** What the proxy says where it refuses. */
  readonly text: string
  readonly socket: net.Socket
}

/** Sends CONNECT. @param headers in place of the token */
export function connectThrough(
  { port, interception }: ProxiedServer,
  target: string,
  headers: readonly string[] = [
    `proxy-authorization: ${interception.access.authorization}`
  ]
): Promise<Tunnel> {
  const socket = net.connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(
    `${[`CONNECT ${target} HTTP/1.1`, `host: ${target}`, ...headers].join('\r\n')}\r\n\r\n`
  )
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('data', (head: Buffer) => {
      const text = head.toString('latin1')
      resolve({ status: Number(text.split(' ')[1]), text, socket })
    })
  })
}

/** TLS inside of a tunnel. @throws what the handshake says */
export function tlsInside(
  { certificate }: ProxiedServer,
  { socket }: Tunnel,
  options: tls.ConnectionOptions
): Promise<tls.TLSSocket> {
  const secure = tls.connect({ ...options, socket, ca: certificate })
  return new Promise((resolve, reject) => {
    secure.once('error', reject)
    secure.once('secureConnect', () => resolve(secure))
  })
}

export interface InnerAsk {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
  readonly body?: string
}

/** Asks for a page of a host, as programs do through a proxy. */
export async function askInside(
  proxied: ProxiedServer,
  target: string,
  { path, headers = {}, method = 'GET', body }: InnerAsk
): Promise<{
  readonly status: number
  readonly text: string
  readonly headers: http.IncomingHttpHeaders
}> {
  const tunnel = await connectThrough(proxied, target)
  const name = target.replace(/:\d+$/, '')
  const servername = net.isIP(name) > 0 ? {} : { servername: name }
  const socket = await tlsInside(proxied, tunnel, { host: name, ...servername })
  return new Promise((resolve, reject) => {
    const host = target.replace(/:443$/, '')
    const options = {
      method,
      path,
      headers: { host, ...headers },
      createConnection: () => socket
    }
    const request = http.request(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, text, headers: response.headers })
      )
    })
    request.once('error', reject)
    request.end(body)
  })
}
