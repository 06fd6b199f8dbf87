import path from 'node:path'
import { defineConfig, type UserConfig } from 'vite'
import manifest from './package.json' with { type: 'json' }

const dist = path.resolve(import.meta.dirname, 'dist')

/** The modules that people import, and those that are started by their path: all that is packed by name. */
const entries = manifest.files.filter((name) => /^dist\/.+\.js$/.test(name))

/**
 * Command line and library in few files, in the places that tsc gave their entries: each file costs every start, and every
 * test file of a user (docs/decisions/0120). What several entries share lies in dist/parts/, as deep as a folder of
 * src/: a module there names other files of the package as `../../…`.
 */
const config: UserConfig = defineConfig({
  publicDir: false,
  ssr: { noExternal: ['lru-cache', 'lowdb', 'diff'] },
  build: {
    ssr: true,
    outDir: dist,
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: Object.fromEntries(
        entries.map((name) => [
          name.slice('dist/'.length, -'.js'.length),
          path.resolve(import.meta.dirname, name),
        ]),
      ),
      output: {
        format: 'es',
        entryFileNames: '[name].js',
        chunkFileNames: 'parts/[name]-[hash].js',
        // What the sources promise is in the declarations; a source map names places in them, and does not repeat them.
        comments: false,
        sourcemapExcludeSources: true,
        codeSplitting: {
          groups: [
            // What every server needs, with all that it imports, in one file.
            {
              name: 'engine',
              test: /\/dist\/(?:text|settings|playback|engine\/registry|server)\//,
              priority: 2,
            },
            {
              name: 'replay',
              test: /\/dist\/cli\/(?:commands|package-version|commands\/record\/replay-command)\.js$/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
})

export default config
