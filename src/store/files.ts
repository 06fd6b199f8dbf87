/** Files through lowdb: read whole, written to a temporary name and renamed, so that a killed process leaves none torn. */

import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { LowSync, type SyncAdapter } from 'lowdb'
import { errorCode } from './error-code.ts'

/** What a file holds; null where there is no file, as lowdb has it. */
type Content = string | Uint8Array | null

/** A lowdb adapter for one whole file. */
class WholeFile implements SyncAdapter<Content> {
  readonly #file: string
  readonly #get: (file: string) => string | Uint8Array

  constructor(file: string, get: (file: string) => string | Uint8Array = readFileSync) {
    this.#file = file
    this.#get = get
  }

  read(): Content {
    try {
      return this.#get(this.#file)
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null
      throw error
    }
  }

  write(content: Content): void {
    if (content === null) return
    // Process ids repeat between containers that share a folder.
    const draft = `${this.#file}.${randomUUID().slice(0, 8)}.tmp`
    try {
      writeInFolder(draft, content)
      renameSync(draft, this.#file)
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
    }
  }
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
export function readBytes(file: string): Uint8Array | undefined {
  const low = new LowSync<Content>(new WholeFile(file), null)
  low.read()
  return typeof low.data === 'string' ? Buffer.from(low.data) : (low.data ?? undefined)
}

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
export function readText(file: string): string | undefined {
  const low = new LowSync<Content>(new WholeFile(file, textIn), null)
  low.read()
  // lowdb takes an empty text for none.
  if (low.data === null) return existsSync(file) ? '' : undefined
  return low.data.toString()
}

export const notUtf8 = 'the file is not UTF-8'

/** Read as text at once, which is twice as quick as bytes first; Node puts U+FFFD where the bytes are none. */
function textIn(file: string): string {
  const text = readFileSync(file, 'utf8')
  if (text.includes('\ufffd') && !isUtf8(readFileSync(file))) throw new Error(notUtf8)
  return text
}

/** Replaces a file whole, making its folder where needed. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  // lowdb takes an empty text for nothing to write.
  new LowSync<Content>(new WholeFile(file), Buffer.from(content)).write()
}

/** The same in another thread. */
export async function syncFileAside(file: string): Promise<void> {
  try {
    const handle = await open(file, 'r')
    await handle.sync().finally(() => handle.close())
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

/** Forces a file's content to the disk; one that is gone again needs none. */
export function syncFile(file: string): void {
  try {
    const handle = openSync(file, 'r')
    fsyncSync(handle)
    closeSync(handle)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
