/**
 * Records what the examples in Python and Perl need, from the lab's MediaWiki 1.43:
 * `npm run build && npx tsx scripts/clients-examples.ts`. With an unchanged wiki nothing changes on disk.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { examples } from './clients/examples.ts'
import { labUrl, wikiAnswering } from './wiki/lab.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const program = fileURLToPath(new URL('../dist/cli/start.cjs', import.meta.url))
const wiki = labUrl('1.43')

function recordExample(cassette: string, command: readonly string[]): number {
  const flags = [
    '--record',
    wiki,
    '--cassette',
    cassette,
    '--mode',
    'all',
    '--allow-live'
  ]
  const run = spawnSync(process.execPath, [program, 'exec', ...flags, '--', ...command], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit']
  })
  return run.status ?? 1
}

if ((await wikiAnswering(wiki)) === undefined) {
  console.error(
    `MediaWiki 1.43 does not answer at ${wiki}; start it: npm run wiki -- up 1.43`
  )
  process.exitCode = 3
} else {
  const codes = examples
    .filter(({ recorded }) => recorded)
    .map(({ cassette, command }) => recordExample(cassette, command))
  process.exitCode = Math.max(...codes)
}
