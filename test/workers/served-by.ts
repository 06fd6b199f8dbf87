/** One cassette served by one process, and by several: asked the same. */
import http from 'node:http'
import { onTestFinished } from 'vitest'
import { ask, type HttpAsk, type HttpReply } from '../helpers/http-client.ts'
import { spawnServing } from '../helpers/processes.ts'
import { type RunOptions, type Serving, serving } from '../helpers/program.ts'
import { scaled } from '../helpers/scale.ts'

export interface Asking extends HttpAsk {
  /** Path and query. */
  readonly path: string
  /** Which of a client's connections it goes over. */
  readonly over: number
}

/** Connections that each client has open: as many processes as there are get some of them. */
export const connections = 4

/** Two processes are several; with three, one more helps. */
export const several: number = scaled(2, 3)

export class Served {
  readonly server: Serving
  readonly #origin: string
  readonly #agents = Array.from(
    { length: connections },
    () => new http.Agent({ keepAlive: true, maxSockets: 1 }),
  )

  constructor(server: Serving) {
    this.server = server
    this.#origin = new URL(server.api).origin
    onTestFinished(() => {
      for (const agent of this.#agents) agent.destroy()
    })
  }

  ask({ path, over, ...rest }: Asking): Promise<HttpReply> {
    const agent = this.#agents[over % connections]
    return ask(this.#origin, { ...rest, target: path, ...(agent === undefined ? {} : { agent }) })
  }

  /** One after the other. */
  async askAll(all: readonly Asking[]): Promise<readonly unknown[]> {
    // The connections begin in this order, so that each process has its part of them.
    const replies: unknown[] = []
    for (const one of all) replies.push(comparable(await this.ask(one), this.#origin))
    return replies
  }
}

const argsOf = (processes: number, args: readonly string[]): readonly string[] => [
  ...['replay', '--workers', String(processes)],
  ...args,
]

/** One serves as a process of its own, too. */
export const spawnedBy = async (
  processes: number,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Served> => new Served(await spawnServing(argsOf(processes, args), options))

/** Several serve as processes of their own; one, which is what they are held against, serves inside of this. */
export const servedBy = async (
  processes: number,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Served> =>
  processes === 1
    ? new Served(await serving(argsOf(processes, args), options))
    : spawnedBy(processes, args, options)

/** Less what names the time, the port, and what is drawn anew for each login. */
function comparable({ status, headers, text }: HttpReply, origin: string): unknown {
  const { date: _date, ...rest } = headers
  const told = JSON.stringify({ status, rest, text }).replaceAll(origin, 'ORIGIN')
  return told.replace(/[0-9a-f]{32}(?=; )/g, 'DRAWN').replace(/expires=[^;"]+/gi, 'expires=THEN')
}
