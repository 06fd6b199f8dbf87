/** Flags that several verbs share, read with their precedence: flag, then environment, then what is usual. */

import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { hostFolderOf } from '../../cassette/interaction-path.ts'
import { compareWikis } from '../../cassette/same-wiki.ts'
import { type ApiUrl, readApiUrl } from '../../http/api-url.ts'
import { asMode, goesOut, type Mode, modes } from '../../playback/mode.ts'
import { commandName } from '../../store/command-name.ts'
import { manifestIn } from '../../store/contents/manifest-file.ts'
import { placeInside } from '../../store/files/paths-inside.ts'
import { type Flag, type Given, numberFlag, type Shell, UsageError } from '../args/command.ts'

export const cassetteFlag: Flag = { name: 'cassette', value: 'DIR', help: 'the cassette (a folder)' }
export const jsonFlag: Flag = { name: 'json', help: 'print the result as JSON' }

export const onMissFlag: Flag = {
  name: 'on-miss',
  value: 'POLICY',
  choices: ['synthesize', 'error'],
  help: 'synthesize (what the recording proves; default) or error',
}

/** For verbs that serve. */
export const usageFlag: Flag = {
  name: 'usage',
  value: 'FILE',
  help: 'write which recordings the run did not use, for wikitape prune and check',
}

/** For verbs that read what those wrote. */
export const usagesFlag: Flag = {
  ...usageFlag,
  many: true,
  help: 'what a run wrote with --usage; given several times, only what no run used counts',
}

export const expiresFlag: Flag = {
  name: 'expires',
  value: 'AGE',
  help: 'warn of a cassette that is older, e.g. 30d or 6w',
}

const originFlag = 'allow-origin'

export const trustFlag: Flag = {
  name: 'trust',
  value: 'WHAT',
  choices: ['learned'],
  help: "learned: answer paging only by what recordings prove, not by what is known of the wiki's version",
}

export const verboseFlag = 'verbose'

/** Beside the terminal, where requests are told. */
export const logFlag: Flag = {
  name: 'log',
  value: 'FILE',
  help: 'append one line of JSON a request: time, outcome, status, method, module, key, ms, why',
}

export const portFlag: Flag = {
  name: 'port',
  value: 'N',
  help: 'port to listen on, 0 for any free one (default 4050; with a command 0)',
}

export const hostFlag: Flag = {
  name: 'host',
  value: 'ADDRESS',
  help: 'address to listen on (default 127.0.0.1)',
}

export const serverFlags: readonly Flag[] = [
  { name: verboseFlag, help: 'one line a request: what became of it, status, module, key, time, why' },
  logFlag,
  portFlag,
  hostFlag,
  {
    name: originFlag,
    value: 'ORIGIN',
    many: true,
    help: 'take pages of this origin, e.g. https://app.example, or null for files, for clients: what pages of other sites ask for is not recorded',
  },
  { name: 'max-body', value: 'BYTES', help: 'largest request body that is accepted (default 16777216)' },
  {
    name: 'miss-status',
    value: 'N',
    help: 'HTTP status of a miss (default 200: clients then print why instead of retrying)',
  },
  trustFlag,
]

export const matchFlag: Flag = {
  name: 'match',
  value: 'HOW',
  choices: ['strict'],
  help: 'strict: only what was recorded for the same method and the same parameters in the same order and spelling (decided when a cassette is begun)',
}

/** @throws UsageError */
export function matchesStrictly(given: Given): boolean {
  const how = given.text(matchFlag.name)
  if (how === undefined || how === 'strict') return how === 'strict'
  throw new UsageError(`--match is "${how}"; expected strict`)
}

/** @throws UsageError */
export function trustIn(given: Given): 'learned' | undefined {
  const what = given.text(trustFlag.name)
  if (what === undefined || what === 'learned') return what
  throw new UsageError(`--trust is "${what}"; expected learned`)
}

export const rewriteFlag: Flag = {
  name: 'rewrite-urls',
  help: "point the wiki's own addresses in answers (server, url, Location …) here; the cassette keeps them",
}

export const liveFlags: readonly Flag[] = [
  { name: 'mode', value: 'MODE', choices: modes, help: `${modes.join(', ')} (default new_episodes)` },
  { name: 'allow-live', help: 'go out to the wiki although CI=true' },
  { name: 'record-errors', help: 'record also lag, rate limits, read-only, 5xx and 429' },
  {
    name: 'writes',
    value: 'POLICY',
    choices: ['record', 'refuse'],
    help: 'record (default), or refuse: no edit, upload … reaches the wiki',
  },
  {
    name: 'keep-cookie',
    value: 'NAME',
    many: true,
    help: "record this cookie although it is none of MediaWiki's sessions",
  },
  {
    name: 'timeout',
    value: 'SECONDS',
    help: 'how long the wiki may stay silent (default 60); an answer may take ten times as long in all',
  },
]

/** For verbs that clients record through. */
export const controlFlag: Flag = {
  name: 'allow-control',
  help: 'let X-Cassette-Mode choose any mode, also those that overwrite and delete',
}

/** Origins named with `--allow-origin`. @throws UsageError */
export function allowedOrigins(given: Given): ReadonlySet<string> {
  const named = given.texts(originFlag)
  const wrong = named.find((one) => !isOrigin(one))
  if (wrong !== undefined) throw new UsageError(`--${originFlag} is "${wrong}"; ${whyNoOrigin(wrong)}`)
  return new Set(named)
}

/** As browsers spell it; the URL Standard spells only those of the web. */
const isOrigin = (text: string): boolean =>
  text === 'null' ||
  /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^\s/?#@,*]+$/.test(text) ||
  (URL.canParse(text) && new URL(text).origin === text)

function whyNoOrigin(text: string): string {
  if (text === '*')
    return 'that would let every page that is open in your browser record here; name the page’s own origin, e.g. https://app.example (a program that sends "Origin: *" needs none)'
  if (/^file:/i.test(text)) return `the origin of files is null: --${originFlag} null`
  return 'expected scheme, host and port, e.g. https://app.example or chrome-extension://ID, or null for files'
}

/** Where cassettes lie unless told otherwise. */
export const cassettesFolder = 'cassettes'

/** The folder named, or the only one under `cassettes/`. @throws UsageError */
export function existingCassette(given: Given, shell: Shell, positional?: string): string {
  const named =
    positional ?? given.text('cassette') ?? shell.env['WIKITAPE_CASSETTE'] ?? shell.settings?.cassette
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
export const recordedCassette = (given: Given, shell: Shell, api: ApiUrl): string =>
  given.text('cassette') ?? shell.env['WIKITAPE_CASSETTE'] ?? shell.settings?.cassette ?? defaultCassette(api)

/** Before 0.2 the path was no part of the name: such a folder is still taken where it is this wiki's. */
function defaultCassette(api: ApiUrl): string {
  const [named, byHost] = [wikiFolder(api), wikiFolder({ ...api, path: '/w/api.php' })].map((name) =>
    placeInside(cassettesFolder, name),
  ) as [string, string]
  if (existsSync(named)) return named
  const old = manifestIn(byHost)
  return old !== undefined && compareWikis(old, { upstream: api.href, site: undefined }) === 'same'
    ? byHost
    : named
}

/** A folder's name for a wiki: its host, and the path of its api.php where that is not the usual `/w/`. */
export const wikiFolder = ({ host, path: apiPath }: Pick<ApiUrl, 'host' | 'path'>): string =>
  hostFolderOf(`${host}${apiPath.replace(/\/api\.php$/, '').replace(/^\/w$/, '')}`)

/** For verbs that record into a cassette that may be there already. */
export const movedFlag: Flag = {
  name: 'moved',
  help: 'the cassette is a recording of this wiki, which had another address then: go on with it, and keep the new one',
}

/** @throws UsageError */
export function apiUrlArg(text: string): ApiUrl {
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
export function chosenMode(given: Given, shell: Shell): ChosenMode {
  const flag = given.text('mode')
  const { WIKITAPE_MODE: own, VCR_MODE: common } = shell.env
  const named = [own, common, shell.settings?.mode].find((one) => one !== undefined && one !== '')
  const text = flag ?? named ?? 'new_episodes'
  const mode = asMode(text)
  if (mode === undefined)
    throw new UsageError(`the mode "${text}" is unknown; expected one of ${modes.join(', ')}`)
  const offline = shell.env['CI'] === 'true' && !given.on('allow-live')
  if (offline && goesOut(mode)) {
    throw new UsageError(
      `CI=true, and mode ${mode} may go out to the live wiki; add --allow-live if it shall, or replay`,
    )
  }
  return { mode, allowControl: given.on(controlFlag.name) && !offline }
}

/** @throws UsageError */
export function refusesWrites(given: Given): boolean {
  const policy = given.text('writes') ?? 'record'
  if (policy === 'record' || policy === 'refuse') return policy === 'refuse'
  throw new UsageError(`--writes is "${policy}"; expected record or refuse`)
}

export const timeoutOf = (given: Given): number => numberFlag(given, 'timeout', 60, 3600) * 1000
