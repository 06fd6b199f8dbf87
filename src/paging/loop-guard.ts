/** Guards a client against a walk without end: recordings can contradict each other in a circle. */
import type { Place } from './batch.ts'

/** Follows the walks of one session; keeps one step a place. */
export class LoopGuard {
  readonly #steps = new Map<string, Map<Place, Place>>()

  /**
   * Notes that an answer led from one place of a listing to the next.
   * @returns false where a client that follows it comes back to the place it asked from
   */
  advances(listing: string, from: Place, next: Place): boolean {
    if (from === next) return false
    let steps = this.#steps.get(listing)
    if (steps === undefined) {
      steps = new Map()
      this.#steps.set(listing, steps)
    }
    if (steps.get(from) === next) return true
    steps.set(from, next)
    for (
      let at = steps.get(next), left = steps.size;
      at !== undefined && left > 0;
      at = steps.get(at), left -= 1
    ) {
      if (at === from || at === next) {
        steps.delete(from)
        return false
      }
    }
    return true
  }
}
