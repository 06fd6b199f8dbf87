/**
 * The documentation is code: every `sh` block is run (beside the `js` blocks that begin with the name of a file), offline, with a shipped cassette standing in for the public wiki; links
 * must lead somewhere; docs/cli.md must be what the verbs say of themselves.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const program = path.join(root, 'dist/cli/main.js')
const publicWiki = 'https://ru.wikipedia.org/w/api.php'

const pages = ['.', 'docs', 'docs/decisions'].flatMap((dir) =>
  readdirSync(path.join(root, dir))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(dir, name)),
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
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const [, name = ''] of block.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)) {
    if (scripts[name] === undefined) faults.push(`${page}: there is no npm script "${name}"`)
  }
}

/** A folder like a user's: cassettes at hand, `npx wikitape` and `wikitape` on the path. */
function workFolder(): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'wikitape-docs-'))
  cpSync(path.join(root, 'cassettes'), path.join(dir, 'cassettes'), { recursive: true })
  writeFileSync(path.join(dir, 'wikitape'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`)
  writeFileSync(
    path.join(dir, 'npx'),
    '#!/bin/sh\n[ "$1" = wikitape ] || exit 9\nshift\nexec wikitape "$@"\n',
  )
  for (const name of ['wikitape', 'npx']) chmodSync(path.join(dir, name), 0o755)
  return dir
}

function runBlock(page: string, block: string, wiki: string, dir: string): void {
  const own = block.split('\n').filter((line) => !/^npm /.test(line))
  const script = `set -e\n${own.join('\n').replaceAll(publicWiki, wiki)}\n`
  if (script.trim() === 'set -e') return
  const env = { ...process.env, PATH: `${dir}:${process.env['PATH']}`, CI: '' }
  const run = spawnSync('bash', ['-c', script], { cwd: dir, env, encoding: 'utf8', timeout: 60_000 })
  const missed = /cassette-miss|"error"/.test(run.stdout)
  if (run.status !== 0 || missed) {
    faults.push(
      `${page}: this block ended with ${run.status}${missed ? ' and an error in an answer' : ''}:\n${block}\n${run.stdout.slice(0, 2000)}\n${run.stderr.slice(0, 2000)}`,
    )
  }
}

async function startWiki(): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = spawn(
    process.execPath,
    [program, 'replay', '--cassette', path.join(root, 'cassettes/ru-1.43'), '--port', '0'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  for await (const line of createInterface(child.stdout))
    return { url: line.slice(line.lastIndexOf(' ') + 1), child }
  throw new Error('wikitape replay did not start')
}

const wiki = await startWiki()
let blocks = 0
const dir = workFolder()
for (const page of pages) {
  const text = readFileSync(path.join(root, page), 'utf8')
  checkLinks(page, text)
  for (const [, block = '', name = ''] of text.matchAll(/^```js\n(\/\/ ([\w-]+\.mjs)\b[\s\S]*?)^```/gm))
    writeFileSync(path.join(dir, name), block)
  for (const [, block = ''] of text.matchAll(/^```sh\n([\s\S]*?)^```/gm)) {
    blocks += 1
    checkScripts(page, block)
    runBlock(page, block, wiki.url, dir)
  }
}
wiki.child.kill()
rmSync(dir, { recursive: true, force: true })
const cli = spawnSync(
  process.execPath,
  ['--import', 'tsx', path.join(root, 'scripts/write-cli-docs.ts'), '--check'],
  { cwd: root, encoding: 'utf8' },
)
if (cli.status !== 0) faults.push(cli.stderr.trim())

for (const fault of faults) console.error(fault)
console.log(`${pages.length} pages, ${blocks} blocks run, ${faults.length} faults`)
process.exitCode = faults.length > 0 ? 1 : 0
