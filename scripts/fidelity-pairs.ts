/**
 * Never a wrong answer, as an adversary asks: for each parameter of each module a request that is recorded through the
 * whole program, and others near it; what is answered without the wiki may not differ from what the wiki says at the
 * same moment. Prints the share answered by module, and each wrong answer with its smallest pair; exits 1 if there is one.
 * Usage: tsx scripts/fidelity-pairs.ts [--scenes N] [--asks N] [--seed N] [--only TEXT] [--callers bob,admin] [--shrink N] [--minutes N] [--json FILE] [api-url …]
 * `--described-by` names a wiki that is alike, for one whose answers are too short for its own description.
 * `--matrix` records each of `--asks` requests of a scene alone, and asks all others of the scene.
 * `--edit-between` makes pages between two recorded batches of a listing, on a wiki of your own.
 * `--callers` logs in, so name a wiki of your own; `--only allusers,categorymembers.type` takes these modules, and these parameters of them.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Draw, drawFor } from './fidelity/drawn.ts'
import { type Caller, shown } from './fidelity/pairs/ask.ts'
import { runBetween } from './fidelity/pairs/between.ts'
import { type Feature, featuresOf, nameOf } from './fidelity/pairs/draw.ts'
import { groundOf } from './fidelity/pairs/ground.ts'
import { runMatrix } from './fidelity/pairs/matrix.ts'
import {
  newOutcome,
  newSums,
  type Outcome,
  runFeatures,
  type Sums,
  type Wrong
} from './fidelity/pairs/run.ts'
import { shrink } from './fidelity/pairs/shrink.ts'
import { comparedWikis } from './wiki/variants.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scenes: { type: 'string', default: '200' },
    asks: { type: 'string', default: '8' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: '' },
    callers: { type: 'string', default: '' },
    'at-once': { type: 'string', default: '25' },
    shrink: { type: 'string', default: '10' },
    json: { type: 'string' },
    'edit-between': { type: 'boolean', default: false },
    matrix: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '600' },
    'described-by': { type: 'string' }
  }
})
const urls = positionals.length > 0 ? positionals : comparedWikis.map(({ url }) => url)
const seed = Number(values.seed)
const callers: readonly Caller[] = [
  'anonymous',
  ...(['bob', 'admin'] as const).filter((one) => values.callers.includes(one))
]

const mixed = <T>(all: readonly T[], draw: Draw): T[] => {
  const left = [...all]
  return all.flatMap(() => left.splice(draw(left.length), 1))
}

/** `allusers` is all of that module, `allusers.activeusers` that parameter, `allusers.` the module as such. */
function fits(word: string, module: string, param = ''): boolean {
  const [wantedModule = '', wantedParam] = word.split('.')
  return module === wantedModule && (wantedParam === undefined || wantedParam === param)
}

function chosenFeatures(all: readonly Feature[], url: string): readonly Feature[] {
  const words = values.only.split(',').filter((word) => word !== '')
  const fitting = all.filter(
    ({ module, param, inside }) =>
      words.length === 0 ||
      words.some((word) => fits(word, nameOf(module), inside ? 'inside' : param?.name))
  )
  const rounds: Feature[] = []
  while (rounds.length < Number(values.scenes) && fitting.length > 0)
    rounds.push(...mixed(fitting, drawFor(url, seed + 7, rounds.length)))
  return rounds.slice(0, Number(values.scenes))
}

async function runWiki(url: string): Promise<Outcome> {
  const ground = await groundOf(url, callers, values['described-by'])
  const outcome = newOutcome()
  const features = chosenFeatures(featuresOf(ground.modules), url)
  const plan = {
    url,
    ground,
    seed,
    asks: Number(values.asks),
    scenesAtOnce: Number(values['at-once']),
    until: Date.now() + Number(values.minutes) * 60_000
  }
  const seen = new Set<string>()
  const fresh: Wrong[] = []
  const run = values['edit-between']
    ? runBetween
    : values.matrix
      ? runMatrix
      : runFeatures
  await run(plan, features, outcome, (wrong) => {
    const kind = `${wrong.module} ${wrong.how}`
    if (!seen.has(kind)) fresh.push(wrong)
    seen.add(kind)
    process.stderr.write(`${described(url, wrong, wrong.recorded, wrong.asked, '')}\n`)
  })
  console.log(report(url, outcome))
  for (const [nth, wrong] of fresh.entries())
    console.log(
      await told(url, wrong, !values['edit-between'] && nth < Number(values.shrink))
    )
  return outcome
}

async function told(url: string, wrong: Wrong, small: boolean): Promise<string> {
  const pair = small
    ? await shrink(url, wrong, callers, 40).catch(() => undefined)
    : undefined
  const { recorded, asked } = pair ?? wrong
  const alone =
    pair === undefined ? (small ? ' (with other recordings)' : ' (not made smaller)') : ''
  return described(url, wrong, recorded, asked, alone)
}

function described(
  url: string,
  { verdict, module, how, status, apart }: Wrong,
  recorded: Wrong['recorded'],
  asked: Wrong['asked'],
  alone: string
): string {
  return [
    `\n## ${verdict.toUpperCase()} ${module}: ${how}, ${status}${alone}, ${url}`,
    ...recorded.map(
      ({ ask, steps }) =>
        `  recorded ${shown(ask)}${steps > 1 ? ` (walked, ${steps})` : ''}`
    ),
    `  asked    ${shown(asked)}`,
    apart
  ].join('\n')
}

const total = (all: Iterable<Sums>): Sums => {
  const sums = newSums()
  for (const one of all) for (const kind of kinds) sums[kind] += one[kind]
  return sums
}
const kinds = ['exact', 'own', 'order', 'wrong', 'missed', 'fickle'] as const

function report(url: string, { modules, changes, reasons, asked }: Outcome): string {
  const row = (name: string, sums: Sums): string => {
    const all = kinds.reduce((sum, kind) => sum + sums[kind], 0)
    const right = all === 0 ? '' : `${((100 * sums.exact) / all).toFixed(0)} %`
    return `| ${[name, right, ...kinds.map((kind) => sums[kind])].join(' | ')} |`
  }
  const rows = (sums: Outcome['modules']): readonly string[] =>
    [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => row(name, one))
  return [
    `${url}, seed ${seed}: ${asked} asked`,
    `| module | right | ${kinds.join(' | ')} |`,
    `|---|---${kinds.map(() => '|---').join('')}|`,
    row('**all**', total(modules.values())),
    ...rows(modules),
    '| by change | | | | | | | |',
    ...rows(changes),
    ...[...reasons]
      .sort(([, a], [, b]) => b - a)
      .map(([why, often]) => `${often} missed: ${why}`)
  ].join('\n')
}

console.log(`seed ${seed}`)
const outcomes = await Promise.all(urls.map(runWiki))
if (values.json !== undefined)
  writeFileSync(
    values.json,
    JSON.stringify(
      urls.map((url, nth) => ({ url, ...total(outcomes[nth]?.modules.values() ?? []) }))
    )
  )
process.exitCode = outcomes.some(({ wrong }) => wrong.length > 0) ? 1 : 0
