/**
 * Ready replies of earlier runs: a process that starts again reads the answer to a request that was asked before, and
 * looks whether its recording is the file that it was (docs/decisions/0102). What is in doubt is answered the ordinary way.
 */
import { hash, randomUUID } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { endianness } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Footing,
  footingOf,
  type Marks,
  marksCount,
  marksOf,
  sameMarks,
  stands,
  wasLeftAlone,
} from '../store/footing.ts'
import { settling } from '../store/lookout.ts'
import type { FoundPlace, Place } from './digest-table.ts'
import { decodeReady, type ReadyEntry } from './ready-entry.ts'
import { Segment, type Source, writeSegment } from './segment.ts'

export interface PackOptions {
  /** Where those of all cassettes lie. */
  readonly folder: string
  /** What answers depend on beside the cassette, in any words. */
  readonly settings: string
  /** Milliseconds that a file must have been left alone to count as unchanged; 2000 unless given. */
  readonly settling?: number | undefined
}

/** Runs of a cassette that lie in files of their own; then they become one. */
const mostRuns = 8
/** Bytes of all cassettes together. */
const mostBytes = 2 * 1024 ** 3
/** Bytes of replies in one file. */
const mostOfRun = 1024 ** 3
/** Milliseconds after which what a process left half written is cleared away. */
const abandoned = 600_000

export class Pack {
  /** The cassette's folder, links followed. */
  readonly #dir: string
  /** Where its segments lie. */
  readonly #place: string
  readonly #options: PackOptions
  /** Before anything of the cassette was read. */
  readonly #began = Date.now()
  #segments: readonly Segment[]
  #folders: () => readonly string[] | undefined = () => undefined

  private constructor(dir: string, place: string, options: PackOptions) {
    this.#dir = dir
    this.#place = place
    this.#options = options
    this.#segments = openAll(place, dir)
  }

  /** To be opened before the cassette is. @returns undefined where nothing can be believed, or kept */
  static open(cassette: string, options: PackOptions): Pack | undefined {
    try {
      const dir = realpathSync.native(cassette)
      if (!marksCount(dir)) return undefined
      return new Pack(dir, path.join(options.folder, nameOf(dir, options.settings)), options)
    } catch {
      return undefined
    }
  }

  /** True where not a name of the cassette has changed since an earlier run read them. */
  get isProven(): boolean {
    return this.#segments.length > 0
  }

  /** What all its replies rest on; undefined where there are none. */
  get footing(): Footing | undefined {
    return this.#segments[0]?.footing
  }

  /**
   * What an earlier run answered, where all that it rests on is as it was.
   * @param roomFor where it may lie; in memory of its own unless given
   */
  find(digest: Buffer, roomFor: (place: FoundPlace) => Buffer | undefined): ReadyEntry | undefined {
    for (const segment of this.#segments) {
      const place = segment.find(digest)
      const bytes = place && segment.read(place, roomFor(place))
      const entry = bytes && decodeReady(bytes)
      if (entry?.origin === undefined) continue
      const marks = marksOf(path.join(this.#dir, entry.origin.file))
      if (marks !== undefined && sameMarks(marks, entry.origin.marks)) return entry
    }
    return undefined
  }

  /** What marks a recording that is just being read; undefined where it is too young to be told from what it may become. */
  marks(file: string, began: number): Marks | undefined {
    const marks = marksOf(path.join(this.#dir, file))
    return marks !== undefined && wasLeftAlone(marks, began, this.#settling) ? marks : undefined
  }

  /** @param folders of the cassette as this run has read them; undefined where it has not */
  rests(folders: () => readonly string[] | undefined): void {
    this.#folders = folders
  }

  /** Keeps what this run has answered, where it is known what that rests on. */
  save(source: Source): void {
    const folders = this.#folders()
    const footing = folders && footingOf(this.#dir, folders)
    if (footing?.every(([, marks]) => wasLeftAlone(marks, this.#began, this.#settling)) !== true) return
    if (!makeOwn(this.#options.folder, toWrite) || !makeOwn(this.#place, toReadOrWrite)) return
    const name = path.join(this.#place, `${Date.now()}-${randomUUID().slice(0, 8)}.ready`)
    const joined = this.#segments.length >= mostRuns ? this.#segments : []
    const older = joined.map((one) => ({ places: one.places(), read: (place: Place) => one.read(place) }))
    if (!writeSegment(name, { sources: [source, ...older], footing }, mostOfRun)) return
    for (const segment of joined) rmSync(segment.name, { force: true })
    clearAway(this.#options.folder)
  }

  /** Nothing of it is believed any more. */
  close(): void {
    for (const segment of this.#segments) segment.close()
    this.#segments = []
  }

  get #settling(): number {
    return this.#options.settling ?? settling
  }
}

/** The newest first. What rests on another state of the cassette is of no more use. */
function openAll(place: string, dir: string): readonly Segment[] {
  const opened: Segment[] = []
  if (!isOwn(path.dirname(place), toWrite) || !isOwn(place, toReadOrWrite)) return opened
  for (const name of readyFiles(place)) {
    const segment = Segment.open(name)
    if (segment !== undefined && stands(dir, segment.footing)) opened.push(segment)
    else {
      segment?.close()
      rmSync(name, { force: true })
    }
  }
  return opened
}

/** The newest first, by the time in their names. */
function readyFiles(place: string): readonly string[] {
  const names = readdirSync(place).filter((name) => name.endsWith('.ready'))
  return names
    .sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10))
    .map((name) => path.join(place, name))
}

/** Another cassette, other settings, another build of wikitape: another name. */
function nameOf(dir: string, settings: string): string {
  const { mtimeMs, size, ino } = statSync(fileURLToPath(import.meta.url))
  const text = JSON.stringify([dir, settings, mtimeMs, size, ino, endianness(), process.version])
  return hash('sha256', text, 'hex').slice(0, 32)
}

/** True for a folder of this user's own in which nobody else can do what these bits of a mode allow. */
function isOwn(folder: string, others: number): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false })
  return stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & others) === 0
}

const toWrite = 0o022
const toReadOrWrite = 0o077

function makeOwn(folder: string, others: number): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return isOwn(folder, others)
  } catch {
    return false
  }
}

/** Keeps to the limits, the newest stays; a run that is still reading a file goes on reading it. */
function clearAway(folder: string): void {
  try {
    const all = readdirSync(folder).flatMap((one) => filesIn(path.join(folder, one)))
    let bytes = 0
    for (const { file, size, time } of all.sort((a, b) => b.time - a.time)) {
      bytes += size
      const isDraft = file.endsWith('.tmp') && Date.now() - time > abandoned
      if (bytes > mostBytes || isDraft) rmSync(file, { force: true })
    }
  } catch {
    // Another process clears away the same.
  }
}

const filesIn = (place: string): { readonly file: string; readonly size: number; readonly time: number }[] =>
  readdirSync(place).flatMap((name) => {
    const file = path.join(place, name)
    const stat = lstatSync(file, { throwIfNoEntry: false })
    return stat?.isFile() === true ? [{ file, size: stat.size, time: stat.mtimeMs }] : []
  })
