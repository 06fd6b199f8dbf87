/**
 * Stands between wikitape and the wiki: keeps what was asked and answered, waits until PHP is done with a request (what
 * it defers is then done, too), and holds, cuts or spoils an answer on demand.
 */
import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to the answer of the wiki on its way, or the client has left before it; the wiki does what was asked in each case. */
export type Trouble = 'held' | 'cut' | '504' | 'left'

export interface Passed {
  readonly method: string
  readonly target: string
  readonly status: number
  readonly body: string
}

export class Gate {
  readonly #wiki: URL
  readonly #server: http.Server
  #passed: Passed[] = []
  #trouble: Trouble | undefined
  /** Called once an answer is there that is in trouble. */
  #caught: (() => void) | undefined
  #release: (() => void) | undefined

  constructor(wiki: string) {
    this.#wiki = new URL(wiki)
    this.#server = http.createServer(
      (request, response) => void this.#handle(request, response)
    )
  }

  listen(port: number): Promise<void> {
    return new Promise((resolve) => void this.#server.listen(port, '127.0.0.1', resolve))
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** What was passed since this was called before. */
  taken(): readonly Passed[] {
    const passed = this.#passed
    this.#passed = []
    return passed
  }

  /** The next request's answer is in trouble. Settles once the wiki has answered. @param concerns which request */
  next(
    trouble: Trouble,
    concerns: (target: string, body: string) => boolean
  ): Promise<void> {
    this.#trouble = trouble
    this.#concerns = concerns
    return new Promise((resolve) => {
      this.#caught = resolve
    })
  }

  /** Settles once the wiki has done what it was asked by a client that has left. */
  done(): Promise<void> {
    return new Promise((resolve) => {
      this.#done = resolve
    })
  }

  #done: (() => void) | undefined

  #released(): Promise<void> {
    return new Promise((resolve) => {
      this.#release = resolve
      this.#caught?.()
    })
  }

  #concerns: (target: string, body: string) => boolean = () => true

  release(): void {
    this.#trouble = undefined
    this.#release?.()
    this.#release = undefined
  }

  async #handle(
    request: http.IncomingMessage,
    response: http.ServerResponse
  ): Promise<void> {
    const body = await whole(request)
    const target = request.url ?? '/'
    const method = request.method ?? 'GET'
    const trouble = this.#concerns(target, body.toString('latin1'))
      ? this.#trouble
      : undefined
    if (trouble !== undefined) this.#trouble = undefined
    if (trouble === 'left') await this.#released()
    const answer = await askWiki(this.#wiki, {
      method,
      target,
      headers: request.headers,
      body
    })
    if (trouble !== 'cut' && trouble !== '504' && trouble !== 'left')
      this.#passed.push({
        method,
        target,
        status: answer.status,
        body: answer.body.toString('utf8')
      })
    switch (trouble) {
      case 'cut':
        request.socket.destroy()
        this.#caught?.()
        return
      case '504':
        response
          .writeHead(504, { 'content-type': 'text/html' })
          .end('<h1>504 Gateway Time-out</h1>')
        this.#caught?.()
        return
      case 'left':
        this.#done?.()
        return
      case 'held':
        await this.#released()
    }
    response.writeHead(answer.status, answer.headers).end(answer.body)
  }
}

interface Asked {
  readonly method: string
  readonly target: string
  readonly headers: http.OutgoingHttpHeaders
  readonly body: Buffer
}

interface Answer {
  readonly status: number
  readonly headers: http.OutgoingHttpHeaders
  readonly body: Buffer
}

/** Settles when the connection is closed, which PHP's own server does at the very end of a request. */
export function askWiki(
  wiki: URL,
  { method, target, headers, body }: Asked
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = { ...headers, connection: 'close' }
    const options = {
      host: wiki.hostname,
      port: wiki.port,
      method,
      path: target,
      headers: sent,
      agent: false
    }
    const request = http.request(options, (response) => {
      void whole(response).then((text) => {
        const { connection: _, 'transfer-encoding': __, ...kept } = response.headers
        const answer = { status: response.statusCode ?? 0, headers: kept, body: text }
        if (response.socket.destroyed) resolve(answer)
        else response.socket.once('close', () => resolve(answer))
      })
    })
    request.once('error', reject)
    request.end(body)
  })
}

async function whole(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(Buffer.from(part as Buffer))
  return Buffer.concat(parts)
}
