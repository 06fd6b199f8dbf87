import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BestNames } from '../../../../src/recorder/store/contents/best-names.ts'

it('keeps what a sort of all names by score, then by bytes, has first', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'ю'), maxLength: 4 })
  fc.assert(
    fc.property(
      fc.array(name, { maxLength: 60 }),
      fc.integer({ min: 1, max: 12 }),
      (all, count) => {
        // Few scores, so that many names are equal.
        const scoreOf = (one: string): number => one.length % 2
        const best = new BestNames(count, (names, start, end) =>
          scoreOf(names.toString('utf8', start, end))
        )
        const names = Buffer.from(all.join(''))
        let start = 0
        for (const [place, one] of all.entries()) {
          const end = start + Buffer.byteLength(one)
          best.visit(names, start, end, place)
          start = end
        }
        const sorted = all.toSorted(
          (a, b) =>
            scoreOf(b) - scoreOf(a) || Buffer.compare(Buffer.from(a), Buffer.from(b))
        )
        expect(best.found.map(({ place }) => all[place])).toEqual(sorted.slice(0, count))
      }
    )
  )
})
