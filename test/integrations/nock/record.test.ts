/** Recording inside this process: the wiki is asked past the interception, and gets what the client sent. */

import http from 'node:http'
import fc from 'fast-check'
import nock from 'nock'
import { afterEach, describe, expect, it } from 'vitest'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { interactionFiles, temporaryFolder } from '../../helpers/folders.ts'
import { ask } from '../../helpers/http-client.ts'
import { rounds } from '../../helpers/scale.ts'
import { deadOrigin } from '../../helpers/upstreams.ts'
import { inserted } from './inserted.ts'

afterEach(() => {
  nock.cleanAll()
  nock.enableNetConnect()
})

const list = 'action=query&list=allpages&format=json'

describe('recording', () => {
  it('gives the same bytes live, while recording, and on replay', async () => {
    const wiki = await fakeWiki()
    const root = temporaryFolder()
    const live = await ask(`${wiki.api}?${list}`)
    const recording = inserted('mine', { root, apiUrl: wiki.api, mode: 'once' })
    const recorded = await ask(`${wiki.api}?${list}`)
    expect(await recording.close()).toMatchObject({ counts: { recorded: 1 }, misses: [] })
    await wiki.close()
    const replaying = inserted('mine', { root })
    const replayed = await ask(`${wiki.api}?${list}`)
    expect([recorded.text, replayed.text]).toEqual([live.text, live.text])
    expect(replayed.headers['x-cassette-status']).toBe('replayed')
    expect(replaying.apiUrl).toBe(wiki.api)
    expect((await replaying.close()).counts).toMatchObject({
      replayed: 1,
      unused: 0,
      liveRequests: 0
    })
  })

  it('asks the wiki once for many clients that ask the same', async () => {
    const wiki = await fakeWiki()
    inserted('mine', { root: temporaryFolder(), apiUrl: wiki.api, mode: 'new_episodes' })
    const bodies = await Promise.all(
      Array.from({ length: 64 }, async (_, at) =>
        at % 2 === 0
          ? (await fetch(`${wiki.api}?${list}`)).text()
          : (await ask(`${wiki.api}?${list}`)).text
      )
    )
    expect(new Set(bodies).size).toBe(1)
    expect(wiki.asked()).toEqual([list])
  })

  it('follows a redirect of the wiki, each step from the cassette', async () => {
    const wiki = await fakeWiki((_params, seen) =>
      seen.target === '/wiki/A'
        ? {
            status: 301,
            headers: { location: '/wiki/B', 'content-type': 'text/html' },
            body: 'moved'
          }
        : {
            headers: { 'content-type': 'text/html; charset=utf-8' },
            body: `<p>Волга ${seen.target}`
          }
    )
    const root = temporaryFolder()
    const recording = inserted('mine', { root, apiUrl: wiki.api, mode: 'once' })
    const first = await (await fetch(`${wiki.origin}/wiki/A`)).text()
    expect(first).toBe('<p>Волга /wiki/B')
    expect((await recording.close()).counts.recorded).toBe(2)
    await wiki.close()
    inserted('mine', { root })
    const again = await fetch(`${wiki.origin}/wiki/A`)
    expect([again.url, await again.text()]).toEqual([`${wiki.origin}/wiki/B`, first])
  })
})

describe('recording bodies', () => {
  it('sends an upload byte for byte, and knows it again at another boundary', async () => {
    const bytes = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7919) % 256))
    const wiki = await fakeWiki(() => '{"upload":{"result":"Success"}}')
    const root = temporaryFolder()
    const upload = (): Promise<Response> => {
      const form = new FormData()
      form.set('action', 'upload')
      form.set('filename', 'Волга.png')
      form.set('format', 'json')
      form.set('file', new Blob([bytes], { type: 'image/png' }), 'Волга.png')
      return fetch(wiki.api, { method: 'POST', body: form })
    }
    const recording = inserted('mine', { root, apiUrl: wiki.api, mode: 'once' })
    const said = await (await upload()).text()
    await recording.close()
    const sent = wiki.seen.find(({ method }) => method === 'POST')
    expect(sent?.body.includes(bytes)).toBe(true)
    expect(sent?.headers['content-length']).toBe(String(sent?.body.length))
    await wiki.close()
    inserted('mine', { root })
    const again = await upload()
    expect([again.headers.get('x-cassette-status'), await again.text()]).toEqual([
      'replayed',
      said
    ])
  })

  it('sends any body as it is, also one that reads like hex', async () => {
    const bodies: Buffer[] = []
    const wiki = await fakeWiki((_params, { body }) => {
      bodies.push(body)
      return '{}'
    })
    inserted('mine', { root: temporaryFolder(), apiUrl: wiki.api, mode: 'passthrough' })
    const any = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 300 }),
      fc.string({ minLength: 1, unit: 'grapheme' }).map((body) => Buffer.from(body)),
      fc
        .uint8Array({ minLength: 1, maxLength: 20 })
        .map((body) => Buffer.from(Buffer.from(body).toString('hex')))
    )
    await fc.assert(
      fc.asyncProperty(any, fc.boolean(), async (body, fetched) => {
        const headers = { 'content-type': 'application/octet-stream' }
        const url = `${wiki.origin}/w/rest.php/x`
        if (fetched)
          await (
            await fetch(url, { method: 'POST', body: Buffer.from(body), headers })
          ).text()
        else await ask(url, { method: 'POST', body, headers })
        expect(bodies.at(-1)?.toString('hex')).toBe(Buffer.from(body).toString('hex'))
      }),
      { numRuns: rounds(60) }
    )
  })
})

describe('recording cookies, slow answers and https', () => {
  it('passes cookies of the wiki to the client and on', async () => {
    const wiki = await fakeWiki((_params, seen) => ({
      headers: { 'set-cookie': ['a=1; path=/', 'b=2; path=/'] },
      body: JSON.stringify({ cookie: seen.headers.cookie ?? '' })
    }))
    inserted('mine', { root: temporaryFolder(), apiUrl: wiki.api, mode: 'passthrough' })
    const answer = await ask(`${wiki.api}?${list}`, { headers: { cookie: 'c=3' } })
    expect(answer.headers['set-cookie']).toHaveLength(2)
    expect(answer.text).toContain('c=3')
    const fetched = await fetch(`${wiki.api}?${list}`)
    expect(fetched.headers.getSetCookie()).toHaveLength(2)
  })

  it('finishes the recording that a client gave up waiting for', async () => {
    const wiki = await fakeWiki((_params, _seen, response) => {
      setTimeout(() => {
        response.setHeader('content-type', 'application/json')
        response.end('{"batchcomplete":""}')
      }, 300)
      return 'taken'
    })
    const root = temporaryFolder()
    const recording = inserted('mine', { root, apiUrl: wiki.api, mode: 'once' })
    const leaving = new AbortController()
    const asked = fetch(`${wiki.api}?${list}`, { signal: leaving.signal })
    const dropped = new Promise<Error>((resolve) => {
      const request = http.get(`${wiki.api}?${list}&aplimit=2`).once('error', resolve)
      setTimeout(() => request.destroy(new Error('gave up')), 100)
    })
    setTimeout(() => leaving.abort(), 100)
    await expect(asked).rejects.toThrow(/abort/i)
    expect((await dropped).message).toBe('gave up')
    const { counts } = await recording.close()
    expect(counts.recorded).toBe(2)
    expect(interactionFiles(recording.folder)).toHaveLength(2)
  })

  it('reaches an https wiki; here one that the test itself mocks', async () => {
    // What goes upstream asks for gzip, these clients do not: so the mock sees the recorder alone.
    nock('https://wiki.example')
      .persist()
      .get('/w/api.php')
      .query(true)
      .matchHeader('accept-encoding', 'gzip')
      .reply(
        200,
        { batchcomplete: '' },
        { 'Content-Type': 'application/json; charset=utf-8' }
      )
    const root = temporaryFolder()
    const apiUrl = 'https://wiki.example/w/api.php'
    const recording = inserted('mine', { root, apiUrl, mode: 'all' })
    const answer = await fetch(`${apiUrl}?action=help&format=json`)
    expect(answer.headers.get('x-cassette-status')).toBe('recorded')
    expect(await answer.json()).toEqual({ batchcomplete: '' })
    await recording.close()
    nock.cleanAll()
    inserted('mine', { root })
    expect(await (await fetch(`${apiUrl}?action=help&format=json`)).json()).toEqual({
      batchcomplete: ''
    })
  })
})

describe('when the wiki cannot be asked', () => {
  it('the client gets an error as from a broken connection, and the reason', async () => {
    const origin = await deadOrigin()
    const cassette = inserted('mine', {
      root: temporaryFolder(),
      apiUrl: `${origin}/w/api.php`,
      mode: 'all'
    })
    const byHttp = await ask(`${origin}/w/api.php?${list}`).catch(
      (error: unknown) => error
    )
    expect(byHttp).toMatchObject({
      code: 'ERR_CASSETTE',
      message: expect.stringContaining('cannot be reached')
    })
    const byFetch: unknown = await fetch(`${origin}/w/api.php?${list}`).catch(
      (error: unknown) => error
    )
    const told = byFetch instanceof TypeError ? byFetch.cause : byFetch
    expect(told).toMatchObject({
      code: 'ERR_CASSETTE',
      message: expect.stringContaining('cannot be reached')
    })
    expect(cassette.reports.join('\n')).toContain('cannot be reached')
    expect((await cassette.close()).counts.recorded).toBe(0)
  })

  it('a URL that is too long for nock is an answer or an error, never a silence', async () => {
    const wiki = await fakeWiki()
    inserted('mine', { root: temporaryFolder(), apiUrl: wiki.api, mode: 'all' })
    const answer = await fetch(`${wiki.api}?${list}&apfrom=${'x'.repeat(20_000)}`).then(
      (response) => response.text(),
      (error: unknown) => String(error instanceof TypeError ? error.cause : error)
    )
    expect(answer).toMatch(/nock 14 and msw cannot read|"apfrom=xxx/)
  })

  it('what nock is told not to let out stays in', async () => {
    const wiki = await fakeWiki()
    inserted('mine', { root: temporaryFolder(), apiUrl: wiki.api, mode: 'all' })
    nock.disableNetConnect()
    const error = await ask(`${wiki.api}?${list}`).catch(String)
    expect(error).toContain('ENETUNREACH')
    expect(wiki.seen).toEqual([])
    nock.enableNetConnect('127.0.0.1')
    expect((await ask(`${wiki.api}?${list}`)).status).toBe(200)
  })

  it('a cassette that is not there is told as such', async () => {
    const wiki = await fakeWiki()
    const root = temporaryFolder()
    const recording = inserted('mine', { root, apiUrl: wiki.api, mode: 'once' })
    await ask(`${wiki.api}?${list}`)
    await recording.close()
    inserted('mine', { root })
    const asked = ask(`${wiki.api}?${list}`, { headers: { 'x-cassette': 'no-such' } })
    await expect(asked).rejects.toMatchObject({
      code: 'ERR_CASSETTE',
      message: expect.stringContaining('there is no cassette at')
    })
  })
})

it('a record run that is closed twice is closed once', async () => {
  const wiki = await fakeWiki()
  const recording = inserted('mine', {
    root: temporaryFolder(),
    apiUrl: wiki.api,
    mode: 'once'
  })
  await fetch(`${wiki.api}?${list}`)
  const first = recording.close()
  const second = recording.close()
  expect(await first).toBe(await second)
})
