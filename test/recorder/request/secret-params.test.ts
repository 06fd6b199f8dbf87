/** Which names and values are secret, what of them stands in a key, and what was taken out of the inside of a value. */
import { describe, expect, it } from 'vitest'
import { cleanValue } from '../../../src/recorder/request/inner-secrets.ts'
import {
  isRandom,
  isSecretPair,
  isSecretParam,
  secretHint,
  tokenKind
} from '../../../src/recorder/request/secret-params.ts'
import type { ParamDescription } from '../../../src/recorder/wiki/modules/module-descriptions.ts'

/** So many characters of a text again and again. */
const repeated = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
const mixed = (length: number): string => repeated('aB3dE6gH9jK2mN5p', length)

describe('a value looks made by a machine', () => {
  it('from 16 characters on, up to 8192', () => {
    expect([15, 16, 8192, 8193].map((length) => isRandom(mixed(length)))).toEqual([
      ...[false, true, true, false]
    ])
  })

  it('where at least two of them are digits, and at least three are not', () => {
    expect(isRandom('AbCdEfGhIjKlMnO1')).toBe(false)
    expect(isRandom('AbCdEfGhIjKlMn12')).toBe(true)
    expect(isRandom('0a1b23456789012xyz')).toBe(true)
    expect(isRandom('01234567890123yz')).toBe(false)
  })

  it('where it is a hex number with six different digits', () => {
    expect(isRandom(repeated('01a', 32))).toBe(false)
    expect(isRandom(repeated('0123a', 32))).toBe(false)
    expect(isRandom(repeated('01234a', 32))).toBe(true)
    expect(isRandom(`${repeated('01234a', 32)}+\\`)).toBe(true)
  })

  it('by the first 64 digits of a hex number', () => {
    expect(isRandom(`f${repeated('0123a', 63)}`)).toBe(true)
    expect(isRandom(`${repeated('0123a', 63)}f`)).toBe(true)
    expect(isRandom(`${repeated('0123a', 64)}f`)).toBe(false)
  })

  it('where nine characters alternate, and not where eight do', () => {
    expect(isRandom(repeated('aB3dE6gH', 32))).toBe(false)
    expect(isRandom(repeated('aB3dE6gHj', 27))).toBe(false)
    expect(isRandom(repeated('aB3dE6gHjK', 30))).toBe(true)
  })

  it('by its first 256 characters', () => {
    const dull = (length: number): string => repeated('aB3dE6gHj', length)
    expect(isRandom(`${dull(255)}X`)).toBe(false)
    expect(isRandom(`${dull(255)}XY`)).toBe(false)
    expect(isRandom(`Y${dull(254)}X`)).toBe(true)
  })

  it('and not where it is prose or code', () => {
    expect(isRandom('a sentence of 12 words and 3 numbers')).toBe(false)
    expect(isRandom('function(a1, b2) { return }')).toBe(false)
  })
})

describe('what a name says', () => {
  it.each([
    ['lgpassword', 'secret'],
    ['PIN', 'secret'],
    ['user[password]', 'secret'],
    ['x.api-key', 'secret'],
    ['code', 'doubtful'],
    ['a[nonce]', 'doubtful'],
    ['tokens_left', 'hinted'],
    ['an_auth_thing', 'hinted'],
    ['titles', 'nothing'],
    ['intoken', 'nothing'],
    ['oauth_version', 'nothing'],
    // What is shorter than three characters or longer than 64 is no name of a secret.
    ['pi', 'nothing'],
    [`${'x'.repeat(59)}token`, 'secret'],
    [`${'x'.repeat(60)}token`, 'nothing']
  ])('%s: %s', (name, says) => {
    expect(secretHint(name)).toBe(says)
  })

  it('counts whatever the value, or where the value looks the part', () => {
    const random = mixed(20)
    const judged = ['token', 'code', 'tokens_left', 'titles'].map((name) =>
      ['1', '12345', random].map((value) => isSecretPair(name, value))
    )
    expect(judged).toEqual([
      [true, true, true],
      [false, false, true],
      [false, false, true],
      [false, false, false]
    ])
  })

  it('does not count where the value is the key of a stashed file', () => {
    const values = [
      '1cc2x1001k0b4.q7z1002w1.1.svg',
      mixed(20),
      `${mixed(20)}.${mixed(20)}`
    ]
    expect(values.map((value) => isSecretPair('sessionkey', value))).toEqual([
      false,
      true,
      true
    ])
  })
})

describe('a parameter', () => {
  const described = (more: Partial<ParamDescription>): ParamDescription => ({
    name: 'x',

    type: 'string',
    values: new Set(),

    multi: false,
    onlySelects: false,
    allowsDuplicates: false,
    default: undefined,
    deprecated: false,
    sensitive: false,

    deprecatedValues: new Set(),
    tokenType: undefined,
    min: undefined,
    max: undefined,

    highMax: undefined,
    limit: undefined,
    highLimit: undefined,
    subtypes: undefined,

    required: false,
    submodules: new Map(),
    submodulePrefix: '',
    ...more
  })
  const choice = described({ type: 'enum', values: new Set(['a']) })

  it('is secret where the wiki says so, whatever it is called', () => {
    expect(isSecretParam('titles', 'A', described({ sensitive: true }))).toBe(true)
    expect(isSecretParam('titles', 'A', described({ tokenType: 'csrf' }))).toBe(true)
    expect(isSecretParam('titles', 'A', described({}))).toBe(false)
  })

  it('that nobody described is judged by its name and value', () => {
    expect(isSecretParam('pin', 'x', undefined)).toBe(true)
    expect(isSecretParam('code', 'ru', undefined)).toBe(false)
  })

  it('that is a choice, a number or a title is none, but for names that always are', () => {
    expect(isSecretParam('pin', 'x', described({}))).toBe(true)
    expect(isSecretParam('pin', 'x', choice)).toBe(false)
    expect(isSecretParam('pin', '7', described({ type: 'integer' }))).toBe(false)
    expect(isSecretParam('titles', 'A', described({ type: 'raw' }))).toBe(false)
    expect(isSecretParam('lgpassword', 'x', choice)).toBe(true)
    expect(isSecretParam('lgtoken[]', 'x', choice)).toBe(true)
    expect(isSecretParam('rctoken', 'patrol', choice)).toBe(false)
  })
})

describe('a key says of a secret', () => {
  it('of which kind it is', () => {
    const digits = repeated('0123456789abcdef', 40)
    const sent = ['', '+\\', `${digits}+\\`, digits, 'hunter2', '\u001fhunter2']
    expect(sent.map(tokenKind)).toEqual([
      ...['(empty)', '(anonymous token)', '(token)', '(secret)', '(secret)', '(list)']
    ])
  })
})

describe('inside of a value', () => {
  const secrets = (name: string, value: string) => cleanValue(name, value)

  it('that is a URL, the password and the secrets of its query are hidden', () => {
    expect(secrets('url', 'https://me:hunter2@wiki.test/w?token=abc&title=A')).toEqual({
      clean: 'https://(secret)@wiki.test/w?token=(secret)&title=A',
      secrets: [
        ['password', 'hunter2'],
        ['token', 'abc']
      ]
    })
    expect(secrets('url', 'https://wiki.test/w?lgpassword=a%26b+c')).toEqual({
      clean: 'https://wiki.test/w?lgpassword=(secret)',
      secrets: [['lgpassword', 'a&b c']]
    })
    // A name without a password may be one.
    expect(secrets('url', 'https://ghp_1234@wiki.test/').secrets).toEqual([
      ['password', 'ghp_1234']
    ])
  })

  it('that is a list of pairs, those that are secret are hidden', () => {
    const change = 'gender=male|watchlisttoken=abc'
    expect(secrets('change', change)).toEqual({
      clean: 'gender=male|watchlisttoken=(secret)',
      secrets: [['watchlisttoken', 'abc']]
    })
    expect(secrets('returntoquery', 'a=1&token=abc').clean).toBe('a=1&token=(secret)')
    expect(secrets('text', change)).toEqual({ clean: change, secrets: [] })
    expect(
      secrets('change', 'nick=x|see=https://me:hunter2@wiki.test and more').secrets
    ).toEqual([['password', 'hunter2']])
    // It is no URL as a whole, so what stands before an @ in it is none of a URL's.
    expect(secrets('change', 'https://me:hunter2@wiki.test and more').secrets).toEqual([])
  })

  it('that holds none, nothing changes', () => {
    for (const url of [
      'https://wiki.test/w?title=A',
      'https://@wiki.test/',
      'https://wiki.test/w?token=',
      'https://wiki.test/w?token=(secret)',
      'https://wiki.test/w?%E0%A4%A=1&titles=%E0%A4%A'
    ])
      expect(secrets('url', url)).toEqual({ clean: url, secrets: [] })
  })
})
