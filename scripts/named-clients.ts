/**
 * `CLIENTS=… CLIENTS_PYTHON=… npx tsx scripts/named-clients.ts [LIBRARY…]`: real libraries, unpatched, that have the addresses of
 * their wikis in their code. CLIENTS is a folder where npm has installed them, CLIENTS_PYTHON the source trees of Pywikibot and
 * `wikipedia`; the rest is of Debian: python3-mwclient, python3-bs4, git-mediawiki. The wikis of the lab stand in for a family behind TLS. Each session is run directly, recorded by
 * `record --`, and replayed by `exec --` with the wikis out of reach; every step must be the same in all three.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { programEnvironment } from '../src/cli/intercept/program-environment.ts'
import { packageFile } from '../src/cli/package-version.ts'
import { ProxyAccess } from '../src/recorder/server/proxy/proxy-access.ts'
import { labPortBase, labUrl } from './wiki/lab.ts'
import { namedFront } from './wiki/named-front.ts'

const here = (file: string): string =>
  fileURLToPath(new URL(`clients/${file}`, import.meta.url))
const node = (library: string): readonly string[] => [
  process.execPath,
  here('named.mjs'),
  library
]
const python = (library: string): readonly string[] => [
  '/usr/bin/python3',
  here('named.py'),
  library
]

const clone =
  'r=$(mktemp -d)/r; git clone -q -c remote.origin.pages="Alpha Delta 42" mediawiki::https://en.wikipedia.org/w "$r" && git -C "$r" log --format=%H%n%B && cat "$r"/*.mw'

const libraries: Readonly<Record<string, readonly string[]>> = {
  wtf_wikipedia: node('wtf_wikipedia'),
  'wikipedia (npm)': node('wikipedia'),
  mwn: node('mwn'),
  'wikibase-sdk': node('wikibase-sdk'),
  axios: node('axios'),
  got: node('got'),
  mwclient: python('mwclient'),
  'wikipedia (Python)': python('wikipedia'),
  Pywikibot: python('pywikibot'),
  'git-remote-mediawiki': ['sh', '-c', clone]
}

interface Outcome {
  readonly steps: readonly string[]
  readonly code: number | null
  readonly stderr: string
}

function run(
  [name = '', ...args]: readonly string[],
  cwd: string,
  more: NodeJS.ProcessEnv
): Promise<Outcome> {
  const env = { ...process.env, ...more }
  const child = spawn(name, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      texts[stream] += text
    })
  return new Promise((resolve) =>
    child.once('close', (code) => {
      const steps = texts.stdout.split('\n').filter(Boolean)
      resolve({ steps, code, stderr: texts.stderr })
    })
  )
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

function tell(what: string, truth: readonly string[], { steps, code, stderr }: Outcome) {
  const wrong = truth.filter((step, at) => step !== steps[at])
  const isWhole = wrong.length === 0 && steps.length === truth.length
  print(
    `  ${what}: ${truth.length - wrong.length} of ${truth.length} steps; exit code ${code}`
  )
  for (const [at, step] of truth.entries())
    if (step !== steps[at])
      print(`    direct ${step.slice(0, 300)}\n    here   ${steps[at]?.slice(0, 300)}`)
  const told = stderr.split('\n').filter((line) => line.startsWith('wikitape: '))
  for (const line of told) print(`    ${line.slice(0, 200)}`)
  return isWhole && code === 0
}

const proxies = (address: string): NodeJS.ProcessEnv => ({
  HTTPS_PROXY: address,
  HTTP_PROXY: address
})

async function prove(library: string, proxy: string, certificate: string) {
  const cwd = mkdtempSync(path.join(tmpdir(), 'wikitape-named-'))
  const cacert = path.join(cwd, 'company.pem')
  writeFileSync(cacert, certificate)
  const command = libraries[library] ?? []
  const access = new ProxyAccess()
  const settings = { origin: proxy, access, certificate, direct: [] }
  const { variables, files } = programEnvironment(settings, process.env)
  const direct = await run(command, cwd, variables)
  files.remove()
  const failing = direct.steps.filter((one) => one.includes(': "failed: '))
  print(
    `${library}: ${direct.steps.length} steps directly; ${failing.length} fail on the wiki itself`
  )
  if (direct.steps.length === 0) print(direct.stderr.slice(-1000))
  const record = [
    process.execPath,
    packageFile('dist/cli/start.cjs'),
    'record',
    '--cacert',
    cacert,
    '--'
  ]
  const recorded = await run([...record, ...command], cwd, proxies(proxy))
  const isRecorded = tell('recorded', direct.steps, recorded)
  const exec = [process.execPath, packageFile('dist/cli/start.cjs'), 'exec', '--']
  const replayed = await run([...exec, ...command], cwd, proxies('http://127.0.0.1:9'))
  const isReplayed = tell('replayed', direct.steps, replayed)
  print(`  cassettes: ${readdirSync(path.join(cwd, 'cassettes')).join(', ')}`)
  rmSync(cwd, { recursive: true })
  return direct.steps.length > 0 && isRecorded && isReplayed
}

/** Wikis of 1.43: as they are, and in the variants sr and zh. */
const [en = '', commons = '', wikidata = ''] = [0, 300, 400].map(
  (more) => new URL(labUrl('1.43', labPortBase() + more)).origin
)
const { server, certificate } = namedFront({
  'en.wikipedia.org': en,
  'commons.wikimedia.org': commons,
  'www.wikidata.org': wikidata
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const named = process.argv.slice(2)
const failed: string[] = []
for (const library of named.length > 0 ? named : Object.keys(libraries))
  if (!(await prove(library, proxy, certificate))) failed.push(library)
print(failed.length === 0 ? 'all as direct' : `not as direct: ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)
