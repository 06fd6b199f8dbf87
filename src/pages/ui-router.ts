/** Routes below `/__wikitape/`: what this server has done and what its cassettes hold, for people and for test set-ups. */

import type { RequestListener } from 'node:http'
import { fileURLToPath } from 'node:url'
import express, { type NextFunction, type Request, type Response } from 'express'
import type { EngineRegistry } from '../recorder/engine/registry/engine-registry.ts'
import { describeFailure, type OwnError } from '../recorder/http/reply-headers.ts'
import { browserPath } from '../recorder/server/browser-requests.ts'
import { CassetteStore } from '../recorder/store/cassette-store.ts'
import { errorText } from '../recorder/text/error-text.ts'
import { askView, missViews } from './cassettes/ask-view.ts'
import {
  CassetteCatalog,
  type CassetteSnapshot,
  cassetteVersion,
  cassetteView
} from './cassettes/cassette-catalog.ts'
import {
  type InteractionSearch,
  searchByName,
  searchInFiles
} from './cassettes/interaction-rows.ts'
import {
  answerBytes,
  interactionView,
  openRecording
} from './cassettes/interaction-view.ts'
import { listingRows, listingViews } from './cassettes/listing-views.ts'
import {
  type AnswerRef,
  checkView,
  compareFolders,
  compareRecordings
} from './cassettes/reports.ts'
import { BadRequest, numberParam, textParam } from './query-params.ts'
import { setSecurityHeaders, setShellPolicy } from './security-headers.ts'
import { requestView, sentRequestView } from './sent-request.ts'
import type { AboutView } from './views.ts'

const builtPages = fileURLToPath(new URL('../../dist/browser', import.meta.url))

export function uiRouter(engines: EngineRegistry): RequestListener {
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
  addCassetteRoutes(router, catalog, engines)
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

const interactionsOf = (engines: EngineRegistry): readonly object[] =>
  engines.all().flatMap(({ store, summary }) =>
    [...store.paths()].map(([key, path]) => ({
      cassette: store.dir,
      key,
      path,
      used: summary.used.has(key)
    }))
  )

/** @param root by default that of the pages' own views, whose form may change with every version */
const getIn =
  (router: express.Router, root = '/api/') =>
  (path: string, view: (request: Request) => unknown): void => {
    router.get(
      root + path,
      async (request, response) => void response.json(await view(request))
    )
  }

function addCassetteRoutes(
  router: express.Router,
  catalog: CassetteCatalog,
  engines: EngineRegistry
): void {
  const get = getIn(router)
  const snapshotOf = (request: Request): CassetteSnapshot =>
    catalog.snapshot(textParam(request, 'cassette'))
  const keyOf = (request: Request): string => textParam(request, 'key') ?? ''
  const searchOf = (request: Request): InteractionSearch => ({
    folder: textParam(request, 'folder') ?? '',
    query: textParam(request, 'q') ?? '',
    from: numberParam(request, 'from')
  })
  get(
    'about',
    (): AboutView => ({
      doing: engines.isLive ? 'recording' : 'replaying',
      hasRequests: engines.feed.since(0).length > 0,
      current: catalog.first,
      cassettes: catalog.namesOldestFirst()
    })
  )
  get('requests', (request) =>
    engines.feed.since(numberParam(request, 'since')).map(requestView)
  )
  get('request', (request) => {
    const id = numberParam(request, 'id')
    const found = engines.feed.since(id - 1).find((one) => one.id === id)
    if (!found)
      throw new BadRequest(404, 'no-such-request', 'only the last 500 requests are kept')
    return sentRequestView(found.entry)
  })
  get('misses', () => missViews(engines, catalog))
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
function addReportRoutes(router: express.Router, catalog: CassetteCatalog): void {
  const get = getIn(router)
  const snapshotOf = (request: Request, name = 'cassette'): CassetteSnapshot =>
    catalog.snapshot(textParam(request, name))
  const dirOf = (request: Request, name?: string): string => snapshotOf(request, name).dir
  const storeOf = (request: Request): CassetteStore => CassetteStore.open(dirOf(request))
  const folderOf = (request: Request): string => textParam(request, 'folder') ?? ''
  const answerOf = (request: Request, side: 'a' | 'b'): AnswerRef => ({
    snapshot: snapshotOf(request, side),
    key: textParam(request, `key-${side}`) ?? '',
    response: numberParam(request, `response-${side}`)
  })
  get('check', (request) => checkView(dirOf(request)))
  get('listings', (request) => listingViews(storeOf(request), folderOf(request)))
  get('rows', (request) =>
    listingRows(
      storeOf(request),
      folderOf(request),
      textParam(request, 'listing', maxListing) ?? ''
    )
  )
  // By POST, since a request may be longer than an address. Other pages cannot send this type unasked (CORS).
  const body = express.json({ type: 'application/json', limit: maxAsked })
  router.post('/api/ask', body, async (request, response) => {
    if (request.is('application/json') !== 'application/json')
      throw new BadRequest(
        415,
        'no-json',
        'expected a request to ask as application/json'
      )
    const { cassette, like, address = '', form } = askedIn(request.body)
    const { dir } = catalog.snapshot(cassette)
    response.json(await askView({ dir, like, address, form }))
  })
  get('compare', (request) =>
    compareRecordings(answerOf(request, 'a'), answerOf(request, 'b'))
  )
  get('drift', (request) => compareFolders(dirOf(request, 'a'), dirOf(request, 'b')))
}

/** Characters of the name of a listing: Node.js reads heads of 16 KB. */
const maxListing = 6_000
/** Bytes of a request that is asked: as much as MediaWiki's longest text, escaped. */
const maxAsked = '20mb'

/** Members of a body that are texts. */
function askedIn(body: unknown): Readonly<Partial<Record<string, string>>> {
  const members = Object.entries(Object(body))
  return Object.fromEntries(
    members.filter((one): one is [string, string] => typeof one[1] === 'string')
  )
}

function faultOf(error: unknown): OwnError {
  if (error instanceof BadRequest)
    return { status: error.status, code: error.code, info: error.message }
  // What express's own reader of bodies refuses has its status.
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500
  if (status === 400 || status === 413)
    return {
      status,
      code: 'bad-body',
      info: `the body cannot be read: ${errorText(error)}`
    }
  return describeFailure(error)
}

/** Express recognises an error handler by its four parameters. */
function sendError(
  error: unknown,
  _request: Request,
  response: Response,
  _next: NextFunction
): void {
  const { status, code, info } = faultOf(error)
  if (response.headersSent) response.destroy()
  else response.status(status).json({ error: { code, info } })
}
