/** What names, cookies, addresses, header lines and serialized texts give away, shape by shape. */
import { describe, expect, it } from 'vitest'
import {
  isPlainText,
  saysCompressed
} from '../../../../src/recorder/privacy/encodings/decode-layers.ts'
import {
  base64Spellings,
  undoEscapes
} from '../../../../src/recorder/privacy/encodings/spellings.ts'
import { splitCredentials } from '../../../../src/recorder/privacy/redact/redact-url.ts'
import {
  canonicalAddress,
  placeholderFor,
  tokensIn
} from '../../../../src/recorder/privacy/secrets/secret.ts'
import {
  cookieSecretKind,
  fieldSecretKind,
  headerSecrets,
  nameSecretKind,
  pairSecretKind
} from '../../../../src/recorder/privacy/secrets/secret-names.ts'
import { mapPhpStrings } from '../../../../src/recorder/wiki/answers/php-serialized.ts'

const digits = 'f3a9c0de11b24cd5e6f708192a3b4c5d'
const random = 'A1b2C3d4E5f6G7h8'

describe('names', () => {
  it('say what kind of secret they hold, by the part that does', () => {
    expect(
      ['lgpassword', 'token', 'wpSessionId', 'email', 'oauth_secret'].map(nameSecretKind)
    ).toEqual(['password', 'token', 'session', 'email', 'oauth'])
    expect(nameSecretKind('titles')).toBeUndefined()
    expect(nameSecretKind('form[token]')).toBe('token')
  })

  it('of fields are no secret where the value is no value', () => {
    expect(fieldSecretKind('token', random)).toBe('token')
    expect(fieldSecretKind('token', '+\\')).toBeUndefined()
    expect(fieldSecretKind('tokens', 'query+tokens')).toBeUndefined()
    expect(fieldSecretKind('email', 'me at home')).toBeUndefined()
    expect(fieldSecretKind('token', 'two words')).toBeUndefined()
    expect(fieldSecretKind('password', 'two words')).toBe('password')
    expect(fieldSecretKind('resetpass-submit-token', 'Submit')).toBeUndefined()
    expect(fieldSecretKind('resetpass-submit-token', random)).toBe('token')
  })

  it('in running text need a value that looks the part, addresses of mail aside', () => {
    expect(pairSecretKind('token', 'function')).toBeUndefined()
    expect(pairSecretKind('token', random)).toBe('token')
    expect(pairSecretKind('email', 'me@wiki.test')).toBe('email')
  })
})

describe('cookies', () => {
  it('are secrets where they look random, or are called so and are six characters long', () => {
    expect(cookieSecretKind('wiki_session', 'abcdef')).toBe('session')
    expect(cookieSecretKind('wiki_session', 'abcde')).toBeUndefined()
    expect(cookieSecretKind('wikiToken', 'abcdef')).toBe('cookie')
    expect(cookieSecretKind('mobile', 'yes')).toBeUndefined()
    expect(cookieSecretKind('mobile', random)).toBe('cookie')
    expect(cookieSecretKind('wiki_session', 'deleted')).toBeUndefined()
    expect(cookieSecretKind('wikiUserName', random)).toBeUndefined()
  })

  it('and credentials in header lines are found where they stand', () => {
    const basic = Buffer.from('Admin:swordfish').toString('base64')
    const bearer = `${random}${random}`
    const text = `GET / HTTP/1.1\nCookie: a=1; wiki_session=abcdefgh\nAuthorization: Basic ${basic}\nAuthorization: Bearer ${bearer}\n`
    const found = [...headerSecrets(text)]
    expect(found.map(({ value, start, end }) => [value, text.slice(start, end)])).toEqual(
      [
        ['abcdefgh', 'abcdefgh'],
        [basic, basic],
        [bearer, bearer]
      ]
    )
    expect([...headerSecrets('a basic understanding, a token gesture')]).toEqual([])
  })
})

describe('tokens in a text', () => {
  it('are told whole, at its beginning too', () => {
    const long = `${digits}6920f1ab`
    expect(tokensIn(`${long}+\\ and ${digits}+\\`)).toEqual([
      { digits: long, start: 0 },
      { digits, start: 47 }
    ])
    expect(tokensIn(`${'0'.repeat(40)}+\\`)).toEqual([])
  })
})

describe('a secret in disguise', () => {
  it('stands in a base64 text in one of its spellings, wherever it began and ended', () => {
    for (const value of [random, 'Пароль?>~', 'swordfish'])
      for (const before of ['', 'a', 'ab', 'abc'])
        for (const after of ['', 'x', 'xy'])
          for (const encoding of ['base64', 'base64url'] as const) {
            const text = Buffer.from(`${before}${value}${after}`).toString(encoding)
            const found = base64Spellings(value).filter(
              (one) => one.length > 8 && text.includes(one)
            )
            expect(found, text).not.toEqual([])
          }
  })

  it('is folded to one spelling, less the signs that say nothing', () => {
    expect(undoEscapes('p&#97;ss&#0;w&#x6f;rd&#1114112;')).toBe(undoEscapes('password'))
  })

  it('stands in text only where the bytes are some', () => {
    const plain = (...bytes: readonly number[]): boolean =>
      isPlainText(Uint8Array.from(bytes))
    expect([0x09, 0x0a, 0x0d, 0x20, 0x7e].every((byte) => plain(byte))).toBe(true)
    expect([0x00, 0x08, 0x0b, 0x0c, 0x0e, 0x1f, 0xff].some((byte) => plain(byte))).toBe(
      false
    )
    expect(plain(0xd0, 0xb6)).toBe(true)
  })

  it('may be packed, and gzip and zlib say so', () => {
    const says = (...bytes: readonly number[]): boolean =>
      saysCompressed(Uint8Array.from(bytes))
    expect([
      says(0x1f, 0x8b, 8),
      says(0x78, 0x9c),
      says(0x78, 0x01),
      says(0x78, 0xda)
    ]).toEqual(Array(4).fill(true))
    expect([
      says(0x1f, 0x8c),
      says(0x79, 0x9c),
      says(0x78, 0x9d),
      says(0x8b, 0x1f),
      says()
    ]).toEqual(Array(5).fill(false))
  })
})

describe('addresses', () => {
  it.each([
    ['192.0.2.007', '192.0.2.7'],
    ['192.0.2.256', undefined],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['::', '::'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['1:2:3:4:5:6:7', undefined],
    ['1::2::3', undefined],
    ['1:2:3:4:5:6:7::8', undefined],
    ['1:2:3:4:5:6::8', '1:2:3:4:5:6:0:8'],
    ['1:2:3:4::5:6:7:8::9', undefined],
    ['', undefined],
    ['1:2:3:4:5:6:7:g', undefined],
    ['Admin', undefined]
  ])('%s is %s', (text, canonical) => {
    expect(canonicalAddress(text)).toBe(canonical)
  })
})

describe('placeholders', () => {
  it('have the shape of what they stand for', () => {
    expect(placeholderFor('token', `${digits}+\\`)).toBe(`${'0'.repeat(32)}+\\`)
    expect(placeholderFor('token', digits)).toBe('0'.repeat(32))
    expect(placeholderFor('session', random)).toBe('redacted-session')
    expect(placeholderFor('address', '10.1.2.3')).toBe('192.0.2.1')
    expect(placeholderFor('address', 'fe80::1')).toBe('2001:DB8:0:0:0:0:0:1')
    expect(placeholderFor('email', 'me@wiki.test')).toBe('redacted@example.invalid')
  })
})

describe('the password of a URL', () => {
  it('is all behind the first colon, in both spellings', () => {
    const { url, credentials } = splitCredentials('https://me:a%3Ab:c@wiki.test/w')
    expect(url).toBe('https://wiki.test/w')
    expect(credentials.map(({ value }) => value)).toEqual(['a:b:c', 'a%3Ab:c'])
    expect(splitCredentials('https://@wiki.test/w').url).toBe('https://wiki.test/w')
    expect(splitCredentials('https://me@wiki.test/w')).toEqual({
      url: 'https://wiki.test/w',
      credentials: []
    })
  })
})

describe('serialized text', () => {
  const text = 'a:2:{s:5:"query";a:2:{s:1:"a";s:2:"ж";i:7;s:1:"b";}s:1:"c";s:0:"";}'

  it('tells each string that is a value with its keys, and has lengths in bytes', () => {
    const seen: (readonly [string, string])[] = []
    const mapped = mapPhpStrings(text, (value, path) => {
      seen.push([path.join('.'), value])
      return value === 'ж' ? 'жж' : value
    })
    expect(seen.map(([, value]) => value)).toEqual(['ж', 'b', ''])
    expect(seen[0]?.[0]).toBe('query.a')
    expect(seen[2]?.[0]).toBe('c')
    const keys: string[] = []
    mapPhpStrings('a:2:{i:12;s:1:"x";i:-3;a:1:{i:0;s:1:"y";}}', (value, path) => {
      keys.push(path.join('.'))
      return value
    })
    expect(keys).toEqual(['12', '-3.0'])
    expect(mapped).toBe(text.replace('s:2:"ж"', 's:4:"жж"'))
  })

  it.each([
    text.slice(0, -1),
    `${text}}`,
    text.replace('a:2:{', 'a:3:{'),
    'no:text',
    's:3:"ab";',
    's:3:"abcde'
  ])('is not %s', (broken) => {
    expect(mapPhpStrings(broken, () => 'x')).toBeUndefined()
  })
})
