/** The smallest program that still fails: steps are left out for as long as it does. */
import type { Step } from './programs/program.ts'

/** @param fails whether a part of the steps still shows the fault @param tries at most so many runs */
export async function shrink(
  steps: readonly Step[],
  fails: (part: readonly Step[]) => Promise<boolean>,
  tries: number,
): Promise<readonly Step[]> {
  let smallest = steps
  let left = tries
  for (
    let size = Math.ceil(steps.length / 2);
    size >= 1 && left > 0;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = 0; at < smallest.length && left > 0; ) {
      const part = [...smallest.slice(0, at), ...smallest.slice(at + size)]
      left -= 1
      if (part.length > 0 && (await fails(part))) smallest = part
      else at += size
    }
  }
  return smallest
}
