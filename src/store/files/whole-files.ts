/** Whole files, through lowdb: written to a temporary name and renamed, so that a killed process leaves no half-written file. */
import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { LowSync, type SyncAdapter } from 'lowdb'
import { systemErrorCode } from '../system-error-code.ts'

const fsyncAsync = promisify(fs.fsync)

/** Wraps the content: lowdb treats an empty text as no data. */
type FileContent<T> = { readonly content: T }

/** A lowdb adapter for one whole file; null where there is no file. */
class WholeFileAdapter<T extends string | Uint8Array> implements SyncAdapter<FileContent<T> | null> {
  readonly #file: string
  readonly #readContent: (file: string) => T

  constructor(file: string, readContent: (file: string) => T) {
    this.#file = file
    this.#readContent = readContent
  }

  read(): FileContent<T> | null {
    try {
      return { content: this.#readContent(this.#file) }
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'ENOTDIR') return null
      throw error
    }
  }

  write(next: FileContent<T> | null): void {
    if (next === null) return
    const temporaryFile = temporaryNameFor(this.#file)
    try {
      writeCreatingFolder(temporaryFile, next.content)
      fs.renameSync(temporaryFile, this.#file)
    } catch (error) {
      fs.rmSync(temporaryFile, { force: true })
      throw error
    }
  }
}

/** Random, since process ids repeat between containers that share a folder. */
const temporaryNameFor = (file: string): string => `${file}.${randomUUID().slice(0, 8)}.tmp`

function writeCreatingFolder(file: string, content: string | Uint8Array): void {
  ensureFolder(path.dirname(file))
  fs.writeFileSync(file, content)
}

/** One folder after the other: below `/proc`, `mkdirSync` with `recursive` never returns. */
function ensureFolder(folder: string): void {
  if (fs.existsSync(folder)) return
  const parent = path.dirname(folder)
  if (parent !== folder) ensureFolder(parent)
  try {
    fs.mkdirSync(folder)
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error
  }
}

/** The bytes of a file; undefined where there is none. */
export const readBytes = (file: string): Buffer | undefined =>
  new WholeFileAdapter<Buffer>(file, (name) => fs.readFileSync(name)).read()?.content

/** The first bytes of a file, one character each; empty where it cannot be read. */
export function readHead(file: string, length: number): string {
  try {
    const handle = fs.openSync(file, 'r')
    try {
      const bytes = Buffer.alloc(length)
      return bytes.toString('latin1', 0, fs.readSync(handle, bytes, 0, length, 0))
    } finally {
      fs.closeSync(handle)
    }
  } catch {
    return ''
  }
}

/** The text of a file; undefined where there is none. @throws Error where it is not UTF-8 */
export const readText = (file: string): string | undefined =>
  new WholeFileAdapter(file, readUtf8).read()?.content

export const notUtf8 = 'the file is not UTF-8'

/** Only a text with U+FFFD, which Node puts for invalid bytes, needs the check of its bytes. */
function readUtf8(file: string): string {
  const bytes = fs.readFileSync(file)
  const text = bytes.toString()
  if (text.includes('\ufffd') && !isUtf8(bytes)) throw new Error(notUtf8)
  return text
}

/** Replaces a whole file; creates its folder where needed. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  new LowSync(new WholeFileAdapter<string | Uint8Array>(file, fs.readFileSync), { content }).write()
}

/** Creates a whole file. @returns false where it exists already: of several processes that create it, one gets true */
export function writeNew(file: string, content: string | Uint8Array): boolean {
  const temporaryFile = temporaryNameFor(file)
  try {
    writeCreatingFolder(temporaryFile, content)
    try {
      fs.linkSync(temporaryFile, file)
    } catch (error) {
      if (systemErrorCode(error) === 'EEXIST') return false
      // Some file systems have no hard links.
      fs.copyFileSync(temporaryFile, file, fs.constants.COPYFILE_EXCL)
    }
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    fs.rmSync(temporaryFile, { force: true })
  }
}

/** Forces a file's content to the disk (fsync) in another thread. A file that is gone needs none. */
export async function syncFileAsync(file: string): Promise<void> {
  const handle = openIfPresent(file)
  if (handle !== undefined) await fsyncAsync(handle).finally(() => fs.closeSync(handle))
}

/** The same in this thread. */
export function syncFile(file: string): void {
  const handle = openIfPresent(file)
  if (handle === undefined) return
  fs.fsyncSync(handle)
  fs.closeSync(handle)
}

function openIfPresent(file: string): number | undefined {
  try {
    return fs.openSync(file, 'r')
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error
    return undefined
  }
}
