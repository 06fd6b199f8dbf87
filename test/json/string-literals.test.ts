import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mapStringLiterals } from '../../src/json/string-literals.ts'
import { character } from '../helpers/any-text.ts'
import { scaled } from '../helpers/scale.ts'

describe('string literals of JSON text', () => {
  it('are those that JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: character })), (values) => {
        const seen: unknown[] = []
        const text = JSON.stringify(values)
        const same = mapStringLiterals(text, (literal) => {
          seen.push(JSON.parse(literal))
          return literal
        })
        expect([same, seen]).toEqual([text, values])
      }),
    )
  })

  it('may be of many megabytes, escaped or not, or have no end', () => {
    const size = scaled(4_000_000, 20_000_000)
    for (const long of ['x'.repeat(size), '\\"'.repeat(size / 2)]) {
      expect(mapStringLiterals(`["${long}",""]`, (literal) => String(literal.length))).toBe(
        `[${long.length + 2},2]`,
      )
      expect(mapStringLiterals(`"${long}`, () => '')).toBe(`"${long}`)
    }
  })
})
