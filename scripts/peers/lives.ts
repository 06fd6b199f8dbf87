/** The first hour as docs/test-suites.md tells it, word for word: in a vitest project, recorded, then without the wiki. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { must, place, root, type Sums, Tally } from './project.ts'
import { runBeside, type StandIn, standIn } from './stand-in.ts'

const page = readFileSync(path.join(root, 'docs/test-suites.md'), 'utf8')
const publicWiki = 'https://ru.wikipedia.org/w/api.php'

/** A file that the page shows, by the comment that it begins with. @throws Error where it shows none */
function shown(name: string): string {
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

function emptyProject(name: string, tarball: string, install: readonly string[]): string {
  const folder = path.join(place, name)
  mkdirSync(path.join(folder, 'test'), { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{"name":"user","private":true,"type":"module"}\n')
  const words = install.map((word) => (word === 'wikitape' ? tarball : word))
  must(folder, 'npm', [...words, '--no-audit', '--no-fund', '--loglevel=error'])
  return folder
}

const put = (folder: string, name: string, { api }: StandIn, text = shown(name)): void =>
  writeFileSync(path.join(folder, name), text.replaceAll(publicWiki, api))

async function inVitest(tarball: string, tally: Tally): Promise<void> {
  const [, ...install] = typed('npm install --save-dev wikitape vitest')
  const folder = emptyProject('life-vitest', tarball, install)
  const wiki = await standIn()
  for (const name of ['test/set-up.ts', 'vitest.config.ts', 'test/pages.test.ts']) put(folder, name, wiki)
  const first = await runBeside(folder, 'npx', ['vitest', 'run'])
  const cassette = path.join(folder, 'cassettes/test/pages.test/lists_pages/cassette.json')
  tally.count('a vitest project, recording', first.code === 0 && existsSync(cassette), first.text)
  await wiki.close()
  const second = await runBeside(folder, 'npx', ['vitest', 'run'], { CI: 'true' })
  tally.count('a vitest project, without the wiki', second.code === 0, second.text)
}

/** Two runs of each: one that records, one with the wiki gone; each counts as one test. */
export async function runLives(tarball: string): Promise<Sums> {
  const tally = new Tally()
  await inVitest(tarball, tally)
  return tally
}
