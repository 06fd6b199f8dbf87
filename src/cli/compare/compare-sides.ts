/** Compares sides as they are named on the command line: cassettes, or wikis that are asked a cassette's requests now. */

import { type LoadedSide, loadSide } from '../../cassette-check/load-side.ts'
import { type ComparisonOptions, compareCassettes } from '../../drift/compare.ts'
import type { DriftReport } from '../../drift/findings/drift-report.ts'
import type { Acceptance } from '../../drift/findings/finding.ts'
import type { CassetteSide } from '../../drift/inputs/cassette-side.ts'
import type { NoiseProfile } from '../../drift/noise/noise-profile.ts'
import { commandName } from '../../store/command-name.ts'
import { UpstreamError } from '../../upstream/upstream.ts'
import { type CommandContext, type Flag, numberFlag, type ParsedArgs, UsageError } from '../args/command.ts'
import { assertLiveAllowed, includesWrites, type RecaptureJob } from '../capture/recapture.ts'
import { planRecapture, type RecapturePlan, skippedText } from '../capture/recapture-plan.ts'
import { maxRepeats, measureNoise, recaptureSide, reportNoise } from '../capture/recapture-side.ts'
import { identityOf, readCredentials } from '../capture/wiki-client.ts'
import { findApi } from '../connect/find-api.ts'
import { readNoise, readSeverities, severitiesFlag, writeNoise } from '../files/drift-files.ts'
import { liveFlags } from '../flags/cassette-flags.ts'
import { connectionFlags, ownRequestFlags } from '../flags/connection-flags.ts'

/** Flags of everything that compares. */
export const compareFlags: readonly Flag[] = [
  {
    name: 'probe',
    valueName: 'N',
    help: 'ask the api-url N times more, and write what varies by itself to noise.json in the cassette',
  },
  severitiesFlag,
  ...liveFlags.filter(({ name }) => name !== 'mode'),
  ...connectionFlags,
  ...ownRequestFlags,
]

interface ComparedSide {
  readonly side: CassetteSide
  /** Undefined where nothing is known of what varies there. */
  readonly noise: NoiseProfile | undefined
}

/** One report for each neighbouring pair. @throws UsageError | StoreError */
export async function compareSides(
  names: readonly string[],
  acceptances: readonly Acceptance[],
  args: ParsedArgs,
  context: CommandContext,
): Promise<readonly DriftReport[]> {
  const today = new Date(context.now()).toISOString().slice(0, 10)
  const severities = readSeverities(args, context)
  const sides = await openSides(names, args, context)
  const recordings = args.value('format') === 'patch'
  return sides.slice(1).flatMap((b, at) => {
    const a = sides[at]
    if (a === undefined) return []
    return [
      compareCassettes(a.side, b.side, { ...noiseOf(a, b), acceptances, severities, today, recordings }),
    ]
  })
}

/** What varies in A alone is known; only where both were asked repeatedly can stability be lost. */
function noiseOf(a: ComparedSide, b: ComparedSide): Pick<ComparisonOptions, 'noise' | 'noiseB'> {
  const noise = a.noise ?? b.noise
  if (noise === undefined) return {}
  return a.noise === undefined || b.noise === undefined ? { noise } : { noise, noiseB: b.noise }
}

async function openSides(
  names: readonly string[],
  args: ParsedArgs,
  context: CommandContext,
): Promise<readonly ComparedSide[]> {
  const urls = names.filter(isUrl)
  const folders = names.filter((name) => !isUrl(name))
  const [source] = folders
  const probes = numberFlag(args, 'probe', 0, maxRepeats)
  if (source === undefined)
    throw new UsageError(
      `one side has to be a cassette: its requests are what the api-url is asked; record one: ${commandName} capture <api-url> --requests FILE`,
    )
  const who = await readCredentials(args, context)
  if (urls.length > 0) assertLiveAllowed(args, context)
  else if (probes > 0) throw new UsageError('--probe asks an api-url; with two cassettes there is none')
  const opened = new Map(folders.map((name) => [name, loadSide(name)]))
  const from = opened.get(source)
  const plan =
    from === undefined || urls.length === 0
      ? undefined
      : planRecapture(from.side.interactions, from.facts, {
          identity: identityOf(who),
          withWrites: includesWrites(args),
        })
  const sides: ComparedSide[] = []
  for (const name of names) {
    const folder = opened.get(name)
    if (folder !== undefined) sides.push({ side: withoutSkipped(folder, plan), noise: readNoise(name) })
    else if (plan !== undefined && from !== undefined)
      sides.push(
        await asUsageError(recaptureWiki(name, { plan, from, probes }, { credentials: who, args, context })),
      )
  }
  return sides
}

const isUrl = (name: string): boolean => /^https?:\/\//i.test(name)

/** Less what a wiki was not asked, since only its own client could. */
function withoutSkipped({ side }: LoadedSide, plan: RecapturePlan | undefined): CassetteSide {
  if (plan === undefined || plan.skipped.size === 0) return side
  const interactions = side.interactions.filter(({ key }) => !plan.skipped.has(key))
  if (interactions.length === side.interactions.length) return side
  const notAsked = `${skippedText(plan)}: not asked again, not compared`
  return { ...side, interactions, skipped: [notAsked] }
}

/** A wiki that fails is trouble like any other where things are compared: exit code 2, as POSIX diff has it. */
async function asUsageError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof UpstreamError ? new UsageError(error.message) : error
  }
}

interface LiveSideSource {
  readonly plan: RecapturePlan
  /** The cassette that says what to ask. */
  readonly from: LoadedSide
  readonly probes: number
}

async function recaptureWiki(
  address: string,
  { plan, from, probes }: LiveSideSource,
  access: Omit<RecaptureJob, 'api'>,
): Promise<ComparedSide> {
  const job = { ...access, api: await findApi(address, access.args, access.context) }
  const side = await recaptureSide(plan, from.side, job)
  if (probes === 0 || (side.faults ?? []).length > 0) return { side, noise: undefined }
  const noise = await measureNoise(side, probes, { ...job, plan })
  if (readNoise(from.dir) === undefined) reportNoise(writeNoise(from.dir, noise), noise, access.context)
  return { side, noise }
}
