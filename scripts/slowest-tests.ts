/** `npm run test:slowest [-- VITEST-ARGUMENTS]`: the ten test files that took longest, and the ten tests. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly startTime: number
    readonly endTime: number
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly duration?: number | null
    }[]
  }[]
}

interface Row {
  readonly name: string
  readonly ms: number
}

const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-slowest-'))
const file = path.join(folder, 'report.json')
const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`]
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', ...reporters, ...process.argv.slice(2)],
  {
    stdio: 'inherit'
  }
)
const { testResults }: Report = JSON.parse(readFileSync(file, 'utf8'))
rmSync(folder, { recursive: true })

const nameOf = (name: string): string => path.relative(process.cwd(), name)
print(
  'files',
  testResults.map(({ name, startTime, endTime }) => ({
    name: nameOf(name),
    ms: endTime - startTime
  }))
)
print(
  'tests',
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((one) => ({
      name: `${nameOf(name)}: ${one.fullName}`,
      ms: one.duration ?? 0
    }))
  )
)
process.exitCode = status ?? 1

function print(what: string, rows: readonly Row[]): void {
  const slowest = [...rows].sort((a, b) => b.ms - a.ms).slice(0, 10)
  console.log(`\nthe slowest ${what}, in seconds:`)
  for (const { name, ms } of slowest)
    console.log(`${(ms / 1000).toFixed(1).padStart(6)}  ${name}`)
}
