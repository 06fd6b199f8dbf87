/** rest.php: spellings of an address, writes and what they change, conditions, and errors in its own form. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { CassetteStore } from '../../../src/recorder/store/cassette-store.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { ask, type HttpReply } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'
import { interactionOf, response } from '../../helpers/recorded.ts'
import { httpStandIn, type Seen, type StandIn } from '../../helpers/upstreams.ts'

const siteinfo = JSON.stringify({
  query: {
    general: { generator: 'MediaWiki 1.43.9', lang: 'en' },
    namespaces: { 0: { id: 0, '*': '', case: 'first-letter' } },
    namespacealiases: []
  }
})

/** A wiki of pages that begin with the text `old`, with the state of the whole in each answer. */
function wiki(): Promise<StandIn> {
  const pages = new Map<string, string>()
  let writes = 0
  const answer = ({
    method,
    target,
    headers,
    body
  }: Seen): readonly [number, string, string] => {
    if (target.includes('api.php')) return [200, siteinfo, '']
    const title = decodeURIComponent(/\/page\/([^/?]+)/.exec(target)?.[1] ?? '')
    if (method !== 'GET') {
      if (headers['if-match'] === '"late"') return [412, '{"httpCode":412}', '']
      const { source, title: named = title } = JSON.parse(body.toString('utf8'))
      pages.set(named, source)
      writes += 1
      return [
        200,
        JSON.stringify({ id: 7, key: named, title: named, source }),
        `"w${writes}"`
      ]
    }
    if (title === '') return [200, JSON.stringify({ target, writes }), '']
    const source = pages.get(title) ?? 'old'
    return [200, JSON.stringify({ title, source }), `"${title} ${source}"`]
  }
  return httpStandIn((seen, reply) => {
    const [status, body, etag] = answer(seen)
    const named =
      etag === '' ? {} : { etag, 'last-modified': 'Tue, 05 Mar 2024 01:15:07 GMT' }
    reply.writeHead(status, { 'content-type': 'application/json', ...named }).end(body)
  })
}

type Step = readonly [method: string, path: string, body?: string]
type Headers = Readonly<Record<string, string>>

const send = (
  origin: string,
  [method, path, body]: Step,
  headers: Headers = {}
): Promise<HttpReply> =>
  ask(`${origin}/w/rest.php${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers
    },
    ...(body === undefined ? {} : { body })
  })

async function recorded(...steps: readonly Step[]): Promise<string> {
  const upstream = await wiki()
  const recording = await startProxy(`${upstream.origin}/w/api.php`)
  for (const step of steps) await send(recording.origin, step)
  await recording.close()
  return recording.cassette
}

async function replayed(
  cassette: string,
  ...steps: readonly Step[]
): Promise<readonly HttpReply[]> {
  const replay = await startProxy(undefined, { cassette })
  const replies: HttpReply[] = []
  for (const step of steps) replies.push(await send(replay.origin, step))
  await replay.close()
  return replies
}

const statuses = (replies: readonly HttpReply[]): readonly unknown[] =>
  replies.map(({ headers }) => headers['x-cassette-status'])

test('an address in another spelling is the same request', async () => {
  const cassette = await recorded(
    ['GET', '/v1/search/page?q=a b&limit=2'.replace(' ', '%20')],
    ['GET', '/v1/page/Item:Q1'],
    ['GET', '/wikibase/v1/statements/Q20$A-B']
  )
  const same = await replayed(
    cassette,
    ['GET', '/v1/search/page?limit=2&q=a+b'],
    ['GET', '/v1/page/Item%3AQ1'],
    ['GET', '/wikibase/v1/statements/Q20%24A-B']
  )
  expect(statuses(same)).toEqual(['replayed', 'replayed', 'replayed'])
})

test('what a route takes by itself may be sent', async () => {
  const steps: Step[] = [
    ['GET', '/v1/search/title?q=a'],
    ['GET', '/v1/search/page?q=a&limit=50'],
    ['GET', '/wikibase/v0/suggest/items?q=a&language=en&offset=0']
  ]
  const cassette = await recorded(...steps)
  const same = await replayed(
    cassette,
    ['GET', '/v1/search/title?limit=50&q=a'],
    ['GET', '/v1/search/page?q=a'],
    ['GET', '/wikibase/v0/suggest/items?q=a&limit=10&language=en']
  )
  expect(statuses(same)).toEqual(['replayed', 'replayed', 'replayed'])
  const others = await replayed(
    cassette,
    ['GET', '/v1/search/title?q=a&limit=10'],
    ['GET', '/wikibase/v0/suggest/items?q=a&language=en&limit=50']
  )
  expect(statuses(others)).toEqual(['miss', 'miss'])
})

test('what the wiki answers otherwise is another request', async () => {
  const cassette = await recorded(
    ['GET', '/v1/page/Foo_bar'],
    ['GET', '/v1/page/A%2FB'],
    ['GET', '/v1/page/A?redirect=no&x=1'],
    ['GET', '/nowhere/%41'],
    ['GET', '/v1/search/page?q=a&q=b']
  )
  const others = await replayed(
    cassette,
    // The wiki redirects to the title with underscores.
    ['GET', '/v1/page/Foo%20bar'],
    ['GET', '/v1/page/A/B'],
    // Where it redirects to may repeat the parameters in their order.
    ['GET', '/v1/page/A?x=1&redirect=no'],
    // The error repeats the address of a route that does not exist.
    ['GET', '/nowhere/A'],
    ['GET', '/v1/search/page?q=b&q=a']
  )
  expect(statuses(others)).toEqual(['miss', 'miss', 'miss', 'miss', 'miss'])
})

test('an address that an older version recorded as it was sent is found', async () => {
  const cassette = temporaryFolder()
  const store = CassetteStore.openOrCreate(cassette, 'http://wiki.example/w/api.php')
  for (const limit of [2, 50]) {
    const target = `/w/rest.php/v1/search/page?q=a&limit=${limit}`
    store.put(
      interactionOf({ 'plain target': target }, [response({ kind: 'text', text: '{}' })])
    )
    const found = await replayed(cassette, ['GET', `/v1/search/page?q=a&limit=${limit}`])
    expect(statuses(found)).toEqual(['replayed'])
  }
})

const put = (page: string, source: string): Step => [
  'PUT',
  `/v1/page/${page}`,
  JSON.stringify({ source, comment: '', token: '+\\' })
]

test('what shows a page holds after the edits of others, and not after its own', async () => {
  const read = (page: string): Step => ['GET', `/v1/page/${page}`]
  const cassette = await recorded(
    read('Volga'),
    read('Kama'),
    put('Kama', 'new'),
    read('Kama'),
    ['POST', '/v1/page', '{"title":"Oka","source":"made"}'],
    read('Oka'),
    ['GET', '/v1/search/page?q=x']
  )
  const texts = async (...steps: readonly Step[]): Promise<readonly unknown[]> =>
    (await replayed(cassette, ...steps)).map(({ headers, text }) =>
      headers['x-cassette-status'] === 'miss'
        ? 'miss'
        : (JSON.parse(text).source ?? 'shown')
    )
  expect(
    await texts(read('Kama'), put('Kama', 'new'), read('Kama'), read('Volga'))
  ).toEqual(['old', 'new', 'new', 'old'])
  // An edit that nobody recorded.
  expect(await texts(put('Volga', 'other'), read('Kama'), read('Volga'))).toEqual([
    'miss',
    'old',
    'miss'
  ])
  // The search was recorded after two writes.
  expect(await texts(put('Kama', 'new'), ['GET', '/v1/search/page?q=x'])).toEqual([
    'new',
    'miss'
  ])
})

test('whoever has the answer already gets its head', async () => {
  const cassette = await recorded(['GET', '/v1/page/Kama'])
  const replay = await startProxy(undefined, { cassette })
  const get = (headers: Headers): Promise<HttpReply> =>
    send(replay.origin, ['GET', '/v1/page/Kama'], headers)
  const held = { 'if-none-match': '"x", W/"Kama old"' }
  const fresh = await get(held)
  expect([fresh.status, fresh.text, fresh.headers.etag]).toEqual([304, '', '"Kama old"'])
  const since = 'Tue, 05 Mar 2024 01:15:07 GMT'
  for (const [headers, status] of [
    [{ 'if-none-match': '"x"' }, 200],
    [{ 'if-modified-since': since }, 304],
    [{ 'if-modified-since': 'Tue, 05 Mar 2024 01:15:06 GMT' }, 200],
    [{ 'if-modified-since': 'never' }, 200],
    [{ 'if-none-match': '"x"', 'if-modified-since': since }, 200],
    [{ range: 'bytes=0-3' }, 200],
    [{}, 200]
  ] as const)
    expect((await get(headers)).status).toBe(status)
})

test('the conditions of a write go to the wiki, and are a part of the request', async () => {
  const upstream = await wiki()
  const recording = await startProxy(`${upstream.origin}/w/api.php`)
  const late = await send(recording.origin, put('Kama', 'new'), { 'if-match': '"late"' })
  expect(late.status).toBe(412)
  expect((await send(recording.origin, put('Kama', 'new'))).status).toBe(200)
  await recording.close()
  const replay = await startProxy(undefined, { cassette: recording.cassette })
  expect(
    (await send(replay.origin, put('Kama', 'new'), { 'if-match': '"late"' })).status
  ).toBe(412)
})

test('a token in a JSON body is no part of the request, and not recorded', async () => {
  const token = '0123456789abcdef0123456789abcdef65a1b2c3+\\\\'
  const withToken = (one: string): Step => [
    'PUT',
    '/v1/page/Kama',
    `{"source":"x","token":"${one}"}`
  ]
  const cassette = await recorded(withToken(token))
  const other = token.replace('0123', 'fedc')
  expect(statuses(await replayed(cassette, withToken(other)))).toEqual(['replayed'])
  const files = readdirSync(cassette, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFileSync(path.join(cassette, name), 'utf8'))
  expect(files.join('')).not.toContain('0123456789abcdef')
})

test('a miss has the form of its errors', async () => {
  const cassette = await recorded(['GET', '/v1/page/Kama'])
  const [miss] = await replayed(cassette, put('Volga', 'x'))
  const body = JSON.parse(miss?.text ?? '')
  expect(miss?.status).toBe(404)
  expect(body).toMatchObject({
    errorKey: 'cassette-miss',
    httpCode: 404,
    httpReason: 'Not Found',
    code: 'cassette-miss',
    cassette: { request: 'PUT /w/rest.php/v1/page/Volga' }
  })
  expect(body.messageTranslations.en).toMatch(/^PUT \/w\/rest\.php\/v1\/page\/Volga: /)
  const replay = await startProxy(undefined, { cassette, missStatus: 501 })
  expect((await send(replay.origin, ['GET', '/v1/page/Oka'])).status).toBe(501)
})
