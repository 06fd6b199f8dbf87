/** `wikitape doctor`, well and ill. */
import { mkdirSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { run } from '../helpers/program.ts'
import { deadOrigin } from '../helpers/upstreams.ts'

/** A port that nothing listens on when asked. */
const free = ['--port', '0']

describe('what is here', () => {
  it('is told line by line', async () => {
    const { code, stdout } = await run(['doctor', ...free], { cwd: temporaryFolder() })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ok {2}Node\.js: v\d+/)
    expect(stdout).toContain('ok  cassettes: none under cassettes/ yet')
  })

  it('says that the port is taken', async () => {
    const server = net.createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const { code, stdout } = await run(['doctor', '--port', port], {
      cwd: temporaryFolder()
    })
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`!!  port ${port}: port already in use`)
    ])
  })

  it('names a damaged cassette, and how to look closer', async () => {
    const dir = temporaryFolder()
    mkdirSync(path.join(dir, 'cassettes', 'mine'), { recursive: true })
    writeFileSync(path.join(dir, 'cassettes', 'mine', 'cassette.json'), '{')
    const { code, stdout } = await run(['doctor', ...free, '--json'], { cwd: dir })
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({
        state: 'wrong',
        next: expect.stringContaining('wikitape check')
      })
    )
  })
})

describe('a wiki', () => {
  it('that answers is named with its version', async () => {
    const wiki = await fakeWiki(
      () => '{"query":{"general":{"generator":"MediaWiki 1.43.9"}}}'
    )
    const { code, stdout } = await run(['doctor', wiki.api, ...free], {
      cwd: temporaryFolder()
    })
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/ok {2}the API: MediaWiki 1\.43\.9 answers/)
    ])
    expect(stdout).toContain('debuginfo: ')
  })

  it('that is not there is a finding with its reason', async () => {
    const { code, stdout } = await run(
      ['doctor', `${await deadOrigin()}/w/api.php`, ...free],
      {
        cwd: temporaryFolder()
      }
    )
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/NO {2}the wiki: .*\n +→ docs\/real-wikis/)
    ])
  })
})

describe('a wiki that does not take us', () => {
  const ill = async (
    answer: {
      readonly status: number
      readonly headers?: Record<string, string>
      readonly body: string
    },
    ...flags: readonly string[]
  ): Promise<string> => {
    const wiki = await fakeWiki(() => answer)
    const { code, stdout } = await run(['doctor', wiki.api, ...free, ...flags], {
      cwd: temporaryFolder()
    })
    expect(code).toBe(1)
    return stdout
  }

  it('for want of a contact', async () => {
    const headers = { 'content-type': 'text/plain' }
    const body =
      'Please set a user-agent and respect our robot policy https://w.wiki/4wJS.'
    expect(await ill({ status: 403, headers, body })).toMatch(
      /NO {2}who asks: .*\n.*--contact/
    )
  })

  it('for want of a login', async () => {
    const body =
      '{"error":{"code":"readapidenied","info":"You need read permission to use this module."}}'
    expect(await ill({ status: 200, body })).toMatch(/NO {2}who asks: .*\n.*--login NAME/)
  })

  it('because too much was asked', async () => {
    const headers = { 'content-type': 'text/html', 'retry-after': '30' }
    expect(await ill({ status: 429, headers, body: '<p>slow down' })).toMatch(
      /NO {2}rate limit: HTTP status 429.*\n.*wait 30 s/
    )
  })

  it('because it is a page', async () => {
    const headers = { 'content-type': 'text/html' }
    expect(await ill({ status: 200, headers, body: '<title>Welcome</title>' })).toMatch(
      /NO {2}the API: a page of text\/html .*"Welcome"\n.*Special:Version/
    )
  })
})
