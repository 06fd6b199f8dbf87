/** HTTP as clients speak it, with nothing added: plain node:http, and bytes on a socket. */
import http from 'node:http'
import net from 'node:net'

export interface HttpReply {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
  readonly text: string
}

export interface HttpAsk {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Path and query as they shall stand in the request line; that of the URL unless given. */
  readonly target?: string
  readonly agent?: http.Agent
}

/** Asks once; the body is not decoded. */
export function ask(
  url: string,
  { method = 'GET', headers = {}, body, target, agent }: HttpAsk = {}
): Promise<HttpReply> {
  const { hostname, port, pathname, search } = new URL(url)
  return new Promise((resolve, reject) => {
    const options = {
      host: hostname,
      port,
      method,
      headers,
      path: target ?? pathname + search,
      agent: agent ?? false
    }
    const request = http.request(options, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.once('error', reject)
      response.once('end', () => {
        const whole = Buffer.concat(parts)
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: whole,
          text: whole.toString('utf8')
        })
      })
    })
    request.once('error', reject)
    request.end(body)
  })
}

/** A POST of urlencoded parameters. */
export const post = (
  url: string,
  body: string,
  headers: Readonly<Record<string, string>> = {}
): Promise<HttpReply> =>
  ask(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }
  })

/** Asks, and does not wait: `leave` closes the connection. Node's fetch would open another at once, and ask nothing on it. */
export function askAndLeave(url: string): {
  readonly leave: () => Promise<'gone' | 'answered'>
} {
  const request = http.get(url, { agent: false })
  const end = new Promise<'gone' | 'answered'>((resolve) => {
    request.once('error', () => resolve('gone'))
    request.once('response', () => resolve('answered'))
  })
  return {
    leave: () => {
      request.destroy()
      return end
    }
  }
}

/** Sends bytes and collects all that comes back until the other side closes. */
export function sendBytes(url: string, bytes: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', (part) => parts.push(part))
    socket.once('error', reject)
    socket.once('close', () => resolve(Buffer.concat(parts).toString('latin1')))
  })
}
