/** Reports of many recordings, each made in a thread of its own, which ends when nobody waits for it any more. */
import { Worker } from 'node:worker_threads'
import type { Response } from 'express'
import type { OwnError } from '../recorder/http/reply-headers.ts'
import { BadRequest } from './query-params.ts'

export const reportNames = [
  'check',
  'drift',
  'matrix',
  'compare',
  'listings',
  'rows'
] as const

/** A request for a report. */
export interface ReportTask {
  readonly name: (typeof reportNames)[number]
  /** Of the cassette that the server was started with. */
  readonly dir: string
  readonly originalUrl: string
}

/** A report is JSON already: the server would need some time to write it. */
export type ReportResult = { readonly json: string } | { readonly fault: OwnError }

const script = new URL('../../dist/pages/report-worker.js', import.meta.url)

/** @param response to whoever waits. @returns JSON. @throws BadRequest */
export function makeReport(task: ReportTask, response: Response): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { workerData: task })
    response.once('close', () => void worker.terminate())
    worker.once('error', reject)
    worker.once('message', (result: ReportResult) => {
      if ('json' in result) return resolve(result.json)
      const { status, code, info } = result.fault
      reject(new BadRequest(status, code, info))
    })
  })
}
