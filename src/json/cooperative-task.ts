/**
 * Long work in steps: whoever shares the process with others (a server) lets them in between two of them. A step is
 * short enough that nobody notices it.
 */
export type CooperativeTask<T> = Generator<undefined, T>

/** All steps at once. */
export function runToCompletion<T>(task: CooperativeTask<T>): T {
  let step = task.next()
  while (step.done !== true) step = task.next()
  return step.value
}
