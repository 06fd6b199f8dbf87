/**
 * Requests passed on from one process to the one that leads: over connections of this machine that stay open, with the
 * client's own bytes, and one header in front that says where it was reached (docs/decisions/0106).
 */
import { Agent, request as begin, type IncomingMessage, type ServerResponse } from 'node:http'
import type { PassedOn } from '../proxy/server.ts'
import type { LinkPlace } from './words.ts'

/** Both ends of the link. */
export const linkHost = '127.0.0.1'

/** Headers of one connection alone: the link's are not the client's. */
const ofOneConnection = new Set(['connection', 'keep-alive', 'transfer-encoding'])

export class Link {
  readonly #place: LinkPlace
  readonly #agent = new Agent({ keepAlive: true, noDelay: true })

  constructor(place: LinkPlace) {
    this.#place = place
  }

  /** @param vouched called where the leading process would answer the same again as long as nobody writes */
  pass(request: IncomingMessage, response: ServerResponse, vouched: () => void): void {
    const { port, header } = this.#place
    const { localAddress, localPort } = request.socket
    const passed = begin({
      host: linkHost,
      port,
      agent: this.#agent,
      method: request.method,
      path: request.url,
      setHost: false,
      headers: [header, `${localAddress} ${localPort}`, ...sentOn(request.rawHeaders)],
    })
    response.once('close', () => {
      if (!response.writableFinished) passed.destroy()
    })
    // The leading process is gone, or has cut the line: so is it for the client.
    passed.once('error', () => response.destroy())
    passed.once('response', (answer) => {
      const head = answeredHead(answer.rawHeaders, header)
      if (answer.headers[header] !== undefined) vouched()
      response.writeHead(answer.statusCode ?? 502, head)
      answer.once('error', () => response.destroy())
      answer.pipe(response)
    })
    request.pipe(passed)
  }
}

/** What the other end of the link makes of it; undefined where it came another way, and is nobody's. */
export function passedOnIn(
  request: IncomingMessage,
  response: ServerResponse,
  header: string,
): PassedOn | undefined {
  const { rawHeaders, headers } = request
  const [name, value = ''] = rawHeaders
  if (name !== header) return undefined
  rawHeaders.splice(0, 2)
  delete headers[header]
  const [localAddress, port] = value.split(' ')
  return {
    reached: { localAddress, localPort: Number(port) },
    vouch: () => void response.setHeader(header, '1'),
  }
}

/** A body in chunks goes on in chunks. */
const sentOn = (raw: readonly string[]): string[] =>
  pairsWithout(raw, (name) => name === 'connection' || name === 'keep-alive')

const answeredHead = (raw: readonly string[], header: string): string[] =>
  pairsWithout(raw, (name) => name === header || ofOneConnection.has(name))

/** @param raw names and values in turn */
function pairsWithout(raw: readonly string[], drop: (name: string) => boolean): string[] {
  const kept: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2)
    if (!drop(name.toLowerCase())) kept.push(name, value)
  }
  return kept
}
