/**
 * The differential test against real wikis: what wikitape answers from one recorded walk, beside what the wiki
 * answers. Prints a table in Markdown; exits 1 where anything is wrong.
 * Usage: tsx scripts/fidelity.ts [--full | --light] [--only TEXT] [--notes] [--one-batch] [--leave-out] [--as ACCOUNT] [--answers FILE] [api-url …]
 * `--light` asks for one answer from the start at each limit, and one further on, where others ask for three.
 * `--one-batch` asks only for the columns of listings recorded in one batch.
 * `--leave-out` asks each wiki with what is known of the other versions alone.
 * `--as` asks as one of the lab's accounts, also lists that are somebody's own; it logs in, so name a wiki of your own.
 * `--answers` keeps the wikis' answers in a file, so that a second run asks only what is new.
 */
import { parseArgs } from 'node:util'
import { keepAnswers } from './fidelity/answers.ts'
import { type Case, cases, modulesOf, ownCases } from './fidelity/cases.ts'
import { oneBatch, oneBatchShown } from './fidelity/one-batch.ts'
import {
  afterBoundaries,
  afterWalk,
  type Effort,
  newScore,
  randomStarts,
  type Score,
  variants,
  walkAlone
} from './fidelity/run.ts'
import { connect, type RealWiki } from './fidelity/wiki.ts'
import { labAccounts } from './wiki/lab.ts'
import { comparedWikis } from './wiki/variants.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean' },
    light: { type: 'boolean' },
    only: { type: 'string' },
    notes: { type: 'boolean' },
    'one-batch': { type: 'boolean' },
    answers: { type: 'string' },
    'leave-out': { type: 'boolean', default: false },
    as: { type: 'string' }
  }
})
const urls = positionals.length > 0 ? positionals : comparedWikis.map(({ url }) => url)
const effort: Effort =
  values.full === true
    ? {
        batches: 160,
        places: 160,
        steps: 2000,
        starts: 200,
        parts: 8,

        boundaryRows: 2000,
        boundaryPlaces: 12,
        oneBatchSteps: 12,
        oneBatchPlaces: 6
      }
    : {
        batches: 8,
        places: 2,
        steps: 1,
        starts: 2,
        parts: 4,

        boundaryRows: 12,
        boundaryPlaces: 2,
        oneBatchPlaces: 1,
        oneBatchSteps: values.light === true ? 1 : 3
      }
const account = Object.entries(labAccounts).find(([name]) => name === values.as)?.[1]
const asked = account === undefined ? cases : [...cases, ...ownCases]
const chosen = asked.filter((one) => one.name.includes(values.only ?? ''))

const { kept, keep } = keepAnswers(values.answers)

interface Line {
  readonly one: Case
  readonly walk: Score
  readonly alone: Score
  readonly starts: Score
  readonly variants: Score
  readonly boundaries: Score
  readonly oneBatch: Score
  readonly oneBatchAlone: Score
  readonly shown: Score
  readonly shownAlone: Score
}

async function runWiki(url: string): Promise<readonly Line[]> {
  const wiki = await connect(
    url,
    modulesOf(asked),
    kept,
    keep,
    values['leave-out'],
    account
  )
  const lines: Line[] = []
  const queue = [...chosen]
  const worker = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift())
      lines.push(await runCase(wiki, one))
  }
  await Promise.all([worker(), worker(), worker()])
  wiki.close()
  process.stderr.write(`${url}: ${wiki.asked} questions\n`)
  return lines.sort((a, b) => chosen.indexOf(a.one) - chosen.indexOf(b.one))
}

async function runCase(wiki: RealWiki, one: Case): Promise<Line> {
  const line = {
    one,
    walk: newScore(),
    alone: newScore(),
    starts: newScore(),
    variants: newScore(),
    boundaries: newScore(),
    oneBatch: newScore(),
    oneBatchAlone: newScore(),
    shown: newScore(),
    shownAlone: newScore()
  }
  try {
    const full = values.full === true
    await oneBatch(wiki, one, effort, line.oneBatch, line.oneBatchAlone)
    await oneBatchShown(wiki, one, effort, line.shown, line.shownAlone)
    if (values['one-batch'] === true) return line
    await afterWalk(wiki, one, 'continue', effort, line.walk)
    if (full || chosen.indexOf(one) % 5 === 0)
      await afterWalk(wiki, one, 'raw', effort, line.walk)
    if (full) await walkAlone(wiki, one, effort, line.alone)
    await randomStarts(wiki, one, effort, line.starts)
    await variants(wiki, one, effort, line.variants)
    if (full || !one.derivable) await afterBoundaries(wiki, one, effort, line.boundaries)
  } catch (error) {
    line.walk.notes.set(
      `FAILED ${String(error)} ${error instanceof Error ? error.stack : ''}`,
      1
    )
  }
  wiki.forget(one.query)
  return line
}

const sum = (scores: readonly Score[], kind: Exclude<keyof Score, 'notes'>): number =>
  scores.reduce((found, score) => found + score[kind], 0)
const cell = (scores: readonly Score[]): string =>
  (['exact', 'own', 'refused', 'wrong'] as const)
    .map((kind) => sum(scores, kind))
    .join(' / ')

/** One row, the wikis together. */
const row = (name: string, lines: readonly Line[]): string =>
  `| ${[name.replaceAll('|', '\\|'), ...columns.map((part) => cell(lines.map((line) => line[part])))].join(' | ')} |`

const columns = [
  'walk',
  'alone',
  'starts',
  'variants',
  'boundaries',
  'oneBatch',
  'oneBatchAlone'
] as const
const parts = [...columns, 'shown', 'shownAlone'] as const
const all = await Promise.all(urls.map(runWiki))
const lines = all.flat()
console.log(
  '| listing | walk at 10: exact / own value / refused / wrong | whole walks alone | random starts | other limits and parts | with boundaries | one batch | one batch, whole walks alone |'
)
console.log('|---|---|---|---|---|---|---|---|')
for (const one of chosen)
  console.log(
    row(
      `${one.name}${one.derivable ? '' : ' *'}`,
      lines.filter((line) => line.one === one)
    )
  )
console.log(row('**all**', lines))
console.log(
  row(
    '**all but those marked \\***',
    lines.filter(({ one }) => one.derivable)
  )
)
const derivable = lines.filter(({ one }) => one.derivable)
const told = (name: string, scores: readonly Score[]): void => {
  const exact = sum(scores, 'exact')
  const all = exact + sum(scores, 'own') + sum(scores, 'refused') + sum(scores, 'wrong')
  const untold = sum(scores, 'untold')
  const share = (of: number): string =>
    of === 0 ? '–' : `${((100 * exact) / of).toFixed(1)} %`
  console.log(
    `${name}: ${cell(scores)}, exact ${share(all)}; ${untold} need a number that occurs nowhere in the recording, exact of the others ${share(all - untold)}`
  )
}
const batches = derivable.map((line) => line.oneBatch)
const shown = derivable.map((line) =>
  line.one.shownBy === undefined ? line.oneBatch : line.shown
)
told('\nOne batch, all but those marked *', batches)
told(
  'The same, with an answer recorded that shows the page which a generator takes its rows from',
  shown
)
for (const [at, own] of all.entries()) {
  for (const line of own) {
    for (const part of parts)
      for (const [note, times] of line[part].notes)
        if (
          values.notes === true ||
          note.startsWith('WRONG') ||
          note.startsWith('FAILED')
        )
          process.stderr.write(
            `  ${urls[at]} ${line.one.name}, ${part}: ${times} × ${note}\n`
          )
  }
}
const failed = lines.some((line) =>
  [...line.walk.notes.keys()].some((note) => note.startsWith('FAILED'))
)
const wrong = parts.reduce(
  (found, part) =>
    found +
    sum(
      lines.map((line) => line[part]),
      'wrong'
    ),
  0
)
console.log(
  `\nwrong: ${wrong}. Listings marked * have continue values that do not follow from their rows.`
)
process.exitCode = wrong === 0 && !failed ? 0 : 1
