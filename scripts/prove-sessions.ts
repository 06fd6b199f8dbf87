/**
 * `npm run prove:sessions`: random programs of clients that log in, write and read, against real wikis: recorded,
 * replayed in order, and replayed in variants; every answer is compared with what the wiki says. Exit code 1 at a wrong one.
 */
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runVersion } from './prove-sessions/run.ts'
import { type LabVersion, labVersions } from './wiki/lab.ts'

const usage = `npm run prove:sessions -- [versions]       such as 1.39 1.43; the lab must have them (npm run wiki -- up)
  --programs N        random programs of each version (20)
  --seed N            of the first one (1)
  --variants N        of each program (2)
  --known             the programs that once failed, too
  --only TEXT         those whose name has this in it
  --minutes N         begin no program after so long
  --shrink N          runs to make a failing program smaller (20; 0: shows it as it is)
  --package FOLDER    of the wikitape that is tried (this one)
  --port-base N       9800: the wikis serve at 9835, 9839, 9843, their gates a hundred higher
  --fresh             copies the lab's wikis again
  --findings FILE     appends each wrong answer with its smallest program
  --misses            prints each miss, too
Environment: WIKITAPE_LAB; WIKITAPE_PROVE, where the copies lie (a folder beside the lab).`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    programs: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    variants: { type: 'string', default: '2' },
    known: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    minutes: { type: 'string', default: '600' },
    shrink: { type: 'string', default: '20' },
    package: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
    'port-base': { type: 'string', default: '9800' },
    fresh: { type: 'boolean', default: false },
    findings: { type: 'string' },
    misses: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }
  }
})

const print = (line: string): void => void process.stdout.write(`${line}\n`)

function tell(finding: string): void {
  print(finding)
  if (values.findings !== undefined) appendFileSync(values.findings, `${finding}\n`)
}

async function main(): Promise<number> {
  const versions = positionals.length === 0 ? labVersions : positionals.filter(isVersion)
  const until = Date.now() + Number(values.minutes) * 60_000
  let wrong = 0
  for (const version of versions)
    wrong += await runVersion(version, {
      programs: Number(values.programs),
      seed: Number(values.seed),
      variants: Number(values.variants),
      known: values.known,
      only: values.only,
      shrink: Number(values.shrink),
      package: path.resolve(values.package),
      portBase: Number(values['port-base']),
      fresh: values.fresh,
      misses: values.misses,
      until,
      print,
      tell
    })
  return wrong
}

const isVersion = (text: string): text is LabVersion =>
  labVersions.some((one) => one === text)

if (values.help) print(usage)
else process.exit((await main()) > 0 ? 1 : 0)
