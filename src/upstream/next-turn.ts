/** A pause for the event loop. */
import { setImmediate } from 'node:timers/promises'

/**
 * Lets I/O that has arrived be processed. Two turns: the first follows at once when called from an I/O callback.
 * Source: Node.js, "The Node.js Event Loop", phases poll and check.
 */
export async function nextTurn(): Promise<void> {
  await setImmediate()
  await setImmediate()
}
