/** Positions (start, end, continue values) with their distances in rows: a union-find with weights. */

import type { RequestKey } from '../../request/request-key.ts'
import { getOrAdd } from '../../text/group-by.ts'
import type { ListingPosition } from '../reading/batch.ts'
/** Two recordings that cannot both be parts of one listing. */
export interface BatchConflict {
  readonly between: readonly [RequestKey, RequestKey]
  readonly what: string
}

/** The distance of a position from the root of its group, in rows. */
export interface PositionOffset {
  readonly root: ListingPosition
  readonly rows: number
}

export class PositionGraph {
  readonly #parents = new Map<ListingPosition, PositionOffset>()
  readonly #sources = new Map<ListingPosition, RequestKey>()
  readonly conflicts: BatchConflict[] = []

  /** The recording `key` shows that `to` lies `rows` rows after `at`. */
  join(at: ListingPosition, to: ListingPosition, rows: number, key: RequestKey): void {
    const a = this.find(at)
    const b = this.find(to)
    if (a.root !== b.root) {
      this.#parents.set(b.root, { root: a.root, rows: a.rows + rows - b.rows })
    } else if (b.rows !== a.rows + rows) {
      const other = this.#sources.get(to) ?? this.#sources.get(at) ?? key
      this.conflicts.push({
        between: [other, key],
        what: 'they disagree on how many rows lie between'
      })
      return
    }
    for (const one of [at, to]) getOrAdd(this.#sources, one, () => key)
  }

  /** The position's offset; shortens the path to the root. */
  find(position: ListingPosition): PositionOffset {
    let { root, rows } = this.#parentOf(position)
    const path: (readonly [ListingPosition, number])[] = [[position, 0]]
    for (
      let parent = this.#parentOf(root);
      parent.root !== root;
      parent = this.#parentOf(root)
    ) {
      path.push([root, rows])
      rows += parent.rows
      root = parent.root
    }
    for (const [one, before] of path)
      this.#parents.set(one, { root, rows: rows - before })
    return { root, rows }
  }

  all(): Iterable<ListingPosition> {
    return this.#parents.keys()
  }

  source(position: ListingPosition): RequestKey | undefined {
    return this.#sources.get(position)
  }

  #parentOf(position: ListingPosition) {
    return getOrAdd(this.#parents, position, () => ({ root: position, rows: 0 }))
  }
}
