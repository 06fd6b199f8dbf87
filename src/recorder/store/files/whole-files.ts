/** Whole files, through lowdb: written to a temporary name and renamed, so that a killed process leaves no half-written file. */
import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { LowSync, type SyncAdapter } from 'lowdb'
import { readOrElse, systemErrorCode } from '../../text/error-text.ts'

const fsyncAsync = promisify(fs.fsync)

/** A lowdb adapter for one whole file. The content is wrapped: lowdb treats an empty text as no data. */
const adapterFor = (
  file: string
): SyncAdapter<{ readonly content: string | Uint8Array }> => ({
  read() {
    const content = readBytes(file)
    return content ? { content } : null
  },
  write({ content }) {
    const temporaryFile = temporaryNameFor(file)
    try {
      writeCreatingFolder(temporaryFile, content)
      fs.renameSync(temporaryFile, file)
    } catch (error) {
      fs.rmSync(temporaryFile, { force: true })
      throw error
    }
  }
})

/** Random, since process ids repeat between containers that share a folder. */
const temporaryNameFor = (file: string) => `${file}.${randomUUID().slice(0, 8)}.tmp`

function writeCreatingFolder(file: string, content: string | Uint8Array) {
  ensureFolder(path.dirname(file))
  fs.writeFileSync(file, content)
}

/** One folder after the other: below `/proc`, `mkdirSync` with `recursive` never returns. */
function ensureFolder(folder: string) {
  if (fs.existsSync(folder)) return
  const parent = path.dirname(folder)
  if (parent !== folder) ensureFolder(parent)
  try {
    fs.mkdirSync(folder)
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error
  }
}

function ifPresent<T>(read: () => T) {
  try {
    return read()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error))) return undefined
    throw error
  }
}

/** The bytes of a file; undefined where there is none. */
export const readBytes = (file: string): Buffer | undefined =>
  ifPresent(() => fs.readFileSync(file))

/** Devices, pipes and sockets may have no end. @throws Error if the path leads to one; a link is followed */
export function requirePlainFile(file: string): void {
  const found = ifPresent(() => fs.statSync(file))
  if (!found || found.isFile() || found.isDirectory()) return
  throw new Error('it is a device, a pipe or a socket; expected a file')
}

/** The first bytes of a file, one character each; empty if it cannot be read. */
export const readHead = (file: string, length: number): string =>
  readOrElse('', () => {
    requirePlainFile(file)
    const handle = fs.openSync(file, 'r')
    try {
      const bytes = Buffer.alloc(length)
      return bytes.toString('latin1', 0, fs.readSync(handle, bytes, 0, length, 0))
    } finally {
      fs.closeSync(handle)
    }
  })

export const notUtf8 = 'the file is not UTF-8'

/** The text of a file; undefined if there is none. @throws Error if it is not UTF-8, or no plain file */
export function readText(file: string): string | undefined {
  requirePlainFile(file)
  const bytes = readBytes(file)
  const text = bytes?.toString()
  // Only a text with U+FFFD, which Node puts for invalid bytes, needs the check of its bytes.
  if (bytes && text?.includes('\ufffd') && !isUtf8(bytes)) throw new Error(notUtf8)
  return text
}

/** The text of a file that a user named. @throws Error if there is none, or no plain file */
export function requireText(file: string): string {
  requirePlainFile(file)
  return fs.readFileSync(file, 'utf8')
}

/** Replaces a whole file; creates its folder where needed. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  new LowSync(adapterFor(file), { content }).write()
}

/** Creates a whole file. @returns false where it exists already: of several processes that create it, one gets true */
export function writeNew(file: string, content: string | Uint8Array): boolean {
  const temporaryFile = temporaryNameFor(file)
  try {
    writeCreatingFolder(temporaryFile, content)
    try {
      fs.linkSync(temporaryFile, file)
    } catch {
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
  const handle = ifPresent(() => fs.openSync(file, 'r'))
  if (handle !== undefined) await fsyncAsync(handle).finally(() => fs.closeSync(handle))
}

/** The same in this thread. */
export function syncFile(file: string): void {
  const handle = ifPresent(() => fs.openSync(file, 'r'))
  if (handle === undefined) return
  fs.fsyncSync(handle)
  fs.closeSync(handle)
}
