/** `wikitape` as processes of its own, and HTTP requests to them. */
import { type ChildProcess, spawn } from 'node:child_process'
import http from 'node:http'
import path from 'node:path'

const program = path.resolve(import.meta.dirname, '../../dist/cli/start.cjs')

export interface WikitapeProcess {
  readonly origin: string
  readonly process: ChildProcess
  /** The end of what it has said on stderr. */
  readonly errors: () => string
  /** Milliseconds from the start of the process until it accepted connections. */
  readonly startMs: number
  readonly stop: () => Promise<void>
}

/** Starts a server, and waits until it accepts connections. @param args of `wikitape`, with `--port 0` */
export function startWikitape(
  args: readonly string[],
  nodeArgs: readonly string[] = []
): Promise<WikitapeProcess> {
  const started = performance.now()
  const child = spawn(process.execPath, [...nodeArgs, program, ...args, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CI: '' }
  })
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await exited
  }
  return new Promise((resolve, reject) => {
    let output = ''
    let errors = ''
    child.stderr.on('data', (part) => {
      errors = (errors + String(part)).slice(-2000)
    })
    child.stdout.on('data', (part) => {
      output += String(part)
      const [, origin] = / on (http:\/\/[^/]+)\//.exec(output) ?? []
      if (origin !== undefined)
        resolve({
          origin,
          process: child,
          errors: () => errors,
          startMs: performance.now() - started,
          stop
        })
    })
    child.once('exit', () =>
      reject(new Error(`wikitape ${args.join(' ')} ended: ${errors}`))
    )
  })
}

export interface TimedReply {
  readonly text: string
  readonly status: string
}

/** @throws Error where the server does not answer within 15 seconds */
export function get(
  origin: string,
  query: string,
  agent: http.Agent,
  headers: http.OutgoingHttpHeaders = {}
): Promise<TimedReply> {
  const options = { agent, headers, timeout: 15_000 }
  return new Promise((resolve, reject) => {
    const request = http.get(`${origin}/w/api.php?${query}`, options, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.once('error', reject)
      response.once('end', () =>
        resolve({
          text: Buffer.concat(parts).toString('utf8'),
          status: String(response.headers['x-cassette-status'] ?? response.statusCode)
        })
      )
    })
    request.once('timeout', () => request.destroy(new Error('no answer within 15 s')))
    request.once('error', reject)
  })
}
