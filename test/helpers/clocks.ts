/** Time in which nobody waits: sleeping moves the clock on. */
import type { RetryClock } from '../../src/recorder/upstream/polite-client.ts'

export interface TestClock extends RetryClock {
  /** Milliseconds of each sleep, in order. */
  readonly sleeps: number[]
}

/** @param random what chance always gives */
export function testClock(random = 0.5): TestClock {
  const sleeps: number[] = []
  let ahead = 0
  return {
    sleeps,
    now: () => Date.now() + ahead,
    sleep: (milliseconds) => {
      sleeps.push(milliseconds)
      ahead += milliseconds
      return new Promise((resolve) => setImmediate(resolve))
    },
    random: () => random
  }
}
