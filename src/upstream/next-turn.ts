/** Lets the event loop process I/O that has arrived. Source: Node.js, "The Node.js Event Loop", phases poll and check. */
import { setImmediate } from 'node:timers/promises'

/** Two turns, since the first follows at once when called from an I/O callback. */
export async function nextTurn(): Promise<void> {
  await setImmediate()
  await setImmediate()
}
