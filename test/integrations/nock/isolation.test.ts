/** Which requests are taken, for how long, and that everything else stays as the test had it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import nock from 'nock'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { watchRequests } from '../../../src/integrations/in-process/direct-interceptor.ts'
import { insertCassette } from '../../../src/integrations/nock/insert-cassette.ts'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { ask } from '../../helpers/http-client.ts'
import { httpStandIn } from '../../helpers/upstreams.ts'
import { inserted, shipped } from './inserted.ts'

const recorded = 'action=query&list=allpages&apfrom=B&format=json'
const insert = (apiUrl: string, name = 'ru-1.43') =>
  inserted(name, { root: shipped, apiUrl, moved: true })

afterEach(() => {
  vi.unstubAllEnvs()
  nock.cleanAll()
  nock.enableNetConnect()
})

describe('which requests', () => {
  it('those to the wiki, whatever the path; never a socket', async () => {
    const wiki = await fakeWiki()
    insert(wiki.api)
    expect((await ask(`${wiki.api}?${recorded}`)).headers['x-cassette-status']).toBe(
      'replayed'
    )
    const page = await ask(`${wiki.origin}/wiki/Nowhere`)
    expect(page.headers['x-cassette-status']).toBe('miss')
    expect(wiki.connections()).toBe(0)
  })

  it('not those to another host, another port or another scheme', async () => {
    const wiki = await fakeWiki()
    const other = await httpStandIn((_request, response) => response.end('other'))
    const cassette = insert(wiki.api)
    expect((await ask(other.origin)).text).toBe('other')
    expect(await (await fetch(other.origin)).text()).toBe('other')
    const tls = await ask(
      wiki.api.replace('http:', 'https:').replace(/:\d+/, ':1')
    ).catch((error) => error.code)
    expect(tls).toBe('ECONNREFUSED')
    expect((await cassette.close()).counts).toMatchObject({ replayed: 0, missed: 0 })
  })

  it('an IPv6 wiki, and one on a port of its own', async () => {
    for (const apiUrl of [
      'http://[::1]:8143/w/api.php',
      'https://wiki.example:8443/w/api.php'
    ]) {
      const cassette = insert(apiUrl)
      expect(
        (await fetch(`${apiUrl}?${recorded}`)).headers.get('x-cassette-status')
      ).toBe('replayed')
      await cassette.close()
    }
  })
})

describe('several cassettes', () => {
  it('for two wikis answer each for its own', async () => {
    const a = 'http://a.example/w/api.php'
    const b = 'http://b.example/w/api.php'
    const first = insert(a, 'ru-1.35')
    const second = insert(b, 'ru-1.43')
    const version = async (api: string): Promise<string> =>
      (await fetch(`${api}?${recorded}&aplimit=1`)).headers.get('x-cassette-status') ?? ''
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, at) => version(at % 2 === 0 ? a : b))
    )
    expect(all.every((status) => status !== 'miss')).toBe(true)
    const replayed = ({ counts }: Awaited<ReturnType<typeof first.close>>): number =>
      counts.replayed + counts.synthesized
    expect([replayed(await first.close()), replayed(await second.close())]).toEqual([
      20, 20
    ])
  })

  it('for one wiki are refused, and the first goes on', async () => {
    const api = 'http://a.example/w/api.php'
    const first = insert(api, 'ru-1.35')
    expect(() => insert(api, 'ru-1.43')).toThrow(
      /ru-1\.35 answers for http:\/\/a\.example already.*close/
    )
    expect((await fetch(`${api}?${recorded}`)).headers.get('x-cassette-status')).toBe(
      'replayed'
    )
    await first.close()
    insert(api, 'ru-1.43')
    expect((await fetch(`${api}?${recorded}`)).headers.get('x-cassette-status')).toBe(
      'replayed'
    )
  })
})

describe('mocks of the test itself', () => {
  it('for other hosts stay before, during and after', async () => {
    const hello = nock('http://other.example').persist().get('/').reply(200, 'hello')
    const cassette = insert('http://a.example/w/api.php')
    nock('http://later.example').get('/').reply(200, 'later')
    expect(await (await fetch('http://other.example/')).text()).toBe('hello')
    await cassette.close()
    expect(await (await fetch('http://other.example/')).text()).toBe('hello')
    expect((await ask('http://later.example/')).text).toBe('later')
    expect(hello.isDone()).toBe(true)
  })

  it('for the same wiki come first if they were there first', async () => {
    const api = 'http://a.example/w/api.php'
    nock('http://a.example').get('/w/api.php').query(true).reply(503, 'down')
    const cassette = insert(api)
    expect((await ask(`${api}?${recorded}`)).status).toBe(503)
    expect((await ask(`${api}?${recorded}`)).headers['x-cassette-status']).toBe(
      'replayed'
    )
    await cassette.close()
    expect(await ask(`${api}?${recorded}`).catch(String)).toMatch(
      /ENOTFOUND|EAI_AGAIN|getaddrinfo/
    )
  })

  it('are all done where a cassette was not asked: it is no mock that waits', () => {
    insert('http://a.example/w/api.php')
    expect(nock.isDone()).toBe(true)
    expect(nock.pendingMocks()).toEqual([])
  })

  it('nock.cleanAll() does not open the way out', async () => {
    const wiki = await fakeWiki()
    const cassette = insert(wiki.api)
    nock.cleanAll()
    const query = `${wiki.api}?${recorded}`
    expect((await fetch(query)).headers.get('x-cassette-status')).toBe('replayed')
    expect((await ask(query)).headers['x-cassette-status']).toBe('replayed')
    expect(wiki.connections()).toBe(0)
    await cassette.close()
    expect((await ask(wiki.api)).status).toBe(200)
  })
})

describe('afterwards', () => {
  it('the wiki is reached again', async () => {
    const wiki = await fakeWiki()
    const cassette = insert(wiki.api)
    await ask(`${wiki.api}?${recorded}`)
    await cassette.close()
    expect(
      (await ask(`${wiki.api}?${recorded}`)).headers['x-cassette-status']
    ).toBeUndefined()
    expect(
      (await fetch(`${wiki.api}?${recorded}`)).headers.get('x-cassette-status')
    ).toBeNull()
    expect(wiki.asked()).toEqual([recorded, recorded])
    expect(nock.activeMocks()).toEqual([])
  })

  it('what nock was told not to let out stays in', async () => {
    const wiki = await fakeWiki()
    nock.disableNetConnect()
    const cassette = insert(wiki.api)
    expect((await ask(`${wiki.api}?${recorded}`)).status).toBe(200)
    await cassette.close()
    await expect(ask(wiki.api)).rejects.toMatchObject({ code: 'ENETUNREACH' })
    expect(wiki.connections()).toBe(0)
  })

  it('nock sleeps if it slept before, and the cassette answers', async () => {
    nock.restore()
    const cassette = insert('http://a.example/w/api.php')
    expect(nock.isActive()).toBe(false)
    expect((await ask(`http://a.example/w/api.php?${recorded}`)).status).toBe(200)
    await cassette.close()
    nock.activate()
  })

  it('nothing is taken where the cassette could not be inserted', async () => {
    const wiki = await fakeWiki()
    const root = temporaryFolder()
    mkdirSync(path.join(root, 'broken'))
    writeFileSync(path.join(root, 'broken/cassette.json'), '{"format":')
    const broken = (): unknown =>
      insertCassette('broken', { root, apiUrl: wiki.api, mode: 'none', quiet: true })
    expect(broken).toThrow(/cassette\.json:1:\d+/)
    expect((await ask(wiki.api)).status).toBe(200)
    inserted('new', { root, apiUrl: wiki.api, mode: 'once' })
  })

  it('answers under way arrive', async () => {
    const wiki = await fakeWiki()
    const cassette = inserted('mine', {
      root: temporaryFolder(),
      apiUrl: wiki.api,
      mode: 'once'
    })
    const answers = Array.from({ length: 10 }, (_, at) =>
      ask(`${wiki.api}?action=help&x=${at}&format=json`)
    )
    await new Promise((resolve) => setTimeout(resolve, 5))
    await cassette.close()
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 200))
  })
})

describe('a guarded wiki', () => {
  it('is asked by nobody', async () => {
    const wiki = await fakeWiki()
    const release = watchRequests({
      label: 'useCassette()',
      apiUrl: wiki.api,
      warn: () => undefined,
      closedReason: 'No cassette is inserted here.'
    })
    await expect(ask(wiki.api)).rejects.toThrow('No cassette is inserted here.')
    const cassette = insert(wiki.api)
    expect((await ask(`${wiki.api}?${recorded}`)).status).toBe(200)
    await cassette.close()
    await expect(ask(wiki.api)).rejects.toThrow('was not sent')
    expect(wiki.connections()).toBe(0)
    release()
    expect((await ask(wiki.api)).status).toBe(200)
  })
})
