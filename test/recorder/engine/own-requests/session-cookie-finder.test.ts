/** A wiki whose session has a name of its own (`$wgSessionName`), behind an edge whose cookies look alike. */
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type FakeWiki, fakeWiki } from '../../../helpers/fake-wiki.ts'
import { allTextIn } from '../../../helpers/folders.ts'
import { ask } from '../../../helpers/http-client.ts'
import { type RunningProxy, startProxy } from '../../../helpers/proxies.ts'

const tokens = '?action=query&format=json&meta=tokens&type=login'
const plain = '?action=query&format=json&list=allpages&apfrom=A'

const id = (): string => randomBytes(16).toString('hex')

/** MediaWiki's tokens: of the session's secret and the second; the session's cookie where none was sent. */
function wikiWith(session: string, edge: () => readonly string[]): Promise<FakeWiki> {
  const secrets = new Map<string, string>()
  const started = Date.now()
  return fakeWiki((params, { headers }) => {
    const cookies = new Map(
      (headers.cookie ?? '')
        .split('; ')
        .map((pair) => pair.split('=') as [string, string])
    )
    const known = [...cookies.values()].find((one) => secrets.has(one))
    const mine = cookies.get(session) === known ? known : undefined
    const seen = ['Uniq', 'lb-sticky'].some((name) => cookies.has(name))
    const added = seen ? [] : edge()
    if (params.get('meta') !== 'tokens')
      return { body: '{"query":{"pages":1}}', headers: { 'set-cookie': added } }
    const fresh = id()
    if (mine === undefined) secrets.set(fresh, id())
    // Its seconds are a tenth as long, so that two in a row often lie in different ones.
    const second = (0x6955bfb4 + Math.floor((Date.now() - started) / 100)).toString(16)
    const token =
      createHash('md5')
        .update(`${second}${secrets.get(mine ?? fresh)}`)
        .digest('hex') + second
    const own = mine === undefined ? [`${session}=${fresh}; path=/; HttpOnly`] : []
    return {
      body: `{"batchcomplete":"","query":{"tokens":{"logintoken":"${token}+\\\\"}}}`,
      headers: { 'set-cookie': [...added, ...own] }
    }
  })
}

/** As long as a session's id, and set at the same moment. */
const lookalikes = (): readonly string[] => [
  `Uniq=${id()}; path=/; HttpOnly`,
  `lb-sticky=${id()}; path=/`
]

const namesIn = ({ cassette }: RunningProxy): unknown =>
  (
    JSON.parse(readFileSync(path.join(cassette, 'cassette.json'), 'utf8')) as Record<
      string,
      unknown
    >
  )['sessionCookies']

async function recorded(
  wiki: FakeWiki,
  headers: Readonly<Record<string, string>> = {}
): Promise<RunningProxy> {
  const proxy = await startProxy(wiki.api)
  const reply = await ask(proxy.api + tokens, { headers })
  expect(reply.headers['x-cassette-status']).toBe('recorded')
  await proxy.close()
  return proxy
}

describe('a session by a name of its own', () => {
  it('is told from an edge’s cookies by asking the wiki, recorded, and handed out on replay', async () => {
    const { cassette, ...proxy } = await recorded(await wikiWith('sitzung', lookalikes))
    expect(namesIn({ cassette, ...proxy })).toEqual(['sitzung'])
    expect(allTextIn(cassette)).not.toMatch(/Uniq|lb-sticky/)
    const replay = await startProxy(undefined, { cassette })
    const given = (await ask(replay.api + tokens)).headers['set-cookie'] ?? []
    expect(given).toEqual([
      expect.stringMatching(/^sitzung=[0-9a-f]{32}; path=\/; HttpOnly$/)
    ])
    const other = (await ask(replay.api + tokens)).headers['set-cookie'] ?? []
    expect(other).not.toEqual(given)
  })

  it('tells clients apart on replay, also who comes with a cookie from before', async () => {
    const { cassette } = await recorded(await wikiWith('sitzung', lookalikes))
    const { rack } = await startProxy(undefined, { cassette })
    const sessions = rack.all().map((engine) => engine.store.manifest.sessionCookies)
    expect(sessions).toEqual([['sitzung']])
    const replay = await startProxy(undefined, { cassette })
    const headers = { cookie: `sitzung=${id()}` }
    const given = (await ask(replay.api + tokens, { headers })).headers['set-cookie']
    expect(given).toBeUndefined()
  })

  it('is found where the client had it before the recording began', async () => {
    const wiki = await wikiWith('sitzung', lookalikes)
    const [, session = ''] =
      /sitzung=(\w+)/.exec(
        String((await ask(wiki.api + tokens)).headers['set-cookie'])
      ) ?? []
    const headers = { cookie: `Uniq=${id()}; sitzung=${session}` }
    expect(namesIn(await recorded(wiki, headers))).toEqual(['sitzung'])
  })

  it('costs nothing where the session has its usual name, or no answer holds a token', async () => {
    const wiki = await wikiWith('ruwiki_session', lookalikes)
    const proxy = await startProxy(wiki.api)
    for (const query of [plain, tokens]) await ask(proxy.api + query)
    await proxy.close()
    expect(wiki.asked().filter((query) => query.includes('meta=tokens'))).toHaveLength(1)
    expect(namesIn(proxy)).toBeUndefined()
  })

  it('is not taken for proven where the wiki makes no tokens that tell', async () => {
    const wiki = await fakeWiki(() => ({
      body: `{"query":{"tokens":{"logintoken":"${id()}${id().slice(0, 8)}+\\\\"}}}`,
      headers: { 'set-cookie': lookalikes() }
    }))
    const proxy = await recorded(wiki)
    expect(namesIn(proxy)).toBeUndefined()
    expect(allTextIn(proxy.cassette)).not.toMatch(/Uniq|lb-sticky/)
  })
})
