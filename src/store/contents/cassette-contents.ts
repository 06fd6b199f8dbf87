/** The cassette's folder in memory: manifest, index of recordings (not their contents) and descriptions. Read again when they change on disk. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Manifest } from '../../cassette/format/manifest.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { ChangeDetector } from '../changes/change-detector.ts'
import { racyWindowMs } from '../changes/file-signature.ts'
import { isInside } from '../files/paths-inside.ts'
import { DescriptionFiles } from './description-files.ts'
import { InteractionIndex } from './interaction-index.ts'
import { ManifestFile } from './manifest-file.ts'
import { descriptionText, placeOf, sharedFolderOf } from './shared-descriptions.ts'

export class CassetteContents {
  readonly dir: string
  /** See `racyWindowMs`. */
  readonly windowMs: number
  readonly descriptions: DescriptionFiles
  readonly #changes: ChangeDetector
  manifest: ManifestFile
  index: InteractionIndex
  #generation = 0

  private constructor(
    manifest: ManifestFile,
    index: InteractionIndex,
    readAt: number,
    windowMs: number,
    name: string,
  ) {
    this.dir = manifest.dir
    this.windowMs = windowMs
    this.descriptions = new DescriptionFiles(
      (file) => descriptionText(this.dir, this.manifest.value, file),
      (file) => placeOf(name, file),
    )
    this.#changes = new ChangeDetector(this.dir, windowMs, readAt)
    this.manifest = manifest
    this.index = index
  }

  /** Undefined where there is no manifest. @param name the cassette's folder as messages name it @throws StoreError */
  static read(
    dir: string,
    windowMs: number = racyWindowMs,
    name: string = dir,
  ): CassetteContents | undefined {
    const readAt = Date.now()
    const manifest = ManifestFile.read(dir)
    if (manifest !== undefined) sharedFolderOf(dir, manifest.value)
    return manifest && new CassetteContents(manifest, InteractionIndex.read(dir), readAt, windowMs, name)
  }

  static forNewCassette(dir: string, manifest: Manifest): CassetteContents {
    return new CassetteContents(
      new ManifestFile(dir, manifest),
      new InteractionIndex(),
      Date.now(),
      racyWindowMs,
      dir,
    )
  }

  /** Checks the disk and reads again what changed; see `Store.generation`. An unreadable manifest leaves the last one in force. */
  generation(folder?: string): number {
    if (this.#changes.hasChanged(() => this.index.allFolders)) this.#readAgain()
    const files = (): Iterable<string> => this.index.entries(folder).map(([, file]) => file)
    if (folder !== undefined && this.#changes.hasChangedIn(folder, files)) this.#generation += 1
    return this.#generation
  }

  /** Adds a recording that another process may have written since the index was read. */
  indexIfPresent(key: RequestKey, file: string): void {
    if (existsSync(path.join(this.dir, file)) && isInside(this.dir, file)) this.index.add(key, file)
  }

  #readAgain(): void {
    const readAt = Date.now()
    this.manifest = readOrElse(undefined, () => ManifestFile.read(this.dir)) ?? this.manifest
    this.index = readOrElse(new InteractionIndex(), () => InteractionIndex.read(this.dir))
    this.descriptions.forget()
    this.#changes.reset(this.index.allFolders, readAt)
    this.#generation += 1
  }
}

function readOrElse<T>(fallback: T, read: () => T): T {
  try {
    return read()
  } catch {
    return fallback
  }
}
