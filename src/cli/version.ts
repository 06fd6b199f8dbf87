/** The version of this package, from its own package.json. */
import { readFileSync } from 'node:fs'

export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const parsed: unknown = JSON.parse(text)
  const version =
    typeof parsed === 'object' && parsed !== null && 'version' in parsed ? parsed.version : undefined
  return typeof version === 'string' ? version : 'unknown'
}
