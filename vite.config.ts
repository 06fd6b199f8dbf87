import path from 'node:path'
import { defineConfig, type Plugin, type UserConfig, type UserConfigFnObject } from 'vite'
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
          path.resolve(import.meta.dirname, name)
        ])
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
            // What every server needs, with all that it imports before it listens, in one file.
            {
              name: 'engine',
              test: /\/dist\/recorder\/(?:text|settings|engine\/registry|server)\//,
              priority: 2
            },
            {
              name: 'replay',
              test: /\/dist\/cli\/(?:commands|package-version|commands\/record\/replay-command)\.js$/,
              priority: 1
            }
          ]
        }
      }
    }
  }
})

/** What is there for `require` as well, as jest without flags needs it (docs/decisions/0190): its file, and the module. */
const requirable: readonly (readonly [file: string, module: string])[] = [
  ...Object.values(manifest.exports).flatMap((one): [string, string][] =>
    typeof one === 'object' && 'require' in one
      ? [[one.require.default, one.default.default]]
      : []
  ),
  // A preload: worker threads with `eval` do not wait for one that is imported.
  ['refuse-wikis.cjs', 'dist/integrations/in-process/refuse-wikis.js']
]

/**
 * The same sources as CommonJS, with the dependencies that only an ES module can import. The folder of the shared parts
 * is as deep as dist/parts/.
 */
const commonJs: UserConfig = defineConfig({
  publicDir: false,
  ssr: {
    noExternal: true,
    external: ['kerberos', ...Object.keys(manifest.dependencies).filter(canBeRequired)]
  },
  plugins: [declarationsForRequire()],
  build: {
    ssr: true,
    outDir: dist,
    emptyOutDir: false,
    target: 'node20',
    minify: true,
    license: { fileName: 'commonjs/licenses.md' },
    rolldownOptions: {
      input: Object.fromEntries(
        requirable.map(([file, module]) => [
          path.basename(file, '.cjs'),
          path.resolve(import.meta.dirname, module)
        ])
      ),
      output: {
        format: 'cjs',
        entryFileNames: 'commonjs/[name].cjs',
        chunkFileNames: 'commonjs/[name]-[hash].cjs',
        comments: false
      }
    }
  }
})

function canBeRequired(name: string): boolean {
  return !['diff', 'https-proxy-agent', 'lowdb', 'string-width'].includes(name)
}

/** The types of what is exported for `require` are those of the ES module. */
function declarationsForRequire(): Plugin {
  return {
    name: 'declarations-for-require',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.isEntry || chunk.facadeModuleId === null)
          continue
        const module = path.relative(path.join(dist, 'commonjs'), chunk.facadeModuleId)
        const from = `'${module}' with { 'resolution-mode': 'import' }`
        const values = chunk.exports.map(
          (name) => `export declare const ${name}: typeof esm.${name}\n`
        )
        const source = `import type * as esm from ${from}\nexport type * from ${from}\n${values.join('')}`
        this.emitFile({ type: 'asset', fileName: `commonjs/${chunk.name}.d.cts`, source })
      }
    }
  }
}

const chooseConfig: UserConfigFnObject = defineConfig(({ mode }) =>
  mode === 'commonjs' ? commonJs : config
)

export default chooseConfig
