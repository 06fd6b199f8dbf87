/**
 * Loaded into programs whose Node.js does not read HTTPS_PROXY by itself (before 22.21 and 24.5): requests of node:http,
 * node:https and fetch go through that proxy, in tunnels. Written so that old versions of Node.js can run it.
 */
const http: typeof import('node:http') = require('node:http')
const https: typeof import('node:https') = require('node:https')
const net: typeof import('node:net') = require('node:net')
const tls: typeof import('node:tls') = require('node:tls')

type Socket = import('node:net').Socket
type Port = string | number
type Done = (error: Error | null, socket?: Socket) => void

/** As agents give it to the functions that connect. */
interface AgentOptions
  extends Omit<import('node:tls').ConnectionOptions, 'host' | 'port'> {
  readonly host?: string
  readonly port?: Port
}

/** The same of fetch. */
interface FetchOptions {
  readonly protocol: string
  readonly hostname: string
  readonly port: string
  readonly servername?: string
}

interface Dispatcher {
  readonly constructor: new (options: object) => Dispatcher
  readonly dispatch: (options: { readonly origin: unknown }, handler: object) => boolean
}

const named = process.env['HTTPS_PROXY'] ?? ''
const proxy = new URL(/^http:\/\/./.test(named) ? named : 'http://none')
const exempt = (process.env['NO_PROXY'] ?? '').split(',')

const isExempt = (host: string, port: Port): boolean =>
  exempt.includes(host) || exempt.includes(`${host}:${port}`)

function openTunnel(host: string, port: Port, done: Done): void {
  const credentials = decodeURIComponent(`${proxy.username}:${proxy.password}`)
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  const request = http.request({
    host: proxy.hostname,
    port: proxy.port,
    method: 'CONNECT',
    path: `${host.includes(':') ? `[${host}]` : host}:${port}`,
    headers: { 'proxy-authorization': authorization },
    agent: false
  })
  request.once('error', done)
  request.once('connect', ({ statusCode }, socket: Socket) => {
    if (statusCode === 200) return done(null, socket)
    socket.destroy()
    done(
      new Error(
        `the proxy ${proxy.host} refuses a tunnel to ${host}:${port} (${statusCode})`
      )
    )
  })
  request.end()
}

function secured(options: AgentOptions, host: string, socket: Socket): Socket {
  const servername = options.servername || (net.isIP(host) > 0 ? '' : host)
  return tls.connect({ ...options, host, port: 443, socket, servername })
}

function proxyAgents(
  scheme: 'http' | 'https',
  { Agent }: Pick<typeof http, 'Agent'>
): void {
  const direct: unknown = Reflect.get(Agent.prototype, 'createConnection')
  const usualPort = scheme === 'https' ? 443 : 80
  function createConnection(this: unknown, options: AgentOptions, done: Done): unknown {
    const { host = 'localhost', port = usualPort } = options
    if (isExempt(host, port))
      return Reflect.apply(direct as () => unknown, this, [options, done])

    openTunnel(host, port, (error, socket) => {
      if (!socket || scheme === 'http') done(error, socket)
      else done(null, secured(options, host, socket))
    })
    return undefined
  }
  Reflect.set(Agent.prototype, 'createConnection', createConnection)
}

function connectForFetch(
  { protocol, hostname, port, servername }: FetchOptions,
  done: Done
): void {
  const isTls = protocol === 'https:'
  openTunnel(hostname, port || (isTls ? 443 : 80), (error, socket) => {
    if (!socket || !isTls) return done(error, socket)
    const tlsSocket = secured(servername ? { servername } : {}, hostname, socket)
    tlsSocket.once('error', done)
    tlsSocket.once('secureConnect', () => done(null, tlsSocket))
  })
}

/** Its class is reached only through the dispatcher that Node makes when it loads fetch. */
function proxyDispatcher(): void {
  Reflect.get(globalThis, 'Response')
  const name = Symbol.for('undici.globalDispatcher.1')
  const direct: Dispatcher = Reflect.get(globalThis, name)
  const proxied: Dispatcher = Reflect.construct(direct.constructor, [
    { connect: connectForFetch }
  ])
  const dispatch: Dispatcher['dispatch'] = (options, handler) => {
    const { hostname, port, protocol } = new URL(String(options.origin))
    const number = port || (protocol === 'https:' ? 443 : 80)
    return (isExempt(hostname, number) ? direct : proxied).dispatch(options, handler)
  }
  Reflect.set(globalThis, name, Object.assign(Object.create(direct), { dispatch }))
}

/** To load it takes a time that most programs need not wait. */
function proxyFetchAtFirstUse(): void {
  const fetchDirectly = globalThis.fetch
  let isProxied = false
  globalThis.fetch = function fetch(...args) {
    if (!isProxied) proxyDispatcher()
    isProxied = true
    return fetchDirectly(...args)
  }
}

const readsProxies = process.allowedNodeEnvironmentFlags.has('--use-env-proxy')
if (proxy.host !== 'none' && !readsProxies) {
  proxyAgents('http', http)
  proxyAgents('https', https)
  // Deno reads NODE_OPTIONS, and its fetch reads HTTPS_PROXY.
  if (typeof globalThis.fetch === 'function' && !process.versions['deno'])
    proxyFetchAtFirstUse()
}
