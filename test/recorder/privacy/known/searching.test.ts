/** What the ledger remembers and how each secret is looked for; what a text says once all that is packed in it is undone. */
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  decodeLayers,
  textOfBytes
} from '../../../../src/recorder/privacy/encodings/decode-layers.ts'
import {
  spellingReplacements,
  spellingsOf
} from '../../../../src/recorder/privacy/encodings/spellings.ts'
import { MultiSearch } from '../../../../src/recorder/privacy/known/multi-search.ts'
import {
  secretsOfHeaders,
  secretsOfParams
} from '../../../../src/recorder/privacy/known/request-secrets.ts'
import { SecretRegistry } from '../../../../src/recorder/privacy/known/secret-registry.ts'
import {
  isDistinctive,
  isPlaceholder,
  type SecretKind,
  searchModeOf
} from '../../../../src/recorder/privacy/secrets/secret.ts'

const watching = (kind: SecretKind, ...values: readonly string[]): SecretRegistry => {
  const ledger = new SecretRegistry()
  ledger.learn(values.map((value) => ({ kind, value, source: value })))
  return ledger
}
const found = (kind: SecretKind, value: string, text: string): boolean =>
  watching(kind, value).findLeaks(text).length > 0

describe('the ledger', () => {
  it('remembers each secret once', () => {
    const ledger = watching('address', '198.51.100.4', '198.51.100.4', '2001:db8::9:1')
    expect(ledger.size).toBe(2)
    expect(ledger.callerIdentifiers()).toHaveLength(2)
    expect(watching('password', 'hunter2!').callerIdentifiers()).toEqual([])
  })

  it('remembers nothing that cannot be looked for', () => {
    expect(watching('password', 'abc', 'password', '(secret)').size).toBe(0)
  })

  it('knows what stands in a text just as it is', () => {
    const ledger = watching('password', 'hunter2!')
    expect(ledger.findUnencoded('x hunter2! y')).toHaveLength(1)
    expect(ledger.findUnencoded('x hunter2%21 y')).toEqual([])
    expect(new SecretRegistry().findUnencoded('x')).toEqual([])
  })

  it('learns of an answer’s passwords only those that are no label', () => {
    const ledger = new SecretRegistry()
    const [label, made] = ['Your password', 'Xk29Qm84Zr71Pw'].map((value) => ({
      ...({ kind: 'password', source: 'retype' } as const),
      value
    }))
    if (label === undefined || made === undefined) return expect.fail()
    ledger.learnFromResponse([label, made])
    expect([ledger.size, ledger.findSecrets(made.value)]).toEqual([1, [made]])
  })

  it('finds a secret that looks like escapes just as it is', () => {
    expect(found('password', '%41%42%43', 'x %41%42%43 y')).toBe(true)
    expect(found('password', 'a&amp;b&c12', 'x a&amp;b&c12 y')).toBe(true)
  })

  it('finds one also where its first characters may belong to an escape', () => {
    expect(found('password', '41bcdef!', 'x 41bcdef! y')).toBe(true)
    expect(found('password', '41bcdef!', 'x %41bcdef! y')).toBe(true)
  })

  it('finds a space as a plus sign', () => {
    expect(found('password', 'correct horse 7', 'p=correct+horse+7&')).toBe(true)
  })
})

describe('what the ledger looks for', () => {
  it('finds what a program made by its longest run of letters and digits, from sixteen on', () => {
    const sixteen = 'aB3dE6gH9jK2mN5p'
    const fifteen = 'aB3dE6gH9jK2mN5'
    expect(found('oauth', `x-${sixteen}-y`, sixteen)).toBe(true)
    expect(found('oauth', `x-${fifteen}-y`, fifteen)).toBe(false)
    expect(found('oauth', `x-${fifteen}-y`, `x-${fifteen}-y`)).toBe(true)
    expect(found('oauth', `${sixteen}-${[...sixteen].reverse().join('')}`, sixteen)).toBe(
      true
    )
    // What a person made is looked for whole.
    expect(found('password', `x-${sixteen}-y`, sixteen)).toBe(false)
    expect(found('password', `x-${sixteen}-y`, `x-${sixteen}-y`)).toBe(true)
  })

  it('looks for the first 512 characters of what is longer', () => {
    const long = `${'aB3-'.repeat(128)}tail`
    expect(found('password', long, long.slice(0, 512))).toBe(true)
    expect(found('password', long, long.slice(0, 511))).toBe(false)
    expect(found('password', long, `b${long.slice(1, 512)}`)).toBe(false)
  })

  it('finds an address of IPv4 in base64 and hex, and between other words only', () => {
    for (const encoding of ['base64', 'hex'] as const)
      expect(
        found(
          'address',
          '198.51.100.4',
          `"${Buffer.from('is 198.51.100.4.').toString(encoding)}"`
        )
      ).toBe(true)
    expect(found('address', '198.51.100.4', '8198.51.100.4')).toBe(false)
    expect(found('address', '198.51.100.4', '198.51.100.4.5')).toBe(false)
    expect(found('address', '198.51.100.4', '198.51.100.4. And')).toBe(true)
  })
})

describe('a secret is looked for', () => {
  const search = (kind: SecretKind, value: string) =>
    searchModeOf({ kind, value, source: 'x' })

  it('anywhere where a program made it: twelve characters, two digits, four letters, eight different ones', () => {
    expect(search('oauth', 'abcdefgh1234')).toBe('anywhere')
    expect(search('oauth', 'abcdefgh123')).toBe('word')
    expect(search('oauth', 'abcdefghijk1')).toBe('word')
    expect(search('oauth', 'abcd12345678')).toBe('anywhere')
    expect(search('oauth', 'abc123456789')).toBe('word')
    expect(search('oauth', 'abcdef121212')).toBe('anywhere')
    expect(search('oauth', 'abcde1212121')).toBe('word')
  })

  it('as far as people choose such: from six characters on, numbers and less as whole values', () => {
    expect(search('password', 'abc12!')).toBe('anywhere')
    expect(search('password', 'abcdef')).toBe('word')
    expect(search('password', 'ab12!')).toBe('value')
    expect(search('password', '12345678')).toBe('value')
    expect(search('password', 'ab1')).toBeUndefined()
    expect(search('password', 'PassWord')).toBeUndefined()
    expect(search('oauth', 'abc12!')).toBe('word')
  })

  it('by its first 256 characters for letters, and 64 for different ones', () => {
    expect(search('oauth', `abc${'12345678'.repeat(31)}90123d`)).toBe('word')
    expect(search('oauth', `abc${'12345678'.repeat(31)}9012d`)).toBe('anywhere')
    expect(search('oauth', `${'abcde12'.repeat(9)}aX`)).toBe('word')
    expect(search('oauth', `${'abcde12'.repeat(9)}X`)).toBe('anywhere')
  })

  it('as a word where it is an address, and not where it is the setting of a cookie', () => {
    expect(search('email', 'a@b.cd')).toBe('word')
    expect(search('email', 'a@b.c')).toBeUndefined()
    expect(search('email', 'me at home')).toBeUndefined()
    expect(search('address', '::1')).toBe('word')
    expect(search('cookie', 'visualeditor')).toBeUndefined()
    expect(search('cookie', 'Battle_of_Stalingrad_1942')).toBeUndefined()
    expect(search('cookie', 'aB3dE6gH9jK2mN5p')).toBe('anywhere')
  })

  it('in the rest of its answer where finding it cannot be chance', () => {
    const distinctive = (kind: SecretKind, value: string) =>
      isDistinctive({ kind, value, source: 'x' })
    expect(distinctive('oauth', 'abcdefgh1234')).toBe(true)
    expect(distinctive('oauth', 'abcdefg')).toBe(false)
    expect(distinctive('password', 'abcdefg')).toBe(true)
    expect(distinctive('password', '123456')).toBe(false)
    expect(distinctive('email', 'me@wiki.test')).toBe(true)
    expect(distinctive('address', '198.51.100.4')).toBe(true)
  })

  it('unless it is a placeholder', () => {
    for (const value of [
      '0'.repeat(16),
      `${'0'.repeat(40)}+\\`,
      'redacted-token',
      '(now)',
      '192.0.2.1'
    ])
      expect(isPlaceholder(value)).toBe(true)
    for (const value of ['0'.repeat(15), 'redacted-nothing', '192.0.2.2', '0123'])
      expect(isPlaceholder(value)).toBe(false)
  })
})

describe('a word among others', () => {
  const index = new MultiSearch<string>()
  index.add({ text: 'secret', wholeWord: true, owner: 'bordered' })
  index.add({ text: 'short', wholeWord: false, owner: 'short' })
  const stands = (text: string): boolean => index.find(text).size > 0

  it('stands where no letter, digit or decimal point goes on', () => {
    for (const text of [
      'secret',
      'a secret.',
      '.secret',
      '"secret"',
      'secret.',
      'ж secret'
    ])
      expect(stands(text), text).toBe(true)
    for (const text of [
      'secrets',
      '1secret',
      'жsecret',
      'secretж',
      'secret.5',
      'secret5'
    ])
      expect(stands(text), text).toBe(false)
  })

  it('stands behind an escape, whose last letters are none of its own', () => {
    for (const text of ['%3Dsecret', '\\nsecret', '\\u003dsecret', 'xx\\u003dsecret'])
      expect(stands(text), text).toBe(true)
    for (const text of ['3Dsecret', 'nsecret', 'u003dsecret', '\\xsecret'])
      expect(stands(text), text).toBe(false)
  })

  it('may be a number behind a point that is no decimal one', () => {
    const numbers = new MultiSearch<string>()
    numbers.add({ text: '123456', wholeWord: true, owner: 'x' })
    expect(numbers.find('a.123456').size).toBe(0)
    expect(stands('a.secret')).toBe(true)
  })

  it('that is shorter than six characters is not looked for', () => {
    expect(stands('short')).toBe(false)
  })
})

const says = decodeLayers

describe('what a text says', () => {
  it('is the text less its escapes, and as it is', () => {
    expect(says('a%42')).toEqual(['aB', 'a%42'])
    expect(says('ab')).toEqual(['ab'])
  })

  it('is what hex and base64 hold, also where a digit stands in front', () => {
    const hex = Buffer.from('swordfish').toString('hex')
    expect(says(hex)).toContain('swordfish')
    expect(says(`7${hex}`)).toContain('swordfish')
    expect(says(Buffer.from('swordfish no. 7').toString('base64'))).toContain(
      'swordfish no. 7'
    )
    expect(says('a-word-of-many-parts')).toEqual(['a-word-of-many-parts'])
    expect(says('incomprehensibilities')).toEqual(['incomprehensibilities'])
  })

  it('is what is packed in what is packed, four deep', () => {
    const wrap = (content: Uint8Array): string => Buffer.from(content).toString('base64')
    const deep = (times: number): string => {
      let text = 'swordfish no. 7'
      for (let time = 0; time < times; time += 1) text = wrap(Buffer.from(text))
      return text
    }
    expect(
      [1, 2, 3, 4, 5].map((times) => says(deep(times)).includes('swordfish no. 7'))
    ).toEqual([...[true, true, true, true, false]])
    expect(says(gzipSync('swordfish'))).toContain('swordfish')
    const inside = (times: number): Buffer =>
      gzipSync(times === 1 ? 'swordfish' : inside(times - 1))
    expect(
      [1, 2, 3, 4, 5].map((times) => says(inside(times)).includes('swordfish'))
    ).toEqual([...[true, true, true, true, false]])
    expect(says(wrap(gzipSync('swordfish no. 7')))).toContain('swordfish no. 7')
  })
})

describe('what bytes say', () => {
  it('is also sixteen bits a character, either byte first', () => {
    const wide = Buffer.from('ключ: swordfish', 'utf16le')
    expect(says(wide)).toContain('ключ: swordfish')
    expect(says(Buffer.concat([Buffer.of(0xff), wide]))).toContain('ключ: swordfish')
    expect(says(Buffer.from('a\\u0062', 'utf16le'))).toContain('ab')
    expect(says(Buffer.from('a%62', 'utf16le'))).toContain('ab')
    expect(says(Buffer.from('plain'))).toEqual(['plain'])
    const six = Buffer.from('ключ12', 'utf16le').toString('base64')
    expect(says(six)).toContain('ключ12')
  })

  it('of bytes that are no UTF-8 is a sign for each byte', () => {
    expect(textOfBytes(Buffer.from('é'))).toBe('é')
    expect(textOfBytes(Buffer.of(0xe9, 0x41))).toBe('éA')
  })

  it('is taken for brotli only where a run is mixed as base64 is, and long enough', () => {
    const text = 'the quick brown fox no. 7 jumps'
    const short = 'swordfish'.repeat(100)
    const long = brotliCompressSync(text)
    const few = brotliCompressSync(short)
    expect(few.length).toBeLessThan(24)
    expect(says(long.toString('base64'))).toContain(text)
    expect(says(few.toString('base64'))).not.toContain(short)
    expect(says(long.toString('hex'))).not.toContain(text)
  })
})

describe('whole values', () => {
  it('stand between quotes, tags and signs, from four characters on', () => {
    const registry = watching('password', 'a1b2', 'c3d4', 'e5f6', '1234', '12345', 'town')
    const found = (text: string): readonly string[] =>
      registry.findSecrets(text).map(({ value }) => value)
    expect(found('"a1b2" <b>c3d4</b> ?x=e5f6&y=abc {"n": 1234}')).toEqual([
      'a1b2',
      'c3d4',
      'e5f6',
      '1234'
    ])
    expect(found('a town of 12345 people')).toEqual([])
  })
})

describe('spellings', () => {
  it('are one where there are letters and digits alone, and else each once, the plain one first', () => {
    expect(spellingsOf('aB3')).toEqual(['aB3'])
    const [first, ...others] = spellingsOf('a b/c~')
    expect(first).toBe('a b/c~')
    expect(others).toEqual(
      expect.arrayContaining(['a%20b%2Fc~', 'a+b%2Fc%7E', 'a%20b%2fc~', 'a b\\/c~'])
    )
    expect(new Set(others).size).toBe(others.length)
    expect(spellingsOf("a'(b)*")).toContain('a%27%28b%29%2A')
    expect(spellingsOf("<b> & 'c'")).toEqual(
      expect.arrayContaining([
        String.raw`\u003Cb\u003E \u0026 \u0027c\u0027`,
        '&lt;b&gt; &amp; &#039;c&#039;',
        '&lt;b&gt; &amp; &#39;c&#39;'
      ])
    )
  })

  it('go with the same spelling of what stands there instead, the longest first', () => {
    const pairs = spellingReplacements('a b', 'x y')
    expect(pairs[0]).toEqual(['a%20b', 'x%20y'])
    expect(pairs.map(([from]) => from.length)).toEqual(
      [...pairs.map(([from]) => from.length)].sort((a, b) => b - a)
    )
    expect(pairs.at(-1)?.[1]).toMatch(/^x.y$/)
  })
})

describe('what a client sends', () => {
  const sent = (params: Readonly<Record<string, string>>) =>
    secretsOfParams(new Map(Object.entries(params))).map(
      ({ kind, value }) => `${kind} ${value}`
    )
  const headers = (name: string, value: string) =>
    secretsOfHeaders([[name, value]]).map((one) => `${one.kind} ${one.value}`)
  const random = 'aB3dE6gH9jK2mN5p'

  it('in its parameters, and inside of their values', () => {
    expect(sent({ lgname: 'Bob', lgpassword: 'hunter2' })).toEqual(['password hunter2'])
    expect(sent({ lgname: 'Bob', lgpassword: 'bob' })).toEqual([])
    expect(sent({ name: 'Bob', password: 'BOB' })).toEqual([])
    expect(sent({ lgpassword: `bot@${'0123456789abcdefghijklmnopqrstuv'}` })).toEqual([
      'password bot@0123456789abcdefghijklmnopqrstuv',
      'password 0123456789abcdefghijklmnopqrstuv'
    ])
    expect(sent({ url: 'https://me:hunter2@wiki.test/' })).toEqual(['password hunter2'])
    expect(
      sent({ oauth_version: '1.0', oauth_nonce: random, oauth_token: random })
    ).toEqual([`token ${random}`])
    expect(sent({ token: '+\\', lgtoken: '' })).toEqual([])
  })

  it('in its headers', () => {
    expect(headers('From', 'me@wiki.test, nobody')).toEqual(['email me@wiki.test'])
    expect(headers('Forwarded', 'for=198.51.100.4')).toEqual(['address 198.51.100.4'])
    expect(
      headers('Authorization', `Digest username="Bob", response="${random}"`)
    ).toEqual(Array(2).fill(`oauth ${random}`))
    expect(headers('Proxy-Authorization', `Bearer ${random}`)).toEqual(
      Array(2).fill(`oauth ${random}`)
    )
    const [whole, password, ...rest] = headers(
      'Authorization',
      `Basic ${Buffer.from('Bob:hunter2').toString('base64')}`
    )
    expect([whole?.startsWith('oauth '), password, rest]).toEqual([
      true,
      'password hunter2',
      []
    ])
    expect(
      headers('Authorization', `Basic ${Buffer.from('Bob:Bob').toString('base64')}`)
    ).toHaveLength(1)
    expect(headers('X-Api-Key', 'abcdefg')).toEqual(Array(2).fill('token abcdefg'))
    expect(headers('X-My-Key', 'abcdefg')).toEqual([])
    expect(headers('X-My-Key', random)).toEqual(Array(2).fill(`token ${random}`))
    expect(headers('Cookie', `a=${random}; wikiUserName=${random}`)).toEqual(
      Array(2).fill(`cookie ${random}`)
    )
  })
})
