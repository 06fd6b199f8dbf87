/** Does what takes long in a thread, so that clients are answered meanwhile; one job after the other, none for ever. */
import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { commandName } from '../../store/command-name.ts'
import { packageFile } from '../../text/package-file.ts'
import { Refusal } from '../bad-request.ts'
import { type Done, done, type Job } from './ui-job.ts'

/** In the package; sources have none, and do their work in this thread. */
const threadFile = packageFile('ui/jobs/job-worker.js')
/** Seconds that a job may take. */
const longestAllowed = 120
/** Jobs that may wait. */
const mostWaiting = 8

/** What a thread says when it has finished. */
export type Said = { readonly done: Done } | { readonly fault: string }

export class Aside {
  readonly #thread: URL
  readonly #longest: number
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /**
   * @param thread what does a job
   * @param longest seconds that it may take
   */
  constructor(thread: URL = threadFile, longest: number = longestAllowed) {
    this.#thread = thread
    this.#longest = longest
  }

  /** @throws Refusal where too much is waiting, where it takes too long, or where a cassette cannot be read */
  async do(job: Job): Promise<Done> {
    if (this.#waiting >= mostWaiting)
      throw new Refusal(
        503,
        'busy',
        'too many questions at once that take long; ask again when they are answered',
      )
    this.#waiting += 1
    const before = this.#last
    const mine = before.then(() => this.#done(job))
    this.#last = mine.catch(() => undefined)
    try {
      return await mine
    } finally {
      this.#waiting -= 1
    }
  }

  async #done(job: Job): Promise<Done> {
    if (existsSync(this.#thread)) return inThread(job, this.#thread, this.#longest)
    await setImmediate()
    return done(job)
  }
}

function inThread(job: Job, thread: URL, longest: number): Promise<Done> {
  const worker = new Worker(thread, { workerData: job, execArgv: [] })
  worker.unref()
  return new Promise((resolve, reject) => {
    const tooLong = setTimeout(() => {
      reject(
        new Refusal(
          503,
          'too-long',
          `this takes longer than ${longest} s; ask at a terminal: ${verbFor(job)}`,
        ),
      )
      void worker.terminate()
    }, longest * 1000)
    tooLong.unref()
    worker.once('message', (said: Said) =>
      'done' in said ? resolve(said.done) : reject(new Refusal(404, 'unreadable', said.fault)),
    )
    worker.once('error', (error) =>
      reject(new Refusal(503, 'gave-up', `${error.message}; try ${verbFor(job)}`)),
    )
    worker.once('exit', () => {
      clearTimeout(tooLong)
      reject(new Refusal(503, 'gave-up', `the work ended early; try ${verbFor(job)}`))
    })
  })
}

function verbFor(job: Job): string {
  switch (job.kind) {
    case 'check':
      return `${commandName} check ${job.dir}`
    case 'listings':
      return `${commandName} coverage ${job.dir}`
    case 'drift':
      return `${commandName} diff ${job.a} ${job.b}`
  }
}
