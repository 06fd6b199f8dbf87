/** The same three tests under jest, mocha and node:test: recorded from a stand-in for a wiki, then replayed without it. */
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { must, place, quietly, root, type Sums, Tally } from './project.ts'
import { runBeside, standIn } from './stand-in.ts'

interface Runner {
  readonly name: string
  readonly args: readonly string[]
}

const runners: readonly Runner[] = [
  {
    name: 'jest',
    // Source: https://jestjs.io/docs/ecmascript-modules
    args: [
      '--experimental-vm-modules',
      '--no-warnings',
      'node_modules/jest/bin/jest.js',
      '--ci'
    ]
  },
  { name: 'mocha', args: ['node_modules/mocha/bin/mocha.js', 'wiki.test.js'] },
  { name: 'node:test', args: ['--test', 'wiki.test.js'] }
]

/** Two runs of each: one that records, one with the wiki gone; each counts as one test. */
export async function runRunners(tarball: string): Promise<Sums> {
  const tally = new Tally()
  const folder = projectWith(tarball)
  const cassettes = path.join(folder, 'cassettes')
  for (const runner of runners) {
    rmSync(cassettes, { recursive: true, force: true })
    const wiki = await standIn()
    const recording = await runRunner(folder, runner, {
      WIKI: wiki.api,
      WIKITAPE_MODE: 'once'
    })
    await wiki.close()
    const made = existsSync(
      path.join(cassettes, 'wiki.test/a_client_lists_pages/cassette.json')
    )
    tally.count(`${runner.name}, recording`, recording.code === 0 && made, recording.text)
    const replaying = await runRunner(folder, runner, {
      WIKI: wiki.api,
      WIKITAPE_MODE: 'none'
    })
    tally.count(`${runner.name}, replaying`, replaying.code === 0, replaying.text)
  }
  return tally
}

const runRunner = (
  folder: string,
  { name, args }: Runner,
  env: Readonly<Record<string, string>>
): ReturnType<typeof runBeside> =>
  runBeside(folder, process.execPath, args, { ...env, RUNNER: name })

/** All of them installed beside each other. */
function projectWith(tarball: string): string {
  const folder = path.join(place, 'runners')
  mkdirSync(folder)
  const jest = { transform: {}, testMatch: ['**/wiki.test.js'] }
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: 'user', private: true, type: 'module', jest })
  )
  cpSync(path.join(root, 'test/runners'), folder, { recursive: true })
  must(folder, 'npm', ['install', ...quietly, tarball, 'jest@30', 'mocha@11'])
  return folder
}
