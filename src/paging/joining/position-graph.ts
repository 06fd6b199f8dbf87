/** Places of a listing at known distances from each other: the start, the end, and every continue value. */

import type { RequestKey } from '../../request/request-key.ts'
import type { Place } from '../reading/batch.ts'

/** Two recordings that cannot both be parts of one listing. */
export interface Conflict {
  readonly between: readonly [RequestKey, RequestKey]
  readonly what: string
}

/** Where a place lies: how many rows behind the first place of its group. */
export interface Distance {
  readonly root: Place
  readonly rows: number
}

/** Whoever says so. */
interface Teller {
  readonly key: RequestKey
}

/** Joins places by distances told by batches (a union-find whose edges carry numbers of rows). */
export class Places {
  readonly #above = new Map<Place, Distance>()
  readonly #told = new Map<Place, Teller>()
  readonly conflicts: Conflict[] = []

  /** `to` lies `rows` rows behind `at`, says that batch. */
  join(at: Place, to: Place, rows: number, teller: Teller): void {
    const a = this.find(at)
    const b = this.find(to)
    if (a.root !== b.root) {
      this.#above.set(b.root, { root: a.root, rows: a.rows + rows - b.rows })
    } else if (b.rows !== a.rows + rows) {
      const other = this.#told.get(to) ?? this.#told.get(at) ?? teller
      this.conflicts.push({
        between: [other.key, teller.key],
        what: 'they disagree on how many rows lie between',
      })
      return
    }
    if (!this.#told.has(at)) this.#told.set(at, teller)
    if (!this.#told.has(to)) this.#told.set(to, teller)
  }

  find(place: Place): Distance {
    const known = this.#up(place)
    // As long as nothing lies above what is known to lie above it: nothing is to be shortened.
    return this.#up(known.root).root === known.root ? known : this.#shorten(place, known)
  }

  #shorten(place: Place, { root, rows }: Distance): Distance {
    const passed: (readonly [Place, number])[] = [[place, 0]]
    for (let up = this.#up(root); up.root !== root; up = this.#up(root)) {
      passed.push([root, rows])
      rows += up.rows
      root = up.root
    }
    for (const [one, before] of passed) this.#above.set(one, { root, rows: rows - before })
    return { root, rows }
  }

  all(): Iterable<Place> {
    return this.#above.keys()
  }

  teller(place: Place): RequestKey | undefined {
    return this.#told.get(place)?.key
  }

  #up(place: Place): Distance {
    const up = this.#above.get(place)
    if (up !== undefined) return up
    const own = { root: place, rows: 0 }
    this.#above.set(place, own)
    return own
  }
}
