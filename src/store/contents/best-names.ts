/** The names that score highest, out of many that are looked at once. */
interface ScoredName {
  readonly score: number
  readonly start: number
  readonly end: number
  readonly place: number
}

export class BestNames {
  readonly #count: number
  /** The best first. */
  readonly found: ScoredName[] = []

  constructor(count: number) {
    this.#count = count
  }

  /** @param names in which it lies from `start` to `end`, and all that were added before */
  add(names: Buffer, one: ScoredName): void {
    const isBefore = (other: ScoredName | undefined): boolean =>
      other === undefined ||
      one.score > other.score ||
      (one.score === other.score &&
        names.compare(names, other.start, other.end, one.start, one.end) < 0)
    if (this.found.length >= this.#count && !isBefore(this.found.at(-1))) return

    const at = this.found.findIndex(isBefore)
    this.found.splice(at < 0 ? this.found.length : at, 0, one)
    if (this.found.length > this.#count) this.found.pop()
  }
}
