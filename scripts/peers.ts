/**
 * `npm run test:peers`: the packed package in projects of their own, with the oldest and the newest versions of its
 * peers that it promises to work with. Needs the npm registry; the tests themselves stay on this machine.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

interface Setting {
  readonly vitest: string
  readonly nock: string
  /** A version of the npm package `node`; undefined for the Node that runs this. */
  readonly node: string | undefined
}

const settings: readonly Setting[] = [
  { vitest: '4', nock: '14', node: undefined },
  { vitest: '5', nock: '15', node: '24' },
]

const root = fileURLToPath(new URL('..', import.meta.url))
const place = mkdtempSync(path.join(tmpdir(), 'wikitape-peers-'))
let [passed, failed] = [0, 0]

function run(
  cwd: string,
  command: string,
  args: readonly string[],
): { readonly code: number; readonly text: string } {
  // What this was started with must not reach the projects: npm's variables name this project's own folders.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:npm_(?!config_)|NODE_OPTIONS$|WIKITAPE_|VCR_|VITEST)/.test(name),
    ),
  )
  const done = spawnSync(command, args, {
    cwd,
    env: { ...env, CI: 'true' },
    encoding: 'utf8',
    timeout: 120_000,
  })
  return {
    code: done.status ?? 1,
    text: `${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}`,
  }
}

function must(cwd: string, command: string, args: readonly string[]): string {
  const { code, text } = run(cwd, command, args)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${text}`)
  return text
}

/** The file that a user would install. */
function pack(): string {
  const told = must(root, 'npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', place])
  return path.join(place, told.trim().split('\n').at(-1) ?? '')
}

function projectFor({ node, nock, vitest }: Setting, tarball: string): string {
  const folder = path.join(place, `vitest-${vitest}`)
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'package.json'), '{"name":"user","private":true,"type":"module"}\n')
  cpSync(path.join(root, 'test/peers'), folder, { recursive: true })
  for (const name of ['ru-1.35', 'ru-1.43'])
    cpSync(path.join(root, 'cassettes', name), path.join(folder, 'cassettes', name), { recursive: true })
  const config = `export default { test: { include: ['*.spec.ts'], setupFiles: ['./set-up.ts'], testTimeout: 30000 } }\n`
  writeFileSync(path.join(folder, 'vitest.config.ts'), config)
  const own = node === undefined ? [] : [`node@${node}`]
  const wanted = [tarball, `vitest@${vitest}`, `nock@${nock}`, `@types/node@${node ?? '20'}`, ...own]
  must(folder, 'npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...wanted])
  return folder
}

function nodeOf(folder: string): string {
  const own = path.join(folder, 'node_modules/node/bin/node')
  return existsSync(own) ? own : process.execPath
}

const versionIn = (folder: string, name: string): string => {
  const text = readFileSync(path.join(folder, 'node_modules', name, 'package.json'), 'utf8')
  const { version } = JSON.parse(text) as { readonly version: string }
  return `${name} ${version}`
}

function runTests(folder: string): void {
  const output = path.join(folder, 'results.json')
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${output}`,
  ]
  const { code, text } = run(folder, nodeOf(folder), args)
  const { numFailedTests = 0, numPassedTests = 0 } = existsSync(output)
    ? (JSON.parse(readFileSync(output, 'utf8')) as {
        readonly numFailedTests?: number
        readonly numPassedTests?: number
      })
    : {}
  passed += numPassedTests
  failed += numFailedTests
  if (code === 0 && numPassedTests > 0) return
  if (numFailedTests === 0) failed += 1
  console.error(text)
}

/** The declarations with those of the peers: the project's own tests are type-checked as its author would. */
function checkTypes(folder: string): void {
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
  }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const { code, text } = run(folder, process.execPath, [
    path.join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    folder,
  ])
  if (code === 0) passed += 1
  else {
    failed += 1
    console.error(text)
  }
}

try {
  const tarball = pack()
  for (const setting of settings) {
    const folder = projectFor(setting, tarball)
    const node = must(folder, nodeOf(folder), ['--version']).trim()
    console.log(`${versionIn(folder, 'vitest')}, ${versionIn(folder, 'nock')}, node ${node}`)
    runTests(folder)
    checkTypes(folder)
  }
} catch (error) {
  failed += 1
  console.error(error instanceof Error ? error.message : error)
} finally {
  rmSync(place, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
