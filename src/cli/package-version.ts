/** The version of this package, and the files in it that other programs run. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isPlainObject, parsePlain } from '../recorder/json/plain-json.ts'

export function packageVersion(): string {
  const manifest = parsePlain(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  return isPlainObject(manifest) ? String(manifest['version']) : ''
}

export const programFile = (): string =>
  fileURLToPath(new URL('../../dist/cli/start.cjs', import.meta.url))

/** What `node --require` loads into programs. */
export const nodeProxyFile = (): string =>
  fileURLToPath(new URL('../../dist/cli/node-proxy.cjs', import.meta.url))

/** What runs in the network of `exec --sealed`. */
export const sealedRelayFile = (): string =>
  fileURLToPath(new URL('../../dist/cli/sealed-relay.cjs', import.meta.url))

/** The plugin for pytest, which `wikitape init --pytest` copies. */
export const pytestPluginFile = (): string =>
  fileURLToPath(new URL('../../python/wikitape_pytest.py', import.meta.url))
