/** Programs that a test starts: `cassette.env()`. */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import type { UsedCassette } from '../../../src/integrations/testing/cassette-handle.ts'
import type { TestCassetteOptions } from '../../../src/integrations/testing/test-cassette-options.ts'
import { useCassette } from '../../../src/integrations/testing/with-cassette.ts'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { interactionFiles, temporaryFolder } from '../../helpers/folders.ts'
import { ask } from '../../helpers/http-client.ts'
import { curl, family, page } from '../../helpers/named-wikis.ts'

const list = 'action=query&list=allpages&format=json'
type Body = (cassette: UsedCassette) => unknown
type Hook = (this: unknown, ...given: unknown[]) => unknown

/** As node:test runs a test whose cassette is of these options. */
async function tested(options: TestCassetteOptions, body: Body): Promise<void> {
  const hooks: Record<string, Hook> = {}
  const register =
    (name: string) =>
    (hook: unknown): void => {
      hooks[name] = hook as Hook
    }
  const cassette = useCassette(
    { root: temporaryFolder(), mode: 'once', ...options },
    {
      beforeEach: register('beforeEach'),
      afterEach: register('afterEach'),
      afterAll: register('afterAll')
    }
  )
  const test = { fullName: 'starts a program', filePath: 'a.test.js', passed: true }
  await hooks['beforeEach']?.call(undefined, test)
  try {
    await body(cassette)
  } finally {
    await Promise.resolve(hooks['afterEach']?.call(undefined, test)).finally(() =>
      hooks['afterAll']?.call(undefined)
    )
  }
}

async function told(
  [name = '', ...args]: readonly string[],
  cassette: UsedCassette
): Promise<string> {
  const { stdout } = await promisify(execFile)(name, args, { env: await cassette.env() })
  return stdout
}

describe('a program that a test starts', () => {
  it('is recorded with the test, by the https name of its wikis, and answered offline', async () => {
    const { en, commons, cacert, env } = await family()
    const root = temporaryFolder()
    const options = {
      apiUrl: ['en', 'commons'].map((name) => `https://${name}.wiki.test/w/api.php`),
      root,
      cacert
    }
    vi.stubEnv('HTTPS_PROXY', env['HTTPS_PROXY'])
    const texts: string[] = []
    const fetches = `for (const one of ${JSON.stringify([page('en.wiki.test', 'Fox')])}) console.log(await (await fetch(one)).text())`
    const body: Body = async (cassette) => {
      const pages = [page('en.wiki.test', 'Box'), page('commons.wiki.test', 'Fox')]
      texts.push(await told(curl(...pages), cassette))
      const node = [process.execPath, '--input-type=module', '--eval', fetches]
      texts.push(await told(node, cassette))
      expect(cassette.counts()?.missed).toBe(0)
    }
    try {
      await tested(options, body)
    } finally {
      vi.unstubAllEnvs()
    }
    expect(texts[0]).toMatch(/titles=Box.*"commons":"Fox"/s)
    expect(texts[1]).toContain('titles=Fox')
    const asked = en.seen.length + commons.seen.length
    await tested(options, body)
    expect([texts.slice(2), en.seen.length + commons.seen.length]).toEqual([
      texts.slice(0, 2),
      asked
    ])
  })

  it('shares the cassette with the test itself, by http, and by WIKITAPE_API_URL', async () => {
    const wiki = await fakeWiki()
    const root = temporaryFolder()
    await tested({ apiUrl: wiki.api, root }, async (cassette) => {
      const own = (await ask(`${wiki.api}?${list}`)).text
      const script = `curl -sS "$WIKITAPE_API_URL?${list}"`
      expect(await told(['sh', '-c', script], cassette)).toBe(own)
      expect(cassette.counts()).toMatchObject({ recorded: 1, replayed: 1 })
    })
    expect(interactionFiles(root)).toHaveLength(1)
  })

  it('fails the test where it asks for what was not recorded, or for another host', async () => {
    const wiki = await fakeWiki()
    const root = temporaryFolder()
    const asks =
      (...urls: readonly string[]): Body =>
      (cassette) =>
        told(curl(...urls), cassette)
    const options = { apiUrl: wiki.api, root }
    await tested(options, asks(`${wiki.api}?${list}`))
    const other = asks(`${wiki.api}?${list}`, `${wiki.api}?${list}&apfrom=B`)
    await expect(tested(options, other)).rejects.toThrow('apfrom=B')
    const host = 'http://telemetry.test'
    const strange = asks(`${wiki.api}?${list}`, `${host}/`)
    await expect(tested(options, strange)).rejects.toThrow(
      `a program asked ${host}, and no cassette of this test is of it; nothing was sent`
    )
  })

  it('has a proxy that nobody else may use, and files that are gone afterwards', async () => {
    const wiki = await fakeWiki()
    let files = ''
    await tested({ apiUrl: wiki.api }, async (cassette) => {
      await told(curl(`${wiki.api}?${list}`), cassette)
      const { HTTP_PROXY = '', SSL_CERT_FILE = '' } = await cassette.env()
      const open = new URL(HTTP_PROXY)
      open.username = 'wikitape'
      open.password = 'guessed'
      const wrong = curl('--noproxy', '', '-x', open.href, `${wiki.api}?${list}`)
      expect(await told(wrong, cassette)).toContain('proxy-token')
      expect([existsSync(SSL_CERT_FILE), cassette.counts()]).toEqual([
        true,
        expect.objectContaining({ recorded: 1 })
      ])
      files = SSL_CERT_FILE
    })
    expect(existsSync(files)).toBe(false)
  })
})

it('works in the package as it is built, for node:test', async () => {
  const wiki = await fakeWiki()
  const cwd = temporaryFolder()
  const built = path.resolve('dist/integrations/testing/with-cassette.js')
  const file = path.join(cwd, 'a.test.mjs')
  writeFileSync(
    file,
    `import { afterEach, beforeEach, after, test } from 'node:test'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { useCassette } from ${JSON.stringify(built)}
const cassette = useCassette({ apiUrl: ${JSON.stringify(wiki.api)} }, { beforeEach, afterEach, after })
test('starts a program', async () => {
  const env = await cassette.env()
  const code = 'fetch(process.env.WIKITAPE_API_URL + "?${list}").then((r) => r.text()).then(console.log)'
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', code], { env })
  if (!stdout.includes('allpages')) throw new Error(stdout)
})`
  )
  const { CI: _, NODE_OPTIONS: __, ...env } = process.env
  const run = promisify(execFile)
  await run(process.execPath, ['--test', file], { cwd, env })
  const asked = wiki.seen.length
  await run(process.execPath, ['--test', file], { cwd, env })
  expect([asked > 0, wiki.seen.length]).toEqual([true, asked])
  expect(spawnSync('ls', ['cassettes'], { cwd, encoding: 'utf8' }).stdout).toContain(
    'a.test'
  )
})
