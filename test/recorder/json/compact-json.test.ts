/** Compact without a tree, beside the way over a tree: the same text. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compactJson } from '../../../src/recorder/json/compact-json.ts'
import { readJson } from '../../../src/recorder/json/read-json.ts'
import {
  asciiBytes,
  type Spelling,
  writeCompact,
  writePretty
} from '../../../src/recorder/json/write-json.ts'
import { anySpelling, anyTree } from '../../helpers/json-values.ts'
import { rounds } from '../../helpers/scale.ts'

/** Undefined where it has to be read as a tree. */
const compactText = (text: string, spelling: Spelling = 'utf8'): string | undefined => {
  const source = Buffer.from(text)
  const compact = compactJson(source, 0, spelling)
  if (compact !== undefined) expect(compact.end).toBe(source.length)
  return compact?.bytes.toString()
}

const viaTree = (text: string): string => {
  const reading = readJson(text)
  return reading.ok
    ? writeCompact(reading.tree, 'utf8')
    : expect.fail(reading.fault.message)
}

const escapeNonAscii = (text: string): string =>
  text.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  )

describe('a text made compact', () => {
  test('is what its tree is written as, in either spelling', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const utf8 = writeCompact(tree, 'utf8')
        const compact = compactText(writePretty(tree))
        const isCompound = tree.kind === 'object' || tree.kind === 'array'
        // Half a character is left to the tree.
        if (isCompound && !/\\ud/.test(utf8)) expect(compact).toBe(utf8)
        else expect([undefined, utf8]).toContain(compact)
        const ascii = escapeNonAscii(utf8)
        expect(asciiBytes(Buffer.from(utf8)).toString('latin1')).toBe(ascii)
        if (compact !== undefined)
          expect(compactText(writePretty(tree), 'ascii')).toBe(ascii)
      }),
      { numRuns: rounds(2000) }
    )
  })

  test('is the same from any spelling, or none', () => {
    let made = 0
    fc.assert(
      fc.property(anySpelling, ([tree, text]) => {
        const compact = compactText(text.trim())
        if (compact === undefined) return
        made += 1
        expect(compact).toBe(writeCompact(tree, 'utf8'))
      }),
      { numRuns: rounds(3000) }
    )
    expect(made).toBeGreaterThan(rounds(3000) / 20)
  })

  test.each([
    ['{"a":"\\u001f\\u2028"}'],
    ['{"a":"\u00e9\u20ac\ud83d\ude00"}'],
    ['{ "a" : "b \\" : , c" , "a" : 1.0 , "7" : 1E5 }'],
    ['[ "\\\\u0041" , "\\\\" ]'],
    ['[[], {}, [ ]]'],
    [`[ "${'a\\n'.repeat(2_000_000)}" ]`]
  ])('is what the tree says of %.60s', (text) => {
    expect(compactText(text) === viaTree(text)).toBe(true)
  })

  test.each([
    ['another spelling of a slash', '{"a":"\\/"}'],
    ['another spelling of a letter', '{"a":"\\u0041"}'],
    ['another spelling of a line feed', '{"a":"\\u000a"}'],
    ['upper-case digits', '{"a":"\\u001F"}'],
    ['a line separator as it is', '{"a":"\u2028"}'],
    ['half a character', '{"a":"\\ud83d"}'],
    ['deep nesting', '['.repeat(1001) + ']'.repeat(1001)],
    ['many values', `[${'1,'.repeat(1_000_001)}1]`],
    ['no end', '{"a":[1}'],
    ['no end of a string', '{"a":"b\\"}'],
    ['a string', '"a"'],
    ['a number', '1'],
    ['nothing', '']
  ])('is not made of %s', (_, text) => {
    expect(compactText(text)).toBeUndefined()
  })
})
