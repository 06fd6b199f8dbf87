/** Long work between which the event loop turns, so that other clients are answered meanwhile. */
import type { CooperativeTask } from '../json/cooperative-task.ts'
import { nextTurn } from '../upstream/next-turn.ts'

/** Milliseconds that one client may hold up the others. */
const sliceMs = 20

/** Goes through all steps, and lets others in where they take long; short work is done at once. */
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

/** Lets others in between two things that are done with a large answer. */
export async function yieldAfterLarge({ body }: { readonly body: Uint8Array }): Promise<void> {
  if (body.length > largeBytes) await nextTurn()
}

/** Bytes whose handling is not worth a turn. */
const largeBytes = 1_000_000
