/** The worker thread of one job. */
import { parentPort, workerData } from 'node:worker_threads'
import { StoreError } from '../../store/store-error.ts'
import { BadRequest } from '../query-params.ts'
import type { JobMessage } from './job-runner.ts'
import { runJob, type UiJob } from './ui-job.ts'

async function outcome(job: UiJob): Promise<JobMessage> {
  try {
    return { done: await runJob(job) }
  } catch (error) {
    if (error instanceof BadRequest) return { fault: error.info }
    if (error instanceof StoreError) return { fault: error.message }
    throw error
  }
}

parentPort?.postMessage(await outcome(workerData as UiJob))
