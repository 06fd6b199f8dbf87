import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  MultiSearch,
  minTermLength
} from '../../../../src/recorder/privacy/known/multi-search.ts'
import { rounds } from '../../../helpers/scale.ts'

/** Few letters, so that needles begin alike, overlap, and stand inside of each other. */
const word = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'ж', '\ud83d'), minLength, maxLength })

/** Enough of them that no other is looked for by itself. */
const others = Array.from({ length: 20 }, (_, at) => `never${at}never`)

function indexOf(texts: readonly string[]): MultiSearch<string> {
  const index = new MultiSearch<string>()
  for (const text of texts) index.add({ text, wholeWord: false, owner: text })
  return index
}

describe('many needles in one pass', () => {
  it('are found where they stand, and nowhere else', () => {
    fc.assert(
      fc.property(fc.array(word(1, 9), { maxLength: 12 }), word(0, 60), (texts, text) => {
        const stand = texts.filter(
          (one) => one.length >= minTermLength && text.includes(one)
        )
        const found = [...new Set(stand)].sort()
        expect([...indexOf(texts).find(text)].sort()).toEqual(found)
        expect([...indexOf([...texts, ...others]).find(text)].sort()).toEqual(found)
      }),
      { numRuns: rounds(5000) }
    )
  })

  it('are found as words alone where letters around them make another word', () => {
    const bordered = (texts: readonly string[]): MultiSearch<string> => {
      const index = new MultiSearch<string>()
      for (const text of texts) index.add({ text, wholeWord: true, owner: text })
      return index
    }
    for (const more of [[], others]) {
      const index = bordered(['10.0.0.1', 'secret', ...more])
      expect([...index.find('110.0.0.1 10.0.0.12 10.0.0.1.5 secrets xsecret')]).toEqual(
        []
      )
      expect([...index.find('110.0.0.1 at 10.0.0.1, secrets, a secret')].sort()).toEqual([
        '10.0.0.1',
        'secret'
      ])
    }
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
