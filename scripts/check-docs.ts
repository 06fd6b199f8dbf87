/**
 * The documentation is code: every `sh` block is run (beside the `js` blocks that begin with the name of a file) with
 * the package as it would be installed, offline, a shipped cassette standing in for the public wiki. What begins the
 * README is also typed by hand, and run as PowerShell would hand it on. Links must lead somewhere; docs/cli.md must be
 * what the verbs say of themselves.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const program = path.join(root, 'dist/cli/start.cjs')
const publicWiki = 'https://ru.wikipedia.org/w/api.php'

const pages = ['.', 'docs', 'docs/decisions'].flatMap((dir) =>
  readdirSync(path.join(root, dir))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(dir, name))
)

const faults: string[] = []

/** Relative links, the anchor aside. */
function checkLinks(page: string, text: string): void {
  for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target) || target.startsWith('#')) continue
    const file = path.join(root, path.dirname(page), target.replace(/#.*/, ''))
    if (!existsSync(file)) faults.push(`${page}: the link ${target} leads nowhere`)
  }
}

/** `npm run x` must name a script; npm itself is run elsewhere. */
function checkScripts(page: string, block: string): void {
  const { scripts } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8')
  ) as {
    scripts: Record<string, string>
  }
  for (const [, name = ''] of block.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)) {
    if (scripts[name] === undefined)
      faults.push(`${page}: there is no npm script "${name}"`)
  }
}

/** A folder like a user's: the packed package installed. What it depends on is there already. */
function workFolder(): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'wikitape-docs-'))
  writeFileSync(path.join(dir, 'package.json'), '{"name":"user","private":true}\n')
  const modules = path.join(dir, 'node_modules')
  mkdirSync(path.join(modules, '.bin'), { recursive: true })
  for (const name of readdirSync(path.join(root, 'node_modules')).filter(
    (one) => !one.startsWith('.')
  ))
    symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name))
  const packed = must('npm', [
    'pack',
    '--ignore-scripts',
    '--silent',
    '--pack-destination',
    dir
  ])
  must('tar', [
    '-xzf',
    path.join(dir, packed.trim().split('\n').at(-1) ?? ''),
    '-C',
    modules
  ])
  renameSync(path.join(modules, 'package'), path.join(modules, 'wikitape'))
  const main = path.join(modules, 'wikitape/dist/cli/start.cjs')
  chmodSync(main, 0o755)
  symlinkSync(main, path.join(modules, '.bin/wikitape'))
  return dir
}

function must(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8'
  })
  if (status === 0) return stdout
  throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr}`)
}

/** In which programs reach the public wiki by its own address. */
let publicEnvironment: NodeJS.ProcessEnv = {}

function runBlock(page: string, block: string, wiki: string, dir: string): void {
  const lines = block.split('\n').filter((line) => !/^npm /.test(line))
  const own = lines.join('\n').replaceAll(publicWiki, wiki)
  if (own.trim() === '') return
  runScript(page, own, ['-c', `set -e\n${own}\n`], dir)
  if (!own.includes(' -- node ')) return
  runScript(`${page}, typed by hand`, own, ['-s'], dir)
  const handedOn = own.replaceAll(' -- node ', ' node ')
  runScript(
    `${page}, as PowerShell hands it on`,
    handedOn,
    ['-c', `set -e\n${handedOn}\n`],
    dir
  )
}

/** @param lines read from stdin where the arguments name no script */
function runScript(
  what: string,
  lines: string,
  args: readonly string[],
  dir: string
): void {
  const env = {
    ...process.env,
    ...publicEnvironment,
    PATH: `${dir}/node_modules/.bin:${process.env['PATH']}`,
    CI: ''
  }
  const run = spawnSync('bash', args, {
    cwd: dir,
    env,
    encoding: 'utf8',
    timeout: 600_000,
    input: `${lines}\n`
  })
  const missed = /cassette-miss|"error"/.test(run.stdout)
  if (run.status !== 0 || missed) {
    faults.push(
      `${what}: this block ended with ${run.status}${missed ? ' and an error in an answer' : ''}:\n${lines}\n${run.stdout.slice(0, 2000)}\n${run.stderr.slice(0, 2000)}`
    )
  }
}

interface Started {
  readonly url: string
  readonly child: ChildProcess
}

/** @returns with the address at the end of the first line that it prints */
async function started(args: readonly string[]): Promise<Started> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore']
  })
  for await (const line of createInterface(child.stdout))
    return { url: line.slice(line.lastIndexOf(' ') + 1), child }
  throw new Error(`${args.join(' ')} did not start`)
}

const cassette = path.join(root, 'cassettes/ru-1.43')
const wiki = await started([program, 'replay', '--cassette', cassette, '--port', '0'])
const { origin } = new URL(wiki.url)
const authority = path.join(
  mkdtempSync(path.join(tmpdir(), 'wikitape-docs-ca-')),
  'ca.pem'
)
const front = await started([
  '--import',
  'tsx',
  'scripts/wiki/named-front.ts',
  new URL(publicWiki).host,
  origin,
  authority
])
publicEnvironment = { HTTPS_PROXY: front.url, NODE_EXTRA_CA_CERTS: authority }
let blocks = 0
const dir = workFolder()
const shipped = path.join(dir, 'cassettes')
for (const page of pages) {
  // Who reads README.md has no clone, and so none of its cassettes.
  if (page.startsWith('docs') && !existsSync(path.join(shipped, 'ru-1.43')))
    cpSync(path.join(root, 'cassettes'), shipped, { recursive: true })
  const text = readFileSync(path.join(root, page), 'utf8')
  checkLinks(page, text)
  for (const [, block = '', name = ''] of text.matchAll(
    /^```js\n(\/\/ ([\w-]+\.mjs)\b[\s\S]*?)^```/gm
  ))
    writeFileSync(path.join(dir, name), block)
  for (const [, block = ''] of text.matchAll(/^```sh\n([\s\S]*?)^```/gm)) {
    blocks += 1
    checkScripts(page, block)
    runBlock(page, block, wiki.url, dir)
  }
}
wiki.child.kill()
front.child.kill()
rmSync(path.dirname(authority), { recursive: true, force: true })
rmSync(dir, { recursive: true, force: true })
const cli = spawnSync(
  process.execPath,
  ['--import', 'tsx', path.join(root, 'scripts/write-cli-docs.ts'), '--check'],
  { cwd: root, encoding: 'utf8' }
)
if (cli.status !== 0) faults.push(cli.stderr.trim())

for (const fault of faults) console.error(fault)
console.log(`${pages.length} pages, ${blocks} blocks run, ${faults.length} faults`)
process.exitCode = faults.length > 0 ? 1 : 0
