import { defineConfig, type ViteUserConfig } from 'vitest/config'
import all from './vitest.config.ts'

/** Functions of their arguments: no server, no process, hardly a file. */
const folders = [
  ...['json', 'knowledge', 'wiki', 'request', 'cassette', 'privacy', 'paging', 'playback'],
  ...['drift', 'report', 'words'],
]

/** `npm run test:quick`: the tests of functions, for between two edits. */
const config: ViteUserConfig = defineConfig({
  test: {
    ...all.test,
    maxWorkers: '100%',
    include: folders.map((folder) => `test/${folder}/**/*.test.ts`),
    // Megabytes that could make a search slow, servers, processes and whole wikis are for `npm test`.
    exclude: [
      ...['hostile', 'peers'].map((name) => `**/${name}.test.ts`),
      ...['golden', 'real-walks'].map((name) => `**/paging/${name}.test.ts`),
    ],
    // In so short a run most functions are called too seldom to be worth more than that: a fifth of the time.
    execArgv: [...(all.test?.execArgv ?? []), '--always-sparkplug'],
  },
})

export default config
