import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCompact } from '../../src/json/is-compact.ts'
import { readJson } from '../../src/json/read.ts'
import { writeCompact, writePretty } from '../../src/json/write.ts'
import { anyTree } from '../helpers/json-values.ts'
import { rounds } from '../helpers/scale.ts'

const spellings = ['ascii', 'utf8'] as const
const spelling = fc.constantFrom(...spellings)

/** Ways to write JSON that `writeCompact` does not have. */
const others: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replace(/\\u[0-9a-f]{4}/g, (unit) => unit.toUpperCase().replace('U', 'u')),
  (text) => text.replaceAll('/', '\\/'),
  (text) => text.replaceAll('e', '\\u0065'),
  (text) => text.replaceAll('\\n', '\\u000a'),
  (text) => text.replaceAll('\u007f', '\\u007f'),
  (text) => text.replace(',', ', '),
  (text) => `${text}\n`,
]

describe('whether a text is compact', () => {
  it('is said of none that would be written in another way', () => {
    const whole = fc.tuple(anyTree, spelling, fc.constantFrom(...others))
    fc.assert(
      fc.property(whole, spelling, ([tree, written, other], asked) => {
        for (const text of [other(writeCompact(tree, written)), writePretty(tree)]) {
          const reading = readJson(text)
          if (reading.ok && isCompact(text, asked)) expect(writeCompact(reading.tree, asked)).toBe(text)
        }
      }),
      { numRuns: rounds(3000) },
    )
  })

  it('is said of what is written so, as long as it needs no second look', () => {
    fc.assert(
      fc.property(anyTree, spelling, (tree, asked) => {
        const text = writeCompact(tree, asked)
        if (asked === 'ascii' || !/[\ud800-\udfff]|\\ud[89a-f]/.test(text))
          expect(isCompact(text, asked), text).toBe(true)
      }),
      { numRuns: rounds(2000) },
    )
  })

  it.each([
    ['ascii', '{"a":"\\u0421\\n\\u0001\u007f","b":[1.0,"/",{}]}', true],
    ['ascii', '{"a":"С"}', false],
    ['ascii', '{"a":"\\u0041"}', false],
    ['ascii', '{"a":"\\u042F"}', false],
    ['ascii', '{"a":"\\/"}', false],
    ['ascii', '{"a": "b"}', false],
    ['ascii', '{"a":"\\u000a"}', false],
    ['utf8', '{"a":"С ","b":"\\u2028"}', true],
    ['utf8', '{"a":"\\u0421"}', false],
    ['utf8', '{"a":"\u2028"}', false],
  ] as const)('in %s: %s: %s', (asked, text, expected) => {
    expect(isCompact(text, asked)).toBe(expected)
  })
})
