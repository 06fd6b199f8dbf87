/**
 * Requests of node:http and node:https, intercepted where they get their connection: at the agents. A real node:http server
 * reads them from the other end of a pair of streams, so that uploads, aborts and `Expect` stay Node's own work.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import http, {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type ServerResponse
} from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
// Not by name: Node.js 18 has no duplexPair, and is told first which Node.js it needs.
import stream, { type Duplex } from 'node:stream'
import { buffer } from 'node:stream/consumers'
// jsdom has timers of its own, or none.
import { clearTimeout, setImmediate, setTimeout } from 'node:timers'
import { asError } from '../../recorder/text/error-text.ts'
import {
  isHttpIntercepted,
  whyHeadTooLong
} from '../../recorder/upstream/connection/agent.ts'
import {
  type Answer,
  callAll,
  type OutgoingRequest,
  outgoingRequest,
  type Route,
  replaceMethod
} from './in-process-request.ts'

type AddRequest = (
  this: http.Agent,
  request: ClientRequest,
  options: object,
  ...more: unknown[]
) => void
type CreateConnection = (this: http.Agent, options: object, ...more: unknown[]) => unknown

/** @returns the function that restores the agents */
export function interceptAgents(route: Route): () => void {
  const ends = [
    replaceMethod(http.Agent.prototype, 'addRequest', (original: AddRequest) =>
      addRequest(original, route)
    ),
    ...[http.Agent.prototype, https.Agent.prototype].map((agent) =>
      replaceMethod(agent, 'createConnection', (original: CreateConnection) =>
        createConnection(original, route)
      )
    )
  ]
  return callAll(ends)
}

/** The request that a connection is created for, in the options that agents hand on. */
const requestOfConnection = Symbol('wikitape.request')

/** Agents of all libraries ask this method, for a connection that they have kept, too. */
const addRequest = (original: AddRequest, route: Route): AddRequest =>
  function addRequest(request, options, ...more) {
    // nock 14 and msw decide first: they replace the agent, and ask the original one for a connection afterwards.
    if (isHttpIntercepted())
      return Reflect.apply(original, this, [
        request,
        { ...options, [requestOfConnection]: request },
        ...more
      ])
    const connection = connectionFor(request, options, route)
    if (!connection) return Reflect.apply(original, this, [request, options, ...more])
    request.onSocket(connection)
    const timeout: unknown = Reflect.get(request, 'timeout')
    if (typeof timeout === 'number') connection.setTimeout(timeout)
  }

const createConnection = (original: CreateConnection, route: Route): CreateConnection =>
  function createConnection(options, ...more) {
    const request: ClientRequest | undefined = Reflect.get(options, requestOfConnection)
    const connection = request && connectionFor(request, options, route)
    return connection ?? Reflect.apply(original, this, [options, ...more])
  }

/** @returns undefined if the request is to be sent; a connection that fails if that is refused */
function connectionFor(request: ClientRequest, options: object, route: Route) {
  const outgoing = outgoingOf(request, options)
  try {
    const answer = outgoing && route(outgoing)
    return answer && connectInProcess(answer)
  } catch (error) {
    const refused = connectInProcess(() => Promise.reject(error))
    setImmediate(() => refused.destroy(asError(error)))
    return refused
  }
}

function outgoingOf(
  { protocol, method, path }: ClientRequest,
  options: object
): OutgoingRequest | undefined {
  const { host, port, socketPath } = options as {
    readonly [name in 'host' | 'port' | 'socketPath']?: string | number | null
  }
  if (socketPath) return undefined
  const name = String(host ?? 'localhost')
  const authority = name.includes(':') ? `[${name}]` : name
  const origin = `${protocol}//${authority}:${port ?? (protocol === 'https:' ? 443 : 80)}`
  // A proxy is told where to: the whole address, or host and port.
  if (method === 'CONNECT') return outgoingRequest(method, 'http://', path)
  return outgoingRequest(method, originInTarget.test(path) ? '' : origin, path)
}

const originInTarget = /^https?:\/\/[^/?#]*/i

const servedConnections = new WeakMap<
  Duplex,
  { readonly client: Duplex; readonly answer: Answer }
>()
/** Heads of any length that a wiki accepts; 16 KB is Node's default. */
const server = createServer(
  { maxHeaderSize: 1024 * 1024 },
  (request, response) => void serve(request, response)
)

// Without this, a refused tunnel would be hung up before its error is told.
server.on('connect', () => undefined)

function connectInProcess(answer: Answer) {
  const [client, served] = stream.duplexPair()
  servedConnections.set(served, { client, answer })
  client.once('close', () => served.destroy())
  served.once('close', () => client.destroy())
  served.on('error', () => undefined)
  // The agent that would have kept the connection does not know it.
  client.once('free', () => client.destroy())
  server.emit('connection', served)
  return Object.assign(client, socketMethods(client)) as Socket
}

/** What clients call of a socket beyond a stream. */
function socketMethods(client: Duplex) {
  const self = () => client
  let timer: NodeJS.Timeout | undefined
  client.once('close', () => clearTimeout(timer))
  return {
    address: () => ({}),
    setNoDelay: self,
    setKeepAlive: self,
    ref: self,
    unref: self,
    setTimeout(ms: number, onTimeout?: () => void) {
      clearTimeout(timer)
      if (onTimeout) client.once('timeout', onTimeout)
      if (ms > 0 && !client.destroyed)
        timer = setTimeout(() => client.emit('timeout'), ms).unref()
      return client
    }
  }
}

async function serve(request: IncomingMessage, response: ServerResponse) {
  const connection = servedConnections.get(request.socket)
  if (!connection) return void response.destroy()
  const { client, answer } = connection
  try {
    const { method = 'GET', url = '/', headers } = request
    const target = url.replace(originInTarget, '')
    const body = await buffer(request)
    const [status, content, replyHeaders] = await answer({
      method,
      target,
      headers,
      body
    })
    response.writeHead(status, replyHeaders)
    response.end(content)
  } catch (error) {
    client.destroy(asError(error))
  }
}

const channel = 'http.client.request.start'

/**
 * Refuses requests that nock 14 or msw would never answer.
 * @param isIntercepted true for an origin that a cassette answers for. @returns the function that ends this
 */
export function refuseOversizedHeads(
  isIntercepted: (origin: string) => boolean
): () => void {
  const checkHead = (message: unknown) => {
    const { request } = message as { readonly request: ClientRequest }
    const why = whyHeadTooLong(request)
    if (
      why !== undefined &&
      isIntercepted(`${request.protocol}//${String(request.getHeader('host'))}`)
    )
      request.destroy(new Error(`wikitape: ${why}`))
  }
  subscribe(channel, checkHead)
  return () => void unsubscribe(channel, checkHead)
}
