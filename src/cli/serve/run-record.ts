/** The run in a file (`--run`), and after it what to do about its misses. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  captureCommandLine,
  captureFileCommandLine
} from '../../recorder/engine/miss/remedies.ts'
import type { EngineRegistry } from '../../recorder/engine/registry/engine-registry.ts'
import { redactionsText } from '../../recorder/engine/run-summary.ts'
import { commandName, shellQuote } from '../../recorder/store/command-name.ts'
import { type Invocation, orUsageError } from '../args/command.ts'
import { messagePrinter, printNote } from '../terminal/terminal-output.ts'

/** Begins to write the run. @returns its file, and stops writing; undefined if none is asked for. @throws UsageError if it cannot be written */
export async function startRunFile(
  engines: EngineRegistry,
  call: Invocation
): Promise<{ readonly file: string; readonly stop: () => void } | undefined> {
  const named = call.value('run')
  const file = named ?? call.env['WIKITAPE_RUN']
  if (!file) return undefined
  const flag = named === undefined ? 'a' : 'w'
  const begin = () => writeFileSync(file, '', { mode: 0o600, flag })
  orUsageError(`cannot write ${file}`, begin)
  const { writeRun } = await import('../../pages/runs/run-file.ts')
  return { file, stop: writeRun(file, engines, { report: messagePrinter(call) }) }
}

/** Characters of a command that is printed. */
const maxCommand = 4000

/** After misses, how to record all of them, and how to see the run: last, where a reader of the log of a CI looks. */
export function printNextSteps(
  engines: EngineRegistry,
  call: Invocation,
  run: string | undefined
): void {
  for (const [store, summaries] of engines.summaries()) {
    const misses = summaries.flatMap((one) => [...one.misses.values()])
    const lines = [...new Set(misses.flatMap(({ line }) => line ?? []))]
    const command =
      run === undefined
        ? captureCommandLine(lines, store)
        : captureFileCommandLine(run, store)
    if (lines.length > 1 && command.length < maxCommand)
      printNote(call, `to record ${lines.length} of the misses: ${command}`)
  }
  const [first, ...others] = engines.summaries().keys()
  if (run === undefined || !first || engines.counts().missed === 0) return
  const dir = others.length === 0 ? first.dir : path.dirname(first.dir)
  printNote(
    call,
    `to see the run: ${commandName} ui ${shellQuote(dir)} --run ${shellQuote(run)}`
  )
}

export function printRedactions(engines: EngineRegistry, call: Invocation): void {
  const text = redactionsText(engines.all().map(({ summary }) => summary.redactions))
  if (text !== '') printNote(call, text)
}
