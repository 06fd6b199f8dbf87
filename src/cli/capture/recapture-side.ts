/** A wiki as one side of a comparison: asked what a cassette holds, once, or again to learn what varies by itself. */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { loadSide } from '../../cassette-check/load-side.ts'
import { unfilteredChanges } from '../../drift/compare.ts'
import type { CassetteSide } from '../../drift/inputs/cassette-side.ts'
import type { NoiseProfile } from '../../drift/noise/noise-profile.ts'
import { joinNoiseProfiles, learnNoise } from '../../drift/noise/noise-profile.ts'
import { plural } from '../../text/plural.ts'
import { UpstreamError } from '../../upstream/upstream.ts'
import { type CommandContext, UsageError } from '../args/command.ts'
import { readNoise, writeNoise } from '../files/drift-files.ts'
import { temporaryCassette } from '../files/temporary-cassette.ts'
import { type RecaptureJob, recapture } from './recapture.ts'
import { planRecapture, type RecapturePlan } from './recapture-plan.ts'
import { identityOf } from './wiki-client.ts'

/** Most times that one wiki is asked for the sake of noise. */
export const maxRepeats = 20

/** @param other the side that says what to ask. @throws UpstreamError where the wiki never answered */
export async function recaptureSide(
  plan: RecapturePlan,
  other: CassetteSide,
  job: RecaptureJob,
): Promise<CassetteSide> {
  const { api } = job
  const extras = { modules: [...other.modules.keys()], pages: [...(other.pages?.keys() ?? [])] }
  const dir = temporaryCassette()
  try {
    const { incompleteReason, nothingRecorded } = await recapture(plan, dir, extras, job)
    if (nothingRecorded)
      throw new UpstreamError(
        'unreachable',
        `nothing was recorded from ${api.href}: ${incompleteReason ?? 'no answer'}`,
      )
    const { side } = loadSide(dir, api.href)
    return incompleteReason === undefined
      ? side
      : { ...side, faults: [...(side.faults ?? []), incompleteReason] }
  } finally {
    rmSync(path.dirname(dir), { recursive: true, force: true })
  }
}

interface NoiseJob extends RecaptureJob {
  readonly plan: RecapturePlan
}

/** What differs when the wiki is asked the same again, so many times. @throws UpstreamError where it does not answer whole */
export async function measureNoise(
  first: CassetteSide,
  times: number,
  { plan, ...job }: NoiseJob,
): Promise<NoiseProfile> {
  const repeats: ReturnType<typeof unfilteredChanges>[] = []
  for (let time = 0; time < times; time += 1) {
    const again = await recaptureSide(plan, first, job)
    const [fault] = again.faults ?? []
    if (fault !== undefined) throw new UpstreamError('reset', `while asking ${job.api.href} again: ${fault}`)
    repeats.push(unfilteredChanges(first, again))
  }
  return learnNoise(repeats)
}

/** Says where the profile was written, and how much it holds. */
export function reportNoise(file: string, { entries }: NoiseProfile, context: CommandContext): void {
  const vary = entries.length === 1 ? 'varies by itself' : 'vary by themselves'
  context.stderr(`wikitape: wrote ${file}: ${plural(entries.length, 'field')} ${vary}\n`)
}

/**
 * Asks again what was just captured into a cassette, and adds what varies to its profile.
 * @param isNew whether all answers in the cassette are of today; older ones would differ because the wiki moved on
 * @throws UpstreamError where the wiki does not answer whole: nothing is then written
 */
export async function learnCaptureNoise(
  dir: string,
  isNew: boolean,
  times: number,
  job: RecaptureJob,
): Promise<void> {
  const { side, facts } = loadSide(dir)
  const plan = planRecapture(side.interactions, facts, { identity: identityOf(job.credentials) })
  if (plan.requests.length === 0) throw new UsageError(`${dir} holds nothing that could be asked again`)
  const first = isNew ? side : await recaptureSide(plan, side, job)
  const [fault] = first.faults ?? []
  if (fault !== undefined) throw new UsageError(`nothing was learned of what varies by itself: ${fault}`)
  const learned = await measureNoise(first, times, { ...job, plan })
  const known = readNoise(dir)
  const noise = known === undefined ? learned : joinNoiseProfiles(known, learned)
  reportNoise(writeNoise(dir, noise), noise, job.context)
}
