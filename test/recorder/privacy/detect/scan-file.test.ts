import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DetectedSecret } from '../../../../src/recorder/privacy/detect/detected-secret.ts'
import { scanFile } from '../../../../src/recorder/privacy/detect/scan-file.ts'
import { redactResponse } from '../../../../src/recorder/privacy/redact/redact-response.ts'
import { rounds } from '../../../helpers/scale.ts'
import { answer, cookie, fileOf, json, page } from '../answers.ts'

const scan = (
  content: string | Uint8Array,
  name = 'query/a.0123456789ab.json'
): readonly DetectedSecret[] => scanFile(name, content)
const digits = 'f3a9c0de11b24cd5e6f708192a3b4c5d6920f1ab'
const session = '7v0kq3m5t9s1u2a4b6c8d0e2f4g6h8ij'
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.c2lnbmF0dXJlLWhlcmU'
const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64')

describe('planted in JSON', () => {
  it('is found among others as it is found by itself', () => {
    const names = fc.constantFrom(
      'title',
      'lgtoken',
      'api_key',
      'cookie',
      'base64',
      'comment'
    )
    const values = fc.constantFrom(
      ...[
        'Волга',
        'A 1',
        'x=y',
        `${digits}+\\`,
        session,
        jwt,
        `?token=${session}`,
        'hunter2 hunter2'
      ],
      ...[
        '[1]',
        `{"lgtoken":"${session}"}`,
        base64(`lgpassword=${session}&a=b`),
        'https://u:secret77@x/'
      ]
    )
    const members = fc.uniqueArray(fc.tuple(names, values), {
      selector: ([name]) => name
    })
    fc.assert(
      fc.property(fc.array(members, { maxLength: 4 }), (rows) => {
        const found = (value: unknown): readonly string[] =>
          scan(JSON.stringify(value)).map(
            ({ where, kind, digest: one }) => `${where} ${kind} ${one}`
          )
        const apart = rows.flatMap((row, at) =>
          row.flatMap(([name, value]) => {
            const others = Array.from({ length: at }, () => ({}))
            return found({ rows: [...others, { [name]: value }] })
          })
        )
        expect(
          [...found({ rows: rows.map((row) => Object.fromEntries(row)) })].sort()
        ).toEqual([...apart].sort())
      }),
      { numRuns: rounds(500) }
    )
  })

  it.each<readonly [string, string, unknown]>([
    [
      'query.tokens.csrftoken',
      'token',
      { query: { tokens: { csrftoken: `${digits}+\\` } } }
    ],
    ['a[1].text', 'token', { a: [0, { text: `<a href="?t=${digits}%2B%5C">` }] }],
    ['login.sessionid', 'session', { login: { sessionid: session } }],
    ['lgpassword', 'password', { lgpassword: 'hunter2' }],
    ['password', 'password', { password: 'correct horse battery' }],
    [
      'headers.Authorization',
      'credentials',
      { headers: { Authorization: 'Bearer abcdef' } }
    ],
    [
      'headers.cookie[0]',
      'credentials',
      { headers: { cookie: [`ru_session=${session}`] } }
    ],
    [
      'headers[0].value',
      'credentials',
      { headers: [{ name: 'Set-Cookie', value: `a=${session}; path=/` }] }
    ],
    [
      'cookies[0].value',
      'cookie',
      { cookies: [{ name: 'mystery', value: 'master', attributes: ['path=/'] }] }
    ],
    ['cookies[0]', 'cookie', { cookies: ['ru_session=abcdef; path=/'] }],
    [
      'postData.text',
      'password',
      { postData: { text: 'action=login&lgname=A&lgpassword=hunter2&x=' } }
    ],
    [
      'postData.text',
      'password',
      { postData: { text: 'lgpassword=hunter2&action=login' } }
    ],
    [
      'postData.text.lgpassword',
      'password',
      { postData: { text: '{"lgpassword":"hunter2"}' } }
    ],
    [
      'url',
      'password',
      { url: 'https://wiki.test/w/api.php?action=login&lgpassword=hunter2' }
    ],
    ['url', 'credentials', { url: 'see https://user:pass@wiki.test/w/api.php' }],
    ['upstream', 'credentials', { upstream: 'http://user:pass@wiki.test' }],
    ['x', 'oauth', { x: `token is ${jwt}.` }],
    ['x', 'oauth', { x: `Authorization: Bearer ${session}` }],
    ['x', 'oauth', { x: `Authorization: Basic ${base64('Admin:hunter2')}` }],
    [
      'x',
      'oauth',
      { x: `OAuth oauth_consumer_key="a", oauth_signature="Zm9vYmFy0123Zm9vYmFy0123" ` }
    ],
    ['x', 'session', { x: `Cookie: ruUserID=1; ru_session=${session}` }],
    ['x', 'session', { x: `Set-Cookie: ru_session=${session}; path=/` }],
    ['x', 'private-key', { x: '-----BEGIN RSA PRIVATE KEY-----\nMIIE' }],
    ['x', 'session', { x: `<strong>${session}</strong>` }],
    ['client_secret', 'oauth', { client_secret: 'A1b2C3d4E5f6G7h8' }],
    ['x-api-key', 'credentials', { 'x-api-key': 'A1b2C3d4E5f6G7h8' }],
    ['user.email', 'email', { user: { email: 'alice@wiki.test' } }],
    ['["a b"].emailaddress', 'email', { 'a b': { emailaddress: 'alice@wiki.test' } }],
    [
      'body.base64.csrftoken',
      'token',
      { body: { base64: base64(`{"csrftoken":"${digits}+\\\\"}`) } }
    ],
    [
      'base64.lgpassword',
      'password',
      { base64: base64(gzipSync('{"lgpassword":"hunter2"}')) }
    ],
    [
      'base64.lgpassword',
      'password',
      { base64: base64(deflateSync('{"lgpassword":"hunter2"}')) }
    ],
    [
      'base64.lgpassword',
      'password',
      { base64: base64(brotliCompressSync('{"lgpassword":"hunter2"}')) }
    ],
    [
      'x',
      'password',
      { x: `data:text/plain;base64,${base64('?lgname=Admin&lgpassword=hunter2&')}` }
    ],
    [
      'x',
      'password',
      { x: `zip ${base64(gzipSync('?lgname=Admin&lgpassword=hunter2&'))}` }
    ]
  ])('%s: %s', (where, kind, value) => {
    const found = scan(JSON.stringify(value, undefined, 2))
    expect(found).toMatchObject([{ where, kind }])
    expect(found[0]?.excerpt).not.toMatch(/hunter2|v0kq3m5t9s1|9c0de11b2/)
  })
})

describe('planted elsewhere', () => {
  it('is told by its line in text', () => {
    expect(scan(`one\ntwo\nx <a href="?token=${digits}%2B%5C">\n`)).toMatchObject([
      { where: 'line 3', kind: 'token' }
    ])
  })

  it('is found in binary files, compressed or not', () => {
    const text = `GET / HTTP/1.1\r\nCookie: ru_session=${session}\r\n`
    expect(scan(Buffer.from(text))).toMatchObject([{ where: 'line 2', kind: 'session' }])
    expect(
      scan(Buffer.concat([Buffer.of(0xff, 0, 0x80), Buffer.from(text)]))
    ).toHaveLength(1)
    expect(scan(gzipSync(text))).toMatchObject([{ where: 'line 2', kind: 'session' }])
    expect(scan(brotliCompressSync(text))).toHaveLength(1)
  })

  it('is found in the name of the file', () => {
    expect(
      scan('{}', 'login/lgname=A,lgpassword=hunter2.0123456789ab.json')
    ).toMatchObject([{ where: 'file name', kind: 'password' }])
    expect(
      scan('{}', 'login/lgname=A,lgpassword=_secret_,lgtoken=_token_.0123456789ab.json')
    ).toEqual([])
  })

  it('is masked but for its ends', () => {
    const [found] = scan(JSON.stringify({ csrftoken: `${digits}+\\` }))
    expect(found?.excerpt).toBe('f3a9…ab+\\')
    expect(scan(JSON.stringify({ password: 'hunter2' }))[0]?.excerpt).toBe('…')
  })

  it('does not follow what is packed for ever', () => {
    const wrapped = (times: number): Uint8Array =>
      gzipSync(times === 1 ? '?lgpassword=hunter2&' : wrapped(times - 1))
    expect([1, 4, 5].map((times) => scan(wrapped(times)).length)).toEqual([1, 1, 0])
  })
})

describe('no alarm', () => {
  it.each<unknown>([
    {
      csrftoken: `${'0'.repeat(40)}+\\`,
      watchtoken: '+\\',
      sessionid: 'redacted-session',
      lgtoken: ''
    },
    {
      request: {
        lgpassword: '(secret)',
        lgtoken: '(token)',
        token: '(anonymous token)',
        retype: '(empty)'
      }
    },
    {
      cookies: [
        { name: 'a', value: '' },
        { name: 'b', value: 'deleted' },
        { name: 'cLoggedOut', value: '(now)' }
      ]
    },
    { cookies: ['chocolate'], cookie: 'Печенье', authorization: 'Авторизация' },
    {
      email: 'redacted@example.invalid',
      disableemail: '',
      emailauthenticated: '2026-11-21T01:54:25Z'
    },
    {
      imageinfo: [{ sha1: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' }],
      rev: 'phoiac9h4m842xq45sp7s6u21eteeq1'
    },
    {
      cmcontinue: 'page|3237294f2d4545042d433f37294f01160dc4dc1901dcbedc0c|1234',
      base: 'ltp40rxqsmeme6m80zgz0jgk'
    },
    {
      key: 'wiki143:pcache:idhash:55-0!canonical',
      etag: 'W/"55/b4f1c2aa-1f5d-11ef-8a4c-0242ac120002"'
    },
    {
      text: '<li id="toclevel-1_tocsection-12" class="mw-heading2" data-mw-deduplicate="TemplateStyles:r1234567">'
    },
    {
      text: `<img src="data:image/png;base64,${base64(Uint8Array.from({ length: 300 }, (_, at) => (at * 37) % 256))}">`
    },
    { text: 'Съешь же ещё этих мягких французских булок, да выпей чаю. '.repeat(200) },
    {
      paraminfo: {
        examples: [
          { query: 'action=login&lgname=user&lgpassword=qwertyuiop&lgtoken=123ABC' }
        ]
      }
    },
    {
      help: '<a href="api.php?action=login&amp;lgname=user&amp;lgpassword=password&amp;lgtoken=123ABC">'
    },
    {
      url: 'http://wiki.test/wiki/Special:Search?search=token%3Dabc&intoken=edit&uselang=ru'
    },
    {
      code: 'var token = mw.user.tokens.get("csrfToken"); basic information; bearer of good news'
    },
    {
      server: 'http://127.0.0.1:8143',
      articlepath: '/wiki/$1',
      url: 'mailto:a@b.test http://a.b/c:d@e'
    }
  ])('%j', (value) => {
    expect(scan(JSON.stringify(value, undefined, 2))).toEqual([])
  })
})

it('finds nothing in what the redaction wrote', () => {
  const value = {
    login: { sessionid: session, token: `${digits}+\\` },
    email: 'a@b.test',
    userinfo: { name: '203.0.113.7' }
  }
  const cookies = ['ru_session', 'ruUserID', 'ruToken', 'x'].map((name) =>
    cookie(name, session)
  )
  const headers = { location: `https://u:pass@wiki.test/?token=${digits}%2B%5C` }
  expect(
    scan(fileOf(redactResponse(answer(json(value), headers, cookies)).response))
  ).toEqual([])
  const html = `<input name="wpEditToken" value="${digits}+\\">{"csrfToken":"${digits}+\\\\"}`
  expect(scan(fileOf(redactResponse(page(html)).response))).toEqual([])
})
