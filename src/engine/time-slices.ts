/** Long work between which the event loop turns, so that other clients are answered meanwhile. */
import type { Steps } from '../json/cooperative-task.ts'
import { nextTurn } from '../upstream/next-turn.ts'

/** Milliseconds that one client may hold up the others. */
const longest = 20

/** Goes through all steps, and lets others in where they take long; short work is done at once. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  let since = performance.now()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (performance.now() - since < longest) continue
    await nextTurn()
    since = performance.now()
  }
}

/** Lets others in between two things that are done with a large answer. */
export async function turnAfter({ body }: { readonly body: Uint8Array }): Promise<void> {
  if (body.length > mostAtOnce) await nextTurn()
}

/** Bytes whose handling is not worth a turn. */
const mostAtOnce = 1_000_000
