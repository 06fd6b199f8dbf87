/** The response cache: the reply that was put last for a request, or none. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ResponseCache } from '../../../../src/recorder/engine/cache/response-cache.ts'
import type {
  IncomingRequest,
  Reply
} from '../../../../src/recorder/http/incoming-request.ts'
import { parseRequestKey } from '../../../../src/recorder/request/request-key.ts'
import type { FileSignatures } from '../../../../src/recorder/store/files/change-detector.ts'
import type { Store } from '../../../../src/recorder/store/store.ts'

const get = (target: string, more: Partial<IncomingRequest> = {}): IncomingRequest => ({
  method: 'GET',
  target,
  headers: {},
  body: Buffer.alloc(0),
  session: '',
  signal: undefined,
  ...more
})

const replyOf = (text: string): Reply => ({
  status: 200,
  headers: [['content-type', 'application/json']],
  body: Buffer.from(text),
  cassetteStatus: 'replayed',
  key: parseRequestKey('0123456789ab')
})

/** @param store of whose files the replies are made; of none unless given */
const cacheOf = (
  bytes?: number,
  store: Partial<Store> = {},
  onChange = (): void => undefined
): ResponseCache => {
  const options = {
    store: { manifest: {}, ...store },
    sessions: { common: { writes: [] } }
  }
  const calls = { isForOtherWiki: () => false }
  return new ResponseCache(
    { ...options, readOnly: true } as never,
    calls as never,
    onChange,
    bytes
  )
}

const key = parseRequestKey('0123456789ab')
const put = (cache: ResponseCache, incoming: IncomingRequest, reply: Reply): void => {
  const call = { incoming, derivation: { effect: 'read', tokenTypes: new Map() } }
  cache.put(
    call as never,
    { reply, isCacheable: true, dependsOn: [key] } as never,
    cache.snapshot()
  )
}

describe('the response cache', () => {
  it('gives the reply that was put last, or none where the budget is spent', () => {
    const step = fc.record({
      target: fc.nat(12),
      text: fc.string({ minLength: 300, maxLength: 900 }),
      put: fc.boolean()
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 80 }), (steps) => {
        const cache = cacheOf(3000)
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
      })
    )
  })

  it.each<[string, Partial<IncomingRequest>]>([
    ['a session', { session: 'mine' }],
    ['credentials', { headers: { authorization: 'Bearer x' } }],
    ['a cookie of a session', { headers: { cookie: 'wiki_session=1' } }],
    ['a HEAD', { method: 'HEAD' }]
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
    const signaturesOf = (): FileSignatures => [['a.json', { id: '1', ctime: 5 }]]
    const store = { signaturesOf, isUnchanged: () => unchanged }
    const cache = cacheOf(undefined, store, () => void stale.push('stale'))
    const request = get('/w/api.php?a=1')
    put(cache, request, replyOf('old'))
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(cache.get(request)).toEqual(replyOf('old'))
    await new Promise((resolve) => setTimeout(resolve, 150))
    unchanged = false
    expect(cache.get(request)).toBeUndefined()
    expect(stale).toEqual(['stale'])
  })
})

describe('a form', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (
    body: string,
    query = '',
    headers: IncomingRequest['headers'] = form
  ): IncomingRequest =>
    get(`/w/api.php${query}`, { method: 'POST', headers, body: Buffer.from(body) })

  it('is found as it was sent', () => {
    const cache = cacheOf()
    put(cache, post('b=2&a=%D0%90', '?c=1'), replyOf('known'))
    expect(cache.get(post('b=2&a=%D0%90', '?c=1'))).toEqual(replyOf('known'))
  })

  it.each<[string, IncomingRequest]>([
    ['with another value', post('b=2&a=%D0%91')],
    ['with other bytes that are no UTF-8', post('b=2&a=\u00d1')],
    ['at another address', post('b=2&a=%D0%90', '?c')],
    [
      'that the wiki would not read',
      post('b=2&a=%D0%90', '', { 'content-type': 'text/plain' })
    ],
    [
      'that is encoded',
      post('b=2&a=%D0%90', '', { ...form, 'content-encoding': 'gzip' })
    ],
    ['in the URL', get('/w/api.php?b=2&a=%D0%90')]
  ])('is another one: %s', (_, exchange) => {
    const cache = cacheOf()
    put(cache, post('b=2&a=%D0%90'), replyOf('known'))
    expect(cache.get(exchange)).toBeUndefined()
  })
})
