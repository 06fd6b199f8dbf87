/**
 * Long looks through large answers, in a thread of their own, so that other clients are answered meanwhile
 * (docs/decisions/0060). The thread begins with the first and ends when it has had nothing to do for a while.
 */

import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { packageFile } from '../../text/package-file.ts'
import { withResolvers } from '../../upstream/with-resolvers.ts'
import { type Job, type Outcome, outcomeOf } from './secret-scan.ts'

/** Characters or bytes beyond which an answer is looked through aside: some milliseconds' work. */
export const largeFrom = 65_536
/** Milliseconds without work after which the thread ends: it holds some 50 MB. */
const patience = 10_000

/** In the package; sources have none, and do their looking in this thread. */
const threadFile = packageFile('engine/redaction/scan-worker.js')

interface Waiting {
  readonly job: Job
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

class Thread {
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #next = 0
  #resting: NodeJS.Timeout | undefined

  do(job: Job): Promise<Outcome> {
    clearTimeout(this.#resting)
    this.#worker ??= this.#begin()
    // Who waits for it keeps the process alive; a thread at rest does not.
    this.#worker.ref()
    const id = this.#next
    this.#next += 1
    const { promise, resolve, reject } = withResolvers<Outcome>()
    this.#waiting.set(id, { job, resolve, reject })
    this.#worker.postMessage({ id, job })
    return promise
  }

  #begin(): Worker {
    const worker = new Worker(threadFile, { execArgv: [] })
    worker.on('message', ({ id, outcome }: { readonly id: number; readonly outcome: Outcome }) => {
      this.#waiting.get(id)?.resolve(outcome)
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) this.#rest(worker)
    })
    worker.once('error', () => undefined)
    worker.once('exit', () => this.#end(worker))
    return worker
  }

  #rest(worker: Worker): void {
    worker.unref()
    this.#resting = setTimeout(() => {
      this.#end(worker)
      void worker.terminate()
    }, patience).unref()
  }

  /** What it left undone is done here: slowly, but nothing is written unlooked at. */
  #end(worker: Worker): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    const left = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { job, resolve, reject } of left) here(job).then(resolve, reject)
  }
}

async function here(job: Job): Promise<Outcome> {
  await setImmediate()
  return outcomeOf(job)
}

const thread = existsSync(threadFile) ? new Thread() : undefined

/** Does a job where it is in nobody's way. */
export const aside = (job: Job): Promise<Outcome> => thread?.do(job) ?? here(job)
