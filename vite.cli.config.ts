import path from 'node:path'
import { defineConfig, type Plugin, type UserConfig } from 'vite'

const dist = path.resolve(import.meta.dirname, 'dist')
const folder = path.join(dist, 'cli')

/** Where a module of a bundle would lie by itself: what it names relative to itself lies there still. */
export const ownPlaces: Plugin = {
  name: 'own-places',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null
    const place = path.relative(dist, id.replace(/\?.*$/, '')).split(path.sep).join('/')
    return code.replaceAll('import.meta.url', `new URL("own-place:${place}", import.meta.url).href`)
  },
  renderChunk(code, { fileName }, { dir = dist }) {
    const up = path.relative(path.dirname(path.resolve(dir, fileName)), dist) || '.'
    return code.replaceAll('"own-place:', `"${up.split(path.sep).join('/')}/`)
  },
}

/** lowdb is an ES module, whose loader costs a start as much as a cassette does, and it is needed first to write. */
const whenNeeded: Plugin = {
  name: 'when-needed',
  renderChunk(code) {
    if (!code.includes('require("lowdb")')) return null
    const lazy = code.replace(
      'let lowdb = require("lowdb");',
      'const lowdb = { get LowSync() { return require("lowdb").LowSync; } };',
    )
    if (lazy === code) throw new Error('expected lowdb to be required on a line of its own')
    return lazy
  },
}

/** An ES module that is required is its names, `default` among them; a bundler takes all of it for the default of a CommonJS one. */
const defaultOfModule: Plugin = {
  name: 'default-of-module',
  renderChunk(code) {
    if (!code.includes('require("string-width")')) return null
    const own = code.replace('__toESM(string_width, 1)', '__toESM(string_width)')
    if (own === code) throw new Error('expected string-width to be imported by its default')
    return own
  },
}

/** What is ASCII is read without being decoded, and takes half of the memory. */
const spelledInAscii: Plugin = {
  name: 'spelled-in-ascii',
  generateBundle(_options, bundle) {
    for (const part of Object.values(bundle))
      if (part.type === 'chunk')
        part.code = part.code.replace(
          /[^\x00-\x7f]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        )
  },
}

/**
 * The command line in few files, since each costs a start (docs/decisions/0096), and as CommonJS, of which what V8 made
 * can be kept (0118). Made of what tsc has written, which stays for those who import the package.
 */
const config: UserConfig = defineConfig({
  plugins: [ownPlaces, whenNeeded, defaultOfModule, spelledInAscii],
  publicDir: false,
  build: {
    ssr: path.join(folder, 'main.js'),
    outDir: folder,
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    rolldownOptions: {
      output: {
        format: 'cjs',
        // What is kept of a part cannot import, only require.
        dynamicImportInCjs: false,
        entryFileNames: 'part-[name].cjs',
        chunkFileNames: 'part-[name]-[hash].cjs',
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
