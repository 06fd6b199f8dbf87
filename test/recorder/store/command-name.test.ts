/** Commands in messages can be pasted, wherever the package was installed. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { commandNameOf } from '../../../src/recorder/store/command-name.ts'
import { temporaryFolder } from '../../helpers/folders.ts'

/** A folder with the program's link in `bin`, below it. */
function installed(bin: string, name: string): string {
  const folder = temporaryFolder()
  mkdirSync(path.join(folder, bin), { recursive: true })
  writeFileSync(path.join(folder, bin, name), '')
  return folder
}

it.each([
  [
    'a project',
    'node_modules/.bin',
    'wikitape',
    'node_modules/wikitape/dist/recorder/store/x.js',
    'npx wikitape'
  ],
  [
    'a project on Windows',
    'node_modules/.bin',
    'wikitape.cmd',
    'node_modules/wikitape/dist/x.js',
    'npx wikitape'
  ],
  [
    'a project of pnpm',
    'node_modules/.bin',
    'wikitape',
    'node_modules/.pnpm/wikitape@1/node_modules/wikitape/dist/x.js',
    'npx wikitape'
  ],
  ['everybody', 'bin', 'wikitape', 'lib/node_modules/wikitape/dist/x.js', 'wikitape'],
  ['nobody: a checkout', 'bin', 'other', 'wikitape/src/recorder/store/x.ts', 'wikitape']
])('installed for %s', (_, bin, name, place, expected) => {
  expect(commandNameOf(path.join(installed(bin, name), place))).toBe(expected)
})
