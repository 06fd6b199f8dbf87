import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** Tests against real wikis on loopback (`npm run wiki -- up`). */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/live/**/*.test.ts'],
    testTimeout: 600_000,
  },
})

export default config
