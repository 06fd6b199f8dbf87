import { posix } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RequestKey } from '../../../src/request/request-key.ts'
import { PathTable } from '../../../src/store/contents/path-table.ts'

// Few keys, so that steps meet; those beside each other want the same slot.
const key = fc
  .oneof(
    fc.nat(20),
    fc.constantFrom(0xffff_ffff_ffff, 0xffff_ffff_fffe, 64, 128, 4096),
    fc.maxSafeNat().map((one) => one % 2 ** 48),
  )
  .map((number) => number.toString(16).padStart(12, '0') as RequestKey)
const stem = fc.oneof(
  fc.constantFrom(
    '',
    'query.allpages/',
    'query.allpages/apfrom=Статья_1.',
    'x/😀.',
    `long/${'я'.repeat(70_000)}.`,
  ),
  fc.string({ unit: 'grapheme', maxLength: 90 }),
)
// The index has no absolute paths.
const step = fc.record({
  key,
  stem: stem.filter((one) => !one.startsWith('/')),
  isDeleted: fc.boolean(),
})

describe('the table of paths', () => {
  it('holds what a Map of the same steps holds', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const table = new PathTable()
        const map = new Map<RequestKey, string>()
        for (const one of steps) {
          const path = `${one.stem}${one.key}.json`
          if (one.isDeleted) map.delete(one.key)
          else map.set(one.key, path)
          if (one.isDeleted) table.delete(one.key)
          else {
            const { dir, base } = posix.parse(path)
            table.set(one.key, dir, base)
          }
          expect(table.get(one.key)).toBe(map.get(one.key))
        }
        expect(table.size).toBe(map.size)
        expect(new Map(table.entries())).toEqual(map)
        const inFolder = [...map].filter(([, path]) => path.startsWith('query.allpages/'))
        expect(new Map(table.entries('query.allpages'))).toEqual(new Map(inFolder))
        const folders = [...map.values()]
          .map((path) => posix.parse(path).dir)
          .filter((dir) => dir !== '')
        expect(new Set(table.folders())).toEqual(
          new Set(folders.map((dir) => dir.split('/', 1)[0])),
        )
        for (const each of steps) expect(table.has(each.key)).toBe(map.has(each.key))
      }),
    )
  })

  it('grows while keys come and go', () => {
    const table = new PathTable()
    for (let number = 0; number < 100_000; number += 1) {
      const one = number.toString(16).padStart(12, '0') as RequestKey
      table.set(one, 'folder', `${one}.json`)
      if (number % 100 !== 0) table.delete(one)
    }
    expect(table.size).toBe(1000)
    expect([...table.entries()].every(([one, path]) => path === `folder/${one}.json`)).toBe(true)
  })
})
