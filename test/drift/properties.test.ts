/** What holds for every pair of answers: no drift against itself, mirrored drift, n edits are n findings. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Kind } from '../../src/drift/changes/kinds.ts'
import { compareCassettes, unfilteredChanges } from '../../src/drift/compare.ts'
import { rounds } from '../helpers/scale.ts'
import { side } from './sides.ts'

const asked = 'action=query&list=allpages&aplimit=max'

/** JSON as the API could send it, with the names that rules look at among others. */
const names = fc.constantFrom(
  'title',
  'pageid',
  '*',
  'name',
  'missing',
  'rights',
  'timestamp',
  'length',
  '7',
  'text',
  'a'
)
const { node: json } = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.constant(''),
      fc.boolean(),
      fc.constant(null),
      fc.integer({ min: -3, max: 30 }),
      fc.string({ maxLength: 6 })
    ),
    fc.constantFrom(
      '2026-01-01T00:00:00Z',
      '20260101000000',
      'infinity',
      '<p>река</p>',
      '<div>река</div>',
      'А_Б',
      'А Б'
    ),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(names, tie('node'), { maxKeys: 5 })
  )
}))
const body = fc
  .dictionary(names, json, { maxKeys: 5 })
  .map((query) => JSON.stringify({ query }))

/** What a kind is called when seen from the other side. */
const mirrored: Readonly<Partial<Record<Kind, Kind>>> = {
  'field.added': 'field.removed',
  'field.removed': 'field.added',
  'field.became-optional': 'field.became-present',
  'field.became-present': 'field.became-optional',
  'field.nullable': 'field.non-null',
  'field.non-null': 'field.nullable',
  'items.more': 'items.fewer',
  'items.fewer': 'items.more',
  'enum.value-added': 'enum.value-removed',
  'enum.value-removed': 'enum.value-added'
}

describe('drift', () => {
  it('is empty between a side and itself', () => {
    fc.assert(
      fc.property(body, (text) => {
        expect(
          unfilteredChanges(side('a', { [asked]: text }), side('b', { [asked]: text }))
        ).toEqual([])
      })
    )
  })

  it('is empty or tells something, and never throws', () => {
    fc.assert(
      fc.property(body, body, (before, after) => {
        const changes = unfilteredChanges(
          side('a', { [asked]: before }),
          side('b', { [asked]: after })
        )
        if (before === after) expect(changes).toEqual([])
      }),
      { numRuns: rounds(500) }
    )
  })

  it('is the mirror of the drift in the other direction', () => {
    fc.assert(
      fc.property(body, body, (before, after) => {
        const a = side('a', { [asked]: before })
        const b = side('b', { [asked]: after })
        const there = unfilteredChanges(a, b).map(({ kind }) => mirrored[kind] ?? kind)
        const back = unfilteredChanges(b, a).map(({ kind }) => kind)
        expect(there.sort()).toEqual(back.sort())
      }),
      { numRuns: rounds(500) }
    )
  })

  it('does not see the order of members, host, port or database', () => {
    const shuffled = fc.dictionary(names, json, { maxKeys: 6 }).chain((object) =>
      fc
        .shuffledSubarray(Object.keys(object), {
          minLength: Object.keys(object).length
        })
        .map(
          (order) =>
            [object, Object.fromEntries(order.map((key) => [key, object[key]]))] as const
        )
    )
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        const at = (origin: string, value: unknown): unknown => ({
          query: { ...Object(value), page: { url: `${origin}/wiki/А`, prefix: 'x' } }
        })
        const a = side('a', { [asked]: at('http://127.0.0.1:8080', one) })
        const b = side(
          'b',
          { [asked]: at('http://wiki.test:9999', other) },
          { manifest: { upstream: 'http://wiki.test:9999/w/api.php' } }
        )
        expect(compareCassettes(a, b).findings).toEqual([])
      })
    )
  })
})

interface Item {
  [name: string]: unknown
}

/** Edits that each are one finding, whatever the others are; each works on members of its own. */
const mutations: readonly {
  readonly kind: Kind
  edit(items: readonly Item[]): readonly Item[]
}[] = [
  { kind: 'field.removed', edit: (items) => items.map(({ doomed: _, ...rest }) => rest) },
  {
    kind: 'field.added',
    edit: (items) => items.map((item) => ({ ...item, fresh: 'new' }))
  },
  {
    kind: 'field.renamed',
    edit: (items) => items.map(({ oldname, ...rest }) => ({ ...rest, newname: oldname }))
  },
  {
    kind: 'field.nullable',
    edit: (items) => items.map((item) => ({ ...item, known: null }))
  },
  {
    kind: 'type.changed',
    edit: (items) => items.map((item) => ({ ...item, figure: String(item['figure']) }))
  },
  {
    kind: 'value.format',
    edit: (items) => items.map((item) => ({ ...item, until: '20260101000000' }))
  },
  {
    kind: 'enum.value-changed',
    edit: (items) => items.map((item) => ({ ...item, result: 'Failure' }))
  },
  {
    kind: 'enum.value-added',
    edit: (items) => items.map((item) => ({ ...item, rights: ['read', 'edit'] }))
  },
  {
    kind: 'text.changed',
    edit: (items) => items.map((item) => ({ ...item, message: 'in other words' }))
  },
  {
    kind: 'html.structure',
    edit: (items) => items.map((item) => ({ ...item, markup: '<div>one</div>' }))
  },
  {
    kind: 'items.fewer',
    edit: (items) => items.filter((item) => item['title'] !== 'Статья 3')
  },
  { kind: 'items.more', edit: (items) => [...items, { ...items[0], title: 'Новая' }] },
  {
    kind: 'field.became-optional',
    edit: (items) =>
      items.map(({ partly, ...rest }, at) => (at === 0 ? rest : { ...rest, partly }))
  },
  {
    kind: 'field.moved',
    edit: (items) =>
      items.map(({ inner, ...rest }) => ({ ...rest, box: { stays: 'here', inner } }))
  }
]

const items: readonly Item[] = Array.from({ length: 8 }, (_, at) => ({
  title: `Статья ${at}`,
  doomed: `gone ${at} soon`,
  oldname: `имя ${at}`,
  known: 'known',
  figure: 100 + at,
  until: '2026-01-01T00:00:00Z',
  result: 'Success',
  rights: ['read'],
  message: 'in some words',
  markup: '<p>one</p>',
  partly: `part ${at}`,
  inner: `inner ${at}`,
  box: { stays: 'here' }
}))

describe('mutations', () => {
  it('n known edits are exactly n findings, kind by kind', () => {
    fc.assert(
      fc.property(fc.subarray([...mutations]), (chosen) => {
        const edited = chosen.reduce((list, { edit }) => edit(list), items)
        const report = compareCassettes(
          side('a', { [asked]: { query: { allpages: items } } }),
          side('b', { [asked]: { query: { allpages: edited } } })
        )
        expect(report.findings.map(({ kind }) => kind).sort()).toEqual(
          chosen.map(({ kind }) => kind).sort()
        )
      }),
      { numRuns: rounds(300) }
    )
  })
})
