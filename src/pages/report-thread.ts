/** Reports of many recordings, each made in a thread of its own, which ends when nobody waits for it any more. */
import { Worker } from 'node:worker_threads'
import type { Response } from 'express'
import type { OwnError } from '../recorder/http/reply-headers.ts'
import { BadRequest } from './query-params.ts'

export type ReportName = 'check' | 'drift' | 'matrix' | 'compare' | 'listings' | 'rows'

/** A report is JSON already: the server would need some time to write it. */
export type ReportResult = { readonly json: string } | { readonly fault: OwnError }

const script = new URL('../../dist/pages/report-worker.js', import.meta.url)

/** @param response to whoever waits. @returns JSON. @throws BadRequest */
export function makeReport(
  name: ReportName,
  args: readonly string[],
  response: Response
): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { workerData: { name, args } })
    response.once('close', () => void worker.terminate())
    worker.once('error', reject)
    worker.once('message', (result: ReportResult) => {
      if ('json' in result) return resolve(result.json)
      const { status, code, info } = result.fault
      reject(new BadRequest(status, code, info))
    })
  })
}
