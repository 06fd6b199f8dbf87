/** A live wiki as one side of a comparison: it is sent the requests of a cassette, once, or repeatedly to learn which fields vary (noise). */
import { unfilteredChanges } from '../../drift/compare.ts'
import type { CassetteSide } from '../../drift/inputs/cassette-side.ts'
import { loadSide } from '../../drift/inputs/load-side.ts'
import { learnNoise, type NoiseProfile } from '../../drift/noise/noise-profile.ts'
import { plural } from '../../recorder/text/words.ts'
import { UpstreamError } from '../../recorder/upstream/upstream.ts'
import { withTemporaryCassette } from '../files/temporary-cassette.ts'
import { type RecaptureJob, type RecaptureResult, recapture } from './recapture.ts'
import type { RecapturePlan } from './recapture-plan.ts'

export const maxRepeats = 20

/** @param other the side whose requests are sent. @throws UpstreamError if the wiki never answered */
export async function recaptureSide(
  plan: RecapturePlan,
  other: CassetteSide,
  job: RecaptureJob
): Promise<CassetteSide> {
  const { href } = job.api
  const pages = [...(other.pages?.keys() ?? [])]
  const extras = { modules: [...other.modules.keys()], pages }
  return withTemporaryCassette(async (dir) => {
    const result = await recapture(plan, dir, extras, job)
    if (result.nothingRecorded)
      throw new UpstreamError(
        'unreachable',
        `nothing was recorded from ${href}: ${result.incompleteReason}`
      )
    return withForeign(loadSide(dir, href).side, other, result)
  })
}

/** What is no answer of the API is compared as that. */
function withForeign(
  side: CassetteSide,
  other: CassetteSide,
  { incompleteReason, foreign, failed }: RecaptureResult
) {
  const replaced = other.interactions.flatMap((one) => {
    const response = foreign.get(one.key)
    return response ? [{ ...one, responses: [response] as const }] : []
  })
  const interactions = [...side.interactions, ...replaced]
  if (incompleteReason === undefined) return { ...side, interactions }
  if (replaced.length === 0 || replaced.length !== failed)
    return { ...side, interactions, faults: [...(side.faults ?? []), incompleteReason] }
  const all = plural(other.interactions.length, 'request')
  const skipped = [`${replaced.length} of ${all} got no answer of the API`]
  return { ...side, interactions, skipped }
}

/** The fields that differ when the requests are repeated so many times. @throws UpstreamError if answers are missing */
export async function measureNoise(
  first: CassetteSide,
  times: number,
  plan: RecapturePlan,
  job: RecaptureJob
): Promise<NoiseProfile> {
  const repeats: ReturnType<typeof unfilteredChanges>[] = []
  for (let time = 0; time < times; time += 1) {
    const again = await recaptureSide(plan, first, job)
    if (again.faults?.length)
      throw new UpstreamError(
        'reset',
        `repeating the requests to ${job.api.href} failed: ${again.faults?.[0]}`
      )
    repeats.push(unfilteredChanges(first, again))
  }
  return learnNoise(repeats)
}
