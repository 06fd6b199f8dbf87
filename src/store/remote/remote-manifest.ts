/** `cassette.json` on the server. */
import { type Manifest, manifestName } from '../../cassette/format/manifest.ts'
import { manifestText, parseManifest, SharedManifest } from '../contents/manifest-file.ts'
import type { RedisFiles } from '../redis/redis-files.ts'
import { StoreError } from '../store-error.ts'

export class RemoteManifest extends SharedManifest {
  readonly #files: RedisFiles
  #saving: Promise<void> = Promise.resolve()

  /** @param stored what is there; undefined for a new cassette */
  constructor(files: RedisFiles, value: Manifest, stored: Manifest | undefined) {
    super(files.address.shown, value, stored)
    this.#files = files
  }

  /** Somebody has written it. One that cannot be read leaves the last one in force. */
  take(text: string): void {
    try {
      this.merge(this.#parse(text))
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
    }
  }

  /** Saves changes, one call after the other. @throws StoreError also where it is another wiki's by now */
  save(): Promise<void> {
    if (this.isSaved) return this.#saving
    const saving = this.#saving.then(() => this.#save())
    this.#saving = saving.catch(() => undefined)
    return saving
  }

  async #save(): Promise<void> {
    if (this.isSaved) return
    let written = this.value
    await this.#files.update(manifestName, (text) => {
      written = this.toWrite(text === undefined ? undefined : this.#parse(text))
      return manifestText(written)
    })
    this.setSaved(written)
  }

  #parse(text: string): Manifest {
    return parseManifest(text, `${this.dir}/${manifestName}`)
  }
}
