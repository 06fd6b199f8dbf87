import { defineConfig, type ViteUserConfig } from 'vitest/config'
import all from './vitest.config.ts'

/** Functions of their arguments: no server, no process, hardly a file. */
const folders = [
  ...['json', 'knowledge', 'wiki', 'request', 'cassette', 'privacy', 'paging', 'playback'],
  ...['drift', 'report'],
]

const { projects: _projects, ...settings } = all.test ?? {}

/** `npm run test:quick`: the tests of functions, for between two edits. */
const config: ViteUserConfig = defineConfig({
  test: {
    ...settings,
    isolate: false,
    include: folders.map((folder) => `test/${folder}/**/*.test.ts`),
  },
})

export default config
