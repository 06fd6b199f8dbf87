/** Compact without a tree, beside the way over a tree: the same text, or nothing. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compactJson, escapedToAscii, membersIn } from '../../src/json/compact.ts'
import { readJson } from '../../src/json/read.ts'
import { itemsOf, type JsonTree, jsonArray, jsonObject, jsonString, memberOf } from '../../src/json/tree.ts'
import { writeCompact, writePretty } from '../../src/json/write.ts'
import { anySpelling, anyTree } from '../helpers/json-values.ts'
import { rounds } from '../helpers/scale.ts'

const wanted = { list: 'responses', member: 'json' }
const compact = (text: string, limits?: { deepest: number; mostValues: number }) =>
  compactJson(Buffer.from(text), wanted, limits)
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

const cassette = (...bodies: readonly JsonTree[]): JsonTree =>
  jsonObject([
    ['json', jsonString('not this one')],
    ['request', jsonObject([['json', jsonString('nor this')]])],
    [
      'responses',
      jsonArray(
        bodies.map((body) =>
          jsonObject([
            ['headers', jsonObject([['json', jsonString('')]])],
            ['json', body],
          ]),
        ),
      ),
    ],
  ])

describe('a text made compact', () => {
  test('is what its tree is written as, in either spelling', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const whole = jsonObject([['any', tree]])
        const found = compact(writePretty(whole))
        if (found === undefined) {
          expect(writeCompact(whole, 'utf8')).toMatch(/\\u/)
          return
        }
        expect(textOf(found.bytes)).toBe(writeCompact(whole, 'utf8'))
        expect(textOf(escapedToAscii(found.bytes))).toBe(writeCompact(whole, 'ascii'))
      }),
      { numRuns: rounds(2000) },
    )
  })

  test('is the same from any spelling, or left to the tree', () => {
    let taken = 0
    fc.assert(
      fc.property(anySpelling, ([tree, text]) => {
        const found = compact(text.isWellFormed() ? `{"a":${text}}` : '')
        if (found === undefined) return
        taken += 1
        expect(textOf(found.bytes)).toBe(`{"a":${writeCompact(tree, 'utf8')}}`)
      }),
      { numRuns: rounds(3000) },
    )
    expect(taken).toBeGreaterThan(300)
  })

  test('is made of nothing that readJson refuses', () => {
    const bits = [...'{}[]:,"\\ \n019-+.eE', 'true', 'false', 'null', '"a"', '"a":', '\\u0001', 'é', '\u2028']
    let taken = 0
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...bits), { maxLength: 9 }), (parts) => {
        for (const text of [parts.join(''), `{"a":${parts.join('')}}`, `{"a":[${parts.join('')}]}`]) {
          const found = compact(text)
          if (found === undefined) continue
          taken += 1
          const reading = readJson(text)
          expect(reading.ok && writeCompact(reading.tree, 'utf8')).toBe(textOf(found.bytes))
        }
      }),
      { numRuns: rounds(20_000) },
    )
    expect(taken).toBeGreaterThan(500)
  })

  test.each([
    ['{"a":01}'],
    ['{"a":-}'],
    ['{"a":1.}'],
    ['{"a":1e}'],
    ['{"a":tru}'],
    ['{"a":truex}'],
    ['{"a":+1}'],
    ['{"a":1 2}'],
    ['{"a" 1}'],
    ['{"a"}'],
    ['{,}'],
    ['{"a":1,}'],
    ['{"a":[1,]}'],
    ['{"a":[,1]}'],
    ['{"a":{]}'],
    ['{"a":[}'],
    ['{"a":1}}'],
    ['{"a":1} 2'],
    ['{"a":1},'],
    ['{"a":"\n"}'],
    ['{"a":"b'],
    ['{"a":"\\'],
    ['{"a":"\\u00'],
    ['{"a":"\\x"}'],
    ['{1:2}'],
    ['{"a"::1}'],
    ['{:1}'],
    ['[]'],
    ['1'],
    [''],
  ])('is not made of %s', (text) => {
    expect(compact(text)).toBeUndefined()
  })

  test.each([
    ['{"a":"\\/"}'],
    ['{"a":"\\u0041"}'],
    ['{"a":"\\u000a"}'],
    ['{"a":"\\u001F"}'],
    ['{"a":"\u2028"}'],
    ['{"a":"\\u0430"}'],
    ['\ufeff{"a":1}'],
  ])('leaves %j to the tree, which spells it otherwise', (text) => {
    expect(readJson(text).ok).toBe(true)
    expect(compact(text)).toBeUndefined()
  })

  test('goes no deeper and reads no more than it may', () => {
    const text = '{"a":[[1,2],[3]]}'
    expect(compact(text, { deepest: 3, mostValues: 7 })).toBeDefined()
    expect(compact(text, { deepest: 2, mostValues: 7 })).toBeUndefined()
    expect(compact(text, { deepest: 3, mostValues: 6 })).toBeUndefined()
  })
})

describe('a wanted member', () => {
  test('is found in every object of the list, and nowhere else', () => {
    fc.assert(
      fc.property(fc.array(anyTree, { maxLength: 4 }), (bodies) => {
        const found = compact(writePretty(cassette(...bodies)))
        if (found === undefined) return
        const texts = found.found.map(([from, to]) => textOf(found.bytes.subarray(from, to)))
        expect(texts).toEqual(bodies.map((body) => writeCompact(body, 'utf8')))
      }),
    )
  })

  test.each([
    ['{"responses":[{"json":1,"json":2}]}'],
    ['{"responses":[{"json":1}],"responses":[{"json":2}]}'],
    ['{"responses":[],"responses":[{"json":2}]}'],
  ])('that comes twice in %s is left to the tree', (text) => {
    expect(compact(text)).toBeUndefined()
  })

  test.each([
    ['{"responses":{"a":{"json":1}}}'],
    ['{"responses":[[{"json":1}]]}'],
    ['{"responses":[{"a":{"json":1}}]}'],
    ['{"other":[{"json":1}]}'],
    ['{"responses":[1],"other":[{"json":1}]}'],
  ])('is none in %s', (text) => {
    expect(compact(text)?.found).toEqual([])
  })
})

describe('members of a compact text', () => {
  test('are those of its tree', () => {
    fc.assert(
      fc.property(anyTree, anyTree, fc.nat(3), (tree, value, place) => {
        const more = [
          ['continue', value] as const,
          ['"continue":', value] as const,
          ['continue', tree] as const,
        ]
        const whole = jsonObject([['a', tree], ...more.slice(0, place), ['query-continue', tree]])
        const text = writeCompact(whole, 'utf8')
        const names = ['continue', 'query-continue']
        const picked = membersIn(Buffer.from(text), names)
        for (const name of names)
          expect(memberOf(picked, name) && writeCompact(memberOf(picked, name) ?? tree, 'utf8')).toBe(
            memberOf(whole, name) && writeCompact(memberOf(whole, name) ?? tree, 'utf8'),
          )
        const kept = more.slice(0, place).filter(([name]) => names.includes(name))
        expect(itemsOf(picked).length).toBe(kept.length + 1)
      }),
    )
  })

  test('are none of what is no object', () => {
    expect(membersIn(Buffer.from('["continue",{"continue":1}]'), ['continue'])).toEqual(jsonObject([]))
    expect(membersIn(Buffer.from('{}'), ['continue'])).toEqual(jsonObject([]))
  })
})
