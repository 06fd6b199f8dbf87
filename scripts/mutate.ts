/**
 * `npm run mutate [-- --folder paging] [--count 40] [--seed 1] [--once] [--json FILE]`: changes drawn by lot in `src/`, and which of
 * them the quick tests notice; `--once` leaves out the second trial of what passed. Exits with 1 where a folder notices fewer than 85 of 100.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { draw } from './mutate/draw.ts'
import { changesOf, type Mutant } from './mutate/mutants.ts'
import { type Outcome, outcomesOf } from './mutate/outcomes.ts'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const required = 0.85

/** A change that makes no difference that a test could show. */
interface Equivalent {
  readonly file: string
  /** The line that it is in, less the space around it. */
  readonly in: string
  readonly was: string
  readonly by: string | null
  readonly why: string
}

const { values: flags } = parseArgs({
  options: {
    folder: {
      type: 'string',
      multiple: true,
      default: ['request', 'paging', 'playback', 'privacy']
        .map((room) => `recorder/${room}`)
        .concat('drift')
    },
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    once: { type: 'boolean', default: false },
    json: { type: 'string' }
  }
})
const equivalents: readonly Equivalent[] = JSON.parse(
  readFileSync('scripts/mutate/equivalent.json', 'utf8')
)
const isEquivalent = ({ file, was, by }: Mutant, line: string): boolean =>
  equivalents.some(
    (one) =>
      one.file === file && one.in === line && one.was === was && one.by === (by ?? null)
  )

let next = 1
const drawn: readonly Mutant[] = flags.folder.flatMap((folder) =>
  draw(candidatesOf(folder), Number(flags.count), Number(flags.seed)).map((one) => ({
    ...one,
    id: next++
  }))
)
const place = mkdtempSync(path.join(tmpdir(), 'wikitape-mutants-'))
const outcomes: Outcome[] = []
for (const folder of flags.folder)
  outcomes.push(
    ...(await outcomesOf(
      drawn.filter(({ file }) => file.startsWith(`src/${folder}/`)),
      place,
      folder,
      flags.once
    ))
  )
rmSync(place, { recursive: true })
print()
if (flags.json !== undefined)
  writeFileSync(flags.json, `${JSON.stringify(outcomes, undefined, 2)}\n`)

function candidatesOf(folder: string): readonly Mutant[] {
  return readdirSync(`src/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .flatMap((name) => {
      const file = path.posix.join('src', folder, name)
      const text = readFileSync(file, 'utf8')
      const lines = text.split('\n')
      return changesOf(file, text)
        .map((change) => ({
          ...change,
          file,
          id: 0,
          line: text.slice(0, change.start).split('\n').length,
          was: text.slice(change.start, change.end)
        }))
        .filter((one) => !isEquivalent(one, lines[one.line - 1]?.trim() ?? ''))
    })
}

function print(): void {
  for (const { mutant, fate } of outcomes.filter(({ fate }) => fate !== 'noticed'))
    console.log(
      `${mutant.file}:${mutant.line}  ${fate}\n    ${oneLine(mutant.was)}\n    ${oneLine(mutant.by ?? '(nothing)')}`
    )
  console.log('\nfolder              drawn  noticed')
  for (const folder of flags.folder) {
    const of = outcomes.filter(({ mutant }) => mutant.file.startsWith(`src/${folder}/`))
    const noticed = of.filter(({ fate }) => fate === 'noticed').length
    console.log(
      `${folder.padEnd(18)}${String(of.length).padStart(7)}${String(noticed).padStart(9)}  ${((100 * noticed) / of.length).toFixed(0)} %`
    )
    if (noticed < required * of.length) process.exitCode = 1
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 160)
}
