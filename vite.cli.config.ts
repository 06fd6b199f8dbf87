import path from 'node:path'
import { defineConfig, type Plugin, type UserConfig } from 'vite'

const dist = path.resolve(import.meta.dirname, 'dist')
const folder = path.join(dist, 'cli')

/** Where a module of the bundle would lie by itself: what it names relative to itself lies there still. */
const ownPlaces: Plugin = {
  name: 'own-places',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null
    const place = path.relative(folder, id.replace(/\?.*$/, '')).split(path.sep).join('/')
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`)
  },
}

/**
 * The command line in few files: without a compile cache, which Node 20 lacks, a file costs a start more than what is in
 * it (docs/decisions/0096). Made of what tsc has written, which stays for those who import the package.
 */
const config: UserConfig = defineConfig({
  plugins: [ownPlaces],
  publicDir: false,
  build: {
    ssr: path.join(folder, 'main.js'),
    outDir: folder,
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    rolldownOptions: {
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'part-[name]-[hash].js',
        // What the sources say of themselves lies beside it, in what tsc has written.
        comments: false,
        // What every call reads, what every help reads, what every server reads; a verb of another sort has parts of its own.
        codeSplitting: {
          groups: [
            { name: 'program', test: /\/cli\/program\.js$/, priority: 3 },
            { name: 'verb', test: /\/cli\/verbs\/(?:replay|record|exec)\.js$/, priority: 2 },
            { name: 'serve', test: /\/cli\/serve\/(?:serve|replaying)\.js$/, priority: 1 },
          ],
        },
      },
    },
  },
})

export default config
