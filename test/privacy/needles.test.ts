import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NeedleIndex, shortestNeedle } from '../../src/privacy/needles.ts'
import { rounds } from '../helpers/scale.ts'

/** Few letters, so that needles begin alike, overlap, and stand inside of each other. */
const word = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'ж', '\ud83d'), minLength, maxLength })

function indexOf(texts: readonly string[]): NeedleIndex<string> {
  const index = new NeedleIndex<string>()
  for (const text of texts) index.add({ text, bordered: false, owner: text })
  return index
}

describe('many needles in one pass', () => {
  it('are found where they stand, and nowhere else', () => {
    fc.assert(
      fc.property(fc.array(word(1, 9), { maxLength: 12 }), word(0, 60), (texts, text) => {
        const stand = texts.filter((one) => one.length >= shortestNeedle && text.includes(one))
        expect([...indexOf(texts).find(text)].sort()).toEqual([...new Set(stand)].sort())
      }),
      { numRuns: rounds(5000) },
    )
  })

  it('are found at the beginning and at the end of a text', () => {
    const index = indexOf(['abcdef', 'uvwxyz'])
    expect([...index.find('abcdef--uvwxyz')]).toEqual(['abcdef', 'uvwxyz'])
    expect([...index.find('abcdef')]).toEqual(['abcdef'])
    expect([...index.find('abcde')]).toEqual([])
  })

  it('are all found however many there are', () => {
    const texts = Array.from({ length: 20_000 }, (_, at) => `${1e6 + at * 7919}secret`)
    const found = indexOf(texts).find(texts.filter((_, at) => at % 3 === 0).join(' '))
    expect(texts.filter((text, at) => at % 3 === 0 && !found.has(text))).toEqual([])
  })
})
