/**
 * Never a wrong answer, on walks that were kept of a wiki: a table of what wikitape answers from one batch.
 * Usage: tsx scripts/fidelity-golden.ts WALKS.ndjson.gz SELF.ndjson.gz [--notes]; exits 1 where anything is wrong.
 */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { goldenWalks } from './fidelity/golden.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { notes: { type: 'boolean' } }
})
const [walks = '', self = ''] = positionals
const missing = positionals.filter((file) => !existsSync(file))
if (positionals.length !== 2 || missing.length > 0) {
  const why =
    missing.length > 0
      ? `${missing.join(' and ')} cannot be found`
      : 'two files are needed'
  console.error(
    `fidelity-golden: ${why}: walks that were kept of a wiki, and what it said of itself.\nUsage: npm run fidelity:golden -- WALKS.ndjson.gz SELF.ndjson.gz [--notes]`
  )
  process.exit(2)
}
const scores = goldenWalks(walks, self)
const sums = { exact: 0, own: 0, refused: 0, wrong: 0 }
console.log('| listing | exact | own value | refused | wrong |\n|---|---|---|---|---|')
for (const [name, score] of scores) {
  const { exact, own, refused, wrong, notes } = score
  console.log(
    `| ${name.replaceAll('|', '\\|')} | ${exact} | ${own} | ${refused} | ${wrong} |`
  )
  for (const kind of ['exact', 'own', 'refused', 'wrong'] as const)
    sums[kind] += score[kind]
  for (const [note, times] of notes)
    if (values.notes === true || note.startsWith('WRONG'))
      process.stderr.write(`${name}: ${times} × ${note}\n`)
}
console.log(`| **all** | ${sums.exact} | ${sums.own} | ${sums.refused} | ${sums.wrong} |`)
process.exitCode = sums.wrong === 0 ? 0 : 1
