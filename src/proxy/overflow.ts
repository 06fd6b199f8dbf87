/**
 * Bodies of ready replies that memory has no room for, in a file that has no name: nobody else can read or change it,
 * and it goes with the process, however that ends (docs/decisions/0097).
 */
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Bytes that are written at most, and the share of what is free on the disk. */
const mostBytes = 2 * 1024 ** 3
const share = 0.25

/** Where a body lies. */
export interface Place {
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

  /** Undefined where there is no room, or the disk refuses: then nothing more is written. */
  write(body: Uint8Array): Place | undefined {
    this.#room ??= this.#begin()
    if (this.#file === undefined || body.length > this.#room) return undefined
    const place = { at: this.#end, length: body.length }
    try {
      if (writeSync(this.#file, body, 0, body.length, place.at) !== body.length) this.#room = 0
    } catch {
      this.#room = 0
    }
    if (this.#room === 0) return undefined
    this.#end += body.length
    this.#room -= body.length
    return place
  }

  /** Undefined where it cannot be read whole. */
  read({ at, length }: Place): Buffer | undefined {
    if (this.#file === undefined) return undefined
    const body = Buffer.allocUnsafeSlow(length)
    try {
      return readSync(this.#file, body, 0, length, at) === length ? body : undefined
    } catch {
      return undefined
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  /** @returns how many bytes may be written */
  #begin(): number {
    const file = path.join(this.#folder, `wikitape-${randomUUID()}.tmp`)
    try {
      const { bavail, bsize } = statfsSync(this.#folder)
      // Made anew for this process alone; it stays readable without its name.
      this.#file = openSync(file, 'wx+', 0o600)
      rmSync(file)
      return Math.min(mostBytes, Math.floor(bavail * bsize * share))
    } catch {
      this.close()
      return 0
    }
  }
}
