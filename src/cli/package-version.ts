/** The version of this package, and the files in it that other programs run. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isPlainObject, parsePlain } from '../recorder/json/plain-json.ts'

export function packageVersion(): string {
  const manifest = parsePlain(readFileSync(packageFile('package.json'), 'utf8'))
  return isPlainObject(manifest) ? String(manifest['version']) : ''
}

/** A file of the package that another program runs. */
export const packageFile = (file: string): string =>
  fileURLToPath(new URL(`../../${file}`, import.meta.url))
