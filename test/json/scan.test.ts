/** The quick way beside the slow one: the same tree, or nothing. */

import fc from 'fast-check'
import { visit } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import { scanJson } from '../../src/json/scan.ts'
import type { JsonTree } from '../../src/json/tree.ts'
import { writeCompact } from '../../src/json/write.ts'
import { character } from '../helpers/any-text.ts'
import { rounds } from '../helpers/scale.ts'

/** What jsonc-parser, with its leniencies off, says of a text. */
function isJson(text: string): boolean {
  let sound = true
  visit(text, { onError: () => (sound = false) }, { disallowComments: true, allowTrailingComma: false })
  return sound
}

function treeOf(text: string): JsonTree | undefined {
  const tree = scanJson(text, { deepest: 1000, mostValues: 100_000 })
  return tree === 'too many values' ? undefined : tree
}

const white = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 2 })
const words = fc.oneof(
  fc.string({ unit: character }),
  fc.constantFrom('Ёж', '\ud83d', '"\\/\b\f\n\r\t', '\u2028'),
)
const numbers = fc.constantFrom('0', '-0', '1.0', '1e5', '-12.50E-3', '123456789012345678901234567890')

describe('the quick way', () => {
  test('reads whatever is JSON, as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: character, maxDepth: 6 }), white, (text, space) => {
        const tree = treeOf(`${space}${text}${space}`)
        expect(tree && JSON.parse(writeCompact(tree, 'utf8'))).toEqual(JSON.parse(text))
      }),
    )
  })

  test('keeps the order of members, doubled names and the spelling of numbers', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            words,
            fc.oneof(
              numbers,
              words.map((one) => JSON.stringify(one)),
            ),
          ),
        ),
        (members) => {
          const text = `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`
          const tree = treeOf(text)
          expect(tree?.kind === 'object' && tree.members.map((one) => one.key)).toEqual(
            members.map(([key]) => key),
          )
          for (const [at, [, value]] of members.entries()) {
            const held = tree?.kind === 'object' ? tree.members[at]?.value : undefined
            expect(held?.kind === 'string' ? held.value : held?.kind === 'literal' && held.text).toBe(
              value.startsWith('"') ? JSON.parse(value) : value,
            )
          }
        },
      ),
    )
  })

  test('takes nothing that jsonc-parser refuses', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '1',
      '-',
      '.',
      'e',
      '01',
      'true',
      'nul',
      ' ',
      '\u0001',
      '//',
      '\ufeff',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 9 }), (parts) => {
        const text = parts.join('')
        if (treeOf(text) !== undefined) expect(isJson(text), text).toBe(true)
      }),
      { numRuns: rounds(5000) },
    )
    for (const text of [
      '',
      ' ',
      '[1,]',
      '{"a":1,}',
      '"\u0001"',
      '"\\x"',
      '01',
      '1.',
      '.5',
      '+1',
      'NaN',
      '[1] 2',
      "'a'",
    ])
      expect(treeOf(text), text).toBeUndefined()
  })

  test('gives up on what is nested too deeply', () => {
    expect(scanJson('[[]]', { deepest: 2, mostValues: 9 })).toBeDefined()
    expect(scanJson('[[[]]]', { deepest: 2, mostValues: 9 })).toBeUndefined()
  })
})
