/** `cassette.json` on the server. Several processes may write it: saving merges what the others wrote. */
import type { Manifest } from '../../cassette/format/manifest.ts'
import { mergeManifests } from '../../cassette/merge/merge-manifest.ts'
import { manifestName, manifestText, parseManifest } from '../contents/manifest-file.ts'
import type { RedisFiles } from '../redis/redis-files.ts'
import { requireSameWiki } from '../require-same-wiki.ts'

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
    const theirs = this.#parsed(text)
    if (theirs !== undefined) this.#merge(theirs)
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
        const hasMoved =
          this.#stored?.upstream === theirs.upstream && theirs.upstream !== this.#value.upstream
        requireSameWiki({ dir: this.#files.address.shown, manifest: theirs }, this.#value, hasMoved)
        this.#merge(theirs)
      }
      written = this.#value
      return manifestText(written)
    })
    this.#stored = written
  }

  #merge(theirs: Manifest): void {
    const known =
      this.#stored === undefined ? theirs : mergeManifests(undefined, theirs, this.#stored).manifest
    this.#value = mergeManifests(this.#stored, this.#value, known).manifest
    this.#stored = theirs
  }

  #parsed(text: string): Manifest | undefined {
    try {
      return parseManifest(text, this.#file)
    } catch {
      return undefined
    }
  }

  get #file(): string {
    return `${this.#files.address.shown}/${manifestName}`
  }
}
