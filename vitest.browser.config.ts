import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** Tests in a real browser: headless Chromium (`chromium` of the system). */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 60_000,
    // Chromium takes its time to start on a busy machine.
    hookTimeout: 60_000,
  },
})

export default config
