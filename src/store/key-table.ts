/**
 * Where the recordings of a cassette lie, by key. Every start reads the names of all of them, so they are kept as they
 * come: a path in two parts, that are put together for those that are asked for.
 */
import type { RequestKey } from '../request/key.ts'
import { KeyRows, keyDigits, numberAt, numberOfKey } from './key-rows.ts'

/** What stands behind the key in a file's name. */
const ending = '.json'

export class KeyTable {
  readonly #rows = new KeyRows()
  /** By row; undefined for one that was deleted. */
  readonly #names: (string | undefined)[] = []
  /** Which of the folders it lies in, by row. */
  readonly #at: number[] = []
  readonly #folders: string[] = []
  readonly #folderAt = new Map<string, number>()
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
    const row = this.#rows.rowOf(key)
    const known = this.#pathOf(row)
    if (known === undefined || joined(folder, name) < known) this.#put(row, key, folder, name)
  }

  /** @param file its path, `/` as separator */
  set(key: RequestKey, file: string): void {
    const cut = file.lastIndexOf('/')
    const number = numberOfKey(key)
    if (number === undefined) throw new Error(`expected a key: ${key}`)
    this.#put(this.#rows.rowOf(number), number, file.slice(0, Math.max(cut, 0)), file.slice(cut + 1))
  }

  /** Its path, `/` as separator. */
  get(key: RequestKey): string | undefined {
    return this.#pathOf(this.#rowOf(key))
  }

  has(key: RequestKey): boolean {
    return this.#names[this.#rowOf(key)] !== undefined
  }

  delete(key: RequestKey): void {
    const row = this.#rowOf(key)
    if (this.#names[row] === undefined) return
    this.#names[row] = undefined
    this.#size -= 1
  }

  /** Every key with its path, in any order; what is added meanwhile comes, too. */
  *entries(): IterableIterator<readonly [RequestKey, string]> {
    for (let row = 0; row < this.#names.length; row += 1) {
      const path = this.#pathOf(row)
      if (path !== undefined) yield [this.#rows.keyOf(row), path]
    }
  }

  /** The same of one folder and those below it. */
  *entriesIn(folder: string): IterableIterator<readonly [RequestKey, string]> {
    for (let row = 0; row < this.#names.length; row += 1) {
      const own = this.#folders[this.#at[row] ?? 0] ?? ''
      const path = own === folder || own.startsWith(`${folder}/`) ? this.#pathOf(row) : undefined
      if (path !== undefined) yield [this.#rows.keyOf(row), path]
    }
  }

  /** The folders in the cassette's own that hold recordings, in the order of their paths. */
  folders(): readonly string[] {
    const held = new Set<number>()
    for (const [row, name] of this.#names.entries()) if (name !== undefined) held.add(this.#at[row] ?? 0)
    const tops = [...held].map((at) => `${(this.#folders[at] ?? '').split('/')[0]}/`)
    return [...new Set(tops)]
      .filter((top) => top !== '/')
      .sort()
      .map((top) => top.slice(0, -1))
  }

  /** As many as there are for what is no key of it. */
  #rowOf(key: RequestKey): number {
    const number = numberOfKey(key)
    return number === undefined ? this.#rows.count : this.#rows.rowOf(number)
  }

  #put(row: number, key: number, folder: string, name: string): void {
    if (row === this.#rows.count) this.#rows.add(key)
    if (this.#names[row] === undefined) this.#size += 1
    this.#names[row] = name
    this.#at[row] = this.#numberOf(folder)
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

  #pathOf(row: number): string | undefined {
    const name = this.#names[row]
    return name === undefined ? undefined : joined(this.#folders[this.#at[row] ?? 0] ?? '', name)
  }
}

const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

/** The key at the end of a recording's name, as `keyInName` finds it; undefined for other files. */
function keyInFile(name: string): number | undefined {
  const from = name.length - ending.length - keyDigits
  if (from < 0 || (from > 0 && name[from - 1] !== '.') || !name.endsWith(ending)) return undefined
  return numberAt(name, from)
}
