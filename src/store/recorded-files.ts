/** Recordings read one by one: each along one way, looked at once on it. */
import { constants, lstatSync } from 'node:fs'
import path from 'node:path'
import { readAtOnce } from './files.ts'
import { type Marks, marksIn, marksOf } from './footing.ts'

/** Undefined where the system cannot be kept from following a link, as on Windows. */
const noLink: number | undefined = constants.O_NOFOLLOW

export class RecordedFiles {
  readonly #place: string
  /** The folder that was looked at last in this turn, with its marks. */
  #folder: readonly [name: string, marks: Marks | undefined] | undefined
  /** The file that was read last, with its marks from before. */
  #last: readonly [file: string, marks: Marks] | undefined

  /** @param place the cassette's folder */
  constructor(place: string) {
    this.#place = place
  }

  /** The marks of a folder, the same until the turn is over: one request asks for several keys, and nothing else runs meanwhile. */
  folder(name: string): Marks | undefined {
    if (this.#folder?.[0] === name) return this.#folder[1]
    const marks = marksOf(path.join(this.#place, name))
    this.#folder = [name, marks]
    queueMicrotask(() => {
      this.#folder = undefined
    })
    return marks
  }

  /**
   * The bytes of an ordinary file to which no link leads, good until the next is read.
   * @returns undefined where it is none, or cannot be read: `bytesInside` tells what it is then
   */
  read(file: string): Uint8Array | undefined {
    if (noLink === undefined || !this.#hasOrdinaryWay(file)) return undefined
    const whole = `${this.#place}/${file}`
    try {
      // Looked at before it is opened: to open a pipe sets free who waits at its other end.
      const stat = lstatSync(whole, { throwIfNoEntry: false })
      if (stat?.isFile() !== true) return undefined
      const bytes = readAtOnce(whole, constants.O_RDONLY | noLink)
      this.#last = [file, marksIn(stat)]
      return bytes
    } catch {
      return undefined
    }
  }

  /** What marks a file; of the one that was read last from before it was read, so that whatever became of it shows. */
  marks(file: string): Marks | undefined {
    return this.#last?.[0] === file ? this.#last[1] : marksOf(path.join(this.#place, file))
  }

  #hasOrdinaryWay(file: string): boolean {
    for (let end = file.indexOf('/'); end >= 0; end = file.indexOf('/', end + 1))
      if (this.folder(file.slice(0, end)) === undefined) return false
    return true
  }
}
