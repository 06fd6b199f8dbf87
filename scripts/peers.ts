/**
 * `npm run test:peers`: the packed package in projects of their own, with the oldest and the newest versions of its
 * peers that it promises to work with, and under other test runners. Needs the npm registry; the tests themselves stay on this machine.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runOtherLives } from './peers/lives/other-lives.ts'
import { must, pack, place, reportSums, root, run, type Sums } from './peers/project.ts'
import { runRunners } from './peers/runners.ts'
import { runVitestLives } from './peers/vitest-lives.ts'

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

function projectFor({ node, nock, vitest }: Setting, tarball: string): string {
  const folder = path.join(place, `vitest-${vitest}`)
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'package.json'), '{"name":"user","private":true,"type":"module"}\n')
  cpSync(path.join(root, 'test/peers'), folder, { recursive: true })
  for (const name of ['ru-1.35', 'ru-1.43'])
    cpSync(path.join(root, 'cassettes', name), path.join(folder, 'cassettes', name), { recursive: true })
  cpSync(path.join(root, 'test/fixtures/tls'), path.join(folder, 'tls'), { recursive: true })
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

function runTests(folder: string): Sums {
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
  if (code === 0 && numPassedTests > 0) return { passed: numPassedTests, failed: numFailedTests }
  console.error(text)
  return { passed: numPassedTests, failed: numFailedTests || 1 }
}

/** The declarations with those of the peers: the project's own tests are type-checked as its author would. */
function checkTypes(folder: string): Sums {
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
  if (code === 0) return { passed: 1, failed: 0 }
  console.error(text)
  return { passed: 0, failed: 1 }
}

await reportSums(async (add) => {
  const tarball = pack()
  for (const setting of settings) {
    const folder = projectFor(setting, tarball)
    const node = must(folder, nodeOf(folder), ['--version']).trim()
    console.log(`${versionIn(folder, 'vitest')}, ${versionIn(folder, 'nock')}, node ${node}`)
    add(runTests(folder))
    add(checkTypes(folder))
  }
  const lives = [
    { node: '20', vitest: '4', nock: '14' },
    { node: '22', vitest: '4', nock: '15' },
    { node: '24', vitest: '5', nock: '15' },
  ]
  add(await runVitestLives(tarball, lives))
  add(await runOtherLives(tarball))
  add(await runRunners(tarball))
})
