/** Requests that need no judging, and those that look like them: what one gets hangs on nothing that came before on its connection. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask, post, sendBytes } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'

const target = '/w/api.php?action=query&format=json&list=allpages&apfrom=A'

/** A replay in which `target` has been recorded. */
async function recorded() {
  const wiki = await fakeWiki(() => '{"query":{"allpages":[]}}')
  const recording = await startProxy(wiki.api)
  await ask(recording.origin + target)
  await recording.close()
  return startProxy(undefined, { cassette: recording.cassette, allowedOrigins: ['https://app.example'] })
}

const withoutDates = (text: string): string => text.replace(/^Date: .*\r\n/gm, '')

describe('behind a plain request on the same connection', () => {
  it.each<[string, string, readonly string[], RegExp]>([
    ['one for another host', `GET ${target}`, ['Host: other.example'], /^HTTP\/1\.1 403 /],
    ['one with two hosts', `GET ${target}`, ['Host: HOST', 'Host: HOST'], /^HTTP\/1\.1 403 /],
    ['one for another server through this', `GET http://other.example${target}`, ['Host: HOST'], / 403 /],
    [
      'one of a page of another site',
      `OPTIONS ${target}`,
      ['Host: HOST', 'Origin: https://x.example'],
      / 204 /,
    ],
    [
      'one of such a page that would control',
      `GET ${target}`,
      ['Host: HOST', 'Origin: https://x.example', 'X-Cassette: other'],
      /^HTTP\/1\.1 403 /,
    ],
    ['one of another cassette', `GET ${target}`, ['Host: HOST', 'X-Cassette: other'], /^HTTP\/1\.1 404 /],
    ['one of another cassette by its path', `GET /~other${target}`, ['Host: HOST'], /^HTTP\/1\.1 404 /],
    ['one with a mode that is none', `GET ${target}`, ['Host: HOST', 'X-Cassette-Mode: x'], / 400 /],
    [
      'one in a coding of its own',
      `POST ${target}`,
      ['Host: HOST', 'Transfer-Encoding: gzip, chunked'],
      /^HTTP\/1\.1 501 /,
    ],
    ['one by another method', `PUT ${target}`, ['Host: HOST'], /^HTTP\/1\.1 405 /],
    ['one for what is wikitape’s own', 'GET /__wikitape/nothing/api.php', ['Host: HOST'], / 404 /],
    ['an icon', 'GET /favicon.ico?/api.php', ['Host: HOST', 'User-Agent: Mozilla/5.0'], / 204 /],
    [
      'what developer tools look for',
      'GET /.well-known/appspecific/api.php',
      ['Host: HOST', 'User-Agent: Mozilla/5.0'],
      / 204 /,
    ],
  ])('%s gets what it gets alone', async (_, line, headers, expected) => {
    const proxy = await recorded()
    const { host } = new URL(proxy.origin)
    const plain = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
    const bytes = `${[`${line} HTTP/1.1`, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`.replaceAll(
      'HOST',
      host,
    )
    const alone = withoutDates(await sendBytes(proxy.origin, bytes))
    expect(alone).toMatch(expected)
    const both = await sendBytes(proxy.origin, plain + plain + bytes)
    expect(withoutDates(both.slice(both.lastIndexOf('HTTP/1.1 ')))).toBe(alone)
  })
})

it('of a page of another site nothing is recorded, also where its browser asked for something plain before', async () => {
  const proxy = await startProxy((await fakeWiki(() => '{"query":{"allpages":[]}}')).api)
  const head = `HTTP/1.1\r\nHost: ${new URL(proxy.origin).host}\r\n`
  const stranger = `Origin: https://x.example\r\nConnection: close\r\n\r\n`
  const said = await sendBytes(
    proxy.origin,
    `GET ${target} ${head}\r\nGET ${target} ${head}\r\nGET ${target}2 ${head}${stranger}`,
  )
  const statuses = [...said.matchAll(/^x-cassette-status: (.*)\r$/gm)].map(([, status]) => status)
  expect([statuses.length, statuses.at(-1)]).toEqual([3, 'passthrough'])
})

describe('replies of an earlier run', () => {
  it('are whole where many are on their way at once, whatever their size', async () => {
    const bodyOf = (at: number): string =>
      JSON.stringify({
        query: { text: String.fromCharCode(97 + (at % 26)).repeat(1 + ((at * 7919) % 90_000)) },
      })
    const wiki = await fakeWiki((params) => bodyOf(Number(params.get('apfrom'))))
    const recording = await startProxy(wiki.api)
    const all = Array.from({ length: 60 }, (_, at) => `action=query&format=json&list=allpages&apfrom=${at}`)
    for (const query of all) await post(recording.api, query)
    await recording.close()
    const packs = path.join(temporaryFolder(), 'packs')
    const first = await startProxy(undefined, { cassette: recording.cassette, packs })
    for (const query of all) await ask(`${first.api}?${query}`)
    await first.close()
    const again = await startProxy(undefined, { cassette: recording.cassette, packs })
    const { host } = new URL(again.origin)
    const bytes = all
      .map((query, at) => {
        const close = at === all.length - 1 ? 'Connection: close\r\n' : ''
        return `GET /w/api.php?${query} HTTP/1.1\r\nHost: ${host}\r\n${close}\r\n`
      })
      .join('')
    const expected = all.map((_, at) => bodyOf(at))
    for (const replies of await Promise.all([1, 2, 3].map(() => sendBytes(again.origin, bytes)))) {
      const bodies = replies.split(/HTTP\/1\.1 200 OK\r\n(?:[^\r]+\r\n)+\r\n/).slice(1)
      expect(bodies.map((one, at) => one === expected[at])).toEqual(all.map(() => true))
    }
    await again.close()
    // Nothing had to be answered anew.
    expect(readdirSync(packs).flatMap((one) => readdirSync(path.join(packs, one))).length).toBe(1)
  })
})
