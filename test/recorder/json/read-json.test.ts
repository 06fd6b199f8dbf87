import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sameTree } from '../../../src/recorder/json/json-tree.ts'
import { type JsonReading, readJson } from '../../../src/recorder/json/read-json.ts'
import { anySpelling } from '../../helpers/json-values.ts'
import { rounds } from '../../helpers/scale.ts'

const treeOf = (reading: JsonReading) =>
  reading.ok ? reading.tree : expect.fail(JSON.stringify(reading.fault))
const faultOf = (text: string) => {
  const reading = readJson(text)
  return reading.ok
    ? expect.fail(`${JSON.stringify(text.slice(0, 40))} was read`)
    : reading.fault
}
const levels = (depth: number, open = '[', close = ']'): string =>
  open.repeat(depth) + close.repeat(depth)

describe('readJson', () => {
  it('reads any JSON value in any spelling', () => {
    fc.assert(
      fc.property(anySpelling, ([tree, text]) => {
        expect(sameTree(treeOf(readJson(text)), tree)).toBe(true)
      }),
      { numRuns: rounds(2000) }
    )
  })

  it('accepts exactly the texts that JSON.parse accepts', () => {
    const garbage = fc.oneof(
      fc.string({
        unit: fc.constantFrom(
          ...'{}[]",:0123456789.eE+-truefalsn\\u /*\n\t\u00a0\ufeff\u2028'
        ),
        maxLength: 14
      }),
      anySpelling.chain(([, text]) =>
        fc
          .tuple(
            fc.nat(text.length),
            fc.nat(4),
            fc.constantFrom('', ',', '}', ']', '"', '\\', '0', '\u0001')
          )
          .map(([at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut))
      )
    )
    fc.assert(
      fc.property(garbage, (text) => {
        fc.pre(!/^\s*\ufeff|\ufeff\s*$/.test(text))
        expect(readJson(text).ok, JSON.stringify(text)).toBe(parses(text))
      }),
      { numRuns: rounds(5000) }
    )
  })

  it('keeps member order, integer-like names, doubled names and the spelling of numbers', () => {
    const text = '{"b":1.0,"7":1e5,"-1":-0,"a":1E+05,"7":true,"__proto__":{"x":null}}'
    const tree = treeOf(readJson(text))
    expect(tree.kind === 'object' && tree.members.map(({ key }) => key)).toEqual([
      'b',
      '7',
      '-1',
      'a',
      '7',
      '__proto__'
    ])
    expect(
      tree.kind === 'object' &&
        tree.members.map(({ value }) =>
          value.kind === 'literal' ? value.text : value.kind
        )
    ).toEqual(['1.0', '1e5', '-0', '1E+05', 'true', 'object'])
  })

  it('skips a byte order mark, and reads CRLF and any indent alike', () => {
    const plain = '{"а":[1,{"b":"c"}],"d":""}'
    const unix = JSON.stringify(JSON.parse(plain), undefined, 2)
    const tree = treeOf(readJson(plain))
    for (const text of [
      unix,
      `\ufeff${unix}`,
      unix.replaceAll('\n', '\r\n'),
      unix.replaceAll('  ', '\t'),
      ` ${plain}\n\n`
    ]) {
      expect(sameTree(treeOf(readJson(text)), tree)).toBe(true)
    }
  })
})

describe('readJson of broken JSON', () => {
  it.each([
    ['', 1, 1],
    ['\ufeff', 1, 1],
    ['{"a":1', 1, 7],
    ['{"a":1}\n{', 2, 1],
    ['{\n  "a": 1,\n}', 3, 1],
    ['{\r\n  "a" 1\r\n}', 2, 7],
    ['[1,\n 2,\n x]', 3, 2],
    ['{"a":"\n"}', 1, 7],
    ['[01]', 1, 3],
    ['[1] // no', 1, 5],
    ['<html>', 1, 1]
  ])('tells where %j stops being JSON', (text, line, column) => {
    expect(faultOf(text)).toMatchObject({
      line,
      column,
      message: expect.stringMatching(/^[a-z ]+(?:JSON value)?$/)
    })
  })

  it('tells a line and column inside of the text wherever it is truncated', () => {
    fc.assert(
      fc.property(anySpelling, fc.nat(), ([, text], cut) => {
        const half = text.slice(0, cut % Math.max(1, text.length))
        const reading = readJson(half)
        if (reading.ok) return
        const lines = half.split(/\r\n|\r|\n/)
        expect(reading.fault.line).toBeGreaterThanOrEqual(1)
        expect(reading.fault.line).toBeLessThanOrEqual(lines.length)
        expect(reading.fault.column).toBeLessThanOrEqual(
          (lines[reading.fault.line - 1] ?? '').length + 2
        )
      }),
      { numRuns: rounds(1000) }
    )
  })

  it('refuses hostile nesting with a place rather than with a crash', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
      ['[{"a":', '}]']
    ] as const) {
      expect(faultOf(levels(100_000, open, close))).toMatchObject({
        line: 1,
        message: 'nested too deeply to be read'
      })
      expect(faultOf(open.repeat(100_000))).toMatchObject({
        message: 'nested too deeply to be read'
      })
    }
    expect(faultOf(`{\n"a":${levels(1001)}}`)).toEqual({
      line: 2,
      column: 1004,
      message: 'nested too deeply to be read'
    })
  })

  it('reads nesting far beyond what PHP writes', () => {
    expect(readJson(levels(1000)).ok).toBe(true)
    expect(readJson(levels(512, '{"a":[', ']}').replace('[]', '[1]')).ok).toBe(false)
    expect(readJson(levels(512)).ok).toBe(true)
  })
})

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
