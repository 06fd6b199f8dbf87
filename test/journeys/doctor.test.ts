/** `wikitape doctor`, well and ill. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { curl, type Family, family, page } from '../helpers/named-wikis.ts'
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

describe('a program', () => {
  const asked = async (
    { cwd, env, cacert }: Family,
    command: readonly string[],
    flags: readonly string[] = []
  ): Promise<readonly [code: number | null, findings: string, stderr: string]> => {
    const args = ['doctor', ...free, '--json', '--cacert', cacert, ...flags]
    const child = ['sh', '-c', '"$@" >&2', 'sh', ...command]
    const { code, stdout, stderr } = await run([...args, '--', ...child], { cwd, env })
    const found: { about: string; state: string; says: string; next?: string }[] =
      JSON.parse(stdout)
    const own = found.filter(({ about }) => about === 'sh')
    return [
      code,
      own.map(({ state, says, next }) => `${state}: ${says} -> ${next}`).join('\n'),
      stderr
    ]
  }

  it('that names wikis is told by host; they answer, and nothing is recorded', async () => {
    const wikis = await family()
    const [en, port] = [page('en.wiki.test', 'Box'), page('en.wiki.test:8443', 'Box')]
    const commons = page('commons.wiki.test', 'Fox')
    const [code, findings, stderr] = await asked(wikis, curl(en, en, commons))
    expect([code, findings]).toEqual([
      0,
      'fine: requests reached wikitape: en.wiki.test 2, commons.wiki.test 1 -> undefined'
    ])
    expect(stderr).toContain('titles=Box')
    expect(existsSync(path.join(wikis.cwd, 'cassettes'))).toBe(false)
    // A wiki may be at any port, other hosts may not.
    expect(await asked(wikis, curl('-o', '/dev/null', port))).toEqual([
      0,
      'fine: requests reached wikitape: en.wiki.test:8443 1 -> undefined',
      ''
    ])
  })

  it('that ignores proxy settings is told so, with what to do', async () => {
    const wikis = await family()
    const command = curl('--noproxy', '*', 'https://127.0.0.1:1/w/api.php')
    const [code, findings] = await asked(wikis, command)
    expect([code, findings]).toEqual([
      1,
      expect.stringMatching(
        /^wrong: no request reached wikitape -> try doctor --sealed.*WIKITAPE_API_URL\nwarning: ended with exit code 7/
      )
    ])
  })

  it('that does not trust wikitape is told why', async () => {
    const wikis = await family()
    const command = curl('--cacert', wikis.cacert, page('en.wiki.test', 'Box'))
    const [code, findings] = await asked(wikis, command)
    expect([code, findings]).toEqual([
      1,
      expect.stringMatching(
        /^wrong: .*does not trust the certificate.*\nwarning: ended with exit code 60/
      )
    ])
  })

  it('that asks what no program is led to is told of it', async () => {
    const wikis = await family()
    const [code, findings] = await asked(wikis, curl('http://169.254.169.254/latest'))
    expect([code, findings]).toEqual([
      0,
      expect.stringMatching(/^warning: refused, nothing was sent: 169\.254\.169\.254 1/)
    ])
  })

  it('is not run where CI=true, unless that is allowed', async () => {
    const { cwd } = await family()
    const args = ['doctor', ...free, '--', 'touch', 'ran']
    const { code, stderr } = await run(args, { cwd, env: { CI: 'true' } })
    expect([code, stderr]).toEqual([2, expect.stringContaining('--allow-live')])
    expect(existsSync(path.join(cwd, 'ran'))).toBe(false)
  })
})
