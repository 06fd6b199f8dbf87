/** What is known of a cassette on the server without waiting: index, manifest, descriptions. Kept current. */

import { type Manifest, manifestName } from '../recorder/cassette/format/manifest.ts'
import {
  keyInFileName,
  paraminfoFolder,
  stemOf
} from '../recorder/cassette/interaction-path.ts'
import { DescriptionFiles } from '../recorder/store/contents/description-files.ts'
import { InteractionIndex } from '../recorder/store/contents/interaction-index.ts'
import {
  manifestText,
  parseManifest,
  SharedManifest
} from '../recorder/store/contents/manifest-file.ts'
import { StoreError } from '../recorder/store/store-error.ts'
import { getOrAdd } from '../recorder/text/group-by.ts'
import { digestOf, type RedisFiles } from './redis-files.ts'

/** After so many milliseconds changes are asked for, and after so many a request waits for the answer. */
const checkAfterMs = 200
const waitAfterMs = 700
/** A request waits no longer: what has been read is still served while the server is away. */
const maxWaitMs = 300

export class RedisContents {
  readonly files: RedisFiles
  readonly manifest: RemoteManifest
  readonly descriptions: DescriptionFiles
  /** Called with each file that has another content now; with undefined if it may be any. */
  onChange: (file: string | undefined) => void = () => undefined
  index: InteractionIndex = new InteractionIndex()
  generation = 0
  readonly #descriptionTexts = new Map<string, string>()
  version = 0
  #checkedAt = 0
  #check: Promise<void> | undefined
  #nextCheck: Promise<void> | undefined
  /** Bodies in files of their own, by the path of the interaction without `.json`. */
  #bodyFiles = new Map<string, string[]>()

  constructor(files: RedisFiles, manifest: RemoteManifest) {
    this.files = files
    this.manifest = manifest
    this.descriptions = new DescriptionFiles(
      (file) => this.#descriptionTexts.get(file),
      (file) => `${files.name}/${file}`
    )
  }

  /** Undefined if what is known is new enough. A server that does not answer leaves it in force. */
  refresh(): Promise<void> | undefined {
    const age = performance.now() - this.#checkedAt
    if (age < checkAfterMs) return undefined
    const check = (this.#check ?? this.refreshNow()).catch(() => undefined)
    const patience = new Promise<void>((resolve) =>
      setTimeout(resolve, maxWaitMs).unref()
    )
    return age < waitAfterMs ? undefined : Promise.race([check, patience])
  }

  /** What was written before this call is known afterwards. @throws StoreError */
  refreshNow(): Promise<void> {
    if (this.#check) {
      // The one under way may have asked before that.
      this.#nextCheck ??= this.#check
        .catch(() => undefined)
        .then(() => {
          this.#nextCheck = undefined
          return this.refreshNow()
        })
      return this.#nextCheck
    }
    this.#check = this.#readChanges().finally(() => {
      this.#check = undefined
      this.#checkedAt = performance.now()
    })
    return this.#check
  }

  /** @throws StoreError */
  async readAll(): Promise<void> {
    // Changes made while the list is read are read again afterwards.
    const { version } = await this.files.changesSince(this.version)
    const index = new InteractionIndex()
    const described = new Map<string, string>()
    this.#bodyFiles = new Map()
    for await (const page of this.files.pages())
      for (const [file, digest] of page) {
        this.#addTo(index, file)
        if (file.startsWith(`${paraminfoFolder}/`)) described.set(file, digest)
      }
    this.index = index
    this.version = version
    await this.#readFiles([manifestName, ...described.keys()])
    const isAsWritten = ([file, digest]: readonly [string, string]) =>
      digestOf(Buffer.from(this.#descriptionTexts.get(file) ?? '')) === digest
    // Without them, requests would have other keys.
    if (![...described].every(isAsWritten)) await this.files.requireWhole()
    this.#changed(undefined)
  }

  bodyFilesOf(file: string): readonly string[] {
    return this.#bodyFiles.get(stemOf(file)) ?? []
  }

  setDescription(file: string, text: string | undefined): void {
    if (text === undefined) this.#descriptionTexts.delete(file)
    else this.#descriptionTexts.set(file, text)
    this.descriptions.forget()
  }

  async #readChanges() {
    const { version, files } = await this.files.changesSince(this.version)
    if (!files) return this.readAll()
    if (version === this.version) return
    const known = [...files.keys()].filter(
      (file) => file === manifestName || file.startsWith(`${paraminfoFolder}/`)
    )
    await this.#readFiles(known)
    for (const [file, digest] of files) {
      if (digest !== '') this.#addTo(this.index, file)
      else this.#remove(file)
      this.#changed(file)
    }
    this.version = version
  }

  async #readFiles(files: readonly string[]) {
    const contents = await this.files.read(files)
    for (const [at, file] of files.entries()) {
      const content = contents[at]
      const text = content && Buffer.from(content).toString()
      if (file !== manifestName) this.setDescription(file, text)
      else if (text !== undefined) this.manifest.take(text)
    }
  }

  #changed(file: string | undefined) {
    this.generation += 1
    this.onChange(file)
  }

  #addTo(index: InteractionIndex, file: string) {
    if (file.startsWith(`${paraminfoFolder}/`)) return
    const key = keyInFileName(file)
    if (key !== undefined) index.add(key, file)
    if (!file.endsWith('.bin')) return
    const known = getOrAdd(this.#bodyFiles, stemOf(file), () => [])
    if (!known.includes(file)) known.push(file)
  }

  #remove(file: string) {
    const key = keyInFileName(file)
    if (key !== undefined && this.index.get(key) === file) this.index.delete(key)
  }
}

export class RemoteManifest extends SharedManifest {
  readonly #files: RedisFiles
  #saving: Promise<void> = Promise.resolve()

  /** @param stored what is there; undefined for a new cassette */
  constructor(files: RedisFiles, value: Manifest, stored: Manifest | undefined) {
    super(files.name, value, stored)
    this.#files = files
  }

  /** Somebody has written it. One that cannot be read leaves the last one in force. */
  take(text: string): void {
    try {
      this.merge(manifestIn(text, this.dir))
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
    }
  }

  /** Saves changes, one call after the other. @throws StoreError also if it is another wiki's by now */
  save(): Promise<void> {
    if (this.isSaved) return this.#saving
    const saving = this.#saving.then(() => this.#save())
    this.#saving = saving.catch(() => undefined)
    return saving
  }

  async #save() {
    if (this.isSaved) return
    let written = this.value
    await this.#files.update(manifestName, (text) => {
      written = this.toWrite(text === undefined ? undefined : manifestIn(text, this.dir))
      return manifestText(written)
    })
    this.setSaved(written)
  }
}

/** Undefined if there is none. @throws StoreError if it cannot be read */
export async function readManifest(
  files: Pick<RedisFiles, 'name' | 'read'>
): Promise<Manifest | undefined> {
  const [content] = await files.read([manifestName])
  return content && manifestIn(Buffer.from(content).toString(), files.name)
}

const manifestIn = (text: string, dir: string) =>
  parseManifest(text, `${dir}/${manifestName}`)
