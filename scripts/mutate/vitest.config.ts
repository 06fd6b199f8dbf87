import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { kinds } from '../../vitest.config.ts'
import { type Mutant, woven } from './mutants.ts'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const root = here('../..')
const mutants: readonly Mutant[] = JSON.parse(
  readFileSync(path.join(process.env['WIKITAPE_MUTANTS'] ?? '', 'mutants.json'), 'utf8')
)
const quick = kinds['quick']
const isOne = process.env['WIKITAPE_MUTANT'] !== undefined

/** The quick tests, and the walks of a real wiki, on sources that have the changes in them. */
const config: ViteUserConfig = defineConfig({
  root,
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      transform(text, id) {
        const file = path.relative(root, id)
        if (!file.startsWith('src/') || !file.endsWith('.ts')) return
        return woven(
          file,
          text,
          mutants.filter((one) => one.file === file)
        )
      }
    }
  ],
  test: {
    ...quick,
    exclude: quick?.exclude?.filter((place) => !place.includes('real-walks')) ?? [],
    testTimeout: 20_000,
    maxConcurrency: 1,
    // The same file is another one with other changes in it.
    experimental: { fsModuleCache: false },
    setupFiles: [here('switch.ts')],
    ...(isOne ? {} : { runner: here('runner.ts') })
  }
})

export default config
