/** The worker thread of scan-pool.ts: does one job after the other. */
import { parentPort } from 'node:worker_threads'
import type { SecretScan } from './pending-write.ts'
import { runScanJob, type ScanJob } from './scan-job.ts'

// `decompress` fails thousands of times for each text, and nobody reads the stacks of these errors.
Error.stackTraceLimit = 0

/** Buffers that are moved instead of copied; several bodies may share one. */
const transferListOf = ({ text, bodyFiles }: SecretScan): readonly ArrayBuffer[] => [
  ...new Set(
    [text, ...bodyFiles.values()].flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : [])),
  ),
]

parentPort?.on('message', ({ id, job }: { readonly id: number; readonly job: ScanJob }) => {
  const outcome = runScanJob(job)
  parentPort?.postMessage({ id, outcome }, outcome.kind === 'scan' ? transferListOf(outcome) : [])
})
