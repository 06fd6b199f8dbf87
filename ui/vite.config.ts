import { defineConfig, type UserConfig } from 'vite'

/** The pages under `/__wikitape/`: static files that ask nobody but the server they come from. */
const config: UserConfig = defineConfig({
  root: import.meta.dirname,
  base: '/__wikitape/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/browser',
    emptyOutDir: true,
    target: 'es2022',
    // Those that know light-dark(): since May 2024.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // What is inlined, the pages' own policy forbids.
    assetsInlineLimit: 0,
    sourcemap: true,
    rolldownOptions: { output: { sourcemapExcludeSources: true } },
    modulePreload: { polyfill: false },
    reportCompressedSize: false
  }
})

export default config
