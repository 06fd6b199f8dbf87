/** Compact without a tree, beside the way over a tree: the same text. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compactJson } from '../../src/json/compact-json.ts'
import { readJson } from '../../src/json/read-json.ts'
import { asciiBytes, writeCompact, writePretty } from '../../src/json/write-json.ts'
import { anySpelling, anyTree } from '../helpers/json-values.ts'
import { rounds } from '../helpers/scale.ts'

const viaTree = (text: string): string => {
  const reading = readJson(text)
  return reading.ok ? writeCompact(reading.tree, 'utf8') : expect.fail(reading.fault.message)
}

describe('a text made compact', () => {
  test('is what its tree is written as, in either spelling', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const compact = compactJson(writePretty(tree))
        expect(compact).toBe(writeCompact(tree, 'utf8'))
        expect(asciiBytes(compact).toString('latin1')).toBe(writeCompact(tree, 'ascii'))
      }),
      { numRuns: rounds(2000) },
    )
  })

  test('is the same from any spelling', () => {
    fc.assert(
      fc.property(anySpelling, ([tree, text]) => {
        expect(compactJson(text)).toBe(writeCompact(tree, 'utf8'))
      }),
      { numRuns: rounds(3000) },
    )
  })

  test.each([
    ['{"a":"\\/"}'],
    ['{"a":"\\u0041"}'],
    ['{"a":"\\u000a"}'],
    ['{"a":"\\u001F"}'],
    ['{"a":"\u2028 \\u2028"}'],
    ['{"a":"\\u0430 \\ud83d"}'],
    ['{ "a" : "b \\" : , c" , "a" : 1.0 , "7" : 1E5 }'],
    ['[ "\\\\u0041" , "\\\\" ]'],
    [`[ "${'a\\n'.repeat(2_000_000)}" ]`],
  ])('is what the tree says of %.60s', (text) => {
    expect(compactJson(text) === viaTree(text)).toBe(true)
  })
})
