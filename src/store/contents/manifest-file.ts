/** `cassette.json` on disk. Several processes may write it: saving merges what the others wrote. */
import path from 'node:path'
import {
  decodeManifest,
  encodeManifest,
  formatNumber,
  type Manifest,
} from '../../cassette/format/manifest.ts'
import { mergeManifests } from '../../cassette/merge/merge-manifest.ts'
import { parsePlain } from '../../json/plain-json.ts'
import { readJson } from '../../json/read-json.ts'
import { writePretty } from '../../json/write-json.ts'
import { errorText } from '../../text/error-text.ts'
import { textInside } from '../files/paths-inside.ts'
import { requireSameWiki } from '../require-same-wiki.ts'
import { StoreError } from '../store-error.ts'

export const manifestName = 'cassette.json'

/** Sorts paths: a folder without a manifest is no cassette. */
export const manifestFirst = (a: string, b: string): number =>
  Number(b === manifestName) - Number(a === manifestName) || (a < b ? -1 : 1)

/** @param isNewFile whether the file must not exist yet. @returns false where it does; then nothing was written */
type WriteManifest = (name: string, text: string, isNewFile: boolean) => boolean

export class ManifestFile {
  readonly dir: string
  #value: Manifest
  /** The file's content when this process last read or wrote it. */
  #onDisk: Manifest | undefined
  #isSaved: boolean
  #hasWritten = false

  private constructor(dir: string, value: Manifest, isSaved: boolean) {
    this.dir = dir
    this.#value = value
    this.#isSaved = isSaved
    this.#onDisk = isSaved ? value : undefined
  }

  /** Of a new cassette; writes nothing yet. */
  static forNewCassette(dir: string, value: Manifest): ManifestFile {
    return new ManifestFile(dir, value, false)
  }

  /** Undefined where there is none. @throws StoreError */
  static read(dir: string): ManifestFile | undefined {
    const value = readManifest(dir)
    return value === undefined ? undefined : new ManifestFile(dir, value, true)
  }

  get value(): Manifest {
    return this.#value
  }

  /** The place of shared descriptions stays as it is, also with the manifest of another cassette. */
  set(given: Manifest): void {
    const value = withSharedPath(given, this.#value.sharedDescriptions)
    if (this.#isSaved && manifestText(value) === manifestText(this.#value)) return
    this.#value = value
    this.#isSaved = false
  }

  /** Writes unsaved changes, merged with those of other processes. @throws StoreError */
  save(write: WriteManifest): void {
    if (this.#isSaved) return
    this.#mergeFromDisk()
    const isNewFile = this.#onDisk === undefined
    if (!write(manifestName, manifestText(this.#value), isNewFile)) {
      // Another process was first.
      this.#mergeFromDisk()
      write(manifestName, manifestText(this.#value), false)
    }
    this.#onDisk = this.#value
    this.#isSaved = true
    this.#hasWritten = true
  }

  /** @throws StoreError where another process has begun the cassette for another wiki meanwhile */
  #mergeFromDisk(): void {
    const onDisk = readableManifestIn(this.dir)
    if (onDisk === undefined) return
    requireStillSameWiki(this.dir, this.#onDisk, this.#value, onDisk)
    this.#value = mergeConcurrent(this.#onDisk, this.#value, onDisk)
  }

  /** True where another process overwrote changes of this one, which must be saved again. */
  isOverwritten(): boolean {
    const onDisk = this.#hasWritten ? readableManifestIn(this.dir) : undefined
    if (onDisk === undefined) return false
    const merged = mergeConcurrent(this.#onDisk, this.#value, onDisk)
    this.#isSaved = manifestText(merged) === manifestText(onDisk)
    return !this.#isSaved
  }
}

/**
 * Merges what another process has written. Members that it has lost count as not deleted: it did not know them.
 * @param before as this process last read or wrote it
 */
export function mergeConcurrent(before: Manifest | undefined, ours: Manifest, theirs: Manifest): Manifest {
  const known = before === undefined ? theirs : mergeManifests(undefined, theirs, before).manifest
  return mergeManifests(before, ours, known).manifest
}

/** @throws StoreError where another process has begun the cassette for another wiki meanwhile */
export function requireStillSameWiki(
  dir: string,
  before: Manifest | undefined,
  ours: Manifest,
  theirs: Manifest,
): void {
  const hasMoved = before?.upstream === theirs.upstream && theirs.upstream !== ours.upstream
  requireSameWiki({ dir, manifest: theirs }, ours, hasMoved)
}

/** The manifest that names the folder of shared descriptions, or none. */
export const withSharedPath = (
  { sharedDescriptions: _, ...manifest }: Manifest,
  sharedDescriptions: string | undefined,
): Manifest => (sharedDescriptions === undefined ? manifest : { ...manifest, sharedDescriptions })

/** Undefined where the file is gone or broken: opening the cassette reports that. */
export function readableManifestIn(dir: string): Manifest | undefined {
  try {
    return readManifest(dir)
  } catch (error) {
    if (error instanceof StoreError) return undefined
    throw error
  }
}

export const manifestText = (manifest: Manifest): string => `${writePretty(encodeManifest(manifest))}\n`

/** @throws StoreError */
function readManifest(dir: string): Manifest | undefined {
  const file = path.join(dir, manifestName)
  let text: string | undefined
  try {
    text = textInside(dir, manifestName)
  } catch (error) {
    throw StoreError.broken(file, { line: 1, column: 1, message: errorText(error) })
  }
  return text === undefined ? undefined : parseManifest(text, file)
}

/** @param file for messages. @throws StoreError */
export function parseManifest(text: string, file: string): Manifest {
  const reading = readJson(text)
  if (!reading.ok) throw StoreError.broken(file, reading.fault)
  const manifest = decodeManifest(parsePlain(text))
  switch (manifest.kind) {
    case 'manifest':
      return manifest.manifest
    case 'too-new':
      throw StoreError.tooNew(file, manifest.format, formatNumber)
    case 'broken':
      throw StoreError.broken(file, { line: 1, column: 1, message: manifest.message })
  }
}
