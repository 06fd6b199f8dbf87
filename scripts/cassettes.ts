/**
 * Records the shipped cassettes again from the lab's wikis: `npm run cassettes [-- 1.43 …]`. With unchanged wikis
 * nothing changes on disk.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { specCalls, walks } from './recording/calls.ts'
import { type LabVersion, labUrl, labVersions, wikiAnswering } from './wiki/lab.ts'

const program = fileURLToPath(new URL('../dist/cli/start.cjs', import.meta.url))

/** Runs `wikitape capture`, the requests on its standard input. */
function capture(version: LabVersion, requests: readonly string[]): Promise<number> {
  const flags = [
    '--cassette',
    `cassettes/ru-${version}`,
    '--mode',
    'update',
    '--allow-live',
    '--requests',
    '-'
  ]
  const child = spawn(process.execPath, [program, 'capture', labUrl(version), ...flags], {
    stdio: ['pipe', 'inherit', 'inherit']
  })
  child.stdin.end(`${requests.join('\n')}\n`)
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
}

async function recordVersion(version: LabVersion): Promise<number> {
  if ((await wikiAnswering(labUrl(version))) === undefined) {
    console.error(
      `MediaWiki ${version} does not answer at ${labUrl(version)}; start it: npm run wiki -- up ${version}`
    )
    return 3
  }
  return capture(version, [...specCalls, ...walks.map((walk) => `+${walk}`)])
}

const wanted = process.argv.slice(2)
const versions = labVersions.filter(
  (version) => wanted.length === 0 || wanted.includes(version)
)
if (versions.length === 0) {
  console.error(`no such version; expected some of ${labVersions.join(' ')}`)
  process.exitCode = 2
} else {
  const codes = await Promise.all(versions.map(recordVersion))
  process.exitCode = Math.max(...codes)
}
