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
    include: folders.map((folder) => `test/${folder}/**/*.test.ts`),
    // Megabytes that could make a search slow, servers and processes are for `npm test`.
    exclude: ['**/hostile.test.ts', '**/peers.test.ts', '**/paging/golden.test.ts'],
  },
})

export default config
