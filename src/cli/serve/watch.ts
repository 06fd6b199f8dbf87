/** What became of each request, told while a verb serves: at the terminal (`--verbose`), in a file (`--log`). */
import { closeSync, openSync, writeSync } from 'node:fs'
import type { Feed } from '../../proxy/feed.ts'
import { type Told, toldLine } from '../../proxy/told.ts'
import { visible } from '../../report/visible.ts'
import { logFlag, verboseFlag } from '../flags.ts'
import { type Given, type Shell, UsageError } from '../verb.ts'

/** @returns ends it. @throws UsageError where the file cannot be written */
export function tellRequests(feed: Feed, given: Given, shell: Shell): () => void {
  const file = given.text(logFlag.name)
  const endings = [
    ...(given.on(verboseFlag) ? [feed.watch(({ told }) => shell.err(`${visible(toldLine(told))}\n`))] : []),
    ...(file === undefined ? [] : [logInto(file, feed, shell)]),
  ]
  return () => {
    for (const end of endings) end()
  }
}

function logInto(file: string, feed: Feed, shell: Shell): () => void {
  const log = opened(file)
  const unwatch = feed.watch(({ told }) => {
    try {
      writeSync(log, `${logLine(told)}\n`)
    } catch (error) {
      // A full disk is no reason to leave a client without its answer.
      unwatch()
      shell.err(`wikitape: nothing more is written to ${file}: ${String(error)}\n`)
    }
  })
  return () => {
    unwatch()
    closeSync(log)
  }
}

/** What a run before has written stays. @throws UsageError */
function opened(file: string): number {
  try {
    return openSync(file, 'a')
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** One line of JSON; what a terminal would hide is spelled out, which in JSON means the same. */
function logLine({ at, ms, cassette, outcome, status, method, module, key, from, why }: Told): string {
  const [time, took] = [new Date(at).toISOString(), Math.round(ms * 10) / 10]
  return visible(
    JSON.stringify({ time, ms: took, cassette, outcome, status, method, module, key, from, why }),
  )
}
