import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** Files that change the process they run in, as nock does with node:http: among themselves. */
const alone = [
  'test/nock/**/*.test.ts',
  'test/vitest/**/*.test.ts',
  'test/testing/**/*.test.ts',
  'test/contract/spec.test.ts',
  'test/journeys/import-export.test.ts',
  'test/upstream/kept.property.test.ts',
  'test/upstream/nocked.test.ts',
]

const elsewhere = ['test/live/**', 'test/browser/**', 'test/clients/**', '**/node_modules/**']

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

/** No test finds ready what another has asked; where it is set, all of them shall. */
const readyPlace = process.env['WIKITAPE_CACHE'] ?? 'off'

/**
 * Offline tests: everything below test/ that needs neither a real wiki nor a browser. Most files share a process, so that
 * the sources are read once; each project reads them anew. `npm run test:quick` has a configuration of its own.
 */
const config: ViteUserConfig = defineConfig({
  test: {
    // What the machine is set to must not show in a test; those of CI=true set it themselves.
    env: { CI: '', WIKITAPE_MODE: '', VCR_MODE: '', TMPDIR: temporaryPlace(), WIKITAPE_CACHE: readyPlace },
    // Nothing is judged by time: this only ends what hangs, on a busy machine too.
    testTimeout: 120_000,
    // Much of the time goes to child processes; the default leaves a core free.
    maxWorkers: '100%',
    coverage: { provider: 'v8', include: ['src/**'] },
    projects: [
      { extends: true, test: { name: 'alone', include: alone, exclude: elsewhere, isolate: false } },
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...elsewhere, ...alone],
          isolate: false,
        },
      },
    ],
  },
})

export default config
