/**
 * `npm run test:nodes -- tests|recordings`: wikitape on each version of Node.js that package.json names, installed as the
 * npm package `node`. `tests` is the README's test command on the oldest; on the newest, less what takes long and calls
 * nothing of Node.js; on those between, only what meets what Node.js itself does; `recordings` records 60 requests from the lab's wiki with the built program and replays them (`npm run wiki -- up 1.43` first), and asks a version that is too old.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import manifest from '../package.json' with { type: 'json' }
import {
  installNode,
  nodeFolder,
  place,
  reportSums,
  root,
  type Sums,
  Tally
} from './peers/project.ts'
import { specCalls } from './recording/calls.ts'
import { labUrl } from './wiki/lab.ts'

const program = path.join(root, 'dist/cli/start.cjs')

const versions = [...manifest.engines.node.matchAll(/(\d+)\.\d+\.\d+/g)].map(
  ([, major = '']) => major
)
const tooOld = '18'
/** A run of all tests keeps two processors busy, and some more while others wait. */
const sideBySide = Math.max(1, Math.floor(availableParallelism() / 4))

const requests = specCalls
  .filter((call) => !/action=(?:logout|tokens)/.test(call))
  .slice(0, 60)

/** Of a command, and of every command that it starts. */
const environment = (version: string): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${nodeFolder(version)}${path.delimiter}${process.env['PATH'] ?? ''}`
})

interface Ended {
  readonly code: number | null
  readonly text: string
}

const start = (version: string, command: string, args: readonly string[]): ChildProcess =>
  spawn(command, args, {
    cwd: root,
    env: environment(version),
    stdio: ['ignore', 'pipe', 'pipe']
  })

function ended(child: ChildProcess): Promise<Ended> {
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data: Buffer) => {
      text += data.toString('utf8')
    })
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, text: error.message }))
    child.on('close', (code) => resolve({ code, text }))
  })
}

const betweens = versions.slice(1, -1)
/**
 * What the oldest and the newest version do alike, those between do, too: on these run the tests of sockets, `fetch`,
 * processes, streams and files, which each version has made anew.
 */
const meetingNode = [
  'test/cli',
  'test/recorder/http',
  'test/integrations',
  'test/recorder/server',
  'test/recorder/store/cassette-store',
  'test/recorder/store/files',
  'test/pages/access',
  'test/recorder/upstream',
  'test/journeys/access-log',
  'test/journeys/bad-day',
  'test/journeys/built',
  'test/journeys/capture',
  'test/journeys/command-line',
  'test/journeys/exec',
  'test/journeys/login',
  'test/journeys/proxies-and-tls',
  'test/journeys/record-replay',
  'test/journeys/stopping',
  'test/journeys/terminal'
]

/** On those between, the packed package does the same with vitest in `npm run test:peers`. */
const doneByPeers = 'test/integrations/vitest/**'

/**
 * What takes two fifths of the time, and whose functions the tests that are left call, too: all run on the oldest version,
 * and none on the newest.
 */
const lengthyFunctions = [
  'contract/{drift-of-shipped,shipped}',
  'drift/{no-false-alarm,properties}',
  'drift/contract/openapi-modules',
  'drift/report/{counts,recorded-line,reports}',
  'journeys/{drift-wiki,hand-edited,hygiene,import-inside,inspect}',
  'journeys/{one-wiki,review,run-file,settings}',
  'pages/{ask,views}',
  'recorder/cassette-check/check-agrees',
  'recorder/engine/{in-flight,linked-entities,modes,no-format}',
  'recorder/engine/{cache/response-cache.property,miss/misses,record/unrecordable}',
  'recorder/engine/{redaction,session}/*',
  'recorder/paging/{golden,real-walks}',
  'recorder/privacy/{planted,known/secret-registry}',
  'recorder/request/derive',
  'recorder/wiki/{answers/debuginfo,parameters/request-params}',
  'transfer/{read-recording,read-recording.property,syntax/yaml-memory}'
].map((place) => `test/${place}.test.ts`)

const without = (patterns: readonly string[]): readonly string[] =>
  patterns.flatMap((pattern) => ['--exclude', pattern])

/** What of `npm test` runs there, as arguments of vitest. */
function choiceFor(version: string): readonly string[] {
  if (betweens.includes(version)) return [...meetingNode, ...without([doneByPeers])]
  return version === versions[0] ? [] : without(lengthyFunctions)
}

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
}

async function runTests(version: string): Promise<Sums> {
  const file = path.join(place, `${version}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { code, text } = await ended(
    start(version, 'npm', ['test', '--', ...reporters, ...choiceFor(version)])
  )
  if (code !== 0) console.error(text)
  try {
    const { numFailedTests, numPassedTests }: Report = JSON.parse(
      readFileSync(file, 'utf8')
    )
    // A file that cannot be run has no test that failed.
    return {
      passed: numPassedTests,
      failed: Math.max(numFailedTests, code === 0 ? 0 : 1)
    }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

/** Serves, asks everything, and stops. @returns the answers, of which each must have that status */
async function answers(
  version: string,
  args: readonly string[],
  status: string,
  tally: Tally
): Promise<readonly string[]> {
  const child = start(version, 'node', [program, ...args, '--port', '0'])
  const end = ended(child)
  const found: string[] = []
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    const api = line.slice(line.lastIndexOf(' ') + 1)
    for (const call of requests) {
      const reply = await fetch(`${api}?${encodeURI(call)}&format=json`).catch(
        (error: unknown) => String(error)
      )
      const told =
        typeof reply === 'string' ? reply : reply.headers.get('x-cassette-status')
      found.push(typeof reply === 'string' ? reply : await reply.text())
      if (told === status) tally.passed += 1
      else tally.count(`node ${version}, ${status}: ${call}`, false, `${told}`)
    }
    break
  }
  child.kill('SIGTERM')
  const { code, text } = await end
  tally.count(
    `node ${version}, ${args[0]} of ${requests.length} requests`,
    code === 0,
    text
  )
  return found
}

async function record(version: string): Promise<Sums> {
  const tally = new Tally()
  const cassette = path.join(place, `tape-${version}`)
  const recorded = await answers(
    version,
    ['record', labUrl('1.43'), '--cassette', cassette, '--allow-live'],
    'recorded',
    tally
  )
  const replayed = await answers(
    version,
    ['replay', '--cassette', cassette],
    'replayed',
    tally
  )
  const same = recorded.every((text, at) => text === replayed[at])
  tally.count(
    `node ${version}, the same answers`,
    same && recorded.length > 0,
    'replay differs'
  )
  return tally
}

async function refuse(version: string): Promise<Sums> {
  const tally = new Tally()
  const { code, text } = await ended(start(version, 'node', [program, '--version']))
  const isRefused =
    code === 2 &&
    text.includes(`this is Node.js ${version}.`) &&
    text.includes('needs Node.js')
  tally.count(`node ${version} is refused in words`, isRefused, text)
  return tally
}

/** So many at a time. */
async function eachOf(
  work: (version: string) => Promise<Sums>,
  lanes: number
): Promise<readonly Sums[]> {
  const waiting = [...versions]
  const sums = [] as Sums[]
  const lane = async (): Promise<void> => {
    for (
      let version = waiting.shift();
      version !== undefined;
      version = waiting.shift()
    ) {
      installNode(version)
      const sum = await work(version)
      console.log(`node ${version}: ${sum.passed} passed, ${sum.failed} failed`)
      sums.push(sum)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return sums
}

async function recordings(): Promise<readonly Sums[]> {
  installNode(tooOld)
  return [await refuse(tooOld), ...(await eachOf(record, versions.length))]
}

await reportSums(async (add) => {
  const [what] = process.argv.slice(2)
  if (what !== 'tests' && what !== 'recordings')
    throw new Error('expected tests or recordings')
  for (const sums of await (what === 'tests'
    ? eachOf(runTests, sideBySide)
    : recordings()))
    add(sums)
})
