/** The other thread: does one job after the other. */
import { parentPort } from 'node:worker_threads'
import { type Job, type Look, outcomeOf } from './secret-scan.ts'

// Bytes are tried for codings that they are not in, thousands of times: what such errors say is not asked for.
Error.stackTraceLimit = 0
/** They are handed over, not copied. Bodies of one answer may share theirs. */
const buffersOf = ({ text, beside }: Look): readonly ArrayBuffer[] => [
  ...new Set(
    [text, ...beside.values()].flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : [])),
  ),
]

parentPort?.on('message', ({ id, job }: { readonly id: number; readonly job: Job }) => {
  const outcome = outcomeOf(job)
  parentPort?.postMessage({ id, outcome }, outcome.kind === 'look' ? buffersOf(outcome) : [])
})
