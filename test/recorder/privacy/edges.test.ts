/** Edges of what privacy finds: the last character that counts, and the first that does not. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanText } from '../../../src/recorder/privacy/detect/scan-text.ts'
import {
  base64Spellings,
  hexSpellings
} from '../../../src/recorder/privacy/encodings/spellings.ts'
import { MultiSearch } from '../../../src/recorder/privacy/known/multi-search.ts'
import { splitCredentials } from '../../../src/recorder/privacy/redact/redact-url.ts'
import {
  addressesIn,
  canonicalAddress,
  isAddress,
  isLocalAddress,
  isPlaceholder
} from '../../../src/recorder/privacy/secrets/secret.ts'

describe('a word among others', () => {
  const stands = (word: string, text: string): boolean => {
    const index = new MultiSearch<string>()
    index.add({ text: word, wholeWord: true, owner: word })
    return index.find(text).has(word)
  }

  it('begins behind an escape', () => {
    for (const text of [
      '%22secret',
      String.raw`\nsecret`,
      String.raw`\u0022secret`,
      'a "secret"'
    ])
      expect([text, stands('secret', text)]).toEqual([text, true])
    for (const text of [
      '%2secret',
      String.raw`\xsecret`,
      String.raw`\u022secret`,
      'ésecret',
      '1secret'
    ])
      expect([text, stands('secret', text)]).toEqual([text, false])
  })

  it('ends before anything but a letter, a digit, or a dot with a digit behind', () => {
    expect(
      ['10.0.0.1.', '10.0.0.1.a', '10.0.0.1-2', '10.0.0.1'].map((text) =>
        stands('10.0.0.1', text)
      )
    ).toEqual([true, true, true, true])
    expect(
      ['10.0.0.1.2', '10.0.0.12', '10.0.0.1é'].map((text) => stands('10.0.0.1', text))
    ).toEqual([false, false, false])
  })

  it('that begins with a digit does not begin behind a dot', () => {
    expect(stands('10.0.0.1', '9.10.0.0.1')).toBe(false)
    expect(stands('secret', '9.secret')).toBe(true)
  })

  it('is found where it stands by itself after it stood in another', () => {
    expect(stands('secret', 'secrets and asecret and secret')).toBe(true)
    expect(stands('aaaaaa', 'aaaaaaa aaaaaa')).toBe(true)
  })
})

describe('an address', () => {
  it('is a whole value of its form with a meaning', () => {
    for (const one of [
      '198.51.100.4',
      '255.255.255.255',
      '2a02:4f8::1',
      '::1',
      '1:2:3:4:5:6:7:8',
      '::ffff:1.2.3.4'
    ])
      expect([one, isAddress(one)]).toEqual([one, true])
    for (const one of [
      'abc',
      '256.1.1.1',
      '1.2.3',
      '1::2::3',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '12345::1'
    ])
      expect([one, isAddress(one)]).toEqual([one, false])
    expect(isAddress('198.51.100.4 ')).toBe(false)
    expect(isAddress(`${'0000:'.repeat(7)}0001`)).toBe(true)
    // Eight groups leave nothing for `::` to stand for.
    expect(isAddress('1:2:3:4:5:6:7::8')).toBe(false)
    expect(isAddress('1:2:3:4:5:6::8')).toBe(true)
  })

  it('has one spelling', () => {
    expect(canonicalAddress('2001:0db8::00ff')).toBe('2001:db8::ff')
    expect(canonicalAddress('010.001.000.255')).toBe('10.1.0.255')
    expect(canonicalAddress('::ffff:1.2.3.4')).toBe('1.2.3.4')
    expect(canonicalAddress('64:ff9b::1.2.3.4')).toBe('64:ff9b::102:304')
  })

  it('of the machine itself tells nothing', () => {
    expect(
      ['127.0.0.1', '127.9.9.9', '0.0.0.0', '::1', '::'].map(isLocalAddress)
    ).toEqual(Array(5).fill(true))
    expect(['128.0.0.1', '0.0.0.1', '::2', '1::1'].map(isLocalAddress)).toEqual(
      Array(4).fill(false)
    )
    expect(addressesIn('127.0.0.1 and 198.51.100.4 and User:2a02:4f8::1')).toEqual([
      '198.51.100.4',
      '2a02:4f8::1'
    ])
  })

  it('are found in each spelling: abbreviated at any group, with IPv4 at the end, percent-encoded', () => {
    const group = fc.integer({ min: 1, max: 0xffff }).map((value) => value.toString(16))
    const full = fc.array(group, { minLength: 8, maxLength: 8 })
    const spelled = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      full.map((groups) => groups.join(':').toUpperCase()),
      fc
        .tuple(full, fc.nat(6))
        .map(([groups, at]) => groups.with(at, '').slice(0, 7).join(':'))
    )
    fc.assert(
      fc.property(spelled, fc.boolean(), (address, isEncoded) => {
        const canonical = canonicalAddress(address)
        fc.pre(
          canonical !== undefined &&
            !isLocalAddress(canonical) &&
            !isPlaceholder(canonical)
        )
        const text = isEncoded ? address.replaceAll(':', '%3A') : address
        expect(addressesIn(`at 12:34:56 by ${text}, again`)).toEqual([text])
      }),
      { numRuns: 500 }
    )
  })
})

describe('spellings of bytes', () => {
  it('in base64 are all characters that do not depend on the neighbours, for each of three positions', () => {
    expect(base64Spellings('abcdef')).toEqual(['YWJjZGVm', 'FiY2RlZ', 'hYmNkZW'])
    for (const [before, behind] of [
      ['', 'z'],
      ['x', ''],
      ['xy', '~'],
      ['xyz', '?~']
    ]) {
      const whole = Buffer.from(`${before}a>?b?${behind}`).toString('base64')
      expect(base64Spellings('a>?b?').some((one) => whole.includes(one))).toBe(true)
    }
    expect(base64Spellings('~~~')).toEqual(expect.arrayContaining(['fn5+', 'fn5-']))
    expect(base64Spellings('???')).toEqual(expect.arrayContaining(['Pz8/', 'Pz8_']))
  })

  it('in hex are small and capital letters', () => {
    expect(hexSpellings('z/')).toEqual(['7a2f', '7A2F'])
    expect(hexSpellings('12')).toEqual(['3132'])
  })
})

describe('credentials in a URL', () => {
  it('may be empty, or a user alone', () => {
    expect(splitCredentials('http://@wiki.test/w')).toEqual({
      url: 'http://wiki.test/w',
      credentials: []
    })
    expect(splitCredentials('http://bob@wiki.test/w')).toEqual({
      url: 'http://wiki.test/w',
      credentials: []
    })
    const values = (url: string): unknown =>
      splitCredentials(url).credentials.map(({ value }) => value)
    expect(values('http://:pass@wiki.test')).toEqual(['pass'])
    expect(values('http://bob:a%40b@wiki.test')).toEqual(['a@b', 'a%40b'])
    expect(values('http://bob:a:b@wiki.test')).toEqual(['a:b'])
  })
})

describe('hits in one text', () => {
  const token = (at: number): string =>
    `${(0xa0000000 + at).toString(16)}${'0b1c2d3e4f5061728394a5b6'}6920f1ab+\\`
  const tokens = (count: number): string =>
    Array.from({ length: count }, (_, at) => token(at)).join(' ')

  it('are told up to a hundred', () => {
    expect([99, 100, 101].map((count) => scanText(tokens(count)).length)).toEqual([
      99, 100, 100
    ])
  })

  it('lie beside each other, and none inside of another', () => {
    const hits = scanText(`${token(1)}${token(2)} token=${token(3)}`)
    expect(hits).toHaveLength(3)
    const ends = hits.map(({ start, value }) => [start, start + value.length] as const)
    const sorted = ends.toSorted(([a], [b]) => a - b)
    expect(
      sorted.every(([start], at) => at === 0 || start >= (sorted[at - 1]?.[1] ?? 0))
    ).toBe(true)
  })
})
