import { accessSync, constants, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * These wait for others most of the time, or take longest: begun last, they would leave a processor idle at the end.
 * And these start many processes, each of which takes the longer the larger the one is that starts it: 1 ms at first, 10 to 20 later.
 */
const long = [
  ...['test/vitest/use-cassette'],
  ...['test/journeys/hygiene', 'test/journeys/exec', 'test/journeys/completion'],
  ...['test/journeys/record-replay', 'test/store/strangers', 'test/proxy/misses', 'test/package'],
]

/** These change the process they run in, as nock does with node:http. */
const changing = [
  ...['test/journeys/import-export', 'test/nock/', 'test/testing/', 'test/program/options'],
  ...['test/vitest/docs', 'test/vitest/drift', 'test/upstream/kept.property', 'test/upstream/nocked'],
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
  const isOf = (places: readonly string[]): boolean => places.some((place) => file.startsWith(place))
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
 * Offline tests: everything below test/ that needs neither a real wiki nor a browser. All files share a process for each
 * processor, so that the sources are read once. `npm run test:quick` has a configuration of its own.
 */
const config: ViteUserConfig = defineConfig({
  test: {
    // What the machine is set to must not show in a test; those of CI=true set it themselves.
    env: { CI: '', WIKITAPE_MODE: '', VCR_MODE: '', TMPDIR: temporaryPlace() },
    setupFiles: process.env['WIKITAPE_SEED'] === undefined ? [] : ['test/helpers/seed.ts'],
    // Nothing is judged by time: this only ends what hangs, on a busy machine too.
    testTimeout: 120_000,
    // Much of the time goes to child processes, which are waited for: with one more than there are processors none is idle.
    maxWorkers: availableParallelism() + 1,
    coverage: { provider: 'v8', include: ['src/**'] },
    isolate: false,
    // Room for what is young, and from the beginning: a tenth of the time, which went to collecting it.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=32'],
    // What a file is compiled to is kept from run to run, by its content: as dear as a twentieth of all tests.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: ChangingLast },
    include: ['test/**/*.test.ts'],
    exclude: ['test/live/**', 'test/browser/**', 'test/clients/**', '**/node_modules/**'],
  },
})

export default config
