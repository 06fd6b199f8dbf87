/** Plain exchanges with a wiki that exists only in nock: it must be able to intercept http-proxy. */
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import nock from 'nock'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { faultOf, get, posting, textOf, upstreamAt } from './asking.ts'

const wiki = 'https://wiki.example'

beforeEach(() => nock.disableNetConnect())
afterEach(() => {
  nock.cleanAll()
  nock.enableNetConnect()
})

describe('an upstream in nock', () => {
  it('is asked over https, and its answer comes as values', async () => {
    nock(wiki).get('/w/api.php?action=query').reply(200, '{"batchcomplete":""}', {
      'Content-Type': 'application/json',
      'MediaWiki-API-Error': 'none'
    })
    const answer = await upstreamAt(wiki).ask(get('/w/api.php?action=query'))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('mediawiki-api-error')).toBe('none')
    expect(textOf(answer)).toBe('{"batchcomplete":""}')
  })

  it('gets the body of a POST with its length', async () => {
    nock(wiki, {
      reqheaders: {
        'content-length': '12',
        'content-type': 'application/x-www-form-urlencoded'
      }
    })
      .post('/w/api.php', 'action=query')
      .reply(200, 'ok')
    const request = posting('/w/api.php', 'action=query', {
      'content-type': 'application/x-www-form-urlencoded'
    })
    expect(textOf(await upstreamAt(wiki).ask(request))).toBe('ok')
  })

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync]
  ] as const)('is decoded where it sends %s', async (coding, encode) => {
    nock(wiki).get('/').reply(200, encode('Волга'), { 'Content-Encoding': coding })
    const answer = await upstreamAt(wiki).ask(get('/'))
    expect(textOf(answer)).toBe('Волга')
    expect(answer.headers.has('content-encoding')).toBe(false)
  })

  it('keeps every cookie apart, and joins other repeated headers', async () => {
    nock(wiki)
      .get('/')
      .reply(200, '', {
        'Set-Cookie': ['a=1; path=/', 'b=2'],
        Vary: ['Accept-Encoding', 'Cookie']
      })
    const answer = await upstreamAt(wiki).ask(get('/'))
    expect(answer.setCookies).toEqual(['a=1; path=/', 'b=2'])
    expect(answer.headers.get('vary')).toBe('Accept-Encoding, Cookie')
    expect(answer.headers.has('set-cookie')).toBe(false)
  })
})

describe('refusals of an upstream in nock', () => {
  it.each([301, 304, 403, 404, 429, 500, 503])(
    'passes status %i on as it is',
    async (status) => {
      nock(wiki).get('/').reply(status, '')
      expect((await upstreamAt(wiki).ask(get('/'))).status).toBe(status)
    }
  )

  it('is told, and does not wait, where a request is longer than nock 14 reads', async () => {
    nock(wiki).get(/./).times(2).reply(200, 'ok')
    const upstream = upstreamAt(wiki)
    expect(textOf(await upstream.ask(get(`/?${'x'.repeat(15_000)}`)))).toBe('ok')
    for (const request of [
      get(`/?${'x'.repeat(17_000)}`),
      get('/', { cookie: 'c'.repeat(17_000) })
    ])
      expect((await faultOf(upstream.ask(request))).message).toBe(
        'https://wiki.example: request not sent: URL and headers are longer than 16384 bytes, which nock 14 and msw cannot read; send the parameters as a POST, start Node with --max-http-header-size=131072, or use nock 15 in place of nock 14 (it needs Node.js 22)'
      )
  })

  it('is unreachable where nock lets nothing out, and says so', async () => {
    const fault = await faultOf(upstreamAt(wiki).ask(get('/')))
    expect(fault.message).toContain(wiki)
  })
})
