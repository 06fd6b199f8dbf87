/** Versions of installed packages, this one's first; and the program of this one. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isPlainObject, tryParsePlain } from '../json/plain-json.ts'

export const packageVersion = (): string =>
  versionIn(new URL('../../package.json', import.meta.url)) ?? 'unknown'

/** @param file a package.json; undefined if it cannot be read */
export function versionIn(file: string | URL): string | undefined {
  try {
    const parsed = tryParsePlain(readFileSync(file, 'utf8'))
    return isPlainObject(parsed) && 'version' in parsed ? String(parsed['version']) : undefined
  } catch {
    return undefined
  }
}

export const programFile = (): string => fileURLToPath(new URL('../../dist/cli/start.cjs', import.meta.url))

/** The plugin for pytest, which `wikitape init --pytest` copies. */
export const pytestPluginFile = (): string =>
  fileURLToPath(new URL('../../python/wikitape_pytest.py', import.meta.url))
