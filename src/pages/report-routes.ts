/** Routes of reports, comparisons and requests that are asked. */
import express from 'express'
import { askView } from './cassettes/ask-view.ts'
import type { CassetteCatalog } from './cassettes/cassette-catalog.ts'
import { BadRequest } from './query-params.ts'
import { makeReport, reportNames } from './report-thread.ts'

/** Answers that take longer: they are made of many files, read anew. */
export function addReportRoutes(router: express.Router, catalog: CassetteCatalog): void {
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
