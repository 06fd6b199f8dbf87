/** `cassette.json`, on disk and in memory. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import {
  decodeManifest,
  encodeManifest,
  formatNumber,
  type Manifest,
  manifestName
} from '../../cassette/format/manifest.ts'
import { mergeManifests } from '../../cassette/merge/merge-manifest.ts'
import { parsePlain } from '../../json/plain-json.ts'
import { readJson } from '../../json/read-json.ts'
import { writePretty } from '../../json/write-json.ts'
import { readableTextInside } from '../files/paths-inside.ts'
import { requireSameWiki, StoreError } from '../store-error.ts'

/** Sorts paths: a folder without a manifest is no cassette. */
export const manifestFirst = (a: string, b: string): number =>
  Number(b === manifestName) - Number(a === manifestName) || (a < b ? -1 : 1)

/** A manifest in memory. Several processes may write its file: saving merges what the others wrote. */
export class SharedManifest {
  /** A folder, or an address for messages. */
  readonly dir: string
  #value: Manifest
  /** The file's content when this process last read or wrote it: the value itself where there is nothing to save. */
  #stored: Manifest | undefined

  /** @param stored undefined for a new cassette */
  constructor(dir: string, value: Manifest, stored?: Manifest) {
    this.dir = dir
    this.#value = value
    this.#stored = stored
  }

  get value(): Manifest {
    return this.#value
  }

  /** The place of shared descriptions, and what a person wrote, stay as they are, also with the manifest of another cassette. */
  set(given: Manifest): void {
    const { sharedDescriptions, unknown } = this.#value
    const value = { ...given, sharedDescriptions, unknown }
    if (manifestText(value) !== manifestText(this.#value)) this.#value = value
  }

  /** True for a new cassette that nobody has written yet, as far as this process knows. */
  protected get isNew(): boolean {
    return this.#stored === undefined
  }

  protected get isSaved(): boolean {
    return this.#stored === this.#value
  }

  protected setSaved(written: Manifest): void {
    this.#stored = written
  }

  /** Merged with what another process has written. Members that it has lost count as not deleted: it did not know them. */
  protected mergedWith(theirs: Manifest): Manifest {
    const known = this.#stored
      ? mergeManifests(undefined, theirs, this.#stored).manifest
      : theirs
    const { manifest } = mergeManifests(this.#stored, this.#value, known)
    return manifestText(manifest) === manifestText(theirs) ? theirs : manifest
  }

  protected merge(theirs: Manifest): void {
    this.#value = this.mergedWith(theirs)
    this.#stored = theirs
  }

  /** What is to be written where the file holds this. @throws StoreError where it is another wiki's by now */
  protected toWrite(theirs: Manifest | undefined): Manifest {
    if (theirs) {
      const ours = this.#value
      const hasMoved =
        this.#stored?.upstream === theirs.upstream && theirs.upstream !== ours.upstream
      requireSameWiki({ dir: this.dir, manifest: theirs }, ours, hasMoved)
      this.merge(theirs)
    }
    return this.#value
  }
}

/** @param isNewFile whether the file must not exist yet. @returns false where it does; then nothing was written */
type WriteManifest = (name: string, text: string, isNewFile: boolean) => boolean

export class ManifestFile extends SharedManifest {
  #hasWritten = false

  /** Undefined where there is none. @throws StoreError */
  static read(dir: string): ManifestFile | undefined {
    const value = readManifest(dir)
    return value && new ManifestFile(dir, value, value)
  }

  /** @throws StoreError if another process has begun the cassette of another wiki here: its recordings are not to be served */
  requireOwn(theirs: Manifest | undefined = readableManifestIn(this.dir)): void {
    if (this.isNew && theirs)
      requireSameWiki({ dir: this.dir, manifest: theirs }, this.value, false)
  }

  /** Writes unsaved changes. @throws StoreError */
  save(write: WriteManifest): void {
    if (this.isSaved) return
    const onDisk = readableManifestIn(this.dir)
    if (!write(manifestName, manifestText(this.toWrite(onDisk)), onDisk === undefined))
      // Another process was first.
      write(manifestName, manifestText(this.toWrite(readableManifestIn(this.dir))), false)
    this.setSaved(this.value)
    this.#hasWritten = true
  }

  /** True if there is nothing to save and the file is gone. */
  isDeleted(): boolean {
    return this.isSaved && !existsSync(path.join(this.dir, manifestName))
  }

  /** The manifest of a new cassette if the file is gone, to be saved; else itself: the file cannot be read. */
  unlessDeleted(): ManifestFile {
    return this.isDeleted() ? new ManifestFile(this.dir, this.value) : this
  }

  /** Restores what another process has overwritten. @throws StoreError */
  restore(write: WriteManifest): void {
    const onDisk = this.#hasWritten ? readableManifestIn(this.dir) : undefined
    if (!onDisk || this.mergedWith(onDisk) === onDisk) return
    this.toWrite(onDisk)
    this.save(write)
  }
}

/** Undefined where the file is gone or broken: opening the cassette reports that. */
export function readableManifestIn(dir: string): Manifest | undefined {
  try {
    return readManifest(dir)
  } catch (error) {
    if (error instanceof StoreError) return undefined
    throw error
  }
}

export const manifestText = (manifest: Manifest): string =>
  `${writePretty(encodeManifest(manifest))}\n`

/** @throws StoreError */
function readManifest(dir: string) {
  const text = readableTextInside(dir, manifestName)
  return text === undefined
    ? undefined
    : parseManifest(text, path.join(dir, manifestName))
}

/** @param file for messages. @throws StoreError */
export function parseManifest(text: string, file: string): Manifest {
  const reading = readJson(text)
  if (!reading.ok) throw new StoreError('broken', file, reading.fault)
  const manifest = decodeManifest(parsePlain(text))
  if (manifest.kind === 'too-new')
    throw new StoreError('too-new', file, manifest.format, formatNumber)
  if (manifest.kind === 'manifest') return manifest.manifest
  throw new StoreError('broken', file, { line: 1, column: 1, message: manifest.message })
}
