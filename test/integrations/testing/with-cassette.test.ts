/** A cassette as long as a test of any runner. */
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { findTestName } from '../../../src/integrations/testing/test-runner.ts'
import {
  type TestOptions,
  withCassette
} from '../../../src/integrations/testing/with-cassette.ts'
import { type FakeWiki, fakeWiki } from '../../helpers/fake-wiki.ts'
import { interactionFiles, temporaryFolder } from '../../helpers/folders.ts'
import { ask } from '../../helpers/http-client.ts'

const list = 'action=query&list=allpages&format=json'

/** Runs a body as a runner would, under a cassette in a new folder unless told otherwise. */
async function ran(
  body: () => unknown,
  { root = temporaryFolder(), ...more }: TestOptions & { readonly apiUrl: string }
): Promise<string> {
  await withCassette({ name: 'mine', root, mode: 'once', ...more }, body)()
  return root
}

describe('a test with a cassette', () => {
  it('records when it passes, and replays without the wiki', async () => {
    const wiki = await fakeWiki()
    let told = ''
    const body = async (): Promise<void> => {
      told = (await ask(`${wiki.api}?${list}`)).text
    }
    const root = await ran(body, { apiUrl: wiki.api })
    const recorded = told
    await wiki.close()
    await ran(body, { apiUrl: wiki.api, root })
    expect([told, interactionFiles(path.join(root, 'mine')).length]).toEqual([
      recorded,
      1
    ])
  })

  it('writes nothing when it fails, and fails with its own error', async () => {
    const wiki = await fakeWiki()
    const root = temporaryFolder()
    const body = async (): Promise<void> => {
      await ask(`${wiki.api}?${list}`)
      throw new Error('expected 5 pages')
    }
    await expect(ran(body, { apiUrl: wiki.api, root })).rejects.toThrow(
      'expected 5 pages'
    )
    expect(existsSync(path.join(root, 'mine'))).toBe(false)
  })

  it('fails for a request that nobody recorded, and for a recording not asked for', async () => {
    const wiki = await fakeWiki()
    const one = async (): Promise<void> => void (await ask(`${wiki.api}?${list}`))
    const other = async (): Promise<void> =>
      void (await ask(`${wiki.api}?${list}&apfrom=B`))
    const root = await ran(one, { apiUrl: wiki.api })
    await expect(ran(other, { apiUrl: wiki.api, root })).rejects.toThrow(
      /1 request missed:[\s\S]*1 recording not used:/
    )
    const problem: unknown = await ran(other, { apiUrl: wiki.api, root }).catch(
      (error) => error
    )
    expect(problem).toMatchObject({ stack: String(problem) })
    await ran(other, { apiUrl: wiki.api, root, missed: 'ignore', unused: 'ignore' })
  })
})

it('is named as the test names it while it is recorded to a temporary folder', async () => {
  const wiki = await fakeWiki()
  const root = temporaryFolder()
  const other = wiki.api.replace('/w/', '/')
  const body = async (): Promise<void> => {
    for (const api of [wiki.api, other]) await ask(`${api}?${list}`)
  }
  await expect(ran(body, { apiUrl: wiki.api, root })).rejects.toThrow(
    `The request is for /api.php, and ${path.join(root, 'mine')} is a recording of ${wiki.api}`
  )
})

it('names a recording that cannot be read, which recording again mends', async () => {
  const wiki = await fakeWiki()
  const asking = async (): Promise<void> => void (await ask(`${wiki.api}?${list}`))
  const root = await ran(asking, { apiUrl: wiki.api })
  const [file = ''] = interactionFiles(path.join(root, 'mine'))
  for (const text of ['', '{"request":', '<<<<<<< HEAD\n']) {
    writeFileSync(path.join(root, 'mine', file), text)
    const failure = await ran(asking, { apiUrl: wiki.api, root }).catch(String)
    expect(failure).toMatch(
      /1 request missed:\n {4}list allpages: broken recording \S+\.json:\d+:\d+: [^\n]+; fix it or record it again\.\n.*WIKITAPE_MODE=new_episodes/
    )
    expect(failure).not.toMatch(/Nothing was recorded|not used/)
  }
  await ran(asking, { apiUrl: wiki.api, root, mode: 'new_episodes' })
  await wiki.close()
  await ran(asking, { apiUrl: wiki.api, root })
})

describe('an answer that cannot be recorded', () => {
  const errors = (): Promise<FakeWiki> =>
    fakeWiki((params) => {
      const code = params.get('apfrom') ?? ''
      const busy = { status: 503, headers: { 'content-type': 'text/html' }, body: 'busy' }
      return code === '503' ? busy : JSON.stringify({ error: { code, info: '' } })
    })
  const asking =
    (wiki: FakeWiki, ...from: readonly string[]) =>
    async (): Promise<void> => {
      for (const one of from) await ask(`${wiki.api}?${list}&apfrom=${one}`)
    }

  it('fails the test that got it, with the reason, and writes nothing', async () => {
    const wiki = await errors()
    const root = temporaryFolder()
    const body = asking(wiki, 'badvalue', 'ratelimited', '503')
    await expect(ran(body, { apiUrl: wiki.api, root })).rejects.toThrow(
      /2 answers not recorded, which a run offline would miss:\n {4}list allpages, apfrom=ratelimited: the error "ratelimited"\n {4}list allpages, apfrom=503: HTTP status 503: "busy"\n {2}check apiUrl, and run it again .*cassette\.answer/
    )
    expect(existsSync(path.join(root, 'mine'))).toBe(false)
    await ran(body, { apiUrl: wiki.api, root, recordErrors: true })
    await wiki.close()
    await ran(body, { apiUrl: wiki.api, root })
  })

  it('leaves a test alone that does not judge misses, never records, or tries again until it is recorded', async () => {
    const wiki = await errors()
    const body = asking(wiki, 'ratelimited')
    await ran(body, { apiUrl: wiki.api, missed: 'ignore' })
    await ran(body, { apiUrl: wiki.api, mode: 'passthrough' })
    let tries = 0
    const busy = await fakeWiki(() => {
      tries += 1
      return tries === 1 ? '{"error":{"code":"maxlag","info":""}}' : '{"query":{}}'
    })
    await ran(asking(busy, 'A', 'A'), { apiUrl: busy.api })
    expect(tries).toBe(2)
  })
})

it('tells tests that run at once apart, and says where it cannot', async () => {
  const wiki = await fakeWiki()
  const root = temporaryFolder()
  let release = (): void => undefined
  const waiting = new Promise<void>((resolve) => {
    release = resolve
  })
  const body = (from: string) => async (): Promise<void> => {
    await waiting
    await ask(`${wiki.api}?${list}&apfrom=${from}`)
    await new Promise((done) => setTimeout(done, 50))
  }
  const options = { apiUrl: wiki.api, root, mode: 'once' } as const
  const both = ['a', 'b'].map((name) => withCassette({ name, ...options }, body(name))())
  const why =
    'several tests are running, and wikitape cannot tell which of them sent this request'
  await expect(ask(`${wiki.api}?${list}`)).rejects.toThrow(why)
  release()
  for (const ended of await Promise.allSettled(both))
    expect(ended).toMatchObject({ reason: { message: expect.stringContaining(why) } })
  await Promise.all(
    ['a', 'b'].map((name) => withCassette({ name, ...options }, body(name))())
  )
  for (const name of ['a', 'b'])
    expect(interactionFiles(path.join(root, name))).toEqual([
      expect.stringContaining(`apfrom=${name}`)
    ])
})

describe('a test with a cassette and its runner', () => {
  it('gives the wiki back afterwards, whatever became of the test', async () => {
    const wiki = await fakeWiki()
    const failing = ran(
      () => {
        throw new Error('no')
      },
      { apiUrl: wiki.api }
    )
    await expect(failing).rejects.toThrow('no')
    expect(
      (await ask(`${wiki.api}?${list}`)).headers['x-cassette-status']
    ).toBeUndefined()
  })

  it('hands on what the runner gives, with no parameter that could be taken for a callback', async () => {
    const wiki = await fakeWiki()
    let seen: readonly unknown[] = []
    const wrapped = withCassette(
      { name: 'mine', root: temporaryFolder(), apiUrl: wiki.api },
      function (this: unknown, ...given: never[]) {
        seen = [this, ...given]
      }
    )
    const self = { test: 'context' }
    await Reflect.apply(wrapped, self, ['argument'])
    expect([wrapped.length, seen]).toEqual([0, [self, 'argument']])
  })

  it('says that it needs a name where the runner tells none', async () => {
    const wrapped = withCassette(
      { apiUrl: 'https://ru.wikipedia.org/w/api.php' },
      () => undefined
    )
    await expect(wrapped()).rejects.toThrow(
      /does not say which test runs; give the cassette a name/
    )
  })
})

describe('the name of the test', () => {
  const file = path.join(process.cwd(), 'test', 'pages.test.js')
  const named = {
    file: path.join('test', 'pages.test.js'),
    title: 'a client lists pages'
  }

  it('is told by mocha', () => {
    const self = { test: { file, titlePath: () => ['a client', 'lists pages'] } }
    expect(findTestName(self, [])).toEqual(named)
  })

  it('is told by node:test', () => {
    expect(
      findTestName(undefined, [{ filePath: file, fullName: 'a client > lists pages' }])
    ).toEqual(named)
  })

  it('is told by jest', () => {
    const state = { testPath: file, currentTestName: 'a client lists pages' }
    expect(findTestName(undefined, [], { expect: { getState: () => state } })).toEqual(
      named
    )
  })

  it('is told by nobody else', () => {
    expect(findTestName(undefined, [], {})).toBeUndefined()
    expect(
      findTestName({ test: { file } }, ['x'], { expect: () => undefined })
    ).toBeUndefined()
  })
})

describe('a test with trouble', () => {
  it('meets it where the cassette answers, and is refused where it would be recorded', async () => {
    const wiki = await fakeWiki()
    const statuses: number[] = []
    const body = async (): Promise<void> => {
      for (let tries = 0; tries < 2; tries += 1)
        statuses.push((await ask(`${wiki.api}?${list}`)).status)
    }
    const trouble = { kinds: '503', first: 1 }
    await expect(ran(body, { apiUrl: wiki.api, trouble })).rejects.toThrow(
      'trouble is only for answers'
    )
    const root = await ran(body, { apiUrl: wiki.api })
    await ran(body, { apiUrl: wiki.api, root, trouble })
    expect(statuses).toEqual([200, 200, 503, 200])
  })

  it('passes though its client gave up, or lost the connection', async () => {
    const wiki = await fakeWiki()
    const one = async (): Promise<void> => void (await ask(`${wiki.api}?${list}`))
    const root = await ran(one, { apiUrl: wiki.api })
    await ran(one, { apiUrl: wiki.api, root, trouble: 'html' })
    const lost = async (): Promise<void> => expect(one()).rejects.toThrow('cut')
    await ran(lost, { apiUrl: wiki.api, root, trouble: 'cut' })
  })
})
