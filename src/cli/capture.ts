/** `wikitape capture`: records without a client. */
import { readFileSync } from 'node:fs'
import { withoutCredentials } from '../privacy/url.ts'
import type { Engine } from '../proxy/engine.ts'
import { Rack } from '../proxy/rack.ts'
import { countsText } from '../proxy/summary.ts'
import { nextRequest } from '../proxy/walk.ts'
import { UpstreamError } from '../upstream/upstream.ts'
import { type Params, parseUrlencoded, writeQuery } from '../wiki/params.ts'
import { apiUrlArg, cassetteFlag, chosenMode, jsonFlag, liveFlags, recordedCassette } from './flags.ts'
import { liveSide } from './live.ts'
import { showProgress } from './progress.ts'
import { expectArgs, type Given, type Shell, UsageError, type Verb } from './verb.ts'

export const capture: Verb = {
  name: 'capture',
  args: '<api-url> --requests FILE [flags]',
  summary: 'Asks a live wiki each request of a file, one query string a line, and records the answers.',
  flags: [
    {
      name: 'requests',
      value: 'FILE',
      help: 'the file, or - for stdin; # in front skips a line, + walks that one to its end',
    },
    { ...cassetteFlag, help: 'where to record to (default cassettes/<host>)' },
    { name: 'follow', help: 'walk every continuation to its end' },
    ...liveFlags,
    jsonFlag,
  ],
  examples: [
    "echo 'action=query&list=allpages' | wikitape capture https://ru.wikipedia.org/w/api.php --requests - --follow",
    'wikitape capture http://127.0.0.1:8143/w/api.php --requests calls.txt --cassette cassettes/mine',
  ],
  async run(given, shell) {
    const [address = ''] = expectArgs(capture, given, 1)
    const api = apiUrlArg(address)
    const requests = await readRequests(given, shell)
    const { mode } = chosenMode(given, shell)
    const rack = new Rack({
      cassette: recordedCassette(given, shell, api),
      mode,
      fixedMode: true,
      live: liveSide(api, given),
      missStatus: 200,
      onMiss: 'synthesize',
      recordErrors: given.on('record-errors'),
      now: shell.now,
      report: (line) => shell.err(`wikitape: ${line}\n`),
    })
    return captureAll(rack, api.path, requests, given, shell)
  },
}

/** One line of the requests. */
interface Asked {
  readonly params: Params
  readonly follow: boolean
}

async function captureAll(
  rack: Rack,
  path: string,
  requests: readonly Asked[],
  given: Given,
  shell: Shell,
): Promise<number> {
  const engine = rack.engine(undefined, undefined)
  let done = 0
  const progress = showProgress(
    shell,
    () => `${done}/${requests.length} requests; ${countsText(rack.counts())}`,
  )
  let stopping = false
  shell.stopped
    .then(() => {
      stopping = true
    })
    .catch(() => undefined)
  try {
    for (const request of requests) {
      if (stopping) break
      if (!(await captureOne(engine, path, request.params, request.follow, shell))) break
      done += 1
    }
  } finally {
    progress.stop()
    rack.close(done === requests.length)
  }
  const counts = rack.counts()
  if (given.on('json')) shell.out(`${JSON.stringify({ requests: requests.length, done, ...counts })}\n`)
  else shell.err(`wikitape: ${done} of ${requests.length} requests done; ${countsText(counts)}\n`)
  return rack.exitCode()
}

/** One line of the file and, with `follow`, what it continues to. False where the wiki cannot be reached at all. */
async function captureOne(
  engine: Engine,
  path: string,
  first: Params,
  follow: boolean,
  shell: Shell,
): Promise<boolean> {
  const seen = new Set<string>()
  for (let params: Params | undefined = first; params !== undefined; ) {
    const query = writeQuery(params)
    if (seen.has(query)) {
      shell.err(
        `wikitape: the wiki continued in a circle at ${query.slice(0, 200)}; this walk was ended there\n`,
      )
      return true
    }
    seen.add(query)
    try {
      const reply = await engine.answer(exchangeFor(path, query))
      params = follow ? nextRequest(first, params, reply.body.toString('utf8')) : undefined
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      const shown = withoutCredentials(`?${query}`).slice(1, 200)
      shell.err(`wikitape: ${shown}: ${error.message}\n`)
      return error.fault !== 'unreachable'
    }
  }
  return true
}

/** Longer queries go as a POST: web servers refuse long request lines. */
const longestUrl = 6000

function exchangeFor(path: string, query: string): Parameters<Engine['answer']>[0] {
  const common = { session: '', signal: undefined }
  if (query.length <= longestUrl) {
    return { ...common, method: 'GET', target: `${path}?${query}`, headers: {}, body: new Uint8Array() }
  }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return { ...common, method: 'POST', target: path, headers, body: Buffer.from(query) }
}

async function readRequests(given: Given, shell: Shell): Promise<readonly Asked[]> {
  const file = given.text('requests')
  if (file === undefined)
    throw new UsageError(
      '--requests is missing; expected a file with one query string a line, or - for stdin',
    )
  const text = file === '-' ? await shell.stdin() : readFile(file)
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'))
  if (lines.length === 0)
    throw new UsageError(
      `${file === '-' ? 'stdin' : file} holds no requests; expected one query string a line`,
    )
  return lines.map((line) => ({
    params: readLine(line.trim()),
    follow: given.on('follow') || line.startsWith('+'),
  }))
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** A query string, with or without what stands before its `?`; JSON is asked for unless the line says otherwise. */
function readLine(line: string): Params {
  const query = line.replace(/^\+/, '').replace(/^(?:https?:\/)?\/[^?]*\?/, '')
  const params = parseUrlencoded(Buffer.from(query, 'utf8').toString('latin1'))
  return params.has('format') ? params : new Map([...params, ['format', 'json']])
}
