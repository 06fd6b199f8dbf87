/** Routes of reports, comparisons and requests that are asked. */
import express, { type Request } from 'express'
import { askView } from './cassettes/ask-view.ts'
import type { CassetteCatalog } from './cassettes/cassette-catalog.ts'
import { BadRequest, numberParam, textParam } from './query-params.ts'
import { makeReport, type ReportName } from './report-thread.ts'

/** Answers that take longer: they are made of many files, read anew. */
export function addReportRoutes(router: express.Router, catalog: CassetteCatalog): void {
  const report = (name: ReportName, argsOf: (request: Request) => readonly string[]) =>
    router.get(`/api/${name}`, async (request, response) => {
      response.type('json').send(await makeReport(name, argsOf(request), response))
    })
  // Not opened here: to read the names of a large cassette takes some time.
  const dirOf = (request: Request, name = 'cassette'): string =>
    catalog.dirOf(textParam(request, name))
  const folderOf = (request: Request): string => textParam(request, 'folder') ?? ''
  const answerOf = (request: Request, side: 'a' | 'b'): readonly string[] => [
    dirOf(request, side),
    textParam(request, `key-${side}`) ?? '',
    String(numberParam(request, `response-${side}`))
  ]
  report('check', (request) => [dirOf(request)])
  report('listings', (request) => [dirOf(request), folderOf(request)])
  report('rows', (request) => [
    dirOf(request),
    folderOf(request),
    textParam(request, 'listing', maxListing) ?? ''
  ])
  report('drift', (request) => [dirOf(request, 'a'), dirOf(request, 'b')])
  report('compare', (request) => [...answerOf(request, 'a'), ...answerOf(request, 'b')])
  report('matrix', (request) =>
    (textParam(request, 'of', maxListing) ?? '')
      .split('|')
      .map((name) => catalog.dirOf(name))
  )
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

/** Characters of the name of a listing: Node.js reads heads of 16 KB. */
const maxListing = 6_000
/** Bytes of a request that is asked: as much as MediaWiki's longest text, escaped. */
const maxBody = '20mb'

/** Members of a body that are texts. */
function fieldsOf(body: unknown): Readonly<Partial<Record<string, string>>> {
  const members = Object.entries(Object(body))
  return Object.fromEntries(
    members.filter((one): one is [string, string] => typeof one[1] === 'string')
  )
}
