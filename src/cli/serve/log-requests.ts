/** The log of a server: one line per request on the terminal (`--verbose`), in a file (`--log`). */
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import {
  entryLine,
  type NumberedEntry,
  type RequestFeed,
  type RequestLogEntry,
  shownEntry
} from '../../recorder/engine/request-log.ts'
import { systemErrorCode } from '../../recorder/text/error-text.ts'
import { escapeControls } from '../../recorder/text/escape-control-characters.ts'
import { type Invocation, orUsageError } from '../args/command.ts'
import { printNote } from '../terminal/terminal-output.ts'

/** @returns stops logging. @throws UsageError if the file cannot be written */
export function logRequests(feed: RequestFeed, call: Invocation): () => void {
  const file = call.value('log')
  const print = ({ entry }: NumberedEntry) =>
    call.stderr(`${escapeControls(entryLine(entry))}\n`)
  const stopPrinting = call.isOn('verbose') ? feed.subscribe(print) : undefined
  const stopWriting = file === undefined ? undefined : logToFile(file, feed, call)
  return () => {
    stopPrinting?.()
    stopWriting?.()
  }
}

/** Bytes that wait for a slow reader of a pipe; beyond, logging ends. */
const maxPendingBytes = 4 * 1024 * 1024

/** Never waits: what the reader of a pipe does not take yet is kept in memory. */
function logToFile(file: string, feed: RequestFeed, call: Invocation) {
  const handle = orUsageError(`cannot write ${file}`, () => openForAppend(file))
  let pending = Buffer.alloc(0)
  const write = (line: string) => {
    pending = Buffer.concat([pending, Buffer.from(line)])
    try {
      while (pending.length > 0) pending = pending.subarray(writeSync(handle, pending))
    } catch (error) {
      if (systemErrorCode(error) === 'EAGAIN' && pending.length <= maxPendingBytes) return
      // A full disk must not keep the client from its answer.
      unsubscribe()
      pending = Buffer.alloc(0)
      printNote(call, `log stopped: cannot write ${file}: ${String(error)}`)
    }
  }
  const unsubscribe = feed.subscribe(({ entry }) => write(`${logLine(entry)}\n`))
  return () => {
    unsubscribe()
    write('')
    closeSync(handle)
  }
}

/** Creates the file for its user alone. @throws the system's error */
function openForAppend(file: string) {
  const { O_APPEND, O_CREAT, O_NONBLOCK = 0, O_RDWR, O_WRONLY } = constants
  const appending = O_APPEND | O_CREAT | O_NONBLOCK
  try {
    return openSync(file, O_WRONLY | appending, 0o600)
  } catch (error) {
    // A pipe without a reader.
    if (systemErrorCode(error) !== 'ENXIO') throw error
    return openSync(file, O_RDWR | appending)
  }
}

/** One line of JSON, with control characters escaped. */
export function logLine(entry: RequestLogEntry): string {
  const { at, ms, target: _target, ...shown } = shownEntry(entry)
  const times = { time: new Date(at).toISOString(), ms: Math.round(ms * 10) / 10 }
  return escapeControls(JSON.stringify({ ...times, ...shown }))
}
