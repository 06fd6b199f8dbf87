/** The requests of `capture --log`: read from access logs, gzipped or not, and their counts kept beside the recordings. */
import { createReadStream, type ReadStream, statSync } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import {
  addCalls,
  type CallCount,
  encodeTraffic,
  newCount,
  requestsFile
} from '../../recorder/cassette/format/traffic-file.ts'
import { wikiFactsOf } from '../../recorder/engine/call.ts'
import type { Identity } from '../../recorder/request/api-request.ts'
import { requirePlainFile } from '../../recorder/store/files/whole-files.ts'
import type { Store } from '../../recorder/store/store.ts'
import { errorText } from '../../recorder/text/error-text.ts'
import { getOrAdd } from '../../recorder/text/group-by.ts'
import { formatCount, plural } from '../../recorder/text/words.ts'
import { type Invocation, numberFlag, orUsageError, UsageError } from '../args/command.ts'
import { deriveAgain } from '../capture/recorded-answers.ts'
import { writeText } from '../files/text-files.ts'
import { printNote, showProgress } from '../terminal/terminal-output.ts'
import { type CountedRequest, LogTally } from './log-tally.ts'

type ReadLogs = {
  readonly tally: LogTally
  readonly requests: readonly CountedRequest[]
}

/** @param apiPath path of the wiki's api.php. @throws UsageError also if no request can be sent */
export async function readLogs(apiPath: string, call: Invocation): Promise<ReadLogs> {
  const limit = numberFlag(call, 'limit', 5000, 1_000_000, 1)
  const files = call.values('log')
  const tally = new LogTally(call.value('log-path') ?? apiPath)
  const sizes = files.map((name) =>
    name === '-'
      ? Number.NaN
      : orUsageError(`cannot read ${name}`, () => {
          requirePlainFile(name)
          return statSync(name).size
        })
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  let done = 0
  let input: ReadStream | undefined
  const share = () =>
    total > 0
      ? ` (${Math.floor((100 * (done + (input?.bytesRead ?? 0))) / total)} %)`
      : ''
  const progress = () =>
    `${plural(tally.lines, 'line')} read${share()}; ${formatCount(tally.byQuery.size)} different requests`
  const stopProgress = showProgress(call, progress)
  try {
    for (const [at, name] of files.entries()) {
      input = name === '-' ? undefined : createReadStream(name)
      for await (const lines of logLines(
        input ?? process.stdin,
        name === '-' ? 'stdin' : name
      ))
        for (const line of lines) tally.add(line)
      done += sizes[at] ?? 0
      input = undefined
    }
  } finally {
    stopProgress()
  }
  const requests = tally.choose(limit)
  const counts = `${plural(tally.apiCalls, 'API call')}, ${formatCount(tally.byQuery.size)} different`
  const skipped = [...tally.skipped].map(
    ([why, { calls }]) => `; ${formatCount(calls)} ${why}, not sent`
  )
  const unreadable =
    tally.unreadable > 0 ? `; ${formatCount(tally.unreadable)} no request` : ''
  printNote(
    call,
    `${plural(tally.lines, 'line')} read: ${counts}${skipped.join('')}${unreadable}`
  )
  if (requests.length === 0) {
    const { path: logPath, otherPath: other } = tally
    const expected =
      'expected an access log in the common or combined format, of JSON lines, or of W3C with #Fields'
    const advice =
      other === undefined
        ? expected
        : `there are requests to ${other}: --log-path ${other}`
    throw new UsageError(
      `${files.join(', ')} has no request to ${logPath} that can be sent; ${advice}`
    )
  }
  const rest = tally.sampled
    ? '; the others are counted with those of the same form (--limit)'
    : ''
  printNote(call, `${plural(requests.length, 'request')} to send${rest}`)
  return { tally, requests }
}

/** Longer lines are no request: web servers refuse long before. */
const maxLineLength = 65_536

/** Streamed, since logs may be larger than the memory. Many lines at a time, one character a byte; one that is too long is empty. @param name for messages. @throws UsageError */
export async function* logLines(
  input: AsyncIterable<Buffer>,
  name: string
): AsyncGenerator<readonly string[]> {
  let rest = ''
  let isTooLong = false
  try {
    for await (const chunk of unpacked(input[Symbol.asyncIterator]())) {
      const lines = (rest + chunk.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      if (isTooLong && lines.length > 0) lines[0] = ''
      isTooLong = (isTooLong && lines.length === 0) || rest.length > maxLineLength
      if (isTooLong) rest = ''
      yield lines
    }
  } catch (error) {
    const isPacked =
      error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
    const why = isPacked ? 'its gzip data is cut or damaged: ' : ''
    throw new UsageError(`cannot read ${name}: ${why}${errorText(error)}`)
  }
  if (rest !== '' || isTooLong) yield [rest]
}

/** Gzip is seen by its first bytes, whatever the name says. */
async function* unpacked(chunks: AsyncIterator<Buffer>) {
  const first = await chunks.next()
  async function* all() {
    for (let next = first; !next.done; next = await chunks.next()) yield next.value
  }
  const isPacked =
    first.done !== true && first.value[0] === 0x1f && first.value[1] === 0x8b
  yield* isPacked ? pipeline(all, createGunzip(), () => undefined) : all()
}

/** Keeps the counts of the requests that the cassette has. @param identity who sent them. @throws StoreError */
export function saveTraffic(
  store: Store,
  { tally, requests }: ReadLogs,
  identity: Identity
): void {
  const facts = wikiFactsOf(store)
  const byKey = new Map<string, CallCount>()
  for (const { params, count } of requests) {
    const { key } = deriveAgain(params, identity, facts)
    if (store.has(key)) addCalls(getOrAdd(byKey, key, newCount), count)
  }
  if (byKey.size > 0)
    writeText(
      path.join(store.dir, requestsFile),
      encodeTraffic({
        ...tally,
        requests: byKey
      })
    )
}
