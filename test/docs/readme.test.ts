/** What begins the README, in both shells that people type it into. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { namedWikis } from '../helpers/named-wikis.ts'
import { run } from '../helpers/program.ts'

const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** The lines of every block that is to be typed. */
const typed = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
  block.split('\n').filter((line) => line !== '')
)

it('is typed in what bash and PowerShell have in common: words without quotes, variables, or signs of either', () => {
  expect(typed.length).toBeGreaterThan(4)
  for (const line of typed) expect(line).toMatch(/^[\w-]+(?: [\w./:-]+)*$/)
})

const shells: Readonly<Record<string, (words: readonly string[]) => readonly string[]>> =
  {
    bash: (words) => words,
    'PowerShell, which keeps the first --,': (words) =>
      words.toSpliced(words.indexOf('--'), 1)
  }

it.each(
  Object.keys(shells).flatMap((shell) =>
    ['bot.mjs', 'ask.mjs'].map((name) => [shell, name])
  )
)(
  'records and then answers offline, as %s hands it on: %s',
  async (shell = '', program = '') => {
    const handOn = shells[shell] ?? ((words) => words)
    const wiki = await fakeWiki()
    const cwd = temporaryFolder()
    const names = await namedWikis({ 'ru.wikipedia.org': wiki.origin })
    for (const [, script = '', name = ''] of page.matchAll(
      /^```js\n(\/\/ (\w+\.mjs)\b[\s\S]*?)^```/gm
    ))
      writeFileSync(path.join(cwd, name), script)
    const all = typed.filter(
      (line) => line.startsWith('npx wikitape') && line.includes(' -- ')
    )
    expect(all).toHaveLength(4)
    const calls = all.filter((line) => line.endsWith(program))
    const runs = []
    for (const call of calls) {
      const [, , ...argv] = handOn(
        call.replace('https://ru.wikipedia.org/w/api.php', wiki.api).split(' ')
      )
      // The wiki that a program names is behind a proxy and an authority of the test's own.
      const trust = argv[0] === 'record' ? ['--cacert', names.cacert] : []
      runs.push(await run(argv.toSpliced(1, 0, ...trust), { cwd, env: names.env }))
      await wiki.close()
    }
    expect(runs.map(({ code }) => code)).toEqual([0, 0])
    const [recorded = '', replayed] = runs.map(({ stdout }) =>
      stdout.replace(/^wikitape: .*\n/, '')
    )
    expect(recorded).toContain('apfrom=B')
    expect(replayed).toBe(recorded)
  }
)
