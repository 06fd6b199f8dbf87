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
const folderOf = (api: string): string => new URL(api).host.replace(':', '_')

it('records each wiki of a list, and of calls that add up, in its own cassette', async () => {
  const [a, b, c] = [await fakeWiki(), await fakeWiki(), await fakeWiki()]
  const { cassettes, run, write } = project(`setupFiles: ['./set-up.ts']`)
  const setUp = (...apis: readonly string[]): Record<string, string> => ({
    'set-up.ts': `${head}useCassette({ apiUrl: ${JSON.stringify(apis)} })`,
  })
  const test = `it('asks', async () => { await pages('${a.api}'); await pages('${b.api}') })`
  write({ ...setUp(a.api, b.api), 'list.test.ts': head + test })
  write({
    'added.test.ts': `${head}useCassette({ apiUrl: '${c.api}' })\nit('asks', async () => void (await pages('${c.api}')))`,
  })
  expect((await run()).code).toBe(0)
  const names = (file: string): readonly string[] => readdirSync(path.join(cassettes, file)).sort()
  const named = ({ api }: { readonly api: string }): string => `asks.${folderOf(api)}`
  expect(names('list.test')).toEqual([a, b].map(named).sort())
  expect(names('added.test')).toEqual([c].map(named))

  // One wiki alone keeps the plain name, and one that is added later changes no other.
  write({ ...setUp(a.api), 'alone.test.ts': `${head}it('asks', async () => void (await pages('${a.api}')))` })
  expect((await run({}, ['alone'])).code).toBe(0)
  write({ ...setUp(b.api, a.api), 'alone.test.ts': head + test })
  expect((await run({}, ['alone'])).code).toBe(0)
  expect(names('alone.test')).toEqual(['asks', named(b)])
  for (const wiki of [a, b, c]) await wiki.close()
  const again = await run({ CI: 'true' })
  expect([again.code, again.stderr]).toEqual([0, ''])

  // What one of them was not asked fails the test.
  write({ 'list.test.ts': `${head}it('asks', async () => void (await pages('${a.api}')))` })
  const { tests } = await run({ CI: 'true' }, ['list'])
  expect(tests['asks']?.errors).toEqual([
    expect.stringMatching(new RegExp(`${folderOf(b.api)} .*\\n.*1 recording not used`)),
  ])
})

it('records each wiki of a pattern when it is requested', async () => {
  const wiki = await fakeWiki()
  const { cassettes, run, write } = project()
  const file = (...hosts: readonly string[]): Record<string, string> => ({
    'a.test.ts': `${head}useCassette({ apiUrl: 'http://*.wiki.test/w/api.php', proxy: '${wiki.origin}' })
it('asks', async () => { ${hosts.map((host) => `await pages('http://${host}/w/api.php')`).join(';')} })
it('has one of its own', async () => {
  useCassette('own', { apiUrl: 'http://en.wiki.test/w/api.php' })
  await pages('http://en.wiki.test/w/api.php')
})`,
  })
  write(file('en.wiki.test', 'de.wiki.test'))
  expect((await run()).code).toBe(0)
  expect(readdirSync(path.join(cassettes, 'a.test')).sort()).toEqual([
    'asks.de.wiki.test',
    'asks.en.wiki.test',
  ])
  expect(interactionFiles(path.join(cassettes, 'own'))).toHaveLength(1)
  await wiki.close()
  expect((await run({ CI: 'true' })).code).toBe(0)
  write(file('en.wiki.test', 'fr.wiki.test', 'a.b.wiki.test'))
  const errors = (await run({ CI: 'true' })).tests['asks']?.errors.join('\n')
  // vitest gives no cause, but the cassette says why.
  expect(errors).toMatch(/there is no cassette at cassettes\/a.test\/asks.fr.wiki.test yet/)
})

it('answers in place of the cassette what the test says', async () => {
  const wiki = await fakeWiki()
  const { cassettes, run, write } = project()
  write({
    'a.test.ts': `${head}
const api = '${wiki.api}'
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
it('needs no cassette', async () => {
  useCassette('none', { apiUrl: api }).answer({ list: 'allpages' }, { error: { code: 'mine', text: 'Mine.' } })
  const post = await fetch(api, { method: 'POST', body: new URLSearchParams({ action: 'query', list: 'allpages', format: 'json' }) })
  expect((await post.json()).error).toMatchObject({ code: 'mine', info: 'Mine.' })
})
it('is told what is wrong', () => {
  const cassette = useCassette('wrong', { apiUrl: api })
  expect(() => cassette.answer({ list: 'allpages' }, { eror: 'readonly' })).toThrow(/unknown option "eror" .did you mean/)
  expect(() => cassette.answer({}, { error: 'readonly' })).toThrow(/expected parameters/)
  expect(() => cassette.answer({ action: 'edit' }, {})).toThrow(/json, error, or a status/)
})`,
  })
  const { stderr, tests } = await run()
  expect(Object.values(tests).flatMap(({ errors }) => errors)).toEqual([])
  expect(stderr).toMatch(
    /mine: replayed 1, recorded 1, live requests: \d+, answered by the test: list=allpages&apfrom=A 2, apfrom=B 1, apfrom=C 1\n/,
  )
  expect(interactionFiles(path.join(cassettes, 'mine'))).toHaveLength(1)
  const alone = await run({ CI: 'true' }, ['-t', 'needs no cassette'])
  expect([alone.code, existsSync(path.join(cassettes, 'none'))]).toEqual([0, false])
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
it('fails', async () => { await pages(api); expect(1).toBe(2) })`,
  })
  const first = await run()
  expect(Object.values(first.tests).map(({ status }) => status)).toEqual(['passed', 'failed', 'failed'])
  expect(first.stderr).toMatch(
    /has_a_limit_of_its_own: discarded 1 recording: the test ran into its time limit of 300 ms; .*WIKITAPE_MODE=new_episodes/,
  )
  expect(first.stderr).toMatch(/fails: discarded 1 recording: the test failed\n/)
  expect(first.stderr).not.toMatch(/limit_of_its_own: .*recorded 1/)
  expect(existsSync(path.join(cassettes, 'a.test/fails'))).toBe(false)
  // Where it is recorded, vitest's own limit holds again.
  const again = await run({ CI: 'true' })
  expect(again.tests['walks']?.status).toBe('failed')
})

it('names only the mode that helps', async () => {
  const wiki = await fakeWiki()
  const { run, write } = project()
  const asks = (...from: readonly string[]): Record<string, string> => ({
    'a.test.ts': `${head}
useCassette({ apiUrl: '${wiki.api}' })
it('asks', async () => { ${from.map((one) => `await pages('${wiki.api}', '${one}')`).join(';')} })`,
  })
  write(asks('A', 'B'))
  await run()
  write(asks('A', 'C'))
  const text = (await run()).tests['asks']?.errors.join('\n') ?? ''
  expect(text).toMatch(/1 request missed[\s\S]*run this test with WIKITAPE_MODE=update$/)
  expect(text).not.toContain('new_episodes')
  expect((await run({ WIKITAPE_MODE: 'update' })).code).toBe(0)
  expect((await run({ CI: 'true' })).code).toBe(0)
})
