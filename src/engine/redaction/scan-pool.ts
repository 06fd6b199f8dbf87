/** The worker thread for jobs with large answers, so that other clients are served meanwhile (docs/decisions/0060). */
import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { packageFile } from '../../text/package-file.ts'
import { runScanJob, type ScanJob, type ScanOutcome } from './scan-job.ts'

/** Characters and bytes from which an answer goes to the worker: some milliseconds of work. */
export const largeScanSize = 65_536
/** The idle worker holds some 50 MB, so it is stopped after this time. */
const idleTimeoutMs = 10_000

/** Exists in the package only; run from sources, jobs are done in this thread. */
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
    // A job under way keeps the process alive; the idle worker does not.
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

  /** Does unfinished jobs in this thread: slowly, but nothing is written without a scan. */
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

/** Does a job in the worker, or in this thread where there is none. */
export const runInWorker = (job: ScanJob): Promise<ScanOutcome> =>
  scanWorker?.run(job) ?? runInThisThread(job)

/** `Promise.withResolvers`, which Node.js has from 22 on. */
function withResolvers<T>(): {
  readonly promise: Promise<T>
  readonly resolve: (value: T | PromiseLike<T>) => void
  readonly reject: (error: unknown) => void
} {
  let [resolve, reject]: [(value: T | PromiseLike<T>) => void, (error: unknown) => void] = [
    () => {},
    () => {},
  ]
  const promise = new Promise<T>((yes, no) => {
    ;[resolve, reject] = [yes, no]
  })
  return { promise, resolve, reject }
}
