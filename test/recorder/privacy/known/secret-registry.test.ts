import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  maxSecrets,
  SecretRegistry
} from '../../../../src/recorder/privacy/known/secret-registry.ts'
import { isFoundInContent } from '../../../../src/recorder/privacy/secrets/secret.ts'

const learnt = (
  params: Readonly<Record<string, string>>,
  headers: readonly (readonly [string, string])[] = []
) => {
  const ledger = new SecretRegistry()
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
      encodeURIComponent(password).replace(/%../g, (code) => code.toLowerCase())
    ],
    ['as form data', new URLSearchParams({ password }).toString()],
    ['in JSON', JSON.stringify({ password })],
    [
      'in JSON of ASCII',
      JSON.stringify({ password }).replace(
        /[\u0080-\uffff]/g,
        (c) => `\\u0${c.charCodeAt(0).toString(16)}`
      )
    ],
    ['in JSON of PHP', JSON.stringify({ password }).replaceAll('/', '\\/')],
    ['in HTML', html],
    ['in HTML in JSON', JSON.stringify(html)],
    ['in JSON in JSON', JSON.stringify(JSON.stringify(password))],
    ['in base64', Buffer.from(`Admin:${password}`).toString('base64')],
    ['in base64, moved by one', Buffer.from(`lAdmin:${password}!`).toString('base64')],
    ['in base64url', Buffer.from(`ldAdmin:${password}!`).toString('base64url')]
  ])('is found %s', (_, text) => {
    expect(learnt({ lgpassword: password }).findLeaks(`xx ${text} yy`)).toEqual([
      { kind: 'password', source: 'lgpassword' }
    ])
    expect(learnt({ lgpassword: password }).findLeaks(Buffer.from(text))).toHaveLength(1)
  })

  it.each(['a', 'пять5', '1234567890', 'password', '(secret)', ''])(
    '%j blocks nothing',
    (lgpassword) => {
      expect(
        learnt({ lgpassword }).findLeaks(
          `a пять5 1234567890 password (secret) ${lgpassword}`
        )
      ).toEqual([])
    }
  )

  it('that is a word is found as a word', () => {
    const ledger = learnt({ wpPassword: 'secrets' })
    expect(ledger.findLeaks('secretsanta nosecrets')).toEqual([])
    for (const text of [
      'secrets',
      '"secrets"',
      'p%3Dsecrets%26',
      String.raw`\nsecrets\n`,
      String.raw`\u0022secrets`
    ]) {
      expect(ledger.findLeaks(text)).toHaveLength(1)
    }
  })

  it('that is the name of the user cannot be watched for', () => {
    expect(
      learnt({ lgname: 'WikiSysop', lgpassword: 'WikiSysop' }).findLeaks('WikiSysop')
    ).toEqual([])
  })

  it('is found that was sent as an array of PHP', () => {
    expect(learnt({ 'lgpassword[]': 'hunter2' }).findLeaks('hunter2')).toHaveLength(1)
  })

  it('of a bot is found without the name of the bot', () => {
    expect(
      learnt({ lgname: 'Admin', lgpassword: `bot@${session}` }).findLeaks(session)
    ).toHaveLength(1)
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
      'authorization'
    ],
    ['Authorization', `Bearer ${session}`, session, 'authorization'],
    [
      'Authorization',
      `OAuth oauth_token="${session}", oauth_version="1.0"`,
      session,
      'authorization oauth_token'
    ],
    ['X-Auth-Token', session, session, 'x-auth-token']
  ])('%s: %s', (name, value, secret, source) => {
    expect(learnt({}, [[name, value]]).findLeaks(`<${secret}>`)).toMatchObject([
      { source }
    ])
  })

  it.each([
    [
      'Cookie',
      'ruUserName=Long_User_Name_2026; ruUserID=4711; centralauth_User=Long_User_Name_2026'
    ],
    ['Cookie', 'VEE=visualeditor; ruLoggedOut=1795226065; seen=2026-11-21T01%3A54%3A25Z'],
    ['Accept', 'application/json;version=20261121abcdef'],
    [
      'Authorization',
      'OAuth oauth_signature_method="HMAC-SHA1", oauth_nonce="abcdef0123456789ab", oauth_version="1.0"'
    ],
    ['Cookie', '=; ; x'],
    ['Authorization', '']
  ])('learns nothing from %s: %s', (name, value) => {
    const text =
      'Long_User_Name_2026 visualeditor 1795226065 2026-11-21T01:54:25Z abcdef0123456789ab HMAC-SHA1 4711'
    expect(learnt({}, [[name, value]]).findLeaks(text + value)).toEqual([])
  })
})

it('watches for what was redacted in answers', () => {
  const ledger = new SecretRegistry()
  ledger.learnFromResponse([
    {
      kind: 'token',
      value: 'f3a9c0de11b24cd5e6f708192a3b4c5d6920f1ab+\\',
      source: 'csrftoken'
    },
    { kind: 'address', value: '203.0.113.7', source: 'userinfo' }
  ])
  expect(
    ledger.findLeaks('x%3Df3a9c0de11b24cd5e6f708192a3b4c5d6920f1ab%2B%5C')
  ).toMatchObject([{ source: 'csrftoken' }])
  expect(ledger.findLeaks('User:203.0.113.7')).toMatchObject([{ source: 'userinfo' }])
  expect(ledger.findLeaks('203.0.113.77 1203.0.113.7')).toEqual([])
  expect(ledger.callerIdentifiers()).toMatchObject([{ value: '203.0.113.7' }])
})

it('tells each secret once and never its value', () => {
  const leaks = learnt({ lgpassword: 'hunter2' }).findLeaks('hunter2 hunter2')
  expect(leaks).toHaveLength(1)
  expect(JSON.stringify(leaks)).not.toContain('hunter2')
})

it('forgets none of ten thousand secrets', () => {
  const ledger = learnt({ lgpassword: 'hunter2!' })
  const made = (n: number): string =>
    `f3a9c0de11b24cd5e6f708192a${String(n).padStart(6, '0')}+\\`
  for (let n = 0; n < 10_000; n += 1)
    ledger.learnFromResponse([{ kind: 'token', value: made(n), source: String(n) }])
  expect(ledger.findLeaks('hunter2!')).toHaveLength(1)
  for (const n of [0, 1, 4999, 9999])
    expect(ledger.findLeaks(`x${made(n)}`)).toEqual([
      { kind: 'token', source: String(n) }
    ])
  expect(ledger.isFull).toBe(false)
})

it('lets nothing be written once it holds as many secrets as it can watch for', () => {
  const ledger = new SecretRegistry()
  for (let n = 0; n < maxSecrets; n += 1)
    ledger.learn([{ kind: 'password', value: String(1_000_000 + n), source: 'pin' }])
  expect(ledger.isFull).toBe(true)
})

describe('a short secret or a number', () => {
  it.each([
    ['12345', '"x": 12345,'],
    ['12345', '["12345"]'],
    ['12345', '?a=b&pin=12345&c'],
    ['12345', 'pin%3D12345%26'],
    ['12345', '<p>12345</p>'],
    ['12345', '<a b="12345"/>'],
    ['12345', 'Wrong PIN &quot;12345&quot;.'],
    ['12345', `"${Buffer.from('12345').toString('base64')}"`],
    ['a1b2', '{"x":"a1b2"}'],
    ['1234567890', '{"x":1234567890}']
  ])('%s stops as a whole value: %s', (pin, text) => {
    expect(learnt({ pin }).findLeaks(text)).toEqual([{ kind: 'password', source: 'pin' }])
  })

  it.each([
    ['12345', '"x": 123456, "y": 912345'],
    ['12345', '2026-11-21T12:34:56Z 12345.5 1.12345'],
    ['12345', 'A town of 12345 people.'],
    ['12345', '"P12345"'],
    ['123', '"123"']
  ])('%s is nothing in %s', (pin, text) => {
    expect(learnt({ pin }).findLeaks(text)).toEqual([])
  })
})

describe('whatever was done to a secret on its way', () => {
  const secret = 'Zx7-pelican_Qr42'
  const units = (text: string): string[] =>
    [...text].map((one) => one.charCodeAt(0).toString(16).padStart(4, '0'))
  const full = [...Buffer.from(secret)].map((byte) => `%${byte.toString(16)}`).join('')
  const base64 = (text: string | Uint8Array): string =>
    Buffer.from(text).toString('base64')
  it.each<readonly [string, string | Uint8Array]>([
    [
      'JSON escapes of plain letters',
      units(secret)
        .map((unit) => `\\u${unit}`)
        .join('')
    ],
    [
      'the same twice',
      units(secret)
        .map((unit) => `\\\\u${unit}`)
        .join('')
    ],
    [
      'bytes of JavaScript',
      [...Buffer.from(secret)].map((byte) => `\\x${byte.toString(16)}`).join('')
    ],
    ['percent-encoding of everything', full],
    ['the same twice', encodeURIComponent(full)],
    [
      'escape() of JavaScript',
      units(secret)
        .map((unit) => `%u${unit}`)
        .join('')
    ],
    [
      'entities',
      units(secret)
        .map((unit) => `&#x${unit};`)
        .join('')
    ],
    [
      'entities in a URL',
      encodeURIComponent(
        units(secret)
          .map((unit) => `&#x${unit};`)
          .join('')
      )
    ],
    ['hex', `x${Buffer.from(secret).toString('hex')}`],
    ['HEX', Buffer.from(secret).toString('hex').toUpperCase()],
    ['base64 in base64', base64(base64(`ab${secret}c`))],
    ['base64 in hex', Buffer.from(base64(`ab${secret}c`)).toString('hex')],
    ['zlib in base64', base64(deflateSync(`{"a":"${secret}"}`))],
    ['gzip in gzip', gzipSync(gzipSync(`{"a":"${secret}"}`))],
    ['gzip in gzip in base64', base64(gzipSync(gzipSync(`{"a":"${secret}"}`)))],
    ['brotli', brotliCompressSync(`{"a":"${secret}"}`)],
    ['brotli in base64', base64(brotliCompressSync(`{"a":"${secret}"}`))],
    ['UTF-16', Buffer.from(`ключ: ${secret}`, 'utf16le')],
    ['UTF-16, the other way round', Buffer.from(`ключ: ${secret}`, 'utf16le').swap16()],
    ['UTF-16 in base64', base64(Buffer.from(`ключ: ${secret}`, 'utf16le'))]
  ])('%s', (_, text) => {
    const ledger = new SecretRegistry()
    ledger.learnFromRequest(new Map([['lgpassword', secret]]), [])
    expect(
      ledger.findLeaks(typeof text === 'string' ? `{"x":"${text}"}` : text)
    ).toHaveLength(1)
  })
})

it('knows the own addresses in any spelling, and whoever asks by e-mail', () => {
  const ledger = learnt({}, [
    ['X-Forwarded-For', '2001:db8:0:7::9, 198.51.100.4'],
    ['User-Agent', 'bot/1 (me@wiki.test)']
  ])
  for (const text of [
    '2001:0DB8:0000:0007:0:0:0:0009',
    'User:2001:DB8:0:7:0:0:0:9',
    '%5B2001%3Adb8%3A0%3A7%3A%3A9%5D'
  ])
    expect(ledger.findLeaks(text)).toMatchObject([{ kind: 'address' }])
  expect(ledger.findLeaks('::ffff:198.51.100.4 and me@wiki.test')).toHaveLength(2)
  expect(ledger.findLeaks('2001:db8:0:7::91 198.51.100.44 notme@wiki.test')).toEqual([])
})

describe('headers that nobody listed', () => {
  it.each([
    'x-upload-token',
    'X-Client-Secret',
    'private-key',
    'x-session',
    'x-jwt',
    'x-auth'
  ])('%s', (name) => {
    expect(learnt({}, [[name, session]]).findLeaks(session)).toHaveLength(1)
  })
  it.each(['sec-websocket-key', 'x-cassette-session', 'x-cache-key', 'author', 'accept'])(
    'but not %s',
    (name) => {
      expect(learnt({}, [[name, session]]).findLeaks(session)).toEqual([])
    }
  )
})

it('an address of this machine counts in articles only where the wiki says that it is the caller', () => {
  const registry = new SecretRegistry()
  const one = { kind: 'address', value: '198.51.100.7' } as const
  registry.learn([{ ...one, source: 'this machine' }])
  expect(registry.callerIdentifiers().filter(isFoundInContent)).toEqual([])
  registry.learn([{ ...one, source: 'userinfo' }])
  expect(registry.callerIdentifiers().filter(isFoundInContent)).toHaveLength(1)
  expect(registry.findSecrets('by 198.51.100.7').filter(isFoundInContent)).toHaveLength(1)
})
