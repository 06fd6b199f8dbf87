import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** Offline tests: everything below test/ that needs neither a real wiki nor a browser. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/live/**', 'test/browser/**', 'test/clients/**', '**/node_modules/**'],
    // What the machine is set to must not show in a test; those of CI=true set it themselves.
    env: { CI: '', WIKITAPE_MODE: '', VCR_MODE: '' },
    testTimeout: 30_000,
    // Much of the time goes to child processes; the default leaves a core free.
    maxWorkers: '100%',
    coverage: { provider: 'v8', include: ['src/**'] },
  },
})

export default config
