/** Answers that say how the wiki felt, or that are broken: passed on as they are, reported, never recorded. */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { countsText } from '../../../../src/recorder/engine/run-summary.ts'
import { description, type FakeAnswer, fakeWiki } from '../../../helpers/fake-wiki.ts'
import { filesIn, interactionFiles } from '../../../helpers/folders.ts'
import { ask, post } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'
import { httpStandIn } from '../../../helpers/upstreams.ts'

const query = '?action=query&format=json&list=allpages&apfrom=A'
const html = { 'content-type': 'text/html; charset=utf-8' }
const error = (code: string): string => JSON.stringify({ error: { code, info: 'later' } })

const passing: readonly (readonly [string, FakeAnswer, string])[] = [
  [
    'lag',
    {
      body: error('maxlag'),
      headers: { 'mediawiki-api-error': 'maxlag', 'retry-after': '5' }
    },
    'the error "maxlag"'
  ],
  ['lag without its header', error('maxlag'), 'the error "maxlag"'],
  [
    'lag, spelled in a way of its own',
    '{"\\u0065rror":{"code":"maxlag"}}',
    'the error "maxlag"'
  ],
  ['a rate limit', error('ratelimited'), 'the error "ratelimited"'],
  ['read-only', error('readonly'), 'the error "readonly"'],
  [
    'an exception',
    error('internal_api_error_DBQueryError'),
    'the error "internal_api_error_DBQueryError"'
  ],
  [
    'status 429',
    { status: 429, body: 'slow down', headers: { 'retry-after': '1' } },
    'HTTP status 429'
  ],
  ['status 500', { status: 500, body: '{"query":{}}' }, 'HTTP status 500'],
  [
    'status 503 with HTML',
    { status: 503, body: '<h1>busy', headers: html },
    'HTTP status 503'
  ],
  [
    'HTML with status 200',
    { body: '<h1>Log in to the hotel', headers: html },
    'a page of text/html (status 200)'
  ],
  [
    'HTML with status 403',
    { status: 403, body: '<h1>Blocked', headers: html },
    'a page of text/html (status 403)'
  ],
  [
    'a User-Agent policy',
    {
      status: 403,
      body: 'Please set a user-agent and respect our robot policy https://w.wiki/4wJS. See also https://phabricator.wikimedia.org/T400119.\n',
      headers: { 'content-type': 'text/plain' }
    },
    'a page of text/plain (status 403) where the API\'s JSON was expected: "Please set a user-agent and respect'
  ],
  [
    'a challenge',
    {
      status: 403,
      body: '<!DOCTYPE html><html><head><title>Just a moment...</title><script>let x = "<p>"</script></head></html>',
      headers: { ...html, 'cf-mitigated': 'challenge' }
    },
    '(status 403) where the API\'s JSON was expected: "Just a moment..."'
  ],
  [
    'a redirect',
    {
      status: 301,
      body: '',
      headers: { ...html, location: 'https://wiki.example/start' }
    },
    'a redirect (status 301) to https://wiki.example/start'
  ],
  [
    'a login wall',
    {
      status: 302,
      body: '<a href="/sso">',
      headers: { ...html, location: 'https://sso.example/?token=s3cr3tvalue99' }
    },
    'a redirect (status 302) to https://sso.example/'
  ],
  [
    'a page that is not there',
    { status: 404, body: '<h1>Not Found', headers: html },
    'a page of text/html (status 404)'
  ],
  [
    'the JSON of a portal',
    { status: 403, body: '{"message":"Forbidden"}' },
    'JSON that is not an API error (status 403)'
  ],
  [
    'a PDF',
    { body: '%PDF-1.4', headers: { 'content-type': 'application/pdf' } },
    'a page of application/pdf (status 200)'
  ],
  ['truncated JSON', '{"query":{"pages":', 'expected JSON, but at line 1'],
  ['no JSON at all', 'Fatal error: Allowed memory size', 'expected JSON, but at line 1'],
  ['an empty body', '', 'expected JSON, but at line 1']
]

describe('an answer that must not be recorded', () => {
  it.each(passing)(
    '%s: is passed on byte for byte and reported',
    async (_, answer, why) => {
      const wiki = await fakeWiki(() => answer)
      const proxy = await startProxy(wiki.api)
      const reply = await ask(proxy.api + query)
      const sent =
        typeof answer === 'string'
          ? { status: 200, body: answer }
          : { status: 200, ...answer }
      expect([reply.status, reply.text]).toEqual([sent.status, sent.body])
      expect(reply.headers['x-cassette-status']).toBe('passthrough')
      await proxy.close()
      expect(interactionFiles(proxy.cassette)).toEqual([])
      const told = proxy.reports.filter((line) =>
        line.startsWith('not recorded, passed on: ')
      )
      expect(told).toHaveLength(1)
      expect(told[0]).toMatch(/^not recorded, passed on: list allpages, apfrom=A: /)
      expect(proxy.reports.join()).toContain(why)
      expect(proxy.rack.counts()).toMatchObject({
        passedThrough: 1,
        recorded: 0,
        liveRequests: 3
      })
    }
  )

  it('keeps Retry-After for the client', async () => {
    const wiki = await fakeWiki(() => ({
      status: 429,
      body: 'slow down',
      headers: { 'retry-after': '7' }
    }))
    const proxy = await startProxy(wiki.api)
    expect((await ask(proxy.api + query)).headers['retry-after']).toBe('7')
  })

  it('is told with its module alone where the request contains a secret in plain text', async () => {
    const wiki = await fakeWiki((params) =>
      params.get('action') === 'login'
        ? '{"login":{"result":"Failed"}}'
        : { status: 503, body: 'down' }
    )
    const proxy = await startProxy(wiki.api)
    const secret = 'k83hd7fhs82hf7s'
    await post(proxy.api, `action=login&lgname=Bob&lgpassword=${secret}&format=json`)
    await ask(`${proxy.api}${query}&apprefix=${secret}`)
    expect(proxy.reports.join('\n')).toContain(
      'not recorded, passed on: query.allpages: HTTP status 503'
    )
    expect(proxy.reports.join('\n')).not.toContain(secret)
  })
})

describe('an answer that is not recorded, and the cassette', () => {
  it('is counted apart where the wiki wants to be left alone', async () => {
    const answers: FakeAnswer[] = [
      { status: 429, body: 'slow down' },
      { status: 200, body: error('maxlag') },
      { status: 403, body: '<html>no</html>', headers: { 'content-type': 'text/html' } }
    ]
    const wiki = await fakeWiki(() => answers.shift() ?? '{"query":{}}')
    const proxy = await startProxy(wiki.api)
    for (let at = 0; at < 4; at += 1) await ask(proxy.api + query)
    const counts = proxy.rack.counts()
    expect(counts).toMatchObject({ passedThrough: 3, overloaded: 2, recorded: 1 })
    expect(countsText(counts)).toContain(
      'passed through 3 (2 of them limits, lag or maintenance), live requests'
    )
  })

  it('does not take the place of one that was recorded earlier', async () => {
    let answer: FakeAnswer = '{"query":{}}'
    const wiki = await fakeWiki(() => answer)
    const proxy = await startProxy(wiki.api, { mode: 'all' })
    await ask(proxy.api + query)
    const before = filesIn(proxy.cassette)
    for (const [, bad] of passing) {
      answer = bad
      await ask(proxy.api + query)
    }
    expect(filesIn(proxy.cassette)).toEqual(before)
  })

  it('is recorded after all with --record-errors, as far as it is whole', async () => {
    const wiki = await fakeWiki(() => ({ status: 503, body: error('readonly') }))
    const proxy = await startProxy(wiki.api, { recordErrors: true })
    await ask(proxy.api + query)
    await proxy.close()
    const replay = await startProxy(undefined, { cassette: proxy.cassette })
    const reply = await ask(replay.api + query)
    expect([reply.status, reply.text]).toEqual([503, error('readonly')])
  })

  it('errors of the API that say something of the request are recorded like any answer', async () => {
    const wiki = await fakeWiki(() => ({
      body: error('nosuchuser'),
      headers: { 'mediawiki-api-error': 'nosuchuser' }
    }))
    const proxy = await startProxy(wiki.api)
    expect((await ask(proxy.api + query)).headers['x-cassette-status']).toBe('recorded')
  })
})

describe('what is the API’s own, whatever its status and form', () => {
  const recorded = async (
    asked: string,
    answer: FakeAnswer
  ): Promise<readonly unknown[]> => {
    const proxy = await startProxy((await fakeWiki(() => answer)).api)
    const reply = await ask(proxy.api + asked)
    return [reply.status, reply.headers['x-cassette-status']]
  }
  const json = (code: string): string =>
    JSON.stringify({ errors: [{ code, text: 'no' }] })

  it.each([
    [
      query,
      { status: 401, body: error('mwoauth-invalid-authorization') },
      [401, 'recorded']
    ],
    [
      `${query}&errorformat=plaintext`,
      { status: 403, body: json('badtoken') },
      [403, 'recorded']
    ],
    [
      `${query}&callback=f`,
      {
        status: 400,
        body: `/**/f(${error('badtoken')})`,
        headers: { 'content-type': 'text/javascript' }
      },
      [400, 'recorded']
    ],
    ['?action=help', { body: '<h1>Help', headers: html }, [200, 'recorded']],
    [
      '?action=query&format=xml',
      { body: '<api/>', headers: { 'content-type': 'text/xml' } },
      [200, 'recorded']
    ],
    [
      '?action=query&format=xmlfm',
      { body: '<pre>&lt;api/>', headers: html },
      [200, 'recorded']
    ],
    [
      '?action=feedrecentchanges&format=json',
      { body: '<rss/>', headers: { 'content-type': 'application/rss+xml' } },
      [200, 'recorded']
    ],
    [
      '?action=query&format=xml',
      { body: '<h1>Log in', headers: html },
      [200, 'passthrough']
    ],
    [
      '?action=query&format=xmlfm',
      { body: '<h1>Log in', headers: html },
      [200, 'passthrough']
    ],
    [
      '?action=query&format=xml',
      { status: 403, body: 'no', headers: { 'content-type': 'text/plain' } },
      [403, 'passthrough']
    ]
  ] as const)('%s %j: %j', async (asked, answer, expected) => {
    expect(await recorded(asked, answer)).toEqual(expected)
  })

  it('a page of the wiki itself may be missing or forbidden; a challenge in its place is not kept', async () => {
    const page = { status: 404, body: '<h1>There is no text', headers: html }
    let answer: FakeAnswer = page
    const proxy = await startProxy((await fakeWiki(() => answer)).api)
    const status = async (path: string) =>
      (await ask(proxy.origin + path)).headers['x-cassette-status']
    expect(await status('/wiki/A')).toBe('recorded')
    answer = { ...page, status: 403, headers: { ...html, 'cf-mitigated': 'challenge' } }
    expect(await status('/wiki/B')).toBe('passthrough')
  })
})

describe('a wiki that fails while it is asked what its modules are like', () => {
  it('is not taken for one that refuses: nothing is recorded until it has answered', async () => {
    let busy = true
    const wiki = await httpStandIn(({ target }, response) => {
      const described = description(
        new URLSearchParams(
          target.slice(target.indexOf('?') + 1)
        ) as unknown as ReadonlyMap<string, string>
      )
      const failing = busy && described !== undefined
      response.writeHead(failing ? 503 : 200, {
        'content-type': failing ? 'text/html' : 'application/json'
      })
      response.end(failing ? '<h1>busy' : (described ?? '{"query":{}}'))
    })
    const proxy = await startProxy(`${wiki.origin}/w/api.php`)
    const first = await ask(proxy.api + query)
    expect([first.status, first.text, first.headers['x-cassette-status']]).toEqual([
      200,
      '{"query":{}}',
      'passthrough'
    ])
    expect(proxy.reports.join()).toContain(
      "the wiki's module descriptions are not recorded yet: HTTP status 503"
    )
    busy = false
    expect((await ask(proxy.api + query)).headers['x-cassette-status']).toBe('recorded')
    await proxy.close()
    const text = filesIn(proxy.cassette).get('cassette.json') ?? ''
    expect(text).not.toContain('describesItself')
    expect(filesIn(proxy.cassette).has('paraminfo/query+allpages.json')).toBe(true)
  })

  it('that refuses for good is recorded by shipped descriptions, which the cassette keeps', async () => {
    const refusal = JSON.stringify({ error: { code: 'readapidenied', info: 'no' } })
    const wiki = await httpStandIn(({ target }, response) => {
      const refused =
        target.includes('action=paraminfo') || target.includes('meta=siteinfo')
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(refused ? refusal : '{"query":{}}')
    })
    const proxy = await startProxy(`${wiki.origin}/w/api.php`)
    const replies = [
      await ask(proxy.api + query),
      await ask(`${proxy.api}?list=allpages&apfrom=A&action=query&format=json`)
    ]
    expect(replies.map(({ headers }) => headers['x-cassette-status'])).toEqual([
      'recorded',
      'replayed'
    ])
    const kept = filesIn(proxy.cassette).get('paraminfo/query+allpages.json') ?? ''
    expect(kept).toContain('"describedby": "wikitape"')
    expect(kept).toContain('"dynamicparameters": true')
  })
})

describe('a wiki that cannot be asked', () => {
  it.each([
    [
      'resets',
      (socket: { destroy: () => unknown }) => socket.destroy(),
      'closed the connection without an answer'
    ]
  ])(
    '%s: is a 502 in the API’s form, told, and the next request is served',
    async (_, talk, info) => {
      let broken = true
      const wiki = await fakeWiki((_params, _seen, response) => {
        if (!broken) return '{"query":{}}'
        if (response.socket !== null) talk(response.socket)
        return 'taken'
      })
      const proxy = await startProxy(wiki.api)
      const reply = await ask(proxy.api + query)
      expect([reply.status, reply.headers['mediawiki-api-error']]).toEqual([
        502,
        'upstream-failed'
      ])
      expect(reply.text).toContain(info)
      broken = false
      expect((await ask(proxy.api + query)).headers['x-cassette-status']).toBe('recorded')
      expect(proxy.rack.exitCode()).toBe(3)
    }
  )

  it('keeps what is secret in a URL out of what it reports', async () => {
    const wiki = await fakeWiki()
    const proxy = await startProxy(wiki.api)
    await wiki.close()
    await ask(
      `${proxy.api}?action=login&format=json&lgname=Bob&lgpassword=hunter2-secret`
    )
    expect(proxy.reports.length).toBeGreaterThan(0)
    expect(proxy.reports.join()).not.toContain('hunter2-secret')
  })

  it('a body that is gzip by name only is a 502', async () => {
    const wiki = await fakeWiki(() => ({
      body: gzipSync('{}').subarray(0, 9),
      headers: { 'content-encoding': 'gzip' }
    }))
    const proxy = await startProxy(wiki.api)
    const reply = await ask(proxy.api + query)
    expect([reply.status, reply.text]).toEqual([
      502,
      expect.stringContaining('cannot be decoded')
    ])
    expect(filesIn(proxy.cassette).size).toBeGreaterThan(0)
    expect(interactionFiles(proxy.cassette)).toEqual([])
  })
})
