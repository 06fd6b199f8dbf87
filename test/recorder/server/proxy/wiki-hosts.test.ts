/** Which cassette a request is for, by the host and the path that it names. */
import { describe, expect, it } from 'vitest'
import { readApiUrl } from '../../../../src/recorder/http/api-url.ts'
import {
  type HostDecision,
  type OthersPolicy,
  WikiHosts
} from '../../../../src/recorder/server/proxy/wiki-hosts.ts'
import type { Upstream } from '../../../../src/recorder/upstream/upstream.ts'

const nobody: Upstream = {
  ask: () => Promise.reject(new Error('asked')),
  close: () => undefined
}

interface Wikis {
  readonly known?: Readonly<Record<string, string>>
  /** Undefined to replay. */
  readonly others?: OthersPolicy
}

function hostsOf({ known = {}, others }: Wikis): WikiHosts {
  const recorded = Object.entries(known).flatMap(([dir, address]) => {
    const api = readApiUrl(address)
    return typeof api === 'string' ? [] : [{ dir, api }]
  })
  const recording = others && {
    live: (api: Exclude<ReturnType<typeof readApiUrl>, string>) => ({
      api,
      upstream: () => nobody
    }),
    dirFor: ({ host, path }: { readonly host: string; readonly path: string }) =>
      `${host}${path.replace(/\/(?:w\/)?api\.php$/, '')}`,
    others,
    passOn: () => nobody
  }
  return new WikiHosts({ known: recorded, recording, isClosed: false })
}

function shown(decision: HostDecision): string {
  switch (decision.kind) {
    case 'wiki':
      return `${decision.dir} ${decision.api.href}`
    case 'pass':
      return 'pass'
    case 'refused':
      return decision.error.code
  }
}

const decide = (hosts: WikiHosts, origin: string, target: string): string =>
  shown(hosts.decide({ origin, target }))

describe('recording', () => {
  it.each([
    [
      'https://en.wiki.test',
      '/w/api.php?action=query',
      'en.wiki.test https://en.wiki.test/w/api.php'
    ],
    [
      'https://en.wiki.test',
      '//w//api.php',
      'en.wiki.test https://en.wiki.test/w/api.php'
    ],
    [
      'https://en.wiki.test',
      '/w/rest.php/v1/page/A',
      'en.wiki.test https://en.wiki.test/w/api.php'
    ],
    ['https://farm.test', '/de/api.php', 'farm.test/de https://farm.test/de/api.php'],
    ['http://wiki.corp:8080', '/api.php', 'wiki.corp:8080 http://wiki.corp:8080/api.php'],
    ['https://en.wiki.test', '/wiki/A', 'pass'],
    ['https://blog.test', '/index.php?p=1', 'pass']
  ])('%s%s is of %s', (origin, target, expected) => {
    expect(decide(hostsOf({ others: 'pass' }), origin, target)).toBe(expected)
  })

  it('gives pages of a host to its wiki once that was seen, and those of a farm by their paths', () => {
    const hosts = hostsOf({ others: 'pass' })
    for (const wiki of ['en', 'de'])
      decide(hosts, 'https://farm.test', `/${wiki}/api.php`)
    const pages = ['/de/index.php', '/en/wiki/A', '/favicon.ico']
    const dirs = pages.map(
      (target) => decide(hosts, 'https://farm.test', target).split(' ')[0]
    )
    expect(dirs).toEqual(['farm.test/de', 'farm.test/en', 'farm.test/en'])
  })

  it('keeps http and https of one host apart: the one may lead to the other', () => {
    const hosts = hostsOf({ others: 'pass' })
    const api = '/w/api.php'
    expect(decide(hosts, 'http://en.wiki.test', api)).toBe(
      'en.wiki.test http://en.wiki.test/w/api.php'
    )
    expect(decide(hosts, 'https://en.wiki.test', api)).toBe(
      'en.wiki.test_https https://en.wiki.test/w/api.php'
    )
  })

  it('records other hosts, or refuses them, as it is told', () => {
    const address = ['https://upload.wiki.test', '/a.png'] as const
    expect(decide(hostsOf({ others: 'record' }), ...address)).toBe(
      'upload.wiki.test/ https://upload.wiki.test/'
    )
    const hosts = hostsOf({ others: 'refuse' })
    expect(decide(hosts, ...address)).toBe('other-host')
    expect([...hosts.refused]).toEqual([['upload.wiki.test', 1]])
  })

  it.each([
    'http://127.0.0.1:8143',
    'https://[::1]',
    'http://169.254.169.254',
    'http://[fe80::1]',
    'http://[fd00:ec2::254]',
    'http://0.0.0.0',
    'http://metadata.google.internal',
    'http://2130706433'
  ])('sends nothing to %s', (origin) => {
    const hosts = hostsOf({ others: 'pass' })
    expect(decide(hosts, new URL(origin).origin, '/w/api.php')).toBe('unsafe-address')
  })

  it('passes nothing on to other ports, where no wiki was seen', () => {
    const hosts = hostsOf({ others: 'pass' })
    expect(decide(hosts, 'https://db.corp:5432', '/x')).toBe('unknown-port')
    decide(hosts, 'https://db.corp:5432', '/w/api.php')
    expect(decide(hosts, 'https://db.corp:5432', '/x')).toContain('db.corp:5432')
  })
})

describe('replay', () => {
  const known = {
    'cassettes/en': 'https://en.wiki.test/w/api.php',
    'cassettes/lab': 'http://127.0.0.1:8143/w/api.php'
  }

  it.each([
    ['https://en.wiki.test', '/w/api.php', 'cassettes/en https://en.wiki.test/w/api.php'],
    ['https://en.wiki.test', '/wiki/A', 'cassettes/en https://en.wiki.test/w/api.php'],
    [
      'http://127.0.0.1:8143',
      '/w/api.php',
      'cassettes/lab http://127.0.0.1:8143/w/api.php'
    ],
    ['http://en.wiki.test', '/w/api.php', 'no-cassette'],
    ['https://en.wiki.test', '/other/api.php', 'no-cassette'],
    ['https://upload.wiki.test', '/a.png', 'no-cassette']
  ])('%s%s is of %s', (origin, target, expected) => {
    expect(decide(hostsOf({ known }), origin, target)).toBe(expected)
  })

  it('names the address that has a cassette, where another of its host was asked for', () => {
    const decision = hostsOf({ known }).decide({
      origin: 'http://en.wiki.test',
      target: '/w/api.php?action=query'
    })
    expect(decision).toMatchObject({
      error: {
        info: expect.stringMatching(
          /of the wiki http:.* nothing was sent; one is of https:\/\/en\.wiki\.test\/w\/api\.php: name this address, or record it: .*record -- CMD$/
        )
      }
    })
  })

  it('says which command records a host', () => {
    const decision = hostsOf({ known }).decide({
      origin: 'https://upload.wiki.test',
      target: '/a'
    })
    expect(decision).toMatchObject({
      error: { info: expect.stringContaining('record --others record -- CMD') }
    })
  })
})
