/** The thread of one job. */
import { parentPort, workerData } from 'node:worker_threads'
import { StoreError } from '../store/errors.ts'
import type { Said } from './aside.ts'
import { done, type Job } from './work.ts'

function said(job: Job): Said {
  try {
    return { done: done(job) }
  } catch (error) {
    if (error instanceof StoreError) return { fault: error.message }
    throw error
  }
}

parentPort?.postMessage(said(workerData as Job))
