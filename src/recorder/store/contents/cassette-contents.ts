/**
 * The folder of a cassette: manifest, index of recordings (not their contents) and descriptions, read again when they
 * change on disk. Files are written whole, and forced to the disk (fsync) at checkpoints.
 */

import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { EncodedInteraction } from '../../cassette/format/encode-interaction.ts'
import { stemOf } from '../../cassette/interaction-path.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { readOrElse } from '../../text/error-text.ts'
import { ChangeDetector } from '../files/change-detector.ts'
import { isInside, ordinaryFileIn } from '../files/paths-inside.ts'
import { syncFile, syncFileAsync, writeNew, writeWhole } from '../files/whole-files.ts'
import { StoreError, writing } from '../store-error.ts'
import {
  DescriptionFiles,
  descriptionText,
  placeOf,
  sharedFolderOf
} from './description-files.ts'
import { InteractionIndex } from './interaction-index.ts'
import { ManifestFile } from './manifest-file.ts'

export class CassetteContents {
  readonly dir: string
  readonly descriptions: DescriptionFiles
  readonly #changes: ChangeDetector
  readonly #unsynced = new Set<string>()
  /** Files that other threads are forcing to the disk. */
  readonly #syncing = new Set<string>()
  #underWay: Promise<void> | undefined
  manifest: ManifestFile
  index: InteractionIndex
  #generation = 0

  /** Of a new cassette, unless more is given. @param name the cassette's folder as messages name it */
  constructor(
    manifest: ManifestFile,
    index: InteractionIndex = new InteractionIndex(),
    readAt: number = Date.now(),
    name: string = manifest.dir
  ) {
    this.dir = manifest.dir
    this.descriptions = new DescriptionFiles(
      (file) => descriptionText(this.dir, this.manifest.value, file),
      (file) => placeOf(name, file)
    )
    this.#changes = new ChangeDetector(this.dir, readAt)
    this.manifest = manifest
    this.index = index
  }

  /** Undefined where there is no manifest. @throws StoreError */
  static read(dir: string, name: string): CassetteContents | undefined {
    const readAt = Date.now()
    const manifest = ManifestFile.read(dir)
    if (manifest) sharedFolderOf(dir, manifest.value)
    return (
      manifest && new CassetteContents(manifest, InteractionIndex.read(dir), readAt, name)
    )
  }

  /** Checks the disk and reads again what changed; see `Store.generation`. An unreadable manifest leaves the last one in force. */
  generation(part?: string, keys?: readonly RequestKey[]): number {
    if (this.#changes.hasChanged(() => this.index.allFolders)) this.#readAgain()
    const files = () =>
      keys
        ? keys.flatMap((key) => this.index.get(key) ?? [])
        : this.index.entries(part).map(([, file]) => file)
    if (part !== undefined && this.#changes.hasChangedIn(part, files))
      this.#generation += 1
    return this.#generation
  }

  /** Adds a recording that another process may have written since the index was read. @throws StoreError if it is of another wiki */
  indexIfPresent(key: RequestKey, file: string): void {
    if (!existsSync(path.join(this.dir, file)) || !isInside(this.dir, file)) return
    this.manifest.requireOwn()
    this.index.add(key, file)
  }

  /** @param file relative to the cassette's folder. @throws StoreError where the disk refuses */
  writeInteraction(file: string, { text, bodyFiles }: EncodedInteraction): void {
    this.saveManifest()
    for (const [name, bytes] of bodyFiles)
      this.#write(path.posix.join(path.posix.dirname(file), name), bytes)
    this.#write(file, text)
  }

  /** Writes another file of the cassette: a description, the page states. @throws StoreError */
  writeFile(file: string, text: string): void {
    this.saveManifest()
    this.#write(file, text)
  }

  /** Writes the manifest if it has changed. @throws StoreError also if the folder was deleted: the next call begins a new cassette */
  saveManifest(): void {
    if (this.manifest.isDeleted()) {
      this.#readAgain()
      throw new StoreError('deleted', this.dir)
    }
    this.manifest.save(this.#write)
  }

  /** Deletes an interaction's file and its body files, where they exist. */
  deleteInteraction(file: string): void {
    const folder = path.join(this.dir, path.dirname(file))
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      if (stemOf(name) === stemOf(path.basename(file)))
        rmSync(path.join(folder, name), { force: true })
  }

  /** Forces to the disk what was written since the last checkpoint. */
  checkpoint(): void {
    this.manifest.restore(this.#write)
    for (const file of [...this.#syncing, ...this.#unsynced])
      syncFile(path.join(this.dir, file))
    this.#unsynced.clear()
  }

  /** The same in other threads, until nothing is left. A call while one is under way waits for that one. */
  checkpointAsync(): Promise<void> {
    this.manifest.restore(this.#write)
    // Three at once, for each waits for the disk; Node.js has four threads, and one is left to what else needs them.
    this.#underWay ??= Promise.all([this.#syncRest(), this.#syncRest(), this.#syncRest()])
      .then(() => undefined)
      .finally(() => {
        this.#underWay = undefined
      })
    return this.#underWay
  }

  async #syncRest() {
    for (const file of this.#unsynced) {
      this.#unsynced.delete(file)
      this.#syncing.add(file)
      try {
        await syncFileAsync(path.join(this.dir, file))
      } catch (error) {
        this.#unsynced.add(file)
        throw error
      } finally {
        this.#syncing.delete(file)
      }
    }
  }

  #readAgain() {
    const readAt = Date.now()
    const manifest = readOrElse(undefined, () => ManifestFile.read(this.dir))
    this.manifest.requireOwn(manifest?.value)
    this.manifest = manifest ?? this.manifest.unlessDeleted()
    this.index = readOrElse(new InteractionIndex(), () => InteractionIndex.read(this.dir))
    this.descriptions.forget()
    this.#changes.reset(this.index.allFolders, readAt)
    this.#generation += 1
  }

  /** @returns false where a new file was wanted and one exists. @throws StoreError */
  readonly #write = (file: string, content: string | Uint8Array, isNew = false) =>
    writing(path.join(this.dir, file), () => {
      const absolutePath = ordinaryFileIn(this.dir, file)
      if (!isNew) writeWhole(absolutePath, content)
      else if (!writeNew(absolutePath, content)) return false
      this.#unsynced.add(file)
      return true
    })
}
