/** The thread of one job. */
import { parentPort, workerData } from 'node:worker_threads'
import { StoreError } from '../../store/store-error.ts'
import type { Said } from './job-runner.ts'
import { done, type Job } from './ui-job.ts'

function said(job: Job): Said {
  try {
    return { done: done(job) }
  } catch (error) {
    if (error instanceof StoreError) return { fault: error.message }
    throw error
  }
}

parentPort?.postMessage(said(workerData as Job))
