/** Types that only new items of a list have: judged on all samples of both sides. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import { side } from '../sides.ts'

const query = 'action=query&list=tags&tgprop=displayname'

/** `severity kind place: note` of what is not mere content, between two versions unless they are given. */
function found(
  before: readonly object[],
  after: readonly object[],
  engines: readonly [string, string] = ['1.25.4', '1.26.0']
): readonly string[] {
  const sideOf = (tags: readonly object[], engine: string) =>
    side('x', { [query]: { query: { tags } } }, { manifest: { engine } })
  const { findings } = compareCassettes(
    sideOf(before, engines[0]),
    sideOf(after, engines[1])
  )
  return findings
    .filter(({ axis }) => axis === 'behaviour')
    .map(({ severity, kind, place, samples, knownChange }) =>
      [severity, kind, place, samples[0]?.note, knownChange?.since].join(' ').trim()
    )
}

const named = { name: 'a', displayname: 'A' }

describe('a member of a new item', () => {
  it.each([
    [false, 'breaking type.changed query.tags[*].displayname string → boolean 1.26'],
    [5, 'breaking type.changed query.tags[*].displayname string → number'],
    [null, 'breaking field.nullable query.tags[*].displayname string → null']
  ])(
    'that is %j where all samples were texts is of another type',
    (displayname, expected) => {
      expect(found([named], [named, { name: 'b', displayname }])).toEqual([expected])
      // Nor need any item be in both lists.
      expect(
        found(
          [named],
          [
            { name: 'b', displayname },
            { name: 'c', displayname }
          ]
        )
      ).toEqual([expected])
    }
  )

  it('is told once for all items of a class of requests', () => {
    const more = ['b', 'c', 'd'].map((name) => ({ name, displayname: false }))
    expect(found([named], [named, ...more])).toHaveLength(1)
  })

  it.each<readonly [string, readonly object[], object]>([
    [
      'is of a type that some sample had',
      [named, { name: 'x', displayname: false }],
      { displayname: false }
    ],
    ['is a flag where all were flags', [{ name: 'a', hidden: '' }], { hidden: true }],
    [
      'is an empty list where others were maps',
      [{ name: 'a', info: { x: 1 } }],
      { info: [] }
    ],
    [
      'is a setting of the wiki',
      [{ name: 'a', options: { skin: 'vector' } }],
      { options: { skin: 1 } }
    ],
    ['had no sample', [named], { hits: 5 }]
  ])('says nothing where it %s', (_, before, member) => {
    const added = found(before, [...before, { name: 'b', ...member }])
    expect(added.filter((one) => /type|null/.test(one))).toEqual([])
  })

  it('is content where the same version answers', () => {
    const engines = ['1.43.9', '1.43.9'] as const
    expect(found([named], [named, { name: 'b', displayname: false }], engines)).toEqual(
      []
    )
  })

  it('is seen inside of what the item holds', () => {
    const [before, after] = ['5', 5].map((id) => ({ name: `a ${typeof id}`, by: { id } }))
    expect(found([before ?? {}], [before ?? {}, after ?? {}])).toEqual([
      'breaking type.changed query.tags[*].by.id string → number'
    ])
  })
})
