/**
 * Long looks through large answers, in a thread of their own, so that other clients are answered meanwhile
 * (docs/decisions/0060). The thread begins with the first and ends when it has had nothing to do for a while.
 */

import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { packageFile } from '../../text/package-file.ts'
import { withResolvers } from '../../upstream/with-resolvers.ts'
import { runScanJob, type ScanJob, type ScanOutcome } from './secret-scan.ts'

/** Characters or bytes beyond which an answer is looked through aside: some milliseconds' work. */
export const largeScanSize = 65_536
/** Milliseconds without work after which the thread ends: it holds some 50 MB. */
const idleTimeoutMs = 10_000

/** In the package; sources have none, and do their looking in this thread. */
const workerFile = packageFile('engine/redaction/scan-worker.js')

interface QueuedScan {
  readonly job: ScanJob
  readonly resolve: (outcome: ScanOutcome) => void
  readonly reject: (error: unknown) => void
}

class ScanWorker {
  readonly #queue = new Map<number, QueuedScan>()
  #worker: Worker | undefined
  #nextId = 0
  #idleTimer: NodeJS.Timeout | undefined

  run(job: ScanJob): Promise<ScanOutcome> {
    clearTimeout(this.#idleTimer)
    this.#worker ??= this.#start()
    // Who waits for it keeps the process alive; a thread at rest does not.
    this.#worker.ref()
    const id = this.#nextId
    this.#nextId += 1
    const { promise, resolve, reject } = withResolvers<ScanOutcome>()
    this.#queue.set(id, { job, resolve, reject })
    this.#worker.postMessage({ id, job })
    return promise
  }

  #start(): Worker {
    const worker = new Worker(workerFile, { execArgv: [] })
    worker.on('message', ({ id, outcome }: { readonly id: number; readonly outcome: ScanOutcome }) => {
      this.#queue.get(id)?.resolve(outcome)
      this.#queue.delete(id)
      if (this.#queue.size === 0) this.#stopWhenIdle(worker)
    })
    worker.once('error', () => undefined)
    worker.once('exit', () => this.#handleExit(worker))
    return worker
  }

  #stopWhenIdle(worker: Worker): void {
    worker.unref()
    this.#idleTimer = setTimeout(() => {
      this.#handleExit(worker)
      void worker.terminate()
    }, idleTimeoutMs).unref()
  }

  /** What it left undone is done here: slowly, but nothing is written unlooked at. */
  #handleExit(worker: Worker): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    const unfinished = [...this.#queue.values()]
    this.#queue.clear()
    for (const { job, resolve, reject } of unfinished) runInThisThread(job).then(resolve, reject)
  }
}

async function runInThisThread(job: ScanJob): Promise<ScanOutcome> {
  await setImmediate()
  return runScanJob(job)
}

const scanWorker = existsSync(workerFile) ? new ScanWorker() : undefined

/** Does a job where it is in nobody's way. */
export const runInWorker = (job: ScanJob): Promise<ScanOutcome> =>
  scanWorker?.run(job) ?? runInThisThread(job)
