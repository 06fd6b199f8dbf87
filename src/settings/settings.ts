/**
 * `wikitape.config.json`: what a project settles once. Flags and options come first, then the environment, then this
 * file, then what is usual.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { didYouMean } from '../words/nearest.ts'

export interface Settings {
  /** Where it was read; what it names is relative to its folder. */
  readonly file: string
  /** The wiki's api.php, for `record` and `capture`. */
  readonly apiUrl?: string
  readonly cassette?: string
  readonly contact?: string
  readonly mode?: string
  readonly expires?: string
  /** Kinds of drift by severity, as in drift.json. */
  readonly severity?: unknown
}

/** Settings that cannot be followed: the file, what is wrong, what was expected. */
export class SettingsError extends Error {}

export const settingsName = 'wikitape.config.json'

const texts = ['apiUrl', 'cassette', 'contact', 'mode', 'expires'] as const
const known: readonly string[] = [...texts, 'severity', '$schema']

/** The settings of the project that a folder lies in: of that folder, or of the nearest one above. @throws SettingsError */
export function readSettings(dir: string): Settings | undefined {
  const file = nearestFile(path.resolve(dir))
  return file === undefined ? undefined : decode(file, textIn(file))
}

/** Nothing else than a file is read: a pipe would never end. */
function textIn(file: string): string {
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

/** Not beyond the project: what lies above its repository is another's. */
function nearestFile(dir: string): string | undefined {
  const file = path.join(dir, settingsName)
  if (existsSync(file)) return file
  const above = path.dirname(dir)
  return above === dir || existsSync(path.join(dir, '.git')) ? undefined : nearestFile(above)
}

function decode(file: string, text: string): Settings {
  const members = membersOf(file, text)
  const stranger = [...members.keys()].find((name) => !known.includes(name))
  if (stranger !== undefined)
    throw new SettingsError(
      `${file}: "${stranger}" is no setting${didYouMean(stranger, known)}; expected ${known.join(', ')}`,
    )
  for (const name of texts) {
    const value = members.get(name)
    if (value !== undefined && (typeof value !== 'string' || value === ''))
      throw new SettingsError(`${file}: "${name}" is not a text; expected for example ${examples[name]}`)
  }
  const cassette = members.get('cassette')
  const here = typeof cassette === 'string' ? { cassette: fromHere(file, cassette) } : {}
  return { ...Object.fromEntries(members), ...here, file }
}

const examples = {
  apiUrl: '"https://ru.wikipedia.org/w/api.php"',
  cassette: '"cassettes/mine"',
  contact: '"you@example.org"',
  mode: '"new_episodes"',
  expires: '"30d"',
} as const

/** As somebody in the present folder would write it. */
const fromHere = (file: string, folder: string): string =>
  path.isAbsolute(folder)
    ? folder
    : path.relative(process.cwd(), path.resolve(path.dirname(file), folder)) || '.'

function membersOf(file: string, text: string): ReadonlyMap<string, unknown> {
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
