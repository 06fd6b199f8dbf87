/** A wiki behind a proxy, and one with a certificate of its own: servers on loopback, names that only the proxy knows. */
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { proxyFromEnvironment } from '../../src/recorder/upstream/connection/connection-options.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { allTextIn, temporaryFolder } from '../helpers/folders.ts'
import { type Run, run } from '../helpers/program.ts'
import { authority, proxyTo, tlsWiki } from '../helpers/tls.ts'
import { answeringWith, deadOrigin } from '../helpers/upstreams.ts'

const tape = (): string => path.join(temporaryFolder(), 'tape')

const capture = (
  address: string,
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
  cassette = tape()
): Promise<Run> =>
  run(['capture', address, '--requests', '-', '--cassette', cassette, ...flags], {
    stdin: 'action=query&list=allpages',
    env
  })

describe('through a proxy', () => {
  it('https goes in a tunnel, http with the whole URL; the proxy’s password reaches no disk and no message', async () => {
    const secure = await proxyTo(await tlsWiki('wiki'), {
      credentials: 'me:k83hd7fhs82hf7s'
    })
    const cassette = tape()
    const through = { HTTPS_PROXY: `http://me:k83hd7fhs82hf7s@127.0.0.1:${secure.port}` }
    const tunnelled = await capture(
      'https://wiki.test/w/api.php',
      through,
      ['--cacert', authority],
      cassette
    )
    expect(tunnelled.stderr).toContain('1 of 1')
    expect([tunnelled.code, secure.lines[0]]).toEqual([0, 'CONNECT wiki.test:443'])
    expect(allTextIn(cassette) + tunnelled.stderr).not.toContain('k83hd7fhs82hf7s')

    const wiki = await fakeWiki()
    const plain = await proxyTo(Number(new URL(wiki.api).port), { credentials: 'me:x' })
    const open = await capture('http://wiki.test/w/api.php', {
      http_proxy: `http://me:x@127.0.0.1:${plain.port}`
    })
    expect(open.code).toBe(0)
    expect(plain.lines.at(-1)).toMatch(
      /^GET http:\/\/wiki\.test\/w\/api\.php\?action=query\S+ host wiki\.test$/
    )
  })

  it('not for what NO_PROXY excepts, nor for this machine', async () => {
    const wiki = await fakeWiki()
    const proxy = await proxyTo(Number(new URL(wiki.api).port))
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` }
    expect((await capture(wiki.api, env)).code).toBe(0)
    expect(proxy.lines).toEqual([])
    const entries = [
      '*',
      'wiki.test',
      '.test',
      '*.test',
      'a.example, wiki.test:80',
      'test'
    ]
    for (const no_proxy of entries)
      expect(
        proxyFromEnvironment('http://wiki.test', { ...env, no_proxy })
      ).toBeUndefined()
    for (const no_proxy of ['', 'iki.test', 'wiki.test:443', 'example'])
      expect(proxyFromEnvironment('http://wiki.test', { ...env, no_proxy })).toBe(
        env.HTTP_PROXY
      )
    expect(proxyFromEnvironment('https://wiki.test', { https_proxy: 'proxy:3128' })).toBe(
      'http://proxy:3128'
    )
  })
})

describe('through a proxy that fails', () => {
  it.each([
    [
      'that wants a password',
      'https',
      { credentials: 'a:b' },
      'requires a user name and a password: put them into its address'
    ],
    [
      'that wants a password',
      'http',
      { credentials: 'a:b' },
      'requires a user name and a password: put them into its address'
    ],
    [
      'that refuses',
      'https',
      { refuses: 403 },
      'refuses to connect to https://wiki.test (status 403)'
    ]
  ])(
    '%s (%s) is told, and nothing more is asked',
    async (_, scheme, options, message) => {
      const proxy = await proxyTo(await tlsWiki('wiki'), options)
      const { code, stderr } = await capture(`${scheme}://wiki.test/w/api.php`, {
        ALL_PROXY: `http://127.0.0.1:${proxy.port}`
      })
      expect([code, stderr]).toEqual([3, expect.stringContaining(message)])
      expect(proxy.lines).toHaveLength(1)
    }
  )

  it('that breaks TLS, or is not there, is told with its name', async () => {
    const garbage = await answeringWith(
      'HTTP/1.1 200 OK\r\n\r\nThis is no TLS at all, it is a text of some length.\r\n'
    )
    const broken = await capture('https://wiki.test/w/api.php', {
      HTTPS_PROXY: garbage.origin
    })
    expect([broken.code, broken.stderr]).toEqual([
      3,
      expect.stringContaining(`through the proxy ${garbage.origin}`)
    ])
    const dead = await capture('https://wiki.test/w/api.php', {
      HTTPS_PROXY: await deadOrigin()
    })
    expect(dead.stderr).toMatch(/cannot be reached through the proxy .*ECONNREFUSED/)
    const strange = await capture('https://wiki.test/w/api.php', {
      HTTPS_PROXY: 'socks5://127.0.0.1:1'
    })
    expect([strange.code, strange.stderr]).toEqual([
      2,
      expect.stringContaining('expected http://host:port')
    ])
  })
})

describe('a certificate', () => {
  const at = (port: number): string => `https://127.0.0.1:${port}/w/api.php`

  it.each([
    ['expired', 'expired', ['--cacert', authority], 'its certificate has expired'],
    ['signed by itself', 'alone', [], 'its certificate is self-signed'],
    [
      'of an unknown authority',
      'wiki',
      [],
      'signed by an unknown authority; if that is intended, name'
    ],
    [
      'for another name',
      'other',
      ['--cacert', authority],
      'its certificate is for another name'
    ]
  ] as const)(
    '%s is refused, with what to do',
    async (_, certificate, flags, message) => {
      const { code, stderr } = await capture(at(await tlsWiki(certificate)), {}, flags)
      expect([code, stderr]).toEqual([3, expect.stringContaining(message)])
    }
  )

  it('is believed with --cacert, and whatever it is, loudly, with --insecure', async () => {
    expect(
      (await capture(at(await tlsWiki('wiki')), {}, ['--cacert', authority])).code
    ).toBe(0)
    const blind = await capture(at(await tlsWiki('expired')), {}, ['--insecure'])
    expect([blind.code, blind.stderr]).toEqual([
      0,
      expect.stringContaining('WARNING: --insecure')
    ])
  })

  it('file that is none is told', async () => {
    const gone = await capture('https://127.0.0.1:1/w/api.php', {}, [
      '--cacert',
      '/nowhere.pem'
    ])
    expect([gone.code, gone.stderr]).toEqual([
      2,
      expect.stringContaining('cannot read /nowhere.pem')
    ])
    const none = await capture('https://127.0.0.1:1/w/api.php', {}, [
      '--cacert',
      import.meta.filename
    ])
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringContaining('has no PEM certificate')
    ])
  })

  it('is told where http speaks on the port', async () => {
    const wiki = await fakeWiki()
    const { stderr } = await capture(wiki.api.replace('http:', 'https:'))
    expect(stderr).toContain('is it http:// rather than https://?')
  })
})
