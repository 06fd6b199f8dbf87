/** Files with what another program kept of a wiki, and which of them make one recording together. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { orUsageError, UsageError } from '../cli/args/command.ts'
import { isInside } from '../store/files/paths-inside.ts'
import { readBytes, readHead, readText } from '../store/files/whole-files.ts'
import { errorText } from '../text/error-text.ts'
import type { ImportContext, ImportedEntry } from './exchange/imported-exchange.ts'
import { readRecording } from './read-recording.ts'

/** A file, and what it holds. */
export interface RecordingFile {
  readonly file: string
  /** The path below the folder that was named; empty for a file that was named itself. */
  readonly relativePath: string
  /** True for one exchange of many that lie apart. */
  readonly isOneExchange: boolean
  readonly readings: readonly ImportedEntry[]
  /** Where and why the rest could not be read. */
  readonly fault?: string | undefined
}

export interface RecordingFiles {
  readonly files: readonly RecordingFile[]
  /** Files of a folder that hold no exchanges, each with where and why. */
  readonly unreadable: readonly string[]
}

/** Endings of the formats; other files of a folder are ours where they begin as a recording does. */
const extensions: ReadonlySet<string> = new Set(['.har', '.json', '.json5', '.yaml', '.yml'])

type ImportDefaults = Pick<ImportContext, 'now' | 'base'>

/** @param onFile called before a file is read @throws UsageError where nothing can be read */
export async function findRecordings(
  target: string,
  defaults: ImportDefaults,
  onFile: (file: string) => void,
): Promise<RecordingFiles> {
  if (!isFolder(target)) {
    onFile(target)
    await setImmediate()
    const found = await readRecordingFile(target, '', defaults)
    if (typeof found === 'string') throw new UsageError(found)
    return { files: [found], unreadable: [] }
  }
  const files: RecordingFile[] = []
  const unreadable: string[] = []
  for (const relativePath of filesBelow(target)) {
    onFile(path.join(target, relativePath))
    await setImmediate()
    const found = await readRecordingFile(path.join(target, relativePath), relativePath, defaults)
    if (typeof found === 'string') unreadable.push(found)
    else files.push(found)
  }
  if (files.length === 0)
    throw new UsageError(
      unreadable[0] ??
        `${target} holds no ${[...extensions].join(', ')} file; expected tapes or cassettes in it`,
    )
  return { files, unreadable }
}

/** False where it cannot be told; reading it then says why. */
function isFolder(target: string): boolean {
  try {
    return statSync(target).isDirectory()
  } catch {
    return false
  }
}

/** Every file with one of the endings, links not followed; bodies of WireMock are none. @throws UsageError */
function filesBelow(folder: string): readonly string[] {
  return orUsageError(`cannot read ${folder}`, () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }),
  )
    .filter((entry) => entry.isFile() && mayBeRecording(path.join(entry.parentPath, entry.name)))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((relativePath) => !relativePath.split(path.sep).includes('__files'))
    .sort()
}

/** Characters within which a recording says what it is. */
const headLength = 2000
const recordingHead =
  /^\s*(?:---\s+)?(?:(?:version: *\d+\s+)?(?:http_)?interactions:\s|\{\s*"(?:log|version|interactions|http_interactions)"\s*:|\[\s*\{\s*"(?:scope|request)"\s*:|\{\s*meta: \{)/

function mayBeRecording(file: string): boolean {
  return extensions.has(path.extname(file).toLowerCase()) || recordingHead.test(readHead(file, headLength))
}

/** What a file holds, or where and why it cannot be read. */
async function readRecordingFile(
  file: string,
  relativePath: string,
  defaults: ImportDefaults,
): Promise<RecordingFile | string> {
  const text = readRecordingText(file)
  if (typeof text !== 'object') return text
  const recording = await readRecording(text.text, {
    ...defaults,
    readBodyFile: (name) => readWiremockBody(file, name),
  })
  if (!recording.ok) return faultText(file, recording.fault)
  const { isOneExchange: scattered, readings, fault } = recording
  return { file, relativePath, isOneExchange: scattered, readings, fault: fault && faultText(file, fault) }
}

const faultText = (
  file: string,
  { line, column, message }: { line: number; column: number; message: string },
): string => `${file}:${line}:${column}: ${message}`

/** WireMock keeps bodies in `__files`, beside its `mappings`, which may have folders in it. */
function readWiremockBody(file: string, name: string): Uint8Array | undefined {
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
  const folders = [folder]
  for (let at = folder; at !== root && at !== path.dirname(at); at = path.dirname(at))
    folders.push(path.dirname(at))
  return folders
}

function readRecordingText(file: string): { readonly text: string } | string {
  try {
    const text = readText(file)
    return text === undefined ? `there is no file ${file}; expected a recording of another program` : { text }
  } catch (error) {
    return `cannot read ${file}: ${errorText(error)}`
  }
}
