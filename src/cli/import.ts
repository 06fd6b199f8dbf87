/** `wikitape import`: makes recordings of what a browser or another proxy kept in a HAR file. */
import { readJson } from '../json/read.ts'
import { withoutCredentials } from '../privacy/url.ts'
import type { ApiUrl } from '../proxy/api-url.ts'
import type { Engine } from '../proxy/engine.ts'
import { Rack } from '../proxy/rack.ts'
import { readText } from '../store/files.ts'
import { type HarEntry, type HarReading, readHar } from '../upstream/har.ts'
import { type Upstream, UpstreamError } from '../upstream/upstream.ts'
import type { WikiAnswer } from '../wiki/answer.ts'
import { apiUrlArg, cassetteFlag, jsonFlag, liveFlags, recordedCassette } from './flags.ts'
import { liveSide } from './live.ts'
import { expectArgs, type Given, type Shell, UsageError, type Verb } from './verb.ts'

const wikiFlag = 'wiki'
const describeFlag = 'describe'

export const importVerb: Verb = {
  name: 'import',
  args: 'FILE.har [flags]',
  summary:
    'Records what a HAR file holds of one wiki, as if its answers came now: redacted, checked, without a request to the wiki.',
  flags: [
    { ...cassetteFlag, help: 'where to record to (default cassettes/<host>)' },
    { name: wikiFlag, value: 'URL', help: 'the api.php that counts (default the first in the file)' },
    {
      name: describeFlag,
      help: 'ask the live wiki to describe its modules, so that more requests find their recordings',
    },
    ...liveFlags.filter(({ name }) => name === 'allow-live' || name === 'timeout'),
    jsonFlag,
  ],
  examples: [
    'wikitape import session.har --cassette cassettes/mine',
    'wikitape import session.har --wiki https://ru.wikipedia.org/w/api.php --describe',
  ],
  async run(given, shell) {
    const [file = ''] = expectArgs(importVerb, given, 1)
    const readings = entriesIn(file, shell.now())
    const api = apiOf(readings, file, given)
    if (given.on(describeFlag) && shell.env['CI'] === 'true' && !given.on('allow-live'))
      throw new UsageError('CI=true, and --describe asks a live wiki; add --allow-live if it shall')
    return importAll(readings, api, given, shell)
  },
}

/** @throws UsageError */
function entriesIn(file: string, now: number): readonly HarReading[] {
  const text = textIn(file)
  const reading = readJson(text)
  if (!reading.ok) {
    const { line, column, message } = reading.fault
    throw new UsageError(`${file}:${line}:${column}: ${message}; expected a HAR file`)
  }
  const readings = readHar(JSON.parse(text.replace(/^\ufeff/, '')), now)
  if (readings === undefined)
    throw new UsageError(`${file} is JSON but no HAR; expected an object with "log" and "entries" in it`)
  return readings
}

function textIn(file: string): string {
  try {
    const text = readText(file)
    if (text !== undefined) return text
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
  throw new UsageError(`there is no file ${file}; a browser's developer tools save one`)
}

/** @throws UsageError */
function apiOf(readings: readonly HarReading[], file: string, given: Given): ApiUrl {
  const named = given.text(wikiFlag)
  if (named !== undefined) return apiUrlArg(named)
  const first = readings.find((one) => one.kind === 'entry' && one.entry.url.pathname.endsWith('/api.php'))
  if (first?.kind === 'entry') return apiUrlArg(`${first.entry.url.origin}${first.entry.url.pathname}`)
  throw new UsageError(`${file} holds no answer of an api.php; name the wiki with --${wikiFlag}`)
}

async function importAll(
  readings: readonly HarReading[],
  api: ApiUrl,
  given: Given,
  shell: Shell,
): Promise<number> {
  const source = new HarUpstream(given.on(describeFlag) ? liveSide(api, given).upstream() : undefined)
  const clock = { moment: shell.now() }
  const report = (line: string): void => shell.err(`wikitape: ${line}\n`)
  const rack = new Rack({
    cassette: recordedCassette(given, shell, api),
    mode: 'all',
    fixedMode: true,
    live: { api, upstream: () => source },
    missStatus: 200,
    onMiss: 'error',
    recordErrors: false,
    now: () => clock.moment,
    report,
  })
  const engine = rack.engine(undefined, undefined)
  const { size, manifest } = engine.store
  source.mayRefuse = manifest.site === undefined && (size === 0 || !manifest.describesItself)
  const result = { entries: readings.length, lacking: 0, elsewhere: 0 }
  for (const one of readings) {
    if (!belongsTo(api, one)) result.elsewhere += 1
    else if (one.kind === 'lacking') {
      result.lacking += 1
      report(`${shown(one.url)}: left out: ${one.why}`)
    } else {
      clock.moment = one.entry.moment
      source.next = one.entry.answer
      if (!(await answered(engine, one.entry, report))) result.lacking += 1
    }
  }
  rack.close()
  return tell(rack, result, given, shell)
}

const belongsTo = ({ origin }: ApiUrl, one: HarReading): boolean =>
  one.kind === 'entry' ? one.entry.url.origin === origin : one.url.startsWith(origin)

interface Result {
  readonly entries: number
  /** Entries that are not whole. */
  readonly lacking: number
  /** Entries of other sites. */
  readonly elsewhere: number
}

/** @returns the exit code */
function tell(rack: Rack, result: Result, given: Given, shell: Shell): number {
  const { recorded, unchanged, passedThrough } = rack.counts()
  if (given.on('json')) shell.out(`${JSON.stringify({ ...result, recorded, unchanged })}\n`)
  else
    shell.err(
      `wikitape: ${result.entries} entries: recorded ${recorded}, unchanged ${unchanged}, left out ${result.lacking}, of other sites ${result.elsewhere}\n`,
    )
  return Math.max(rack.exitCode(), result.lacking > 0 || passedThrough > 0 ? 1 : 0)
}

async function answered(engine: Engine, entry: HarEntry, report: (line: string) => void): Promise<boolean> {
  const { url, method, headers, body } = entry
  const target = `${url.pathname}${url.search}`
  try {
    await engine.answer({ method, target, headers, body, session: '', signal: undefined })
    return true
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    report(`${shown(url.href)}: left out: ${error.message}`)
    return false
  }
}

const shown = (address: string): string => withoutCredentials(address).slice(0, 200)

/** Answers with what the file holds; only what wikitape itself wants to know of the wiki may be asked of a live one. */
class HarUpstream implements Upstream {
  readonly #describing: Upstream | undefined
  /** The answer of the entry at hand. */
  next: WikiAnswer | undefined
  /** True where the wiki may be taken for one that does not describe itself: nothing here says otherwise. */
  mayRefuse = false

  constructor(describing: Upstream | undefined) {
    this.#describing = describing
  }

  async ask(request: Parameters<Upstream['ask']>[0], signal?: AbortSignal): Promise<WikiAnswer> {
    if (isOwnQuestion(request.target)) return this.#describing?.ask(request, signal) ?? this.#noDescription()
    const answer = this.next
    this.next = undefined
    if (answer === undefined) throw new UpstreamError('reset', 'the file holds no answer to this')
    return answer
  }

  close(): void {
    this.#describing?.close()
  }

  /** A cassette that holds descriptions must not lose its trust in them: there, the wiki is only silent for now. */
  #noDescription(): WikiAnswer {
    const body = Buffer.from('{"error":{"code":"not-described"}}')
    const headers = new Map([['content-type', 'application/json']])
    return { status: this.mayRefuse ? 400 : 503, headers, setCookies: [], body }
  }
}

/** As proxy/describe.ts asks. */
const isOwnQuestion = (target: string): boolean =>
  /[?&]helpformat=none&format=json&formatversion=2$|[?&]siprop=general\|namespaces\|namespacealiases&format=json&formatversion=2$/.test(
    target,
  )
