/** All programs of one version: recorded, in order, in variants; the smallest of what fails; totals. */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { drawFrom } from '../fuzz/mutate.ts'
import type { LabVersion } from '../wiki/lab.ts'
import { labOf } from '../wiki/machine/place.ts'
import type { Highest } from './phases/compare.ts'
import { type Bench, type Fault, inFolder, wikitapeOf } from './phases/lab-run.ts'
import { type Recorded, Recording } from './phases/record.ts'
import { replayInOrder, replayVariant } from './phases/replay.ts'
import { drawProgram } from './programs/draw.ts'
import { knownPrograms } from './programs/known/all.ts'
import { describeStep, type Program, type Step } from './programs/program.ts'
import { drawVariant } from './programs/variants.ts'
import { shrink } from './shrink.ts'
import { Totals } from './totals.ts'
import { Gate } from './wiki/gate.ts'
import { Wiki } from './wiki/wiki.ts'

export interface Wish {
  readonly programs: number
  readonly seed: number
  readonly variants: number
  readonly known: boolean
  readonly only: string
  readonly shrink: number
  readonly package: string
  readonly portBase: number
  readonly fresh: boolean
  readonly misses: boolean
  readonly until: number
  readonly print: (line: string) => void
  /** A wrong answer with its program. */
  readonly tell: (finding: string) => void
}

interface Case {
  readonly program: Program
  readonly variants: readonly (readonly [string, readonly Step[]])[]
}

/** @returns how many answers were wrong */
export async function runVersion(version: LabVersion, wish: Wish): Promise<number> {
  const lab = labOf('natural', 8100, process.env)
  const folder =
    process.env['WIKITAPE_PROVE'] ?? path.join(lab.downloads, 'prove-sessions')
  const port = wish.portBase + Number(version.split('.')[1])
  const wiki = new Wiki(version, folder, { wiki: port, gate: port + 100 })
  const gate = new Gate(wiki.origin)
  const wikitape = await wikitapeOf(wish.package)
  await wiki.prepare(wish.fresh)
  const highest = highestIds(path.join(folder, version, 'snapshot', 'data'), version)
  wiki.reset(true)
  await gate.listen(port + 100)
  await wiki.start()
  const bench = { wiki, gate, wikitape, highest }
  const totals = new Totals(version)
  try {
    for (const one of casesOf(version, wish)) {
      if (Date.now() > wish.until) break
      await runCase(bench, one, { version, wish, totals })
    }
  } finally {
    await wiki.stop()
    gate.close()
  }
  for (const line of totals.lines()) wish.print(line)
  return totals.wrong
}

function* casesOf(
  version: LabVersion,
  { known, only, programs, seed, variants }: Wish
): Generator<Case> {
  for (const { program, variants: fixed } of known ? knownPrograms : [])
    if (program.name.includes(only))
      yield {
        program,
        variants: fixed.map((of, at) => [`variant ${at + 1}`, of(program.steps)] as const)
      }
  for (let at = 0; at < programs; at += 1) {
    const program = drawProgram(version, seed + at)
    const draw = drawFrom(seed + at + 1_000_000)
    const drawn = Array.from({ length: variants }, () => drawVariant(program, draw))
    const varies = program.steps.every(
      ({ trouble }) => trouble === undefined || trouble === 'held'
    )
    if (program.name.includes(only)) yield { program, variants: varies ? drawn : [] }
  }
}

interface Around {
  readonly version: LabVersion
  readonly wish: Wish
  readonly totals: Totals
}

async function runCase(bench: Bench, one: Case, around: Around): Promise<void> {
  await inFolder(async (tape) => {
    const { program } = one
    const recorded = await new Recording(bench, program, tape).run()
    const { totals } = around
    totals.recorded(recorded)
    await tellFaults(bench, recorded.faults, { program, name: program.name, around })
    if (program.steps.some(({ send }) => send.by === 'restart')) return
    const inOrder = await replayInOrder(bench, program, recorded, tape)
    totals.add('in order', program, inOrder)
    const misses = around.wish.misses
      ? inOrder.misses.filter(({ missed }) => missed === true)
      : []
    const told = [...inOrder.faults, ...misses]
    await tellFaults(bench, told, { program, name: program.name, around })
    for (const [name, steps] of one.variants) {
      const varied = await replayVariant(bench, program, steps, tape)
      totals.add('variant', program, varied)
      await tellFaults(bench, varied.faults, {
        program,
        name: `${program.name}, ${name}`,
        steps,
        around
      })
    }
  })
}

interface Failing {
  readonly program: Program
  readonly name: string
  /** Of the variant. */
  readonly steps?: readonly Step[]
  readonly around: Around
}

async function tellFaults(
  bench: Bench,
  faults: readonly Fault[],
  failing: Failing
): Promise<void> {
  const { around, name } = failing
  const { wish, version } = around
  for (const fault of faults) {
    const { phase, at, what, detail } = fault
    const isNew = around.totals.isNewKind(
      fault,
      failing.steps ?? failing.program.steps,
      failing.program.name
    )
    if (!isNew) continue
    const smallest =
      wish.shrink === 0 ? failing : await smaller(bench, fault, failing, wish.shrink)
    const lines = (smallest.steps ?? smallest.program.steps).map(describeStep)
    const recordedAs =
      smallest.steps === undefined
        ? []
        : ['  recorded as', ...smallest.program.steps.map(describeStep), '  asked as']
    wish.tell(
      [
        `${fault.missed === true ? 'MISSED' : 'WRONG'} ${version}, ${phase}, ${name}: step ${at} ${what}: ${detail}`,
        ...recordedAs,
        ...lines
      ].join('\n')
    )
  }
}

async function smaller(
  bench: Bench,
  fault: Fault,
  failing: Failing,
  tries: number
): Promise<Failing> {
  const { program, steps } = failing
  const same = (found: readonly Fault[]): boolean =>
    found.some(({ phase, at }) => phase === fault.phase && at === fault.at)
  const kept = await shrink(
    { steps: program.steps, at: fault.at, tries },
    async (part) => {
      const less = { ...program, steps: part }
      return inFolder(async (tape) => {
        const recorded = await new Recording(bench, less, tape).run()
        const varied = steps && only(steps, program.steps, part)
        return same(
          await faultsOf(bench, fault, { program: less, recorded, tape, steps: varied })
        )
      })
    }
  )
  const less = { ...failing, program: { ...program, steps: kept } }
  return steps === undefined ? less : { ...less, steps: only(steps, program.steps, kept) }
}

/** Those of a variant that are kept, or that it has beside the program. */
const only = (
  steps: readonly Step[],
  all: readonly Step[],
  kept: readonly Step[]
): readonly Step[] =>
  steps.filter(
    ({ at }) => kept.some((one) => one.at === at) || !all.some((one) => one.at === at)
  )

interface Again {
  readonly program: Program
  readonly recorded: Recorded
  readonly tape: string
  readonly steps: readonly Step[] | undefined
}

async function faultsOf(
  bench: Bench,
  { phase, missed }: Fault,
  { program, recorded, tape, steps }: Again
): Promise<readonly Fault[]> {
  switch (phase) {
    case 'recording':
      return recorded.faults
    case 'in order':
      return replayInOrder(bench, program, recorded, tape).then(({ faults, misses }) =>
        missed === true ? misses : faults
      )
    case 'variant':
      return (await replayVariant(bench, program, steps ?? [], tape)).faults
  }
}

/** Ids above these were given by a program. */
function highestIds(data: string, version: LabVersion): Highest {
  const file = path.join(data, `wiki${version.replace('.', '')}.sqlite`)
  const said = execFileSync('sqlite3', [file, 'SELECT name, seq FROM sqlite_sequence'], {
    encoding: 'utf8'
  })
  const kept = Object.fromEntries(
    said
      .trim()
      .split('\n')
      .map((line) => line.split('|'))
  )
  const of = (...names: readonly string[]): number =>
    Number(names.map((name) => kept[name]).find((one) => one !== undefined) ?? 0)
  return {
    revision: of('revision'),
    page: of('page'),
    logid: of('logging'),
    rcid: of('recentchanges'),
    userid: of('user'),
    blockid: of('block', 'ipblocks')
  }
}
