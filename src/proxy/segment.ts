/**
 * Ready replies of one run as a file: the replies, the table that finds them, what they rest on, and a foot that tells
 * where these lie. It is written under another name and renamed, and believed only where every checksum is right.
 */
import { closeSync, constants, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import type { Footing } from '../store/footing.ts'
import { type Digest, DigestTable, type FoundPlace, type Place } from './digest-table.ts'
import { readSpan, roomIn, type Span } from './overflow.ts'

const magic = 'wikitape ready 2'
const footBytes = 48

/** One of an earlier run, open. */
export class Segment {
  readonly name: string
  readonly footing: Footing
  /** Of the whole file. */
  readonly bytes: number
  readonly #file: number
  readonly #table: DigestTable

  private constructor(name: string, file: number, { table, footing, bytes }: Foot) {
    this.name = name
    this.#file = file
    this.#table = table
    this.footing = footing
    this.bytes = bytes
  }

  /** Undefined where it is not whole, or not this user's own. */
  static open(name: string): Segment | undefined {
    let file: number | undefined
    try {
      file = openSync(name, constants.O_RDONLY | constants.O_NOFOLLOW)
      const read = readFoot(file)
      if (read !== undefined) return new Segment(name, file, read)
    } catch {
      // Gone, or no file: then nothing is ready.
    }
    if (file !== undefined) closeSync(file)
    return undefined
  }

  find(digest: Digest): FoundPlace | undefined {
    return this.#table.find(digest)
  }

  has(digest: Digest): boolean {
    return this.#table.has(digest)
  }

  places(): Source['places'] {
    return this.#table.entries()
  }

  /** What was written there. @param room where it may lie. @returns undefined where it is another */
  read(place: Place, room?: Buffer): Buffer | undefined {
    return readSummed(this.#file, place, room)
  }

  close(): void {
    closeSync(this.#file)
  }
}

function readSummed(file: number, place: Place, room: Buffer | undefined): Buffer | undefined {
  const bytes = readSpan(file, place, room)
  return bytes !== undefined && crc32(bytes) === place.sum ? bytes : undefined
}

interface Foot extends Pick<Segment, 'footing' | 'bytes'> {
  readonly table: DigestTable
}

function readFoot(file: number): Foot | undefined {
  const stat = fstatSync(file)
  if (!stat.isFile() || stat.uid !== process.getuid?.() || (stat.mode & 0o077) !== 0) return undefined
  const foot =
    stat.size < footBytes ? undefined : readSpan(file, { at: stat.size - footBytes, length: footBytes })
  if (foot?.toString('latin1', 0, 16) !== magic || crc32(foot.subarray(0, 44)) !== foot.readUInt32LE(44))
    return undefined
  const [tableLength, tableSum, rows, restLength, restSum] = [16, 20, 24, 28, 32].map((at) =>
    foot.readUInt32LE(at),
  )
  const restAt = stat.size - footBytes - (restLength ?? 0)
  const table = checked(file, { at: restAt - (tableLength ?? 0), length: tableLength ?? 0 }, tableSum)
  const rest = checked(file, { at: restAt, length: restLength ?? 0 }, restSum)
  if (table === undefined || rest === undefined) return undefined
  const footing = JSON.parse(rest.toString()) as Footing
  return { table: new DigestTable(table, rows), footing, bytes: stat.size }
}

function checked(file: number, span: Span, sum: number | undefined): Buffer | undefined {
  const bytes = span.at < 0 ? undefined : readSpan(file, span)
  return bytes !== undefined && crc32(bytes) === sum ? bytes : undefined
}

/** Replies, each under one digest or more. */
export interface Source {
  readonly places: Iterable<readonly [digest: Digest, place: Place]>
  readonly read: (place: Place) => Buffer | undefined
}

/**
 * A segment that is being written, under another name until it is whole; what it holds already can be read.
 * Of two replies under one digest the first stays.
 */
export class Draft {
  readonly #name: string
  readonly #file: number
  readonly #most: number
  readonly #table = new DigestTable()
  #end = 0

  private constructor(name: string, file: number, most: number) {
    this.#name = name
    this.#file = file
    this.#most = most
  }

  /** @param most bytes of replies. @returns undefined where the disk refuses */
  static begin(name: string, most: number): Draft | undefined {
    try {
      const room = Math.min(most, roomIn(path.dirname(name)))
      return new Draft(name, openSync(draftOf(name), 'wx+', 0o600), room)
    } catch {
      return undefined
    }
  }

  get size(): number {
    return this.#table.size
  }

  find(digest: Digest): FoundPlace | undefined {
    return this.#table.find(digest)
  }

  has(digest: Digest): boolean {
    return this.#table.has(digest)
  }

  /** The same as of a segment. */
  read(place: Place, room?: Buffer): Buffer | undefined {
    return readSummed(this.#file, place, room)
  }

  /** @param parts of one reply. @returns false where there is no more room. @throws where the disk refuses */
  add(digests: readonly Digest[], parts: readonly Buffer[]): boolean {
    const place = this.#write(parts)
    if (place === undefined) return false
    for (const digest of digests) if (!this.#table.has(digest)) this.#table.set(digest, place)
    return true
  }

  /** As much of another's as there is room for. @throws where the disk refuses */
  addAll({ places, read }: Source): void {
    /** By where it lay. */
    const written = new Map<number, Place>()
    for (const [digest, old] of places) {
      if (this.#table.has(digest)) continue
      const bytes = written.has(old.at) ? undefined : read(old)
      const place = bytes === undefined ? written.get(old.at) : this.#write([bytes])
      if (place === undefined) continue
      written.set(old.at, place)
      this.#table.set(digest, place)
    }
  }

  /** Makes a segment of it; then there is no draft any more. @returns false where the disk refuses */
  finish(footing: Footing): boolean {
    try {
      this.#writeFoot(footing)
      renameSync(draftOf(this.#name), this.#name)
    } catch {
      return false
    }
    closeSync(this.#file)
    return true
  }

  discard(): void {
    closeSync(this.#file)
    rmSync(draftOf(this.#name), { force: true })
  }

  #write(parts: readonly Buffer[]): Place | undefined {
    const length = parts.reduce((bytes, one) => bytes + one.length, 0)
    if (this.#end + length > this.#most) return undefined
    const place = { at: this.#end, length, sum: parts.reduce((sum, one) => crc32(one, sum), 0) }
    this.#append(parts)
    return place
  }

  #writeFoot(footing: Footing): void {
    const [rows, rest] = [Buffer.from(this.#table.bytes), Buffer.from(JSON.stringify(footing))]
    const foot = Buffer.alloc(footBytes)
    foot.write(magic, 'latin1')
    for (const [at, value] of [
      rows.length,
      crc32(rows),
      this.#table.size,
      rest.length,
      crc32(rest),
    ].entries())
      foot.writeUInt32LE(value, 16 + 4 * at)
    foot.writeUInt32LE(crc32(foot.subarray(0, 44)), 44)
    this.#append([rows, rest, foot])
  }

  /** @throws where the disk takes less */
  #append(parts: readonly Buffer[]): void {
    for (const part of parts) {
      for (let done = 0; done < part.length; )
        done += writeSync(this.#file, part, done, part.length - done, this.#end + done)
      this.#end += part.length
    }
  }
}

const draftOf = (name: string): string => `${name}.tmp`
