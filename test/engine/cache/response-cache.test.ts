/** The response cache: the reply that was put last for what a request says, or none. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ResponseCache, type ResponseCacheOptions } from '../../../src/engine/cache/response-cache.ts'
import type { IncomingRequest, Reply } from '../../../src/http/incoming-request.ts'
import { parseRequestKey } from '../../../src/request/request-key.ts'

const get = (target: string, more: Partial<IncomingRequest> = {}): IncomingRequest => ({
  method: 'GET',
  target,
  headers: {},
  body: Buffer.alloc(0),
  session: '',
  signal: undefined,
  ...more,
})

const replyOf = (text: string): Reply => ({
  status: 200,
  headers: [['content-type', 'application/json']],
  body: Buffer.from(text),
  cassetteStatus: 'replayed',
  key: parseRequestKey('0123456789ab'),
})

const cacheOf = (more: Partial<ResponseCacheOptions> = {}): ResponseCache =>
  new ResponseCache({
    manifest: () => ({}),
    isUnchanged: () => true,
    onStale: () => undefined,
    ...more,
  })

function put(cache: ResponseCache, exchange: IncomingRequest, reply: Reply, ignoreSpelling = true): void {
  cache.put(exchange, reply, { ignoreSpelling, signatures: [] })
}

describe('the response cache', () => {
  it('gives the reply that was put last, or none where the budget is spent', () => {
    const step = fc.record({
      target: fc.nat(12),
      text: fc.string({ minLength: 300, maxLength: 900 }),
      put: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 80 }), (steps) => {
        const cache = cacheOf({ bytes: 3000 })
        const last = new Map<number, Reply>()
        for (const { target, text, put: puts } of steps) {
          if (puts) {
            const reply = replyOf(text)
            put(cache, get(`/${target}`), reply)
            last.set(target, reply)
            // An entry larger than the budget is not kept; any other is there at once.
            if (reply.body.length < 2400) expect(cache.get(get(`/${target}`))).toBe(reply)
          }
          const found = cache.get(get(`/${target}`))
          if (found !== undefined) expect(found).toBe(last.get(target))
        }
      }),
    )
  })

  it.each<[string, Partial<IncomingRequest>]>([
    ['a session', { session: 'mine' }],
    ['credentials', { headers: { authorization: 'Bearer x' } }],
    ['a cookie of a session', { headers: { cookie: 'wiki_session=1' } }],
    ['a HEAD', { method: 'HEAD' }],
  ])('has nothing for %s', (_, more) => {
    const cache = cacheOf()
    put(cache, get('/w/api.php?a=1', more), replyOf('mine'))
    expect(cache.get(get('/w/api.php?a=1'))).toBeUndefined()
    put(cache, get('/w/api.php?a=1'), replyOf('for all'))
    expect(cache.get(get('/w/api.php?a=1', more))).toBeUndefined()
  })

  it('reports an entry whose files have changed, and does not give it', async () => {
    const stale: string[] = []
    let unchanged = true
    const cache = cacheOf({ isUnchanged: () => unchanged, onStale: () => void stale.push('stale') })
    const request = get('/w/api.php?a=1')
    cache.put(request, replyOf('old'), { ignoreSpelling: true, signatures: [['a.json', [1, 2, 3, 4, 5]]] })
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(cache.get(request)).toEqual(replyOf('old'))
    await new Promise((resolve) => setTimeout(resolve, 150))
    unchanged = false
    expect(cache.get(request)).toBeUndefined()
    expect(stale).toEqual(['stale'])
  })
})

describe('a request that says the same', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (body: string, query = '', headers: IncomingRequest['headers'] = form): IncomingRequest =>
    get(`/w/api.php${query}`, { method: 'POST', headers, body: Buffer.from(body) })
  const first = get('/w/api.php?a=%D0%90&b=2')

  const same: readonly (readonly [string, IncomingRequest])[] = [
    ['in another order', get('/w/api.php?b=2&a=%D0%90')],
    ['with other escapes', get('/w/api.php?a=\u00d0\u0090&%62=2')],
    ['with duplicates of which the last counts', get('/w/api.php?a=x&b=2&a=%D0%90')],
    ['as a form', post('b=2&a=%d0%90')],
    ['half in the URL, half as a form', post('b=2', '?a=%D0%90&b=3')],
  ]

  it.each(same)('gets the same: %s', (_, exchange) => {
    const cache = cacheOf()
    put(cache, first, replyOf('known'))
    expect(cache.get(exchange)).toEqual(replyOf('known'))
    // Found by its own URL from now on.
    expect(cache.get(exchange)).toEqual(replyOf('known'))
  })

  it.each(same)('gets nothing where spelling counts: %s', (_, exchange) => {
    const cache = cacheOf()
    put(cache, first, replyOf('known'), false)
    expect(cache.get(exchange)).toBeUndefined()
    expect(cache.get(first)).toEqual(replyOf('known'))
    const strict = cacheOf({ manifest: () => ({ match: 'strict' }) })
    put(strict, first, replyOf('known'))
    expect(strict.get(exchange)).toBeUndefined()
    expect(strict.get(first)).toEqual(replyOf('known'))
  })

  it.each<[string, IncomingRequest]>([
    ['where the value is another', get('/w/api.php?b=2&a=%D0%91')],
    ['where bytes that are no UTF-8 differ', get('/w/api.php?b=2&a=%D1')],
    ['where a parameter more stands there', get('/w/api.php?b=2&a=%D0%90&c')],
    ['at another path', get('/api.php?b=2&a=%D0%90')],
    ['in a form that the wiki would not read', post('b=2&a=%D0%90', '', { 'content-type': 'text/plain' })],
    ['in a form that is encoded', post('b=2&a=%D0%90', '', { ...form, 'content-encoding': 'gzip' })],
    ['to nothing of the API', { ...post('b=2&a=%D0%90'), target: '/w/index.php' }],
  ])('gets nothing: %s', (_, exchange) => {
    const cache = cacheOf()
    put(cache, first, replyOf('known'))
    expect(cache.get(exchange)).toBeUndefined()
  })
})
