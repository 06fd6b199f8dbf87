/** Tells `wikitape check --suite` which cassettes a run of a test suite opened. */
import { appendFileSync } from 'node:fs'
import path from 'node:path'

/** One folder a line, relative to the file. Test processes that run side by side append whole lines. */
export function noteOpened(folder: string, env: NodeJS.ProcessEnv): void {
  const file = env['WIKITAPE_SUITE']
  if (!file) return
  const line = path.relative(path.dirname(path.resolve(file)), path.resolve(folder))
  appendFileSync(file, `${line.split(path.sep).join('/')}\n`)
}
