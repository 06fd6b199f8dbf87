/** The other thread: does one job after the other. */
import { parentPort } from 'node:worker_threads'
import { runScanJob, type ScanJob, type SecretScan } from './secret-scan.ts'

// Bytes are tried for codings that they are not in, thousands of times: what such errors say is not asked for.
Error.stackTraceLimit = 0
/** They are handed over, not copied. Bodies of one answer may share theirs. */
const transferListOf = ({ text, bodyFiles }: SecretScan): readonly ArrayBuffer[] => [
  ...new Set(
    [text, ...bodyFiles.values()].flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : [])),
  ),
]

parentPort?.on('message', ({ id, job }: { readonly id: number; readonly job: ScanJob }) => {
  const outcome = runScanJob(job)
  parentPort?.postMessage({ id, outcome }, outcome.kind === 'look' ? transferListOf(outcome) : [])
})
