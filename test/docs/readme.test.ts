/** What begins the README, in both shells that people type it into. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { run } from '../helpers/program.ts'

const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** The lines of every block that is to be typed. */
const typed = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
  block.split('\n').filter((line) => line !== ''),
)

it('is typed in what bash and PowerShell have in common: words without quotes, variables, or signs of either', () => {
  expect(typed.length).toBeGreaterThan(4)
  for (const line of typed) expect(line).toMatch(/^[\w-]+(?: [\w./:-]+)*$/)
})

it.each([
  ['bash', (words: readonly string[]) => words],
  [
    'PowerShell, which keeps the first --',
    (words: readonly string[]) => words.toSpliced(words.indexOf('--'), 1),
  ],
])('records and then answers offline, as %s hands it on', async (_, handOn) => {
  const wiki = await fakeWiki()
  const cwd = temporaryFolder()
  const [, script = ''] = /^```js\n(\/\/ ask\.mjs:[\s\S]*?)^```/m.exec(page) ?? []
  writeFileSync(path.join(cwd, 'ask.mjs'), script)
  const calls = typed.filter((line) => line.startsWith('npx wikitape') && line.includes(' -- '))
  expect(calls).toHaveLength(2)
  const runs = []
  for (const call of calls) {
    const [, , ...argv] = handOn(
      call.replace('https://ru.wikipedia.org/w/api.php', wiki.api).split(' '),
    )
    runs.push(await run(argv, { cwd }))
    await wiki.close()
  }
  expect(runs.map(({ code }) => code)).toEqual([0, 0])
  const [recorded = '', replayed] = runs.map(({ stdout }) => stdout.replace(/^wikitape: .*\n/, ''))
  expect(recorded).toContain('apfrom=B')
  expect(replayed).toBe(recorded)
})
