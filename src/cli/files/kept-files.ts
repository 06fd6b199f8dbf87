/** The files that an import reads: one, or those of a folder. */
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { readText } from '../../store/files.ts'
import type { KeptReading } from '../../upstream/kept/exchange.ts'
import { readKept } from '../../upstream/kept/read.ts'
import { UsageError } from '../verb.ts'

export interface KeptFiles {
  readonly readings: readonly KeptReading[]
  /** Files of a folder that hold no exchanges, each with where and why. */
  readonly unreadable: readonly string[]
}

/** Endings of the formats; other files of a folder are none of ours. */
const endings: ReadonlySet<string> = new Set(['.har', '.json', '.json5', '.yaml', '.yml'])

/** Exchanges of a folder are in the order in which they were made. @throws UsageError */
export async function readKeptFiles(place: string, now: number): Promise<KeptFiles> {
  if (!isFolder(place)) {
    const readings = await readingsIn(place, now)
    if (typeof readings === 'string') throw new UsageError(readings)
    return { readings, unreadable: [] }
  }
  const files = filesBelow(place)
  const all: KeptReading[] = []
  const unreadable: string[] = []
  for (const file of files) {
    const readings = await readingsIn(file, now)
    if (typeof readings === 'string') unreadable.push(readings)
    else all.push(...readings)
  }
  if (all.length === 0)
    throw new UsageError(
      unreadable[0] ?? `${place} holds no ${[...endings].join(', ')} file; expected tapes or cassettes in it`,
    )
  return { readings: all.sort((a, b) => momentOf(a) - momentOf(b)), unreadable }
}

/** False where it cannot be told; reading it then says why. */
function isFolder(place: string): boolean {
  try {
    return statSync(place).isDirectory()
  } catch {
    return false
  }
}

const momentOf = (one: KeptReading): number => (one.kind === 'exchange' ? one.exchange.moment : 0)

/** Every file with one of the endings, links not followed. @throws UsageError */
function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && endings.has(path.extname(entry.name).toLowerCase()))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort()
  } catch (error) {
    throw new UsageError(`cannot read ${folder}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** What a file holds, or where and why it cannot be read. */
async function readingsIn(file: string, now: number): Promise<readonly KeptReading[] | string> {
  const text = textIn(file)
  if (typeof text !== 'object') return text
  const kept = await readKept(text.text, now)
  if (kept.ok) return kept.readings
  const { line, column, message } = kept.fault
  return `${file}:${line}:${column}: ${message}`
}

function textIn(file: string): { readonly text: string } | string {
  try {
    const text = readText(file)
    return text === undefined ? `there is no file ${file}; expected a recording of another program` : { text }
  } catch (error) {
    return `cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`
  }
}
