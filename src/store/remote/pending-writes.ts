/** Writes that nobody waits for yet. One that has failed is reported by the next recording, or at the end of the run. */

export class PendingWrites {
  readonly #writes = new Set<Promise<unknown>>()
  #failure: unknown

  add(write: Promise<unknown>): void {
    const tracked = write.catch((error: unknown) => {
      this.#failure ??= error
    })
    this.#writes.add(tracked)
    void tracked.finally(() => this.#writes.delete(tracked))
  }

  /** @throws what a write has failed of since the last call */
  throwFailure(): void {
    const failure = this.#failure
    this.#failure = undefined
    if (failure !== undefined) throw failure
  }

  /** Waits for all of them. @throws the same */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#writes)
    this.throwFailure()
  }
}
