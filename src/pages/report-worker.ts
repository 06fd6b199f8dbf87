/** A thread beside the server that makes one report of many recordings: requests of clients do not wait for it. */
import { parentPort, workerData } from 'node:worker_threads'
import { describeFailure } from '../recorder/http/reply-headers.ts'
import { listingRows, listingViews } from './cassettes/listing-views.ts'
import {
  checkView,
  compareFolders,
  compareRecordings,
  compareVersions
} from './cassettes/reports.ts'
import { BadRequest } from './query-params.ts'
import type { ReportName, ReportResult } from './report-thread.ts'

const reports: Readonly<Record<ReportName, (args: readonly string[]) => unknown>> = {
  check: ([dir = '']) => checkView(dir),
  drift: ([a = '', b = '']) => compareFolders(a, b),
  matrix: compareVersions,
  compare: ([a = '', keyA = '', atA, b = '', keyB = '', atB]) =>
    compareRecordings(
      { dir: a, key: keyA, response: Number(atA) },
      { dir: b, key: keyB, response: Number(atB) }
    ),
  listings: ([dir = '', folder = '']) => listingViews(dir, folder),
  rows: ([dir = '', folder = '', listing = '']) => listingRows(dir, folder, listing)
}

function result(): ReportResult {
  const { name, args } = workerData as { name: ReportName; args: readonly string[] }
  try {
    return { json: JSON.stringify(reports[name](args)) }
  } catch (error) {
    const { status, code, info } =
      error instanceof BadRequest
        ? { ...error, info: error.message }
        : describeFailure(error)
    return { fault: { status, code, info } }
  }
}

parentPort?.postMessage(result())
