/** The smallest program that still fails: steps are left out for as long as it does. */
import type { Step } from './programs/program.ts'

type Fails = (part: readonly Step[]) => Promise<boolean>

interface Failing {
  readonly steps: readonly Step[]
  /** The step whose answer is wrong. */
  readonly at: number
  /** At most so many runs. */
  readonly tries: number
}

/** @param fails whether a part of the steps still shows the fault */
export async function shrink(
  { steps, at, tries }: Failing,
  fails: Fails
): Promise<readonly Step[]> {
  let smallest = steps
  let left = tries
  for (const part of likely(steps, at)) {
    left -= 1
    if (left < 0 || !(await fails(part))) continue
    smallest = part
    break
  }
  for (
    let size = Math.ceil(smallest.length / 2);
    size >= 1 && left > 0;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 0; from < smallest.length && left > 0; ) {
      const part = [...smallest.slice(0, from), ...smallest.slice(from + size)]
      left -= 1
      if (part.length > 0 && (await fails(part))) smallest = part
      else from += size
    }
  }
  return smallest
}

/** What mostly remains: the step itself, what its client or all wrote before it, and the same question before. */
function likely(steps: readonly Step[], at: number): readonly (readonly Step[])[] {
  const failing = steps.find((step) => step.at === at)
  const before = steps.slice(0, steps.findIndex((step) => step.at === at) + 1)
  const counts = ({ writes, what, trouble }: Step): boolean =>
    writes ||
    what === 'tokens' ||
    what === 'restart' ||
    trouble !== undefined ||
    what === failing?.what
  const telling = before.filter(counts)
  return [telling.filter(({ who }) => who === failing?.who), telling, before]
}
