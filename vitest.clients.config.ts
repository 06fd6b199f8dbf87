import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** Real clients in front of real wikis: `npm run wiki -- up` first; npm and Debian carry the clients. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/clients/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: ['test/clients/install.ts'],
    // Nothing is judged by time: this only ends what hangs.
    testTimeout: 120_000,
    // A wiki each, and two cores: both at once.
    maxWorkers: 2,
  },
})

export default config
