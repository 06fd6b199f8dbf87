/** The worker thread of one job. */
import { parentPort, workerData } from 'node:worker_threads'
import { StoreError } from '../../store/store-error.ts'
import type { JobMessage } from './job-runner.ts'
import { runJob, type UiJob } from './ui-job.ts'

function outcome(job: UiJob): JobMessage {
  try {
    return { done: runJob(job) }
  } catch (error) {
    if (error instanceof StoreError) return { fault: error.message }
    throw error
  }
}

parentPort?.postMessage(outcome(workerData as UiJob))
