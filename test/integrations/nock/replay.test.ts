/** A cassette inside this process answers as the proxy in front of the same cassette does. */
import type { IncomingHttpHeaders } from 'node:http'
import http from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import nock from 'nock'
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { ask, post } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'
import { inserted, publicWiki, shipped } from './inserted.ts'

const wiki = 'http://wiki.example/w/api.php'
const insert = (apiUrl: string = wiki) =>
  inserted('ru-1.43', { root: shipped, apiUrl, moved: true })
const recorded = 'action=query&list=allpages&apfrom=B&format=json'
const missed = 'action=query&titles=Nobody_recorded_this&prop=info&format=json'

const requests: readonly (readonly [what: string, query: string])[] = [
  ['a recording', recorded],
  [
    'the same with its parameters in another order',
    'format=json&apfrom=B&list=allpages&action=query'
  ],
  ['a listing at a limit that nobody recorded', `${recorded}&aplimit=3`],
  ['a miss', missed],
  ['a debugging page', 'action=query&list=allpages&apfrom=B'],
  ['JSONP', `${recorded}&callback=found`],
  ['a requestid in Cyrillic', `${recorded}&requestid=%D0%96`],
  ['an origin', `${recorded}&origin=*`],
  ['an unknown format', 'action=query&list=allpages&apfrom=B&format=xml']
]

/** Without what says when and over which connection. */
function withoutConnection({
  date,
  connection,
  'keep-alive': alive,
  ...rest
}: IncomingHttpHeaders): object {
  return rest
}

describe('the same as through the proxy', () => {
  it.each(requests)('%s, with node:http', async (_what, query) => {
    const proxy = await startProxy(undefined, { cassette: `${shipped}/ru-1.43` })
    insert()
    for (const coding of ['identity', 'gzip', 'br', 'deflate', 'gzip;q=0.1, br']) {
      const headers = { 'accept-encoding': coding }
      const there = await ask(`${proxy.api}?${query}`, { headers })
      const here = await ask(`${wiki}?${query}`, { headers })
      expect(withoutConnection(here.headers)).toEqual(withoutConnection(there.headers))
      expect([here.status, here.body.toString('latin1')]).toEqual([
        there.status,
        there.body.toString('latin1')
      ])
    }
  })

  it.each(requests)('%s, as a POST', async (_what, query) => {
    const proxy = await startProxy(undefined, { cassette: `${shipped}/ru-1.43` })
    insert()
    expect((await post(wiki, query)).text).toBe((await post(proxy.api, query)).text)
  })

  it('a broken control header and a method of no use', async () => {
    const proxy = await startProxy(undefined, { cassette: `${shipped}/ru-1.43` })
    insert()
    for (const asking of [
      { headers: { 'x-cassette': '../secret' } },
      { method: 'PUT', body: 'x' }
    ]) {
      const there = await ask(proxy.api, asking)
      const here = await ask(wiki, asking)
      expect([here.status, here.text]).toEqual([there.status, there.text])
      expect(here.status).toBeGreaterThanOrEqual(400)
    }
  })
})

describe('preflights and cassettes as through the proxy', () => {
  it('a preflight', async () => {
    const proxy = await startProxy(undefined, { cassette: `${shipped}/ru-1.43` })
    insert()
    // Of a page on this machine: whoever asks through nock is the test itself.
    const headers = {
      origin: 'http://localhost:3000',
      'access-control-request-headers': 'x-own'
    }
    for (const asking of [{ method: 'OPTIONS' }, { method: 'OPTIONS', headers }]) {
      const there = await ask(proxy.api, asking)
      const here = await ask(wiki, asking)
      expect([here.status, withoutConnection(here.headers)]).toEqual([
        204,
        withoutConnection(there.headers)
      ])
    }
  })

  it('another cassette under the same root, by header and by path prefix', async () => {
    let times = 0
    const live = await fakeWiki(() => {
      times += 1
      return `{"batchcomplete":"","times":${times}}`
    })
    const root = temporaryFolder()
    for (const name of ['one', 'two']) {
      const recording = inserted(name, { root, apiUrl: live.api, mode: 'all' })
      await ask(`${live.api}?${recorded}`)
      await recording.close()
    }
    inserted('one', { root })
    const asked = async (address: string, headers = {}): Promise<string> =>
      (await ask(`${address}?${recorded}`, { headers })).text
    expect([
      await asked(live.api),
      await asked(live.api, { 'x-cassette': 'two' }),
      await asked(`${live.origin}/~two/w/api.php`)
    ]).toEqual([1, 2, 2].map((time) => `{"batchcomplete":"","times":${time}}`))
  })
})

it('each session has its own place in a sequence of answers', async () => {
  let times = 0
  const live = await fakeWiki(() => {
    times += 1
    return `{"batchcomplete":"","times":${times}}`
  })
  const root = temporaryFolder()
  const query = 'action=query&list=random&format=json'
  const recording = inserted('mine', { root, apiUrl: live.api, mode: 'all' })
  for (let time = 0; time < 2; time += 1) await ask(`${live.api}?${query}`)
  await recording.close()
  inserted('mine', { root })
  const told: string[] = []
  for (const session of ['a', 'b', 'a', 'b'])
    told.push(
      (await ask(`${live.api}?${query}`, { headers: { 'x-cassette-session': session } }))
        .text
    )
  expect(told).toEqual([1, 1, 2, 2].map((time) => `{"batchcomplete":"","times":${time}}`))
})

describe('every client of Node', () => {
  it('fetch, over https, without a server', async () => {
    insert(publicWiki)
    const response = await fetch(`${publicWiki}?${recorded}`)
    expect(response.headers.get('x-cassette-status')).toBe('replayed')
    expect(await response.json()).toMatchObject({
      query: { allpages: expect.any(Array) }
    })
  })

  it('https.get and http.request with an agent of their own', async () => {
    insert(publicWiki)
    const agent = new https.Agent({ keepAlive: true })
    for (let time = 0; time < 3; time += 1) {
      const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
        https.get(`${publicWiki}?${recorded}`, { agent }, resolve).once('error', reject)
      })
      expect(JSON.parse(await text(response))).toHaveProperty('query.allpages')
    }
    agent.destroy()
  })

  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
    ['deflate', inflateSync]
  ] as const)('that wants %s', async (coding, decode) => {
    insert()
    const query = `${recorded}&aplimit=500`
    const plain = await ask(`${wiki}?${query}`)
    const encoded = await ask(`${wiki}?${query}`, {
      headers: { 'accept-encoding': coding }
    })
    expect(encoded.headers['content-encoding']).toBe(coding)
    expect(encoded.body.length).toBeLessThan(plain.body.length)
    expect(decode(encoded.body).toString()).toBe(plain.text)
    const fetched = await fetch(`${wiki}?${query}`, {
      headers: { 'accept-encoding': coding }
    })
    expect(await fetched.text()).toBe(plain.text)
  })

  it('that asks for the head alone', async () => {
    insert()
    const whole = await ask(`${wiki}?${recorded}`)
    const head = await ask(`${wiki}?${recorded}`, { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers['content-length']).toBe(whole.headers['content-length'])
    const fetched = await fetch(`${wiki}?${recorded}`, { method: 'HEAD' })
    expect([fetched.status, await fetched.text()]).toEqual([200, ''])
  })
})

describe('requests of every length and kind', () => {
  it.each([20_000, 100_000])(
    'with a URL of %i letters: an answer or, where nock cannot, an error',
    async (letters) => {
      const proxy = await startProxy(undefined, { cassette: `${shipped}/ru-1.43` })
      const query = `${recorded}&requestid=${'x'.repeat(letters)}`
      nock.restore()
      const there = await ask(`${proxy.api}?${query}`)
      nock.activate()
      insert()
      expect(await (await fetch(`${wiki}?${query}`)).text()).toBe(there.text)
      const here = await ask(`${wiki}?${query}`).then(
        ({ text }) => text,
        (error: unknown) => String(error)
      )
      const hangs = !('getGetRequestBody' in nock)
      if (hangs)
        expect(here).toContain(
          'longer than 16384 bytes, which nock 14 and msw cannot read; send the parameters as a POST'
        )
      else expect(here).toBe(there.text)
      expect(
        (await ask(`${wiki}?${recorded}&requestid=${'x'.repeat(15_000)}`)).status
      ).toBe(200)
    }
  )

  it('that sends its body in parts', async () => {
    insert()
    const parts = [recorded.slice(0, 9), recorded.slice(9, 30), recorded.slice(30)]
    const body = new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      }
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const streamed = await fetch(wiki, {
      method: 'POST',
      body,
      headers,
      duplex: 'half'
    } as RequestInit)
    expect(streamed.headers.get('x-cassette-status')).toBe('replayed')
    const written = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const request = http
        .request(wiki, { method: 'POST', headers }, resolve)
        .once('error', reject)
      for (const part of parts) request.write(part)
      request.end()
    })
    expect(await text(written)).toBe(await streamed.text())
  })
})

describe('what is told at the end', () => {
  it('counts, misses with their command, unused recordings', async () => {
    const cassette = insert()
    await fetch(`${wiki}?${recorded}`)
    await fetch(`${wiki}?${missed}`)
    const summary = await cassette.close()
    expect(summary.counts).toMatchObject({ replayed: 1, missed: 1, liveRequests: 0 })
    expect(summary.misses).toMatchObject([
      { command: expect.stringContaining('wikitape capture') }
    ])
    expect(summary.unused).toHaveLength(summary.counts.unused)
    expect(summary.unused.map(({ file }) => file)).not.toContain('cassette.json')
    expect(cassette.reports.at(-1)).toContain(summary.text)
    expect(cassette.reports.join('\n')).toContain('miss ')
  })

  it('a miss is an error where nothing may be proved', async () => {
    inserted('ru-1.43', { root: shipped, apiUrl: wiki, moved: true, onMiss: 'error' })
    const response = await fetch(`${wiki}?${recorded}&aplimit=3`)
    expect(response.headers.get('x-cassette-status')).toBe('miss')
  })

  it('a miss has the status that was asked for', async () => {
    inserted('ru-1.43', { root: shipped, apiUrl: wiki, moved: true, missStatus: 404 })
    expect((await fetch(`${wiki}?${missed}`)).status).toBe(404)
  })
})
