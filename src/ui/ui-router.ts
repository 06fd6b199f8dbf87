/** `/__wikitape/`: what this server has done so far and what its cassettes hold, for people and for test set-ups. */
import { fileURLToPath } from 'node:url'
import express, { type NextFunction, type Request, type Response } from 'express'
import { displayText } from '../engine/miss/describe-request.ts'
import type { Miss } from '../engine/miss/miss-reply.ts'
import type { EngineRegistry } from '../engine/registry/engine-registry.ts'
import { describeFailure } from '../http/reply-headers.ts'
import { browserPath } from '../server/browser-routes.ts'
import type { BrowserPages } from '../server/request-handler.ts'
import { BadRequest } from './bad-request.ts'
import { CassetteCatalog } from './cassettes/cassette-catalog.ts'
import { searchByName, searchInFiles } from './cassettes/interaction-rows.ts'
import {
  childNodes,
  findEntry,
  interactionView,
  RecordingReader,
  textPiece,
} from './cassettes/interaction-view.ts'
import { missViews } from './cassettes/miss-views.ts'
import { JobRunner } from './jobs/job-runner.ts'
import type { JobResult, UiJob } from './jobs/ui-job.ts'
import { readNodePath, readQuery } from './query-params.ts'
import { RequestEvents } from './request-events.ts'
import { reportPolicy, setSecurityHeaders, setShellPolicy } from './security-headers.ts'
import type { AboutView, CassetteView } from './views.ts'

/** What Vite has made of `ui/`. */
const builtPages = fileURLToPath(new URL('../../dist/browser', import.meta.url))

export function uiRouter(run: EngineRegistry): BrowserPages {
  const catalog = new CassetteCatalog(run.get(undefined, undefined).store.dir)
  const events = new RequestEvents(run.feed)
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(setSecurityHeaders)
  const router = express.Router()
  addRunRoutes(router, run)
  router.get('/api/requests', (request, response) => events.send(request, response))
  addCassetteRoutes(router, catalog, run)
  addJobRoutes(router, catalog)
  router.use(express.static(builtPages, { redirect: false, setHeaders: setShellPolicy }))
  router.get('/', (request, response) => {
    if (!request.originalUrl.startsWith(`${browserPath}/`)) return response.redirect(308, `${browserPath}/`)
    throw new BadRequest(503, 'not-built', 'the pages have not been built; run: npm run build')
  })
  app.use(browserPath, router)
  app.use((request: Request) => {
    throw new BadRequest(
      404,
      'no-such-page',
      `nothing at ${request.path.slice(0, 200)}; there is ${publicPaths}`,
    )
  })
  app.use(sendError)
  return { listener: app, close: () => events.close() }
}

const publicPaths = ['', 'summary', 'misses', 'interactions'].map((one) => `${browserPath}/${one}`).join(', ')

/** For test set-ups; their form is promised. */
function addRunRoutes(router: express.Router, run: EngineRegistry): void {
  router.get('/summary', (_, response) => void response.json(run.counts()))
  router.get('/misses', (_, response) => void response.json(missesIn(run)))
  router.get('/interactions', (_, response) => void response.json(interactionsOf(run)))
}

const missesIn = (run: EngineRegistry): readonly Miss[] =>
  run.all().flatMap((engine) => [...engine.summary.misses.values()])

const interactionsOf = (run: EngineRegistry): readonly object[] =>
  run.all().flatMap(({ store, summary }) =>
    [...store.paths()].map(([key, path]) => ({
      cassette: store.dir,
      key,
      path,
      used: summary.used.has(key),
    })),
  )

/** For the pages; their form may change with every version. */
function addCassetteRoutes(router: express.Router, catalog: CassetteCatalog, run: EngineRegistry): void {
  const reader = new RecordingReader()
  const get = (path: string, view: (request: Request) => unknown): void => {
    router.get(`/api/${path}`, (request, response) => void response.json(view(request)))
  }
  get('about', () => aboutView(catalog, run))
  get('misses', () => missViews(run, catalog))
  get('cassette', (request) => cassetteView(catalog, readQuery(request).cassette ?? catalog.first))
  get('interactions', (request) => {
    const { cassette, folder = '', q = '', from } = readQuery(request)
    return searchByName(catalog.snapshot(cassette ?? catalog.first), folder, q, from)
  })
  get('inside', (request) => {
    const { cassette, folder = '', q = '', from } = readQuery(request)
    return searchInFiles(catalog.snapshot(cassette ?? catalog.first), folder, q, from)
  })
  get('interaction', (request) => {
    const { cassette, key = '' } = readQuery(request)
    return interactionView(catalog.snapshot(cassette ?? catalog.first), key, reader)
  })
  const responseOf = (request: Request): ReturnType<RecordingReader['response']> => {
    const { cassette, key = '', response } = readQuery(request)
    const snapshot = catalog.snapshot(cassette ?? catalog.first)
    return reader.response(snapshot, findEntry(snapshot, key), response)
  }
  get('values', (request) => childNodes(responseOf(request), readNodePath(request), readQuery(request).from))
  get('text', (request) => textPiece(responseOf(request), readQuery(request).from))
}

function aboutView(catalog: CassetteCatalog, run: EngineRegistry): AboutView {
  return {
    doing: run.isLive ? 'recording' : 'replaying',
    current: catalog.first,
    cassettes: catalog.names(),
  }
}

function cassetteView(catalog: CassetteCatalog, name: string): CassetteView {
  const { dir, store, entries, folders } = catalog.snapshot(name)
  const { upstream = '', engine = '', recorded = '' } = store?.manifest ?? {}
  return {
    name,
    dir: displayText(dir),
    upstream: displayText(upstream),
    engine: displayText(engine),
    recorded,
    interactions: entries.length,
    folders: [...folders].map(([folder, { length }]) => ({
      name: folder,
      label: displayText(folder),
      interactions: length,
    })),
  }
}

/** What takes long is done aside. */
function addJobRoutes(router: express.Router, catalog: CassetteCatalog): void {
  const jobs = new JobRunner()
  const dirOf = (name: string | undefined): string => catalog.snapshot(name ?? catalog.first).dir
  const get = (path: string, job: (request: Request) => UiJob): void => {
    router.get(`/${path}`, async (request, response) => sendResult(response, await jobs.run(job(request))))
  }
  get('api/check', (request) => ({ kind: 'check', dir: dirOf(readQuery(request).cassette) }))
  get('api/listings', (request) => {
    const { cassette, folder = '' } = readQuery(request)
    return { kind: 'listings', dir: dirOf(cassette), folder }
  })
  get('drift', (request) => {
    const { a, b } = readQuery(request)
    return { kind: 'drift', a: dirOf(a), b: dirOf(b) }
  })
}

function sendResult(response: Response, result: JobResult): void {
  if (result.kind === 'json') response.json(result.value)
  else response.set('content-security-policy', reportPolicy).type('html').send(result.text)
}

/** Express knows an error's handler by its four parameters. */
function sendError(error: unknown, _request: Request, response: Response, _next: NextFunction): void {
  const { status, code, info } =
    error instanceof BadRequest
      ? { status: error.status, code: error.code, info: error.message }
      : describeFailure(error)
  if (response.headersSent) response.destroy()
  else response.status(status).json({ error: { code, info } })
}
