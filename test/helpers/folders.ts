/** Folders that live as long as a test. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** A new folder, deleted when the running test has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Every file below a folder with its text, by path with `/`. */
export function filesIn(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
  return new Map(
    names.map((name) => [
      path.relative(folder, name).split(path.sep).join('/'),
      readFileSync(name, 'utf8')
    ])
  )
}

/** The interaction files of a cassette: those whose name ends in a key. */
export const interactionFiles = (cassette: string): readonly string[] =>
  [...filesIn(cassette).keys()].filter((name) => /[0-9a-f]{12}\.json$/.test(name))

/** Everything that stands in the files of a folder, names included. */
export const allTextIn = (folder: string): string =>
  [...filesIn(folder)].map(([name, text]) => `${name}\n${text}`).join('\n')
