/** Finds and reads the recordings of another program: one file, or all of a folder. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { faultText, type JsonFault } from '../recorder/json/json-fault.ts'
import { isInside, statOrUndefined } from '../recorder/store/files/paths-inside.ts'
import { readBytes, readHead, readText } from '../recorder/store/files/whole-files.ts'
import { errorText } from '../recorder/text/error-text.ts'
import {
  type FormatReader,
  type ImportContext,
  type ImportedEntry,
  toImportedEntry
} from './exchange/exchanges.ts'
import { formatReaders } from './formats/formats.ts'
import { parseRecording } from './syntax/parse-recording.ts'

interface Recording {
  /** True for a file of one exchange, one of many in a folder. */
  readonly isOneExchange: boolean
  readonly readings: readonly ImportedEntry[]
}

export interface RecordingFile extends Recording {
  readonly file: string
  /** The path below the given folder; empty for a given file. */
  readonly relativePath: string
}

export interface RecordingFiles {
  readonly files: readonly RecordingFile[]
  /** Files of a folder that are no recordings, or broken ones, each with where and why. */
  readonly unreadable: readonly string[]
}

/** Extensions of the formats; other files of a folder are read if they begin as a recording does. */
const extensions: ReadonlySet<string> = new Set([
  '.har',
  '.json',
  '.json5',
  '.yaml',
  '.yml'
])

/** Bytes of memory that a byte of a file takes at most: its text, its values and what is made of them. */
const heapFactor = 6
const maxMegabytes = Math.floor(getHeapStatistics().heap_size_limit / 1e6 / heapFactor)

type ImportDefaults = Pick<ImportContext, 'now' | 'base'>

/** Why there is nothing to read, or what was found. @param onFile called before a file is read */
export async function findRecordings(
  target: string,
  defaults: ImportDefaults,
  onFile: (file: string) => void
): Promise<RecordingFiles | string> {
  const files: RecordingFile[] = []
  const unreadable: string[] = []
  const paths = statOrUndefined(target)?.isDirectory() ? filesBelow(target) : ['']
  if (typeof paths === 'string') return paths
  for (const relativePath of paths) {
    const file = relativePath === '' ? target : path.join(target, relativePath)
    onFile(file)
    await setImmediate()
    const found = await readRecordingFile(file, relativePath, defaults)
    if (typeof found === 'string') unreadable.push(found)
    else files.push(found)
  }
  if (files.length > 0) return { files, unreadable }
  return (
    unreadable[0] ??
    `${target} has no ${[...extensions].join(', ')} file; expected tapes or cassettes`
  )
}

/** Every file that may be a recording, but bodies of WireMock, links not followed; or why the folder cannot be read. */
function filesBelow(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter(mayBeRecording)
      .map((file) => path.relative(folder, file))
      .filter((relativePath) => !relativePath.split(path.sep).includes('__files'))
      .sort()
  } catch (error) {
    return `cannot read ${folder}: ${errorText(error)}`
  }
}

const headLength = 2000
const recordingHead =
  /^\s*(?:---\s+)?(?:(?:version: *\d+\s+)?(?:http_)?interactions:\s|\{\s*"(?:log|version|interactions|http_interactions)"\s*:|\[\s*\{\s*"(?:scope|request)"\s*:|\{\s*meta: \{)/

const mayBeRecording = (file: string) =>
  extensions.has(path.extname(file).toLowerCase()) ||
  recordingHead.test(readHead(file, headLength))

async function readRecordingFile(
  file: string,
  relativePath: string,
  defaults: ImportDefaults
) {
  let text: string | undefined
  try {
    const megabytes = Math.round(
      (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 1e6
    )
    if (megabytes > maxMegabytes)
      return `${file} has ${megabytes} MB; with this memory up to ${maxMegabytes} MB are read: split it, or give Node more memory (NODE_OPTIONS=--max-old-space-size=${Math.ceil(megabytes * heapFactor * 1.05)})`
    text = readText(file)
  } catch (error) {
    return `cannot read ${file}: ${errorText(error)}`
  }
  if (text === undefined)
    return `file not found: ${file}; expected a recording of another program`
  const recording = await readRecording(text, {
    ...defaults,
    readBodyFile: (name) => readWiremockBody(file, name)
  })
  return recording.ok
    ? {
        file,
        relativePath,
        ...recording
      }
    : faultText(file, recording.fault)
}

export type ParsedRecording =
  | (Recording & { readonly ok: true })
  | { readonly ok: false; readonly fault: JsonFault }

/** Reads the exchanges of a text, whose format is recognised by its content. */
export async function readRecording(
  text: string,
  context: ImportContext
): Promise<ParsedRecording> {
  const unknown = (message: string): ParsedRecording => ({
    ok: false,
    fault: { line: 1, column: 1, message }
  })
  if (flowOfMitmproxy.test(text)) return unknown(howToConvertFlows)
  const parsed = parseRecording(text.replace(/^\ufeff/, ''))
  if (!parsed.ok) return parsed
  const readings: ImportedEntry[] = []
  const known: FormatReader[] = []
  // Two recorders may have written into one file: YAML takes their lists for members of one map.
  for (const format of formatReaders) {
    const read = format.read(parsed.value, context)
    if (typeof read === 'string') return unknown(read)
    if (!read) continue
    for (const raw of await Promise.all(read))
      readings.push(await toImportedEntry(raw, context))
    known.push(format)
  }
  if (known.length === 0)
    return unknown(`it is of no known format; expected one of: ${expectedFormats}`)
  const isOneExchange =
    readings.length < 2 && known.every((one) => one.hasOneExchangePerFile === true)
  return { ok: true, isOneExchange, readings }
}

/** A dictionary as tnetstrings write it: its length, then its first name with its own. */
const flowOfMitmproxy = /^\d{2,9}:\d{1,3}:[a-z_]+;/
const howToConvertFlows =
  "it is a flow file of mitmproxy; make a HAR file of it: 'mitmdump -nr FILE --set hardump=session.har'"

const expectedFormats = formatReaders.map((format) => format.expected).join(', ')

/** WireMock keeps bodies in `__files`, beside its `mappings`, which may have folders in it. */
function readWiremockBody(file: string, name: string) {
  const own = path.dirname(path.resolve(file))
  const [, root = own] = /^(.*)[\\/]mappings(?:[\\/]|$)/.exec(own) ?? []
  const below = path.join('__files', name)
  const folder = [own, root].find((one) => existsSync(path.join(one, below)))
  if (folder === undefined || !isInside(path.join(folder, '__files'), name))
    return undefined
  return isInside(folder, below) ? readBytes(path.join(folder, below)) : undefined
}
