/** Names of the cassettes that an import makes. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../helpers/folders.ts'
import { run } from '../../../helpers/program.ts'

const recording = `interactions:
- request:
    body: null
    headers: {Accept: ['*/*']}
    method: GET
    uri: https://ru.wikipedia.org/w/api.php?action=query&meta=siteinfo&format=json
  response:
    body: {string: '{"query":{"general":{"generator":"MediaWiki 1.43.0"}}}'}
    headers: {Content-Type: [application/json; charset=utf-8]}
    status: {code: 200, message: OK}
version: 1
`

it('are those of the plugin for pytest where a folder of pytest-recording is imported for it', async () => {
  const root = temporaryFolder()
  const folder = path.join(root, 'tests', 'cassettes', 'test_pages')
  mkdirSync(folder, { recursive: true })
  const tests = ['test_lists_pages', 'TestX.test_a[1-b]', 'test_a[Волга]']
  for (const name of tests) writeFileSync(path.join(folder, `${name}.yaml`), recording)
  const args = ['import', 'tests/cassettes', '--for', 'pytest']
  const { code, stderr } = await run(args, { cwd: root })
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('3 entries for 3 cassettes')
  ])
  // As cassette_name of python/wikitape_pytest.py makes them of tests/test_pages.py::TestX::test_a[1-b].
  expect(readdirSync(path.join(root, 'cassettes')).sort()).toEqual([
    'tests.test_pages.TestX.test_a_1-b-ba7f7875',
    'tests.test_pages.test_a_Волга-0e11bbea',
    'tests.test_pages.test_lists_pages'
  ])
})
