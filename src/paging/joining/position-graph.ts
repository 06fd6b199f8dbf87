/** Places of a listing at known distances from each other: the start, the end, and every continue value. */

import type { RequestKey } from '../../request/request-key.ts'
import type { ListingPosition } from '../reading/batch.ts'

/** Two recordings that cannot both be parts of one listing. */
export interface BatchConflict {
  readonly between: readonly [RequestKey, RequestKey]
  readonly what: string
}

/** Where a place lies: how many rows behind the first place of its group. */
export interface PositionOffset {
  readonly root: ListingPosition
  readonly rows: number
}

/** Whoever says so. */
interface PositionSource {
  readonly key: RequestKey
}

/** Joins places by distances told by batches (a union-find whose edges carry numbers of rows). */
export class PositionGraph {
  readonly #parents = new Map<ListingPosition, PositionOffset>()
  readonly #sources = new Map<ListingPosition, PositionSource>()
  readonly conflicts: BatchConflict[] = []

  /** `to` lies `rows` rows behind `at`, says that batch. */
  join(at: ListingPosition, to: ListingPosition, rows: number, source: PositionSource): void {
    const a = this.find(at)
    const b = this.find(to)
    if (a.root !== b.root) {
      this.#parents.set(b.root, { root: a.root, rows: a.rows + rows - b.rows })
    } else if (b.rows !== a.rows + rows) {
      const other = this.#sources.get(to) ?? this.#sources.get(at) ?? source
      this.conflicts.push({
        between: [other.key, source.key],
        what: 'they disagree on how many rows lie between',
      })
      return
    }
    if (!this.#sources.has(at)) this.#sources.set(at, source)
    if (!this.#sources.has(to)) this.#sources.set(to, source)
  }

  find(position: ListingPosition): PositionOffset {
    const known = this.#parentOf(position)
    // As long as nothing lies above what is known to lie above it: nothing is to be shortened.
    return this.#parentOf(known.root).root === known.root ? known : this.#shorten(position, known)
  }

  #shorten(position: ListingPosition, { root, rows }: PositionOffset): PositionOffset {
    const path: (readonly [ListingPosition, number])[] = [[position, 0]]
    for (let parent = this.#parentOf(root); parent.root !== root; parent = this.#parentOf(root)) {
      path.push([root, rows])
      rows += parent.rows
      root = parent.root
    }
    for (const [one, before] of path) this.#parents.set(one, { root, rows: rows - before })
    return { root, rows }
  }

  all(): Iterable<ListingPosition> {
    return this.#parents.keys()
  }

  source(position: ListingPosition): RequestKey | undefined {
    return this.#sources.get(position)?.key
  }

  #parentOf(position: ListingPosition): PositionOffset {
    const parent = this.#parents.get(position)
    if (parent !== undefined) return parent
    const own = { root: position, rows: 0 }
    this.#parents.set(position, own)
    return own
  }
}
