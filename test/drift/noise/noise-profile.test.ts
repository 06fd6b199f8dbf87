/** What is learned of noise, read, joined and merged; and what is taken for noise without learning. */
import { describe, expect, it } from 'vitest'
import { type Change, pathOf, templateOf } from '../../../src/drift/changes/change.ts'
import { type Kind, ratingOf } from '../../../src/drift/changes/kinds.ts'
import { mergeAcceptances } from '../../../src/drift/findings/acceptances.ts'
import type { Fingerprint } from '../../../src/drift/findings/extent.ts'
import type { Acceptance } from '../../../src/drift/findings/finding.ts'
import {
  builtInRule,
  decodeNoiseProfile,
  learnNoise,
  mergeNoiseProfiles,
  type NoiseEntry,
  NoiseFilter,
  type NoiseProfile,
  stabilityChanges,
  valueClassOf
} from '../../../src/drift/noise/noise-profile.ts'
import { tree } from '../sides.ts'

const change = (
  place: string,
  before: unknown,
  after: unknown,
  more: Partial<Change> = {}
): Change => ({
  kind: 'value.changed',
  ...ratingOf('value.changed'),
  requests: [],
  scope: 'list=allpages',
  path: pathOf(...place.split('.')),
  before: before === undefined ? undefined : tree(JSON.stringify(before)),
  after: after === undefined ? undefined : tree(JSON.stringify(after)),
  note: '',
  mark: '',
  ...more
})
const entry = (place: string, more: Partial<NoiseEntry> = {}): NoiseEntry => ({
  scope: 'list=allpages',
  place,
  kind: 'value.changed',
  lexical: 'integer',
  support: '1/1',
  ...more
})
const profile = (...entries: readonly NoiseEntry[]): NoiseProfile => ({ entries })

describe('a profile is learned', () => {
  it('with how many repeats each field varied in, however often in one', () => {
    const seen = [
      [
        change('query.a', 'one', 'two'),
        change('query.a', 'one', 'three'),
        change('query.b', 1, 2)
      ],
      [change('query.a', 'one', 'four')],
      []
    ]
    expect(
      learnNoise(seen).entries.map(({ place, lexical, support }) => [
        place,
        lexical,
        support
      ])
    ).toEqual([
      ['query.a', 'text', '2/3'],
      ['query.b', 'number', '1/3']
    ])
  })

  it.each([
    ['of another sort', change('query.a', 'one', '7')],
    ['that hold others', change('query.a', [1], [2])],
    ['that came or went', change('query.a', 'one', 'two', { kind: 'field.removed' })],
    ['that nobody has to learn', change('query.curtimestamp', 'one', 'two')]
  ])('not from values %s', (_, one) => {
    expect(learnNoise([[one]]).entries).toEqual([])
  })

  it('and joined with what was known, sorted, the newest support counting', () => {
    const joined = mergeNoiseProfiles(
      undefined,
      profile(entry('query.a'), entry('query.c', { support: '2/2' })),
      profile(entry('query.b'), entry('query.c', { support: '1/2' }))
    )
    expect(joined.entries.map(({ place, support }) => [place, support])).toEqual([
      ['query.a', '1/1'],
      ['query.b', '1/1'],
      ['query.c', '2/2']
    ])
  })

  it.each([
    ['no object', 7, 'an array under "noise"'],
    ['null', null, 'an array under "noise"'],
    ['no list', { noise: {} }, 'an array under "noise"'],
    [
      'an entry without a place',
      { noise: [entry('a'), { scope: 'x', kind: 'value.changed', lexical: 'text' }] },
      'each entry'
    ],
    [
      'an entry of a kind nobody knows',
      { noise: [{ ...entry('a'), kind: 'toString' }] },
      'each entry'
    ],
    ['an entry that is none', { noise: [null] }, 'each entry']
  ])('%s is not read as one', (_, value, message) => {
    expect(decodeNoiseProfile(value)).toContain(message)
  })

  it('is read without its support, which is a note', () => {
    const { support: _, ...rest } = entry('a')
    expect(decodeNoiseProfile({ noise: [rest] })).toMatchObject(
      profile(entry('a', { support: '' }))
    )
  })
})

describe('two versions of a profile', () => {
  it('become one: what either added stays, what either took away goes, sorted', () => {
    const base = profile(entry('a'), entry('b'))
    const ours = profile(entry('d'), entry('a'), entry('b'))
    const theirs = profile(entry('b', { support: '2/2' }), entry('c'))
    expect(
      mergeNoiseProfiles(base, ours, theirs).entries.map(
        ({ place, support }) => `${place} ${support}`
      )
    ).toEqual(['b 2/2', 'c 1/1', 'd 1/1'])
  })

  it('keep all of both where nobody knows what they come from', () => {
    const merged = mergeNoiseProfiles(undefined, profile(entry('a')), profile(entry('b')))
    expect(merged.entries.map(({ place }) => place)).toEqual(['a', 'b'])
  })
})

describe('two versions of what was accepted', () => {
  const accepted = (fingerprint: string, more: Partial<Acceptance> = {}): Acceptance => ({
    fingerprint: fingerprint as Fingerprint,
    reason: 'known',
    expires: undefined,
    about: 'field removed',
    ...more
  })

  it.each([
    ['another reason', { reason: 'other' }],
    ['another last day', { expires: '2027-01-01' }],
    ['other words of what it is', { about: 'other' }]
  ])('contradict each other by %s', (_, more) => {
    const ours = [accepted('a'), accepted('b')]
    expect(
      mergeAcceptances(undefined, ours, [accepted('a', more), accepted('b')]).conflicts
    ).toEqual(['a'])
    // Who changed it from what both had is believed.
    const { merged, conflicts } = mergeAcceptances([accepted('a')], ours, [
      accepted('a', more)
    ])
    expect([conflicts, merged.get('a')]).toEqual([[], accepted('a', more)])
  })
})

describe('a sieve', () => {
  const kept = (one: Change, of: NoiseProfile): string => {
    const sieve = new NoiseFilter(of)
    const passes = !sieve.suppresses(one)
    return passes ? 'kept' : (sieve.suppressed()[0]?.rule ?? '')
  }

  it.each([
    ['of the same sort on both sides', change('query.a', '1', '2'), 'learned'],
    ['of another sort before', change('query.a', 'x', '2'), 'kept'],
    ['of another sort after', change('query.a', '1', 'x'), 'kept'],
    [
      'of another class of requests',
      change('query.a', '1', '2', { scope: 'list=users' }),
      'kept'
    ],
    ['at another place', change('query.b', '1', '2'), 'kept']
  ])('knows a learned value %s', (_, one, rule) => {
    expect(kept(one, profile(entry('query.a')))).toBe(rule)
  })

  it('names entries that matched nothing, and the most frequent of what it took first', () => {
    const sieve = new NoiseFilter(profile(entry('query.a'), entry('query.z')))
    const often = [1, 2].map((at) => change('query.touched', 'x', String(at)))
    expect(
      [change('query.a', '1', '2'), ...often].every((one) => sieve.suppresses(one))
    ).toBe(true)
    expect(sieve.staleEntries().map(({ place }) => place)).toEqual(['query.z'])
    expect(
      sieve.suppressed().map(({ rule, place, count }) => [rule, place, count])
    ).toEqual([
      ['built-in: page touched', 'query.touched', 2],
      ['learned', 'query.a', 1]
    ])
  })

  const rule = (one: Change): string | undefined => builtInRule(one, templateOf(one.path))
  const random = (kind: Kind, axis: Change['axis'], place: string): Change =>
    change(place, 'x', 'y', { kind, axis, scope: 'list=random' })

  it.each([
    [
      'token',
      change('query.tokens.csrftoken', '+\\', '0123456789abcdef0123456789abcdef+\\')
    ],
    [undefined, change('query.tokens.csrftoken', '+\\', 'none')],
    [undefined, change('query.tokens.csrftoken', 'none', '+\\')],
    ['address of the caller', change('query.userinfo.name', '127.0.0.1', '::1')],
    [undefined, change('query.userinfo.name', '127.0.0.1', 'Bob')],
    [undefined, change('query.users.name', '127.0.0.1', '::1')],
    ['clock of siteinfo', change('query.general.time', 'x', 'y')],
    ['limit report data', change('parse.limitreportdata.value', 1, 2)],
    [undefined, change('parse.limitreportdatabase', 1, 2)],
    ['random list', random('items.more', 'data', 'query.random')],
    ['random list', random('order.changed', 'behaviour', 'query.random')],
    ['random list', random('value.changed', 'behaviour', 'continue.rncontinue')],
    [undefined, random('field.removed', 'behaviour', 'query.random')],
    [
      undefined,
      { ...random('items.more', 'data', 'query.allpages'), scope: 'list=allpages' }
    ],
    [
      'name of the database, host or address of the wiki',
      change('query.general.wikiid', 'a', 'b')
    ],
    [undefined, change('query.general.wikiid', 'a', 'b', { kind: 'field.removed' })]
  ])('takes by itself as "%s": %#', (name, one) => {
    expect(rule(one)).toBe(name)
  })

  it.each([
    ['"2026-01-02T03:04:05Z"', 'ISO timestamp'],
    ['null', 'null'],
    ['false', 'boolean'],
    ['true', 'boolean'],
    ['7', 'number'],
    ['[]', 'container'],
    ['{}', 'container']
  ])('tells %s as "%s"', (value, sort) => {
    expect(valueClassOf(tree(value))).toBe(sort)
  })
})

describe('what varies on one side alone', () => {
  it('lost its stability there, or gained it', () => {
    const told = stabilityChanges(
      profile(entry('query.a'), entry('query.b')),
      profile(entry('query.b'), entry('query.c'))
    )
    expect(told.map(({ kind, mark, note }) => [kind, mark, note])).toEqual([
      ['stability.lost', 'query.c', 'integer, varied in 1/1'],
      ['stability.gained', 'query.a', 'integer, varied in 1/1']
    ])
  })

  it('is another thing in another class of requests', () => {
    const there = profile(entry('query.a', { scope: 'list=users' }))
    expect(stabilityChanges(profile(entry('query.a')), there)).toHaveLength(2)
  })
})
