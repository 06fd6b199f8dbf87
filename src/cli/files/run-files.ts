/** Files that a run wrote with `--run`. */

import { readRun, runOfFile } from '../../pages/runs/run-file.ts'
import type { ShownRun } from '../../pages/runs/shown-run.ts'
import { cassetteName } from '../../pages/sent-request.ts'
import { requireText } from '../../recorder/store/files/whole-files.ts'
import { type Invocation, orUsageError, UsageError } from '../args/command.ts'

/** @throws UsageError */
export const readRuns = (call: Invocation): readonly ShownRun[] =>
  call.values('run').map((file) => {
    const text = orUsageError(`cannot read ${file}`, () => requireText(file))
    return runOfFile(file, linesOf(text, file))
  })

function linesOf(text: string, file: string) {
  const lines = readRun(text)
  if (typeof lines !== 'number') return lines
  throw new UsageError(
    `${file}:${lines} is not of a run that exec, replay or record writes with --run FILE`
  )
}

/** What the run missed of a cassette, as lines of `capture --requests`. @param cassette undefined for those of all */
export function missedRequests(
  text: string,
  file: string,
  cassette: string | undefined
): readonly string[] {
  const misses = linesOf(text, file).flatMap(({ miss }) => miss ?? [])
  const own = misses.filter(
    (one) => cassette === undefined || one.cassette === cassetteName(cassette)
  )
  return [...new Set(own.map(({ line }) => String(line)))]
}
