import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isClean,
  joinValues,
  mergeParams,
  parseUrlencoded,
  splitValues,
  writeQuery
} from '../../../../src/recorder/wiki/parameters/request-params.ts'
import { paramsOf } from '../../../helpers/api-requests.ts'
import { rounds } from '../../../helpers/scale.ts'

const pairs = (query: string): Record<string, string> =>
  Object.fromEntries(parseUrlencoded(query))

describe('parseUrlencoded', () => {
  // Each line was asked of PHP 8.2's parse_str.
  it.each<[string, Record<string, string>]>([
    ['a=1&b=2&a=3', { a: '3', b: '2' }],
    ['a', { a: '' }],
    ['&&a=1&', { a: '1' }],
    ['=1', {}],
    ['', {}],
    ['a=b=c', { a: 'b=c' }],
    ['a=x+y%2Bz', { a: 'x y+z' }],
    ['a=%zz%4', { a: '%zz%4' }],
    ['a=%d0%B0', { a: 'а' }],
    ['+a+b+=1', { a_b_: '1' }],
    ['  =1', {}],
    ['.a=1', { _a: '1' }],
    ['a b=1&a.b=3&a_b=2', { a_b: '2' }],
    ['a%20=1', { a_: '1' }],
    ['a\t=1', { 'a\t': '1' }],
    ['a%00b=1', { a: '1' }],
    ['%00a=1', {}],
    ['a=b%00c', { a: 'b\0c' }],
    ['5=1', { 5: '1' }],
    ['[a]=1', {}],
    ['%5Ba=1', {}],
    ['a[=1', { a_: '1' }],
    ['a]=1', { 'a]': '1' }],
    ['a[b.c=1', { a_b_c: '1' }],
    ['a[b c[d=1', { a_b_c_d: '1' }],
    ['a[%00]=1', { a_: '1' }],
    ['a.b[c.d]=1', { 'a_b[c.d]': '1' }],
    ['a[]=1&a[]=2', { 'a[]': '1\u001f2' }],
    ['titles=B&titles[]=A', { 'titles[]': 'A' }],
    ['titles[]=A&titles=B', { titles: 'B' }],
    ['a[b]=1&a=2&a[c]=3', { 'a[c]': '3' }]
  ])('reads %j as PHP does', (query, expected) => {
    expect(pairs(query)).toEqual(expected)
  })
})

describe('parseUrlencoded of names and bytes', () => {
  it('takes names from the prototype chain as names like any other', () => {
    const params = parseUrlencoded('__proto__=1&constructor=2&toString')
    expect([...params]).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
      ['toString', '']
    ])
  })

  it('keeps the place of the first appearance and the value of the last', () => {
    expect([...parseUrlencoded('b=1&a=2&b=3')]).toEqual([
      ['b', '3'],
      ['a', '2']
    ])
  })

  it('keeps bytes that are not UTF-8 apart from each other and from U+FFFD', () => {
    const values = [
      '%FF',
      '%FE',
      '%EF%BF%BD',
      '%E0%A0',
      '%E0%A0%41',
      '%ED%A0%80',
      '%C0%80',
      '%F4%90%80%80',
      '%D0%B0%FF'
    ]
    const read = values.map((value) => parseUrlencoded(`a=${value}`).get('a') ?? '')
    expect(new Set(read).size).toBe(values.length)
    expect(read.map(isClean)).toEqual(values.map((value) => value === '%EF%BF%BD'))
    expect(read.at(-1)).toBe('а\udcff')
  })

  it('loses no byte: writing and reading again gives the same parameters', () => {
    const bytes = fc
      .uint8Array({ maxLength: 12 })
      .map((raw) => Buffer.from(raw).toString('latin1'))
    const escaped = bytes.map((text) =>
      text.replace(
        /[^a-z]/g,
        (unit) => `%${unit.charCodeAt(0).toString(16).padStart(2, '0')}`
      )
    )
    fc.assert(
      fc.property(escaped, escaped, (one, two) => {
        fc.pre(one !== two)
        const [a, b] = [one, two].map((value) => parseUrlencoded(`x=${value}`))
        expect(a?.get('x') === b?.get('x')).toBe(
          Buffer.from(unescapeLatin(one), 'latin1').equals(
            Buffer.from(unescapeLatin(two), 'latin1')
          )
        )
        expect(parseUrlencoded(writeQuery(a ?? []))).toEqual(a)
      }),
      { numRuns: rounds(1000) }
    )
  })
})

describe('parseUrlencoded of any query', () => {
  it('reads bytes alike whether they are escaped or not', () => {
    const raw = fc
      .uint8Array({ maxLength: 8 })
      .map((bytes) => Buffer.from(bytes).toString('latin1').replace(/[%&+]/g, ''))
    fc.assert(
      fc.property(
        fc.oneof(
          raw,
          raw.map((text) => `а\ufffd${text}`)
        ),
        (text) => {
          const bytes = Buffer.from(
            text,
            text.startsWith('а') ? 'utf8' : 'latin1'
          ).toString('latin1')
          const escaped = [...bytes].map(
            (unit) => `%${unit.charCodeAt(0).toString(16).padStart(2, '0')}`
          )
          expect(parseUrlencoded(`x=${escaped.join('')}`)).toEqual(
            parseUrlencoded(`x=${bytes}`)
          )
        }
      ),
      { numRuns: rounds(1000) }
    )
  })

  it('reads back what writeQuery spells, whatever the text', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 8 })
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name }),
        (entries) => {
          const usable = entries.filter(([name]) => name !== '' && !/[ .[\0]/.test(name))
          expect([...parseUrlencoded(writeQuery(usable))]).toEqual(usable)
        }
      )
    )
    expect(writeQuery([['titles', 'А|Б:В']])).toBe('titles=%D0%90|%D0%91:%D0%92')
  })

  it('reads a megabyte of pairs, brackets or escapes in one go', () => {
    expect(parseUrlencoded('a=1&'.repeat(250_000)).size).toBe(1)
    expect(parseUrlencoded('a[]=1&'.repeat(150_000)).size).toBe(1)
    expect(
      parseUrlencoded(Array.from({ length: 50_000 }, (_, at) => `a[${at}]=1`).join('&'))
        .size
    ).toBe(50_000)
    expect(parseUrlencoded(`a=${'%FF'.repeat(300_000)}`).get('a')).toHaveLength(300_000)
    expect(parseUrlencoded(`${'['.repeat(500_000)}=1`).size).toBe(0)
    expect(parseUrlencoded(`a${'['.repeat(500_000)}=1`).size).toBe(1)
  })
})

const unescapeLatin = (text: string): string =>
  text.replace(/%(..)/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16))
  )

describe('mergeParams', () => {
  it('prefers the body and puts it first, as $_POST + $_GET does', () => {
    expect([...mergeParams(paramsOf('b=body&c=1'), paramsOf('a=url&b=url'))]).toEqual([
      ['b', 'body'],
      ['c', '1'],
      ['a', 'url']
    ])
  })
})

describe('lists of values', () => {
  it.each<[string, readonly string[]]>([
    ['', []],
    ['a', ['a']],
    ['a|b', ['a', 'b']],
    ['a||b|', ['a', '', 'b', '']],
    ['\u001fa|b\u001fc', ['a|b', 'c']],
    ['a\u001fb', ['a\u001fb']],
    ['\u001f', []]
  ])('splits %j', (value, expected) => {
    expect(splitValues(value)).toEqual(expected)
  })

  it('joins what it splits, by U+001F only where a value holds a pipe', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('а', '|', ' ') }), { minLength: 1 }),
        (values) => {
          fc.pre(values.join('') !== '')
          expect(splitValues(joinValues(values))).toEqual(values)
        }
      )
    )
    expect(joinValues(['a', 'b'])).toBe('a|b')
    expect(joinValues(['a|b', 'c'])).toBe('\u001fa|b\u001fc')
  })
})

describe('isClean', () => {
  it.each([
    ['', true],
    ['Волга\t\r\n', true],
    ['\ufffd', true],
    ['\u0085\u2028', true],
    ['e\u0301', false],
    ['\0', false],
    ['a\u001fb', false],
    ['\u000b', false],
    ['\ud800', false],
    ['\ufffe', false]
  ])('%j: %s', (value, clean) => {
    expect(isClean(value)).toBe(clean)
  })
})
