/**
 * `wikitape.config.json`: what a project settles once. Flags and options come first, then the environment, then this
 * file, then what is usual.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { type Mode, modes, parseMode } from '../playback/mode.ts'
import { didYouMean } from '../text/did-you-mean.ts'
import { currentUser, type ProcessUser, realPathInside, whyUntrusted } from './file-ownership.ts'

export interface ProjectSettings {
  /** Where it was read; what it names is relative to its folder. */
  readonly file: string
  /** The wiki's api.php, for `record` and `capture`. */
  readonly apiUrl?: string
  readonly cassette?: string
  readonly contact?: string
  readonly mode?: Mode
  readonly expires?: string
  /** Kinds of drift by severity, as in drift.json. */
  readonly severity?: unknown
}

/** Settings that cannot be followed: the file, what is wrong, what was expected. */
export class SettingsError extends Error {}

export const settingsFileName = 'wikitape.config.json'

const textSettings = ['apiUrl', 'cassette', 'contact', 'mode', 'expires'] as const
const knownSettings: readonly string[] = [...textSettings, 'severity', '$schema']

/** The settings of the project that a folder lies in. @throws SettingsError */
export function readProjectSettings(
  dir: string,
  user: ProcessUser = currentUser(),
): ProjectSettings | undefined {
  const file = findSettingsFile(path.resolve(dir))
  if (file === undefined) return undefined
  const why = whyUntrusted(file, user)
  if (why !== undefined) throw new SettingsError(why)
  return decodeSettings(file, readSettingsText(file))
}

/** Nothing else than a file is read: a pipe would never end. */
function readSettingsText(file: string): string {
  if (!statSync(file).isFile())
    throw new SettingsError(
      `${file} is no file; expected one with {"cassette": "cassettes/mine"}, or none of that name`,
    )
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new SettingsError(
      `${file} cannot be read: ${error instanceof Error ? error.message : error}; expected {"cassette": "cassettes/mine"}`,
    )
  }
}

/** The nearest file between a folder and the root of its repository; without a repository that of the folder alone. */
function findSettingsFile(dir: string): string | undefined {
  const root = repositoryRootOf(dir) ?? dir
  for (let folder = dir; ; folder = path.dirname(folder)) {
    const file = path.join(folder, settingsFileName)
    if (existsSync(file)) return file
    if (folder === root) return undefined
  }
}

function repositoryRootOf(dir: string): string | undefined {
  if (existsSync(path.join(dir, '.git'))) return dir
  const parent = path.dirname(dir)
  return parent === dir ? undefined : repositoryRootOf(parent)
}

function decodeSettings(file: string, text: string): ProjectSettings {
  const members = parseMembers(file, text)
  const unknownName = [...members.keys()].find((name) => !knownSettings.includes(name))
  if (unknownName !== undefined)
    throw new SettingsError(
      `${file}: "${unknownName}" is no setting${didYouMean(unknownName, knownSettings)}; expected ${knownSettings.join(', ')}`,
    )
  for (const name of textSettings) {
    const value = members.get(name)
    if (value !== undefined && (typeof value !== 'string' || value === ''))
      throw new SettingsError(`${file}: "${name}" is not a text; expected for example ${examples[name]}`)
  }
  const [cassette, mode] = [members.get('cassette'), members.get('mode')]
  return {
    ...Object.fromEntries(members),
    ...(typeof cassette === 'string' ? { cassette: decodeCassette(file, cassette) } : {}),
    ...(typeof mode === 'string' ? { mode: decodeMode(file, mode) } : {}),
    file,
  }
}

/** What overwrites and deletes is asked for by whoever runs it. @throws SettingsError */
function decodeMode(file: string, text: string): Mode {
  const mode = parseMode(text)
  if (mode === undefined)
    throw new SettingsError(
      `${file}: the mode "${text}" is unknown${didYouMean(text, modes)}; expected one of ${modes.join(', ')}`,
    )
  if (mode === 'all' || mode === 'update')
    throw new SettingsError(
      `${file}: the mode "${mode}" overwrites recordings, so it counts only on the command line (--mode ${mode}) or in the environment (WIKITAPE_MODE=${mode}); expected another mode here`,
    )
  return mode
}

/** As somebody in the present folder would write it. @throws SettingsError */
function decodeCassette(file: string, text: string): string {
  const folder = path.dirname(file)
  if (realPathInside(folder, text) === undefined)
    throw new SettingsError(
      `${file}: the cassette "${text}" lies outside of ${folder}; expected a folder in it, e.g. "cassettes/mine"; to use that one, name it with --cassette or WIKITAPE_CASSETTE`,
    )
  return path.relative(process.cwd(), path.resolve(folder, text)) || '.'
}

const examples = {
  apiUrl: '"https://ru.wikipedia.org/w/api.php"',
  cassette: '"cassettes/mine"',
  contact: '"you@example.org"',
  mode: '"new_episodes"',
  expires: '"30d"',
} as const

function parseMembers(file: string, text: string): ReadonlyMap<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return new Map(Object.entries(parsed))
  } catch (error) {
    throw new SettingsError(
      `${file} is not JSON: ${error instanceof Error ? error.message : error}; expected {"cassette": "cassettes/mine"}`,
    )
  }
  throw new SettingsError(`${file} is not an object; expected {"cassette": "cassettes/mine"}`)
}
