/** `wikitape import`: makes recordings of what browsers, other proxies and other recorders kept of a wiki. */
import { withoutCredentials } from '../../privacy/url.ts'
import type { ApiUrl } from '../../proxy/api-url.ts'
import type { Engine } from '../../proxy/engine.ts'
import { Rack } from '../../proxy/rack.ts'
import type { KeptExchange, KeptReading } from '../../upstream/kept/exchange.ts'
import { type Upstream, UpstreamError } from '../../upstream/upstream.ts'
import type { WikiAnswer } from '../../wiki/answer.ts'
import { type KeptFiles, readKeptFiles } from '../files/kept-files.ts'
import { apiUrlArg, cassetteFlag, jsonFlag, liveFlags, recordedCassette } from '../flags.ts'
import { liveSide } from '../serve/live.ts'
import { expectArgs, type Given, type Shell, UsageError, type Verb } from '../verb.ts'

const wikiFlag = 'wiki'
const describeFlag = 'describe'

export const importVerb: Verb = {
  name: 'import',
  args: 'PATH [flags]',
  summary:
    'Records what a HAR file, cassettes of vcrpy or VCR, or tapes of talkback hold of one wiki: redacted, checked, offline.',
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
    'wikitape import spec/fixtures/vcr_cassettes --cassette cassettes/mine',
    'wikitape import session.har --wiki https://ru.wikipedia.org/w/api.php --describe',
  ],
  async run(given, shell) {
    const [path = ''] = expectArgs(importVerb, given, 1)
    const kept = await readKeptFiles(path, shell.now())
    const api = apiOf(kept.readings, path, given)
    if (given.on(describeFlag) && shell.env['CI'] === 'true' && !given.on('allow-live'))
      throw new UsageError('CI=true, and --describe asks a live wiki; add --allow-live if it shall')
    return importAll(kept, api, given, shell)
  },
}

/** @throws UsageError */
function apiOf(readings: readonly KeptReading[], path: string, given: Given): ApiUrl {
  const named = given.text(wikiFlag)
  if (named !== undefined) return apiUrlArg(named)
  for (const one of readings) {
    const url = one.kind === 'exchange' ? one.exchange.url : undefined
    if (url?.pathname.endsWith('/api.php') === true) return apiUrlArg(`${url.origin}${url.pathname}`)
  }
  throw new UsageError(`${path} holds no answer of an api.php; name the wiki with --${wikiFlag}`)
}

/** Files of a folder that are named one by one: the folder may be of something else altogether. */
const mostTold = 10

async function importAll(
  { readings, unreadable }: KeptFiles,
  api: ApiUrl,
  given: Given,
  shell: Shell,
): Promise<number> {
  const source = new KeptUpstream(given.on(describeFlag) ? liveSide(api, given).upstream() : undefined)
  const clock = { moment: shell.now() }
  const report = (line: string): void => shell.err(`wikitape: ${line}\n`)
  const rack = new Rack({
    cassette: recordedCassette(given, shell, api),
    mode: 'all',
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
  for (const why of unreadable.slice(0, mostTold)) report(`left out: ${why}`)
  const untold = unreadable.length - mostTold
  if (untold > 0)
    report(`left out: ${untold} more files of the folder that hold no recordings of these formats`)
  const result = {
    entries: readings.length + unreadable.length,
    lacking: unreadable.length,
    elsewhere: 0,
  }
  for (const one of readings) {
    if (!belongsTo(api, one)) result.elsewhere += 1
    else if (one.kind === 'lacking') {
      result.lacking += 1
      report(`${shown(one.address)}: left out: ${one.why}`)
    } else {
      clock.moment = one.exchange.moment
      source.next = one.exchange.answer
      if (!(await answered(engine, one.exchange, report))) result.lacking += 1
    }
  }
  rack.close()
  return tell(rack, result, given, shell)
}

const belongsTo = ({ origin }: ApiUrl, one: KeptReading): boolean =>
  one.kind === 'exchange' ? one.exchange.url.origin === origin : originOf(one.address) === origin

const originOf = (address: string): string => (URL.canParse(address) ? new URL(address).origin : '')

interface Result {
  readonly entries: number
  /** Entries, or files of a folder, that are not whole. */
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

async function answered(
  engine: Engine,
  exchange: KeptExchange,
  report: (line: string) => void,
): Promise<boolean> {
  const { url, method, headers, body } = exchange
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

/** Answers with what was kept; only what wikitape itself wants to know of the wiki may be asked of a live one. */
class KeptUpstream implements Upstream {
  readonly #describing: Upstream | undefined
  /** The answer of the exchange at hand. */
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
    if (answer === undefined) throw new UpstreamError('reset', 'no answer to this was kept')
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
