/**
 * What docs/test-suites.md shows for vitest, as it is typed there, in an empty folder with the packed package: recorded
 * through a proxy that stands in for every wiki, run again without it, and with one mistake each.
 */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { clientTests } from './client-tests.ts'
import { installNode, place, type Sums, Tally } from './project.ts'
import { emptyProject, shown } from './shown-files.ts'
import { runBeside, standIn } from './stand-in.ts'

export interface Versions {
  readonly node: string
  readonly vitest: string
  readonly nock: string
}

const lifeName = (node: string): string => `life-${node}`

/** Where the project with that version was, with all of its packages. */
export const lifeFolder = (node: string): string => path.join(place, lifeName(node))

interface Run {
  readonly code: number | null
  readonly text: string
}

const onThePage = ['pages', 'wikis', 'read-only', 'beside-msw', 'shared'].map(
  (one) => `test/${one}.test.ts`
)

const clients = ['axios@1', 'got@14', 'undici@7', 'tough-cookie@5']

/** Hooks, and tests at once, as many suites have them. */
const hooks = `import { beforeAll, expect, it } from 'vitest'

const api = 'https://ru.wikipedia.org/w/api.php'
const query = (parameters: string) =>
  fetch(\`\${api}?action=query&format=json&\${parameters}\`).then((answer) => answer.text())
let site = ''
beforeAll(async () => {
  site = await query('meta=siteinfo')
})
for (const from of ['A', 'B', 'C'])
  it.concurrent(\`lists pages from \${from}\`, async () => {
    expect(site).toContain('siteinfo')
    expect(await query('list=allpages&apfrom=' + from)).toContain('apfrom=' + from)
  })
`

/** Longer than the limit of the project's tests. */
const slow = (limit = ''): string => `import { expect, it } from 'vitest'

it('walks', async () => {
  const answer = await fetch('https://ru.wikipedia.org/w/api.php?action=query&list=allpages&format=json')
  expect(answer.status).toBe(200)
  await new Promise((done) => setTimeout(done, Number(process.env['TAKES'] ?? 0)))
}${limit})
`

class Life {
  readonly folder: string
  readonly #node: string
  readonly #tally: Tally
  readonly #name: string

  constructor(tarball: string, { node, vitest, nock }: Versions, tally: Tally) {
    this.#tally = tally
    this.#name = `node ${node}, vitest ${vitest}, nock ${nock}`
    const packages = [
      `@types/node@${node}`,
      `vitest@${vitest}`,
      `nock@${nock}`,
      'msw@2',
      ...clients
    ]
    this.folder = emptyProject(lifeName(node), tarball, [
      'install',
      '--save-dev',
      'wikitape',
      ...packages
    ])
    this.#node = path.join(installNode(node), 'node')
  }

  /** Each wiki gets a name that only the proxy knows. */
  write(name: string, text: string): void {
    const words = text.replaceAll(
      /https:\/\/((?:[\w*$.{}-]+\.)?(?:wikipedia|wikimedia))\.org/g,
      'http://$1.test'
    )
    writeFileSync(path.join(this.folder, name), words)
  }

  vitest(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Run> {
    return runBeside(
      this.folder,
      this.#node,
      ['node_modules/vitest/vitest.mjs', ...args],
      env
    )
  }

  count(what: string, went: boolean, text: string): void {
    this.#tally.count(`${this.#name}: ${what}`, went, text)
  }

  cassettes(file: string): readonly string[] {
    const folder = path.join(this.folder, 'cassettes/test', file)
    return existsSync(folder) ? readdirSync(folder).sort() : []
  }

  /** A vitest that watches; its output grows. */
  watch(): { readonly output: () => string; readonly end: () => void } {
    const { CI: _, ...env } = process.env
    const child = spawn(
      this.#node,
      ['node_modules/vitest/vitest.mjs', '--watch', 'pages'],
      {
        cwd: this.folder,
        env
      }
    )
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => (text += String(data)))
    return { output: () => text, end: () => void child.kill('SIGKILL') }
  }
}

const recorded = (life: Life): boolean =>
  life.cassettes('wikis.test').length === 3 &&
  life
    .cassettes('wikis.test')
    .every((name) => /^asks_three_wikis\.(?:commons|en|de)\.wiki.edia/.test(name)) &&
  life.cassettes('hooks.test').length === 4 &&
  life.cassettes('hooks.test').includes('_hooks')

async function live(life: Life): Promise<void> {
  const wiki = await standIn()
  const proxy = { HTTP_PROXY: new URL(wiki.api).origin }
  for (const name of ['test/set-up.ts', ...onThePage]) life.write(name, shown(name))
  life.write(
    'vitest.config.ts',
    shown('vitest.config.ts').replace('test: {', 'test: { testTimeout: 1500,')
  )
  life.write('test/hooks.test.ts', hooks)
  life.write('test/slow.test.ts', slow())
  life.write('test/clients.test.ts', clientTests)
  const first = await life.vitest(['run'], { ...proxy, TAKES: '2000' })
  life.count('recording', first.code === 0 && recorded(life), first.text)
  await mistakes(life, proxy)
  await wiki.close()
  const offline = await life.vitest(['run'], { CI: 'true' })
  life.count(
    'without the wiki',
    offline.code === 0 && !offline.text.includes('wikitape:'),
    offline.text
  )
}

/** Each says what to do, and is undone. */
async function mistakes(
  life: Life,
  proxy: Readonly<Record<string, string>>
): Promise<void> {
  const cases: readonly (readonly [
    name: string,
    from: string,
    to: string,
    says: RegExp
  ])[] = [
    [
      'pages',
      'apfrom=B',
      'apfrom=C',
      /lists_pages \(mode none\):\n {2}1 request missed[\s\S]*with WIKITAPE_MODE=update, and commit/
    ],
    [
      'wikis',
      "['en', 'de']",
      "['en', 'fr']",
      /there is no cassette at .*asks_three_wikis\.fr\.wikipedia/
    ],
    [
      'read-only',
      "error: 'readonly'",
      "eror: 'readonly'",
      /unknown option "eror" \(did you mean error\?\)/
    ],
    [
      'hooks',
      'meta=siteinfo',
      'meta=siteinfo&siprop=namespaces',
      /_hooks \(mode none\):\n {2}1 request missed/
    ],
    [
      'beside-msw',
      "http.all('https://ru.wikipedia.org/*', () => passthrough()),",
      '',
      /without a matching request handler/
    ]
  ]
  const textOf = (name: string): string =>
    name === 'hooks' ? hooks : shown(`test/${name}.test.ts`)
  for (const [name, from, to] of cases)
    life.write(`test/${name}.test.ts`, textOf(name).replace(from, to))
  const { text } = await life.vitest(['run', ...cases.map(([name]) => `${name}.test`)], {
    CI: 'true'
  })
  for (const [name, from, , says] of cases) {
    life.count(
      `a mistake in ${name}`,
      textOf(name).includes(from) && says.test(text),
      text
    )
    life.write(`test/${name}.test.ts`, textOf(name))
  }
  const mode = await life.vitest(['run', 'pages'], { ...proxy, WIKITAPE_MODE: 'updat' })
  life.count(
    'a mistake in the mode',
    /WIKITAPE_MODE: .*"updat" is unknown \(did you mean update\?\)/.test(mode.text),
    mode.text
  )
  life.write('test/limit.test.ts', slow(', 500'))
  const cut = await life.vitest(['run', 'limit'], { ...proxy, TAKES: '900' })
  const why = /discarded 1 recording: the test ran into its time limit of 500 ms/
  life.count('a time limit of its own', cut.code === 1 && why.test(cut.text), cut.text)
  rmSync(path.join(life.folder, 'test/limit.test.ts'))
}

async function watching(life: Life): Promise<void> {
  life.write('vitest.config.ts', shown('vitest.config.ts for watch mode'))
  const { end, output } = life.watch()
  const hasRun = async (times: number): Promise<boolean> => {
    for (let tries = 0; tries < 200; tries += 1) {
      if (output().split('Waiting for file changes').length > times) return true
      await delay(100)
    }
    return false
  }
  try {
    const began = await hasRun(1)
    rewriteRecording(life)
    life.count('watch mode', began && (await hasRun(2)), output())
  } finally {
    end()
  }
}

function rewriteRecording(life: Life): void {
  const folder = path.join(life.folder, 'cassettes/test/pages.test/lists_pages')
  const [dir = ''] = readdirSync(folder).filter((name) => name.startsWith('query'))
  const [name = ''] = readdirSync(path.join(folder, dir))
  const file = path.join(folder, dir, name)
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('"allpages": []', '"allpages": [ ]')
  )
}

/** A project for each; needs the npm registry. */
export async function runVitestLives(
  tarball: string,
  all: readonly Versions[]
): Promise<Sums> {
  const tally = new Tally()
  for (const versions of all) {
    const life = new Life(tarball, versions, tally)
    await live(life)
    await watching(life)
    const { scripts = {} } = JSON.parse(
      readFileSync(path.join(life.folder, 'node_modules/wikitape/package.json'), 'utf8')
    ) as { readonly scripts?: Readonly<Record<string, string>> }
    life.count(
      'no script runs when it is installed',
      !('prepare' in scripts),
      JSON.stringify(scripts)
    )
  }
  return tally
}
