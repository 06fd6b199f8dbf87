/** A ring buffer of the last requests of a server, with subscribers for the next. */
import type { RequestLogEntry } from '../request-log-entry.ts'

/** A request with its number in the run, from 1 on. */
export interface NumberedEntry {
  readonly id: number
  readonly entry: RequestLogEntry
}

const maxEntries = 500

export class RequestFeed {
  readonly #last: NumberedEntry[] = []
  readonly #subscribers = new Set<(one: NumberedEntry) => void>()
  #count = 0

  add(entry: RequestLogEntry): void {
    this.#count += 1
    const one = { id: this.#count, entry }
    this.#last.push(one)
    // Dropped by hundreds: one by one would move all others each time.
    if (this.#last.length >= 2 * maxEntries) this.#last.splice(0, maxEntries)
    for (const subscriber of this.#subscribers) subscriber(one)
  }

  /** The requests after this one, oldest first; all where the id is of another run. */
  since(id: number): readonly NumberedEntry[] {
    return this.#last.slice(-maxEntries).filter((one) => one.id > id || id > this.#count)
  }

  /** @returns a function that unsubscribes */
  subscribe(subscriber: (one: NumberedEntry) => void): () => void {
    this.#subscribers.add(subscriber)
    return () => void this.#subscribers.delete(subscriber)
  }
}
