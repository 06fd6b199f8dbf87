/** The last requests of a server, and who wants to hear of the next. */
import type { RequestLogEntry } from '../request-log-entry.ts'

/** A request with its number in the run, from 1 on. */
export interface Numbered {
  readonly id: number
  readonly entry: RequestLogEntry
}

/** Requests that are kept for whoever comes later. */
const kept = 500

export class Feed {
  readonly #last: Numbered[] = []
  readonly #watchers = new Set<(one: Numbered) => void>()
  #count = 0

  tell(entry: RequestLogEntry): void {
    this.#count += 1
    const one = { id: this.#count, entry }
    this.#last.push(one)
    // Thrown out in heaps: one by one would move all others each time.
    if (this.#last.length >= 2 * kept) this.#last.splice(0, kept)
    for (const watch of this.#watchers) watch(one)
  }

  /** The last requests behind this one, oldest first; all that are kept where it is of another run. */
  since(id: number): readonly Numbered[] {
    return this.#last.slice(-kept).filter((one) => one.id > id || id > this.#count)
  }

  /** @returns ends it */
  watch(watcher: (one: Numbered) => void): () => void {
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }
}
