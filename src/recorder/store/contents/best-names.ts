/** The names that score highest, out of many that are looked at once. */
import type { NameTest } from '../../cassette/name-search.ts'
import type { VisitName } from './path-table.ts'

interface ScoredName {
  readonly score: number
  readonly start: number
  readonly end: number
  readonly place: number
}

export class BestNames {
  readonly #score: NameTest<number>
  readonly #count: number
  /** The best first; of equal ones the first by its bytes. */
  readonly found: ScoredName[] = []
  /** What a name must be better than, once there are enough. */
  #last: ScoredName | undefined

  constructor(count: number, score: NameTest<number>) {
    this.#count = count
    this.#score = score
  }

  /** Of a million names most are worse than all that are kept: nothing is made for those. */
  readonly visit: VisitName = (names, start, end, place) => {
    const score = this.#score(names, start, end)
    const last = this.#last
    if (last && score < last.score) return
    const one = { score, start, end, place }
    if (last && !isBefore(names, one, last)) return

    const at = this.found.findIndex((other) => isBefore(names, one, other))
    this.found.splice(at < 0 ? this.found.length : at, 0, one)
    if (this.found.length > this.#count) this.found.pop()
    if (this.found.length === this.#count) this.#last = this.found.at(-1)
  }
}

function isBefore(names: Buffer, one: ScoredName, other: ScoredName) {
  if (one.score !== other.score) return one.score > other.score
  const length = Math.min(one.end - one.start, other.end - other.start)
  // For so few bytes `Buffer.compare` would cost several times as much.
  for (let at = 0; at < length; at += 1) {
    const difference = (names[one.start + at] ?? 0) - (names[other.start + at] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return one.end - one.start < other.end - other.start
}
