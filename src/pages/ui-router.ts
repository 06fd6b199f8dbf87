/** Routes below `/__wikitape/`: what this server has done and what its cassettes hold, for people and for test set-ups. */

import type { RequestListener } from 'node:http'
import { fileURLToPath } from 'node:url'
import express, { type NextFunction, type Request, type Response } from 'express'
import type { EngineRegistry } from '../recorder/engine/registry/engine-registry.ts'
import type { RequestKey } from '../recorder/request/request-key.ts'
import { browserPath } from '../recorder/server/browser-requests.ts'
import { askView } from './cassettes/ask-view.ts'
import {
  CassetteCatalog,
  cassetteVersion,
  cassetteView
} from './cassettes/cassette-catalog.ts'
import { searchByName, searchInFiles } from './cassettes/interaction-rows.ts'
import {
  answerBytes,
  interactionView,
  openRecording
} from './cassettes/interaction-view.ts'
import { BadRequest, faultOf, getIn, numberParam, textParam } from './query-params.ts'
import { makeReport, reportNames } from './report-thread.ts'
import { liveRun, type ShownRun } from './runs/shown-run.ts'
import { setSecurityHeaders, setShellPolicy } from './security-headers.ts'

const builtPages = fileURLToPath(new URL('../../dist/browser', import.meta.url))

/** @param files runs that were written with `--run` */
export function uiRouter(
  engines: EngineRegistry,
  files: readonly ShownRun[] = []
): RequestListener {
  const catalog = new CassetteCatalog(engines.first.store.dir)
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(setSecurityHeaders)
  const router = express.Router()
  // For test set-ups; their form is stable.
  const get = getIn(router, '/')
  get('summary', () => engines.counts())
  get('misses', () => engines.misses())
  get('interactions', () => interactionsOf(engines))
  const runs = [...files, liveRun(engines)]
  addRunRoutes(router, catalog, engines, runs)
  addCassetteRoutes(router, catalog)
  addReportRoutes(router, catalog)
  router.use(express.static(builtPages, { redirect: false, setHeaders: setShellPolicy }))
  router.get('/', (request, response) => {
    if (!request.originalUrl.startsWith(`${browserPath}/`))
      return response.redirect(308, `${browserPath}/`)
    throw new BadRequest(
      503,
      'not-built',
      'the pages have not been built; run: npm run build'
    )
  })
  app.use(browserPath, router)
  app.use((request: Request) => {
    const path = request.path.slice(0, 200)
    throw new BadRequest(
      404,
      'no-such-page',
      `no page at ${path}; the pages are ${publicPaths}`
    )
  })
  app.use(sendError)
  return app
}

const publicPaths = ['', 'summary', 'misses', 'interactions']
  .map((one) => `${browserPath}/${one}`)
  .join(', ')

const interactionsOf = (engines: EngineRegistry) =>
  engines.all().flatMap(({ store, summary }) =>
    [...store.paths()].map(([key, path]) => ({
      cassette: store.dir,
      key,
      path,
      used: summary.used.has(key)
    }))
  )

function addRunRoutes(
  router: express.Router,
  catalog: CassetteCatalog,
  engines: EngineRegistry,
  runs: readonly ShownRun[]
) {
  const get = getIn(router)
  const runOf = (request: Request) => {
    const name = textParam(request, 'run')
    const found = runs.find((one) => name === undefined || one.name === name)
    if (found) return found
    throw new BadRequest(404, 'no-such-run', `there is no run ${JSON.stringify(name)}`)
  }
  get('about', () => {
    return {
      doing: engines.isLive ? 'recording' : 'replaying',
      hasRequests: runs.length > 1 || engines.feed.since(0).length > 0,
      current: catalog.first,
      cassettes: catalog.namesOldestFirst(),
      runs: runs.flatMap(({ name }) => (name === '' ? [] : [name]))
    }
  })
  get('requests', (request) => runOf(request).since(numberParam(request, 'since')))
  get('request', (request) => {
    const sent = runOf(request).sent(numberParam(request, 'id'))
    if (sent) return sent
    throw new BadRequest(404, 'no-such-request', 'only the last 500 requests are kept')
  })
  get('used', (request) => runOf(request).used(textParam(request, 'cassette') ?? ''))
  get('misses', (request) => {
    const names = catalog.names()
    return runOf(request)
      .misses()
      .map((miss) => {
        // Before the first recording there is no folder.
        const key = miss.key as RequestKey
        const isThere = names.includes(miss.cassette)
        const { store } = isThere ? catalog.snapshot(miss.cassette) : {}
        return { ...miss, recorded: miss.recorded || store?.has(key) === true }
      })
  })
}

function addCassetteRoutes(router: express.Router, catalog: CassetteCatalog) {
  const get = getIn(router)
  const snapshotOf = (request: Request) =>
    catalog.snapshot(textParam(request, 'cassette'))
  const keyOf = (request: Request) => textParam(request, 'key') ?? ''
  const searchOf = (request: Request) => ({
    folder: textParam(request, 'folder') ?? '',
    query: textParam(request, 'q') ?? '',
    from: numberParam(request, 'from')
  })
  get('cassette', (request) => cassetteView(snapshotOf(request)))
  get('version', (request) => cassetteVersion(snapshotOf(request)))
  get('interactions', (request) => searchByName(snapshotOf(request), searchOf(request)))
  get('inside', (request) => searchInFiles(snapshotOf(request), searchOf(request)))
  get('interaction', (request) => interactionView(snapshotOf(request), keyOf(request)))
  router.get('/api/body', (request, response) => {
    const snapshot = snapshotOf(request)
    const { key, responses } = openRecording(snapshot, keyOf(request))
    const { body } = responses[numberParam(request, 'response')] ?? responses[0]
    response.type(
      body.kind === 'binary' ? 'application/octet-stream' : 'text/plain; charset=utf-8'
    )
    response.end(answerBytes(body, key))
  })
}

/** Answers that take longer: they are made of many files, read anew. */
function addReportRoutes(router: express.Router, catalog: CassetteCatalog) {
  for (const name of reportNames)
    router.get(`/api/${name}`, async (request, response) => {
      const task = { name, dir: catalog.dirOf(), originalUrl: request.originalUrl }
      response.type('json').send(await makeReport(task, response))
    })
  // By POST, since a request may be longer than an address. Other pages cannot send this type unasked (CORS).
  const body = express.json({ type: 'application/json', limit: maxBody })
  router.post('/api/ask', body, async (request, response) => {
    if (request.is('application/json') !== 'application/json')
      throw new BadRequest(
        415,
        'no-json',
        'expected a request to ask as application/json'
      )
    const { cassette, like, address = '', form } = fieldsOf(request.body)
    const { dir, store } = catalog.snapshot(cassette)
    response.json(await askView({ dir, store, like, address, form }))
  })
}

/** Bytes of a request that is asked: as much as MediaWiki's longest text, escaped. */
const maxBody = '20mb'

/** Members of a body that are texts. */
function fieldsOf(body: unknown) {
  const members = Object.entries(Object(body))
  return Object.fromEntries(
    members.filter((one): one is [string, string] => typeof one[1] === 'string')
  )
}

/** Express recognises an error handler by its four parameters. */
function sendError(
  error: unknown,
  _request: Request,
  response: Response,
  _next: NextFunction
) {
  const { status, code, info } = faultOf(error)
  if (response.headersSent) response.destroy()
  else response.status(status).json({ error: { code, info } })
}
