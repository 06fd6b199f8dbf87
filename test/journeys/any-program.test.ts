/** Programs that have the https address of their wikis in their code: recorded and replayed as they are. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import {
  CertificateAuthority,
  createAuthority
} from '../../src/recorder/server/certificates/certificate-authority.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { curl, family, page } from '../helpers/named-wikis.ts'
import { run } from '../helpers/program.ts'
import { authority, proxyTo, tlsWiki } from '../helpers/tls.ts'

it('records each wiki that curl names, and replays them with nothing asked', async () => {
  const { cwd, en, commons, record, replay } = await family()
  const command = curl(page('en.wiki.test', 'Box'), page('commons.wiki.test', 'Fox'))
  const recorded = await record(command)
  expect(recorded).toMatchObject({ code: 0 })
  expect(recorded.stdout).toContain('titles=Box')
  expect(recorded.stderr).toContain('cassettes/en.wiki.test: recorded 1')
  expect(readdirSync(path.join(cwd, 'cassettes')).sort()).toEqual([
    'commons.wiki.test',
    'en.wiki.test'
  ])

  const asked = [en.seen.length, commons.seen.length]
  const replayed = await replay(command)
  expect(replayed).toMatchObject({ code: 0, stdout: recorded.stdout })
  expect(replayed.stderr).toContain('live requests: 0')
  expect([en.seen.length, commons.seen.length]).toEqual(asked)
})

it('serves the same requests to a program that reads WIKITAPE_API_URL, with one cassette', async () => {
  const { record, replay } = await family()
  await record(curl(page('en.wiki.test', 'Box')))
  const script =
    'curl -sS "$WIKITAPE_API_URL?action=query&format=json&prop=info&titles=Box"'
  const { code, stdout } = await replay(['sh', '-c', script])
  expect([code, stdout]).toEqual([0, expect.stringContaining('titles=Box')])
})

it('leaves nothing of the run behind, and keeps the key to itself', async () => {
  const { record } = await family()
  const script =
    'curl -sS "$1" >/dev/null; ls "$(dirname "$SSL_CERT_FILE")"; cat "$(dirname "$SSL_CERT_FILE")"/*.pem; stat -c %a "$(dirname "$SSL_CERT_FILE")"; echo "$SSL_CERT_FILE"'
  const { stdout } = await record(['sh', '-c', script, 'sh', page('en.wiki.test', 'Box')])
  expect(stdout).not.toContain('PRIVATE KEY')
  const [mode, bundle = ''] = stdout.trim().split('\n').slice(-2)
  expect([mode, existsSync(bundle), existsSync(path.dirname(bundle))]).toEqual([
    '700',
    false,
    false
  ])
})

describe('hosts that are no wiki', () => {
  const picture = 'https://upload.wiki.test/a.png?titles=A'

  it('are passed on while recording, and named at the end', async () => {
    const { record, replay } = await family()
    const command = curl(page('en.wiki.test', 'Box'), picture)
    const recorded = await record(command)
    expect([recorded.code, recorded.stdout]).toEqual([
      0,
      expect.stringContaining('{"commons":"A"}')
    ])
    expect(recorded.stderr).toContain('passed on, not recorded: upload.wiki.test 1')

    const replayed = await replay(command)
    expect([replayed.code, replayed.stdout]).toEqual([
      1,
      expect.stringContaining('no-cassette')
    ])
    expect(replayed.stderr).toContain('refused, nothing was sent: upload.wiki.test 1')
    const accepted = await replay(command, ['--others', 'refuse'])
    expect(accepted.code).toBe(0)
  })

  it('are recorded with --others record', async () => {
    const { record, replay } = await family()
    const body = ['-d', 'query=SELECT', 'https://upload.wiki.test/sparql']
    const command = [
      ...curl(page('en.wiki.test', 'Box'), picture),
      '--next',
      '-sS',
      ...body
    ]
    const recorded = await record(command, ['--others', 'record'])
    expect(recorded).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('{"commons":"A"}')
    })
    expect(await replay(command)).toMatchObject({ code: 0, stdout: recorded.stdout })
  })
})

describe('what a run says', () => {
  it('fails if no request has reached it, unless that is allowed', async () => {
    const { record, replay } = await family()
    const asked = await record(['true'])
    expect([asked.code, asked.stderr]).toEqual([
      1,
      expect.stringContaining('no request reached wikitape')
    ])
    expect((await record(['true'], ['--allow-none'])).code).toBe(0)
    await record(curl(page('en.wiki.test', 'Box')))
    expect((await replay(['true'])).code).toBe(1)
    expect((await replay(['true'], ['--allow-none'])).code).toBe(0)
  })

  it('says that a program does not trust its authority', async () => {
    const { record, cacert } = await family()
    const command = ['curl', '-sS', '--cacert', cacert, page('en.wiki.test', 'Box')]
    const { code, stderr } = await record(command)
    expect([code, stderr]).toEqual([
      60,
      expect.stringContaining('it does not trust the certificate')
    ])
  })

  it('shows a program the failure of a wiki with an expired certificate, and records nothing', async () => {
    const { port } = await proxyTo(await tlsWiki('expired'))
    const env = { HTTPS_PROXY: `http://127.0.0.1:${port}` }
    const cwd = temporaryFolder()
    const command = curl('-w', '%{http_code}', page('wiki.test', 'Box'))
    const args = ['record', '--cacert', authority, '--', ...command]
    const { code, stdout } = await run(args, { cwd, env })
    expect([code, stdout]).toEqual([3, expect.stringMatching(/has expired.*502/s)])
    expect(existsSync(path.join(cwd, 'cassettes'))).toBe(false)
  })

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'says that the wiki wants a certificate of the client, and records nothing, by %s',
    async (version) => {
      const options = { requestCert: true, minVersion: version, maxVersion: version }
      const { port } = await proxyTo(await tlsWiki('wiki', options))
      const env = { HTTPS_PROXY: `http://127.0.0.1:${port}` }
      const cwd = temporaryFolder()
      const command = curl('-w', '%{http_code}', page('wiki.test', 'Box'))
      const args = ['record', '--cacert', authority, '--', ...command]
      const { code, stdout } = await run(args, { cwd, env })
      expect([code, stdout]).toEqual([
        3,
        expect.stringMatching(/wants a certificate of the client.*502/s)
      ])
      expect(existsSync(path.join(cwd, 'cassettes'))).toBe(false)
    }
  )

  it('says that the clock may be wrong where a certificate is not valid yet', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 86_400_000 })
    const { certificate, key } = createAuthority(1)
    const credentials = new CertificateAuthority(certificate, key).credentialsFor(
      'wiki.test'
    )
    vi.useRealTimers()
    const { port } = await proxyTo(await tlsWiki(credentials))
    const env = { HTTPS_PROXY: `http://127.0.0.1:${port}` }
    const cwd = temporaryFolder()
    const command = curl('-w', '%{http_code}', page('wiki.test', 'Box'))
    const cacert = path.join(cwd, 'company.pem')
    writeFileSync(cacert, certificate)
    const args = ['record', '--cacert', cacert, '--', ...command]
    const { code, stdout } = await run(args, { cwd, env })
    expect([code, stdout]).toEqual([
      3,
      expect.stringMatching(
        /is not valid yet; is the clock of this machine right\?.*502/s
      )
    ])
  })

  it('says that the proxy in front wants a password', async () => {
    const { port } = await proxyTo(await tlsWiki('wiki'), { credentials: 'a:b' })
    const env = { HTTPS_PROXY: `http://127.0.0.1:${port}` }
    const args = [
      'record',
      '--cacert',
      authority,
      '--',
      ...curl(page('wiki.test', 'Box'))
    ]
    const { code, stdout } = await run(args, { cwd: temporaryFolder(), env })
    expect([code, stdout]).toEqual([
      3,
      expect.stringContaining('requires a user name and a password')
    ])
  })

  it.each([
    ['--cassette', 'mine'],
    ['--header', 'X-Access: secret']
  ])('refuses %s, which is for one wiki', async (flag, value) => {
    const { record } = await family()
    const { code, stderr } = await record(['true'], [flag, value])
    expect([code, stderr]).toEqual([2, expect.stringContaining('name the address')])
  })
})

it('intercepts the wiki of an address, and this machine with it, with --intercept', async () => {
  const { en, cwd } = await family()
  const command = curl(`${en.api}?action=query&format=json&prop=info&titles=Box`)
  const flags = ['--cassette', 'mine', '--intercept', '--', ...command]
  const recorded = await run(['record', en.api, ...flags], { cwd })
  expect(recorded).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('titles=Box')
  })
  await en.close()
  const replayed = await run(['exec', ...flags], { cwd })
  expect([replayed.code, replayed.stdout]).toEqual([
    0,
    expect.stringContaining('titles=Box')
  ])
})
