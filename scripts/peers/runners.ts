/** The same three tests under jest, mocha and node:test: recorded from a stand-in for a wiki, then replayed without it. */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { must, place, root } from './project.ts'

interface Runner {
  readonly name: string
  /** What npm installs for it. */
  readonly needs: readonly string[]
  readonly args: readonly string[]
}

const runners: readonly Runner[] = [
  {
    name: 'jest',
    needs: ['jest@30'],
    // Source: https://jestjs.io/docs/ecmascript-modules
    args: ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', '--ci'],
  },
  { name: 'mocha', needs: ['mocha@11'], args: ['node_modules/mocha/bin/mocha.js', 'wiki.test.js'] },
  { name: 'node:test', needs: [], args: ['--test', 'wiki.test.js'] },
]

interface Sums {
  readonly passed: number
  readonly failed: number
}

/** Two runs of each: one that records, one with the wiki gone; each counts as one test. */
export async function runRunners(tarball: string): Promise<Sums> {
  let [passed, failed] = [0, 0]
  const count = (name: string, went: boolean, text: string): void => {
    console.log(`${name}: ${went ? 'passed' : 'FAILED'}`)
    if (!went) console.error(text)
    passed += Number(went)
    failed += Number(!went)
  }
  for (const runner of runners) {
    const folder = projectFor(runner, tarball)
    const wiki = await standIn()
    const recording = await runIn(folder, runner, { WIKI: wiki.api, WIKITAPE_MODE: 'once' })
    await wiki.close()
    const made = existsSync(path.join(folder, 'cassettes/wiki.test/a_client_lists_pages/cassette.json'))
    count(`${runner.name}, recording`, recording.code === 0 && made, recording.text)
    const replaying = await runIn(folder, runner, { WIKI: wiki.api, WIKITAPE_MODE: 'none' })
    count(`${runner.name}, replaying`, replaying.code === 0, replaying.text)
  }
  return { passed, failed }
}

function projectFor({ name, needs }: Runner, tarball: string): string {
  const folder = path.join(place, name.replace(':', '-'))
  mkdirSync(folder)
  const jest = { transform: {}, testMatch: ['**/wiki.test.js'] }
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: 'user', private: true, type: 'module', jest }),
  )
  cpSync(path.join(root, 'test/runners'), folder, { recursive: true })
  must(folder, 'npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    tarball,
    'nock@14',
    ...needs,
  ])
  return folder
}

/** Answers every question with what was asked. */
async function standIn(): Promise<{ readonly api: string; readonly close: () => Promise<void> }> {
  const server = http.createServer((request, response) => {
    response.setHeader('content-type', 'application/json; charset=utf-8')
    response.end(JSON.stringify({ batchcomplete: '', query: { asked: request.url } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    api: `http://127.0.0.1:${port}/w/api.php`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Not `spawnSync`: the stand-in has to answer meanwhile. */
function runIn(
  cwd: string,
  { name, args }: Runner,
  more: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly text: string }> {
  const { NODE_OPTIONS: _, CI: __, ...env } = process.env
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...env, ...more, RUNNER: name },
    timeout: 60_000,
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      text += data.toString('utf8')
    })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })))
}
