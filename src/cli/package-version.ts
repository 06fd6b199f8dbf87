/** The version of this package, from its own package.json; and its program. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const parsed: unknown = JSON.parse(text)
  const version =
    typeof parsed === 'object' && parsed !== null && 'version' in parsed ? parsed.version : undefined
  return typeof version === 'string' ? version : 'unknown'
}

/** What `wikitape` runs. */
export const programFile = (): string => fileURLToPath(new URL('../../dist/cli/start.cjs', import.meta.url))
