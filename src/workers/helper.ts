/**
 * A process that helps: it answers by itself what is free of all state (proxy/free.ts), and passes everything else on.
 * It ends with the process that leads, however that ends.
 */
import type { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { Rack } from '../proxy/rack.ts'
import { Handler } from '../proxy/server.ts'
import { type ToldShort, toldShort } from '../proxy/told.ts'
import { Inlet } from './inlet.ts'
import { Link } from './link.ts'
import type { Begin, FromHelper, FromLead, Order } from './words.ts'

/** Targets that are vouched for and not yet answered here; what is forgotten is passed on once more. */
const mostVouched = 10_000
/** Milliseconds after which the leading process is told what was answered, and how many answers it is told of at once. */
const rhythm = 100
const mostAtOnce = 500

class Helper {
  readonly #inlet: Inlet
  readonly #vouched = new LRUCache<string, true>({ maxSize: mostVouched, sizeCalculation: () => 1 })
  #untold: ToldShort[] = []
  #telling: NodeJS.Timeout | undefined
  #written = false

  constructor({ rack: options, host, allowedOrigins, link: place }: Begin) {
    const report = (line: string): void => say({ kind: 'report', line })
    const rack = new Rack({
      ...options,
      packs: options.packs && { ...options.packs, helps: true },
      mode: 'none',
      live: undefined,
      recordErrors: false,
      now: Date.now,
      report,
    })
    rack.feed.watch(({ told }) => this.#tellSoon(toldShort(told)))
    const link = new Link(place)
    const handler = new Handler({
      rack,
      host,
      allowedOrigins: new Set(allowedOrigins),
      report,
      // Bodies and pages are passed on before anybody looks at them.
      maxBody: 0,
      pages: () => Promise.reject(new Error('a helping process shows no pages')),
      helping: {
        mayAnswer: () => !this.#written,
        vouched: (target) => this.#vouched.has(target),
        passOn: (request, response, target) =>
          link.pass(request, response, () => target && this.#vouched.set(target, true)),
      },
    })
    this.#inlet = new Inlet((request, response) => void handler.handle(request, response), report)
  }

  take(socket: Socket): void {
    this.#inlet.take(socket)
  }

  async do(order: Order): Promise<void> {
    if (order === 'stop') this.#written = true
    if (order === 'close') await this.#inlet.close()
    this.#tell()
  }

  #tell(): void {
    clearTimeout(this.#telling)
    this.#telling = undefined
    if (this.#untold.length > 0) say({ kind: 'told', told: this.#untold })
    this.#untold = []
  }

  #tellSoon(told: ToldShort): void {
    this.#untold.push(told)
    if (this.#untold.length >= mostAtOnce) this.#tell()
    else this.#telling ??= setTimeout(() => this.#tell(), rhythm)
  }
}

const say = (message: FromHelper): void => void process.send?.(message)

let helper: Helper | undefined

async function hear(message: FromLead, socket: Socket | undefined): Promise<void> {
  switch (message.kind) {
    case 'begin':
      helper = new Helper(message.begin)
      return say({ kind: 'ready' })
    case 'serve':
      // It may have been closed on its way.
      if (socket !== undefined) helper?.take(socket)
      return
    case 'do':
      await helper?.do(message.order)
      return say({ kind: 'done', id: message.id })
  }
}

process.on('message', (message: FromLead, socket?: Socket) => void hear(message, socket))
// A terminal's Ctrl-C, and who ends a whole group, mean the leading process as well: it says when this one ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
process.once('disconnect', () => process.exit())
