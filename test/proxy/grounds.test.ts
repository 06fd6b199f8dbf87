/** What ready replies rest on is told as it was noted, of one file or of several. */
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { Grounds } from '../../src/proxy/grounds.ts'
import type { RequestKey } from '../../src/request/key.ts'
import type { Footing } from '../../src/store/footing.ts'

const keys = fc.constantFrom(
  '000000000000',
  'ffffffffffff',
  '00000000000a',
  'b00000000000',
) as fc.Arbitrary<RequestKey>
const marks = fc.tuple(
  fc.nat(2),
  fc.maxSafeNat(),
  fc.nat(2),
  fc.constantFrom(1.5, 1.25),
  fc.constantFrom(0.1, 0.2),
)
const footings: fc.Arbitrary<Footing> = fc.array(
  fc.tuple(fc.constantFrom('query/a.json', 'query/b.json'), marks),
  {
    maxLength: 2,
  },
)
const later = Number.POSITIVE_INFINITY

it('the first footing of a key counts, until all is forgotten', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, footings), { maxLength: 20 }), (notes) => {
      const looked: Footing[] = []
      const grounds = new Grounds({ stands: (footing) => looked.push(footing) > 0 })
      const known = new Map<RequestKey, Footing>()
      for (const [key, footing] of notes) {
        const first = known.get(key)
        const isWithin = footing.every((one) => (first ?? footing).some((other) => sameText(one, other)))
        expect(grounds.note(key, footing)).toBe(isWithin)
        if (first === undefined) known.set(key, footing)
      }
      for (const [key, footing] of known) {
        expect(grounds.stand(key, later)).toBe(true)
        expect(looked.pop()).toEqual(footing)
      }
      grounds.clear()
      for (const key of known.keys()) expect(grounds.stand(key, later)).toBe(false)
      for (const [key, footing] of known) expect(grounds.note(key, footing)).toBe(true)
    }),
  )
})

const sameText = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

it('a thousand of them are told apart, and each is looked at again after a while', () => {
  const changed = new Set<string>()
  const stands = vi.fn((footing: Footing) => footing.every(([file]) => !changed.has(file)))
  const grounds = new Grounds({ stands })
  const all = Array.from({ length: 1000 }, (_, at) => at.toString(16).padStart(12, '0') as RequestKey)
  for (const [at, key] of all.entries()) grounds.note(key, [[`query/${key}.json`, [1, at, 2, 3, 4]]])
  changed.add(`query/${all[500]}.json`)
  const soon = performance.now()
  expect(all.every((key) => grounds.stand(key, soon))).toBe(true)
  expect(stands).not.toHaveBeenCalled()
  expect(all.filter((key) => !grounds.stand(key, soon + 1000))).toEqual([all[500]])
  expect(stands).toHaveBeenCalledTimes(1000)
  expect(all.every((key) => grounds.stand(key, soon + 1050))).toBe(true)
  expect(grounds.stand(undefined, soon)).toBe(false)
})
