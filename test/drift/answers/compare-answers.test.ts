/** What one answer that became another is told as: one rule each, at its edge. */

import { describe, expect, it } from 'vitest'
import { noteText } from '../../../src/drift/changes/change.ts'
import { compareCassettes, unfilteredChanges } from '../../../src/drift/compare.ts'
import { groupChanges } from '../../../src/drift/findings/finding.ts'
import { interaction, side, tree } from '../sides.ts'

const query = 'action=query&list=things'
/** Kind and place with the first sample's note, of a query's result. */
const summaries = (a: unknown, b: unknown, request = query): readonly string[] =>
  compareCassettes(side('a', { [request]: a }), side('b', { [request]: b })).findings.map(
    ({ kind, place, samples }) => `${kind} ${place} ${samples[0]?.note ?? ''}`.trim()
  )
const thing = (member: unknown): unknown => ({ query: { thing: member } })
const between = (a: unknown, b: unknown): readonly string[] =>
  summaries(thing(a), thing(b))

describe('one value and another', () => {
  it.each([
    [
      'a number that became a float',
      '1',
      '1.0',
      ['type.changed query.thing integer → float']
    ],
    [
      'numbers that doubles cannot tell apart',
      '9007199254740993',
      '9007199254740992',
      ['value.changed query.thing']
    ],
    [
      'a boolean that became a number',
      'true',
      '1',
      ['type.changed query.thing boolean → number']
    ],
    ['a boolean that turned', 'true', 'false', ['value.changed query.thing']],
    ['a number that became null', '1', 'null', ['field.nullable query.thing']],
    ['null that became a number', 'null', '1', ['field.non-null query.thing']],
    ['an object that became null', '{"a":1}', 'null', ['field.nullable query.thing']],
    ['null that became a list', 'null', '["a"]', ['field.non-null query.thing']],
    ['a flag', '""', 'true', ['encoding.flag *']],
    ['a flag back', 'true', '""', ['encoding.flag *']],
    [
      'an empty text that became false',
      '""',
      'false',
      ['type.changed query.thing string → boolean']
    ],
    [
      'a text that became a number',
      '"1"',
      '1',
      ['type.changed query.thing string → number']
    ],
    ['a starred value', '{"*":"a"}', '"a"', ['encoding.star * {"*": x} → x']],
    ['a starred value back', '"a"', '{"*":"a"}', ['encoding.star * x → {"*": x}']],
    [
      'more than a star',
      '{"*":"a","b":1}',
      '"a"',
      ['type.changed query.thing object → string']
    ]
  ])('%s', (_, a, b, changes) => {
    const of = (text: string): string => `{"query":{"thing":${text}}}`
    expect(summaries(of(a), of(b))).toEqual(changes)
  })
})

describe('an object and a list', () => {
  it.each([
    ['without anything', {}, [], ['encoding.empty *']],
    [
      'numbered, of the same',
      { 0: 'a', 1: 'b' },
      ['a', 'b'],
      ['encoding.map-array * map → array']
    ],
    [
      'whose keys stand in the items',
      { edit: { n: 1 } },
      [{ name: 'edit', n: 1 }],
      ['encoding.map-array * map → array', 'field.added query.thing[*].name in 0/0 → 1/1']
    ],
    [
      'of names and values',
      { a: 1, b: 2 },
      [
        { name: 'a', '*': 1 },
        { name: 'b', '*': 2 }
      ],
      ['encoding.map-array * map → array']
    ],
    [
      'of values and names',
      { a: 1, b: 2 },
      [
        { '*': 1, name: 'a' },
        { '*': 2, name: 'b' }
      ],
      ['encoding.map-array * map → array']
    ],
    [
      'of names and other values',
      { a: 1 },
      [{ name: 'a', '*': 3 }],
      ['encoding.map-array * map → array', 'value.changed query.thing.a']
    ],
    [
      'of names alone',
      { a: 1 },
      [{ name: 'a' }],
      ['type.changed query.thing object → array']
    ],
    [
      'of pairs without a star',
      { a: 1 },
      [{ name: 'a', value: 1 }],
      ['type.changed query.thing object → array']
    ],
    [
      'of three',
      { a: 1 },
      [{ name: 'a', '*': 1, more: 2 }],
      ['type.changed query.thing object → array']
    ],
    [
      'numbered, of another sort',
      { 0: 'a' },
      [['a']],
      ['type.changed query.thing object → array']
    ],
    [
      'empty, that became one with members',
      [],
      { a: 'x' },
      ['field.added query.thing.a in 0/1 → 1/1']
    ],
    [
      'with members, that became empty',
      { a: 'x' },
      [],
      ['field.removed query.thing.a in 1/1 → 0/1']
    ],
    ['empty, that became one with items', {}, ['a'], ['items.more query.thing[*]']],
    ['with items, that became empty', ['a'], {}, ['items.fewer query.thing[*]']],
    [
      'numbered, that became empty',
      { 1: { title: 'А' } },
      [],
      ['items.fewer query.thing[*]']
    ]
  ])('%s', (_, a, b, changes) => {
    expect(between(a, b)).toEqual(changes)
  })

  it.each([
    [
      'numbered, of the same',
      ['a', 'b'],
      { 0: 'a', 1: 'b' },
      ['encoding.map-array * array → map']
    ],
    [
      'of names and values',
      [{ name: 'a', '*': 1 }],
      { a: 1 },
      ['encoding.map-array * array → map']
    ],
    [
      'of names alone',
      [{ name: 'a' }],
      { a: 1 },
      ['type.changed query.thing array → object']
    ]
  ])('the other way round: %s', (_, a, b, changes) => {
    expect(between(a, b)).toEqual(changes)
  })
})

describe('lists of plain values', () => {
  it.each([
    ['lost one', ['a', 'b', 'b'], ['a', 'b'], ['items.fewer query.thing[*]']],
    ['got one', ['a'], ['a', 'c'], ['items.more query.thing[*]']],
    [
      'in another order',
      ['a', 'b', 'c'],
      ['c', 'a', 'b'],
      ['order.changed query.thing 1 of 3 moved']
    ],
    [
      'with equal ones in another order',
      ['a', 'a', 'b'],
      ['b', 'a', 'a'],
      ['order.changed query.thing 1 of 3 moved']
    ],
    [
      'whose texts became numbers',
      ['1'],
      [1],
      ['value.format query.thing integer → number']
    ]
  ])('%s', (_, a, b, changes) => {
    expect(between(a, b)).toEqual(changes)
  })

  it('less the addresses of their wikis are the same', () => {
    const at = (host: string): Parameters<typeof side>[2] => ({
      manifest: { upstream: `http://${host}/w/api.php` }
    })
    const hosted = (host: string): unknown => thing([`http://${host}/wiki/А`])
    const [a, b] = ['127.0.0.1:8135', '127.0.0.1:8143'].map((host) =>
      side(host, { [query]: hosted(host) }, at(host))
    )
    if (a === undefined || b === undefined) throw new Error('two sides')
    expect(compareCassettes(a, b).findings).toEqual([])
  })
})

describe('a member with another name', () => {
  const items = (...all: readonly object[]): unknown => ({
    query: { things: all.map((one, at) => ({ title: `T${at}`, ...one })) }
  })

  it.each([
    [
      'and a value that is not there by chance',
      [{ old: 'some words' }],
      [{ fresh: 'some words' }],
      ['field.renamed']
    ],
    [
      'and a value that may be chance',
      [{ old: 1 }],
      [{ fresh: 1 }],
      ['field.removed', 'field.added']
    ],
    [
      'and two such values in two items',
      [{ old: 1 }, { old: 2 }],
      [{ fresh: 1 }, { fresh: 2 }],
      ['field.renamed']
    ],
    [
      'and one such value in two items',
      [{ old: 1 }, { old: 1 }],
      [{ fresh: 1 }, { fresh: 1 }],
      ['field.removed', 'field.added']
    ],
    [
      'and another value',
      [{ old: 'some words' }],
      [{ fresh: 'other words' }],
      ['field.removed', 'field.added']
    ],
    [
      'and the same value in half of the items',
      [{ old: 'some words' }, { old: 'other words' }],
      [{ fresh: 'some words' }, { fresh: 'no words' }],
      ['field.renamed']
    ],
    [
      'and the same value in fewer',
      [{ old: 'some words' }, { old: 'b b' }, { old: 'c c' }],
      [{ fresh: 'some words' }, { fresh: 'd d' }, { fresh: 'e e' }],
      ['field.removed', 'field.added']
    ]
  ])('%s', (_, a, b, kinds) => {
    expect(summaries(items(...a), items(...b)).map((one) => one.split(' ')[0])).toEqual(
      kinds
    )
  })

  it('is none where the new name was there before', () => {
    const before = items({ old: 'some words', fresh: 'x' }, { old: 'some words' })
    const after = items({ fresh: 'x' }, { fresh: 'some words' })
    expect(summaries(before, after).some((one) => one.startsWith('field.renamed'))).toBe(
      false
    )
  })
})

describe('continue values', () => {
  const more = (values: object): unknown => ({
    continue: { ...values, continue: '-||' },
    query: { things: [] }
  })
  const old = (values: object): unknown => ({
    'query-continue': { things: values },
    query: { things: [] }
  })
  const change = (a: unknown, b: unknown, request?: string): readonly string[] =>
    summaries(a, b, request)

  it.each([
    [
      'a title and a DB key without a space',
      { from: 'Волга' },
      { from: 'Красная_площадь' },
      []
    ],
    [
      'a title and a number, which may be one',
      { from: 'Красная площадь' },
      { from: '17' },
      []
    ],
    ['what may be a title and a number', { from: 'Волга' }, { from: '1917' }, []],
    [
      'a part that may be one and a number',
      { from: '0|Волга' },
      { from: '0|1917' },
      ['continuation.value-shape']
    ],
    [
      'one part and two',
      { from: 'Волга' },
      { from: 'Волга|7' },
      ['continuation.value-shape']
    ],
    [
      'a DB key and a title',
      { from: 'Красная_площадь' },
      { from: 'Красная площадь' },
      ['continuation.value-shape']
    ],
    ['another name', { from: 'Волга' }, { cont: 'Волга' }, ['continuation.param']]
  ])('%s', (_, a, b, kinds) => {
    const structure = change(more(a), more(b)).filter(
      (one) => !one.startsWith('value.changed')
    )
    expect(structure.map((one) => one.split(' ')[0])).toEqual(kinds)
  })

  it('of another name prove nothing where several modules may have more', () => {
    const several = 'action=query&list=things|others'
    expect(change(more({ a: 'x' }), more({ b: 'x' }), several)).toEqual([])
  })

  it('of one side alone are told behind the same rows alone: it has more, or ends sooner', () => {
    const longer = more({ from: 'Волга' })
    const shorter = { query: { things: [] } }
    const kinds = (a: unknown, b: unknown): readonly string[] =>
      change(a, b).map((one) => one.split(' ')[0] ?? '')
    expect(kinds(longer, shorter)).toEqual(['continuation.format'])
    expect(kinds(shorter, longer)).toEqual(['continuation.format'])
    expect(kinds(longer, { query: { things: [{ title: 'Ока' }] } })).not.toContain(
      'continuation.format'
    )
  })

  it('in another dialect are told once, and compared all the same', () => {
    expect(
      change(old({ from: 'Волга' }), more({ from: 'Волга' })).map(
        (one) => one.split(' ')[0]
      )
    ).toEqual(['continuation.format'])
    expect(
      change(old({ from: '0|a' }), more({ from: 'a' }))
        .map((one) => one.split(' ')[0])
        .sort()
    ).toEqual(['continuation.format', 'continuation.value-shape'])
  })
})

describe('an answer that is XML', () => {
  const xml = (body: string): unknown => ({
    body: `<?xml version="1.0"?><api>${body}</api>`,
    headers: { 'content-type': 'text/xml; charset=utf-8' }
  })
  const request = `${query}&format=xml`

  it.each([
    ['text alone', '<a>one</a>', '<a>two</a>', ['value.changed a']],
    [
      'text beside an attribute',
      '<a n="1">one</a>',
      '<a n="1">two</a>',
      ['value.changed a.*']
    ],
    ['CDATA', '<a><![CDATA[one]]></a>', '<a>one</a>', []],
    ['space between elements', '<a><b/><c/></a>', '<a> <b/> <c/> </a>', []],
    ['how spaces are kept', '<a xml:space="preserve">x</a>', '<a>x</a>', []],
    ['a list by its numbers', '<a><b _idx="1" n="1"/></a>', '<a/>', ['items.fewer a[*]']]
  ])('%s', (_, a, b, changes) => {
    expect(summaries(xml(a), xml(b), request)).toEqual(changes)
  })
})

describe("an answer in PHP's serialized form", () => {
  const php = (body: string): unknown => ({
    body,
    headers: { 'content-type': 'application/vnd.php.serialized; charset=utf-8' }
  })
  const request = `${query}&format=php`
  const one = (value: string): unknown => php(`a:1:{s:1:"x";${value}}`)

  it.each([
    ['numbers', 'i:1;', 'i:2;', ['value.changed x']],
    ['a float', 'd:0.5;', 'd:0.25;', ['value.changed x']],
    ['booleans', 'b:0;', 'b:1;', ['value.changed x']],
    ['null', 'N;', 'i:1;', ['field.non-null x']],
    [
      'a list',
      'a:2:{i:0;s:1:"a";i:1;s:1:"b";}',
      'a:1:{i:0;s:1:"a";}',
      ['items.fewer x[*]']
    ],
    [
      'a map by other numbers',
      'a:1:{i:7;s:1:"a";}',
      'a:1:{i:0;s:1:"a";}',
      ['encoding.map-array * map → array']
    ],
    [
      'an array that is not ended',
      'i:1;',
      'a:1:{i:0;i:1;i:1;i:1;}',
      ['body.changed text']
    ],
    ['an array that ends too soon', 'i:1;', 'a:2:{i:0;i:1;}', ['body.changed text']],
    ['a key that is none', 'i:1;', 'a:1:{N;i:1;}', ['body.changed text']]
  ])('%s', (_, a, b, changes) => {
    expect(summaries(one(a), one(b), request)).toEqual(changes)
  })
})

describe('recordings of one request', () => {
  it('that were answered a different number of times are told with both numbers', () => {
    const times = (...answers: readonly unknown[]): ReturnType<typeof side> => ({
      ...side('x', {}),
      interactions: [interaction(query, ...answers)]
    })
    const one = times(thing(1))
    const two = times(thing(1), thing(1))
    const notes = (
      a: ReturnType<typeof side>,
      b: ReturnType<typeof side>
    ): readonly string[] =>
      unfilteredChanges(a, b).map(({ kind, note }) => `${kind}: ${noteText(note)}`)
    expect(notes(one, two)).toEqual(['interaction.new: answered 1 times → 2 times'])
    expect(notes(two, one)).toEqual(['interaction.missing: answered 2 times → 1 times'])
    expect(notes(two, two)).toEqual([])
  })
})

describe('a finding', () => {
  const unknown = (): undefined => undefined

  it('shows three examples that differ, counts all, and names each request once', () => {
    const numbers = [1, 2, 3, 4, 5]
    const values = (from: number): unknown => ({
      query: { things: numbers.map((at) => ({ title: `T${at}`, n: at + from })) }
    })
    const changes = unfilteredChanges(
      side('a', { [query]: values(0) }),
      side('b', { [query]: values(10) })
    )
    const [finding, ...more] = groupChanges([...changes, ...changes], unknown)
    expect(more).toEqual([])
    expect([finding?.count, finding?.samples.length, finding?.requests.length]).toEqual([
      10, 3, 1
    ])
    expect(finding?.samples.map(({ path }) => path)).toEqual(
      [1, 2, 3].map((at) => `query.things[title=T${at}].n`)
    )
  })

  it('names six of the values that it is about, and how many more', () => {
    const rights = (count: number): unknown =>
      thing({ rights: Array.from({ length: count }, (_, at) => `r${at}`) })
    const titles = (count: number): readonly string[] =>
      groupChanges(
        unfilteredChanges(
          side('a', { [query]: rights(count) }),
          side('b', { [query]: rights(0) })
        ),
        unknown
      ).map(({ title }) => title.replace(/^[^:]*: /, ''))
    expect(titles(6)).toEqual(['r0, r1, r2, r3, r4, r5'])
    expect(titles(8)).toEqual(['r0, r1, r2, r3, r4, r5 and 2 more'])
  })

  it('has its note in the title where all changes share it', () => {
    const types = (a: readonly unknown[], b: readonly unknown[]): readonly string[] => {
      const items = (values: readonly unknown[]): unknown => ({
        query: { things: values.map((v, at) => ({ title: `T${at}`, v })) }
      })
      return groupChanges(
        unfilteredChanges(
          side('a', { [query]: items(a) }),
          side('b', { [query]: items(b) })
        ),
        unknown
      ).map(({ title }) => title.split(': ')[1] ?? 'no note')
    }
    expect(types([1, 2], ['1', '2'])).toEqual(['number → string'])
    expect(types([1, [2]], ['1', '2'])).toEqual(['no note'])
  })
})

describe('lists of items', () => {
  const listed = (list: string, items: readonly object[], more = false): unknown => ({
    ...(more ? { continue: { from: 'x', continue: '-||' } } : {}),
    query: { [list]: items }
  })
  const titled = (...titles: readonly string[]): readonly object[] =>
    titles.map((title) => ({ title }))
  const three = titled('А', 'Б', 'В')
  const five = titled('А', 'Б', 'В', 'Г', 'Д')

  it.each([
    [
      'cut sooner in B, which has more',
      listed('things', five),
      listed('things', three, true),
      ['continuation.batch query.things 5 items → 3 items']
    ],
    [
      'cut sooner in A, which has more',
      listed('things', three, true),
      listed('things', five),
      ['continuation.batch query.things 3 items → 5 items']
    ],
    [
      'shorter in B, which has no more',
      listed('things', five, true),
      listed('things', three),
      ['items.fewer query.things[*]']
    ],
    [
      'without one in the middle',
      listed('things', five),
      listed('things', titled('А', 'Б', 'Г', 'Д'), true),
      ['items.fewer query.things[*]']
    ]
  ])('%s', (_, a, b, findings) => {
    expect(summaries(a, b)).toEqual(findings)
  })

  const counted = (...pairs: readonly (readonly [string, number])[]): readonly object[] =>
    pairs.map(([title, wordcount]) => ({ title, wordcount }))

  it.each([
    [
      'ranked, of other counts',
      counted(['А', 9], ['Б', 5]),
      counted(['Б', 12], ['А', 9]),
      'order.by-rank'
    ],
    [
      'ranked, with a new one',
      counted(['А', 9], ['Б', 5]),
      counted(['Б', 5], ['А', 9], ['В', 1]),
      'order.by-rank'
    ],
    [
      'ranked, without one',
      counted(['А', 9], ['Б', 5], ['В', 1]),
      counted(['Б', 5], ['А', 9]),
      'order.by-rank'
    ],
    [
      'ranked, of the same counts',
      counted(['А', 9], ['Б', 5]),
      counted(['Б', 5], ['А', 9]),
      'order.changed'
    ]
  ])('%s', (_, a, b, kind) => {
    const orders = summaries(listed('search', a), listed('search', b)).filter((one) =>
      one.startsWith('order.')
    )
    expect(orders.map((one) => one.split(' ')[0])).toEqual([kind])
  })

  it('not ranked keep their order whatever is counted', () => {
    const a = counted(['А', 9], ['Б', 5])
    const b = counted(['Б', 12], ['А', 9])
    expect(
      summaries(listed('things', a), listed('things', b)).some((one) =>
        one.startsWith('order.changed')
      )
    ).toBe(true)
  })
})

describe('errors', () => {
  it('of which there are none on either side are compared with nothing', () => {
    expect(summaries({ errors: [] }, { errors: [], servedby: 'x' })).toEqual([
      'field.added servedby'
    ])
  })
})

describe('what was before and what is after', () => {
  it.each([
    ['an empty map and an empty list', {}, []],
    ['a map and a list', { 1: 'x', 2: 'y' }, ['x', 'y']],
    ['a map and a list of another kind', { a: 1 }, [[2]]],
    ['a value in a star and the value', { '*': 7 }, 7]
  ])('are shown in their order: %s', (_, one, other) => {
    const shown = (a: unknown, b: unknown): unknown => {
      const query = 'action=query&list=things'
      const wrapped = (thing: unknown) => ({ query: { thing } })
      const { findings } = compareCassettes(
        side('a', { [query]: wrapped(a) }),
        side('b', { [query]: wrapped(b) })
      )
      const [sample] = findings[0]?.samples ?? []
      return [sample?.before, sample?.after]
    }
    expect(shown(one, other)).toEqual([tree(one), tree(other)])
    expect(shown(other, one)).toEqual([tree(other), tree(one)])
  })
})
