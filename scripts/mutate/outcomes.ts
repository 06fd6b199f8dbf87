/** What became of changes: first all of them in one run of the tests, then each that passed by itself, in fresh processes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Entry } from './journal.ts'
import type { Mutant } from './mutants.ts'

export interface Outcome {
  readonly mutant: Mutant
  readonly fate: 'noticed' | 'passed unseen' | 'reached by no test'
  /** The test that noticed it, where one process did all. */
  readonly by?: string
}

/** A process that says nothing for so long is in a loop that does not end, in ms. */
const patience = 120_000
/** Tests of one change that take so long do not end, in ms. */
const longest = 300_000

/**
 * @param place an empty folder, for what the processes tell each other
 * @param once without the second trial
 */
export async function outcomesOf(
  mutants: readonly Mutant[],
  place: string,
  name: string,
  once: boolean
): Promise<readonly Outcome[]> {
  const journal = path.join(place, 'journal.jsonl')
  writeFileSync(path.join(place, 'mutants.json'), JSON.stringify(mutants))
  writeFileSync(journal, '')
  const files = [...new Set(mutants.map(({ file }) => file))]
  while (await isStuck(run(files, place), journal))
    report(name, mutants, entries(journal))
  const noticed = noticedBy(entries(journal))
  const reached = new Set(entries(journal).map(({ id }) => id))
  report(name, mutants, entries(journal))
  const outcomes: Outcome[] = []
  for (const mutant of mutants) {
    const by = noticed.get(mutant.id)
    if (by !== undefined) outcomes.push({ mutant, fate: 'noticed', by })
    else if (!once && (await isNoticedAlone(mutant, place)))
      outcomes.push({ mutant, fate: 'noticed' })
    else
      outcomes.push({
        mutant,
        fate: reached.has(mutant.id) ? 'passed unseen' : 'reached by no test'
      })
  }
  return outcomes
}

const entries = (journal: string): readonly Entry[] =>
  readFileSync(journal, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Entry)

const noticedBy = (all: readonly Entry[]): ReadonlyMap<number, string> =>
  new Map(
    all.filter(({ what }) => what === 'noticed').map(({ id, by }) => [id, by ?? ''])
  )

function report(name: string, mutants: readonly Mutant[], all: readonly Entry[]): void {
  console.error(`${name}: ${noticedBy(all).size} of ${mutants.length} noticed in one run`)
}

function run(
  files: readonly string[],
  place: string,
  env: Readonly<Record<string, string>> = {}
): ChildProcess {
  const bail = env['WIKITAPE_MUTANT'] === undefined ? [] : ['--bail=1']
  const child = spawn(
    'npx',
    [
      ...[
        'vitest',
        'related',
        '--run',
        '--config',
        'scripts/mutate/vitest.config.ts',
        '--passWithNoTests'
      ],
      ...[
        '--reporter=json',
        `--outputFile=${path.join(place, 'results.json')}`,
        ...bail,
        ...files
      ]
    ],
    {
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, WIKITAPE_MUTANTS: place, ...env }
    }
  )
  // A group of its own, so that its workers end with it: also when this one is told to end.
  const end = (): void => stop(child)
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  return child
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => process.exit(130))

function ends(child: ChildProcess, ms: number): Promise<number | 'late'> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('late'), ms)
    child.once('exit', (code) => {
      clearTimeout(timer)
      resolve(code ?? 1)
    })
  })
}

function stop({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL')
}

/** Whether a run had to be ended; what it was at then is noticed. */
async function isStuck(child: ChildProcess, journal: string): Promise<boolean> {
  let before = 0
  while ((await ends(child, patience)) === 'late') {
    const all = entries(journal)
    const open = openOnes(all)
    if (all.length === before && open.length > 0) {
      stop(child)
      for (const id of open) writeFileSync(journal, noticedLine(id), { flag: 'a' })
      return true
    }
    before = all.length
  }
  return false
}

const noticedLine = (id: number): string =>
  `${JSON.stringify({ what: 'noticed', id, by: 'it does not end' })}\n`

/** What each process was at when it was last heard of. */
function openOnes(all: readonly Entry[]): readonly number[] {
  const last = new Map(
    all.flatMap((one) => (one.pid === undefined ? [] : [[one.pid, one] as const]))
  )
  return [...last.values()].filter(({ what }) => what === 'tried').map(({ id }) => id)
}

async function isNoticedAlone(mutant: Mutant, place: string): Promise<boolean> {
  const child = run([mutant.file], place, { WIKITAPE_MUTANT: String(mutant.id) })
  const code = await ends(child, longest)
  if (code === 'late') stop(child)
  return code !== 0 && (code === 'late' || existsSync(path.join(place, 'results.json')))
}
