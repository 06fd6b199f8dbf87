/** The table of a cassette's recordings says what a Map of their paths would. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { keyInName } from '../../src/cassette/name.ts'
import { asRequestKey, type RequestKey } from '../../src/request/key.ts'
import { KeyTable } from '../../src/store/key-table.ts'

/** Few digits, so that keys meet. */
const keys = fc
  .array(fc.constantFrom('0', '1', '9', 'a', 'f'), { minLength: 12, maxLength: 12 })
  .map((digits) => digits.join('') as RequestKey)
const fewKeys = fc.constantFrom(
  '000000000000',
  'ffffffffffff',
  '00000000000a',
  'a00000000000',
) as fc.Arbitrary<RequestKey>
const folders = fc.constantFrom('', 'query', 'query.allpages', 'query+info', 'query/below', 'parse')
const names = fc.oneof(
  fc
    .tuple(fc.constantFrom('', 'Волга.', 'a.b.', 'x', '/'), fc.oneof(keys, fewKeys))
    .map(([start, key]) => `${start}${key}.json`),
  fc.constantFrom(
    'cassette.json',
    'A00000000000.json',
    '00000000000g.json',
    '00000000000й.json',
    'ＡＡ0000000000.json',
    '000000000000.jsonl',
    '.json',
    '',
    '000000000000',
  ),
)
const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

type Step =
  | { readonly do: 'add'; readonly folder: string; readonly name: string }
  | { readonly do: 'set'; readonly folder: string; readonly key: RequestKey }
  | { readonly do: 'delete'; readonly key: RequestKey }
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('add' as const),
    folder: folders,
    name: names.filter((name) => !name.includes('/')),
  }),
  fc.record({ do: fc.constant('set' as const), folder: folders, key: fc.oneof(keys, fewKeys) }),
  fc.record({ do: fc.constant('delete' as const), key: fewKeys }),
)

/** Does the same to a Map. */
function follow(paths: Map<RequestKey, string>, step: Step): void {
  if (step.do === 'delete') paths.delete(step.key)
  else if (step.do === 'set') paths.set(step.key, joined(step.folder, `${step.key}.json`))
  else {
    const file = joined(step.folder, step.name)
    const key = asRequestKey(keyInName(file) ?? '')
    const other = key && paths.get(key)
    if (key !== undefined && (other === undefined || file < other)) paths.set(key, file)
  }
}

function apply(table: KeyTable, step: Step): void {
  if (step.do === 'delete') table.delete(step.key)
  else if (step.do === 'set') table.set(step.key, joined(step.folder, `${step.key}.json`))
  else table.add(step.folder, step.name)
}

it('whatever is added, set and deleted', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 60 }), keys, (all, other) => {
      const [table, paths] = [new KeyTable(), new Map<RequestKey, string>()]
      for (const step of all) {
        apply(table, step)
        follow(paths, step)
      }
      expect(new Map(table.entries())).toEqual(paths)
      expect(table.size).toBe(paths.size)
      for (const key of [...paths.keys(), other])
        expect([table.has(key), table.get(key)]).toEqual([paths.has(key), paths.get(key)])
      const inQuery = [...paths].filter(([, file]) => file.startsWith('query/'))
      expect(new Map(table.entriesIn('query'))).toEqual(new Map(inQuery))
      const sorted = [...paths.values()].filter((file) => file.includes('/')).sort()
      expect(table.folders()).toEqual([...new Set(sorted.map((file) => file.slice(0, file.indexOf('/'))))])
    }),
  )
})

it('of more than it had room for at first', () => {
  const table = new KeyTable()
  const count = 20_000
  const keyOf = (at: number): RequestKey => (at * 7919).toString(16).padStart(12, '0') as RequestKey
  for (let at = 0; at < count; at += 1) table.add(`folder${at % 3}`, `x.${keyOf(at)}.json`)
  expect(table.size).toBe(count)
  expect([...table.entries()].map(([key]) => key)).toEqual(
    Array.from({ length: count }, (_, at) => keyOf(at)),
  )
  for (let at = 0; at < count; at += 1)
    expect(table.get(keyOf(at))).toBe(`folder${at % 3}/x.${keyOf(at)}.json`)
  expect(table.get('00000000000' as RequestKey)).toBeUndefined()
})
