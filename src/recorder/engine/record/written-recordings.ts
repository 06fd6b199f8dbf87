/** What was recorded in this run: whether it is still there, and holds no secret that became known later. */
import type { RequestKey } from '../../request/request-key.ts'
import { retryWhenLoaded } from '../../store/pending-read.ts'
import type { Store } from '../../store/store.ts'
import type { RedactionGate } from '../redaction/redaction-gate.ts'

export class WrittenRecordings {
  readonly #store: Store
  readonly #redactionGate: RedactionGate
  /** With the number of secrets that were known when each was written. */
  readonly #written = new Map<RequestKey, number>()

  constructor(store: Store, redactionGate: RedactionGate) {
    this.#store = store
    this.#redactionGate = redactionGate
  }

  add(key: RequestKey): void {
    this.#written.set(key, this.#redactionGate.knownSecrets)
  }

  countLost(): number {
    this.#store.generation?.()
    return [...this.#written.keys()].filter((key) => !this.#store.has(key)).length
  }

  /** Asks a remote store what is there, and loads what `reportLateLeaks` reads. */
  async load(): Promise<void> {
    await this.#store.forgetLost?.([...this.#written.keys()])
    const late = this.#writtenBeforeLastSecret
    await Promise.all(late.map((key) => retryWhenLoaded(() => void this.#store.get(key))))
  }

  /** Reports secrets in what was written before they became known. */
  reportLateLeaks(): void {
    for (const key of this.#writtenBeforeLastSecret) {
      const interaction = this.#store.get(key).interaction
      if (!interaction) continue
      const file = this.#store.pathFor(interaction)
      this.#redactionGate.reportLeaksIn(interaction, file, `${this.#store.dir}/${file}`)
    }
  }

  get #writtenBeforeLastSecret() {
    const { knownSecrets } = this.#redactionGate
    return [...this.#written].flatMap(([key, known]) =>
      known === knownSecrets ? [] : [key]
    )
  }
}
