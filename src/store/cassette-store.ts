/** Cassettes on disk. Opening one reads names, not bodies; recording one interaction costs the same at any size. */
import { isUtf8 } from 'node:buffer'
import { accessSync, constants, existsSync, readdirSync, rmSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import {
  bodiesApart,
  decodeInteraction,
  type EncodedInteraction,
  encodeInteraction,
} from '../cassette/format.ts'
import type { Interaction } from '../cassette/interaction.ts'
import { type Manifest, newManifest } from '../cassette/manifest.ts'
import { describedFolder, folderOf, interactionPath, keyInName, modulePathIn } from '../cassette/name.ts'
import { decodePageStates, encodePageStates, type PageStates, pagesFile } from '../cassette/page-states.ts'
import { readJson } from '../json/read.ts'
import type { JsonTree } from '../json/tree.ts'
import { writePretty } from '../json/write.ts'
import type { RequestKey } from '../request/key.ts'
import { decodeModule, type ModuleDescription } from '../wiki/modules.ts'
import { StoreError } from './errors.ts'
import { notUtf8, readText, syncFile, syncFileAside, writeWhole } from './files.ts'
import { type Footing, type Marks, marksCount, marksOf, sameMarks, stands, wasLeftAlone } from './footing.ts'
import { bytesInside, entriesIn, isInside, leadsOut, ordinaryIn, readNames } from './inside.ts'
import { KeyTable } from './key-table.ts'
import { Lookout, nextLook, settling } from './lookout.ts'
import { ManifestFile } from './manifest-file.ts'
import { RecordedFiles } from './recorded-files.ts'
import type { Found, Store } from './store.ts'

export interface Opening {
  /** Milliseconds that a file must have been left alone to count as unchanged; 2000 unless given. */
  readonly settling?: number | undefined
}

export class CassetteStore implements Store {
  /** Its folder, as it is named. */
  readonly dir: string
  /** Where its files lie: its folder, or a copy of it until what is recorded may stay. */
  readonly #place: string
  /** The names of what lies there. */
  #index: Names
  readonly #modules = new Map<string, ModuleDescription | undefined>()
  readonly #unsynced = new Set<string>()
  /** What is being forced to the disk just now. */
  readonly #syncing = new Set<string>()
  #manifest: ManifestFile
  readonly #files: RecordedFiles
  readonly #settling: number
  readonly #lookout: Lookout
  /** Before what is known of it was read, in milliseconds since 1970. */
  #since: number
  #state = 0
  /** The files that bodies of a recording were read from, by its own. */
  readonly #beside = new Map<string, readonly string[]>()
  readonly #inFolders = new Map<string, FolderLook>()
  /** Folders that were looked at in this turn of the event loop: one request asks several times, and reads in between. */
  readonly #justSeen = new Set<string>()

  private constructor(
    place: string,
    read: Pick<CassetteStore, 'dir'> & { readonly manifest: ManifestFile; readonly index: Names },
    since: number,
    opening: Opening = {},
  ) {
    this.dir = read.dir
    this.#place = place
    this.#files = new RecordedFiles(place)
    this.#manifest = read.manifest
    this.#index = read.index
    this.#since = since
    this.#settling = opening.settling ?? settling
    this.#lookout = new Lookout(place, this.#settling)
  }

  /**
   * Opens an existing cassette.
   * @throws StoreError where there is none, or none that this version reads.
   */
  static open(dir: string, place: string = dir, opening: Opening = {}): CassetteStore {
    const since = Date.now()
    const stat = statOf(dir)
    if (stat === undefined) throw StoreError.missing(dir)
    if (!stat.isDirectory()) throw StoreError.notAFolder(dir)
    const manifest = ManifestFile.read(place)
    if (manifest === undefined) throw StoreError.noManifest(dir, listPaths(dir).length)
    return new CassetteStore(place, { dir, manifest, index: indexOf(place) }, since, opening)
  }

  /**
   * Opens a cassette to record into, a new one where nothing lies there.
   * @param day on which a new one is begun
   * @param stage names where to record meanwhile, with a copy of what lies in the folder. @throws StoreError
   */
  static openOrCreate(
    dir: string,
    upstream: string,
    day?: string,
    stage: (dir: string) => string = (same) => same,
  ): CassetteStore {
    const stat = statOf(dir)
    if (stat !== undefined && !stat.isDirectory()) throw StoreError.notAFolder(dir)
    mustBeWritable(dir)
    if (stat !== undefined && !isEmptyFolder(dir)) return CassetteStore.open(dir, stage(dir))
    const place = stage(dir)
    const manifest = ManifestFile.begun(place, newManifest(upstream, day))
    return new CassetteStore(place, { dir, manifest, index: emptyIndex() }, Date.now())
  }

  get #paths(): KeyTable {
    return this.#index.paths
  }

  /**
   * Another number when names, manifest or descriptions are no longer what they were, which are read anew then; a manifest
   * that cannot be read any more holds on. Looked at no more than ten times a second.
   * @param folder whose recordings are to be the same as well: the more there are the less often anybody looks
   */
  state(folder?: string): number {
    if (this.#lookout.sees(() => this.#index.folders, this.#since)) this.#readAgain()
    if (folder !== undefined && !this.#justSeen.has(folder) && this.#sees(folder)) this.#state += 1
    return this.#state
  }

  #readAgain(): void {
    this.#since = Date.now()
    this.#manifest = readableOr(undefined, () => ManifestFile.read(this.#place)) ?? this.#manifest
    this.#index = readableOr(emptyIndex(), () => indexOf(this.#place))
    this.#modules.clear()
    this.#inFolders.clear()
    this.#lookout.rest(this.#index.folders, this.#since)
    this.#state += 1
  }

  /** True where recordings of a folder are others than when it was looked at before, or may be. */
  #sees(folder: string): boolean {
    if (this.#justSeen.size === 0) setImmediate(() => this.#justSeen.clear())
    this.#justSeen.add(folder)
    const [now, since] = [performance.now(), Date.now()]
    const known = this.#inFolders.get(folder)
    if (known === undefined) {
      // They are about to be read, which takes long enough: what they look like is told where somebody asks once more.
      this.#inFolders.set(folder, {
        marks: undefined,
        since,
        again: Number.POSITIVE_INFINITY,
        next: nextLook(now),
      })
      return false
    }
    if (now < known.next) return false
    const marks = [...this.#paths.entriesIn(folder)].map(([, file]) => marksOf(path.join(this.#place, file)))
    const isYoung = (moment: number): boolean =>
      marks.some((one) => one === undefined || !wasLeftAlone(one, moment, this.#settling))
    // What is too young to be told from what it may become is read once more when it no longer is.
    const again = isYoung(since) ? since + this.#settling : Number.POSITIVE_INFINITY
    this.#inFolders.set(folder, { marks, since, again, next: nextLook(now) })
    if (since > known.again) return true
    return known.marks === undefined ? isYoung(known.since) : !sameMarksAll(marks, known.marks)
  }

  /**
   * What tells later whether a recording is still what was read; undefined where nothing could: too young, or a link.
   * @param since before it was read, in milliseconds since 1970
   */
  footing(key: RequestKey, since: number): Footing | undefined {
    const file = this.#paths.get(key)
    const footing: (readonly [string, Marks])[] = []
    for (const name of file === undefined ? [] : [file, ...(this.#beside.get(file) ?? [])]) {
      const marks = this.#files.marks(name)
      if (marks === undefined || !wasLeftAlone(marks, since, this.#settling)) return undefined
      footing.push([name, marks])
    }
    return file === undefined ? undefined : footing
  }

  stands(footing: Footing): boolean {
    return stands(this.#place, footing)
  }

  get manifest(): Manifest {
    return this.#manifest.value
  }

  get size(): number {
    return this.#paths.size
  }

  /** Every key with the path of its file inside the cassette, `/` as separator, in a stable order. */
  *paths(): IterableIterator<readonly [RequestKey, string]> {
    yield* [...this.#paths.entries()].sort(byPath)
  }

  has(key: RequestKey): boolean {
    return this.#paths.has(key)
  }

  /** @param mostBeside bytes of bodies beside the interaction's file that are read: a stranger's may name any file */
  find(key: RequestKey, mostBeside: number = Number.POSITIVE_INFINITY): Found {
    const known = this.#paths.get(key)
    return known === undefined ? { kind: 'absent' } : this.#read(known, mostBeside)
  }

  /** Looks again on the disk for a file that another process may have written since this cassette was opened. */
  refind(key: RequestKey, request: Interaction['request']): Found {
    if (!this.#paths.has(key) && this.#mayHaveMore(request)) {
      const file = interactionPath(request, key)
      if (existsSync(path.join(this.#place, file)) && isInside(this.#place, file)) this.#paths.set(key, file)
    }
    return this.find(key)
  }

  /** False where nothing was added to a folder since its names were read, as its own marks tell. */
  #mayHaveMore(request: Interaction['request']): boolean {
    if (this.#index.settled.size === 0) return true
    const folder = folderOf(request)
    const marked = this.#index.settled.get(folder)
    const now = marked && this.#files.folder(folder)
    return marked === undefined || now === undefined || !sameMarks(marked, now)
  }

  /** The folders that hold interactions, sorted: one for each combination of modules. */
  folders(): readonly string[] {
    return this.#paths.folders()
  }

  /** The interactions of one folder, e.g. all batches of a listing lie in `query.allpages`. */
  *inFolder(folder: string): IterableIterator<Found> {
    const plain = ordinaryIn(this.#place, folder)
    for (const [, file] of [...this.#paths.entriesIn(folder)].sort(byPath))
      yield this.#read(file, Number.POSITIVE_INFINITY, plain.has(file.slice(folder.length + 1)))
  }

  /** The same, less what cannot be read. */
  *interactionsIn(folder: string): IterableIterator<Interaction> {
    for (const found of this.inFolder(folder)) if (found.kind === 'found') yield found.interaction
  }

  /**
   * Writes an interaction before it returns.
   * @param mayWrite sees the path, the text and the bodies beside it; where it says no, nothing is written and false is returned
   * @throws StoreError where the disk refuses
   */
  put(interaction: Interaction, mayWrite: (content: string | Uint8Array) => boolean = () => true): boolean {
    const file = this.pathFor(interaction)
    const encoded = encodeInteraction(interaction, path.basename(file, '.json'))
    if (![file, encoded.text, ...bodiesApart(interaction.responses)].every(mayWrite)) return false
    this.putEncoded(interaction.key, file, encoded)
    return true
  }

  /** Where an interaction lies, or is going to: relative to the cassette's folder. */
  pathFor({ key, request }: Pick<Interaction, 'key' | 'request'>): string {
    return this.#paths.get(key) ?? interactionPath(request, key)
  }

  /** Writes an interaction that is encoded already. @throws StoreError where the disk refuses */
  putEncoded(
    key: RequestKey,
    file: string,
    { text, beside }: Pick<EncodedInteraction, 'beside'> & { readonly text: string | Uint8Array },
  ): void {
    this.#saveManifest()
    for (const [name, bytes] of beside) this.#write(path.posix.join(path.posix.dirname(file), name), bytes)
    this.#write(file, text)
    this.#paths.set(key, file)
  }

  /** Deletes an interaction's file; what is not there needs no deletion. */
  drop(key: RequestKey): void {
    const file = this.#paths.get(key)
    if (file === undefined) return
    rmSync(path.join(this.#place, file), { force: true })
    for (const beside of besideOf(path.join(this.#place, file))) rmSync(beside, { force: true })
    this.#paths.delete(key)
  }

  setManifest(manifest: Manifest): void {
    this.#manifest.set(manifest)
    if (this.#paths.size > 0) this.#saveManifest()
  }

  /** Writes the manifest also where nothing is recorded yet. @throws StoreError */
  begin(): void {
    this.#saveManifest()
  }

  /** What the wiki said of a module, read once. */
  module(modulePath: string): ModuleDescription | undefined {
    if (!this.#modules.has(modulePath)) this.#modules.set(modulePath, this.#readModule(modulePath))
    return this.#modules.get(modulePath)
  }

  /** The same as JSON, as the wiki said it; undefined where it was not asked. */
  describedText(modulePath: string): string | undefined {
    const file = path.join(this.#place, modulePathIn(modulePath))
    const text = isInside(this.#place, modulePathIn(modulePath))
      ? readWith(file, () => readText(file))
      : undefined
    return text === undefined || isOfAnotherCase(text, modulePath) ? undefined : text
  }

  putModule(
    modulePath: string,
    description: JsonTree,
    mayWrite: (text: string) => boolean = () => true,
  ): void {
    const text = `${writePretty(description)}\n`
    if (!mayWrite(text)) return
    this.#saveManifest()
    this.#write(modulePathIn(modulePath), text)
    this.#modules.delete(modulePath)
  }

  /** In which state pages were; nothing where nobody asked. @throws StoreError where the file cannot be read */
  pageStates(): PageStates {
    const file = path.join(this.#place, pagesFile)
    const text = isInside(this.#place, pagesFile) ? readWith(file, () => readText(file)) : undefined
    if (text === undefined) return new Map()
    const reading = decodePageStates(text)
    if (!reading.ok) throw StoreError.broken(file, reading.fault)
    return reading.states
  }

  /** Adds to what is known of pages; of one page the newest counts. @throws StoreError */
  putPageStates(states: PageStates, mayWrite: (text: string) => boolean = () => true): void {
    const known = this.pageStates()
    const text = encodePageStates(new Map([...known, ...states]))
    if (states.size === 0 || text === encodePageStates(known) || !mayWrite(text)) return
    this.#saveManifest()
    this.#write(pagesFile, text)
  }

  /** Forces to the disk what was written since the last checkpoint. */
  checkpoint(): void {
    if (this.#manifest.isOverwritten()) this.#saveManifest()
    for (const file of [...this.#syncing, ...this.#unsynced]) syncFile(path.join(this.#place, file))
    this.#unsynced.clear()
  }

  /** The same in another thread. One at a time: where the disk is slow the next finds the more to do. */
  async checkpointAside(): Promise<void> {
    if (this.#manifest.isOverwritten()) this.#saveManifest()
    if (this.#syncing.size > 0) return
    for (const file of this.#unsynced) this.#syncing.add(file)
    this.#unsynced.clear()
    for (const file of [...this.#syncing])
      try {
        await syncFileAside(path.join(this.#place, file))
        this.#syncing.delete(file)
      } catch (error) {
        for (const left of this.#syncing) this.#unsynced.add(left)
        this.#syncing.clear()
        throw error
      }
  }

  /** @param known whether it was just seen to be an ordinary file, of which all is wanted */
  #read(file: string, mostBeside: number = Number.POSITIVE_INFINITY, known = false): Found {
    const whole = path.join(this.dir, file)
    const besides: string[] = []
    let left = mostBeside
    try {
      const source = known
        ? readText(path.join(this.#place, file))
        : (this.#files.read(file) ?? bytesInside(this.#place, file))
      if (source === undefined) return { kind: 'absent' }
      if (typeof source !== 'string' && !isUtf8(source)) throw new Error(notUtf8)
      const reading = decodeInteraction(source, {
        read: (name) => {
          const beside = path.posix.join(path.posix.dirname(file), path.basename(name))
          if (!isInside(this.#place, beside)) return undefined
          left -= statSync(path.join(this.#place, beside), { throwIfNoEntry: false })?.size ?? 0
          besides.push(beside)
          if (left < 0) throw new Error(`the bodies beside it have more than ${mostBeside} bytes`)
          return bytesInside(this.#place, beside)
        },
      })
      if (!reading.ok) return { kind: 'broken', path: whole, fault: reading.fault }
      if (besides.length > 0) this.#beside.set(file, besides)
      else if (this.#beside.size > 0) this.#beside.delete(file)
      return { kind: 'found', interaction: reading.interaction, path: whole }
    } catch (error) {
      return { kind: 'broken', path: whole, fault: { line: 1, column: 1, message: whyUnreadable(error) } }
    }
  }

  #readModule(modulePath: string): ModuleDescription | undefined {
    const file = path.join(this.#place, modulePathIn(modulePath))
    const text = this.describedText(modulePath)
    if (text === undefined) return undefined
    const description = readableOr(undefined, () => ({ value: parsed(text) }))
    if (description !== undefined) return decodeModule(description.value)
    // Read once more by what knows where it is broken.
    const reading = readJson(text)
    throw StoreError.broken(
      file,
      reading.ok ? { line: 1, column: 1, message: 'it is no JSON' } : reading.fault,
    )
  }

  #saveManifest(): void {
    this.#manifest.save((name, text) => this.#write(name, text))
  }

  #write(file: string, content: string | Uint8Array): void {
    try {
      if (!isInside(this.#place, file)) throw new Error(leadsOut)
      writeWhole(path.join(this.#place, file), content)
    } catch (error) {
      throw StoreError.cannotWrite(path.join(this.#place, file), error)
    }
    this.#unsynced.add(file)
  }
}

function statOf(dir: string): Stats | undefined {
  try {
    return statSync(dir, { throwIfNoEntry: false })
  } catch (error) {
    throw StoreError.unreadable(dir, error)
  }
}

/** Looks no further than the nearest folder that is there: nothing is made before something is recorded. */
function mustBeWritable(dir: string): void {
  const parent = path.dirname(dir)
  if (!existsSync(dir) && parent !== dir) {
    mustBeWritable(parent)
    return
  }
  try {
    accessSync(dir, constants.W_OK)
  } catch (error) {
    throw StoreError.cannotWrite(dir, error)
  }
}

/** True where nothing lies but what another process is just writing, and files that begin with a dot. */
const isEmptyFolder = (dir: string): boolean =>
  readdirSync(dir).every((name) => name.startsWith('.') || name.endsWith('.tmp'))

/** Where file systems do not tell case apart, the file of `query` is found for `Query`, which is no module. */
function isOfAnotherCase(description: string, modulePath: string): boolean {
  const told = /"path":\s*"([^"]*)"/.exec(description)?.[1]
  return told !== undefined && told !== modulePath && told.toLowerCase() === modulePath.toLowerCase()
}

/** Bodies that lie beside an interaction's file. */
function besideOf(file: string): readonly string[] {
  const [folder, stem] = [path.dirname(file), `${path.basename(file, '.json')}.`]
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names
    .filter((name) => name.startsWith(stem) && /^\d+\.bin$/.test(name.slice(stem.length)))
    .map((name) => path.join(folder, name))
}

const whyUnreadable = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** @throws StoreError that names the file */
function readWith<T>(file: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw StoreError.broken(file, { line: 1, column: 1, message: whyUnreadable(error) })
  }
}

const parsed = (text: string): unknown => JSON.parse(text.replace(/^\ufeff/, ''))

/** The recordings of a folder as they were seen, and when they are to be seen and read again. */
interface FolderLook {
  /** Undefined where they were only read. */
  readonly marks: readonly (Marks | undefined)[] | undefined
  /** Before they were read, in milliseconds since 1970. */
  readonly since: number
  /** By the clock of `performance.now`. */
  readonly next: number
  /** In milliseconds since 1970. */
  readonly again: number
}

type AllMarks = NonNullable<FolderLook['marks']>

const sameMarksAll = (a: AllMarks, b: AllMarks): boolean =>
  a.length === b.length &&
  a.every((marks, at) => {
    const other = b[at]
    return marks === other || (marks !== undefined && other !== undefined && sameMarks(marks, other))
  })

/** What cannot be read is taken for something else. */
function readableOr<T>(otherwise: T, read: () => T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

interface Names {
  readonly paths: KeyTable
  /** Every folder, however deep. */
  readonly folders: readonly string[]
  /** The marks of folders that had been left alone when their names were read, where marks count. */
  readonly settled: ReadonlyMap<string, Marks>
}

const emptyIndex = (): Names => ({ paths: new KeyTable(), folders: [], settled: new Map() })

/** Every interaction file; two files for one key: the first by path counts, `check` tells. */
function indexOf(dir: string): Names {
  const names = {
    paths: new KeyTable(),
    folders: [] as string[],
    settled: new Map<string, Marks>(),
  }
  const began = Date.now()
  const count = marksCount(dir)
  const left = ['']
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    if (folder !== '') names.folders.push(folder)
    // It is told before its own names are read.
    const marks = folder !== '' && count ? marksOf(path.join(dir, folder)) : undefined
    if (marks !== undefined && wasLeftAlone(marks, began, settling)) names.settled.set(folder, marks)
    const isDescribed = folder === describedFolder || folder.startsWith(`${describedFolder}/`)
    const take = (name: string): void => {
      if (!isDescribed) names.paths.add(folder, name)
    }
    readNames(path.join(dir, folder), {
      file: take,
      // One that is named like a recording is told as a broken one.
      folder: (name) => {
        take(name)
        left.push(folder === '' ? name : `${folder}/${name}`)
      },
    })
  }
  names.folders.sort()
  return names
}

const byPath = (a: readonly [unknown, string], b: readonly [unknown, string]): number =>
  a[1] < b[1] ? -1 : 1

/** The paths of all interaction files of a folder, sorted. */
export const listPaths = (dir: string): readonly string[] =>
  [...entriesIn(dir)].flatMap(({ file, odd }) => (isRecording(file, odd) ? [file] : [])).sort()

const isRecording = (file: string, odd: boolean): boolean =>
  !odd && keyInName(file) !== undefined && !file.startsWith(`${describedFolder}/`)
