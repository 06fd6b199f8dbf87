/** Starts the trouble of a cassette in a test; refused where answers are recorded or come from the wiki. */
import { mayRecord } from '../../playback/decide.ts'
import type { Mode } from '../../playback/mode.ts'
import { type TroubleOptions, type TroubleState, troublePlan } from '../../playback/trouble.ts'
import { isUnusedFolder } from '../../store/files/paths-inside.ts'
import type { Expectation } from '../../text/option-checks.ts'

export const troubleOption: Expectation = {
  accepts: (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
  expected: "kinds of trouble, e.g. 'maxlag,503=0.2', or an object of kinds, modules, first, seed, delay",
}

/** @returns the function that ends it. @throws TypeError for wrong options, Error where the mode is one that records */
export function startTrouble(
  { folder, mode, trouble }: { readonly folder: string; readonly mode: Mode; readonly trouble: TroubleState },
  given: string | TroubleOptions,
): () => void {
  const plan = troublePlan(given)
  if (mode === 'passthrough' || mayRecord(mode, isUnusedFolder(folder)))
    throw new Error(
      `trouble is only for answers from a cassette, and is never recorded; the cassette ${folder} is used in mode ${mode}: record it by a test without trouble, and name it here`,
    )
  trouble.plan = plan
  return () => {
    if (trouble.plan === plan) trouble.plan = undefined
  }
}
