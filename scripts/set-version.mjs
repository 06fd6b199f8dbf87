// `npm version` runs this: what else names the version of package.json gets the new one.
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

const places = [
  ['python/pyproject.toml', /(?<=^version = ").+(?="$)/m],
  ['action.yml', /(?<=^ {2}version:\n.*\n {4}default: ).+$/m]
]
for (const [file, pattern] of places) {
  const text = readFileSync(file, 'utf8')
  if (!pattern.test(text)) throw new Error(`${file} names no version`)
  writeFileSync(file, text.replace(pattern, version))
}
