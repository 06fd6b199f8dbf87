/** What ready replies were made of, looked at again now and then: who edits a recording is served the edited one. */
import type { RequestKey } from '../request/key.ts'
import type { Footing } from '../store/footing.ts'
import { KeyRows, numberOfKey } from '../store/key-rows.ts'
import { lookEvery } from '../store/lookout.ts'
import type { Changing } from '../store/store.ts'

interface Ground {
  readonly footing: Footing
  /** When it is looked at next, by the clock of `performance.now`. */
  next: number
}

/** Numbers of a row: five marks, and when it is looked at next. */
const width = 6

export class Grounds {
  readonly #store: Pick<Changing, 'stands'>
  /** Most replies are made of one file, and there are as many as recordings: numbers in one array take a tenth of objects. */
  readonly #rows = new KeyRows()
  #numbers = new Float64Array(64 * width)
  #files: string[] = []
  readonly #others = new Map<RequestKey, Ground>()

  constructor(store: Pick<Changing, 'stands'>) {
    this.#store = store
  }

  /**
   * @param key of the reply. @param footing of all recordings that were looked into for it
   * @returns false where other replies of this key were made of something else
   */
  note(key: RequestKey, footing: Footing): boolean {
    const known = this.#footingOf(key)
    if (known !== undefined) return isWithin(footing, known)
    const [first, ...more] = footing
    const number = numberOfKey(key)
    const next = performance.now() + lookEvery
    if (first === undefined || more.length > 0 || number === undefined)
      this.#others.set(key, { footing, next })
    else this.#add(number, first, next)
    return true
  }

  /** False where a reply of this key may be wrong by now. @param now by the clock of `performance.now` */
  stand(key: RequestKey | undefined, now: number): boolean {
    if (key === undefined) return false
    const row = this.#rowOf(key)
    if (row === undefined) return this.#otherStands(this.#others.get(key), now)
    const at = row * width + width - 1
    if (now < (this.#numbers[at] ?? 0)) return true
    this.#numbers[at] = now + lookEvery
    return this.#store.stands(this.#footingAt(row))
  }

  clear(): void {
    this.#rows.clear()
    this.#files = []
    this.#others.clear()
  }

  #otherStands(ground: Ground | undefined, now: number): boolean {
    if (ground === undefined) return false
    if (now < ground.next) return true
    ground.next = now + lookEvery
    return this.#store.stands(ground.footing)
  }

  #add(key: number, [file, marks]: Footing[number], next: number): void {
    const row = this.#rows.count
    if (row * width === this.#numbers.length) {
      const numbers = this.#numbers
      this.#numbers = new Float64Array(2 * numbers.length)
      this.#numbers.set(numbers)
    }
    this.#rows.add(key)
    this.#files.push(file)
    this.#numbers.set([...marks, next], row * width)
  }

  #footingOf(key: RequestKey): Footing | undefined {
    const row = this.#rowOf(key)
    return row === undefined ? this.#others.get(key)?.footing : this.#footingAt(row)
  }

  #rowOf(key: RequestKey): number | undefined {
    const number = numberOfKey(key)
    const row = number === undefined ? this.#rows.count : this.#rows.rowOf(number)
    return row === this.#rows.count ? undefined : row
  }

  #footingAt(row: number): Footing {
    const [dev = 0, ino = 0, size = 0, mtime = 0, ctime = 0] = this.#numbers.subarray(row * width)
    return [[this.#files[row] ?? '', [dev, ino, size, mtime, ctime]]]
  }
}

/** True where all files of a footing are in the other, with the same marks. */
const isWithin = (footing: Footing, other: Footing): boolean =>
  footing.every(([file, marks]) =>
    other.some(([name, known]) => name === file && marks.every((mark, at) => mark === known[at])),
  )
