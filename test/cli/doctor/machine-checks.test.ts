/** Versions of Node.js and of packages that wikitape works with. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { checkCompanions } from '../../../src/cli/commands/setup/doctor-checks.ts'
import { temporaryFolder } from '../../helpers/folders.ts'

it('names packages that do not run on this Node', () => {
  const dir = temporaryFolder()
  for (const [name, version] of [
    ['nock', '15.0.6'],
    ['vitest', '4.1.0'],
  ] as const) {
    mkdirSync(path.join(dir, 'node_modules', name), { recursive: true })
    writeFileSync(path.join(dir, 'node_modules', name, 'package.json'), JSON.stringify({ version }))
  }
  expect(checkCompanions(dir, 'v20.19.0')).toMatchObject([
    { about: 'nock', state: 'wrong', next: 'npm install --save-dev nock@14' },
    { about: 'vitest', state: 'fine' },
  ])
  expect(checkCompanions(dir, 'v22.1.0').map(({ state }) => state)).toEqual(['fine', 'fine'])
})
