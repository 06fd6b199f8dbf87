import path from 'node:path'
import { defineConfig, type UserConfig } from 'vite'
import manifest from './package.json' with { type: 'json' }
import { ownPlaces } from './vite.cli.config.ts'

const dist = path.resolve(import.meta.dirname, 'dist')

/** The modules that people import, and those that are begun or looked for by their place: all that is packed by name. */
const entries = manifest.files.filter((name) => /^dist\/.+\.js$/.test(name))

/**
 * The library in few files, in the places that tsc gave it, since each file costs each test file of those who use it
 * (docs/decisions/0120).
 */
const config: UserConfig = defineConfig({
  plugins: [ownPlaces],
  publicDir: false,
  build: {
    ssr: true,
    outDir: dist,
    emptyOutDir: false,
    target: 'node20',
    minify: false,
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
        // What the sources say of themselves lies in the repository, and what they promise in the declarations.
        comments: false,
        codeSplitting: {
          groups: [
            { name: 'library', test: /\/dist\/index\.js$/, priority: 3 },
            // Alone, or what the command line shares with them would bring nock, which takes over node:http, into it.
            { name: 'nock', test: /\/dist\/nock\//, priority: 2, includeDependenciesRecursively: false },
            {
              name: 'testing',
              test: /\/dist\/testing\//,
              priority: 1,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
})

export default config
