import path from 'node:path'
import { defineConfig, type UserConfig } from 'vite'
import manifest from './package.json' with { type: 'json' }

const folder = path.resolve(import.meta.dirname, 'dist/cli')
const [oldest = '', major, minor] = /(\d+)\.(\d+)/.exec(manifest.engines.node) ?? []

/** Before anything is required that an older Node.js does not have; in words that all of them parse. */
const nodeCheck = `var version = process.versions.node.split('.');
if (version[0] < ${major} || (version[0] == ${major} && version[1] < ${minor})) {
  console.error('wikitape: this is Node.js ' + process.versions.node + '; wikitape needs Node.js ${oldest} or newer: https://nodejs.org/en/download');
  process.exit(2);
}`

/** What `bin` names: one file that reads nothing else before the parts (docs/decisions/0118). */
const config: UserConfig = defineConfig({
  publicDir: false,
  build: {
    ssr: path.join(folder, 'start.js'),
    outDir: folder,
    emptyOutDir: false,
    // Node.js reads all of it before it runs the first line.
    target: 'es2018',
    minify: false,
    rolldownOptions: {
      // Where Node.js is too old for the parts.
      external: ['./main.js'],
      output: {
        format: 'cjs',
        entryFileNames: 'start.cjs',
        banner: nodeCheck,
        comments: false,
        codeSplitting: false,
      },
    },
  },
})

export default config
