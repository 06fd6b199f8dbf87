/** Which parts of wikitape's own code have run, by V8's counters: an input that reaches a new one is worth keeping. */
import { Session } from 'node:inspector'

export class Coverage {
  readonly #session = new Session()
  readonly #seen = new Set<string>()

  constructor() {
    this.#session.connect()
    this.#session.post('Profiler.enable')
    this.#session.post('Profiler.startPreciseCoverage', {
      callCount: false,
      detailed: true
    })
  }

  get blocks(): number {
    return this.#seen.size
  }

  /** True where code ran since the last call that had never run before. */
  hasGrown(): boolean {
    const before = this.#seen.size
    this.#session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error !== null) throw error
      for (const { url, functions } of taken.result) {
        if (!url.includes('/src/')) continue
        for (const { ranges } of functions)
          for (const { startOffset, endOffset, count } of ranges)
            if (count > 0) this.#seen.add(`${url}:${startOffset}:${endOffset}`)
      }
    })
    return this.#seen.size > before
  }
}
