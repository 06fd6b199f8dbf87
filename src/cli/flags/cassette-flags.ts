/** Flags that several verbs share, read with their precedence: flag, then environment, then what is usual. */

import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { hostFolderOf } from '../../cassette/interaction-path.ts'
import { compareWikis } from '../../cassette/same-wiki.ts'
import { type ApiUrl, readApiUrl } from '../../http/api-url.ts'
import { type Mode, mayAskWiki, modes, parseMode } from '../../playback/mode.ts'
import { commandName } from '../../store/command-name.ts'
import { readableManifestIn } from '../../store/contents/manifest-file.ts'
import { pathInside } from '../../store/files/paths-inside.ts'
import { type Flag, type Invocation, UsageError } from '../args/command.ts'
import { numberFlag } from '../args/parse-args.ts'

export const cassetteFlag: Flag = { name: 'cassette', valueName: 'DIR', help: 'the cassette (a folder)' }
export const jsonFlag: Flag = { name: 'json', help: 'print the result as JSON' }

export const onMissFlag: Flag = {
  name: 'on-miss',
  valueName: 'POLICY',
  choices: ['synthesize', 'error'],
  help: 'synthesize (what the recording proves; default) or error',
}

/** For verbs that serve. */
export const usageFlag: Flag = {
  name: 'usage',
  valueName: 'FILE',
  help: 'write which recordings the run did not use, for wikitape prune and check',
}

/** For verbs that read what those wrote. */
export const usageFilesFlag: Flag = {
  ...usageFlag,
  repeatable: true,
  help: 'what a run wrote with --usage; given several times, only what no run used counts',
}

export const expiresFlag: Flag = {
  name: 'expires',
  valueName: 'AGE',
  help: 'warn of a cassette that is older, e.g. 30d or 6w',
}

const originFlag = 'allow-origin'

export const trustFlag: Flag = {
  name: 'trust',
  valueName: 'WHAT',
  choices: ['learned'],
  help: "learned: answer paging only by what recordings prove, not by what is known of the wiki's version",
}

export const verboseFlag = 'verbose'

/** Beside the terminal, where requests are told. */
export const logFlag: Flag = {
  name: 'log',
  valueName: 'FILE',
  help: 'append one line of JSON a request: time, outcome, status, method, module, key, ms, why',
}

export const portFlag: Flag = {
  name: 'port',
  valueName: 'N',
  help: 'port to listen on, 0 for any free one (default 4050; with a command 0)',
}

export const hostFlag: Flag = {
  name: 'host',
  valueName: 'ADDRESS',
  help: 'address to listen on (default 127.0.0.1)',
}

export const serverFlags: readonly Flag[] = [
  { name: verboseFlag, help: 'one line a request: what became of it, status, module, key, time, why' },
  logFlag,
  portFlag,
  hostFlag,
  {
    name: originFlag,
    valueName: 'ORIGIN',
    repeatable: true,
    help: 'take pages of this origin, e.g. https://app.example, or null for files, for clients: what pages of other sites ask for is not recorded',
  },
  { name: 'max-body', valueName: 'BYTES', help: 'largest request body that is accepted (default 16777216)' },
  {
    name: 'miss-status',
    valueName: 'N',
    help: 'HTTP status of a miss (default 200: clients then print why instead of retrying)',
  },
  trustFlag,
]

export const matchFlag: Flag = {
  name: 'match',
  valueName: 'HOW',
  choices: ['strict'],
  help: 'strict: only what was recorded for the same method and the same parameters in the same order and spelling (decided when a cassette is begun)',
}

/** @throws UsageError */
export function isStrictMatch(call: Invocation): boolean {
  const how = call.value(matchFlag.name)
  if (how === undefined || how === 'strict') return how === 'strict'
  throw new UsageError(`--match is "${how}"; expected strict`)
}

/** @throws UsageError */
export function readTrust(call: Invocation): 'learned' | undefined {
  const what = call.value(trustFlag.name)
  if (what === undefined || what === 'learned') return what
  throw new UsageError(`--trust is "${what}"; expected learned`)
}

export const rewriteFlag: Flag = {
  name: 'rewrite-urls',
  help: "point the wiki's own addresses in answers (server, url, Location …) here; the cassette keeps them",
}

export const liveFlags: readonly Flag[] = [
  { name: 'mode', valueName: 'MODE', choices: modes, help: `${modes.join(', ')} (default new_episodes)` },
  { name: 'allow-live', help: 'go out to the wiki although CI=true' },
  { name: 'record-errors', help: 'record also lag, rate limits, read-only, 5xx and 429' },
  {
    name: 'writes',
    valueName: 'POLICY',
    choices: ['record', 'refuse'],
    help: 'record (default), or refuse: no edit, upload … reaches the wiki',
  },
  {
    name: 'keep-cookie',
    valueName: 'NAME',
    repeatable: true,
    help: "record this cookie although it is none of MediaWiki's sessions",
  },
  {
    name: 'timeout',
    valueName: 'SECONDS',
    help: 'how long the wiki may stay silent (default 60); an answer may take ten times as long in all',
  },
]

/** For verbs that clients record through. */
export const controlFlag: Flag = {
  name: 'allow-control',
  help: 'let X-Cassette-Mode choose any mode, also those that overwrite and delete',
}

/** Origins named with `--allow-origin`. @throws UsageError */
export function allowedOrigins(call: Invocation): ReadonlySet<string> {
  const named = call.values(originFlag)
  const wrong = named.find((one) => !isOrigin(one))
  if (wrong !== undefined) throw new UsageError(`--${originFlag} is "${wrong}"; ${originFault(wrong)}`)
  return new Set(named)
}

/** As browsers spell it; the URL Standard spells only those of the web. */
const isOrigin = (text: string): boolean =>
  text === 'null' ||
  /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^\s/?#@,*]+$/.test(text) ||
  (URL.canParse(text) && new URL(text).origin === text)

function originFault(text: string): string {
  if (text === '*')
    return 'that would let every page that is open in your browser record here; name the page’s own origin, e.g. https://app.example (a program that sends "Origin: *" needs none)'
  if (/^file:/i.test(text)) return `the origin of files is null: --${originFlag} null`
  return 'expected scheme, host and port, e.g. https://app.example or chrome-extension://ID, or null for files'
}

/** Where cassettes lie unless told otherwise. */
export const cassettesFolder = 'cassettes'

/** The folder named, or the only one under `cassettes/`. @throws UsageError */
export function existingCassette(call: Invocation, positional?: string): string {
  const named =
    positional ?? call.value('cassette') ?? call.env['WIKITAPE_CASSETTE'] ?? call.settings?.cassette
  if (named !== undefined) return named
  const found = foldersIn(cassettesFolder)
  if (found.length === 1) return path.join(cassettesFolder, found[0] ?? '')
  throw new UsageError(
    found.length === 0
      ? `no cassette named, and there is none under cassettes/; record one: ${commandName} record <api-url>`
      : `which cassette? Name one with --cassette: ${found.map((one) => path.join(cassettesFolder, one)).join(', ')}`,
  )
}

const foldersIn = (dir: string): readonly string[] =>
  statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true
    ? readdirSync(dir).filter((one) => statSync(path.join(dir, one)).isDirectory())
    : []

/** Where a wiki is recorded to unless told otherwise. */
export const cassetteToRecord = (call: Invocation, api: ApiUrl): string =>
  call.value('cassette') ?? call.env['WIKITAPE_CASSETTE'] ?? call.settings?.cassette ?? defaultCassette(api)

/** Before 0.2 the path was no part of the name: such a folder is still taken where it is this wiki's. */
function defaultCassette(api: ApiUrl): string {
  const [named, byHost] = [wikiFolderName(api), wikiFolderName({ ...api, path: '/w/api.php' })].map((name) =>
    pathInside(cassettesFolder, name),
  ) as [string, string]
  if (existsSync(named)) return named
  const old = readableManifestIn(byHost)
  return old !== undefined && compareWikis(old, { upstream: api.href, site: undefined }) === 'same'
    ? byHost
    : named
}

/** A folder's name for a wiki: its host, and the path of its api.php where that is not the usual `/w/`. */
export const wikiFolderName = ({ host, path: apiPath }: Pick<ApiUrl, 'host' | 'path'>): string =>
  hostFolderOf(`${host}${apiPath.replace(/\/api\.php$/, '').replace(/^\/w$/, '')}`)

/** For verbs that record into a cassette that may be there already. */
export const movedFlag: Flag = {
  name: 'moved',
  help: 'the cassette is a recording of this wiki, which had another address then: go on with it, and keep the new one',
}

/** @throws UsageError */
export function readApiUrlArg(text: string): ApiUrl {
  const api = readApiUrl(text)
  if (typeof api === 'string') throw new UsageError(api)
  return api
}

export interface ChosenMode {
  readonly mode: Mode
  /** True where X-Cassette-Mode may choose a mode that reaches further. */
  readonly allowControl: boolean
}

/** Flag, then WIKITAPE_MODE, then VCR_MODE, then the project's; X-Cassette-Mode can narrow it. @throws UsageError */
export function chosenMode(call: Invocation): ChosenMode {
  const flag = call.value('mode')
  const { WIKITAPE_MODE: own, VCR_MODE: common } = call.env
  const named = [own, common, call.settings?.mode].find((one) => one !== undefined && one !== '')
  const text = flag ?? named ?? 'new_episodes'
  const mode = parseMode(text)
  if (mode === undefined)
    throw new UsageError(`the mode "${text}" is unknown; expected one of ${modes.join(', ')}`)
  const offline = call.env['CI'] === 'true' && !call.isOn('allow-live')
  if (offline && mayAskWiki(mode)) {
    throw new UsageError(
      `CI=true, and mode ${mode} may go out to the live wiki; add --allow-live if it shall, or replay`,
    )
  }
  return { mode, allowControl: call.isOn(controlFlag.name) && !offline }
}

/** @throws UsageError */
export function refusesWrites(call: Invocation): boolean {
  const policy = call.value('writes') ?? 'record'
  if (policy === 'record' || policy === 'refuse') return policy === 'refuse'
  throw new UsageError(`--writes is "${policy}"; expected record or refuse`)
}

export const timeoutMs = (call: Invocation): number => numberFlag(call, 'timeout', 60, 3600) * 1000
