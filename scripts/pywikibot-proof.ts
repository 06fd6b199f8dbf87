/**
 * `PYWIKIBOT_SOURCE=… npx tsx scripts/pywikibot-proof.ts 1.35 1.43`: the real Pywikibot from its source tree, unpatched,
 * recorded with the hash seeds 1, 2 and a random one, each time on a wiki as it was built; then offline with the other seeds: in
 * order, its reads reversed and doubled, twice in a row and two at once. Prints how many steps gave what they gave while recording.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { startReplay } from '../src/integrations/program/start.ts'
import type { Client } from '../test/clients/clients.ts'
import { clientsWiki } from '../test/clients/lab.ts'
import {
  type Outcome,
  type Route,
  runSession,
  type Steps
} from '../test/clients/run-session.ts'
import { type LabVersion, labAccounts, labVersions } from './wiki/lab.ts'

const bot: Client = {
  name: 'Pywikibot',
  language: 'Python',
  source: { like: 'its source tree' },
  command: [
    '/usr/bin/python3',
    fileURLToPath(new URL('clients/pywikibot_session.py', import.meta.url))
  ],
  kinds: ['write'],
  account: labAccounts.admin
}
type Seed = number | undefined
type Order = 'in order' | 'reversed' | 'doubled'
const seeds: readonly Seed[] = [1, 2, undefined]
const nameOf = (seed: Seed): string => `seed ${seed ?? 'random'}`

/** @param prefix of the path, e.g. a session's name */
function run(route: Route, seed: Seed, order: Order = 'in order'): Promise<Outcome> {
  process.env['CLIENT_ORDER'] = order
  return runSession(bot, 'write', route, {
    batch: { long: 10, short: 2 },
    ...(seed === undefined ? {} : { seed })
  })
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

function tell(what: string, truth: Steps, { steps, counts, stderr }: Outcome): void {
  const wrong = [...truth].filter(([name, text]) => steps.get(name) !== text)
  print(
    `  ${what}: ${truth.size - wrong.length} of ${truth.size} steps; ${JSON.stringify(counts ?? {})}`
  )
  for (const [name, text] of wrong)
    print(
      `    ${name}\n      expected ${text.slice(0, 300)}\n      here     ${String(steps.get(name)).slice(0, 300)}`
    )
  if (wrong.length > 0) print(stderr.replace(/^/gm, '      | ').slice(-3000))
}

async function prove(version: LabVersion, folder: string): Promise<void> {
  const wiki = clientsWiki(version)
  const { apiUrl } = wiki
  const recorded = new Map<Seed, Steps>()
  const cassetteOf = (seed: Seed): string => path.join(folder, version, nameOf(seed))
  print(`MediaWiki ${version}`)
  await wiki.fresh()
  const direct = await run({ kind: 'direct', apiUrl }, 1)
  tell('straight at the wiki', direct.steps, direct)
  for (const seed of seeds) {
    await wiki.fresh()
    const outcome = await run(
      { kind: 'record', apiUrl, cassette: cassetteOf(seed) },
      seed
    )
    recorded.set(seed, outcome.steps)
    tell(`recorded, ${nameOf(seed)}`, direct.steps, outcome)
    const notes = outcome.stderr
      .split('\n')
      .filter((line) => /not recorded|conflict/.test(line))
    for (const line of notes) print(`    ${line}`)
  }
  await wiki.stop()
  for (const [at, seed] of seeds.entries()) {
    const truth = recorded.get(seed) ?? new Map()
    const offline: Route = { kind: 'replay', apiUrl, cassette: cassetteOf(seed) }
    const other = seeds[(at + 1) % seeds.length]
    print(`  the recording of ${nameOf(seed)}, offline`)
    for (const again of seeds)
      tell(`  in order, ${nameOf(again)}`, truth, await run(offline, again))
    for (const order of ['reversed', 'doubled'] as const)
      tell(`  ${order}, ${nameOf(other)}`, truth, await run(offline, other, order))
    const server = await startReplay({ cassette: cassetteOf(seed) })
    const here: Route = { kind: 'direct', apiUrl: server.apiUrl }
    tell('  first of two in a row', truth, await run(here, other))
    tell('  second of two in a row', truth, await run(here, seed))
    for (const one of await Promise.all([run(here, 1), run(here, 2)]))
      tell('  two at once', truth, one)
    await server.close()
  }
}

if (process.env['PYWIKIBOT_SOURCE'] === undefined)
  throw new Error('set PYWIKIBOT_SOURCE to the source tree of Pywikibot')
const folder =
  process.env['PROOF_FOLDER'] ?? mkdtempSync(path.join(tmpdir(), 'wikitape-pywikibot-'))
const wanted = labVersions.filter((one) => process.argv.includes(one))
for (const version of wanted.length === 0 ? (['1.35', '1.43'] as const) : wanted)
  await prove(version, folder)
if (process.env['PROOF_FOLDER'] === undefined)
  rmSync(folder, { recursive: true, force: true })
