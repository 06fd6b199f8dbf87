import { posix } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RequestKey } from '../../../../src/recorder/request/request-key.ts'
import { PathTable } from '../../../../src/recorder/store/contents/path-table.ts'

// Few keys, so that steps meet; those beside each other want the same slot.
const key = fc
  .oneof(
    fc.nat(20),
    fc.constantFrom(0xffff_ffff_ffff, 0xffff_ffff_fffe, 64, 128, 4096),
    fc.maxSafeNat().map((one) => one % 2 ** 48)
  )
  .map((number) => number.toString(16).padStart(12, '0') as RequestKey)
const stem = fc.oneof(
  fc.constantFrom(
    '',
    'query.allpages/',
    'query.allpages/apfrom=Статья_1.',
    'x/😀.',
    `long/${'я'.repeat(70_000)}.`
  ),
  fc.string({ unit: 'grapheme', maxLength: 90 })
)
// The index has no absolute paths.
const step = fc.record({
  key,
  stem: stem.filter((one) => !one.startsWith('/')),
  isDeleted: fc.boolean()
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
          new Set(folders.map((dir) => dir.split('/', 1)[0]))
        )
        for (const each of steps) expect(table.has(each.key)).toBe(map.has(each.key))
        // Name after name, as a search that lets others have their turn goes through them.
        const visited: (readonly [RequestKey, string])[] = []
        for (let from = 0; from < table.end; )
          from = table.visitNames(
            'query.allpages',
            (names, start, end, place) => {
              const [known, path] = table.entryAt(place)
              const stem = path.slice('query.allpages/'.length, -`${known}.json`.length)
              expect(names.toString('utf8', start, end)).toBe(
                stem.slice(stem.lastIndexOf('/') + 1).slice(0, -1)
              )
              visited.push([known, path])
            },
            from,
            1
          )
        expect(new Map(visited)).toEqual(new Map(inFolder))
        expect(visited).toHaveLength(inFolder.length)
      })
    )
  })

  it('knows a file by its number when others have come since', () => {
    const table = new PathTable()
    const keyAt = (number: number): RequestKey =>
      number.toString(16).padStart(12, '0') as RequestKey
    const add = (number: number): void =>
      table.set(keyAt(number), 'a', `${keyAt(number)}.json`)
    for (let number = 0; number < 20; number += 1) add(number)
    const places: number[] = []
    table.visitNames('a', (_names, _start, _end, place) => void places.push(place))
    const before = places.map((place) => table.entryAt(place))
    for (let number = 20; number < 10_000; number += 1) add(number)
    expect(places.map((place) => table.entryAt(place))).toEqual(before)
    expect(new Set(before.map(([one]) => one)).size).toBe(20)
  })

  it('grows while keys come and go', () => {
    const table = new PathTable()
    for (let number = 0; number < 100_000; number += 1) {
      const one = number.toString(16).padStart(12, '0') as RequestKey
      table.set(one, 'folder', `${one}.json`)
      if (number % 100 !== 0) table.delete(one)
    }
    expect(table.size).toBe(1000)
    expect(
      [...table.entries()].every(([one, path]) => path === `folder/${one}.json`)
    ).toBe(true)
  })
})
