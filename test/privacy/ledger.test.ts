import { describe, expect, it } from 'vitest'
import { Ledger } from '../../src/privacy/ledger.ts'

const none = new Map<string, string>()
const learnt = (
  params: Readonly<Record<string, string>>,
  headers: readonly (readonly [string, string])[] = [],
) => {
  const ledger = new Ledger()
  ledger.learnFromRequest(new Map(Object.entries(params)), headers)
  return ledger
}
const session = '7v0kq3m5t9s1u2a4b6c8d0e2f4g6h8ij'
const password = 'Пар"ль & <1>\\/'

describe('a password', () => {
  const html = password
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
  it.each([
    ['in clear', password],
    ['percent-encoded', encodeURIComponent(password)],
    [
      'percent-encoded in lower case',
      encodeURIComponent(password).replace(/%../g, (code) => code.toLowerCase()),
    ],
    ['as form data', new URLSearchParams({ password }).toString()],
    ['in JSON', JSON.stringify({ password })],
    [
      'in JSON of ASCII',
      JSON.stringify({ password }).replace(/[\u0080-\uffff]/g, (c) => `\\u0${c.charCodeAt(0).toString(16)}`),
    ],
    ['in JSON of PHP', JSON.stringify({ password }).replaceAll('/', '\\/')],
    ['in HTML', html],
    ['in HTML in JSON', JSON.stringify(html)],
    ['in JSON in JSON', JSON.stringify(JSON.stringify(password))],
    ['in base64', Buffer.from(`Admin:${password}`).toString('base64')],
    ['in base64, moved by one', Buffer.from(`lAdmin:${password}!`).toString('base64')],
    ['in base64url', Buffer.from(`ldAdmin:${password}!`).toString('base64url')],
  ])('is found %s', (_, text) => {
    expect(learnt({ lgpassword: password }).leaks(`xx ${text} yy`)).toEqual([
      { kind: 'password', source: 'lgpassword' },
    ])
    expect(learnt({ lgpassword: password }).leaks(Buffer.from(text))).toHaveLength(1)
  })

  it.each(['a', 'пять5', '1234567890', 'password', '(secret)', ''])('%j blocks nothing', (lgpassword) => {
    expect(learnt({ lgpassword }).leaks(`a пять5 1234567890 password (secret) ${lgpassword}`)).toEqual([])
  })

  it('that is a word is found as a word', () => {
    const ledger = learnt({ wpPassword: 'secrets' })
    expect(ledger.leaks('secretsanta nosecrets')).toEqual([])
    for (const text of [
      'secrets',
      '"secrets"',
      'p%3Dsecrets%26',
      String.raw`\nsecrets\n`,
      String.raw`\u0022secrets`,
    ]) {
      expect(ledger.leaks(text)).toHaveLength(1)
    }
  })

  it('that is the name of the user cannot be watched for', () => {
    expect(learnt({ lgname: 'WikiSysop', lgpassword: 'WikiSysop' }).leaks('WikiSysop')).toEqual([])
  })

  it('is found that was sent as an array of PHP', () => {
    expect(learnt({ 'lgpassword[]': 'hunter2' }).leaks('hunter2')).toHaveLength(1)
  })

  it('of a bot is found without the name of the bot', () => {
    expect(learnt({ lgname: 'Admin', lgpassword: `bot@${session}` }).leaks(session)).toHaveLength(1)
  })
})

describe('headers', () => {
  it.each([
    ['Cookie', `ruUserName=Admin; ru_session=${session}`, session, 'cookie ru_session'],
    ['cookie', `x="${session}"`, session, 'cookie x'],
    ['Cookie', 'x=a%2Bb%2Fc1d2e3f4g5h6i7', 'a+b/c1d2e3f4g5h6i7', 'cookie x'],
    [
      'Authorization',
      `Basic ${Buffer.from('Admin:hunter2!').toString('base64')}`,
      'hunter2!',
      'authorization',
    ],
    ['Authorization', `Bearer ${session}`, session, 'authorization'],
    [
      'Authorization',
      `OAuth oauth_token="${session}", oauth_version="1.0"`,
      session,
      'authorization oauth_token',
    ],
    ['X-Auth-Token', session, session, 'x-auth-token'],
  ])('%s: %s', (name, value, secret, source) => {
    expect(learnt({}, [[name, value]]).leaks(`<${secret}>`)).toMatchObject([{ source }])
  })

  it.each([
    ['Cookie', 'ruUserName=Long_User_Name_2026; ruUserID=4711; centralauth_User=Long_User_Name_2026'],
    ['Cookie', 'VEE=visualeditor; ruLoggedOut=1795226065; seen=2026-11-21T01%3A54%3A25Z'],
    ['Accept', 'application/json;version=20261121abcdef'],
    [
      'Authorization',
      'OAuth oauth_signature_method="HMAC-SHA1", oauth_nonce="abcdef0123456789ab", oauth_version="1.0"',
    ],
    ['Cookie', '=; ; x'],
    ['Authorization', ''],
  ])('learns nothing from %s: %s', (name, value) => {
    const text =
      'Long_User_Name_2026 visualeditor 1795226065 2026-11-21T01:54:25Z abcdef0123456789ab HMAC-SHA1 4711'
    expect(learnt({}, [[name, value]]).leaks(text + value)).toEqual([])
  })
})

it('watches for what was redacted in answers', () => {
  const ledger = new Ledger()
  ledger.learnFromResponse([
    { kind: 'token', value: 'f3a9c0de11b24cd5e6f708192a3b4c5d6920f1ab+\\', source: 'csrftoken' },
    { kind: 'address', value: '203.0.113.7', source: 'userinfo' },
  ])
  expect(ledger.leaks('x%3Df3a9c0de11b24cd5e6f708192a3b4c5d6920f1ab%2B%5C')).toMatchObject([
    { source: 'csrftoken' },
  ])
  expect(ledger.leaks('User:203.0.113.7')).toMatchObject([{ source: 'userinfo' }])
  expect(ledger.leaks('203.0.113.77 1203.0.113.7')).toEqual([])
  expect(ledger.addresses()).toMatchObject([{ value: '203.0.113.7' }])
})

it('tells each secret once and never its value', () => {
  const leaks = learnt({ lgpassword: 'hunter2' }).leaks('hunter2 hunter2')
  expect(leaks).toHaveLength(1)
  expect(JSON.stringify(leaks)).not.toContain('hunter2')
})

it('remembers passwords and the newest secrets, and forgets the oldest beyond its memory', () => {
  const ledger = learnt({ lgpassword: 'hunter2!' })
  const made = (n: number): string => `f3a9c0de11b24cd5e6f708192a${String(n).padStart(6, '0')}+\\`
  for (let n = 0; n < 5000; n += 1)
    ledger.learnFromResponse([{ kind: 'token', value: made(n), source: String(n) }])
  expect(ledger.leaks('hunter2!')).toHaveLength(1)
  expect(ledger.leaks(made(4999))).toHaveLength(1)
  expect(ledger.leaks(made(0))).toEqual([])
  ledger.learnFromRequest(none, [])
})
