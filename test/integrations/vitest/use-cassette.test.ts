/** `useCassette` in projects of its own: what it records, what it fails, and what it leaves alone. */
import { cpSync, existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { filesIn, interactionFiles } from '../../helpers/folders.ts'
import { scaled } from '../../helpers/scale.ts'
import { deadOrigin } from '../../helpers/upstreams.ts'
import { type Project, project } from './nested.ts'

/** One of test/fixtures/vitest-projects: a cassette for each test by its set-up file. */
const fixture = (name: string, api: string): Project => {
  const made = project(`setupFiles: ['./set-up.ts'], env: { FAKE_WIKI_API: '${api}' }`)
  cpSync(
    fileURLToPath(new URL(`../../fixtures/vitest-projects/${name}`, import.meta.url)),
    made.folder,
    {
      recursive: true
    }
  )
  return made
}

/** What the tests of these projects have in common. */
const head = (api: string): string => `
import { afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { useCassette } from 'wikitape/vitest'
const api = '${api}'
const pages = async (from: string) => {
  const answer = await fetch(api + '?action=query&list=allpages&format=json&apfrom=' + encodeURIComponent(from))
  return { status: answer.headers.get('x-cassette-status'), text: await answer.text() }
}
`

describe('a cassette for each test, from a set-up file', () => {
  it('is recorded by tests that pass, and replayed offline', async () => {
    const wiki = await fakeWiki()
    const { cassettes, run } = fixture('each-test', wiki.api)
    const first = await run()
    const folder = path.join(cassettes, 'test/pages.test')
    expect(first.stderr).toMatch(/pages\.test\/a_client_lists_pages: .*recorded 1/)
    const passed = [
      'a client lists pages',
      'a client listet: «Волга»?',
      'a client same',
      'a client Same',
      'from x',
      'from y',
      'asks nothing'
    ]
    const states = (tests: typeof first.tests): unknown =>
      passed.map((title) => tests[title]?.status)
    expect(states(first.tests)).toEqual(passed.map(() => 'passed'))
    expect(
      readdirSync(folder)
        .map((name) => name.replace(/-[0-9a-f]{8}$/, '-#'))
        .sort()
    ).toEqual([
      'a_client_Same-2',
      'a_client_listet_Волга-#',
      'a_client_lists_pages',
      'a_client_same',
      'from_x',
      'from_y'
    ])
    expect(first.tests['fails on its own']?.errors).toEqual([
      expect.stringContaining('expected 1 to be 2')
    ])
    expect(first.tests['with a hook fails in it']?.errors).toEqual([
      expect.stringContaining('the hook broke')
    ])
    expect(first.tests['is given up']?.status).toBe('skipped')
    expect(first.tests['fails as it should']?.status).toBe('passed')

    await wiki.close()
    const before = filesIn(cassettes)
    const again = await run({ CI: 'true' })
    expect(states(again.tests)).toEqual(passed.map(() => 'passed'))
    expect(again.stderr).not.toContain('recorded')
    expect(again.tests['fails on its own']?.errors.at(-1)).toMatch(
      /1 request could not be answered:\n.*there is no cassette at/
    )
    expect(filesIn(cassettes)).toEqual(before)
  })

  it('records hooks, and tests that run at once, apart, and gives way to a test that asks for its own', async () => {
    const wiki = await fakeWiki()
    const { cassettes, run } = fixture('own-cassettes', wiki.api)
    // Files in one process, which are to mind each other as little as those in processes of their own.
    const { files, tests } = await run({}, ['--no-isolate', '--maxWorkers=1'])
    expect(files['outside.test.ts']).toBe('')
    expect(interactionFiles(path.join(cassettes, 'outside.test/_hooks'))).toEqual([
      expect.stringContaining('apfrom=before')
    ])
    expect(tests['has one of its own']?.errors).toEqual([])
    expect(tests['comes too late']?.errors).toEqual([])
    expect(interactionFiles(path.join(cassettes, 'own/name'))).toHaveLength(1)
    expect(interactionFiles(path.join(cassettes, 'for-all'))).toHaveLength(2)
    expect(existsSync(path.join(cassettes, 'suite.test'))).toBe(false)
    for (const title of ['a', 'b'])
      expect(
        interactionFiles(path.join(cassettes, `concurrent.test/at_once_${title}`))
      ).toEqual([expect.stringContaining(`apfrom=${title}`)])
    const fine = [
      'at once a',
      'at once b',
      'at once, without the wiki c',
      'at once, without the wiki d',
      'alone again'
    ]
    const named = ['together a', 'together b']
    expect([...fine, ...named].flatMap((title) => tests[title]?.errors)).toEqual([])
    expect(interactionFiles(path.join(cassettes, 'one-for-all'))).toHaveLength(3)
    await wiki.close()
    const again = await run({ CI: 'true' }, ['--no-isolate', '--maxWorkers=1'])
    const failed = Object.entries(again.tests).filter(
      ([, { status }]) => status !== 'passed'
    )
    // It says in which mode it is.
    expect(failed.map(([title]) => title)).toEqual(['has one of its own'])
    expect(Object.values(again.files).join('')).toBe('')
  })

  it('works where modules run in a realm of their own', async () => {
    const wiki = await fakeWiki()
    const { run, write } = project(`pool: 'vmThreads'`)
    write({
      'a.test.ts': `${head(wiki.api)}
useCassette({ apiUrl: api })
it('asks', async () => expect((await pages('A')).text).toContain('apfrom=A'))`
    })
    expect((await run()).code).toBe(0)
    await wiki.close()
    expect((await run({ CI: 'true' })).code).toBe(0)
  })

  it('is tried again with a retry, and only what passed is kept', async () => {
    const { first, kept } = await together()
    expect([first.code, first.tests['passes at the third time']?.status]).toEqual([
      0,
      'passed'
    ])
    expect(kept.retry).toEqual([expect.stringContaining('time3')])
  })
})

/** One file of tests for all of whose tests there is one cassette. */
const sharing =
  (api: string, name: string) =>
  (...tests: readonly (readonly [title: string, body: string])[]): string =>
    `${head(api)}
useCassette('${name}', { apiUrl: api })
${tests.map(([title, body]) => `it('${title}', async () => { ${body} })`).join('\n')}`

/** Files that need nothing of each other go through the same runs of vitest, in one process each time: all of it is done by the first test that asks. */
async function goThrough() {
  const wiki = await fakeWiki()
  const { cassettes, run, write } = project('isolate: false')
  const ask = (from: string): string => `await pages('${from}')`
  const alone = ['--maxWorkers=1']
  const fits = (...asked: readonly string[][]): string => `${head(wiki.api)}
useCassette({ apiUrl: api })
${['more', 'less', 'other and fails', 'tolerant'].map((title, at) => `it(${JSON.stringify(title)}, async () => { ${(asked[at] ?? []).join(';')} })`).join('\n')}`
  const warned = (
    options: string,
    ...from: readonly string[]
  ): string => `${head(wiki.api)}
it('asks', async () => {
  useCassette('warned', { apiUrl: api, ${options} })
  ${from.map(ask).join(';')}
})`
  const shared = sharing(wiki.api, 'shared')
  const listed = (folder: string): readonly string[] =>
    interactionFiles(path.join(cassettes, folder))

  write({
    'fits.test.ts': fits([ask('A')], [ask('A'), ask('B')], [ask('A')], [ask('A')]),
    'warned.test.ts': warned('', 'A', 'B'),
    'shared.test.ts': shared(['a', ask('A')], ['b', ask('B')], ['c', ask('C')]),
    'retry.test.ts': `${head(wiki.api)}
useCassette({ apiUrl: api })
let times = 0
it('passes at the third time', { retry: 3 }, async () => {
  times += 1
  await pages('time' + times)
  expect(times).toBe(3)
})`
  })
  const first = await run({}, alone)
  const kept = {
    shared: listed('shared'),
    retry: listed('retry.test/passes_at_the_third_time')
  }
  const oneOfThem = await run({ CI: 'true' }, ['shared', '-t', 'b'])

  write({
    'fits.test.ts': fits(
      [ask('A'), ask('C')],
      [ask('A')],
      [ask('C'), `expect('mine').toBe('first')`],
      [ask('A')]
    ),
    'warned.test.ts': warned(`missed: 'warn', unused: 'warn'`, 'A', 'C')
  })
  const before = filesIn(cassettes)
  const missing = await run({ CI: 'true' }, ['fits', 'warned', ...alone])
  const unchanged = before
  const after = filesIn(cassettes)
  write({ 'shared.test.ts': shared(['a', ask('A')], ['b', ask('B')], ['c', '']) })
  const unused = await run({ CI: 'true' }, ['shared'])

  const added = await run({ WIKITAPE_MODE: 'new_episodes' }, ['fits'])
  const withAdded = {
    more: listed('fits.test/more'),
    failing: listed('fits.test/other_and_fails')
  }
  write({
    'dead.test.ts': `${head(`${await deadOrigin()}/w/api.php`)}
it('has no cassette', async () => { useCassette('none', { apiUrl: api, mode: 'none' }); await pages('A').catch(() => undefined) })
it('has no wiki', async () => { useCassette('new', { apiUrl: api, mode: 'once' }); await pages('A').catch(() => undefined) })`,
    'failing.test.ts': sharing(wiki.api, 'failing')(
      ['passes beside it', ask('A')],
      ['fails', `${ask('B')}; expect(1).toBe(2)`]
    )
  })
  const failing = await run({}, ['dead', 'failing', ...alone])
  const isKept = { failing: existsSync(path.join(cassettes, 'failing')) }
  await run({ WIKITAPE_MODE: 'update' }, ['fits'])
  const updated = listed('fits.test/less')
  write({
    'warned.test.ts': warned(`missed: 'ignore', unused: 'ignore'`, 'A', 'C'),
    'shared.test.ts': shared(['a', ask('A')], ['b', ask('Z')], ['c', ask('C')])
  })
  const last = await run({ CI: 'true' }, ['fits', 'warned', 'shared', ...alone])
  return {
    first,
    kept,
    oneOfThem,
    missing,
    unchanged,
    after,
    unused,

    added,
    withAdded,
    failing,
    isKept,
    updated,
    last
  }
}
let gone: ReturnType<typeof goThrough> | undefined
const together = (): ReturnType<typeof goThrough> => (gone ??= goThrough())

describe('what does not fit', () => {
  it('fails the test, after its own errors, until it is recorded again', async () => {
    const { first, missing, unchanged, after, added, withAdded, updated, last } =
      await together()
    expect(first.code).toBe(0)
    const { tests } = missing
    expect(tests['more']?.errors).toEqual([
      expect.stringMatching(
        /1 request missed:\n {4}list allpages, apfrom=C: .*apfrom recorded "A", got "C"\.\n {2}CI=true.*WIKITAPE_MODE=new_episodes/
      )
    ])
    expect(tests['less']?.errors).toEqual([
      expect.stringMatching(/1 recording not used:\n {4}query\.allpages\/apfrom=B/)
    ])
    const both = tests['other and fails']?.errors ?? []
    expect(both[0]).toContain("expected 'mine' to be 'first'")
    expect(both[1]).toContain('1 request missed')
    expect(both.join('\n')).not.toMatch(/recordings? not asked for/)
    expect(tests['tolerant']?.status).toBe('passed')
    expect(after).toEqual(unchanged)

    expect(added.tests['more']?.status).toBe('passed')
    // What would fail in a plain run fails here, too.
    expect(added.tests['less']?.errors).toEqual([
      expect.stringMatching(
        /1 recording not used:[\s\S]*\n {2}to record it all again and delete what is no longer requested, run this test with WIKITAPE_MODE=update/
      )
    ])
    expect([withAdded.more.length, withAdded.failing.length]).toEqual([2, 1])

    expect(updated).toEqual([expect.stringContaining('apfrom=A')])
    expect(
      ['more', 'less', 'tolerant'].map((title) => last.tests[title]?.status)
    ).toEqual(['passed', 'passed', 'passed'])
  })

  it('fails a test whose client keeps quiet about errors', async () => {
    const { tests } = (await together()).failing
    expect(tests['has no cassette']?.errors[0]).toMatch(
      /could not be answered:\n.*there is no cassette at/
    )
    expect(tests['has no wiki']?.errors[0]).toMatch(
      /could not be answered:\n.*cannot be reached.*\n {2}not everything could be recorded\n {2}check that the wiki runs/
    )
  })

  it('may be warned of or ignored', async () => {
    const { first, missing, last } = await together()
    expect(first.code).toBe(0)
    expect([missing.tests['asks']?.status, missing.files['warned.test.ts']]).toEqual([
      'passed',
      ''
    ])
    expect(missing.stderr).toMatch(/cassettes\/warned: [^\n]*1 request missed/)
    expect(missing.stderr).toMatch(/cassettes\/warned: [^\n]*1 recording not used/)
    expect([last.tests['asks']?.status, last.files['warned.test.ts']]).toEqual([
      'passed',
      ''
    ])
    expect(last.stderr).not.toContain('wikitape')
  })

  it('CI=true lets no mode out that was not allowed', async () => {
    const wiki = await fakeWiki()
    const { run, write } = project()
    write({
      'a.test.ts': `${head(wiki.api)}
it('asks', async () => { useCassette('c', { apiUrl: api }); await pages('A') })
it('may', async () => { useCassette('d', { apiUrl: api, allowLive: true }); await pages('A') })`
    })
    const { tests } = await run({ CI: 'true', WIKITAPE_MODE: 'all' })
    expect(tests['asks']?.errors).toEqual([expect.stringMatching(/CI=true.*allowLive/)])
    expect(tests['may']?.errors).toEqual([])
  })
})

describe('one cassette for all tests of a file', () => {
  it('blames misses on their test, and unused recordings on the file only where all of it ran', async () => {
    const { first, kept, oneOfThem, unused, last } = await together()
    expect(first.code).toBe(0)
    expect(kept.shared).toHaveLength(3)
    expect(oneOfThem.code).toBe(0)

    expect(Object.values(unused.tests).map(({ status }) => status)).toEqual([
      'passed',
      'passed',
      'passed'
    ])
    expect(unused.files['shared.test.ts']).toMatch(
      /1 recording not used:\n {4}query\.allpages\/apfrom=C/
    )
    expect(unused.code).toBe(1)

    expect(['a', 'b', 'c'].map((title) => last.tests[title]?.status)).toEqual([
      'passed',
      'failed',
      'passed'
    ])
    expect(last.tests['b']?.errors[0]).toContain('got "Z"')
    expect(last.files['shared.test.ts']).toBe('')
  })

  it('writes nothing where one of them failed', async () => {
    const { failing, isKept } = await together()
    expect([failing.code, failing.tests['fails']?.status]).toEqual([1, 'failed'])
    expect(isKept.failing).toBe(false)
  })

  it('may be recorded by several workers at once', async () => {
    const wiki = await fakeWiki()
    const workers = scaled(3, 4)
    const { cassettes, run, write } = project(`maxWorkers: ${workers}`)
    const files = Object.fromEntries(
      Array.from({ length: workers }, (_, at) => [
        `w${at}.test.ts`,
        `${head(wiki.api)}
describe('all', () => {
  useCassette('common', { apiUrl: api, unused: 'ignore' })
  it('asks what all ask', async () => void (await pages('common')))
  it('asks what only it asks', async () => void (await pages('only${at}')))
})
describe('each', () => {
  useCassette({ apiUrl: api })
  it('asks', async () => void (await pages('each${at}')))
})`
      ])
    )
    write(files)
    expect((await run({ WIKITAPE_MODE: 'new_episodes' })).code).toBe(0)
    expect(interactionFiles(path.join(cassettes, 'common'))).toHaveLength(1 + workers)
    await wiki.close()
    // What several recorded one can replay, also where files share it.
    const again = await run({ CI: 'true' }, ['--no-isolate', '--maxWorkers=1'])
    expect(again.code).toBe(0)
  })
})
