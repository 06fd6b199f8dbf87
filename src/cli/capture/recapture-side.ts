/** A wiki as one side of a comparison: asked what a cassette holds, once, or again to learn what varies by itself. */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { openSide } from '../../cassette-check/load-side.ts'
import { rawChanges } from '../../drift/compare.ts'
import type { CassetteSide } from '../../drift/inputs/cassette-side.ts'
import type { NoiseProfile } from '../../drift/noise/noise-filter.ts'
import { joinProfiles, learnNoise } from '../../drift/noise/noise-profile.ts'
import { plural } from '../../text/plural.ts'
import { UpstreamError } from '../../upstream/upstream.ts'
import { type Shell, UsageError } from '../args/command.ts'
import { readNoise, writeNoise } from '../files/drift-files.ts'
import { temporaryCassette } from '../files/temporary-cassette.ts'
import { askAgain, type Errand } from './recapture.ts'
import { type Plan, planOf } from './recapture-plan.ts'
import { identityOf } from './wiki-client.ts'

/** Most times that one wiki is asked for the sake of noise. */
export const mostRepeats = 20

/** @param other the side that says what to ask. @throws UpstreamError where the wiki never answered */
export async function askSide(plan: Plan, other: CassetteSide, errand: Errand): Promise<CassetteSide> {
  const { api } = errand
  const beside = { modules: [...other.modules.keys()], pages: [...(other.pages?.keys() ?? [])] }
  const dir = temporaryCassette()
  try {
    const { lacks, nothing } = await askAgain(plan, dir, beside, errand)
    if (nothing)
      throw new UpstreamError('unreachable', `nothing was recorded from ${api.href}: ${lacks ?? 'no answer'}`)
    const { side } = openSide(dir, api.href)
    return lacks === undefined ? side : { ...side, faults: [...(side.faults ?? []), lacks] }
  } finally {
    rmSync(path.dirname(dir), { recursive: true, force: true })
  }
}

interface Asking extends Errand {
  readonly plan: Plan
}

/** What differs when the wiki is asked the same again, so many times. @throws UpstreamError where it does not answer whole */
export async function askForNoise(
  first: CassetteSide,
  times: number,
  { plan, ...errand }: Asking,
): Promise<NoiseProfile> {
  const repeats: ReturnType<typeof rawChanges>[] = []
  for (let time = 0; time < times; time += 1) {
    const again = await askSide(plan, first, errand)
    const [fault] = again.faults ?? []
    if (fault !== undefined)
      throw new UpstreamError('reset', `while asking ${errand.api.href} again: ${fault}`)
    repeats.push(rawChanges(first, again))
  }
  return learnNoise(repeats)
}

/** Says where the profile was written, and how much it holds. */
export function tellNoise(file: string, { entries }: NoiseProfile, shell: Shell): void {
  const vary = entries.length === 1 ? 'varies by itself' : 'vary by themselves'
  shell.err(`wikitape: wrote ${file}: ${plural(entries.length, 'field')} ${vary}\n`)
}

/**
 * Asks again what was just captured into a cassette, and adds what varies to its profile.
 * @param isNew whether all answers in the cassette are of today; older ones would differ because the wiki moved on
 * @throws UpstreamError where the wiki does not answer whole: nothing is then written
 */
export async function repeatCapture(
  dir: string,
  isNew: boolean,
  times: number,
  errand: Errand,
): Promise<void> {
  const { side, facts } = openSide(dir)
  const plan = planOf(side.interactions, facts, { who: identityOf(errand.who) })
  if (plan.asks.length === 0) throw new UsageError(`${dir} holds nothing that could be asked again`)
  const first = isNew ? side : await askSide(plan, side, errand)
  const [fault] = first.faults ?? []
  if (fault !== undefined) throw new UsageError(`nothing was learned of what varies by itself: ${fault}`)
  const learned = await askForNoise(first, times, { ...errand, plan })
  const known = readNoise(dir)
  const noise = known === undefined ? learned : joinProfiles(known, learned)
  tellNoise(writeNoise(dir, noise), noise, errand.shell)
}
