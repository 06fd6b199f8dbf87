/** The event loop, let go for a moment. */
import { setImmediate } from 'node:timers/promises'

/**
 * Lets in whatever has come meanwhile. Two turns: what runs on data that came in is followed at once by the first, before
 * anything else that waits is looked at. Source: Node.js, "The Node.js Event Loop", phases poll and check.
 */
export async function nextTurn(): Promise<void> {
  await setImmediate()
  await setImmediate()
}
