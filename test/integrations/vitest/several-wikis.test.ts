/** `useCassette` for several wikis, with answers of the test's own, and what a test that records says of its end. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { interactionFiles } from '../../helpers/folders.ts'
import { project } from './nested.ts'

const head = `
import { beforeAll, describe, expect, it } from 'vitest'
import { useCassette } from 'wikitape/vitest'
const pages = async (api, from = 'A', more = '') => {
  const answer = await fetch(api + '?action=query&list=allpages&format=json&apfrom=' + from + more)
  return { status: answer.headers.get('x-cassette-status'), error: answer.headers.get('mediawiki-api-error'), body: await answer.json() }
}
`
/** Files that share a worker. */
const alone = ['--maxWorkers=1']
const folderOf = (api: string): string => new URL(api).host.replace(':', '_')

it('records each wiki of a list, and of calls that add up, in its own cassette', async () => {
  const a = await fakeWiki()
  const b = await fakeWiki()
  const c = await fakeWiki()
  const { cassettes, run, write } = project(`setupFiles: ['./set-up.ts'], isolate: false`)
  const setUp = (...apis: readonly string[]): Record<string, string> => ({
    'set-up.ts': `${head}useCassette({ apiUrl: ${JSON.stringify(apis)} })`
  })
  const test = `it('asks', async () => { await pages('${a.api}'); await pages('${b.api}') })`
  write({ ...setUp(a.api, b.api), 'list.test.ts': head + test })
  write({
    'added.test.ts': `${head}useCassette({ apiUrl: '${c.api}' })\nit('asks', async () => void (await pages('${c.api}')))`
  })
  expect((await run({}, alone)).code).toBe(0)
  const names = (file: string): readonly string[] =>
    readdirSync(path.join(cassettes, file)).sort()
  const named = ({ api }: { readonly api: string }): string => `asks.${folderOf(api)}`
  expect(names('list.test')).toEqual([a, b].map(named).sort())
  expect(names('added.test')).toEqual([c].map(named))

  // One wiki alone keeps the plain name, and one that is added later changes no other.
  write({
    ...setUp(a.api),
    'alone.test.ts': `${head}it('asks', async () => void (await pages('${a.api}')))`
  })
  expect((await run({}, ['alone'])).code).toBe(0)
  write({ ...setUp(b.api, a.api), 'alone.test.ts': head + test })
  expect((await run({}, ['alone'])).code).toBe(0)
  expect(names('alone.test')).toEqual(['asks', named(b)])
  for (const wiki of [a, b, c]) await wiki.close()
  const again = await run({ CI: 'true' }, alone)
  expect([again.code, again.stderr]).toEqual([0, ''])

  // What one of them was not asked fails the test.
  write({
    'list.test.ts': `${head}it('asks', async () => void (await pages('${a.api}')))`
  })
  const { tests } = await run({ CI: 'true' }, ['list'])
  expect(tests['asks']?.errors).toEqual([
    expect.stringMatching(new RegExp(`${folderOf(b.api)} .*\\n.*1 recording not used`))
  ])
})

/** Files that need nothing of each other go through the same runs of vitest: all of it is done by the first test that asks. */
async function goThrough() {
  const wiki = await fakeWiki()
  const { cassettes, run, write } = project('isolate: false')
  const pattern = (...hosts: readonly string[]): Record<string, string> => ({
    'pattern.test.ts': `${head}useCassette({ apiUrl: 'http://*.wiki.test/w/api.php', proxy: '${wiki.origin}' })
it('asks by a pattern', async () => { ${hosts.map((host) => `await pages('http://${host}/w/api.php')`).join(';')} })
it('has one of its own', async () => {
  useCassette('own', { apiUrl: 'http://en.wiki.test/w/api.php' })
  await pages('http://en.wiki.test/w/api.php')
})`
  })
  const asks = (...from: readonly string[]): Record<string, string> => ({
    'mode.test.ts': `${head}
useCassette({ apiUrl: '${wiki.api}' })
it('asks in a mode', async () => { ${from.map((one) => `await pages('${wiki.api}', '${one}')`).join(';')} })`
  })
  write({
    ...pattern('en.wiki.test', 'de.wiki.test'),
    ...asks('A', 'B'),
    ...answering(wiki.api)
  })
  const first = await run({}, alone)
  const kept = {
    pattern: readdirSync(path.join(cassettes, 'pattern.test')).sort(),
    own: interactionFiles(path.join(cassettes, 'own')),
    mine: interactionFiles(path.join(cassettes, 'mine'))
  }
  write(asks('A', 'C'))
  const missed = await run({}, ['mode'])
  const updated = await run({ WIKITAPE_MODE: 'update' }, ['mode'])
  await wiki.close()
  const again = await run({ CI: 'true' }, ['pattern', 'mode', 'none', ...alone])
  write(pattern('en.wiki.test', 'fr.wiki.test', 'a.b.wiki.test'))
  const unknown = await run({ CI: 'true' }, ['pattern'])
  return {
    first,
    kept,
    missed,
    updated,
    again,
    unknown,
    hasNone: existsSync(path.join(cassettes, 'none'))
  }
}
let gone: ReturnType<typeof goThrough> | undefined
const together = (): ReturnType<typeof goThrough> => (gone ??= goThrough())

/** Tests that answer in place of the wiki. */
const answering = (api: string): Readonly<Record<string, string>> => ({
  'answers.test.ts': `${head}
const api = '${api}'
it('overrides', async () => {
  const cassette = useCassette('mine', { apiUrl: api, quiet: false })
  expect((await pages(api)).status).toBe('recorded')
  const end = cassette.answer({ list: 'allpages', apfrom: 'A' }, { error: 'readonly' })
  const refused = await pages(api)
  expect([refused.status, refused.error, refused.body.error.info]).toEqual(['override', 'readonly', 'The wiki is currently in read-only mode.'])
  expect((await pages(api, 'A', '&errorformat=plaintext&formatversion=2')).body.errors[0].code).toBe('readonly')
  end()
  cassette.answer({ apfrom: 'B' }, { json: { query: { allpages: [] } } })
  expect((await pages(api, 'B')).body).toEqual({ query: { allpages: [] } })
  cassette.answer({ apfrom: 'C' }, { status: 503 })
  expect((await fetch(api + '?action=query&list=allpages&apfrom=C&format=json')).status).toBe(503)
  expect((await pages(api)).status).toBe('replayed')
})
it('is told what is wrong', () => {
  const cassette = useCassette('wrong', { apiUrl: api })
  expect(() => cassette.answer({ list: 'allpages' }, { eror: 'readonly' })).toThrow(/unknown option "eror" .did you mean/)
  expect(() => cassette.answer({}, { error: 'readonly' })).toThrow(/expected parameters/)
  expect(() => cassette.answer({ action: 'edit' }, {})).toThrow(/json, error, or a status/)
})`,
  'none.test.ts': `${head}
const api = '${api}'
it('needs no cassette', async () => {
  useCassette('none', { apiUrl: api }).answer({ list: 'allpages' }, { error: { code: 'mine', text: 'Mine.' } })
  const post = await fetch(api, { method: 'POST', body: new URLSearchParams({ action: 'query', list: 'allpages', format: 'json' }) })
  expect((await post.json()).error).toMatchObject({ code: 'mine', info: 'Mine.' })
})`
})

it('records each wiki of a pattern when it is requested', async () => {
  const { first, kept, again, unknown } = await together()
  expect(first.code).toBe(0)
  expect(kept.pattern).toEqual([
    'asks_by_a_pattern.de.wiki.test',
    'asks_by_a_pattern.en.wiki.test'
  ])
  expect(kept.own).toHaveLength(1)
  expect(again.code).toBe(0)
  const errors = unknown.tests['asks by a pattern']?.errors.join('\n')
  // vitest gives no cause, but the cassette says why.
  expect(errors).toMatch(
    /there is no cassette at cassettes\/pattern.test\/asks_by_a_pattern.fr.wiki.test yet/
  )
})

it('answers in place of the cassette what the test says', async () => {
  const { first, kept, again, hasNone } = await together()
  const titles = ['overrides', 'is told what is wrong', 'needs no cassette']
  expect(titles.flatMap((title) => first.tests[title]?.errors)).toEqual([])
  expect(first.stderr).toMatch(
    /mine: replayed 1, recorded 1, live requests: \d+, answered by the test: list=allpages&apfrom=A 2, apfrom=B 1, apfrom=C 1\n/
  )
  expect(kept.mine).toHaveLength(1)
  expect([again.tests['needs no cassette']?.status, hasNone]).toEqual(['passed', false])
})

it('names only the mode that helps', async () => {
  const { missed, updated, again } = await together()
  const text = missed.tests['asks in a mode']?.errors.join('\n') ?? ''
  expect(text).toMatch(/1 request missed[\s\S]*run this test with WIKITAPE_MODE=update$/)
  expect(text).not.toContain('new_episodes')
  expect(updated.code).toBe(0)
  expect(again.tests['asks in a mode']?.status).toBe('passed')
})

it('has time to record, and says what was discarded', async () => {
  const wiki = await fakeWiki()
  const { cassettes, run, write } = project('testTimeout: 400')
  write({
    'a.test.ts': `${head}
const api = '${wiki.api}'
useCassette({ apiUrl: api })
const walk = async (ms) => { await pages(api); await new Promise((done) => setTimeout(done, ms)) }
it('walks', () => walk(600))
it('has a limit of its own', () => walk(600), 300)
it('fails', async () => { await pages(api); expect(1).toBe(2) })`
  })
  const first = await run()
  expect(Object.values(first.tests).map(({ status }) => status)).toEqual([
    'passed',
    'failed',
    'failed'
  ])
  expect(first.stderr).toMatch(
    /has_a_limit_of_its_own: discarded 1 recording: the test ran into its time limit of 300 ms; .*WIKITAPE_MODE=new_episodes/
  )
  expect(first.stderr).toMatch(/fails: discarded 1 recording: the test failed\n/)
  expect(first.stderr).not.toMatch(/limit_of_its_own: .*recorded 1/)
  expect(existsSync(path.join(cassettes, 'a.test/fails'))).toBe(false)
  // Where it is recorded, vitest's own limit holds again.
  const again = await run({ CI: 'true' })
  expect(again.tests['walks']?.status).toBe('failed')
})

it('has time to record a new test in a file that has cassettes', async () => {
  const wiki = await fakeWiki()
  const { cassettes, run, write } = project('testTimeout: 400')
  const file = (more: string) => ({
    'a.test.ts': `${head}
const api = '${wiki.api}'
useCassette({ apiUrl: api })
const walk = async (ms) => { await pages(api); await new Promise((done) => setTimeout(done, ms)) }
it('is quick', () => walk(0))
${more}`
  })
  write(file(''))
  await run()
  write(file("it('is new', () => walk(600))"))
  const second = await run()
  expect(second.tests['is new']?.errors).toEqual([])
  expect(existsSync(path.join(cassettes, 'a.test/is_new'))).toBe(true)
  expect((await run()).tests['is new']?.errors.join()).toContain('timed out in 400ms')
})
