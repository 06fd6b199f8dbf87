/**
 * Several processes that serve one cassette at one address (docs/decisions/0106). The one that leads accepts all
 * connections, keeps its share and hands out the others; it alone knows sessions, counts, and answers what hangs on them.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:http'
import net from 'node:net'
import type { Engine } from '../proxy/engine.ts'
import {
  Handler,
  maxHead,
  type Pages,
  type RunningServer,
  type ServerOptions,
  serverFor,
  urlOf,
} from '../proxy/server.ts'
import { toldAgain } from '../proxy/told.ts'
import { Inlet } from './inlet.ts'
import { linkHost, passedOnIn } from './link.ts'
import type { Begin, FromHelper, FromLead, Order } from './words.ts'

export interface SharedOptions extends ServerOptions {
  /** How many serve, the one that leads among them. */
  readonly processes: number
  /** What the others open for themselves: the same as the rack. */
  readonly replaying: Begin['rack']
}

/** Beside this file in the package. */
const helperFile = new URL('helper.js', import.meta.url)
/** Milliseconds that a helping process may take to confirm an order; one that does not will not do anything any more. */
const patience = 10_000
/** The same at the end, where it cuts off its clients by itself (proxy/connections.ts). */
const closingPatience = 2000

/** @throws Error with `code` EADDRINUSE, EACCES … where the port cannot be had */
export async function startShared(options: SharedOptions): Promise<RunningServer> {
  const lead = new Lead(options)
  await lead.listen()
  return lead
}

class Lead implements RunningServer {
  readonly #options: SharedOptions
  readonly #engine: Engine
  readonly #handler: Handler
  readonly #inlet: Inlet
  readonly #acceptor: net.Server
  readonly #link: Server
  readonly #linkHeader = `x-wikitape-link-${randomBytes(16).toString('hex')}`
  readonly #helpers = new Set<HelpingProcess>()
  /** Whose turn it is to get a connection. */
  #turn = 0
  #settling: Promise<void> | undefined
  #settled = false
  #closing = false

  constructor(options: SharedOptions) {
    const { report } = options
    this.#options = options
    this.#engine = options.rack.engine(undefined, undefined)
    this.#handler = new Handler({
      ...options,
      pages: async () => this.#whenAllIsTold(await options.pages()),
      settled: () => this.#settle(),
    })
    this.#inlet = new Inlet((request, response) => void this.#handler.handle(request, response), report)
    this.#acceptor = net.createServer(
      { pauseOnConnect: true, allowHalfOpen: true, noDelay: true },
      (socket) => this.#place(socket),
    )
    this.#link = this.#newLink()
  }

  get url(): string {
    return urlOf(this.#acceptor)
  }

  /** Resolves when all processes are ready. */
  async listen(): Promise<void> {
    const { host, port, processes } = this.#options
    await listening(this.#acceptor, port, host)
    await listening(this.#link, 0, linkHost)
    await Promise.all(Array.from({ length: processes - 1 }, () => this.#begin()))
  }

  async close(): Promise<void> {
    this.#closing = true
    this.#acceptor.close()
    this.#handler.close()
    await Promise.all([this.#inlet.close(), ...[...this.#helpers].map((one) => one.end())])
    this.#link.close()
    this.#link.closeAllConnections()
  }

  #newLink(): Server {
    const link = serverFor(
      (request, response) => {
        const passedOn = passedOnIn(request, response, this.#linkHeader)
        if (passedOn === undefined) request.socket.destroy()
        else void this.#handler.handle(request, response, passedOn)
      },
      this.#options.report,
      // Who speaks HTTP/1.0 need name no host, and the link's own header comes on top of a client's.
      { maxHeaderSize: maxHead + 1024, requireHostHeader: false },
    )
    // Clients are waited for by the process that they are connected to.
    link.keepAliveTimeout = 0
    link.requestTimeout = 0
    link.headersTimeout = 0
    return link
  }

  #place(socket: net.Socket): void {
    const ready = [...this.#helpers].filter((one) => one.isReady)
    this.#turn = (this.#turn + 1) % (ready.length + 1)
    const helper = ready[this.#turn]
    if (helper === undefined) this.#inlet.take(socket)
    else helper.serve(socket)
  }

  /** Once somebody has written, no answer leaves that may show it before the others know that they must not answer. */
  #settle(): Promise<void> | undefined {
    if (this.#settled || this.#engine.pristine) return undefined
    this.#settling ??= this.#order('stop').then(() => {
      this.#settled = true
    })
    return this.#settling
  }

  async #order(order: Order): Promise<void> {
    await Promise.all([...this.#helpers].filter((one) => one.isReady).map((one) => one.do(order)))
  }

  #whenAllIsTold({ listener, close }: Pages): Pages {
    return {
      listener: (request, response) => void this.#order('tell').then(() => listener(request, response)),
      close,
    }
  }

  async #begin(): Promise<void> {
    const { replaying, host, allowedOrigins = [] } = this.#options
    const { port } = this.#link.address() as net.AddressInfo
    const helper = new HelpingProcess((message) => this.#hear(message))
    this.#helpers.add(helper)
    const began = helper.begin({
      rack: replaying,
      host,
      allowedOrigins: [...allowedOrigins],
      link: { port, header: this.#linkHeader },
    })
    helper.ended.then((how) => this.#mourn(helper, how)).catch(() => undefined)
    await began
    // What was written meanwhile it learns before its first connection.
    if (!this.#engine.pristine) await helper.do('stop')
  }

  #mourn(helper: HelpingProcess, how: string): void {
    this.#helpers.delete(helper)
    if (this.#closing) return
    const { report } = this.#options
    if (helper.wasReady) {
      report(`a process that helped to serve has ended (${how}); another is started`)
      void this.#begin()
    } else
      report(`a process that was to help to serve has ended at once (${how}); the others go on without it`)
  }

  #hear(message: FromHelper): void {
    if (message.kind === 'report') this.#options.report(message.line)
    if (message.kind === 'told')
      for (const told of message.told) this.#engine.noteElsewhere(toldAgain(told, this.#engine.store.dir))
  }
}

class HelpingProcess {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, () => void>()
  /** How it ended, in words. */
  readonly ended: Promise<string>
  #ready: (() => void) | undefined
  #orders = 0
  #state: 'beginning' | 'ready' | 'ended' = 'beginning'
  #wasReady = false

  constructor(hear: (message: FromHelper) => void) {
    this.#child = fork(helperFile, [], {
      execArgv: process.execArgv.filter((one) => !one.startsWith('--inspect')),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child.on('message', (message: FromHelper) => {
      if (message.kind === 'ready') this.#becomeReady()
      else if (message.kind === 'done') this.#confirm(message.id)
      else hear(message)
    })
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(this.#end(error.message)))
      this.#child.once('exit', (code, signal) => resolve(this.#end(signal ?? `exit code ${code}`)))
    })
  }

  get isReady(): boolean {
    return this.#state === 'ready'
  }

  get wasReady(): boolean {
    return this.#wasReady
  }

  /** Resolves when it is ready, or has ended. */
  begin(begin: Begin): Promise<void> {
    return new Promise((resolve) => {
      this.#ready = resolve
      this.#say({ kind: 'begin', begin })
    })
  }

  serve(socket: net.Socket): void {
    this.#say({ kind: 'serve' }, socket)
  }

  /** Resolves when it is done, or when nobody is left to do it. */
  async do(order: Order): Promise<void> {
    if (this.#state === 'ended') return
    this.#orders += 1
    const id = this.#orders
    const done = new Promise<void>((resolve) => this.#waiting.set(id, resolve))
    this.#say({ kind: 'do', order, id })
    const kill = (): void => void this.#child.kill('SIGKILL')
    const impatience = setTimeout(kill, order === 'close' ? closingPatience : patience)
    await done
    clearTimeout(impatience)
  }

  async end(): Promise<void> {
    await this.do('close')
    if (this.#child.connected) this.#child.disconnect()
    await this.ended
  }

  #becomeReady(): void {
    this.#state = 'ready'
    this.#wasReady = true
    this.#ready?.()
  }

  #end(how: string): string {
    this.#state = 'ended'
    this.#ready?.()
    for (const id of this.#waiting.keys()) this.#confirm(id)
    return how
  }

  #confirm(id: number): void {
    this.#waiting.get(id)?.()
    this.#waiting.delete(id)
  }

  #say(message: FromLead, socket?: net.Socket): void {
    // Where it has just ended, the end is told by itself, and a connection ends with it.
    this.#child.send(message, socket, (error) => void (error !== null && socket?.destroy()))
  }
}

async function listening(server: net.Server, port: number, host: string): Promise<void> {
  server.listen(port, host)
  // Rejects at an error, as where the port is in use.
  await once(server, 'listening')
}
