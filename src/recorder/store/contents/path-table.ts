/** A map from keys to paths in typed arrays: a million take 65 MB off the heap, in a `Map` 190 MB on it (docs/decisions/0196). */
import type { RequestKey } from '../../request/request-key.ts'
import { deleted, Slots } from './slots.ts'

/** Every path ends in its key and this. */
const ending = '.json'
/** Before each name: its length, the number of its folder, and its key. */
const folderAt = 4
const keyAt = 8
const keyBytes = 6
const headBytes = keyAt + keyBytes
interface Folder {
  /** Empty for the cassette's own. */
  readonly path: string
  readonly id: number
  files: number
}

export class PathTable {
  #slots = new Slots(64)
  /** Slots that are not empty. */
  #slotsUsed = 0
  #size = 0
  /** Names without key and ending, in UTF-8, each after what is known of it: they are searched from one to the next. */
  #names = Buffer.allocUnsafe(4096)
  #namesUsed = 0
  readonly #folders: Folder[] = []
  readonly #foldersByPath = new Map<string, Folder>()

  get size(): number {
    return this.#size
  }

  get(key: RequestKey): string | undefined {
    const slot = this.#slots.find(numberOf(key))
    return this.#slots.isOccupied(slot)
      ? this.#pathAt(this.#offsetAt(slot), key)
      : undefined
  }

  has(key: RequestKey): boolean {
    return this.#slots.isOccupied(this.#slots.find(numberOf(key)))
  }

  /**
   * @param folder empty for the cassette's own. @param name of the file, which ends in its key
   * @param isBetter whether it replaces the path that is there
   */
  set(
    key: RequestKey,
    folder: string,
    name: string,
    isBetter?: (known: string) => boolean
  ): void {
    if (2 * this.#slotsUsed >= this.#slots.keys.length) {
      this.#slots = this.#slots.larger()
      this.#slotsUsed = this.#size
    }
    const number = numberOf(key)
    const slot = this.#slots.find(number)
    if (this.#slots.isOccupied(slot)) {
      if (isBetter?.(this.#pathAt(this.#offsetAt(slot), key)) === false) return
      this.#free(slot)
    }
    if (this.#slots.keys[slot] === 0) this.#slotsUsed += 1
    const { id } = this.#addTo(folder)
    const offset = this.#append(name.slice(0, -(key.length + ending.length)))
    this.#names.writeUInt32LE(id, offset + folderAt)
    this.#names.writeUIntBE(number - 1, offset + keyAt, keyBytes)
    this.#slots.keys[slot] = number
    this.#slots.offsets[slot] = offset
  }

  delete(key: RequestKey): void {
    const slot = this.#slots.find(numberOf(key))
    if (this.#slots.isOccupied(slot)) this.#free(slot)
  }

  /** The top folders that hold files, sorted as paths in them are. */
  folders(): readonly string[] {
    const used = this.#folders.filter(({ path, files }) => files > 0 && path !== '')
    const topFolders = new Set(used.map(({ path }) => `${path.split('/', 1)[0]}/`))
    return [...topFolders].sort().map((top) => top.slice(0, -1))
  }

  /** How many files a folder has, with all below it. */
  countIn(folder: string): number {
    return this.#folders.reduce(
      (sum, { path, files }) => sum + (isIn(folder, path) ? files : 0),
      0
    )
  }

  /** Sorted by path. @param folder with all below it; the whole cassette unless given */
  entries(folder?: string): readonly (readonly [RequestKey, string])[] {
    const isWanted = this.#folders.map(
      ({ path }) => folder === undefined || isIn(folder, path)
    )
    const found: (readonly [RequestKey, string])[] = []
    this.#visit(
      isWanted,
      (_names, _start, _end, place) => void found.push(this.entryAt(place))
    )
    return found.sort(([, a], [, b]) => (a < b ? -1 : 1))
  }

  /** Places of names are below this. */
  get end(): number {
    return this.#namesUsed
  }

  /**
   * Calls for the name of each file of a folder, with all below it, as bytes and without key and ending; in the order in
   * which they came.
   * @param visit gets a number by which `entryAt` knows the file
   * @param from 0, or what the call before returned. @param bytes that are gone through, or a little more
   * @returns where the next call goes on
   */
  visitNames(
    folder: string,
    visit: VisitName,
    from = 0,
    bytes: number = this.end
  ): number {
    const isWanted = this.#folders.map(({ path }) => isIn(folder, path))
    return this.#visit(isWanted, visit, from, from + bytes)
  }

  #visit(isWanted: readonly boolean[], visit: VisitName, from = 0, to = this.end) {
    const names = this.#names
    const last = Math.min(to, this.end)
    let at = from
    while (at < last) {
      const start = at + headBytes
      const end = start + names.readUInt32LE(at)
      // A dot stands before the key.
      if (isWanted[names.readUInt32LE(at + folderAt)])
        visit(names, start, Math.max(start, end - 1), at)
      at = end
    }
    return at
  }

  /** A file by the number that `visitNames` gave it. */
  entryAt(place: number): readonly [RequestKey, string] {
    const key = this.keyAt(place)
    return [key, this.#pathAt(place, key)]
  }

  keyAt(place: number): RequestKey {
    return this.#names.toString('hex', place + keyAt, place + headBytes) as RequestKey
  }

  #offsetAt(slot: number) {
    return this.#slots.offsets[slot] ?? 0
  }

  #folderOf(offset: number) {
    return this.#folders[this.#names.readUInt32LE(offset + folderAt)]
  }

  #pathAt(offset: number, key: RequestKey) {
    const start = offset + headBytes
    const name = this.#names.toString(
      'utf8',
      start,
      start + this.#names.readUInt32LE(offset)
    )
    const folder = this.#folderOf(offset)?.path ?? ''
    return `${folder === '' ? '' : `${folder}/`}${name}${key}${ending}`
  }

  #addTo(path: string) {
    let folder = this.#foldersByPath.get(path)
    if (!folder) {
      folder = { path, id: this.#folders.length, files: 0 }
      this.#folders.push(folder)
      this.#foldersByPath.set(path, folder)
    }
    folder.files += 1
    this.#size += 1
    return folder
  }

  #free(slot: number) {
    const offset = this.#offsetAt(slot)
    const folder = this.#folderOf(offset)
    if (folder) folder.files -= 1
    this.#size -= 1
    this.#names.writeUInt32LE(deleted, offset + folderAt)
    this.#slots.offsets[slot] = deleted
  }

  /** @returns where it begins */
  #append(name: string) {
    const offset = this.#namesUsed
    const maxEnd = offset + headBytes + 3 * name.length
    if (maxEnd > this.#names.length) {
      const larger = Buffer.allocUnsafe(2 * maxEnd)
      this.#names.copy(larger, 0, 0, offset)
      this.#names = larger
    }
    const length = this.#names.write(name, offset + headBytes)
    this.#names.writeUInt32LE(length, offset)
    this.#namesUsed = offset + headBytes + length
    return offset
  }
}

export type VisitName = (names: Buffer, start: number, end: number, place: number) => void

const isIn = (folder: string, path: string) =>
  path === folder || path.startsWith(`${folder}/`)

/** One more than the key, so that none is 0. */
const numberOf = (key: RequestKey) => Number.parseInt(key, 16) + 1
