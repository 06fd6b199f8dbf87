/** Runs long work in slices, so that the event loop answers other clients in between. */
import type { CooperativeTask } from '../json/cooperative-task.ts'
import { nextTurn } from '../upstream/next-turn.ts'

/** Milliseconds for which one client may block the others. */
const sliceMs = 20

export async function runInSlices<T>(steps: CooperativeTask<T>): Promise<T> {
  let since = performance.now()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (performance.now() - since < sliceMs) continue
    await nextTurn()
    since = performance.now()
  }
}

/** Yields between two steps of work on a large answer. */
export async function yieldAfterLarge({ body }: { readonly body: Uint8Array }): Promise<void> {
  if (body.length > largeBytes) await nextTurn()
}

/** Smaller answers are handled in one go. */
const largeBytes = 1_000_000
