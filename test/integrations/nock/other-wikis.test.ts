/** Requests that no cassette answers while one is inserted: to other wikis they go only where that is allowed. */
import http from 'node:http'
import nock from 'nock'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { watchRequests } from '../../../src/integrations/in-process/direct-interceptor.ts'
import {
  type InsertOptions,
  insertCassette
} from '../../../src/integrations/nock/insert-cassette.ts'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { ask } from '../../helpers/http-client.ts'
import { httpStandIn } from '../../helpers/upstreams.ts'
import { inserted, shipped } from './inserted.ts'

const own = 'http://wiki.example/w/api.php'
const query = '?action=query&meta=siteinfo&format=json'
const insert = (options: InsertOptions = {}) =>
  inserted('ru-1.43', { root: shipped, apiUrl: own, moved: true, ...options })

/** What a request came to: its body, or the text of the error that explains it. */
const outcomeOf = (asked: Promise<string>): Promise<string> =>
  asked.catch((error: unknown) =>
    String(error instanceof TypeError && error.cause !== undefined ? error.cause : error)
  )
const byFetch = (url: string): Promise<string> =>
  outcomeOf(fetch(url).then((answer) => answer.text()))
const byHttp = (url: string, method = 'GET'): Promise<string> =>
  outcomeOf(ask(url, { method }).then(({ text }) => text))

beforeEach(() => {
  vi.stubEnv('CI', 'true')
  onTestFinished(() => {
    vi.unstubAllEnvs()
    nock.cleanAll()
  })
})

describe('with CI=true', () => {
  it.each([
    '/w/api.php',
    '/api.php?action=query',
    '/w/rest.php/v1/page/%D0%92',
    '/w/index.php?title=X',
    '/index.php/Main_Page',
    '/w/load.php?modules=site',
    '/w/api%2Ephp',
    '/api.php5'
  ])('a request to %s of another host is refused, however it is sent', async (path) => {
    const other = await httpStandIn((_request, response) => response.end('live'))
    insert()
    const refused = /was not sent: CI=true/
    expect(await byFetch(other.origin + path)).toMatch(refused)
    expect(await byHttp(other.origin + path)).toMatch(refused)
    expect(await byHttp(other.origin + path, 'POST')).toMatch(refused)
    expect(other.connections()).toBe(0)
  })

  it('the error says what was asked, names both addresses and the option, and no secret', async () => {
    const other = await fakeWiki()
    insert()
    expect(await byFetch(`${other.api}${query}&lgpassword=k83hd7fhs82`)).toBe(
      `Error: wikitape: GET ${other.api}${query}&lgpassword=redacted-password was not sent: CI=true, and no cassette answers it (the cassette ${shipped}/ru-1.43 is of ${own}). Insert a cassette for that wiki too, or allow the request with the option allowOtherWikis: ['${other.origin}'].`
    )
  })

  it("one to the cassette's host by another scheme is refused, whatever its path", async () => {
    insert()
    expect(await byFetch('https://wiki.example/images/a.png')).toMatch(/was not sent/)
    expect(await byHttp('http://wiki.example/images/a.png')).toContain('cassette-miss')
  })

  it('what is plainly no wiki passes, and so does a mock of the test itself', async () => {
    const other = await httpStandIn((_request, response) => response.end('local'))
    insert()
    nock('http://mocked.example').get('/w/api.php').reply(200, 'mocked')
    expect(await byHttp('http://mocked.example/w/api.php')).toBe('mocked')
    for (const path of [
      '/',
      '/lodash',
      '/rapi.php',
      '/api.phpx',
      '/?file=api.php',
      '/my.load.php.html'
    ])
      expect([
        await byFetch(other.origin + path),
        await byHttp(other.origin + path)
      ]).toEqual(['local', 'local'])
  })
})

describe('redirects and options with CI=true', () => {
  it('an answer of the network that leads to a wiki is not followed', async () => {
    const wiki = await fakeWiki()
    const short = await httpStandIn((_request, response) =>
      response.writeHead(302, { location: wiki.api }).end()
    )
    const cassette = insert()
    expect(await byFetch(`${short.origin}/short`)).toMatch(
      /api\.php was not sent: CI=true/
    )
    expect(wiki.connections()).toBe(0)
    await cassette.close()
    expect(await byFetch(`${short.origin}/short`)).toContain('batchcomplete')
  })

  it('a recorded redirect to another wiki is not followed', async () => {
    const other = await fakeWiki()
    const wiki = await fakeWiki(() => ({
      status: 302,
      headers: { location: other.api },
      body: ''
    }))
    const root = temporaryFolder()
    const cassette = inserted('mine', {
      root,
      apiUrl: wiki.api,
      mode: 'once',
      allowLive: true
    })
    expect(await byFetch(`${wiki.origin}/wiki/Elsewhere`)).toMatch(
      /api\.php was not sent: CI=true/
    )
    await cassette.close()
    expect(other.connections()).toBe(0)
  })

  it('addresses in allowOtherWikis pass, without a port on any', async () => {
    const listed = await fakeWiki()
    const other = await fakeWiki()
    const cassette = insert({ allowOtherWikis: [listed.api] })
    expect(await byFetch(listed.api + query)).toContain('batchcomplete')
    expect(await byHttp(listed.api + query)).toContain('batchcomplete')
    expect(await byFetch(other.api + query)).toMatch(/was not sent/)
    await cassette.close()
    insert({ allowOtherWikis: ['http://127.0.0.1'] })
    expect(await byFetch(other.api + query)).toContain('batchcomplete')
  })

  it('allowLive does not open the way to other wikis', async () => {
    const other = await fakeWiki()
    insert({ allowLive: true })
    expect(await byFetch(other.api)).toMatch(/was not sent/)
  })
})

describe('other cassettes with CI=true', () => {
  it('what answers for it is left alone: a second cassette', async () => {
    insert()
    const second = inserted('ru-1.35', {
      root: shipped,
      apiUrl: 'http://b.example/w/api.php',
      moved: true
    })
    await byHttp(`http://b.example/w/api.php${query}`)
    expect(second.summary().counts.missed + second.summary().counts.replayed).toBe(1)
  })

  it('holds for a suite between its cassettes', async () => {
    const other = await fakeWiki()
    const end = watchRequests({
      label: 'useCassette()',
      apiUrl: undefined,
      warn: () => undefined
    })
    expect(await byHttp(other.api)).toContain('no cassette answers it (useCassette())')
    end()
    expect(await byHttp(other.api)).toContain('batchcomplete')
  })

  it('ends with the cassette', async () => {
    const other = await fakeWiki()
    const dispatcher = (): unknown =>
      Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'))
    const before = dispatcher()
    const cassette = insert()
    expect(dispatcher()).not.toBe(before)
    await cassette.close()
    expect(dispatcher()).toBe(before)
    expect(await byFetch(other.api)).toContain('batchcomplete')
  })
})

describe('elsewhere', () => {
  it('it passes, with a warning, once for each address', async () => {
    vi.stubEnv('CI', '')
    const other = await fakeWiki()
    const third = await fakeWiki()
    const cassette = insert()
    for (const url of [other.api, `${other.api}${query}`, third.api])
      expect([await byFetch(url), await byHttp(url)].join()).toMatch(
        /batchcomplete.*batchcomplete/
      )
    expect(cassette.reports).toEqual([
      `GET ${other.api}: no cassette answers it (the cassette ${shipped}/ru-1.43 is of ${own}), so it is left to the network, and refused where CI=true. Insert a cassette for that wiki too, or allow the request with the option allowOtherWikis: ['${other.origin}'].`,
      expect.stringContaining(`GET ${third.api}: no cassette answers it`)
    ])
  })

  it('it passes without a word where the option names it', async () => {
    vi.stubEnv('CI', '')
    const other = await fakeWiki()
    const cassette = insert({ allowOtherWikis: [other.origin] })
    expect(await byFetch(other.api)).toContain('batchcomplete')
    expect(cassette.reports).toEqual([])
  })
})

it('wikitape itself asks the wiki of its cassette', async () => {
  const wiki = await fakeWiki()
  const root = temporaryFolder()
  const cassette = inserted('mine', {
    root,
    apiUrl: wiki.api,
    mode: 'once',
    allowLive: true
  })
  expect(await byFetch(wiki.api + query)).toContain('batchcomplete')
  expect((await cassette.close()).counts.recorded).toBe(1)
})

it('a list that names no address is refused at once', () => {
  const options = { apiUrl: own, allowOtherWikis: ['commons.wikimedia.org'] }
  expect(() => insertCassette('mine', options)).toThrow(
    "insertCassette: allowOtherWikis is an array; expected a list, e.g. ['https://commons.wikimedia.org']"
  )
})

it('a list that names the wiki of the cassette is refused at once', () => {
  const { origin } = new URL(own)
  expect(() => insert({ allowOtherWikis: [origin] })).toThrow(
    `allowOtherWikis: ${origin} is the cassette's own wiki`
  )
})

it('agents of their own do not hide a request', async () => {
  const other = await fakeWiki()
  insert()
  const agent = new http.Agent({ keepAlive: true })
  expect(await outcomeOf(ask(other.api, { agent }).then(({ text }) => text))).toMatch(
    /was not sent/
  )
  agent.destroy()
})
