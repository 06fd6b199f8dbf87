/**
 * Where the recordings of a cassette lie, by key. Every start reads the names of all of them, so they are kept as they
 * come: a key as a number in a table, a path in two parts that are put together for those that are asked for.
 */
import type { RequestKey } from '../request/key.ts'

/** Hex digits of a key, and characters behind it in a file's name. */
const digits = 12
const ending = '.json'
/** A key is read in two halves of this many values, each of them small enough to be quick. */
const half = 2 ** 24

export class KeyTable {
  readonly #names: (string | undefined)[] = []
  #keys = new Float64Array(1024)
  /** Which of the folders an entry lies in. */
  #at = new Uint32Array(1024)
  /** One more than the number of an entry, zero where there is none. */
  #slots = new Uint32Array(4096)
  readonly #folders: string[] = []
  readonly #folderAt = new Map<string, number>()
  /** Nobody can make up names whose places meet. */
  readonly #seed = Math.floor(Math.random() * 2 ** 32) | 1
  #size = 0

  /** How many recordings. */
  get size(): number {
    return this.#size
  }

  /**
   * Takes a name up that was read, unless it is not that of a recording, or one of the same key comes before it by path.
   * @param folder relative to the cassette's, without `/` at its end; empty for its own
   */
  add(folder: string, name: string): void {
    const key = keyInFile(name)
    if (key === undefined) return
    const entry = this.#entryOf(key)
    const known = this.#pathOf(entry)
    if (known === undefined || joined(folder, name) < known) this.#put(entry, key, folder, name)
  }

  /** @param file its path, `/` as separator */
  set(key: RequestKey, file: string): void {
    const cut = file.lastIndexOf('/')
    const number = numberOfKey(key)
    if (number === undefined) throw new Error(`expected a key: ${key}`)
    this.#put(this.#entryOf(number), number, file.slice(0, Math.max(cut, 0)), file.slice(cut + 1))
  }

  /** Its path, `/` as separator. */
  get(key: RequestKey): string | undefined {
    const number = numberOfKey(key)
    return number === undefined ? undefined : this.#pathOf(this.#entryOf(number))
  }

  has(key: RequestKey): boolean {
    const number = numberOfKey(key)
    return number !== undefined && this.#names[this.#entryOf(number)] !== undefined
  }

  delete(key: RequestKey): void {
    const number = numberOfKey(key)
    const entry = number === undefined ? this.#names.length : this.#entryOf(number)
    if (this.#names[entry] === undefined) return
    this.#names[entry] = undefined
    this.#size -= 1
  }

  /** Every key with its path, in any order; what is added meanwhile comes, too. */
  *entries(): IterableIterator<readonly [RequestKey, string]> {
    for (let entry = 0; entry < this.#names.length; entry += 1) {
      const path = this.#pathOf(entry)
      if (path !== undefined) yield [this.#keyOf(entry), path]
    }
  }

  /** The same of one folder and those below it. */
  *entriesIn(folder: string): IterableIterator<readonly [RequestKey, string]> {
    for (let entry = 0; entry < this.#names.length; entry += 1) {
      const own = this.#folders[this.#at[entry] ?? 0] ?? ''
      const path = own === folder || own.startsWith(`${folder}/`) ? this.#pathOf(entry) : undefined
      if (path !== undefined) yield [this.#keyOf(entry), path]
    }
  }

  /** The folders in the cassette's own that hold recordings, in the order of their paths. */
  folders(): readonly string[] {
    const held = new Set<number>()
    for (const [entry, name] of this.#names.entries()) if (name !== undefined) held.add(this.#at[entry] ?? 0)
    const tops = [...held]
      .map((at) => `${(this.#folders[at] ?? '').split('/')[0]}/`)
      .filter((top) => top !== '/')
    return [...new Set(tops)].sort().map((top) => top.slice(0, -1))
  }

  /** The entry of a key, or the number that the next one is going to have. */
  #entryOf(key: number): number {
    const slots = this.#slots
    for (let slot = this.#slotOf(key); ; slot = (slot + 1) & (slots.length - 1)) {
      const entry = (slots[slot] ?? 0) - 1
      if (entry < 0) return this.#names.length
      if (this.#keys[entry] === key) return entry
    }
  }

  /** Where to begin to look for a key. */
  #slotOf(key: number): number {
    const mixed = Math.imul(Math.imul((key / half) | 0, this.#seed) ^ key, this.#seed)
    return (mixed ^ (mixed >>> 15)) & (this.#slots.length - 1)
  }

  #put(entry: number, key: number, folder: string, name: string): void {
    if (entry === this.#names.length) this.#begin(entry, key)
    if (this.#names[entry] === undefined) this.#size += 1
    this.#names[entry] = name
    this.#at[entry] = this.#numberOf(folder)
  }

  /** Names come folder by folder. */
  #numberOf(folder: string): number {
    const last = this.#folders.length - 1
    if (this.#folders[last] === folder) return last
    const known = this.#folderAt.get(folder)
    if (known !== undefined) return known
    this.#folderAt.set(folder, last + 1)
    return this.#folders.push(folder) - 1
  }

  /** Makes room for another entry. */
  #begin(entry: number, key: number): void {
    this.#names.push(undefined)
    if (entry === this.#keys.length) this.#grow()
    this.#keys[entry] = key
    this.#enter(entry, key)
  }

  #grow(): void {
    const [keys, at] = [this.#keys, this.#at]
    this.#keys = new Float64Array(4 * keys.length)
    this.#keys.set(keys)
    this.#at = new Uint32Array(4 * at.length)
    this.#at.set(at)
    this.#slots = new Uint32Array(4 * this.#slots.length)
    for (let entry = 0; entry < keys.length; entry += 1) this.#enter(entry, keys[entry] ?? 0)
  }

  #enter(entry: number, key: number): void {
    let slot = this.#slotOf(key)
    while (this.#slots[slot] !== 0) slot = (slot + 1) & (this.#slots.length - 1)
    this.#slots[slot] = entry + 1
  }

  #pathOf(entry: number): string | undefined {
    const name = this.#names[entry]
    return name === undefined ? undefined : joined(this.#folders[this.#at[entry] ?? 0] ?? '', name)
  }

  #keyOf(entry: number): RequestKey {
    return (this.#keys[entry] ?? 0).toString(16).padStart(digits, '0') as RequestKey
  }
}

const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

/** The key at the end of a recording's name, as `keyInName` finds it; undefined for other files. */
function keyInFile(name: string): number | undefined {
  const from = name.length - ending.length - digits
  if (from < 0 || (from > 0 && name[from - 1] !== '.') || !name.endsWith(ending)) return undefined
  return numberAt(name, from)
}

const numberOfKey = (key: RequestKey): number | undefined =>
  key.length === digits ? numberAt(key, 0) : undefined

/** What the digits of a key make as a number; undefined where they are no lower-case hex. */
function numberAt(text: string, from: number): number | undefined {
  const [head, tail] = [halfAt(text, from), halfAt(text, from + digits / 2)]
  return head < 0 || tail < 0 ? undefined : head * half + tail
}

/** Negative where the digits are none. */
function halfAt(text: string, from: number): number {
  let value = 0
  for (let at = from; at < from + digits / 2; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) value = value * 16 + code - 48
    else if (code >= 97 && code <= 102) value = value * 16 + code - 87
    else return -1
  }
  return value
}
