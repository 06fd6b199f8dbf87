/** Writer of a cassette's files: each whole at once, forced to the disk (fsync) at checkpoints. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { isInside, leadsOutMessage } from '../files/paths-inside.ts'
import { syncFile, syncFileAsync, writeNew, writeWhole } from '../files/whole-files.ts'
import type { WritableInteraction } from '../store.ts'
import { writing } from '../store-error.ts'
import type { CassetteContents } from './cassette-contents.ts'

export class CassetteWriter {
  readonly #contents: CassetteContents
  readonly #unsynced = new Set<string>()
  /** Files that another thread is forcing to the disk. */
  readonly #syncing = new Set<string>()

  constructor(contents: CassetteContents) {
    this.#contents = contents
  }

  /** @param file relative to the cassette's folder. @throws StoreError where the disk refuses */
  writeInteraction(file: string, { text, bodyFiles }: WritableInteraction): void {
    this.saveManifest()
    for (const [name, bytes] of bodyFiles) this.#write(path.posix.join(path.posix.dirname(file), name), bytes)
    this.#write(file, text)
  }

  /** Writes another file of the cassette: a description, the page states. @throws StoreError */
  writeFile(file: string, text: string): void {
    this.saveManifest()
    this.#write(file, text)
  }

  /** Writes the manifest where it has changed. @throws StoreError */
  saveManifest(): void {
    this.#contents.manifest.save(this.#write)
  }

  /** Deletes an interaction's file and its body files, where they exist. */
  deleteInteraction(file: string): void {
    const absolutePath = path.join(this.#contents.dir, file)
    rmSync(absolutePath, { force: true })
    for (const bodyFile of bodyFilesOf(absolutePath)) rmSync(bodyFile, { force: true })
  }

  /** Forces to the disk what was written since the last checkpoint. */
  checkpoint(): void {
    this.#contents.manifest.restore(this.#write)
    for (const file of [...this.#syncing, ...this.#unsynced]) syncFile(path.join(this.#contents.dir, file))
    this.#unsynced.clear()
  }

  /** The same in another thread. Returns at once where one is under way: the next checkpoint takes the rest. */
  async checkpointAsync(): Promise<void> {
    this.#contents.manifest.restore(this.#write)
    if (this.#syncing.size > 0) return
    for (const file of this.#unsynced) this.#syncing.add(file)
    this.#unsynced.clear()
    for (const file of [...this.#syncing])
      try {
        await syncFileAsync(path.join(this.#contents.dir, file))
        this.#syncing.delete(file)
      } catch (error) {
        for (const left of this.#syncing) this.#unsynced.add(left)
        this.#syncing.clear()
        throw error
      }
  }

  /** @returns false where a new file was wanted and one exists. @throws StoreError */
  readonly #write = (file: string, content: string | Uint8Array, isNew = false): boolean => {
    const absolutePath = path.join(this.#contents.dir, file)
    return writing(absolutePath, () => {
      if (!isInside(this.#contents.dir, file)) throw new Error(leadsOutMessage)
      if (!isNew) writeWhole(absolutePath, content)
      else if (!writeNew(absolutePath, content)) return false
      this.#unsynced.add(file)
      return true
    })
  }
}

function bodyFilesOf(file: string): readonly string[] {
  const [folder, stem] = [path.dirname(file), `${path.basename(file, '.json')}.`]
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names
    .filter((name) => name.startsWith(stem) && /^\d+\.bin$/.test(name.slice(stem.length)))
    .map((name) => path.join(folder, name))
}
