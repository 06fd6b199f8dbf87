/** Files with what another program kept of a wiki, and which of them make one recording together. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { orUsage, UsageError } from '../cli/args/command.ts'
import { isInside } from '../store/files/paths-inside.ts'
import { readBytes, readHead, readText } from '../store/files/whole-files.ts'
import { errorText } from '../text/error-text.ts'
import type { KeptContext, KeptReading } from './exchange/imported-exchange.ts'
import { readKept } from './read-recording.ts'

/** A file, and what it holds. */
export interface KeptFile {
  readonly file: string
  /** The path below the folder that was named; empty for a file that was named itself. */
  readonly below: string
  /** True for one exchange of many that lie apart. */
  readonly scattered: boolean
  readonly readings: readonly KeptReading[]
  /** Where and why the rest could not be read. */
  readonly fault?: string | undefined
}

export interface KeptFiles {
  readonly files: readonly KeptFile[]
  /** Files of a folder that hold no exchanges, each with where and why. */
  readonly unreadable: readonly string[]
}

/** Endings of the formats; other files of a folder are ours where they begin as a recording does. */
const endings: ReadonlySet<string> = new Set(['.har', '.json', '.json5', '.yaml', '.yml'])

type Told = Pick<KeptContext, 'now' | 'base'>

/** @param onFile called before a file is read @throws UsageError where nothing can be read */
export async function findKept(
  place: string,
  told: Told,
  onFile: (file: string) => void,
): Promise<KeptFiles> {
  if (!isFolder(place)) {
    onFile(place)
    await setImmediate()
    const found = await readFile(place, '', told)
    if (typeof found === 'string') throw new UsageError(found)
    return { files: [found], unreadable: [] }
  }
  const files: KeptFile[] = []
  const unreadable: string[] = []
  for (const below of filesBelow(place)) {
    onFile(path.join(place, below))
    await setImmediate()
    const found = await readFile(path.join(place, below), below, told)
    if (typeof found === 'string') unreadable.push(found)
    else files.push(found)
  }
  if (files.length === 0)
    throw new UsageError(
      unreadable[0] ?? `${place} holds no ${[...endings].join(', ')} file; expected tapes or cassettes in it`,
    )
  return { files, unreadable }
}

/** False where it cannot be told; reading it then says why. */
function isFolder(place: string): boolean {
  try {
    return statSync(place).isDirectory()
  } catch {
    return false
  }
}

/** Every file with one of the endings, links not followed; bodies of WireMock are none. @throws UsageError */
function filesBelow(folder: string): readonly string[] {
  return orUsage(`cannot read ${folder}`, () => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && mayHold(path.join(entry.parentPath, entry.name)))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((below) => !below.split(path.sep).includes('__files'))
    .sort()
}

/** Characters within which a recording says what it is. */
const headLength = 2000
const head =
  /^\s*(?:---\s+)?(?:(?:version: *\d+\s+)?(?:http_)?interactions:\s|\{\s*"(?:log|version|interactions|http_interactions)"\s*:|\[\s*\{\s*"(?:scope|request)"\s*:|\{\s*meta: \{)/

function mayHold(file: string): boolean {
  return endings.has(path.extname(file).toLowerCase()) || head.test(readHead(file, headLength))
}

/** What a file holds, or where and why it cannot be read. */
async function readFile(file: string, below: string, told: Told): Promise<KeptFile | string> {
  const text = textIn(file)
  if (typeof text !== 'object') return text
  const kept = await readKept(text.text, { ...told, beside: (name) => besideOf(file, name) })
  if (!kept.ok) return tell(file, kept.fault)
  const { scattered, readings, fault } = kept
  return { file, below, scattered, readings, fault: fault && tell(file, fault) }
}

const tell = (
  file: string,
  { line, column, message }: { line: number; column: number; message: string },
): string => `${file}:${line}:${column}: ${message}`

/** WireMock keeps bodies in `__files`, beside its `mappings`, which may have folders in it. */
function besideOf(file: string, name: string): Uint8Array | undefined {
  const folder = foldersAbove(path.resolve(file)).find((one) => existsSync(path.join(one, '__files', name)))
  if (folder === undefined || !isInside(path.join(folder, '__files'), name)) return undefined
  return isInside(folder, path.join('__files', name))
    ? readBytes(path.join(folder, '__files', name))
    : undefined
}

/** Innermost first, up to the one that holds `mappings`. */
function foldersAbove(file: string): readonly string[] {
  const folder = path.dirname(file)
  const [, root = folder] = /^(.*)[\\/]mappings(?:[\\/]|$)/.exec(folder) ?? []
  const above = [folder]
  for (let at = folder; at !== root && at !== path.dirname(at); at = path.dirname(at))
    above.push(path.dirname(at))
  return above
}

function textIn(file: string): { readonly text: string } | string {
  try {
    const text = readText(file)
    return text === undefined ? `there is no file ${file}; expected a recording of another program` : { text }
  } catch (error) {
    return `cannot read ${file}: ${errorText(error)}`
  }
}
