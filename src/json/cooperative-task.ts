/** Long work in steps of some 10 ms: between two of them a server can answer other requests. */
export type CooperativeTask<T> = Generator<undefined, T>

export function runToCompletion<T>(task: CooperativeTask<T>): T {
  let step = task.next()
  while (step.done !== true) step = task.next()
  return step.value
}
