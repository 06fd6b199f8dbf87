/** Compares sides as they are named on the command line: cassettes, or wikis that are asked a cassette's requests now. */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { type DriftOptions, diffCassettes, rawChanges } from '../drift/diff.ts'
import type { Acceptance } from '../drift/finding.ts'
import type { NoiseProfile } from '../drift/noise.ts'
import { learnNoise } from '../drift/noise-profile.ts'
import type { DriftReport } from '../drift/report.ts'
import type { CassetteSide } from '../drift/side.ts'
import type { ApiUrl } from '../proxy/api-url.ts'
import { askAgain, mustBeAllowed } from './ask-again.ts'
import { readNoise, writeNoise } from './drift-files.ts'
import { type OpenSide, openSide } from './drift-side.ts'
import { apiUrlArg, liveFlags } from './flags.ts'
import { type Plan, planOf } from './recorded-walks.ts'
import { temporaryCassette } from './temporary-cassette.ts'
import { type Flag, type Given, numberFlag, type Shell, UsageError } from './verb.ts'

/** Flags of everything that compares. */
export const compareFlags: readonly Flag[] = [
  {
    name: 'probe',
    value: 'N',
    help: 'ask the api-url N times more, and write what varies by itself to noise.json in the cassette',
  },
  ...liveFlags.filter(({ name }) => name !== 'mode'),
]

/** Most times that one wiki is asked for the sake of noise. */
const mostProbes = 20

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
  const sides = await openNamed(names, given, shell)
  return sides.slice(1).flatMap((b, at) => {
    const a = sides[at]
    if (a === undefined) return []
    return [diffCassettes(a.side, b.side, { ...noiseOf(a, b), acceptances, today })]
  })
}

/** What varies in A alone is known; only where both were asked repeatedly can stability be lost. */
function noiseOf(a: Side, b: Side): Pick<DriftOptions, 'noise' | 'noiseB'> {
  const noise = a.noise ?? b.noise
  if (noise === undefined) return {}
  return a.noise === undefined || b.noise === undefined ? { noise } : { noise, noiseB: b.noise }
}

async function openNamed(names: readonly string[], given: Given, shell: Shell): Promise<readonly Side[]> {
  const urls = names.filter(isUrl).map(apiUrlArg)
  const folders = names.filter((name) => !isUrl(name))
  const [source] = folders
  const probes = numberFlag(given, 'probe', 0, mostProbes)
  if (source === undefined)
    throw new UsageError(
      'one side has to be a cassette: its requests are what the api-url is asked; record one: wikitape capture <api-url> --requests FILE',
    )
  if (urls.length > 0) mustBeAllowed(given, shell)
  else if (probes > 0) throw new UsageError('--probe asks an api-url; with two cassettes there is none')
  const opened = new Map(folders.map((name) => [name, openSide(name)]))
  const from = opened.get(source)
  const plan =
    from === undefined || urls.length === 0 ? undefined : planOf(from.side.interactions, from.facts)
  const sides: Side[] = []
  for (const name of names) {
    const folder = opened.get(name)
    if (folder !== undefined) sides.push({ side: comparable(folder, plan), noise: readNoise(name) })
    else if (plan !== undefined)
      sides.push(await askWiki(apiUrlArg(name), plan, source, probes, given, shell))
  }
  return sides
}

const isUrl = (name: string): boolean => /^https?:\/\//i.test(name)

/** Less what a wiki was not asked, since only its own client could. */
function comparable({ side }: OpenSide, plan: Plan | undefined): CassetteSide {
  if (plan === undefined || plan.skipped.size === 0) return side
  const interactions = side.interactions.filter(({ key }) => !plan.skipped.has(key))
  const left = side.interactions.length - interactions.length
  if (left === 0) return side
  const notAsked = `${left} of its requests need a login, a token or a file: not asked again, not compared`
  return { ...side, interactions, notAsked: [notAsked] }
}

async function askWiki(
  api: ApiUrl,
  plan: Plan,
  cassette: string,
  probes: number,
  given: Given,
  shell: Shell,
): Promise<Side> {
  const side = await captureSide(api, plan, given, shell)
  if (probes === 0 || (side.faults ?? []).length > 0) return { side, noise: undefined }
  const repeats: (readonly ReturnType<typeof rawChanges>[number][])[] = []
  for (let probe = 0; probe < probes; probe += 1) {
    const again = await captureSide(api, plan, given, shell)
    const [fault] = again.faults ?? []
    if (fault !== undefined) throw new UsageError(`while asking ${api.href} again: ${fault}`)
    repeats.push(rawChanges(side, again))
  }
  const noise = learnNoise(repeats)
  if (readNoise(cassette) === undefined) {
    const file = writeNoise(cassette, noise)
    shell.err(`wikitape: wrote ${file}: ${noise.entries.length} fields vary by themselves\n`)
  }
  return { side, noise }
}

/** @throws UsageError where the wiki never answered */
async function captureSide(api: ApiUrl, plan: Plan, given: Given, shell: Shell): Promise<CassetteSide> {
  const dir = temporaryCassette()
  try {
    const { lacks, nothing } = await askAgain(plan, api, dir, given, shell)
    if (nothing) throw new UsageError(`nothing could be compared with ${api.href}: ${lacks ?? 'no answer'}`)
    const { side } = openSide(dir, api.href)
    return lacks === undefined ? side : { ...side, faults: [...(side.faults ?? []), lacks] }
  } finally {
    rmSync(path.dirname(dir), { recursive: true, force: true })
  }
}
