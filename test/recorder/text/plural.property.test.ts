import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatCount, plural } from '../../../src/recorder/text/words.ts'

describe('counted things', () => {
  it('have their thousands apart as English has them', () => {
    fc.assert(
      fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (count) => {
        expect(formatCount(count)).toBe(count.toLocaleString('en-US'))
      })
    )
  })

  it('are one or many', () => {
    expect([
      plural(1, 'request'),
      plural(2000, 'request'),
      plural(0, 'entry', 'entries')
    ]).toEqual(['1 request', '2,000 requests', '0 entries'])
  })
})
