/** Files through lowdb: read whole, written to a temporary name and renamed, so that a killed process leaves none torn. */

import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { LowSync, type SyncAdapter } from 'lowdb'
import { errorCode } from '../system-error-code.ts'

const syncAside = promisify(fsync)

/** What a file holds. lowdb takes an empty text for none. */
interface Held<T> {
  readonly content: T
}

/** A lowdb adapter for one whole file; null where there is none. */
class WholeFile<T extends string | Uint8Array> implements SyncAdapter<Held<T> | null> {
  readonly #file: string
  readonly #get: (file: string) => T

  constructor(file: string, get: (file: string) => T) {
    this.#file = file
    this.#get = get
  }

  read(): Held<T> | null {
    try {
      return { content: this.#get(this.#file) }
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null
      throw error
    }
  }

  write(held: Held<T> | null): void {
    if (held === null) return
    const draft = draftOf(this.#file)
    try {
      writeInFolder(draft, held.content)
      renameSync(draft, this.#file)
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
    }
  }
}

/** Process ids repeat between containers that share a folder. */
const draftOf = (file: string): string => `${file}.${randomUUID().slice(0, 8)}.tmp`

function readWhole<T extends string | Uint8Array>(file: string, get: (file: string) => T): T | undefined {
  return new WholeFile(file, get).read()?.content
}

/** Mostly the folder is there. */
function writeInFolder(file: string, content: string | Uint8Array): void {
  try {
    writeFileSync(file, content)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    makeFolder(path.dirname(file))
    writeFileSync(file, content)
  }
}

/**
 * One folder after the other: where the system denies that a parent exists which does (below `/proc`), Node's own
 * recursion tries for ever.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  const parent = path.dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

/** The bytes of a file, undefined where there is none. */
export const readBytes = (file: string): Uint8Array | undefined =>
  readWhole<Uint8Array>(file, (place) => readFileSync(place))

/** The first bytes of a file, one character each; empty where it cannot be read. */
export function readHead(file: string, length: number): string {
  try {
    const handle = openSync(file, 'r')
    try {
      const bytes = Buffer.alloc(length)
      return bytes.toString('latin1', 0, readSync(handle, bytes, 0, length, 0))
    } finally {
      closeSync(handle)
    }
  } catch {
    return ''
  }
}

/** The text of a file, undefined where there is none. @throws where it is not UTF-8: nothing in it is guessed. */
export const readText = (file: string): string | undefined => readWhole(file, textIn)

export const notUtf8 = 'the file is not UTF-8'

/** Node puts U+FFFD where the bytes are none. */
function textIn(file: string): string {
  const bytes = readFileSync(file)
  const text = bytes.toString()
  if (text.includes('\ufffd') && !isUtf8(bytes)) throw new Error(notUtf8)
  return text
}

/** Replaces a file whole, making its folder where needed. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  new LowSync(new WholeFile<string | Uint8Array>(file, readFileSync), { content }).write()
}

/**
 * Writes a file that is not there yet, whole at once.
 * @returns false where there is one: of several processes that do this, one gets true
 */
export function writeNew(file: string, content: string | Uint8Array): boolean {
  const draft = draftOf(file)
  try {
    writeInFolder(draft, content)
    try {
      linkSync(draft, file)
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false
      // Not every file system has links.
      copyFileSync(draft, file, constants.COPYFILE_EXCL)
    }
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Forces a file's content to the disk in another thread. To open and close it takes less than to have that done there. */
export async function syncFileAside(file: string): Promise<void> {
  try {
    const handle = openSync(file, 'r')
    await syncAside(handle).finally(() => closeSync(handle))
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

/** The same in this thread; one that is gone again needs none. */
export function syncFile(file: string): void {
  try {
    const handle = openSync(file, 'r')
    fsyncSync(handle)
    closeSync(handle)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
