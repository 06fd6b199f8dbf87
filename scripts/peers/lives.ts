/** What docs/test-suites.md shows, word for word, and the first hour with pytest: recorded, then without the wiki. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { must, place, root, type Sums, Tally } from './project.ts'
import { runBeside, type StandIn, standIn } from './stand-in.ts'

const page = readFileSync(path.join(root, 'docs/test-suites.md'), 'utf8')
const publicWiki = 'https://ru.wikipedia.org/w/api.php'

/** A file that the page shows, by the comment that it begins with. @throws Error where it shows none */
export function shown(name: string): string {
  const block = [...page.matchAll(/^```\w+\n([\s\S]*?)^```/gm)].find(([, text = '']) =>
    [`// ${name}\n`, `# ${name}\n`].some((head) => text.startsWith(head)),
  )?.[1]
  if (block === undefined) throw new Error(`docs/test-suites.md shows no ${name}`)
  return block
}

/** A line of a shell that the page shows, as words. @throws Error where it shows none */
function typed(begin: string): readonly string[] {
  const line = page.split('\n').find((one) => one.startsWith(begin))
  if (line === undefined) throw new Error(`docs/test-suites.md has no line that begins with ${begin}`)
  return line.replace(/ +#.*/, '').split(' ')
}

export function emptyProject(name: string, tarball: string, install: readonly string[]): string {
  const folder = path.join(place, name)
  mkdirSync(path.join(folder, 'test'), { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{"name":"user","private":true,"type":"module"}\n')
  const words = install.map((word) => (word === 'wikitape' ? tarball : word))
  must(folder, 'npm', [...words, '--no-audit', '--no-fund', '--loglevel=error'])
  return folder
}

const put = (folder: string, name: string, { api }: StandIn, text = shown(name)): void =>
  writeFileSync(path.join(folder, name), text.replaceAll(publicWiki, api))

const pythonTest = `
import json
import urllib.request

def test_lists_pages(api_url):
    query = "?action=query&list=allpages&apfrom=B&format=json"
    with urllib.request.urlopen(api_url + query) as answer:
        assert "allpages" in json.load(answer)["query"]
`

async function inPytest(tarball: string, tally: Tally): Promise<void> {
  const folder = emptyProject('life-pytest', tarball, ['install', '--save-dev', 'wikitape'])
  const wiki = await standIn()
  put(folder, 'conftest.py', wiki)
  put(folder, 'test_pages.py', wiki, pythonTest)
  const pytest = (
    line: readonly string[],
  ): Promise<{ readonly code: number | null; readonly text: string }> => {
    const [command = '', ...args] = line.map((word) => (word === publicWiki ? wiki.api : word))
    // Debian's pytest has another name; its module has the same everywhere.
    return runBeside(folder, command, [...args.slice(0, -1), 'python3', '-m', 'pytest'])
  }
  const first = await pytest(typed('npx wikitape exec --record'))
  const cassette = path.join(folder, 'cassettes/test_pages.py_test_lists_pages/cassette.json')
  tally.count('pytest, recording', first.code === 0 && existsSync(cassette), first.text)
  await wiki.close()
  const second = await pytest(typed('npx wikitape exec --cassette cassettes/suite'))
  tally.count('pytest, without the wiki', second.code === 0, second.text)
}

/** Two runs of each: one that records, one with the wiki gone; each counts as one test. Needs pytest for Python 3. */
export async function runLives(tarball: string): Promise<Sums> {
  const tally = new Tally()
  await inPytest(tarball, tally)
  return tally
}
