/** Cassettes of all tests, through the hooks of jest, mocha and node:test: what each says of its test is stood in for. */
import { existsSync, readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import path from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type RunnerHooks,
  useCassette,
  withCassette
} from '../../../src/integrations/testing/with-cassette.ts'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { ask } from '../../helpers/http-client.ts'

type Hook = (this: unknown, ...given: unknown[]) => unknown

const { connect } = Socket.prototype

/** Files that run in this process afterwards find it as it was. */
afterEach(() => expect(Socket.prototype.connect).toBe(connect))

/** A runner that calls each hook with the `this` and the argument that the test sets. */
function fakeRunner(): RunnerHooks & {
  begin(self: unknown, given?: unknown): Promise<void>
  end: Hook
} {
  const hooks: Record<string, Hook> = {}
  const register =
    (name: string) =>
    (hook: unknown): void => {
      hooks[name] = hook as Hook
    }
  return {
    beforeEach: register('beforeEach'),
    afterEach: register('afterEach'),
    afterAll: register('afterAll'),
    async begin(self, given) {
      await hooks['beforeEach']?.call(self, given)
    },
    async end(...given) {
      try {
        await hooks['afterEach']?.call(...(given as [unknown, unknown]))
      } finally {
        hooks['afterAll']?.call(undefined)
      }
    }
  }
}

const nodeTest = (passed: boolean): object => ({
  fullName: 'lists pages',
  filePath: 'a.test.js',
  passed
})
const list = 'action=query&list=allpages&format=json'

describe('useCassette with hooks', () => {
  it('appends its requests to the file of a run, by the name of the test, and says how to see it', async () => {
    const wiki = await fakeWiki()
    const root = temporaryFolder()
    const file = path.join(root, 'run.jsonl')
    vi.stubEnv('WIKITAPE_RUN', file)
    onTestFinished(() => void vi.unstubAllEnvs())
    const options = { apiUrl: wiki.api, root, mode: 'once' } as const
    const once = async (query: string): Promise<void> => {
      const runner = fakeRunner()
      useCassette(options, runner)
      await runner.begin(undefined, nodeTest(true))
      await ask(`${wiki.api}?${query}`)
      await runner.end(undefined, nodeTest(true))
    }
    await once(list)
    await expect(once(`${list}&apfrom=B`)).rejects.toThrow(`--run ${file}`)
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { outcome: 'recorded', test: expect.stringContaining('lists_pages') },
      { outcome: 'miss', test: expect.stringContaining('lists_pages') }
    ])
  })

  it('gives a test of node:test the value that it had when it was recorded', async () => {
    const wiki = await fakeWiki()
    const root = temporaryFolder()
    const values: string[] = []
    for (const made of ['one', 'other']) {
      const runner = fakeRunner()
      const cassette = useCassette({ apiUrl: wiki.api, root, mode: 'once' }, runner)
      await runner.begin(undefined, nodeTest(true))
      values.push(cassette.variable('title', () => made))
      await ask(`${wiki.api}?${list}&apfrom=${values.at(-1)}`)
      await runner.end(undefined, nodeTest(true))
    }
    expect(values).toEqual(['one', 'one'])
  })

  it('records a test of node:test that has passed, and nothing of one that has failed', async () => {
    const wiki = await fakeWiki()
    for (const passed of [false, true]) {
      const root = temporaryFolder()
      const runner = fakeRunner()
      useCassette({ apiUrl: wiki.api, root, mode: 'once' }, runner)
      await runner.begin(undefined, nodeTest(passed))
      await ask(`${wiki.api}?${list}`)
      await runner.end(undefined, nodeTest(passed))
      expect(existsSync(path.join(root, 'a.test/lists_pages/cassette.json'))).toBe(passed)
    }
  })

  it('refuses what a test of mocha sends after the last hook of the run, and nothing after that of a suite', async () => {
    const wiki = await fakeWiki()
    const asked = (): Promise<unknown> => ask(`${wiki.api}?${list}`)
    for (const root of [false, true]) {
      const hooks: Record<string, Hook> = {}
      const register = (name: string) => (hook: unknown) =>
        void Object.assign(hooks, { [name]: hook })
      useCassette(
        { apiUrl: wiki.api, root: temporaryFolder() },
        {
          beforeEach: register('begin'),
          afterEach: register('end'),
          after: register('after')
        }
      )
      hooks['after']?.call({ test: { parent: { root } } })
      if (root) await expect(asked()).rejects.toThrow('no test is running')
      else await asked()
      hooks['after']?.call(undefined)
    }
  })

  it('fails the test by a miss: by throwing, or under mocha by the error of its hook', async () => {
    const root = temporaryFolder()
    const apiUrl = 'http://127.0.0.1:9/w/api.php'
    const runner = fakeRunner()
    useCassette({ apiUrl, root, mode: 'none' }, runner)
    await runner.begin(undefined, nodeTest(true))
    await expect(ask(`${apiUrl}?${list}`)).rejects.toThrow()
    await expect(runner.end(undefined, nodeTest(true))).rejects.toThrow(
      'could not be answered'
    )

    const errors: Error[] = []
    const currentTest = {
      file: 'a.test.js',
      titlePath: () => ['lists pages'],
      state: 'passed'
    }
    const self = { currentTest, test: { error: (error: Error) => errors.push(error) } }
    useCassette({ apiUrl, root, mode: 'none' }, runner)
    await runner.begin(self)
    await expect(ask(`${apiUrl}?${list}`)).rejects.toThrow()
    await runner.end(self)
    expect(errors.map((error) => error.message).join()).toContain(
      'there is no cassette at'
    )
  })

  it('answers a hook in withCassette, also of the package loaded a second time, as require and import do', async () => {
    const wiki = await fakeWiki()
    const root = temporaryFolder()
    const runner = fakeRunner()
    useCassette({ apiUrl: wiki.api, root, mode: 'once' }, runner)
    vi.resetModules()
    const second = await import('../../../src/integrations/testing/with-cassette.ts')
    const send = (): Promise<unknown> => ask(`${wiki.api}?${list}`)
    await second.withCassette(
      { name: 'my-hook', apiUrl: wiki.api, root, mode: 'once' },
      send
    )()
    expect(existsSync(path.join(root, 'my-hook/cassette.json'))).toBe(true)
    await expect(send()).rejects.toThrow('wrap the function of the hook: withCassette(')
    await runner.begin(undefined, nodeTest(true))
    await runner.end(undefined, nodeTest(true))
  })

  it('gives way to withCassette around a test', async () => {
    const wiki = await fakeWiki()
    const root = temporaryFolder()
    const runner = fakeRunner()
    const options = { apiUrl: wiki.api, root, mode: 'once' } as const
    useCassette(options, runner)
    await runner.begin(undefined, nodeTest(true))
    await withCassette({ ...options, name: 'own' }, () => ask(`${wiki.api}?${list}`))()
    await runner.end(undefined, nodeTest(true))
    expect(['own', 'a.test'].map((name) => existsSync(path.join(root, name)))).toEqual([
      true,
      false
    ])
  })

  it('refuses a request between tests, and a runner that says nothing of its tests', async () => {
    const wiki = await fakeWiki()
    const runner = fakeRunner()
    useCassette({ apiUrl: wiki.api, root: temporaryFolder() }, runner)
    await expect(ask(`${wiki.api}?${list}`)).rejects.toThrow(
      /no test is running; .*it\.concurrent.* run them one after another, or wrap each in withCassette/
    )
    await runner.begin({ currentTest: { file: 'a.test.js', titlePath: () => ['a'] } })
    await expect(runner.end({})).rejects.toThrow('does not say in afterEach')
    expect(() => useCassette({}, {} as RunnerHooks)).toThrow(
      'beforeEach is undefined; expected a function'
    )
  })
})
