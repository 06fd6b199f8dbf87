/** Whole URLs as targets, as clients send them to a forward proxy: the one wiki is served, nothing else is. */
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { ask, sendBytes } from '../../helpers/http-client.ts'
import { type RunningProxy, startProxy } from '../../helpers/proxies.ts'

const query = '?action=query&format=json&list=allpages&apfrom=A'

const through = (
  proxy: RunningProxy,
  url: string,
  host = 'ignored.example'
): Promise<string> =>
  sendBytes(
    proxy.origin,
    `GET ${url}${query} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
  )

/** A recorder in front of a wiki, and then the wiki switched off and its cassette replayed. */
async function recordedAndReplayed(
  check: (proxy: RunningProxy, wiki: string) => Promise<void>
) {
  const wiki = await fakeWiki()
  const recording = await startProxy(wiki.api)
  await ask(`${recording.api}?action=query&format=json&meta=userinfo`)
  await check(recording, wiki.api)
  await recording.close()
  await wiki.close()
  await check(await startProxy(undefined, { cassette: recording.cassette }), wiki.api)
  return wiki
}

describe('a whole URL', () => {
  it('that names the wiki is recorded, and then replayed with the wiki switched off', async () => {
    const replies: string[] = []
    const wiki = await recordedAndReplayed(async (proxy, api) => {
      replies.push(
        await through(proxy, api),
        await through(proxy, api.toUpperCase().replace('/W/API.PHP', '/w/api.php'))
      )
    })
    expect(wiki.asked()).toEqual([
      'action=query&format=json&meta=userinfo',
      query.slice(1)
    ])
    const bodies = replies.map((reply) => reply.slice(reply.indexOf('\r\n\r\n')))
    expect(replies.every((reply) => reply.startsWith('HTTP/1.1 200 '))).toBe(true)
    expect(bodies[0]).toContain('apfrom=A')
    expect(new Set(bodies).size).toBe(1)
  })

  it('with two Host headers is refused', async () => {
    const proxy = await startProxy((await fakeWiki()).api)
    const reply = await through(proxy, '/w/api.php', 'localhost\r\nhost: evil.example')
    expect(reply).toMatch(/^HTTP\/1\.1 403 [\s\S]*two Host headers/)
  })

  it('that names this server itself is served, whatever the variables for proxies say', async () => {
    await recordedAndReplayed(async (proxy) => {
      const port = new URL(proxy.origin).port
      for (const own of [proxy.api, `http://localhost:${port}/w/api.php`])
        expect(await through(proxy, own)).toMatch(/^HTTP\/1\.1 200 /)
    })
  })

  it('that names an https wiki with http is for that wiki', async () => {
    const proxy = await startProxy('https://wiki.invalid/w/api.php')
    expect(await through(proxy, 'http://wiki.invalid:80/w/api.php')).toMatch(
      /^HTTP\/1\.1 502 /
    )
    expect(await through(proxy, 'http://wiki.invalid:81/w/api.php')).toMatch(
      /^HTTP\/1\.1 403 /
    )
  })

  it.each([
    'http://other.example/w/api.php',
    'http://10.0.0.1/w/api.php',
    'http://127.0.0.1:1/w/api.php',
    'http://localhost/w/api.php',
    'http://[::1]:1/w/api.php',
    'http://wiki@other.example/w/api.php',
    'http:///w/api.php',
    'https://other.example/w/api.php'
  ])('%s is refused: the answer of this wiki would be a wrong one', async (url) => {
    const wiki = await recordedAndReplayed(async (proxy, api) => {
      const reply = await through(proxy, url)
      expect(reply).toMatch(/^HTTP\/1\.1 403 /)
      const { host } = new URL(api)
      expect(reply).toContain(
        `as a forward proxy wikitape serves http://${host} and nothing else`
      )
      expect(reply).toContain('let the client itself set NO_PROXY')
    })
    expect(wiki.asked()).toEqual(['action=query&format=json&meta=userinfo'])
  })

  it('does not let a Host header of this server stand for another one', async () => {
    const proxy = await startProxy((await fakeWiki()).api)
    const { host } = new URL(proxy.origin)
    expect(await through(proxy, 'http://other.example/w/api.php', host)).toMatch(
      /^HTTP\/1\.1 403 /
    )
  })

  it('reaches a cassette by its path prefix', async () => {
    const wiki = await fakeWiki()
    const proxy = await startProxy(wiki.api)
    const other = wiki.api.replace('/w/api.php', '/~other/w/api.php')
    expect(await through(proxy, other)).toMatch(/^HTTP\/1\.1 200 /)
    expect(wiki.asked()).toEqual([query.slice(1)])
  })
})
