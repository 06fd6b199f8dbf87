/** jest, mocha, node:test, pytest and Playwright as their pages tell them. Needs pytest for Python 3, and Debian's Chromium. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { scaled } from '../../../test/helpers/scale.ts'
import { installNode, place, type Sums, Tally } from '../project.ts'
import { type Life, Project } from './life.ts'

const user = { name: 'user', private: true }
const setUpFile = 'test/set-up.js'
const hookFile = 'test/site.test.js'
const inTest = (file: string): Life['mistake'] => ({
  file,
  before: 'apfrom=B',
  after: 'apfrom=D'
})
const missed = /could not be answered|1 request missed/

const runners: readonly Life[] = [
  {
    name: 'jest',
    page: 'runners.md',
    manifest: {
      ...user,
      jest: { setupFilesAfterEnv: [`./${setUpFile}`], testTimeout: 60_000 }
    },
    files: [setUpFile, 'test/pages.test.js', hookFile],
    setUp: ['npm install --save-dev wikitape jest@30'],
    command: 'npx jest',
    cassette: 'cassettes/test/pages.test/lists_pages',
    mistake: inTest('test/pages.test.js'),
    says: missed
  },
  {
    name: 'mocha',
    page: 'runners.md',
    manifest: user,
    files: [setUpFile, 'test/pages.test.js', hookFile],
    edits: [['beforeAll(', 'before(']],
    setUp: ['npm install --save-dev wikitape mocha@11'],
    command: 'npx mocha --timeout 60000 --file ./test/set-up.js test/*.test.js',
    // No shell puts it in.
    words: { 'test/*.test.js': ['test/pages.test.js', hookFile] },
    cassette: 'cassettes/test/pages.test/lists_pages',
    mistake: inTest('test/pages.test.js'),
    says: missed
  },
  {
    name: 'node-test',
    page: 'runners.md',
    manifest: { ...user, type: 'module' },
    files: ['test/hooks.mjs', 'test/pages.test.mjs', hookFile],
    edits: [
      ['beforeAll(', 'before('],
      [
        "const { withCassette } = require('wikitape/testing')",
        "import { before, it } from 'node:test'\nimport { withCassette } from 'wikitape/testing'"
      ]
    ],
    setUp: ['npm install --save-dev wikitape'],
    command: 'node --import ./test/hooks.mjs --test test/pages.test.mjs',
    words: { 'test/pages.test.mjs': ['test/pages.test.mjs', hookFile] },
    cassette: 'cassettes/test/pages.test/lists_pages',
    mistake: inTest('test/pages.test.mjs'),
    says: missed
  }
]

const pytest: Life = {
  name: 'pytest',
  page: 'pytest.md',
  manifest: user,
  files: ['pytest.ini', 'test_pages.py'],
  setUp: ['npm install --save-dev wikitape', 'npx wikitape init --pytest'],
  command: 'pytest',
  // Debian's pytest has another name; its module has the same everywhere.
  words: { pytest: ['python3', '-m', 'pytest'] },
  cassette: 'cassettes/test_pages.test_lists_pages',
  mistake: inTest('test_pages.py'),
  says: missed
}

const hiddenError = `import urllib.request

def test_client_that_retries(pytestconfig):
    try:
        urllib.request.urlopen(pytestconfig.getini("wikitape_api_url") + "?action=query")
    except Exception:
        raise OSError("retries")
`

const hiddenInUnittest = `import configparser
import unittest
import urllib.request

SETTINGS = configparser.ConfigParser()
SETTINGS.read("pytest.ini")

class TestClient(unittest.TestCase):
    def test_retries(self):
        try:
            urllib.request.urlopen(SETTINGS["pytest"]["wikitape_api_url"] + "?action=query")
        except Exception:
            raise OSError("retries")
`

const otherWiki = `import urllib.request

def test_other_wiki():
    urllib.request.urlopen("http://127.0.0.1:9/w/api.php?action=query")
`

const edit = (api: string): string => `
  const body = new URLSearchParams({ action: 'edit', title: 'A', summary: 'at ' + Date.now() })
  const answer = await fetch('${api}', { method: 'POST', body })
  if (!answer.ok || (await answer.text()).includes('cassette-miss')) throw new Error('missed')`

const editInPage = (api: string): string => `import { test } from './set-up'

test('edits', async ({ page }) => {
  await page.goto('${api}?action=query&format=json')
  await page.evaluate(async () => {${edit(api)}
  })
})
`

const playwright: Life = {
  name: 'playwright',
  page: 'browsers.md',
  manifest: user,
  files: ['tests/set-up.ts', 'tests/pages.spec.ts'],
  setUp: ['npm install --save-dev wikitape @playwright/test'],
  command: 'npx playwright test',
  cassette: 'cassettes/tests/pages.spec/lists_pages',
  mistake: inTest('tests/pages.spec.ts'),
  says: missed
}

/** Each records, replays without the wiki, and makes a mistake; each counts as one test. */
export async function runOtherLives(tarball: string): Promise<Sums> {
  const tally = new Tally()
  const nodes = [process.versions.node, '20', '22', '24'].map(
    (version, at) => [version, at === 0 ? undefined : installNode(version)] as const
  )
  for (const life of runners) {
    const project = new Project(life, tarball)
    for (const [version, bin] of nodes.slice(1)) await project.live(version, bin, tally)
    if (life.name === 'jest')
      await project.ignores(
        tally,
        'test/pages.test.js',
        (api) => `it('edits', async () => {${edit(api)}\n})\n`
      )
  }
  const [[version = '', bin] = []] = nodes
  const python = new Project(pytest, tarball)
  await python.live(version, bin, tally)
  const hasReason = /there is no cassette.*\n.*the test's own error: OSError: retries/
  const faults = [
    ['a client that raises an error of its own', hiddenError, hasReason],
    ['the same in a class of unittest', hiddenInUnittest, hasReason],
    ['another wiki', otherWiki, /was not sent: CI=true, and no cassette is of this wiki/]
  ] as const
  for (const [label, text, says] of faults)
    await python.fails(tally, label, 'test_pages.py', text, says)
  const pages = new Project(playwright, tarball)
  const use = `launchOptions: { executablePath: '${process.env['CHROMIUM'] ?? '/usr/bin/chromium'}', args: ['--no-sandbox'] }`
  writeFileSync(
    path.join(place, 'life-playwright/playwright.config.ts'),
    `export default { testDir: 'tests', use: { ${use} } }\n`
  )
  // A browser takes its time: usually on the newest.
  for (const [version, bin] of nodes.slice(scaled(-1, 1)))
    await pages.live(version, bin, tally)
  await pages.ignores(tally, 'tests/pages.spec.ts', editInPage)
  return tally
}
