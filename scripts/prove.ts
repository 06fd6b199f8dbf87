/**
 * `npm run prove [-- NAME…]`: the provers that a claim of the docs rests on, one after another, each with its time and its
 * page. `-- --list` only names them. Those that need real wikis are left out if the lab does not answer
 * (`npm run wiki -- up`). Exit code 1 if one of them found something.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { labUrl } from './wiki/lab.ts'

/** `own lab`: one that may be written into, named by WIKITAPE_LAB and WIKITAPE_LAB_PORT_BASE. */
type Need = 'nothing' | 'lab' | 'own lab'

interface Prover {
  readonly name: string
  /** The page whose claim rests on it. */
  readonly page: string
  readonly command: string
  /** On two idle processors, about. */
  readonly minutes: number
  readonly needs: Need
}

const provers: readonly Prover[] = [
  {
    name: 'contract',
    page: 'drift.md',
    command: 'tsx scripts/contract-truth.ts cassettes/ru-1.35 cassettes/ru-1.43',
    minutes: 1,
    needs: 'nothing'
  },
  {
    name: 'planted',
    page: 'security-tests.md',
    command: 'tsx scripts/security/planted.ts',
    minutes: 10,
    needs: 'nothing'
  },
  {
    name: 'content',
    page: 'security-tests.md',
    command: 'tsx scripts/security/content.ts 500',
    minutes: 10,
    needs: 'nothing'
  },
  {
    name: 'refused',
    page: 'security-tests.md',
    command: 'tsx scripts/security/refused.ts',
    minutes: 15,
    needs: 'nothing'
  },
  {
    name: 'killed',
    page: 'security-tests.md',
    command: 'tsx scripts/security/killed.ts',
    minutes: 15,
    needs: 'nothing'
  },
  {
    name: 'fuzz',
    page: 'security-tests.md',
    command: 'tsx scripts/fuzz.ts --minutes 10',
    minutes: 10,
    needs: 'nothing'
  },
  {
    name: 'mixed-load',
    page: 'security-tests.md',
    command: 'tsx scripts/mixed-load.ts --minutes 5',
    minutes: 6,
    needs: 'nothing'
  },
  {
    name: 'fidelity',
    page: 'paging-measured.md',
    command: 'tsx scripts/fidelity.ts',
    minutes: 10,
    needs: 'lab'
  },
  {
    name: 'one-batch',
    page: 'paging-measured.md',
    command: 'tsx scripts/fidelity.ts --one-batch',
    minutes: 10,
    needs: 'lab'
  },
  {
    name: 'drawn',
    page: 'paging-measured.md',
    command: 'tsx scripts/fidelity-drawn.ts',
    minutes: 10,
    needs: 'lab'
  },
  {
    name: 'pairs',
    page: 'maintaining.md',
    command: 'tsx scripts/fidelity-pairs.ts --scenes 200',
    minutes: 15,
    needs: 'lab'
  },
  {
    name: 'sessions',
    page: 'maintaining.md',
    command: 'tsx scripts/prove-sessions.ts 1.39 1.43',
    minutes: 15,
    needs: 'lab'
  },
  {
    name: 'clients',
    page: 'clients.md',
    command: 'tsx scripts/clients-proof.ts 1.35 1.43',
    minutes: 20,
    needs: 'lab'
  },
  {
    name: 'false-alarms',
    page: 'how-we-know.md',
    command: 'tsx scripts/false-alarms.ts',
    minutes: 30,
    needs: 'own lab'
  }
]

async function isLabUp(): Promise<boolean> {
  try {
    const response = await fetch(
      `${labUrl('1.43')}?action=query&meta=siteinfo&format=json`
    )
    return response.ok
  } catch {
    return false
  }
}

/** True if it found nothing. */
function run({ name, command, page }: Prover): boolean {
  process.stdout.write(`\n== ${name} (docs/${page}): ${command}\n`)
  const start = Date.now()
  const { status } = spawnSync('npx', command.split(' '), { stdio: 'inherit' })
  const minutes = ((Date.now() - start) / 60_000).toFixed(1)
  process.stdout.write(
    `== ${name}: ${status === 0 ? 'nothing found' : 'FAILED'}, ${minutes} min\n`
  )
  return status === 0
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean', default: false } }
})
const unknown = positionals.filter((name) => !provers.some((one) => one.name === name))
if (unknown.length > 0)
  throw new Error(
    `unknown prover ${unknown.join(', ')}; expected ${provers.map(({ name }) => name).join(', ')}`
  )
const chosen = provers.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name)
)
if (values.list)
  for (const { name, page, minutes, needs } of chosen)
    process.stdout.write(`${name}: docs/${page}, ${minutes} min, needs ${needs}\n`)
else {
  const canAsk = await isLabUp()
  const canWrite = canAsk && process.env['WIKITAPE_LAB'] !== undefined
  const isThere: Readonly<Record<Need, boolean>> = {
    nothing: true,
    lab: canAsk,
    'own lab': canWrite
  }
  const failed = chosen.filter(({ needs }) => isThere[needs]).filter((one) => !run(one))
  for (const { name, needs } of chosen)
    if (!isThere[needs]) process.stdout.write(`not run: ${name} needs ${needs}\n`)
  if (failed.length > 0) process.exitCode = 1
}
