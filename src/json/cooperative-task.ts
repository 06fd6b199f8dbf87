/**
 * Long work in steps: whoever shares the process with others (a server) lets them in between two of them. A step is
 * short enough that nobody notices it.
 */
export type Steps<T> = Generator<undefined, T>

/** All steps at once. */
export function finished<T>(steps: Steps<T>): T {
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}
