/** Reads that have to wait: a remote store loads an interaction only when it is asked for. */

/** Thrown while an interaction is being loaded: repeat the call once `loaded` resolves. */
export class PendingRead extends Error {
  /** Resolves when the interaction can be read, also repeatedly; rejects where loading failed. */
  readonly loaded: Promise<void>

  constructor(loaded: Promise<void>) {
    super('the interaction is still being loaded')
    this.loaded = loaded
  }
}

/**
 * Runs a function that reads interactions; starts it again after each read that had to be waited for.
 * @param attempt must read all that it needs before it changes anything; `isRetry` is true from its second run on
 */
export async function retryWhenLoaded<T>(
  attempt: (isRetry: boolean) => T | Promise<T>
): Promise<T> {
  for (let isRetry = false; ; isRetry = true) {
    try {
      return await attempt(isRetry)
    } catch (error) {
      if (!(error instanceof PendingRead)) throw error
      await error.loaded
    }
  }
}
