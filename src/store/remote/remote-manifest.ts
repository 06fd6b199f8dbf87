/** `cassette.json` on the server. Several processes may write it: saving merges what the others wrote. */
import type { Manifest } from '../../cassette/format/manifest.ts'
import {
  manifestName,
  manifestText,
  mergeConcurrent,
  parseManifest,
  requireStillSameWiki,
} from '../contents/manifest-file.ts'
import type { RedisFiles } from '../redis/redis-files.ts'
import { StoreError } from '../store-error.ts'

export class RemoteManifest {
  readonly #files: RedisFiles
  #value: Manifest
  /** As this process last read or wrote it; undefined where there is none yet. */
  #stored: Manifest | undefined
  #saving: Promise<void> = Promise.resolve()

  /** @param stored what is there; undefined for a new cassette */
  constructor(files: RedisFiles, value: Manifest, stored: Manifest | undefined) {
    this.#files = files
    this.#value = value
    this.#stored = stored
  }

  get value(): Manifest {
    return this.#value
  }

  set(value: Manifest): void {
    this.#value = value
  }

  /** Somebody has written it. One that cannot be read leaves the last one in force. */
  take(text: string): void {
    try {
      this.#merge(parseManifest(text, this.#file))
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
    }
  }

  /** Saves changes, one call after the other. @throws StoreError also where it is another wiki's by now */
  save(): Promise<void> {
    if (this.#isSaved) return this.#saving
    const saving = this.#saving.then(() => this.#save())
    this.#saving = saving.catch(() => undefined)
    return saving
  }

  get #isSaved(): boolean {
    return this.#stored !== undefined && manifestText(this.#stored) === manifestText(this.#value)
  }

  async #save(): Promise<void> {
    if (this.#isSaved) return
    let written = this.#value
    await this.#files.update(manifestName, (text) => {
      const theirs = text === undefined ? undefined : parseManifest(text, this.#file)
      if (theirs !== undefined) {
        requireStillSameWiki(this.#files.address.shown, this.#stored, this.#value, theirs)
        this.#merge(theirs)
      }
      written = this.#value
      return manifestText(written)
    })
    this.#stored = written
  }

  #merge(theirs: Manifest): void {
    this.#value = mergeConcurrent(this.#stored, this.#value, theirs)
    this.#stored = theirs
  }

  get #file(): string {
    return `${this.#files.address.shown}/${manifestName}`
  }
}
