/**
 * Ready replies in a file that has no name: nobody else can read or change it, and it goes with the process, however
 * that ends (docs/decisions/0102).
 */
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, rmSync, statfsSync, writevSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Bytes that are written at most, and the share of what is free on the disk. */
const mostBytes = 2 * 1024 ** 3
const share = 0.25

/** Where something lies. */
export interface Span {
  readonly at: number
  readonly length: number
}

export class Overflow {
  readonly #folder: string
  #file: number | undefined
  #end = 0
  /** Bytes that may still be written; undefined before the first. */
  #room: number | undefined

  /** @param folder in which the file is made when it is needed first */
  constructor(folder: string = tmpdir()) {
    this.#folder = folder
  }

  /** @param parts to lie one behind the other. @returns undefined where there is no room, or the disk refuses: then nothing more is written */
  write(parts: readonly Uint8Array[]): Span | undefined {
    this.#room ??= this.#begin()
    const length = parts.reduce((sum, one) => sum + one.length, 0)
    if (this.#file === undefined || length > this.#room) return undefined
    const span = { at: this.#end, length }
    try {
      if (writevSync(this.#file, parts, span.at) !== length) this.#room = 0
    } catch {
      this.#room = 0
    }
    if (this.#room === 0) return undefined
    this.#end += length
    this.#room -= length
    return span
  }

  /** @param room where it may lie. @returns undefined where it cannot be read whole */
  read(span: Span, room?: Buffer): Buffer | undefined {
    return this.#file === undefined ? undefined : readSpan(this.#file, span, room)
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  /** @returns how many bytes may be written */
  #begin(): number {
    const file = path.join(this.#folder, `wikitape-${randomUUID()}.tmp`)
    try {
      const room = roomIn(this.#folder)
      // Made anew for this process alone; it stays readable without its name.
      this.#file = openSync(file, 'wx+', 0o600)
      rmSync(file)
      return Math.min(mostBytes, room)
    } catch {
      this.close()
      return 0
    }
  }
}

/** Bytes that may be written in a folder. @throws where its disk does not tell */
export function roomIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return Math.floor(bavail * bsize * share)
}

/** @param room where it may lie if it fits, else in memory of its own. @returns undefined where it cannot be read whole */
export function readSpan(file: number, { at, length }: Span, room?: Buffer): Buffer | undefined {
  const fits = room !== undefined && length <= room.length
  const bytes = fits ? room.subarray(0, length) : Buffer.allocUnsafeSlow(length)
  try {
    return readSync(file, bytes, 0, length, at) === length ? bytes : undefined
  } catch {
    return undefined
  }
}
