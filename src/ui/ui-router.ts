/** `/__wikitape/`: what this server has done so far and what its cassettes hold, for people and for test set-ups. */
import { fileURLToPath } from 'node:url'
import express, { type NextFunction, type Request, type Response } from 'express'
import { shown } from '../engine/miss/describe-request.ts'
import type { Miss } from '../engine/miss/miss-reply.ts'
import type { Rack } from '../engine/registry/engine-registry.ts'
import { describeFailure } from '../http/reply-headers.ts'
import { ownPath } from '../server/browser-routes.ts'
import type { Pages } from '../server/request-handler.ts'
import { Refusal } from './bad-request.ts'
import { Shelf } from './cassettes/cassette-catalog.ts'
import { search, searchInside } from './cassettes/interaction-rows.ts'
import { entryOf, interactionView, nodesAt, Reader, textOf } from './cassettes/interaction-view.ts'
import { missViews } from './cassettes/miss-views.ts'
import { Aside } from './jobs/job-runner.ts'
import type { Done, Job } from './jobs/ui-job.ts'
import { placeOf, questionOf } from './query-params.ts'
import { Events } from './request-events.ts'
import { reportPolicy, shellPolicy, withHeaders } from './security-headers.ts'
import type { AboutView, CassetteView } from './views.ts'

/** What Vite has made of `ui/`. */
const built = fileURLToPath(new URL('../../dist/browser', import.meta.url))

export function pagesOf(rack: Rack): Pages {
  const shelf = new Shelf(rack.engine(undefined, undefined).store.dir)
  const events = new Events(rack.feed)
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(withHeaders)
  const own = express.Router()
  addCounts(own, rack)
  own.get('/api/requests', (request, response) => events.send(request, response))
  addCassettes(own, shelf, rack)
  addWork(own, shelf)
  own.use(express.static(built, { redirect: false, setHeaders: shellPolicy }))
  own.get('/', (request, response) => {
    if (!request.originalUrl.startsWith(`${ownPath}/`)) return response.redirect(308, `${ownPath}/`)
    throw new Refusal(503, 'not-built', 'the pages have not been built; run: npm run build')
  })
  app.use(ownPath, own)
  app.use((request: Request) => {
    throw new Refusal(404, 'no-such-page', `nothing at ${request.path.slice(0, 200)}; there is ${paths}`)
  })
  app.use(tellFault)
  return { listener: app, close: () => events.close() }
}

const paths = ['', 'summary', 'misses', 'interactions'].map((one) => `${ownPath}/${one}`).join(', ')

/** For test set-ups; their form is promised. */
function addCounts(own: express.Router, rack: Rack): void {
  own.get('/summary', (_, response) => void response.json(rack.counts()))
  own.get('/misses', (_, response) => void response.json(missesOf(rack)))
  own.get('/interactions', (_, response) => void response.json(interactionsOf(rack)))
}

const missesOf = (rack: Rack): readonly Miss[] =>
  rack.engines().flatMap((engine) => [...engine.summary.misses.values()])

const interactionsOf = (rack: Rack): readonly object[] =>
  rack.engines().flatMap(({ store, summary }) =>
    [...store.paths()].map(([key, path]) => ({
      cassette: store.dir,
      key,
      path,
      used: summary.used.has(key),
    })),
  )

/** For the pages; their form may change with every version. */
function addCassettes(own: express.Router, shelf: Shelf, rack: Rack): void {
  const reader = new Reader()
  const get = (path: string, view: (request: Request) => unknown): void => {
    own.get(`/api/${path}`, (request, response) => void response.json(view(request)))
  }
  get('about', () => aboutView(shelf, rack))
  get('misses', () => missViews(rack, shelf))
  get('cassette', (request) => cassetteView(shelf, questionOf(request).cassette ?? shelf.first))
  get('interactions', (request) => {
    const { cassette, folder = '', q = '', from } = questionOf(request)
    return search(shelf.tape(cassette ?? shelf.first), folder, q, from)
  })
  get('inside', (request) => {
    const { cassette, folder = '', q = '', from } = questionOf(request)
    return searchInside(shelf.tape(cassette ?? shelf.first), folder, q, from)
  })
  get('interaction', (request) => {
    const { cassette, key = '' } = questionOf(request)
    return interactionView(shelf.tape(cassette ?? shelf.first), key, reader)
  })
  const responseOf = (request: Request): ReturnType<Reader['response']> => {
    const { cassette, key = '', response } = questionOf(request)
    const tape = shelf.tape(cassette ?? shelf.first)
    return reader.response(tape, entryOf(tape, key), response)
  }
  get('values', (request) => nodesAt(responseOf(request), placeOf(request), questionOf(request).from))
  get('text', (request) => textOf(responseOf(request), questionOf(request).from))
}

function aboutView(shelf: Shelf, rack: Rack): AboutView {
  return {
    doing: rack.live ? 'recording' : 'replaying',
    current: shelf.first,
    cassettes: shelf.names(),
  }
}

function cassetteView(shelf: Shelf, name: string): CassetteView {
  const { dir, store, entries, folders } = shelf.tape(name)
  const { upstream = '', engine = '', recorded = '' } = store?.manifest ?? {}
  return {
    name,
    dir: shown(dir),
    upstream: shown(upstream),
    engine: shown(engine),
    recorded,
    interactions: entries.length,
    folders: [...folders].map(([folder, { length }]) => ({
      name: folder,
      label: shown(folder),
      interactions: length,
    })),
  }
}

/** What takes long is done aside. */
function addWork(own: express.Router, shelf: Shelf): void {
  const aside = new Aside()
  const dirOf = (name: string | undefined): string => shelf.tape(name ?? shelf.first).dir
  const get = (path: string, job: (request: Request) => Job): void => {
    own.get(`/${path}`, async (request, response) => answer(response, await aside.do(job(request))))
  }
  get('api/check', (request) => ({ kind: 'check', dir: dirOf(questionOf(request).cassette) }))
  get('api/listings', (request) => {
    const { cassette, folder = '' } = questionOf(request)
    return { kind: 'listings', dir: dirOf(cassette), folder }
  })
  get('drift', (request) => {
    const { a, b } = questionOf(request)
    return { kind: 'drift', a: dirOf(a), b: dirOf(b) }
  })
}

function answer(response: Response, done: Done): void {
  if (done.kind === 'json') response.json(done.value)
  else response.set('content-security-policy', reportPolicy).type('html').send(done.text)
}

/** Express knows an error's handler by its four parameters. */
function tellFault(error: unknown, _request: Request, response: Response, _next: NextFunction): void {
  const { status, code, info } =
    error instanceof Refusal
      ? { status: error.status, code: error.code, info: error.message }
      : describeFailure(error)
  if (response.headersSent) response.destroy()
  else response.status(status).json({ error: { code, info } })
}
