/**
 * `npm run test:peers`: the packed package in projects of their own, with the oldest and the newest versions of its
 * peers that it promises to work with, and under other test runners. Needs the npm registry; the tests themselves stay on this machine.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { checkExampleTypes } from './peers/example-types.ts'
import { runOtherLives } from './peers/lives/other-lives.ts'
import { runOtherRuntimes } from './peers/other-runtimes.ts'
import {
  installNode,
  must,
  pack,
  reportSums,
  root,
  run,
  type Sums
} from './peers/project.ts'
import { runRunners } from './peers/runners.ts'
import { lifeFolder, runVitestLives } from './peers/vitest-lives.ts'

const lives = [
  { node: '20', vitest: '4', nock: '14' },
  { node: '22', vitest: '4', nock: '15' },
  { node: '24', vitest: '5', nock: '15' }
] as const

/** With the packages of those lives that have the oldest and the newest of all. */
const settings = [lives[0], lives[2]]

/** A project below another one, which has the packages. */
function projectIn(life: string): string {
  const folder = path.join(life, 'own')
  mkdirSync(folder)
  writeFileSync(
    path.join(folder, 'package.json'),
    '{"name":"user","private":true,"type":"module"}\n'
  )
  cpSync(path.join(root, 'test/peers'), folder, { recursive: true })
  for (const name of ['ru-1.35', 'ru-1.43'])
    cpSync(path.join(root, 'cassettes', name), path.join(folder, 'cassettes', name), {
      recursive: true
    })
  cpSync(path.join(root, 'test/fixtures/tls'), path.join(folder, 'tls'), {
    recursive: true
  })
  const config = `export default { test: { include: ['*.spec.ts'], setupFiles: ['./set-up.ts'], testTimeout: 300000 } }\n`
  writeFileSync(path.join(folder, 'vitest.config.ts'), config)
  return folder
}

const versionIn = (life: string, name: string): string => {
  const text = readFileSync(path.join(life, 'node_modules', name, 'package.json'), 'utf8')
  const { version } = JSON.parse(text) as { readonly version: string }
  return `${name} ${version}`
}

function runTests(folder: string, node: string): Sums {
  const output = path.join(folder, 'results.json')
  const args = [
    '../node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${output}`
  ]
  const { code, text } = run(folder, node, args)
  const { numFailedTests = 0, numPassedTests = 0 } = existsSync(output)
    ? (JSON.parse(readFileSync(output, 'utf8')) as {
        readonly numFailedTests?: number
        readonly numPassedTests?: number
      })
    : {}
  if (code === 0 && numPassedTests > 0)
    return { passed: numPassedTests, failed: numFailedTests }
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
    types: ['node']
  }
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*.ts'] })
  )
  const { code, text } = run(folder, process.execPath, [
    path.join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    folder
  ])
  if (code === 0) return { passed: 1, failed: 0 }
  console.error(text)
  return { passed: 0, failed: 1 }
}

await reportSums(async (add) => {
  const tarball = pack()
  add(await runVitestLives(tarball, lives))
  for (const { node } of settings) {
    const life = lifeFolder(node)
    const folder = projectIn(life)
    const program = path.join(installNode(node), 'node')
    const version = must(folder, program, ['--version']).trim()
    console.log(
      `${versionIn(life, 'vitest')}, ${versionIn(life, 'nock')}, node ${version}`
    )
    add(runTests(folder, program))
    add(checkTypes(folder))
  }
  add(await runOtherLives(tarball))
  add(await runRunners(tarball))
  add(await runOtherRuntimes(tarball))
  add(checkExampleTypes(tarball))
})
