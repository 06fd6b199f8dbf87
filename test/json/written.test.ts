import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readJson } from '../../src/json/read.ts'
import { type JsonTree, memberOf, sameTree } from '../../src/json/tree.ts'
import { writeCompact, writePretty } from '../../src/json/write.ts'
import { readWritten } from '../../src/json/written.ts'
import { character } from '../helpers/any-text.ts'

const trees: fc.Arbitrary<JsonTree> = fc.letrec<{ tree: JsonTree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc
      .constantFrom('0', '-0', '1', '1.0', '1e3', '12345678901234567890', 'true', 'false', 'null')
      .map((text): JsonTree => ({ kind: 'literal', text })),
    fc.string({ unit: character }).map((value): JsonTree => ({ kind: 'string', value })),
    fc.array(tie('tree'), { maxLength: 4 }).map((items): JsonTree => ({ kind: 'array', items })),
    fc
      .array(
        fc.record({
          key: fc.oneof(fc.constantFrom('a', 'b', '1', '0', '-1', '__proto__', '\u2028', ''), fc.string()),
          value: tie('tree'),
        }),
        { maxLength: 5 },
      )
      .map((members): JsonTree => ({ kind: 'object', members })),
  ),
})).tree

const written = (tree: JsonTree): string => `${writePretty(tree)}\n`

test('what it reads is what the slow way reads, byte for byte', () => {
  fc.assert(
    fc.property(trees, (tree) => {
      const held = readWritten(written(tree))
      if (held === undefined) return
      expect(sameTree(held, tree)).toBe(true)
      for (const spelling of ['utf8', 'ascii'] as const)
        expect(writeCompact(held, spelling)).toBe(writeCompact(tree, spelling))
    }),
    { numRuns: 1000 },
  )
})

test('recordings as wikitape writes them are read; page ids in another order, spelled numbers and doubled names are not', () => {
  const read = (text: string): boolean => {
    const reading = readJson(text)
    return reading.ok && readWritten(written(reading.tree)) !== undefined
  }
  expect(read('{"request":{"action":"query"},"query":{"pages":{"3":{"title":"Ёж \\"a\\""},"21":{}}}}')).toBe(
    true,
  )
  expect(read('{"pages":{"21":{},"3":{}}}')).toBe(false)
  expect(read('{"pages":{"title":"x","3":{}}}')).toBe(false)
  expect(read('{"size":1.0}')).toBe(false)
  expect(read('{"size":-0}')).toBe(false)
  expect(read('{"a":1,"a":2}')).toBe(false)
})

test('other texts are left to the slow way', () => {
  for (const text of [
    '',
    '{',
    '{"a":1}',
    '{\n  "a": 1\n}',
    '\ufeff{\n  "a": 1\n}\n',
    '[\n  1\n]',
    'null',
    '{"a"\n',
  ])
    expect(readWritten(text)).toBeUndefined()
  expect(readWritten(`${'['.repeat(500_000)}${']'.repeat(500_000)}`)).toBeUndefined()
  expect(readWritten(`"${'a'.repeat(1_000_000)}"\n`)).toBeUndefined()
})

test('a member that holds others is the same one whenever it is asked for; what is not there is not', () => {
  const tree = readWritten('{\n  "a": {\n    "b": 1\n  },\n  "__proto__": "x"\n}\n')
  expect(memberOf(tree, 'a')).toBe(memberOf(tree, 'a'))
  expect(memberOf(memberOf(tree, 'a'), 'b')).toEqual({ kind: 'literal', text: '1' })
  expect(memberOf(tree, '__proto__')).toEqual({ kind: 'string', value: 'x' })
  expect(memberOf(tree, 'toString')).toBeUndefined()
})
