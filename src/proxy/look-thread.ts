/** The other thread: does one job after the other. */
import { parentPort } from 'node:worker_threads'
import { type Job, outcomeOf } from './look.ts'

// Bytes are tried for codings that they are not in, thousands of times: what such errors say is not asked for.
Error.stackTraceLimit = 0
parentPort?.on('message', ({ id, job }: { readonly id: number; readonly job: Job }) => {
  const outcome = outcomeOf(job)
  parentPort?.postMessage({ id, outcome }, outcome.kind === 'look' ? [outcome.text.buffer] : [])
})
