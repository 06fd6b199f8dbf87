import path from 'node:path'
import { defineConfig, type UserConfig } from 'vite'

const folder = path.resolve(import.meta.dirname, 'dist/cli')

/** What `bin` names: one file that reads nothing else before the parts (docs/decisions/0118). */
const config: UserConfig = defineConfig({
  publicDir: false,
  build: {
    ssr: path.join(folder, 'start.js'),
    outDir: folder,
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    rolldownOptions: {
      // Where Node.js is too old for the parts.
      external: ['./main.js'],
      output: { format: 'cjs', entryFileNames: 'start.cjs', comments: false, codeSplitting: false },
    },
  },
})

export default config
