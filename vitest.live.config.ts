import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** Tests against real wikis on loopback (`npm run wiki -- up`). */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/live/**/*.test.ts'],
    testTimeout: 600_000,
    // They only read, so that several files may ask the wikis at once.
    maxWorkers: '100%',
  },
})

export default config
