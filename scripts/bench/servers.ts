/** Servers as processes of their own, what they have used, and a client that costs little beside them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import net from 'node:net'
import { createInterface } from 'node:readline'

export interface Running {
  readonly child: ChildProcess
  readonly url: URL
}

export interface Asked {
  readonly method: 'GET' | 'POST'
  readonly query: string
  /** Length of the right answer; of any where undefined. */
  readonly bytes: number | undefined
}

/** Starts a server whose first line ends in its address. */
export async function start(args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  for await (const line of createInterface(child.stdout))
    return { child, url: new URL(line.slice(line.lastIndexOf(' ') + 1)) }
  throw new Error(`${args.join(' ')} did not start`)
}

/** Ends a server as a person would, and waits until it has done so. */
export async function stop({ child }: Running): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** CPU milliseconds that the threads of a process have used. Source: proc(5), schedstat in nanoseconds: ticks of 10 ms are coarse. */
export function cpuMsOf(pid: number): number {
  const threads = `/proc/${pid}/task`
  return readdirSync(threads)
    .map(
      (thread) =>
        Number(readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ', 1)[0]) /
        1e6
    )
    .reduce((sum, ms) => sum + ms, 0)
}

export const cpuMs = ({ child }: Running): number => cpuMsOf(child.pid ?? 0)

export const memoryMb = ({ child }: Running): number =>
  Number(
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0
  ) / 1024

/** CPU microseconds of the server a request. @throws where an answer has another length than the right one */
export async function load(
  server: Running,
  requests: readonly Asked[],
  connections = 16
): Promise<number> {
  const before = cpuMs(server)
  const left = requests.values()
  await Promise.all(Array.from({ length: connections }, () => askAll(server.url, left)))
  return ((cpuMs(server) - before) * 1000) / requests.length
}

/** One connection that asks one after the other. */
function askAll({ hostname, port, host }: URL, requests: Iterator<Asked>): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname)
    let head = ''
    /** Bytes of the present answer that are still to come; undefined while its head is read. */
    let left: number | undefined
    let asked: Asked | undefined
    const next = (): void => {
      asked = requests.next().value
      head = ''
      left = undefined
      if (asked !== undefined) socket.write(textOf(asked, host))
      else {
        socket.end()
        resolve()
      }
    }
    socket.setNoDelay(true)
    socket.on('error', reject)
    socket.on('close', () =>
      reject(new Error('the connection was closed before its answer was there'))
    )
    socket.on('connect', next)
    socket.on('data', (part) => {
      if (left === undefined) {
        head += part.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        if (!head.startsWith('HTTP/1.1 200 '))
          return reject(
            new Error(`${head.slice(0, head.indexOf('\r'))} for ${asked?.query}`)
          )
        const bytes = Number(/content-length: (\d+)/i.exec(head)?.[1])
        if (asked?.bytes !== undefined && asked.bytes !== bytes)
          return reject(
            new Error(
              `wrong answer: ${bytes} bytes, not ${asked.bytes}, for ${asked.query}`
            )
          )
        left = bytes - (head.length - end - 4)
      } else left -= part.length
      if (left <= 0) next()
    })
  })
}

const textOf = ({ method, query }: Asked, host: string): string =>
  method === 'GET'
    ? `GET /w/api.php?${query} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
    : `POST /w/api.php HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${query.length}\r\n\r\n${query}`
