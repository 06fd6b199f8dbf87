import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longRuns } from '../../../src/privacy/encodings/decode-layers.ts'
import { rounds } from '../../helpers/scale.ts'

const anyText = fc
  .array(
    fc.tuple(
      fc.string({ unit: fc.constantFrom(...'aZ9+/_-'), maxLength: 40 }),
      fc.constantFrom('', ' ', '=', 'ж', '"'),
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.flat().join(''))

describe('runs that may pack something', () => {
  it('are those of sixteen signs of base64 and more, each whole', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect([...longRuns(text)]).toEqual(text.match(/[A-Za-z0-9+/_-]{16,}/g) ?? [])
      }),
      { numRuns: rounds(5000) },
    )
  })
})
