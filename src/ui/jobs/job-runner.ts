/** Runs slow jobs in a worker thread, one after the other and for a limited time, so that clients are answered meanwhile. */
import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { commandName, shellQuote } from '../../store/command-name.ts'
import { packageFile } from '../../text/package-file.ts'
import { BadRequest } from '../query-params.ts'
import { runJob, type UiJob } from './ui-job.ts'

/** In the built package; from source there is none, and jobs run in this thread. */
const defaultWorkerFile = packageFile('ui/jobs/job-worker.js')
const maxJobSeconds = 120
const maxWaitingJobs = 8

export type JobMessage = { readonly done: unknown } | { readonly fault: string }

export class JobRunner {
  readonly #workerFile: URL
  readonly #maxSeconds: number
  #previousJob: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** @param workerFile the worker's program. @param maxSeconds that a job may take */
  constructor(workerFile: URL = defaultWorkerFile, maxSeconds: number = maxJobSeconds) {
    this.#workerFile = workerFile
    this.#maxSeconds = maxSeconds
  }

  /** @throws BadRequest where too many jobs wait, where it times out, or where a cassette cannot be read */
  async run(job: UiJob): Promise<unknown> {
    if (this.#waiting >= maxWaitingJobs)
      throw new BadRequest(503, 'busy', 'too many slow requests at once; try again later')
    this.#waiting += 1
    const result = this.#previousJob.then(() => this.#execute(job))
    this.#previousJob = result.catch(() => undefined)
    try {
      return await result
    } finally {
      this.#waiting -= 1
    }
  }

  async #execute(job: UiJob): Promise<unknown> {
    if (existsSync(this.#workerFile)) return runInWorker(job, this.#workerFile, this.#maxSeconds)
    await setImmediate()
    return runJob(job)
  }
}

function runInWorker(job: UiJob, workerFile: URL, maxSeconds: number): Promise<unknown> {
  const worker = new Worker(workerFile, { workerData: job, execArgv: [] })
  worker.unref()
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => {
      const info = `timed out after ${maxSeconds} s; run it at a terminal: ${commandFor(job)}`
      reject(new BadRequest(503, 'too-long', info))
      void worker.terminate()
    }, maxSeconds * 1000)
    timeout.unref()
    worker.once('message', (message: JobMessage) =>
      'done' in message ? resolve(message.done) : reject(new BadRequest(404, 'unreadable', message.fault)),
    )
    worker.once('error', (error) =>
      reject(new BadRequest(503, 'gave-up', `${error.message}; run ${commandFor(job)}`)),
    )
    worker.once('exit', () => {
      clearTimeout(timeout)
      reject(new BadRequest(503, 'gave-up', `the worker thread ended unexpectedly; run ${commandFor(job)}`))
    })
  })
}

function commandFor(job: UiJob): string {
  switch (job.kind) {
    case 'check':
      return `${commandName} check ${shellQuote(job.dir)}`
    case 'listings':
    case 'rows':
      return `${commandName} coverage ${shellQuote(job.dir)}`
    case 'drift':
      return `${commandName} diff ${shellQuote(job.a)} ${shellQuote(job.b)}`
    case 'compare':
      return `${commandName} diff ${shellQuote(job.a.dir)} ${shellQuote(job.b.dir)}`
    case 'ask':
      return `${commandName} explain ${shellQuote(job.address)} --cassette ${shellQuote(job.dir)}`
  }
}
