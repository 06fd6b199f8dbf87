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

/** Writes files with their folders. */
function project(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
  }
  return root
}

const cassettesIn = (root: string): readonly string[] =>
  readdirSync(path.join(root, 'cassettes'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('cassette.json'))
    .map((name) => path.dirname(name))
    .sort()

const pythonTests = `import unittest
import pytest

@pytest.mark.parametrize("start", ["A b"])
async def test_from(start):
    pass

class WikiTests(unittest.TestCase):
    def test_name(self):
        pass
`

it('are those of the plugin for pytest where pytest-vcr named the files without their module', async () => {
  const root = project({
    'tests/test_pages.py': pythonTests,
    'tests/test_other.py':
      'def test_lists():\n    pass\n\nclass TestB:\n    def test_name(self):\n        pass\n',
    'tests/cassettes/test_from[A b].yaml': recording,
    'tests/cassettes/WikiTests.test_name.yaml': recording,
    'tests/cassettes/test_other.test_lists.yaml': recording
  })
  const args = ['import', 'tests/cassettes', '--for', 'pytest']
  const { code } = await run(args, { cwd: root })
  expect(code).toBe(0)
  expect(cassettesIn(root)).toEqual([
    'tests.test_other.test_lists',
    // As the plugin names tests/test_pages.py::test_from[A b].
    'tests.test_pages.WikiTests.test_name',
    'tests.test_pages.test_from_A_b-8e9c7b04'
  ])
})

const entryOf = (url: string): unknown => ({
  request: { method: 'GET', url, headers: [] },
  response: {
    status: 200,
    headers: [{ name: 'Content-Type', value: 'application/json; charset=utf-8' }],
    content: { mimeType: 'application/json', text: '{"query":{"allpages":[]}}' }
  },
  startedDateTime: '2026-01-01T00:00:00.000Z'
})

/** Polly's; its folders have the titles without what is not ASCII. */
const har = (title: string | undefined, ...hosts: readonly string[]): string => {
  const entries = hosts.map((host) =>
    entryOf(`https://${host}/w/api.php?action=query&list=allpages&format=json`)
  )
  const name = title === undefined ? {} : { _recordingName: title }
  return JSON.stringify({ log: Object.assign(name, { version: '1.2', entries }) })
}

const scriptTests = `
describe('the client', () => {
  it('lists «Волга» & can\\'t stop', async () => {})
  describe.each([1])("of %s", () => {
    test.only(\`lists pages\`, async () => {})
  })
})
describe('another', () => {
  it('lists pages', () => {})
  it('once', () => {})
})
`
const [ru = '', de = ''] = ['ru.wikipedia.org', 'de.wikipedia.org']

it.each(['vitest', 'jest', 'mocha', 'node:test'])(
  'are those of tests for %s that have the titles of the recordings',
  async (runner) => {
    const root = project({
      'test/unit/client.test.ts': scriptTests,
      'node_modules/x/test/client.test.js': scriptTests,
      'test/rec/the-client_1/lists-can-t-stop_2/recording.har': har(
        "the client/lists «Волга» & can't stop",
        ru,
        de
      ),
      'test/rec/another_3/lists-pages_4/recording.har': har('another/lists pages', ru),
      'test/rec/nock/another/once.har': har(undefined, ru)
    })
    const { code, stderr } = await run(['import', 'test/rec', '--for', runner], {
      cwd: root
    })
    expect([code, stderr]).toEqual([0, expect.stringContaining('4 entries')])
    expect(cassettesIn(root)).toEqual([
      'test/unit/client.test/another_lists_pages',
      'test/unit/client.test/another_once',
      'test/unit/client.test/the_client_lists_Волга_can_t_stop-0df91955.de.wikipedia.org',
      'test/unit/client.test/the_client_lists_Волга_can_t_stop-0df91955.ru.wikipedia.org'
    ])
  }
)

it.each([
  ['no test has its title', 'deleted.har', 'deleted'],
  ['several tests have it', 'lists pages.har', 'lists pages']
])('are of the other recordings where %s: it is left out', async (_, file, title) => {
  const root = project({
    'test/client.test.ts': scriptTests,
    'rec/once.har': har(undefined, ru),
    [`rec/${file}`]: har(undefined, ru)
  })
  const args = ['import', 'rec', '--for', 'jest']
  const { code, stderr } = await run(args, { cwd: root })
  expect(code).toBe(1)
  expect(stderr).toContain(
    `skipped: rec/${file}: no test, or several, have its name, ${title}`
  )
  expect(cassettesIn(root)).toEqual(['test/client.test/another_once'])
})

it('are refused, and nothing is written, where no recording has the title of a test', async () => {
  const root = project({ 'rec/deleted.har': har(undefined, ru) })
  const { code, stderr } = await run(['import', 'rec', '--for', 'jest'], { cwd: root })
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/deleted, nor .*run this in the folder in which jest runs/)
  ])
  expect(readdirSync(root)).toEqual(['rec'])
})

it('cannot be those of a runner for one file', async () => {
  const root = project({ 'once.har': har(undefined, ru) })
  const { code, stderr } = await run(['import', 'once.har', '--for', 'jest'], {
    cwd: root
  })
  expect([code, stderr]).toEqual([2, expect.stringContaining('name the folder')])
})

it('are not put into the working directory where the variable of a script is empty', async () => {
  const root = project({ 'tapes/a.yaml': recording, 'tapes/b.yaml': recording })
  const env = { ...process.env, WIKITAPE_CASSETTE: '' }
  const { code, stderr } = await run(['import', 'tapes'], { cwd: root, env })
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('WIKITAPE_CASSETTE is empty; name the folder of a cassette')
  ])
})
