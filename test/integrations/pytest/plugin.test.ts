/** The plugin of `wikitape init --pytest`, run by the pytest that is installed. */
import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { program } from '../../helpers/processes.ts'
import { deadOrigin, httpStandIn } from '../../helpers/upstreams.ts'
import '../../helpers/present-build.ts'

const python = ['python3', '/usr/bin/python3'].find(
  (one) => spawnSync(one, ['-m', 'pytest', '--version']).status === 0
)

interface Suite {
  readonly folder: string
  write(tests: string): void
  run(env?: NodeJS.ProcessEnv): Promise<{ readonly code: number; readonly text: string }>
}

function suite(api: string): Suite {
  const folder = temporaryFolder()
  copyFileSync('python/wikitape_pytest.py', path.join(folder, 'wikitape_pytest.py'))
  writeFileSync(
    path.join(folder, 'conftest.py'),
    'pytest_plugins = ["wikitape_pytest"]\n'
  )
  writeFileSync(
    path.join(folder, 'pytest.ini'),
    `[pytest]\nwikitape_api_url = ${api}\naddopts = -p no:cacheprovider\n`
  )
  const head = `import json, time, urllib.request, urllib.parse, uuid
def ask(title):
    query = "?action=query&prop=info&format=json&titles=" + urllib.parse.quote(title)
    with urllib.request.urlopen("${api}" + query) as answer:
        return json.load(answer)["batchcomplete"]
`
  const { CI: _, NODE_OPTIONS: _options, ...inherited } = process.env
  return {
    folder,
    write: (tests) => writeFileSync(path.join(folder, 'test_it.py'), head + tests),
    run: (env = {}) =>
      new Promise((resolve) => {
        const command = `${process.execPath} ${program}`
        execFile(
          python ?? '',
          ['-m', 'pytest', '-q'],
          {
            cwd: folder,
            env: { ...inherited, WIKITAPE_MODE: '', WIKITAPE_COMMAND: command, ...env }
          },
          (error, stdout) => resolve({ code: Number(error?.code ?? 0), text: stdout })
        )
      })
  }
}

describe.skipIf(python === undefined)('pytest', () => {
  it('gives back on replay what a fixture has made while recording', async () => {
    const { api } = await fakeWiki()
    const { folder, write, run } = suite(api)
    write(`
def test_random(wikitape_variable):
    ask(wikitape_variable("title", lambda: "A %s" % uuid.uuid4()))
`)
    expect(await run()).toMatchObject({ code: 0 })
    const manifest = path.join(folder, 'cassettes/test_it.test_random/cassette.json')
    expect(JSON.parse(readFileSync(manifest, 'utf8')).variables).toEqual({
      title: expect.stringMatching(/^A /)
    })
    expect(await run({ CI: 'true' })).toMatchObject({ code: 0 })
    write(`
def test_random(wikitape_variable):
    ask(wikitape_variable("other", lambda: "B"))
`)
    const other = await run()
    expect(other.code).toBe(1)
    expect(other.text).toContain("has no variable 'other'")
  })

  it('never advises to record again where a clock passes', async () => {
    const { api } = await fakeWiki()
    const { write, run } = suite(api)
    write('\ndef test_clock():\n    ask("At %d" % (time.time() * 1000))\n')
    expect(await run()).toMatchObject({ code: 0 })
    const { code, text } = await run()
    expect(code).toBe(1)
    expect(text).toContain('what looks like a clock')
    expect(text).toContain('wikitape_variable')
    expect(text).not.toContain('WIKITAPE_MODE')
  })

  it('keeps what a fixture of several tests asks apart, whichever test is first, to its end', async () => {
    const { api } = await fakeWiki()
    const { folder, write, run } = suite(api)
    write(`
import pytest, unittest
@pytest.fixture(scope="session")
def site():
    ask("Session")
    yield "site"
    ask("Session end")
@pytest.fixture(scope="module", params=["x", "y"])
def module(request, site):
    return ask("Module " + request.param)
@pytest.fixture
def own(site):
    ask("Own")
def test_a(site, own):
    ask("A")
def test_b(module):
    ask("B")
class TestC(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        ask("Class")
    def test_d(self):
        ask("D")
    def test_e(self):
        ask("E")
`)
    const first = await run()
    expect([first.code, first.text]).toEqual([0, expect.stringContaining('5 passed')])
    expect(readdirSync(path.join(folder, 'cassettes')).sort()).toEqual(
      expect.arrayContaining([
        'session.fixtures.site',
        'test_it.fixtures.module',
        'test_it.fixtures.module.1',
        'test_it.test_a'
      ])
    )
    for (const only of ['test_b', 'test_e'])
      expect(await run({ CI: 'true', PYTEST_ADDOPTS: `-k "${only}"` })).toMatchObject({
        code: 0
      })
    write(`
import pytest
@pytest.fixture(scope="session")
def site():
    ask("Other")
def test_a(site):
    ask("A")
`)
    const { code, text } = await run({ CI: 'true' })
    expect([code, text]).toEqual([
      1,
      expect.stringMatching(/session\.fixtures\.site \(fixture site\): 1 request missed/)
    ])
  })

  it('says first why recording failed', async () => {
    const { write, run } = suite(`${await deadOrigin()}/w/api.php`)
    write('\ndef test_down():\n    ask("A")\n')
    const { code, text } = await run()
    expect(code).toBe(1)
    expect(text).toMatch(/E\s+(?:\S+: )?wikitape: .*could not be recorded/)
    expect(text).toContain('ECONNREFUSED')
  })

  it('says first that the path of api.php is wrong', async () => {
    const { origin } = await httpStandIn((_, response) => {
      response.writeHead(404, { 'content-type': 'text/html' })
      response.end('<h1>Not Found</h1>')
    })
    const { write, run } = suite(`${origin}/wiki/api.php`)
    write('\ndef test_path():\n    ask("A")\n')
    const { code, text } = await run()
    expect(code).toBe(1)
    expect(text).toMatch(/E\s+(?:\S+: )?wikitape: .*could not be recorded/)
    expect(text).toContain("the test's own error")
  })
})
