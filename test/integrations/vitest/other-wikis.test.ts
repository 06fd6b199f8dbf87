/** A suite with cassettes asks no other wiki: not in its tests, not in its hooks, not while its files are read. */
import { expect, it } from 'vitest'
import { type FakeWiki, fakeWiki } from '../../helpers/fake-wiki.ts'
import { project } from './nested.ts'

const head = (other: FakeWiki): string => `
import { beforeAll, describe, expect, it } from 'vitest'
import { useCassette } from 'wikitape/vitest'
const other = '${other.api}?action=query&format=json'
const askOther = async () => (await fetch(other)).status
`

async function suite() {
  const wiki = await fakeWiki()
  const other = await fakeWiki()
  const { run, write } = project(`setupFiles: ['./set-up.ts'], isolate: false`)
  write({
    'set-up.ts': `import { useCassette } from 'wikitape/vitest'\nuseCassette({ apiUrl: '${wiki.api}' })\n`,
    'inside.test.ts': `${head(other)}
it('asks another wiki', async () => expect(await askOther()).toBe(200))
it('keeps quiet about it', async () => void (await askOther().catch(() => undefined)))
it('may', async () => {
  useCassette('may', { allowOtherWikis: [other] })
  expect(await askOther()).toBe(200)
})
it('asks what is no wiki', async () => expect((await fetch('${other.origin}/package.json')).status).toBe(200))`,
    'hook.test.ts': `${head(other)}
beforeAll(async () => void (await askOther()))
it('never runs', () => undefined)`,
    'read.test.ts': `${head(other)}
const status = await askOther()
it('never runs either', () => expect(status).toBe(200))`,
    'named.test.ts': `${head(other)}
describe('one for all', () => {
  beforeAll(async () => void (await askOther()))
  useCassette('named')
  it('stands below a hook', () => undefined)
})`
  })
  return { other, run }
}

const refused = /was not sent: CI=true/

it('with CI=true they fail, and nothing goes out but what is allowed', async () => {
  const { other, run } = await suite()
  const { files, tests } = await run({ CI: 'true' }, ['--maxWorkers=1'])
  expect(tests['asks another wiki']?.errors.join()).toMatch(refused)
  expect(tests['keeps quiet about it']?.errors).toEqual([
    expect.stringMatching(/1 request could not be answered:\n.*was not sent: CI=true.*$/)
  ])
  expect(tests['may']?.errors).toEqual([])
  expect(tests['asks what is no wiki']?.errors).toEqual([])
  for (const file of ['hook.test.ts', 'read.test.ts'])
    expect(files[file]).toMatch(
      /\(useCassette\(\) is of .*\bor allow the request|fetch failed/
    )
  // The error of a hook in a describe is in no file's message.
  expect(tests['one for all stands below a hook']?.status).toBe('skipped')
  expect(other.asked()).toEqual(['action=query&format=json', ''])
})

it('elsewhere they pass, with a warning', async () => {
  const { other, run } = await suite()
  const { code, stderr } = await run({}, ['--maxWorkers=1'])
  expect(code).toBe(0)
  const warnings = stderr.split('\n').filter((line) => line.includes(`GET ${other.api}`))
  expect(warnings).toEqual([
    expect.stringMatching(
      /^wikitape: GET .*: no cassette answers it .*allowOtherWikis: \['http/
    )
  ])
})

it('a request while the file is read is told as one that no test sends, whatever is allowed', async () => {
  const wiki = await fakeWiki()
  const { run, write } = project()
  write({
    'top.test.ts': `import { it } from 'vitest'
import { useCassette } from 'wikitape/vitest'
useCassette({ apiUrl: '${wiki.api}', allowOtherWikis: ['http://127.0.0.1'] })
const text = await fetch('${wiki.api}?action=query').then(({ status }) => status, ({ cause }) => cause.message)
it('tells it', () => { if (text !== 200) throw new Error(text) })`
  })
  const { tests } = await run({ CI: 'true' })
  expect(tests['tells it']?.errors.join()).toMatch(
    /was not sent: CI=true, and no test is running \(.*\)\. Send it in a test or in a hook/
  )
  expect(wiki.asked()).toEqual([])
  const { stderr } = await run()
  expect(stderr).toContain('no test is running')
})
