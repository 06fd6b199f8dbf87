/** The index of a cassette, out of the names of its files. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { keyInFileName } from '../../../../src/recorder/cassette/interaction-path.ts'
import {
  InteractionIndex,
  listInteractionFiles
} from '../../../../src/recorder/store/contents/interaction-index.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'

const key = fc.constantFrom(
  '000000000000',
  'ffffffffffff',
  '00000000000a',
  'a00000000000'
)
const name = fc.oneof(
  fc
    .tuple(fc.constantFrom('', 'titles=A.', 'limit=1.'), key)
    .map(([stem, digits]) => `${stem}${digits}.json`),
  fc.constantFrom(
    'README.md',
    '00000000000A.json',
    '0000000000.json',
    'titles=A.json',
    'x000000000000.json'
  )
)
const folder = fc.constantFrom(
  '',
  'query',
  'query/deep',
  'query.info',
  'paraminfo',
  'parse'
)
const file = fc
  .tuple(folder, name)
  .map((parts) => parts.filter((part) => part !== '').join('/'))

it('has the first path of each key, outside the descriptions', () => {
  fc.assert(
    fc.property(fc.uniqueArray(file, { maxLength: 12 }), (files) => {
      const dir = temporaryFolder()
      for (const one of files) {
        mkdirSync(path.dirname(path.join(dir, one)), { recursive: true })
        writeFileSync(path.join(dir, one), '')
      }
      const recorded = files
        .filter(
          (one) => keyInFileName(one) !== undefined && !one.startsWith('paraminfo/')
        )
        .sort()
      const first = new Map(recorded.toReversed().map((one) => [keyInFileName(one), one]))
      const index = InteractionIndex.read(dir)
      expect(new Map(index.entries())).toEqual(first)
      expect(index.entries().map(([, one]) => one)).toEqual([...first.values()].sort())
      expect(index.size).toBe(first.size)
      expect(new Set(index.entries('query').map(([, one]) => one))).toEqual(
        new Set([...first.values()].filter((one) => one.startsWith('query/')))
      )
      const tops = [...first.values()]
        .filter((one) => one.includes('/'))
        .map((one) => one.split('/')[0])
      expect(new Set(index.folders())).toEqual(new Set(tops))
      expect(listInteractionFiles(dir)).toEqual(recorded)
    }),
    { numRuns: 60 }
  )
})
