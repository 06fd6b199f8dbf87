/** Writes the files of a cassette, each whole at once, and forces them to the disk at checkpoints. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { EncodedInteraction } from '../../cassette/format/encode-interaction.ts'
import { isInside, leadsOutMessage } from '../files/paths-inside.ts'
import { syncFile, syncFileAsync, writeNew, writeWhole } from '../files/whole-files.ts'
import { StoreError } from '../store-error.ts'
import type { ManifestFile } from './manifest-file.ts'

/** An interaction as it is written; its text may be bytes already. */
export type WritableInteraction = Pick<EncodedInteraction, 'bodyFiles'> & {
  readonly text: string | Uint8Array
}

export class CassetteWriter {
  readonly #dir: string
  readonly #manifest: () => ManifestFile
  /** Files written since the last checkpoint. */
  readonly #unsynced = new Set<string>()
  /** Files that another thread is forcing to the disk. */
  readonly #syncing = new Set<string>()

  constructor(dir: string, manifest: () => ManifestFile) {
    this.#dir = dir
    this.#manifest = manifest
  }

  /** @param file relative to the cassette's folder. @throws StoreError where the disk refuses */
  writeInteraction(file: string, { text, bodyFiles }: WritableInteraction): void {
    this.saveManifest()
    for (const [name, bytes] of bodyFiles) this.#write(path.posix.join(path.posix.dirname(file), name), bytes)
    this.#write(file, text)
  }

  /** Writes another file of the cassette: a description, the states of pages. @throws StoreError */
  writeFile(file: string, text: string): void {
    this.saveManifest()
    this.#write(file, text)
  }

  /** Writes the manifest where it has changed. @throws StoreError */
  saveManifest(): void {
    this.#manifest().save((name, text, isNewFile) => this.#write(name, text, isNewFile))
  }

  /** Deletes an interaction's file and the bodies beside it, where they are there. */
  deleteInteraction(file: string): void {
    const absolutePath = path.join(this.#dir, file)
    rmSync(absolutePath, { force: true })
    for (const bodyFile of bodyFilesOf(absolutePath)) rmSync(bodyFile, { force: true })
  }

  /** Forces to the disk what was written since the last checkpoint. */
  checkpoint(): void {
    if (this.#manifest().isOverwritten()) this.saveManifest()
    for (const file of [...this.#syncing, ...this.#unsynced]) syncFile(path.join(this.#dir, file))
    this.#unsynced.clear()
  }

  /** The same in another thread. One at a time: where the disk is slow the next has the more to do. */
  async checkpointAsync(): Promise<void> {
    if (this.#manifest().isOverwritten()) this.saveManifest()
    if (this.#syncing.size > 0) return
    for (const file of this.#unsynced) this.#syncing.add(file)
    this.#unsynced.clear()
    for (const file of [...this.#syncing])
      try {
        await syncFileAsync(path.join(this.#dir, file))
        this.#syncing.delete(file)
      } catch (error) {
        for (const left of this.#syncing) this.#unsynced.add(left)
        this.#syncing.clear()
        throw error
      }
  }

  /** @returns false where it was to be a new file, and there is one */
  #write(file: string, content: string | Uint8Array, isNew = false): boolean {
    const absolutePath = path.join(this.#dir, file)
    try {
      if (!isInside(this.#dir, file)) throw new Error(leadsOutMessage)
      if (!isNew) writeWhole(absolutePath, content)
      else if (!writeNew(absolutePath, content)) return false
    } catch (error) {
      throw StoreError.cannotWrite(absolutePath, error)
    }
    this.#unsynced.add(file)
    return true
  }
}

function bodyFilesOf(file: string): readonly string[] {
  const [folder, stem] = [path.dirname(file), `${path.basename(file, '.json')}.`]
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names
    .filter((name) => name.startsWith(stem) && /^\d+\.bin$/.test(name.slice(stem.length)))
    .map((name) => path.join(folder, name))
}
