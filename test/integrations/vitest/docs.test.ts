/** docs/test-suites.md is code: its examples are put into a project as they stand, and run offline. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { filesIn } from '../../helpers/folders.ts'
import { inserted, publicWiki, shipped } from '../nock/inserted.ts'
import { project } from './nested.ts'

const page = readFileSync(
  fileURLToPath(new URL('../../../docs/test-suites.md', import.meta.url)),
  'utf8'
)

/** Those that need other wikis or packages: `npm run test:peers` runs them. */
const elsewhere = new Set([
  'test/wikis.test.ts',
  'test/read-only.test.ts',
  'test/beside-msw.test.ts'
])

/** Each other example by the name that its first line gives it. */
const examples = Object.fromEntries(
  [...page.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)^```/gm)].flatMap(
    ([, name = '', text = '']) => (elsewhere.has(name) ? [] : [[name, text] as const])
  )
)

/** A shipped cassette with just the recording that the examples ask for, as a first run would have made it. */
async function write(folder: string, version: string): Promise<void> {
  const cassette = inserted(version, { root: shipped, apiUrl: publicWiki, moved: true })
  const key =
    (await fetch(`${publicWiki}?${pages}`)).headers.get('x-cassette-key') ?? 'none'
  await cassette.close()
  const isWanted = (file: string): boolean =>
    !/[0-9a-f]{12}\./.test(file) || file.includes(key)
  cpSync(path.join(shipped, version), folder, { recursive: true, filter: isWanted })
  const manifest = path.join(folder, 'cassette.json')
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(
    manifest,
    text.replace(/"upstream": "[^"]*"/, `"upstream": "${publicWiki}"`)
  )
}

const pages = 'action=query&list=allpages&apfrom=B&format=json'

it('runs as it is written', async () => {
  expect(Object.keys(examples).sort()).toEqual([
    'test/drift.test.ts',
    'test/in-process.test.ts',
    'test/pages.test.ts',
    'test/set-up.ts',
    'test/shared.test.ts',
    'vitest.config.ts'
  ])
  const {
    cassettes,
    run,
    write: writeFiles
  } = project(`setupFiles: ['./test/set-up.ts']`)
  const { 'vitest.config.ts': config = '', ...files } = examples
  expect(config).toContain(`setupFiles: ['./test/set-up.ts']`)
  writeFiles(files)
  for (const name of ['test/pages.test/lists_pages', 'client', 'own', 'ru-1.43'])
    await write(path.join(cassettes, name), 'ru-1.43')
  await write(path.join(cassettes, 'ru-1.39'), 'ru-1.39')
  const before = filesIn(cassettes)
  const { files: broken, tests } = await run({ CI: 'true' })
  expect(Object.values(broken).join('')).toBe('')
  expect(Object.entries(tests).filter(([, { status }]) => status !== 'passed')).toEqual(
    []
  )
  expect(Object.keys(tests)).toHaveLength(6)
  expect(filesIn(cassettes)).toEqual(before)
})

it('names every option', () => {
  const source = ['in-process/insert-options.ts', 'vitest/use-cassette.ts'].map((file) =>
    readFileSync(
      fileURLToPath(new URL(`../../../src/integrations/${file}`, import.meta.url)),
      'utf8'
    )
  )
  const options = source.flatMap((text) => {
    const [, body = ''] =
      /export interface (?:InsertOptions|UseOptions)[^{]*\{([\s\S]*?)\n\}/.exec(text) ??
      []
    return [...body.matchAll(/readonly (\w+)\?:/g)].map(([, name = '']) => name)
  })
  expect(options.length).toBeGreaterThan(10)
  for (const option of options) expect(page).toContain(`| \`${option}\``)
})
