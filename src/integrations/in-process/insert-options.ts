/** Options of an inserted cassette, and the settings that they resolve to: which folder, which mode, which wiki. */

import { existsSync } from 'node:fs'
import { isHttpAddress } from '../../recorder/cassette/format/manifest.ts'
import type { ReportedEvent } from '../../recorder/engine/engine-event.ts'
import { defaultMissStatus } from '../../recorder/engine/engine-options.ts'
import { type ApiUrl, readApiUrl } from '../../recorder/http/api-url.ts'
import {
  type MissPolicy,
  type Mode,
  mayAskWiki,
  missPolicies
} from '../../recorder/playback/decide.ts'
import type { TroubleOptions, TroubleState } from '../../recorder/playback/trouble.ts'
import { isCassetteName } from '../../recorder/server/control-headers.ts'
import { chooseMode, modeOptions } from '../../recorder/settings/choose-mode.ts'
import { readProjectSettings } from '../../recorder/settings/project-settings.ts'
import { CassetteStore } from '../../recorder/store/cassette-store.ts'
import { pathInside } from '../../recorder/store/files/paths-inside.ts'
import { requireSameWiki } from '../../recorder/store/store-error.ts'
import { escapeControls } from '../../recorder/text/escape-control-characters.ts'
import {
  booleanOption,
  functionOption,
  listOption,
  type OptionExpectations,
  oneOfOption,
  textOption,
  wholeNumberOption
} from '../../recorder/text/option-checks.ts'
import type { UpstreamConnection } from '../../recorder/upstream/connection/agent.ts'
import {
  type ConnectionOptions,
  connectionOptions,
  type EnvironmentVariables,
  resolveConnection,
  warnIfInsecure
} from '../../recorder/upstream/connection/connection-options.ts'
import type { RequestWatch } from './live-request-policy.ts'
import { Overrides, startTrouble, troubleOption } from './overrides.ts'

export interface InsertOptions extends ConnectionOptions {
  /** When to record. Unless given: `WIKITAPE_MODE`, then `VCR_MODE`, then `once`; with CI=true rather `none`. */
  readonly mode?: Mode
  /** What to do with a request that was not recorded: `synthesize` what the recording proves (default), or `error`. */
  readonly onMiss?: MissPolicy
  /** The folder of all cassettes; `cassettes` unless given. */
  readonly root?: string
  /**
   * Address of the wiki's api.php as the client has it; unless given, the one that the cassette was recorded from, then
   * that of wikitape.config.json.
   */
  readonly apiUrl?: string
  /** Accepts a cassette that was recorded at another address of the wiki; recording updates the address. */
  readonly moved?: boolean
  /** Allows modes that may ask the live wiki although CI=true. */
  readonly allowLive?: boolean
  /**
   * Addresses of other wikis that may be requested without a cassette, e.g. `https://commons.wikimedia.org`; one without a
   * port allows every port. Requests to other wikis are refused with CI=true, and cause a warning without.
   */
  readonly allowOtherWikis?: readonly string[]
  /** Records also lag, rate limits, read-only, 5xx and 429. */
  readonly recordErrors?: boolean
  /** What requests meet first, as on a bad day of the wiki: e.g. `maxlag,503=0.2`. Only if nothing is recorded. */
  readonly trouble?: string | TroubleOptions
  /** HTTP status of a miss; 200 unless given, since clients then print the error instead of retrying. */
  readonly missStatus?: number
  /** Seconds that the live wiki may stay silent; 60 unless given. */
  readonly timeout?: number
  /** Prints nothing: neither misses as they happen nor the summary at the end. */
  readonly quiet?: boolean
  /** Called with each line, instead of stderr. */
  readonly report?: (line: string) => void
}

export const insertOptions: OptionExpectations<InsertOptions> = {
  apiUrl: textOption('https://ru.wikipedia.org/w/api.php'),
  moved: booleanOption,
  ...modeOptions,
  allowOtherWikis: listOption(isHttpAddress, 'https://commons.wikimedia.org'),
  onMiss: oneOfOption(missPolicies),
  root: textOption('cassettes'),
  recordErrors: booleanOption,
  trouble: troubleOption,
  missStatus: wholeNumberOption(200, 599),
  timeout: wholeNumberOption(1, 3600),
  quiet: booleanOption,
  report: functionOption('console.log'),
  ...connectionOptions
}

type WithDefault =
  | 'mode'
  | 'onMiss'
  | 'moved'
  | 'allowOtherWikis'
  | 'recordErrors'
  | 'missStatus'
  | 'report'

export interface InsertSettings extends Required<Pick<InsertOptions, WithDefault>> {
  readonly onEvent: (event: ReportedEvent) => void
  readonly name: string
  readonly folder: string
  /** The wiki whose requests are answered. */
  readonly api: ApiUrl
  /** Milliseconds. */
  readonly timeout: number
  readonly connection: UpstreamConnection
  /** Changed by `startTrouble`. */
  readonly trouble: TroubleState
  /** What a test answers itself. */
  readonly overrides: Overrides
  /** True if requests may not name another cassette, nor another mode. */
  readonly isExclusive: boolean
}

/** @throws Error that says what was expected, StoreError if the cassette cannot be read */
export function resolveInsertOptions(
  name: string,
  options: InsertOptions,
  env: EnvironmentVariables = process.env
): InsertSettings {
  const folder = cassetteFolder(name, options.root)
  const mode = chooseMode(options, env, { usual: 'once', inCi: 'none' })
  const api = resolveApiUrl(folder, options)
  warnIfInsecure(api.origin, options)
  const { allowOtherWikis = [] } = options
  if (allowOtherWikis.some((address) => new URL(address).origin === api.origin))
    throw new Error(
      `allowOtherWikis: ${api.origin} is the cassette's own wiki, whose requests are answered by the cassette, or recorded with allowLive`
    )
  const trouble: TroubleState = { plan: undefined }
  const report = reportFunction(options)
  if (options.trouble !== undefined)
    startTrouble({ folder, mode, trouble }, options.trouble)
  return {
    trouble,
    overrides: new Overrides(),
    name,
    folder,
    mode,
    onMiss: options.onMiss ?? 'synthesize',
    api,
    moved: options.moved ?? false,
    // A mode that never asks the wiki ignores an unusable proxy of the environment.
    connection: {
      ...resolveConnection(api.origin, options, mayAskWiki(mode) ? env : {}),
      preopensTunnels: true
    },
    allowOtherWikis,
    recordErrors: options.recordErrors ?? false,
    missStatus: options.missStatus ?? defaultMissStatus,
    timeout: (options.timeout ?? 60) * 1000,
    report,
    onEvent: ({ text }) => report(text),
    isExclusive: false
  }
}

/** The watch of requests that the cassette does not answer. */
export const requestWatchOf = (
  { folder, api, allowOtherWikis }: InsertSettings,
  warn: (line: string) => void
): RequestWatch & { readonly origin: string } => ({
  label: `the cassette ${folder}`,
  apiUrl: api.href,
  origin: api.origin,
  allowOtherWikis,
  warn
})

/** @param name folders below the root, with `/` between them */
export function cassetteFolder(name: string, root: string = 'cassettes'): string {
  const parts = name.split('/')
  if (!parts.every(isCassetteName)) {
    throw new Error(
      `the cassette name ${JSON.stringify(name.slice(0, 200))} is not a plain folder name below ${root}; expected letters, digits, ".", "_" and "-", with "/" between folders`
    )
  }
  return pathInside(root, ...parts)
}

/** @throws Error, StoreError if the cassette is another wiki's */
function resolveApiUrl(folder: string, { apiUrl, moved = false }: InsertOptions) {
  const store = existsSync(folder) ? CassetteStore.open(folder) : undefined
  const known = apiUrl ?? store?.manifest.upstream ?? configuredApiUrl()
  if (known === undefined || known === '') {
    const why =
      known === undefined
        ? `the cassette ${folder} does not exist`
        : `${folder} does not say what it was recorded from`
    throw new Error(
      `which wiki? ${why}; pass apiUrl, the address of the wiki's api.php, or set it in wikitape.config.json`
    )
  }
  const api = readApiUrl(known)
  if (typeof api === 'string') throw new Error(`apiUrl: ${api}`)
  if (store) requireSameWiki(store, { upstream: api.href, site: undefined }, moved)
  return api
}

/** The `apiUrl` of wikitape.config.json. @throws SettingsError */
export const configuredApiUrl = (): string | undefined =>
  readProjectSettings(process.cwd())?.apiUrl

/** Where to report, escaped unless it is the caller's own. */
export function reportFunction({
  quiet = false,
  report
}: {
  readonly quiet?: boolean | undefined
  readonly report?: ((line: string) => void) | undefined
}): (line: string) => void {
  if (report) return report
  return quiet
    ? () => undefined
    : (line) => void process.stderr.write(`wikitape: ${escapeControls(line)}\n`)
}
