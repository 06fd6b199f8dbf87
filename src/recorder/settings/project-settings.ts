/** `wikitape.config.json`: settings of a project. Flags and options take precedence, then the environment, then this file. */
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { isPlainObject, parsePlain } from '../json/plain-json.ts'
import { type Mode, modes, parseMode } from '../playback/decide.ts'
import type { IgnoredParam } from '../request/ignored-params.ts'
import { errorText } from '../text/error-text.ts'
import { didYouMean } from '../text/words.ts'
import { whyNotIgnored } from './ignored.ts'
import { type Judgement, whyNoJudgements } from './judgements.ts'

export interface ProjectSettings {
  /** The settings file. Its paths are relative to its folder. */
  readonly file: string
  /** The wiki's api.php, for `record` and `capture`. */
  readonly apiUrl?: string
  readonly cassette?: string
  readonly contact?: string
  readonly mode?: Mode
  readonly expires?: string
  /** Texts that look like secrets and are none, each with its place and the reason. */
  readonly harmless?: readonly Judgement[]
  /** Texts of writes that are not compared. */
  readonly ignore?: readonly IgnoredParam[]
  /** Kinds of drift by severity, as in drift.json. */
  readonly severity?: unknown
}

/** Invalid settings: the file, what is wrong, what was expected. */
export class SettingsError extends Error {}

const settingsFileName = 'wikitape.config.json'

const examples = {
  apiUrl: '"https://ru.wikipedia.org/w/api.php"',
  cassette: '"cassettes/mine"',
  contact: '"you@example.org"',
  mode: '"new_episodes"',
  expires: '"30d"'
} as const
const knownSettings: readonly string[] = [
  ...Object.keys(examples),
  'severity',
  'harmless',
  'ignore',
  '$schema'
]
const example = `{"cassette": ${examples.cassette}}`

/** The settings of the project that a folder belongs to. @throws SettingsError */
export function readProjectSettings(
  dir: string,
  user: ProcessUser = { uid: process.getuid?.(), env: process.env }
): ProjectSettings | undefined {
  const file = findSettingsFile(path.resolve(dir))
  if (file === undefined) return undefined
  const why = whyUntrusted(file, user)
  if (why !== undefined) throw new SettingsError(why)
  // A pipe would never end.
  if (!statSync(file).isFile())
    throw new SettingsError(
      `${file} is not a file; expected one with ${example}, or none of that name`
    )
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new SettingsError(
      `${file} cannot be read: ${errorText(error)}; expected ${example}`
    )
  }
  return decodeSettings(file, text)
}

/** The nearest settings file from a folder up to the root of its repository; without a repository, in the folder only. */
function findSettingsFile(dir: string) {
  const folders = [dir]
  for (let at = dir; at !== path.dirname(at); at = path.dirname(at))
    folders.push(path.dirname(at))
  const rootAt = folders.findIndex((folder) => existsSync(path.join(folder, '.git')))
  const searched = folders.slice(0, Math.max(0, rootAt) + 1)
  return searched
    .map((folder) => path.join(folder, settingsFileName))
    .find((file) => existsSync(file))
}

function decodeSettings(file: string, text: string) {
  const members = parseMembers(file, text)
  const unknownName = [...members.keys()].find((name) => !knownSettings.includes(name))
  if (unknownName !== undefined)
    throw new SettingsError(
      `${file}: unknown setting "${unknownName}"${didYouMean(unknownName, knownSettings)}; expected ${knownSettings.join(', ')}`
    )
  for (const [name, text] of Object.entries(examples)) {
    const value = members.get(name)
    if (value !== undefined && (typeof value !== 'string' || value === ''))
      throw new SettingsError(
        `${file}: "${name}" is not a string; expected for example ${text}`
      )
  }
  const whyNot =
    (members.has('harmless') ? whyNoJudgements(members.get('harmless')) : undefined) ??
    (members.has('ignore') ? whyNotIgnored(members.get('ignore')) : undefined)
  if (whyNot !== undefined) throw new SettingsError(`${file}: ${whyNot}`)
  const cassette = members.get('cassette')
  const mode = members.get('mode')
  return {
    ...Object.fromEntries(members),
    ...(typeof cassette === 'string' ? { cassette: decodeCassette(file, cassette) } : {}),
    ...(typeof mode === 'string' ? { mode: decodeMode(file, mode) } : {}),
    file
  }
}

/** Modes that overwrite must come from the person who runs wikitape, not from a file. @throws SettingsError */
function decodeMode(file: string, text: string) {
  const mode = requireMode(text, `${file}: `)
  if (mode === 'all' || mode === 'update')
    throw new SettingsError(
      `${file}: the mode "${mode}" overwrites recordings, so it counts only on the command line (--mode ${mode}) or in the environment (WIKITAPE_MODE=${mode}); expected another mode here`
    )
  return mode
}

/** @param source in front of the message. @throws SettingsError for an unknown mode */
export function requireMode(text: string, source: string): Mode {
  const mode = parseMode(text)
  if (mode !== undefined) return mode
  throw new SettingsError(
    `${source}the mode "${text}" is unknown${didYouMean(text, modes)}; expected one of ${modes.join(', ')}`
  )
}

/** The cassette relative to the current folder. @throws SettingsError */
function decodeCassette(file: string, text: string) {
  const folder = path.dirname(file)
  const root = realpathSync(folder)
  const real = realPath(path.resolve(folder, text))
  const isInside =
    real === root || real?.startsWith(root.endsWith(path.sep) ? root : root + path.sep)
  if (!isInside)
    throw new SettingsError(
      `${file}: the cassette "${text}" is outside of ${folder}; expected a folder in it, e.g. "cassettes/mine"; to use that one, name it with --cassette or WIKITAPE_CASSETTE`
    )
  return path.relative(process.cwd(), path.resolve(folder, text)) || '.'
}

function parseMembers(file: string, text: string) {
  try {
    const parsed = parsePlain(text)
    if (isPlainObject(parsed)) return new Map(Object.entries(parsed))
  } catch (error) {
    throw new SettingsError(
      `${file} is not JSON: ${errorText(error)}; expected ${example}`
    )
  }
  throw new SettingsError(`${file} is not an object; expected ${example}`)
}

interface ProcessUser {
  /** Undefined where the system has no user ids. */
  readonly uid: number | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The reason not to follow a file; undefined for one of the user's or root's. Source: git-config(1), safe.directory */
function whyUntrusted(file: string, { uid, env }: ProcessUser) {
  const folder = path.dirname(file)
  const trusted = (env['WIKITAPE_SAFE_DIRECTORY'] ?? '').split(path.delimiter)
  if (uid === undefined || trusted.includes('*') || trusted.includes(folder))
    return undefined
  const trustedUids =
    uid === 0 && env['SUDO_UID'] !== undefined
      ? [0, uid, Number(env['SUDO_UID'])]
      : [0, uid]
  // The owner of a link decides where it leads.
  const otherUid = [lstatSync(file).uid, statSync(file).uid].find(
    (one) => !trustedUids.includes(one)
  )
  if (otherUid === undefined) return undefined
  return `${file} belongs to another user (${otherUid}; you are ${uid}), so it is ignored; if you trust it, make it yours (chown ${uid}), or set WIKITAPE_SAFE_DIRECTORY=${folder}`
}

/** The real path of one that need not exist yet; undefined for a dangling link. */
function realPath(location: string): string | undefined {
  try {
    return realpathSync(location)
  } catch (error) {
    const isAbsent = error instanceof Error && /^(?:ENOENT|ENOTDIR):/.test(error.message)
    if (!isAbsent || lstatSync(location, { throwIfNoEntry: false })) return undefined
    const parent = realPath(path.dirname(location))
    return parent && path.join(parent, path.basename(location))
  }
}
