/** A thread beside the server that makes one report of many recordings: requests of clients do not wait for it. */
import { parentPort, workerData } from 'node:worker_threads'
import { CassetteCatalog } from './cassettes/cassette-catalog.ts'
import { listingRows, listingViews } from './cassettes/listing-views.ts'
import {
  checkView,
  compareFolders,
  compareRecordings,
  compareVersions
} from './cassettes/reports.ts'
import { faultOf, numberParam, textParam } from './query-params.ts'
import type { ReportResult, ReportTask } from './report-thread.ts'

const task = workerData as ReportTask
const catalog = new CassetteCatalog(task.dir)

/** Characters of the name of a listing: Node.js reads heads of 16 KB. */
const maxListing = 6_000

const text = (name: string) => textParam(task, name, maxListing) ?? ''
// Not opened here: to read the names of a large cassette takes some time.
const dirOf = (name = 'cassette') => catalog.dirOf(textParam(task, name))
const answerOf = (side: 'a' | 'b') => ({
  dir: dirOf(side),
  key: text(`key-${side}`),
  response: numberParam(task, `response-${side}`)
})

const reports: Readonly<Record<ReportTask['name'], () => unknown>> = {
  check: () => checkView(dirOf()),
  drift: () => compareFolders(dirOf('a'), dirOf('b')),
  matrix: () =>
    compareVersions(
      text('of')
        .split('|')
        .map((name) => catalog.dirOf(name))
    ),
  compare: () => compareRecordings(answerOf('a'), answerOf('b')),
  listings: () => listingViews(dirOf(), text('folder')),
  rows: () => listingRows(dirOf(), text('folder'), text('listing'))
}

function result(): ReportResult {
  try {
    return { json: JSON.stringify(reports[task.name]()) }
  } catch (error) {
    return { fault: faultOf(error) }
  }
}

parentPort?.postMessage(result())
