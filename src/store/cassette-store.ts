/** A cassette on disk behind the store's port. Opening one reads names, not bodies; recording one interaction costs the same at any size. */
import { accessSync, constants, existsSync, readdirSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import { bodiesApart, encodeInteraction } from '../cassette/format/interaction-format.ts'
import { type Manifest, newManifest } from '../cassette/format/manifest.ts'
import { encodePageStates, type PageStates, pagesFile } from '../cassette/format/pages-file.ts'
import type { Interaction } from '../cassette/interaction.ts'
import { interactionPath, modulePathIn } from '../cassette/interaction-path.ts'
import type { JsonTree } from '../json/json-tree.ts'
import { writePretty } from '../json/write-json.ts'
import type { RequestKey } from '../request/request-key.ts'
import type { ModuleDescription } from '../wiki/modules/module-descriptions.ts'
import { ChangeDetector } from './changes/change-detector.ts'
import { type FileSignatures, isUnchanged, racyWindowMs } from './changes/file-signature.ts'
import { CassetteWriter, type WritableInteraction } from './contents/cassette-writer.ts'
import { Descriptions } from './contents/description-files.ts'
import { InteractionIndex } from './contents/interaction-index.ts'
import { InteractionReader } from './contents/interaction-reader.ts'
import { ManifestFile } from './contents/manifest-file.ts'
import { isInside } from './files/paths-inside.ts'
import { mustBeSameWiki } from './require-same-wiki.ts'
import type { Found, Store } from './store.ts'
import { StoreError } from './store-error.ts'
import { errorCode } from './system-error-code.ts'

export interface OpenOptions {
  /** Where the files lie: the folder itself unless given, else a copy of it until what is recorded may stay. */
  readonly place?: string | undefined
  /** Milliseconds that a file must have been left alone to count as unchanged; `racyWindowMs` unless given. */
  readonly racyWindowMs?: number | undefined
}

interface Parts {
  readonly place: string
  readonly manifest: ManifestFile
  readonly index: InteractionIndex
  /** Before any of it was read, in milliseconds since 1970. */
  readonly readAt: number
}

export interface Creating {
  readonly day?: string | undefined
  readonly stage?: ((dir: string) => string) | undefined
  readonly moved?: boolean | undefined
}

export class CassetteStore implements Store {
  /** Its folder, as it is named. */
  readonly dir: string
  readonly #place: string
  readonly #windowMs: number
  readonly #reader: InteractionReader
  readonly #descriptions: Descriptions
  readonly #changes: ChangeDetector
  readonly #writer: CassetteWriter
  #manifest: ManifestFile
  #index: InteractionIndex
  #readAt: number
  #generation = 0

  private constructor(dir: string, { place, manifest, index, readAt }: Parts, options: OpenOptions) {
    this.dir = dir
    this.#place = place
    this.#windowMs = options.racyWindowMs ?? racyWindowMs
    this.#reader = new InteractionReader(place, dir)
    this.#descriptions = new Descriptions(place)
    this.#changes = new ChangeDetector(place, this.#windowMs)
    this.#manifest = manifest
    this.#writer = new CassetteWriter(place, () => this.#manifest)
    this.#index = index
    this.#readAt = readAt
  }

  /** Opens an existing cassette. @throws StoreError where there is none, or none that this version reads */
  static open(dir: string, options: OpenOptions = {}): CassetteStore {
    const { place = dir } = options
    const readAt = Date.now()
    const stat = statOf(dir)
    if (stat === undefined) throw StoreError.missing(dir)
    if (!stat.isDirectory()) throw StoreError.notAFolder(dir)
    const manifest = ManifestFile.read(place)
    if (manifest === undefined) throw StoreError.noManifest(dir)
    return new CassetteStore(dir, { place, manifest, index: InteractionIndex.read(place), readAt }, options)
  }

  /**
   * Opens a cassette to record into, a new one where nothing lies there.
   * @param day on which a new one is begun
   * @param stage names where to record meanwhile, with a copy of what lies in the folder
   * @param moved whether the user says that the wiki now has this address. @throws StoreError also where it is another wiki's
   */
  static openOrCreate(
    dir: string,
    upstream: string,
    { day, stage = (same) => same, moved = false }: Creating = {},
  ): CassetteStore {
    const stat = statOf(dir)
    if (stat !== undefined && !stat.isDirectory()) throw StoreError.notAFolder(dir)
    mustBeWritable(dir)
    if (stat !== undefined && !isEmptyFolder(dir)) {
      const store = CassetteStore.open(dir, { place: stage(dir) })
      mustBeSameWiki(store, { upstream, site: undefined }, moved)
      return store
    }
    const place = stage(dir)
    const manifest = ManifestFile.begun(place, newManifest(upstream, day))
    return new CassetteStore(
      dir,
      { place, manifest, index: InteractionIndex.empty(), readAt: Date.now() },
      {},
    )
  }

  /** Reads names, manifest and descriptions again where they have changed; a manifest that cannot be read is kept as it was. */
  state(folder?: string): number {
    if (this.#changes.hasChanged(() => this.#index.allFolders, this.#readAt)) this.#readAgain()
    const files = (): Iterable<string> => this.#index.entries(folder).map(([, file]) => file)
    if (folder !== undefined && this.#changes.hasChangedIn(folder, files)) this.#generation += 1
    return this.#generation
  }

  footing(key: RequestKey, since: number): FileSignatures | undefined {
    const file = this.#index.get(key)
    return file === undefined ? undefined : this.#reader.signaturesOf(file, since, this.#windowMs)
  }

  stands(signatures: FileSignatures): boolean {
    return isUnchanged(this.#place, signatures)
  }

  get manifest(): Manifest {
    return this.#manifest.value
  }

  get size(): number {
    return this.#index.size
  }

  paths(): IterableIterator<readonly [RequestKey, string]> {
    return this.#index.entries().values()
  }

  has(key: RequestKey): boolean {
    return this.#index.has(key)
  }

  folders(): readonly string[] {
    return this.#index.folders()
  }

  pathFor({ key, request }: Pick<Interaction, 'key' | 'request'>): string {
    return this.#index.get(key) ?? interactionPath(request, key)
  }

  /** @param maxBodyBytes of bodies in files of their own: a stranger's interaction may name any file */
  find(key: RequestKey, maxBodyBytes?: number): Found {
    const file = this.#index.get(key)
    return file === undefined ? { kind: 'absent' } : this.#reader.read(file, maxBodyBytes)
  }

  refind(key: RequestKey, request: Interaction['request']): Found {
    if (!this.#index.has(key)) {
      const file = interactionPath(request, key)
      if (existsSync(path.join(this.#place, file)) && isInside(this.#place, file)) this.#index.set(key, file)
    }
    return this.find(key)
  }

  *inFolder(folder: string): IterableIterator<Found> {
    for (const [, file] of this.#index.entries(folder)) yield this.#reader.read(file)
  }

  *interactionsIn(folder: string): IterableIterator<Interaction> {
    for (const found of this.inFolder(folder)) if (found.kind === 'found') yield found.interaction
  }

  put(interaction: Interaction, mayWrite: (content: string | Uint8Array) => boolean = () => true): boolean {
    const file = this.pathFor(interaction)
    const encoded = encodeInteraction(interaction, path.basename(file, '.json'))
    if (![file, encoded.text, ...bodiesApart(interaction.responses)].every(mayWrite)) return false
    this.putEncoded(interaction.key, file, encoded)
    return true
  }

  putEncoded(key: RequestKey, file: string, encoded: WritableInteraction): void {
    this.#writer.writeInteraction(file, encoded)
    this.#index.set(key, file)
  }

  drop(key: RequestKey): void {
    const file = this.#index.get(key)
    if (file === undefined) return
    this.#writer.deleteInteraction(file)
    this.#index.delete(key)
  }

  setManifest(manifest: Manifest): void {
    this.#manifest.set(manifest)
    if (this.size > 0) this.#writer.saveManifest()
  }

  begin(): void {
    this.#writer.saveManifest()
  }

  module(modulePath: string): ModuleDescription | undefined {
    return this.#descriptions.module(modulePath)
  }

  describedText(modulePath: string): string | undefined {
    return this.#descriptions.text(modulePath)
  }

  putModule(
    modulePath: string,
    description: JsonTree,
    mayWrite: (text: string) => boolean = () => true,
  ): void {
    const text = `${writePretty(description)}\n`
    if (!mayWrite(text)) return
    this.#writer.writeFile(modulePathIn(modulePath), text)
    this.#descriptions.forget(modulePath)
  }

  /** In which state pages were; empty where nobody asked. @throws StoreError where the file cannot be read */
  pageStates(): PageStates {
    return this.#descriptions.pageStates()
  }

  /** Adds to what is known of pages; of one page the newest counts. @throws StoreError */
  putPageStates(states: PageStates, mayWrite: (text: string) => boolean = () => true): void {
    const known = this.pageStates()
    const text = encodePageStates(new Map([...known, ...states]))
    if (states.size === 0 || text === encodePageStates(known) || !mayWrite(text)) return
    this.#writer.writeFile(pagesFile, text)
  }

  checkpoint(): void {
    this.#writer.checkpoint()
  }

  checkpointAside(): Promise<void> {
    return this.#writer.checkpointAside()
  }

  #readAgain(): void {
    this.#readAt = Date.now()
    this.#manifest = readableOr(undefined, () => ManifestFile.read(this.#place)) ?? this.#manifest
    this.#index = readableOr(InteractionIndex.empty(), () => InteractionIndex.read(this.#place))
    this.#descriptions.forget()
    this.#changes.reset(this.#index.allFolders, this.#readAt)
    this.#generation += 1
  }
}

/** Not with `throwIfNoEntry: false`: newer versions of Node.js give undefined for a path below a file, too. */
function statOf(dir: string): Stats | undefined {
  try {
    return statSync(dir)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw StoreError.unreadable(dir, error)
  }
}

/** Looks no further than the nearest folder that is there: nothing is made before something is recorded. */
function mustBeWritable(dir: string, nearest: string = path.resolve(dir)): void {
  const parent = path.dirname(nearest)
  if (!existsSync(nearest) && parent !== nearest) {
    mustBeWritable(dir, parent)
    return
  }
  try {
    accessSync(nearest, constants.W_OK)
  } catch (error) {
    throw StoreError.cannotWrite(nearest === path.resolve(dir) ? dir : `${dir} in ${nearest}`, error)
  }
}

/** True where nothing lies but what another process is just writing, and files that begin with a dot. */
const isEmptyFolder = (dir: string): boolean =>
  readdirSync(dir).every((name) => name.startsWith('.') || name.endsWith('.tmp'))

/** What cannot be read is taken for something else. */
function readableOr<T>(otherwise: T, read: () => T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}
