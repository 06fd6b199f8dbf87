/** The version of this package, and the files in it that other programs run. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isPlainObject, parsePlain } from '../recorder/json/plain-json.ts'

export function packageVersion(): string {
  const manifest = parsePlain(readFileSync(inPackage('package.json'), 'utf8'))
  return isPlainObject(manifest) ? String(manifest['version']) : ''
}

const inPackage = (file: string) =>
  fileURLToPath(new URL(`../../${file}`, import.meta.url))

export const programFile = (): string => inPackage('dist/cli/start.cjs')

/** What `node --require` loads into programs. */
export const nodeProxyFile = (): string => inPackage('dist/cli/node-proxy.cjs')

/** What runs in the network of `exec --sealed`. */
export const sealedRelayFile = (): string => inPackage('dist/cli/sealed-relay.cjs')

/** The plugin for pytest, which `wikitape init --pytest` copies. */
export const pytestPluginFile = (): string => inPackage('python/wikitape_pytest.py')
