/**
 * Ready replies of earlier runs: a process that starts again reads the answer to a request that was asked before, and
 * looks whether its recording is the file that it was (docs/decisions/0102). What is in doubt is answered the ordinary way.
 */
import { randomUUID } from 'node:crypto'
import { realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import {
  type Footing,
  footingOf,
  isAsMarked,
  marksCount,
  marksOf,
  stands,
  wasLeftAlone,
} from '../store/footing.ts'
import { settling } from '../store/lookout.ts'
import { isOwn, makeOwn, toReadOrWrite, toWrite } from '../store/own-folder.ts'
import type { Digest, FoundPlace, Place } from './digest-table.ts'
import { clearAway, nameOf, readyFiles } from './pack-folder.ts'
import { decodeReady, encodeReady, type Origin, type ReadyEntry } from './ready-entry.ts'
import { Draft, Segment, type Source } from './segment.ts'

export interface PackOptions {
  /** Where those of all cassettes lie. */
  readonly folder: string
  /** What answers depend on beside the cassette, in any words. */
  readonly settings: string
  /** Milliseconds that a file must have been left alone to count as unchanged; 2000 unless given. */
  readonly settling?: number | undefined
  /** True for a process that knows of no walks, since it helps another: it takes no step of one, and adds nothing. */
  readonly helps?: boolean | undefined
}

/** Runs of a cassette that lie in files of their own; then they become one. */
const mostRuns = 8
/** Bytes of a file that takes a tenth of a second to copy. */
const large = 64 * 1024 ** 2
/** Bytes of replies in one file. */
const mostOfRun = 1024 ** 3
/** Bytes of a recording beyond which it takes milliseconds to read. */
const mostAhead = 131_072

export class Pack {
  /** The cassette's folder, links followed. */
  readonly #dir: string
  /** Where its segments lie. */
  readonly #place: string
  readonly #options: PackOptions
  /** Before anything of the cassette was read. */
  readonly #began = Date.now()
  #segments: readonly Segment[]
  /** What this run has made ready ahead; undefined where it has not yet. */
  #draft: Draft | undefined
  /** True where this run adds nothing, or nothing more. */
  #full: boolean
  #folders: () => readonly string[] | undefined = () => undefined

  private constructor(dir: string, place: string, options: PackOptions) {
    this.#dir = dir
    this.#place = place
    this.#options = options
    this.#full = options.helps === true
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

  /** True where nothing can be found in it. */
  get isEmpty(): boolean {
    return this.#segments.length === 0 && this.#draft === undefined
  }

  /** What all its replies rest on; undefined where there are none. */
  get footing(): Footing | undefined {
    return this.#segments[0]?.footing
  }

  /**
   * What an earlier run answered, where all that it rests on is as it was.
   * @param roomFor where it may lie; in memory of its own unless given
   */
  find(digest: Digest, roomFor: (place: FoundPlace) => Buffer | undefined): ReadyEntry | undefined {
    for (const segment of this.#segments) {
      const entry = this.#findIn(segment, digest, roomFor)
      if (entry !== undefined) return entry
    }
    return this.#draft && this.#findIn(this.#draft, digest, roomFor)
  }

  #findIn(
    segment: Segment | Draft,
    digest: Digest,
    roomFor: (place: FoundPlace) => Buffer | undefined,
  ): ReadyEntry | undefined {
    const place = segment.find(digest)
    const bytes = place && segment.read(place, roomFor(place))
    const entry = bytes && decodeReady(bytes)
    if (entry?.origin === undefined) return undefined
    if (this.#options.helps === true && entry.origin.step !== undefined) return undefined
    return this.stands(entry.origin) ? entry : undefined
  }

  /** True where a recording is the file that it was. */
  stands({ file, marks }: Origin): boolean {
    // Whoever noted it has joined its path already.
    return isAsMarked(`${this.#dir}/${file}`, marks)
  }

  /** True where something was made ready under a digest, which need not be right any more. */
  has(digest: Digest): boolean {
    return this.#segments.some((one) => one.has(digest)) || this.#draft?.has(digest) === true
  }

  /** Keeps a reply that nobody has asked for yet: from now on it is found like those of earlier runs. @returns false where no more can be kept */
  keep(digests: readonly Digest[], { reply, origin }: ReadyEntry): boolean {
    if (this.#full) return false
    try {
      this.#draft ??= this.#begin()
      this.#full = this.#draft?.add(digests, encodeReady(reply, origin)) !== true
    } catch {
      this.#full = true
    }
    return !this.#full
  }

  /** True of a recording that was left alone, and is soon read. @param file inside the cassette */
  mayKeep(file: string): boolean {
    const marks = this.#full ? undefined : marksOf(path.join(this.#dir, file))
    return marks !== undefined && marks[2] < mostAhead && wasLeftAlone(marks, Date.now(), this.#settling)
  }

  /** @param folders of the cassette as this run has read them; undefined where it has not */
  rests(folders: () => readonly string[] | undefined): void {
    this.#folders = folders
  }

  /** Leaves what this run has made ready to later ones, where it is known what that rests on. @param source what it has answered */
  save(source: Source | undefined): void {
    if (this.#options.helps === true || (source === undefined && this.#draft === undefined)) return
    const footing = this.#restingOn()
    const draft = this.#draft ?? (footing && this.#begin())
    this.#draft = undefined
    if (draft === undefined) return
    const joined = this.#toJoin()
    const older = joined.map((one) => ({ places: one.places(), read: (place: Place) => one.read(place) }))
    const sources = source === undefined ? older : [source, ...older]
    if (!(footing !== undefined && filled(draft, sources) && draft.finish(footing))) {
      draft.discard()
      return
    }
    for (const segment of joined) rmSync(segment.name, { force: true })
    clearAway(this.#options.folder)
  }

  /** Those of many runs; a large one is not copied each time. */
  #toJoin(): readonly Segment[] {
    if (this.#segments.length < mostRuns) return []
    const small = this.#segments.filter(({ bytes }) => bytes < large)
    return small.length > 1 ? small : this.#segments
  }

  /** Nothing of it is believed any more. */
  close(): void {
    for (const segment of this.#segments) segment.close()
    this.#segments = []
    this.#draft?.discard()
    this.#draft = undefined
    this.#full = true
  }

  #begin(): Draft | undefined {
    const [folder, place] = [this.#options.folder, this.#place]
    if (!makeOwn(folder, toWrite) || !makeOwn(place, toReadOrWrite)) return undefined
    const name = path.join(place, `${Date.now()}-${randomUUID().slice(0, 8)}.ready`)
    return Draft.begin(name, mostOfRun)
  }

  /** Undefined where it is not known, or may have changed since the cassette was opened. */
  #restingOn(): Footing | undefined {
    const folders = this.#folders()
    const footing = folders && footingOf(this.#dir, folders)
    const isOld = footing?.every(([, marks]) => wasLeftAlone(marks, this.#began, this.#settling))
    return isOld === true ? footing : undefined
  }

  get #settling(): number {
    return this.#options.settling ?? settling
  }
}

/** False where the disk refuses. */
function filled(draft: Draft, sources: readonly Source[]): boolean {
  try {
    for (const one of sources) draft.addAll(one)
    return true
  } catch {
    return false
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
