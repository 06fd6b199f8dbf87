/** Compares the sides named on the command line: cassettes, or live wikis that get a cassette's requests now. */

import { compareCassettes } from '../../../drift/compare.ts'
import type { DriftReport } from '../../../drift/findings/drift-report.ts'
import type { Acceptance } from '../../../drift/findings/finding.ts'
import type { CassetteSide } from '../../../drift/inputs/cassette-side.ts'
import { type LoadedSide, loadSide } from '../../../drift/inputs/load-side.ts'
import type { NoiseProfile } from '../../../drift/noise/noise-profile.ts'
import { toDay } from '../../../recorder/cassette/format/manifest.ts'
import { commandName } from '../../../recorder/store/command-name.ts'
import { UpstreamError } from '../../../recorder/upstream/upstream.ts'
import { type Invocation, numberFlag, UsageError } from '../../args/command.ts'
import { includesWrites } from '../../capture/recapture.ts'
import {
  planRecapture,
  type RecapturePlan,
  skippedText
} from '../../capture/recapture-plan.ts'
import { maxRepeats, measureNoise, recaptureSide } from '../../capture/recapture-side.ts'
import { identityOf, readCredentials } from '../../capture/wiki-client.ts'
import { findApi } from '../../connect/find-api.ts'
import { readNoise, readSeverities, saveNoise } from '../../files/drift-files.ts'
import { assertLiveAllowed } from '../../flags/connection-flags.ts'

interface ComparedSide {
  readonly side: CassetteSide
  /** Undefined if nobody measured it. */
  readonly noise: NoiseProfile | undefined
}

/** One report for each pair of neighbours. @throws UsageError, StoreError */
export async function compareSides(
  names: readonly string[],
  acceptances: readonly Acceptance[],
  call: Invocation
): Promise<readonly DriftReport[]> {
  const today = toDay(call.now())
  const severities = readSeverities(call)
  const sides = await withWikiTrouble(openSides(names, call))
  // Live sides get the requests of a cassette, which were counted for all of them.
  const traffic = sides.find(({ side }) => side.traffic)?.side.traffic
  return sides.slice(1).flatMap((b, at) => {
    const a = sides[at]
    if (!a) return []
    // Both profiles are needed to see that a field became unstable.
    const noise = a.noise ?? b.noise
    const noiseB = a.noise && b.noise
    const options = { noise, noiseB, acceptances, severities, today }
    const counted = a.side.traffic ?? b.side.traffic ?? traffic
    return [compareCassettes({ ...a.side, traffic: counted }, b.side, options)]
  })
}

async function openSides(names: readonly string[], call: Invocation) {
  const folders = names.filter((name) => !/^https?:\/\//i.test(name))
  const [first] = folders
  const hasUrl = folders.length < names.length
  const probes = numberFlag(call, 'probe', 0, maxRepeats)
  if (first === undefined)
    throw new UsageError(
      `one side has to be a cassette: its requests are sent to the api-url; record one: ${commandName} capture <api-url> --requests FILE`
    )
  const credentials = await readCredentials(call)
  if (hasUrl) assertLiveAllowed(call)
  else if (probes > 0)
    throw new UsageError('--probe needs an api-url, but both sides are cassettes')
  const opened = new Map(folders.map((name) => [name, loadSide(name)]))
  const source = opened.get(first) ?? loadSide(first)
  const who = {
    identity: identityOf(credentials, source.side.manifest),
    withWrites: includesWrites(call)
  }
  const plan = hasUrl
    ? planRecapture(source.side.interactions, source.facts, who)
    : undefined
  const sides: ComparedSide[] = []
  for (const name of names) {
    const folder = opened.get(name)
    if (folder) sides.push({ side: withoutSkipped(folder, plan), noise: readNoise(name) })
    else if (plan) {
      const job = { api: await findApi(name, call), credentials, call }
      const side = await recaptureSide(plan, source.side, job)
      const isMeasured = probes > 0 && (side.faults ?? []).length === 0
      const noise = isMeasured ? await measureNoise(side, probes, plan, job) : undefined
      if (noise && !readNoise(source.dir)) saveNoise(source.dir, noise, call)
      sides.push({ side, noise })
    }
  }
  return sides
}

function withoutSkipped({ side }: LoadedSide, plan: RecapturePlan | undefined) {
  if (!plan) return side
  const interactions = side.interactions.filter(({ key }) => !plan.skipped.has(key))
  if (interactions.length === side.interactions.length) return side
  return {
    ...side,
    interactions,
    skipped: [`${skippedText(plan)}: not sent again, not compared`]
  }
}

/** What fails at a wiki is trouble as of POSIX diff: exit code 2. @throws UsageError */
export async function withWikiTrouble<T>(action: Promise<T>): Promise<T> {
  try {
    return await action
  } catch (error) {
    throw error instanceof UpstreamError ? new UsageError(error.message) : error
  }
}
