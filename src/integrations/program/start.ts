/** Servers started from a program: `wikitape record` and `wikitape replay` as functions. */

import { apiPathOf, toDay } from '../../recorder/cassette/format/manifest.ts'
import type { ReportedEvent } from '../../recorder/engine/engine-event.ts'
import type { Miss } from '../../recorder/engine/miss/miss-reply.ts'
import { EngineRegistry } from '../../recorder/engine/registry/engine-registry.ts'
import type { EngineRegistryOptions } from '../../recorder/engine/registry/registry-options.ts'
import type { Counts } from '../../recorder/engine/run-summary.ts'
import { readApiUrl } from '../../recorder/http/api-url.ts'
import { type Mode, mayAskWiki } from '../../recorder/playback/decide.ts'
import { startServer } from '../../recorder/server/start-server.ts'
import { chooseMode, modeOptions } from '../../recorder/settings/choose-mode.ts'
import {
  type ProjectSettings,
  readProjectSettings
} from '../../recorder/settings/project-settings.ts'
import {
  assertOptions,
  booleanOption,
  functionOption,
  type OptionExpectations,
  textOption,
  wholeNumberOption
} from '../../recorder/text/option-checks.ts'
import {
  type ConnectionOptions,
  connectionOptions,
  resolveConnection,
  warnIfInsecure
} from '../../recorder/upstream/connection/connection-options.ts'
import { HttpProxyUpstream } from '../../recorder/upstream/transport/http-proxy-upstream.ts'
import { openIfRemote } from '../../redis/open-store.ts'

export interface ServeOptions {
  /** Folder of the cassette; `WIKITAPE_CASSETTE`, then that of wikitape.config.json unless given. */
  readonly cassette?: string
  /** Port to listen on; any free one unless given. */
  readonly port?: number
  /** Called with each line that a person should see, e.g. of a miss; silent unless given. */
  readonly report?: (line: string) => void
}

export interface RecordOptions extends ServeOptions, ConnectionOptions {
  /** Address of the live wiki's api.php; that of wikitape.config.json unless given. */
  readonly apiUrl?: string
  /** Unless given: `WIKITAPE_MODE`, then `VCR_MODE`, then that of wikitape.config.json, then `new_episodes`. */
  readonly mode?: Mode
  /** Takes a cassette of the same wiki that was recorded from another address, and keeps the new one. */
  readonly moved?: boolean
  /** Lets a mode that may ask the live wiki do so although CI=true. */
  readonly allowLive?: boolean
}

export interface Serving {
  /** The address that a client uses as the wiki's api.php. */
  readonly apiUrl: string
  counts(): Counts
  /** The distinct misses so far. */
  misses(): readonly Miss[]
  /** Gives open requests 1.2 s to finish, and forces recordings to the disk (fsync). */
  close(): Promise<Counts>
}

const serveOptions: OptionExpectations<ServeOptions> = {
  cassette: textOption('cassettes/mine'),
  port: wholeNumberOption(0, 65_535),
  report: functionOption('console.log')
}

const recordOptions: OptionExpectations<RecordOptions> = {
  apiUrl: textOption('https://ru.wikipedia.org/w/api.php'),
  ...serveOptions,
  moved: booleanOption,
  ...modeOptions,
  ...connectionOptions
}

const maxBody = 16 * 1024 * 1024
const upstreamLimits = { timeout: 60_000, maxBytes: 256 * 1024 * 1024 } as const

/** Serves a cassette offline. @throws TypeError for missing or invalid options, StoreError if it cannot be read */
export function startReplay(options: ServeOptions = {}): Promise<Serving> {
  assertOptions('startReplay', options, serveOptions)
  const cassette = cassetteFrom(options, readProjectSettings(process.cwd()))
  return openIfRemote(cassette).then((opened) =>
    serve({ ...opened, mode: 'none', live: undefined }, options)
  )
}

/**
 * Serves a live wiki as a proxy, and records. @throws TypeError for missing or invalid options, Error if CI=true and
 * `allowLive` is not set, ConnectionOptionsError, StoreError
 */
export function startRecording(options: RecordOptions = {}): Promise<Serving> {
  assertOptions('startRecording', options, recordOptions)
  const settings = readProjectSettings(process.cwd())
  const api = readApiUrl(required('apiUrl', options.apiUrl ?? settings?.apiUrl))
  if (typeof api === 'string') throw new TypeError(api)
  if (options.apiUrl === undefined)
    options.report?.(`the wiki is ${api.href}, as ${settings?.file} says`)
  const connection = resolveConnection(api.origin, options, process.env)
  warnIfInsecure(api.origin, options)
  const upstream = () =>
    new HttpProxyUpstream(api.origin, {
      ...upstreamLimits,
      authorization: api.authorization,
      ...connection
    })
  const mode = chooseMode(options, process.env, {
    settled: settings?.mode,
    usual: 'new_episodes'
  })
  const { moved = false } = options
  const recording = { upstream: api.href, day: toDay(Date.now()), moved }
  const live = mayAskWiki(mode) ? { api, upstream } : undefined
  return openIfRemote(cassetteFrom(options, settings), recording).then((opened) =>
    serve({ ...opened, mode, api, moved, live }, options, api.path)
  )
}

const cassetteFrom = (
  { cassette }: ServeOptions,
  settings: ProjectSettings | undefined
) =>
  required(
    'cassette',
    cassette ?? (process.env['WIKITAPE_CASSETTE'] || settings?.cassette)
  )

/** @throws TypeError if the option is missing */
function required(option: 'apiUrl' | 'cassette', value: string | undefined) {
  if (value !== undefined) return value
  throw new TypeError(`no ${option} is given; pass it, or set it in wikitape.config.json`)
}

/** @param path of api.php, unless the cassette names it */
async function serve(
  options: Omit<EngineRegistryOptions, 'now' | 'onEvent'>,
  { port = 0, report = () => undefined }: ServeOptions,
  path?: string
) {
  const onEvent = ({ text }: ReportedEvent) => report(text)
  const engines = new EngineRegistry({ ...options, now: Date.now, onEvent })
  const server = await startServer({
    engines,
    host: '127.0.0.1',
    port,
    maxBody,
    pages: async () => (await import('../../pages/ui-router.ts')).uiRouter(engines),
    report
  })
  const own = apiPathOf(engines.first.store.manifest.upstream)
  return {
    apiUrl: server.url + (path ?? own ?? '/w/api.php'),
    counts: () => engines.counts(),
    misses: () => engines.misses(),
    close: async () => {
      await server.close()
      await engines.end()
      return engines.counts()
    }
  }
}
