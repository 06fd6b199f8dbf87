/**
 * Requests of `fetch` and undici, intercepted at undici's global dispatcher: beneath libraries that replace `fetch`, and
 * above connections, so that redirects, streams and aborts stay undici's own work.
 * Source: https://undici.nodejs.org/#/docs/api/Dispatcher
 */
import { createServer, STATUS_CODES } from 'node:http'
import { isPlainObject, type PlainObject } from '../../recorder/json/plain-json.ts'
import {
  type Answer,
  headersByName,
  type InProcessReply,
  type InProcessRequest,
  lowerCaseHeaders,
  outgoingRequest,
  type Route,
  replaceMethod
} from './in-process-request.ts'

/** Node's own realm, where fetch and its dispatcher are: jest, vitest's vm pools and jsdom run tests in others. */
const nodeRealm: typeof globalThis = Reflect.construct(createServer.constructor, [
  'return globalThis'
])()
// Node loads fetch, and makes the dispatchers, at the first use of one of its classes.
const { Response, FormData, DOMException } = nodeRealm

const wrappers = new WeakSet<object>()

/** Intercepts the dispatchers that are there: that of fetch, and those of an undici that a test has loaded. @returns functions that restore them */
export const interceptDispatchers = (route: Route): readonly (() => void)[] =>
  [...new Set([nodeRealm, globalThis])].flatMap((realm) =>
    Object.getOwnPropertySymbols(realm)
      .filter(({ description }) => description?.startsWith('undici.globalDispatcher.'))
      .flatMap((name) => interceptDispatcher(realm, name, route))
  )

function interceptDispatcher(realm: object, name: symbol, route: Route) {
  const original: unknown = Reflect.get(realm, name)
  if (!isPlainObject(original) || wrappers.has(original)) return []
  const wrapped = new Proxy(original, {
    get(dispatcher, member) {
      const value: unknown = Reflect.get(dispatcher, member)
      if (typeof value !== 'function') return value
      return (...given: readonly unknown[]) => {
        const [options, handler] = given
        if (member === 'dispatch' && isPlainObject(options) && isPlainObject(handler)) {
          const request = outgoingRequest(
            options['method'],
            options['origin'],
            options['path']
          )
          const answer = request && route(request)
          if (answer) return dispatchInProcess(options, responseHandler(handler), answer)
        }
        return Reflect.apply(value, dispatcher, given)
      }
    }
  })
  wrappers.add(wrapped)
  return [replaceMethod(realm, name, () => wrapped)]
}

/** What is told of a response, in the terms of each version of undici. */
interface ResponseHandler {
  start(abort: (reason: unknown) => void): void
  respond(reply: InProcessReply): void
  fail(error: unknown): void
}

function dispatchInProcess(
  options: PlainObject,
  handler: ResponseHandler,
  answer: Answer
) {
  let isAborted = false
  const fail = (error: unknown): void => {
    if (isAborted) return
    isAborted = true
    handler.fail(error)
  }
  handler.start((reason) =>
    fail(reason ?? new DOMException('This operation was aborted', 'AbortError'))
  )
  if (!isAborted)
    void readRequest(options)
      .then((request) => answer(request))
      .then((reply) => {
        if (!isAborted) handler.respond(reply)
      })
      .catch(fail)
  return true
}

async function readRequest({
  method,
  path,
  headers,
  body
}: PlainObject): Promise<InProcessRequest> {
  const given = lowerCaseHeaders(headerEntries(headers))
  const content =
    body === undefined || body === null
      ? undefined
      : new Response(body as ConstructorParameters<typeof Response>[0])
  const type = content?.headers.get('content-type')
  return {
    method: String(method ?? 'GET'),
    target: String(path),
    // An answer that is not compressed is what every client reads soonest.
    headers: {
      ...(type && body instanceof FormData ? { 'content-type': type } : {}),
      ...given,
      'accept-encoding': 'identity'
    },
    body: content ? Buffer.from(await content.arrayBuffer()) : Buffer.alloc(0)
  }
}

/** undici takes an object, names and values in turn, or pairs. */
function headerEntries(headers: unknown): Iterable<readonly [string, unknown]> {
  if (!isPlainObject(headers) && !Array.isArray(headers)) return []
  if (!(Symbol.iterator in headers)) return Object.entries(headers)
  const items: unknown[] = [...(headers as Iterable<unknown>)]
  if (items.every(Array.isArray))
    return items.map(([name, value]) => [String(name), value])
  return items.flatMap((name, at) =>
    at % 2 === 0 ? [[String(name), items[at + 1]] as const] : []
  )
}

/** undici 8 has dropped the older of its two interfaces; 6 knows only that. */
function responseHandler(handler: PlainObject): ResponseHandler {
  const call = (name: string, ...given: readonly unknown[]): void => {
    const method = handler[name]
    if (typeof method === 'function') Reflect.apply(method, handler, given)
  }
  const bytesOf = (headers: readonly string[]) =>
    headers.map((text) => Buffer.from(text, 'latin1'))
  if (typeof handler['onRequestStart'] !== 'function')
    return {
      start: (abort) => call('onConnect', abort, null),
      respond([status, body, headers]) {
        call(
          'onHeaders',
          status,
          bytesOf(headers),
          () => undefined,
          STATUS_CODES[status] ?? ''
        )
        if (body.length > 0) call('onData', body)
        call('onComplete', [])
      },
      fail: (error) => call('onError', error)
    }
  const controller = {
    pause: () => undefined,
    resume: () => undefined,
    rawHeaders: [],
    rawTrailers: []
  }
  return {
    start: (abort) => call('onRequestStart', Object.assign(controller, { abort }), {}),
    respond([status, body, headers]) {
      Object.assign(controller, { rawHeaders: bytesOf(headers) })
      call(
        'onResponseStart',
        controller,
        status,
        headersByName(headers),
        STATUS_CODES[status] ?? ''
      )
      if (body.length > 0) call('onResponseData', controller, body)
      call('onResponseEnd', controller, {})
    },
    fail: (error) => call('onResponseError', controller, error)
  }
}
