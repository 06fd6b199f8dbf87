/** Compares sides as they are named on the command line: cassettes, or wikis that are asked a cassette's requests now. */

import { type OpenSide, openSide } from '../../cassette-check/load-side.ts'
import { type DriftOptions, diffCassettes } from '../../drift/compare.ts'
import type { DriftReport } from '../../drift/findings/drift-report.ts'
import type { Acceptance } from '../../drift/findings/finding.ts'
import type { CassetteSide } from '../../drift/inputs/cassette-side.ts'
import type { NoiseProfile } from '../../drift/noise/noise-filter.ts'
import { commandName } from '../../store/command-name.ts'
import { UpstreamError } from '../../upstream/upstream.ts'
import { type Flag, type Given, numberFlag, type Shell, UsageError } from '../args/command.ts'
import { asksWrites, type Errand, mustBeAllowed } from '../capture/recapture.ts'
import { type Plan, planOf, skippedText } from '../capture/recapture-plan.ts'
import { askForNoise, askSide, mostRepeats, tellNoise } from '../capture/recapture-side.ts'
import { credentialsOf, identityOf } from '../capture/wiki-client.ts'
import { findApi } from '../connect/find-api.ts'
import { readNoise, readSeverities, rulesFlag, writeNoise } from '../files/drift-files.ts'
import { liveFlags } from '../flags/cassette-flags.ts'
import { patienceFlags, reachFlags } from '../flags/connection-flags.ts'

/** Flags of everything that compares. */
export const compareFlags: readonly Flag[] = [
  {
    name: 'probe',
    value: 'N',
    help: 'ask the api-url N times more, and write what varies by itself to noise.json in the cassette',
  },
  rulesFlag,
  ...liveFlags.filter(({ name }) => name !== 'mode'),
  ...reachFlags,
  ...patienceFlags,
]

interface Side {
  readonly side: CassetteSide
  /** Undefined where nothing is known of what varies there. */
  readonly noise: NoiseProfile | undefined
}

/** One report for each neighbouring pair. @throws UsageError | StoreError */
export async function compareNamed(
  names: readonly string[],
  acceptances: readonly Acceptance[],
  given: Given,
  shell: Shell,
): Promise<readonly DriftReport[]> {
  const today = new Date(shell.now()).toISOString().slice(0, 10)
  const severities = readSeverities(given, shell)
  const sides = await openNamed(names, given, shell)
  const recordings = given.text('format') === 'patch'
  return sides.slice(1).flatMap((b, at) => {
    const a = sides[at]
    if (a === undefined) return []
    return [diffCassettes(a.side, b.side, { ...noiseOf(a, b), acceptances, severities, today, recordings })]
  })
}

/** What varies in A alone is known; only where both were asked repeatedly can stability be lost. */
function noiseOf(a: Side, b: Side): Pick<DriftOptions, 'noise' | 'noiseB'> {
  const noise = a.noise ?? b.noise
  if (noise === undefined) return {}
  return a.noise === undefined || b.noise === undefined ? { noise } : { noise, noiseB: b.noise }
}

async function openNamed(names: readonly string[], given: Given, shell: Shell): Promise<readonly Side[]> {
  const urls = names.filter(isUrl)
  const folders = names.filter((name) => !isUrl(name))
  const [source] = folders
  const probes = numberFlag(given, 'probe', 0, mostRepeats)
  if (source === undefined)
    throw new UsageError(
      `one side has to be a cassette: its requests are what the api-url is asked; record one: ${commandName} capture <api-url> --requests FILE`,
    )
  const who = await credentialsOf(given, shell)
  if (urls.length > 0) mustBeAllowed(given, shell)
  else if (probes > 0) throw new UsageError('--probe asks an api-url; with two cassettes there is none')
  const opened = new Map(folders.map((name) => [name, openSide(name)]))
  const from = opened.get(source)
  const plan =
    from === undefined || urls.length === 0
      ? undefined
      : planOf(from.side.interactions, from.facts, { who: identityOf(who), withWrites: asksWrites(given) })
  const sides: Side[] = []
  for (const name of names) {
    const folder = opened.get(name)
    if (folder !== undefined) sides.push({ side: comparable(folder, plan), noise: readNoise(name) })
    else if (plan !== undefined && from !== undefined)
      sides.push(await asTrouble(askWiki(name, { plan, from, probes }, { who, given, shell })))
  }
  return sides
}

const isUrl = (name: string): boolean => /^https?:\/\//i.test(name)

/** Less what a wiki was not asked, since only its own client could. */
function comparable({ side }: OpenSide, plan: Plan | undefined): CassetteSide {
  if (plan === undefined || plan.skipped.size === 0) return side
  const interactions = side.interactions.filter(({ key }) => !plan.skipped.has(key))
  if (interactions.length === side.interactions.length) return side
  const notAsked = `${skippedText(plan)}: not asked again, not compared`
  return { ...side, interactions, notAsked: [notAsked] }
}

/** A wiki that fails is trouble like any other where things are compared: exit code 2, as POSIX diff has it. */
async function asTrouble<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof UpstreamError ? new UsageError(error.message) : error
  }
}

interface Asking {
  readonly plan: Plan
  /** The cassette that says what to ask. */
  readonly from: OpenSide
  readonly probes: number
}

async function askWiki(
  address: string,
  { plan, from, probes }: Asking,
  asking: Omit<Errand, 'api'>,
): Promise<Side> {
  const errand = { ...asking, api: await findApi(address, asking.given, asking.shell) }
  const side = await askSide(plan, from.side, errand)
  if (probes === 0 || (side.faults ?? []).length > 0) return { side, noise: undefined }
  const noise = await askForNoise(side, probes, { ...errand, plan })
  if (readNoise(from.dir) === undefined) tellNoise(writeNoise(from.dir, noise), noise, asking.shell)
  return { side, noise }
}
