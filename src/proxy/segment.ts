/**
 * Ready replies of one run as a file: the replies, the table that finds them, what they rest on, and a foot that tells
 * where these lie. It is written under another name and renamed, and believed only where every checksum is right.
 */
import { closeSync, constants, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Footing } from '../store/footing.ts'
import { DigestTable, type FoundPlace, type Place } from './digest-table.ts'
import { readSpan, type Span } from './overflow.ts'

const magic = 'wikitape ready 1'
const footBytes = 48

/** One of an earlier run, open. */
export class Segment {
  readonly name: string
  readonly footing: Footing
  readonly #file: number
  readonly #table: DigestTable

  private constructor(name: string, file: number, table: DigestTable, footing: Footing) {
    this.name = name
    this.#file = file
    this.#table = table
    this.footing = footing
  }

  /** Undefined where it is not whole, or not this user's own. */
  static open(name: string): Segment | undefined {
    let file: number | undefined
    try {
      file = openSync(name, constants.O_RDONLY | constants.O_NOFOLLOW)
      const read = readFoot(file)
      if (read !== undefined) return new Segment(name, file, read.table, read.footing)
    } catch {
      // Gone, or no file: then nothing is ready.
    }
    if (file !== undefined) closeSync(file)
    return undefined
  }

  find(digest: Buffer): FoundPlace | undefined {
    return this.#table.find(digest)
  }

  places(): Source['places'] {
    return this.#table.entries()
  }

  /** What was written there. @param room where it may lie. @returns undefined where it is another */
  read(place: Place, room?: Buffer): Buffer | undefined {
    const bytes = readSpan(this.#file, place, room)
    return bytes !== undefined && crc32(bytes) === place.sum ? bytes : undefined
  }

  close(): void {
    closeSync(this.#file)
  }
}

function readFoot(file: number): (Pick<Segment, 'footing'> & { readonly table: DigestTable }) | undefined {
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
  return { table: new DigestTable(table, rows), footing: JSON.parse(rest.toString()) as Footing }
}

function checked(file: number, span: Span, sum: number | undefined): Buffer | undefined {
  const bytes = span.at < 0 ? undefined : readSpan(file, span)
  return bytes !== undefined && crc32(bytes) === sum ? bytes : undefined
}

/** Replies, each under one digest or more. */
export interface Source {
  readonly places: Iterable<readonly [digest: Buffer, place: Place]>
  readonly read: (place: Place) => Buffer | undefined
}

/** What goes into a segment: of two replies under one digest that of the earlier source. */
export interface Content {
  readonly sources: readonly Source[]
  readonly footing: Footing
}

/** Writes one whole, or none. @param most bytes of replies. @returns false where the disk refuses */
export function writeSegment(name: string, { sources, footing }: Content, most: number): boolean {
  const draft = `${name}.tmp`
  try {
    const file = openSync(draft, 'wx', 0o600)
    try {
      writeAll(file, sources, footing, most)
    } finally {
      closeSync(file)
    }
    renameSync(draft, name)
    return true
  } catch {
    rmSync(draft, { force: true })
    return false
  }
}

function writeAll(file: number, sources: Content['sources'], footing: Footing, most: number): void {
  const table = new DigestTable()
  let end = 0
  for (const { places, read } of sources) {
    /** By where it lay. */
    const written = new Map<number, Place>()
    for (const [digest, old] of places) {
      if (table.has(digest)) continue
      const known = written.get(old.at)
      const bytes = known === undefined && end + old.length <= most ? read(old) : undefined
      if (bytes !== undefined) {
        write(file, bytes)
        written.set(old.at, { at: end, length: bytes.length, sum: crc32(bytes) })
        end += bytes.length
      }
      const place = written.get(old.at)
      if (place !== undefined) table.set(digest, place)
    }
  }
  const [rows, rest, foot] = [
    Buffer.from(table.bytes),
    Buffer.from(JSON.stringify(footing)),
    Buffer.alloc(footBytes),
  ]
  foot.write(magic, 'latin1')
  for (const [at, value] of [rows.length, crc32(rows), table.size, rest.length, crc32(rest)].entries())
    foot.writeUInt32LE(value, 16 + 4 * at)
  foot.writeUInt32LE(crc32(foot.subarray(0, 44)), 44)
  for (const part of [rows, rest, foot]) write(file, part)
}

/** @throws where the disk takes less */
function write(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
}
