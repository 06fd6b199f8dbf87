import { accessSync, constants, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import {
  defineConfig,
  type ViteUserConfig,
  type ViteUserConfigFnObject
} from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * These wait for others most of the time, or take longest: begun last, they would leave a processor idle at the end.
 * And these start many processes, each of which takes the longer the larger the one is that starts it: 1 ms at first, 10 to 20 later.
 */
const long = [
  ...[
    'test/recorder/server/half-sent',
    'test/integrations/pytest/plugin',
    'test/integrations/vitest/use-cassette'
  ],
  ...[
    'test/journeys/hygiene',
    'test/journeys/exec',
    'test/journeys/completion',
    'test/journeys/runtimes'
  ],
  ...[
    'test/journeys/record-replay',
    'test/recorder/store/untrusted-cassettes',
    'test/recorder/engine/miss/misses',
    'test/package'
  ]
]

/** These change the process they run in, as nock does with node:http. */
const changing = [
  ...[
    'test/journeys/import-export',
    'test/journeys/bad-day',
    'test/integrations/in-process/',
    'test/integrations/nock/',
    'test/integrations/testing/',
    'test/integrations/program/options'
  ],
  ...[
    'test/recorder/store/shared-descriptions',
    'test/integrations/vitest/docs',
    'test/integrations/vitest/drift',
    'test/transfer/read-recording.property',
    'test/recorder/upstream/nocked'
  ]
]

/** The longest of these: most of it goes by before its first test, which no measured time of tests shows. */
const longestChanging = ['test/contract/spec']

/** Whatever runs in a process after what changes it is of the same kind. */
class ChangingLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [0, 1, 2, 3].flatMap((turn) => sorted.filter((file) => turnOf(file) === turn))
  }
}

function turnOf({ project, moduleId }: TestSpecification): number {
  const file = path.relative(project.config.root, moduleId)
  const isOf = (places: readonly string[]): boolean =>
    places.some((place) => file.startsWith(place))
  if (isOf(longestChanging)) return 2
  if (isOf(changing)) return 3
  return isOf(long) ? 0 : 1
}

/**
 * Where temporary folders lie: in memory where there is room, since thousands of small files are written and synced,
 * each of which costs a disk milliseconds. `TMPDIR` overrules.
 */
function temporaryPlace(): string {
  const memory = '/dev/shm'
  const gibibyte = 2 ** 30
  if (process.env['TMPDIR'] !== undefined) return tmpdir()
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > gibibyte ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}

/**
 * What V8 optimizes is worth it in a server that runs for days; a test calls most functions too seldom. Optimizing only
 * what is called several times as often saves a sixth of the processor's time or more. V8 has had two names for that.
 */
function seldomOptimized(): string {
  const [major = 0] = process.versions.node.split('.').map(Number)
  return major < 22
    ? '--interrupt-budget=1000000'
    : '--invocation-count-for-turbofan=20000'
}

/** What the machine is set to must not show in a test; those of CI=true set it themselves. */
const neutral: Readonly<Record<string, string>> = {
  CI: '',
  WIKITAPE_MODE: '',
  VCR_MODE: ''
}

/** Options of one kind of tests. */
type TestOptions = NonNullable<ViteUserConfig['test']>

/** Nothing is judged by time: these only end what hangs, on a machine that is slow and busy, too. */
const patient: TestOptions = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 600_000 } }
}

/** All files share a process for each processor, so that the sources are read once. */
const together = {
  isolate: false,
  // Room for what is young, and from the beginning: a tenth of the time, which went to collecting it. And collecting it
  // in one thread: the processors have work enough, and several threads take a twentieth more in all.
  execArgv: [
    '--min-semi-space-size=32',
    '--max-semi-space-size=32',
    '--single-threaded-gc',
    seldomOptimized()
  ],
  // What a file is compiled to is kept from run to run, by its content: as dear as a twentieth of all tests.
  experimental: { fsModuleCache: true }
} satisfies TestOptions

/**
 * Everything below test/ that needs neither a real wiki nor a browser.
 */
const offline: TestOptions = {
  ...patient,
  env: { ...neutral, TMPDIR: temporaryPlace() },
  setupFiles: [
    'test/helpers/present-build.ts',
    ...(process.env['WIKITAPE_SEED'] === undefined ? [] : ['test/helpers/seed.ts'])
  ],
  // Much of the time goes to child processes, which are waited for: with one more than there are processors none is idle.
  maxWorkers: availableParallelism() + 1,
  coverage: { provider: 'v8', include: ['src/**'] },
  ...together,
  sequence: { sequencer: ChangingLast },
  include: ['test/**/*.test.ts'],
  exclude: ['test/{live,browser,clients,fixtures,redis}/**', '**/node_modules/**']
}

/** What takes seconds each: many processes, megabytes, many random cases. `npm test` leaves it to `npm run test:thorough`. */
const lengthy: readonly string[] = [
  'bill-of-materials',
  'docs/readme',
  'drift/{mutations,stranger/strangers-told}',
  'integrations/{pytest/plugin,vitest/{several-wikis,use-cassette}}',
  'journeys/{completion,drift,hygiene-merge,import-export,import-moving,import-recorders}',
  'journeys/{large-answers,late-secrets,long-heads,runtimes,sealed,stopping}',
  'recorder/engine/{golden-wikibase,write-races,miss/large-folders}',
  'recorder/engine/redaction/planted-matrix',
  'recorder/engine/session/{dependence.property,writes}',
  'recorder/http/envelopes',
  'recorder/paging/{pages,props,synthesize}.property',
  'recorder/paging/peers',
  'recorder/privacy/hostile',
  'recorder/server/{half-sent,hostile,origin-policy,proxy/tunnels}',
  'recorder/store/write-failures',
  'recorder/text/utf16'
].map((place) => `test/${place}.test.ts`)

/** What has sizes, of which CI runs the full one: `npm run test:full`. */
const sized: readonly string[] = [
  'contract/{growth,spec}',
  'drift/content/{edits-untold,mutations-told}',
  'drift/findings/acceptances-outgrown',
  'journeys/{edge,hygiene-processes}',
  'recorder/engine/redaction/planted',
  'recorder/engine/session/many-logins',
  'recorder/server/bounds',
  'transfer/syntax/parse-recording'
].map((place) => `test/${place}.test.ts`)

/** `npm test`. */
const short: TestOptions = {
  ...offline,
  exclude: [...(offline.exclude ?? []), ...lengthy, ...sized]
}

const thorough: TestOptions = { ...offline, include: [...lengthy] }

const full: TestOptions = {
  ...offline,
  env: { ...offline.env, WIKITAPE_TESTS: 'full' },
  include: [...sized]
}

/** Functions of their arguments: no server, no process, hardly a file. */
const functions: readonly string[] = [
  'recorder/{json,text,knowledge,wiki,request,cassette,privacy,paging,playback}',
  'drift'
]

/** The tests of functions, for between two edits. */
const quick: TestOptions = {
  ...offline,
  maxWorkers: '100%',
  include: functions.map((folder) => `test/${folder}/**/*.test.ts`),
  // Megabytes that could make a search slow, servers, processes and whole wikis are for `npm test`.
  exclude: [
    ...['hostile', 'peers'].map((name) => `**/${name}.test.ts`),
    ...['golden', 'real-walks'].map((name) => `**/paging/${name}.test.ts`)
  ],
  // In so short a run most functions are called too seldom to be worth more than that: a fifth of the time.
  execArgv: [...together.execArgv, '--always-sparkplug']
}

/** Cassettes on a server: `redis-server` of the system. */
const redis: TestOptions = {
  ...offline,
  include: ['test/redis/**/*.test.ts'],
  exclude: ['**/node_modules/**']
}

/** Tests against real wikis on loopback (`npm run wiki -- up`). */
const live: TestOptions = {
  ...patient,
  ...together,
  include: ['test/live/**/*.test.ts'],
  // They only read, so that several files may ask the wikis at once.
  maxWorkers: '100%'
}

/** Tests in a real browser: headless Chromium (`chromium` of the system). */
const browser: TestOptions = {
  ...patient,
  ...together,
  env: neutral,
  setupFiles: ['test/helpers/present-build.ts'],
  include: ['test/browser/**/*.test.ts']
}

/** Real clients in front of real wikis: `npm run wiki -- up` first; npm and Debian carry the clients. */
const clients: TestOptions = {
  ...patient,
  include: ['test/clients/**/*.test.ts'],
  exclude: ['**/node_modules/**'],
  globalSetup: ['test/clients/install.ts'],
  // A wiki each, and two cores: both at once.
  maxWorkers: 2
}

/** `vitest --mode quick`: which tests run. Without a mode, the offline ones. */
export const kinds: Readonly<Record<string, TestOptions>> = {
  ...{ test: offline, short, thorough, full, quick, redis, live, browser, clients }
}

const config: ViteUserConfigFnObject = defineConfig(({ mode }) => {
  // Programs that only read this file have Vite's own modes.
  const kind = ['development', 'production'].includes(mode) ? 'test' : mode
  const test = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (test === undefined)
    throw new Error(`--mode ${mode}: expected one of ${Object.keys(kinds).join(', ')}`)
  return { test }
})

export default config
