/** The worker thread of one job. */
import { parentPort, workerData } from 'node:worker_threads'
import { StoreError } from '../../store/store-error.ts'
import { BadRequest } from '../query-params.ts'
import type { JobMessage } from './job-runner.ts'
import { runJob, type UiJob } from './ui-job.ts'

let message: JobMessage
try {
  message = { done: await runJob(workerData as UiJob) }
} catch (error) {
  if (!(error instanceof BadRequest || error instanceof StoreError)) throw error
  message = { fault: error.message }
}
parentPort?.postMessage(message)
