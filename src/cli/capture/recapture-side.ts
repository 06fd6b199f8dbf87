/** A live wiki as one side of a comparison: recaptured once, or repeatedly to learn which fields vary (noise). */
import { loadSide } from '../../cassette-check/load-side.ts'
import { unfilteredChanges } from '../../drift/compare.ts'
import type { CassetteSide } from '../../drift/inputs/cassette-side.ts'
import { joinNoiseProfiles, learnNoise, type NoiseProfile } from '../../drift/noise/noise-profile.ts'
import { plural } from '../../text/words.ts'
import { UpstreamError } from '../../upstream/upstream.ts'
import { type Invocation, UsageError } from '../args/command.ts'
import { identityOf } from '../connect/outgoing-headers.ts'
import { readNoise, writeNoise } from '../files/drift-files.ts'
import { withTemporaryCassette } from '../files/temporary-cassette.ts'
import { printNote } from '../terminal/terminal-output.ts'
import { type RecaptureJob, recapture } from './recapture.ts'
import { planRecapture, type RecapturePlan } from './recapture-plan.ts'

export const maxRepeats = 20

/** @param other the side whose requests are sent. @throws UpstreamError if the wiki never answered */
export async function recaptureSide(
  plan: RecapturePlan,
  other: CassetteSide,
  job: RecaptureJob,
): Promise<CassetteSide> {
  const { api } = job
  const extras = { modules: [...other.modules.keys()], pages: [...(other.pages?.keys() ?? [])] }
  return withTemporaryCassette(async (dir) => {
    const { incompleteReason, nothingRecorded } = await recapture(plan, dir, extras, job)
    if (nothingRecorded)
      throw new UpstreamError('unreachable', `nothing was recorded from ${api.href}: ${incompleteReason}`)
    const { side } = loadSide(dir, api.href)
    return { ...side, faults: [side.faults ?? [], incompleteReason ?? []].flat() }
  })
}

/** The fields that differ when the requests are repeated so many times. @throws UpstreamError if answers are missing */
export async function measureNoise(
  first: CassetteSide,
  times: number,
  plan: RecapturePlan,
  job: RecaptureJob,
): Promise<NoiseProfile> {
  const repeats: ReturnType<typeof unfilteredChanges>[] = []
  for (let time = 0; time < times; time += 1) {
    const again = await recaptureSide(plan, first, job)
    const [fault] = again.faults ?? []
    if (fault !== undefined)
      throw new UpstreamError('reset', `repeating the requests to ${job.api.href} failed: ${fault}`)
    repeats.push(unfilteredChanges(first, again))
  }
  return learnNoise(repeats)
}

export function reportNoise(file: string, { entries }: NoiseProfile, call: Invocation): void {
  const vary = entries.length === 1 ? 'varies by itself' : 'vary by themselves'
  printNote(call, `wrote ${file}: ${plural(entries.length, 'field')} ${vary}`)
}

/**
 * Repeats the requests of a cassette, and adds the fields that vary to its noise profile.
 * @param isNew true if all its answers are of today: older ones differ because the wiki was edited
 * @throws UpstreamError if answers are missing; nothing is then written
 */
export async function learnCaptureNoise(
  dir: string,
  isNew: boolean,
  times: number,
  job: RecaptureJob,
): Promise<void> {
  const { side, facts } = loadSide(dir)
  const plan = planRecapture(side.interactions, facts, { identity: identityOf(job.credentials) })
  if (plan.requests.length === 0) throw new UsageError(`${dir} has no request that can be sent again`)
  const first = isNew ? side : await recaptureSide(plan, side, job)
  const [fault] = first.faults ?? []
  if (fault !== undefined) throw new UsageError(`the fields that vary were not determined: ${fault}`)
  const learned = await measureNoise(first, times, plan, job)
  const known = readNoise(dir)
  const noise = known === undefined ? learned : joinNoiseProfiles(known, learned)
  reportNoise(writeNoise(dir, noise), noise, job.call)
}
