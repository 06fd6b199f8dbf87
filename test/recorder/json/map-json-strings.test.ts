import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mapJsonStrings } from '../../../src/recorder/json/edit-json.ts'
import { character } from '../../helpers/any-text.ts'
import { scaled } from '../../helpers/scale.ts'

describe('string values of JSON text', () => {
  it('are those that JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: character })), (values) => {
        const seen: string[] = []
        const text = JSON.stringify(values)
        const same = mapJsonStrings(text, (value) => {
          seen.push(value)
          return value
        })
        expect([same, seen]).toEqual([text, values])
      })
    )
  })

  it('are changed where they stand, names and all else as spelled', () => {
    const text = ' {"a" : "\\u0061", "b":["a", 1.0],"a":"b" }'
    expect(mapJsonStrings(text, (value) => (value === 'a' ? '"' : value))).toBe(
      ' {"a" : "\\"", "b":["\\"", 1.0],"a":"b" }'
    )
  })

  it('may be of many megabytes, escaped or not, or have no end', () => {
    const size = scaled(4_000_000, 20_000_000)
    for (const long of ['x'.repeat(size), '\\"'.repeat(size / 2)]) {
      const length = long.startsWith('x') ? long.length : long.length / 2
      expect(mapJsonStrings(`["${long}",""]`, (value) => String(value.length))).toBe(
        `["${length}","0"]`
      )
      expect(mapJsonStrings(`"${long}`, () => '')).toBe(`"${long}`)
    }
  })
})
