/** What became of each request, told while a verb serves: at the terminal (`--verbose`), in a file (`--log`). */
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import type { Feed } from '../../engine/registry/request-feed.ts'
import { entryLine, type RequestLogEntry, shownEntry } from '../../engine/request-log-entry.ts'
import { errorCode } from '../../store/system-error-code.ts'
import { visible } from '../../text/escape-control-characters.ts'
import { type Given, orUsage, type Shell } from '../args/command.ts'
import { logFlag, verboseFlag } from '../flags/cassette-flags.ts'

/** @returns ends it. @throws UsageError where the file cannot be written */
export function tellRequests(feed: Feed, given: Given, shell: Shell): () => void {
  const file = given.text(logFlag.name)
  const endings = [
    ...(given.on(verboseFlag)
      ? [feed.watch(({ entry }) => shell.err(`${visible(entryLine(entry))}\n`))]
      : []),
    ...(file === undefined ? [] : [logInto(file, feed, shell)]),
  ]
  return () => {
    for (const end of endings) end()
  }
}

function logInto(file: string, feed: Feed, shell: Shell): () => void {
  const log = new LogFile(file)
  const unwatch = feed.watch(({ entry }) => {
    try {
      log.write(`${logLine(entry)}\n`)
    } catch (error) {
      // A full disk is no reason to leave a client without its answer.
      unwatch()
      shell.err(`wikitape: nothing more is written to ${file}: ${String(error)}\n`)
    }
  })
  return () => {
    unwatch()
    log.close()
  }
}

/** Bytes that wait for the reader of a pipe; beyond, the log ends. */
const mostWaiting = 4 * 1024 * 1024

/** What a run before has written stays. A pipe is written to as fast as its reader reads, and nobody waits for it. */
class LogFile {
  readonly #handle: number
  #waiting = Buffer.alloc(0)

  /** Only the user may read it. @throws UsageError */
  constructor(file: string) {
    this.#handle = orUsage(`cannot write ${file}`, () => opened(file))
  }

  /** @throws what the system says */
  write(line: string): void {
    this.#waiting = Buffer.concat([this.#waiting, Buffer.from(line)])
    try {
      while (this.#waiting.length > 0)
        this.#waiting = this.#waiting.subarray(writeSync(this.#handle, this.#waiting))
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') throw error
      if (this.#waiting.length > mostWaiting) throw new Error('the reader of the pipe is too slow')
    }
  }

  close(): void {
    try {
      this.write('')
    } catch {
      // Its reader has gone.
    }
    closeSync(this.#handle)
  }
}

function opened(file: string): number {
  const { O_APPEND, O_CREAT, O_NONBLOCK = 0, O_RDWR, O_WRONLY } = constants
  const appending = O_APPEND | O_CREAT | O_NONBLOCK
  try {
    return openSync(file, O_WRONLY | appending, 0o600)
  } catch (error) {
    // A pipe that nobody reads yet.
    if (errorCode(error) !== 'ENXIO') throw error
    return openSync(file, O_RDWR | appending)
  }
}

/** One line of JSON; what a terminal would hide is spelled out, which in JSON means the same. */
export function logLine(entry: RequestLogEntry): string {
  const { at, ms, cassette, outcome, status, method, module, key, from, why } = shownEntry(entry)
  const [time, took] = [new Date(at).toISOString(), Math.round(ms * 10) / 10]
  return visible(
    JSON.stringify({ time, ms: took, cassette, outcome, status, method, module, key, from, why }),
  )
}
