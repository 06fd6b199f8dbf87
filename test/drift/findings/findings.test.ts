/** Changes grouped to findings, findings to causes; what was accepted; which step of several drifted. */
import { describe, expect, it } from 'vitest'
import {
  type Change,
  fieldOf,
  itemPath,
  noteText,
  parentFieldOf,
  pathOf,
  type RequestRef
} from '../../../src/drift/changes/change.ts'
import { type Kind, ratingOf } from '../../../src/drift/changes/kinds.ts'
import { compareCassettes } from '../../../src/drift/compare.ts'
import {
  applyAcceptances,
  decodeAcceptances
} from '../../../src/drift/findings/acceptances.ts'
import { causesOf } from '../../../src/drift/findings/cause.ts'
import {
  type DriftReport,
  driftMatrixOf
} from '../../../src/drift/findings/drift-report.ts'
import type { Fingerprint } from '../../../src/drift/findings/extent.ts'
import { type Finding, groupChanges } from '../../../src/drift/findings/finding.ts'
import { withReasons } from '../../../src/drift/findings/reasons.ts'
import { NoiseFilter } from '../../../src/drift/noise/noise-profile.ts'
import { knownChangesBetween } from '../../../src/drift/releases/known-changes.ts'
import { formatChange } from '../../../src/drift/trees/value-classes.ts'
import { side, tree } from '../sides.ts'

const requestRef = (key: string): RequestRef =>
  ({ key, request: new Map(), requestClass: '' }) as unknown as RequestRef
const change = (kind: Kind, place: string, more: Partial<Change> = {}): Change => ({
  kind,
  ...ratingOf(kind),
  requests: [],
  scope: 'list=x',
  path: pathOf(...place.split('.')),
  before: undefined,
  after: undefined,
  note: '',
  mark: '',
  ...more
})
const found = (...changes: readonly Change[]): readonly Finding[] =>
  withReasons(groupChanges(changes, () => undefined))

describe('a finding', () => {
  it('shows three examples that differ, counts all, and names each request once', () => {
    const n = (value: number, key: string): Change =>
      change('value.changed', 'a.b', {
        after: tree(String(value)),
        requests: [requestRef(key)]
      })
    const [one, ...more] = found(n(1, 'k'), n(1, 'k'), n(2, 'k'), n(3, 'l'), n(4, 'l'))
    expect(more).toEqual([])
    expect([
      one?.count,
      one?.samples.map(({ after }) => after),
      one?.requests.map(({ key }) => key)
    ]).toEqual([5, [tree('1'), tree('2'), tree('3')], ['k', 'l']])
  })

  it('has examples that differ in their value before, their note or their place alone', () => {
    const v = (more: Partial<Change>): Change => change('value.changed', 'a.b', more)
    const samples = (...changes: readonly Change[]): number | undefined =>
      found(...changes)[0]?.samples.length
    expect(samples(v({ before: tree('1') }), v({ before: tree('2') }))).toBe(2)
    expect(samples(v({ before: tree('1') }), v({}))).toBe(2)
    expect(samples(v({ note: 'x' }), v({ note: 'y' }))).toBe(2)
    const item = (name: string): Partial<Change> => ({
      path: itemPath(pathOf('a'), name)
    })
    expect(samples(v(item('x')), v(item('y')))).toBe(2)
    expect(samples(v({}), v({}))).toBe(1)
  })

  it('is titled with its note, where all have the same', () => {
    const format = (note: string): Change => change('value.format', 'a.b', { note })
    const [same] = found(format('x → y'), format('x → y'))
    const [other] = found(format('x → y'), format('x → z'))
    expect(same?.title).toBe(`${other?.title}: x → y`)
    const [field] = found(change('field.added', 'a.b', { note: 'in 0/1 → 1/1' }))
    expect(field?.title).not.toContain('0/1')
  })

  it('names six values, and how many more', () => {
    const value = (name: string): Change =>
      change('enum.value-added', 'a.b', { after: tree(`"${name}"`) })
    const titled = (count: number): string =>
      (found(...[...'abcdefgh'].slice(0, count).map(value))[0]?.title ?? '').replace(
        /^.*: /,
        ''
      )
    expect(titled(6)).toBe('a, b, c, d, e, f')
    expect(titled(8)).toBe('a, b, c, d, e, f and 2 more')
  })

  it('of a release holds the values that the release names, and others are one of their own', () => {
    const right = (name: string): Change =>
      change('enum.value-removed', 'query.userinfo.rights', {
        before: tree(JSON.stringify(name))
      })
    const rights = ['purge', 'writeapi', 'viewmywatchlist'].map(right)
    const all = withReasons(
      groupChanges(rights, knownChangesBetween('1.39.17', '1.43.9'))
    )
    expect(
      new Map(
        causesOf(all).map(({ title, findings }) => [
          title,
          findings.map((one) => one.values)
        ])
      )
    ).toEqual(
      new Map([
        ['the right writeapi was removed', [['writeapi']]],
        [
          'rights: value removed from a closed set: purge, viewmywatchlist',
          [['purge', 'viewmywatchlist']]
        ]
      ])
    )
    // Accepting the one leaves the other.
    const known = all.flatMap(({ knownChange, fingerprint }) =>
      knownChange ? [fingerprint] : []
    )
    const entries = known.map((fingerprint) => ({
      fingerprint,
      reason: 'r',
      expires: undefined,
      about: ''
    }))
    const { findings } = applyAcceptances(all, entries, '2026-01-01')
    expect(findings.flatMap(({ accepted, values }) => (accepted ? values : []))).toEqual([
      'writeapi'
    ])
  })

  it('is worst first, then of behaviour, then by request, kind and place', () => {
    const list = found(
      change('value.changed', 'z', { axis: 'data', severity: 'risky' }),
      change('value.changed', 'b', { severity: 'risky', axis: 'behaviour' }),
      change('value.changed', 'a', { severity: 'risky', axis: 'behaviour' }),
      change('text.changed', 'c', { severity: 'risky', axis: 'behaviour' }),
      change('value.changed', 'a', {
        severity: 'risky',
        axis: 'behaviour',
        scope: 'list=a'
      }),
      change('value.changed', 'a', { severity: 'risky', axis: 'contract' }),
      change('value.changed', 'y', { severity: 'breaking', axis: 'data' })
    )
    expect(
      list.map(({ severity, axis, scope, kind, place }) =>
        [severity, axis, scope, kind, place].join(' ')
      )
    ).toEqual([
      'breaking data list=x value.changed y',
      'risky behaviour list=a value.changed a',
      'risky behaviour list=x text.changed c',
      'risky behaviour list=x value.changed a',
      'risky behaviour list=x value.changed b',
      'risky contract list=x value.changed a',
      'risky data list=x value.changed z'
    ])
  })

  it('of an encoding of the whole wiki has no place', () => {
    const places = (scope: string): readonly string[] =>
      found(
        change('encoding.star', 'a.b', { scope }),
        change('encoding.star', 'c.d', { scope })
      ).map(({ place }) => place)
    expect(places('*')).toEqual(['*'])
    expect(places('list=x')).toEqual(['a.b', 'c.d'])
  })

  it('has the place of its member under an item, beside others', () => {
    const item = itemPath(pathOf('query', 'pages'), 'title=A')
    const member = (step: string): Change =>
      change('value.changed', 'x', { path: { kind: 'member', step, parent: item } })
    expect(found(member('a'), member('b')).map(({ place }) => place)).toEqual([
      'query.pages[*].a',
      'query.pages[*].b'
    ])
    expect(
      found(change('items.more', 'x', { path: item })).map(({ place }) => place)
    ).toEqual(['query.pages[*]'])
  })
})

describe('a place', () => {
  const item = itemPath(itemPath(pathOf('query', 'things'), '1'), '2')

  it('is called by the nearest name, and by that of what holds it', () => {
    expect([fieldOf(item), parentFieldOf(item)]).toEqual(['things', 'query'])
    expect([
      fieldOf(pathOf('a', 'b')),
      parentFieldOf(pathOf('a', 'b')),
      parentFieldOf(pathOf('a'))
    ]).toEqual(['b', 'a', ''])
    expect([fieldOf(pathOf()), parentFieldOf(pathOf())]).toEqual(['', ''])
  })
})

describe('a cause', () => {
  const of = (...changes: readonly Change[]): readonly (readonly string[])[] =>
    causesOf(found(...changes)).map(({ findings }) =>
      findings.map(({ kind, place }) => `${kind} ${place}`).sort()
    )
  const param = (kind: Kind, place: string, more: Partial<Change> = {}): Change =>
    change(kind, place, { axis: 'contract', severity: 'risky', ...more })

  it('is a parameter, whatever is told of it', () => {
    expect(
      of(
        param('param.deprecated', 'a'),
        param('param.type-changed', 'a'),
        param('param.deprecated', 'b')
      )
    ).toEqual([['param.deprecated a', 'param.type-changed a'], ['param.deprecated b']])
  })

  it('is a parameter and a warning about it', () => {
    const warning = (kind: Kind, text: string): Change =>
      change(kind, 'warnings', { severity: 'risky', after: tree(JSON.stringify(text)) })
    expect(
      of(
        param('param.removed', 'title'),
        warning('warning.appeared', 'Unrecognized parameter: title.')
      )
    ).toHaveLength(1)
    expect(
      of(
        param('param.removed', 'title'),
        warning('deprecation.appeared', 'The parameter "title".')
      )
    ).toHaveLength(1)
    expect(
      of(param('param.removed', 'title'), warning('warning.appeared', 'Something else'))
    ).toHaveLength(2)
    expect(
      of(
        param('param.removed', 'title'),
        warning('value.changed', 'Unrecognized parameter: title.')
      )
    ).toHaveLength(2)
  })

  it('keeps notes on a parameter that nobody sends apart', () => {
    expect(
      of(
        param('param.deprecated', 'a'),
        param('param.type-changed', 'a', { severity: 'note' })
      )
    ).toHaveLength(2)
  })

  it('is one change of the same words in several places, never of data', () => {
    const gone = (place: string, more: Partial<Change> = {}): Change =>
      change('field.removed', place, more)
    expect(of(gone('a.x'), gone('b.x'))).toHaveLength(1)
    expect(of(gone('a.x'), gone('b.y'))).toHaveLength(2)
    expect(of(gone('a.x', { axis: 'data' }), gone('b.x', { axis: 'data' }))).toHaveLength(
      2
    )
    expect(
      of(change('value.changed', 'a.x'), change('value.changed', 'b.x'))
    ).toHaveLength(1)
    expect(
      of(change('value.changed', 'a.x'), change('value.changed', 'b.y'))
    ).toHaveLength(2)
  })
})

describe('what was accepted', () => {
  const [finding] = found(change('value.changed', 'a.b')) as [Finding]
  const entry = (more: object = {}) => ({
    fingerprint: finding.fingerprint,
    reason: 'known',
    expires: undefined as string | undefined,
    about: '',
    ...more
  })
  const other = '0123456789ab' as Fingerprint

  it.each([
    ['for good', entry(), [true, 0, 0]],
    ['until today', entry({ expires: '2026-11-21' }), [true, 0, 0]],
    ['until yesterday', entry({ expires: '2026-11-20' }), [false, 0, 1]],
    ['and is not there', entry({ fingerprint: other }), [false, 1, 0]],
    [
      'until yesterday, and is not there',
      entry({ fingerprint: other, expires: '2026-11-20' }),
      [false, 1, 0]
    ]
  ])('%s', (_, acceptance, [accepted, unknown, expired]) => {
    const applied = applyAcceptances([finding], [acceptance], '2026-11-21')
    expect(applied.findings.map((one) => one.accepted !== undefined)).toEqual([accepted])
    expect([
      applied.unknownAcceptances.length,
      applied.expiredAcceptances.length
    ]).toEqual([unknown, expired])
  })

  it.each<readonly [unknown, string]>([
    [{}, 'expected an object with an array under "accepted"'],
    [null, 'expected an object with an array under "accepted"'],
    [{ accepted: [null] }, 'entry 1 of "accepted": expected an object'],
    [
      { accepted: [entry(), { ...entry(), fingerprint: 'x' }] },
      'entry 2 of "accepted": expected 12 hex digits under "fingerprint"'
    ],
    [
      { accepted: [{ ...entry(), fingerprint: 5 }] },
      'entry 1 of "accepted": expected 12 hex digits under "fingerprint"'
    ],
    [
      { accepted: [{ ...entry(), reason: ' ' }] },
      'entry 1 of "accepted": expected some words under "reason"'
    ],
    [
      { accepted: [{ ...entry(), reason: 5 }] },
      'entry 1 of "accepted": expected some words under "reason"'
    ],
    [
      { accepted: [{ ...entry(), expires: 'soon' }] },
      'entry 1 of "accepted": expected a day such as 2027-01-31 under "expires"'
    ],
    [
      { accepted: [{ ...entry(), expires: 5 }] },
      'entry 1 of "accepted": expected a day such as 2027-01-31 under "expires"'
    ]
  ])('is refused: %j', (value, message) => {
    expect(decodeAcceptances(value)).toBe(message)
  })

  it('is read with or without a last day and a word on what it is about', () => {
    const given = [entry(), entry({ expires: '2027-01-31', about: 'x' })]
    expect(decodeAcceptances({ accepted: given })).toEqual(given)
    const { about: _, ...bare } = entry()
    expect(decodeAcceptances({ accepted: [bare] })).toEqual([entry()])
  })
})

describe('several steps', () => {
  const step = (a: object, b: object): DriftReport =>
    compareCassettes(
      side('a', { 'action=query&list=b': a, 'action=query&list=a': a, 'action=c': {} }),
      side('b', { 'action=query&list=b': b, 'action=query&list=a': a, 'action=c': b })
    )
  const thing = (n: unknown): object => ({ query: { things: [{ title: 'A', n }] } })

  it('have one row for each class of requests, worst first, and one cell for each step', () => {
    const { rows } = driftMatrixOf([step(thing(1), thing(1)), step(thing(1), thing('x'))])
    expect(
      rows.map(({ scope, cells }) => [
        scope,
        cells.map(([worst]) => worst?.severity ?? '')
      ])
    ).toEqual([
      ['list=b', ['', 'breaking']],
      ['action=c', ['additive', 'additive']]
    ])
  })

  it('are by name where they are equally bad', () => {
    const report = (...scopes: readonly string[]): DriftReport => ({
      ...step({}, {}),
      findings: found(
        ...scopes.map((scope) => change('field.removed', 'a.x', { scope }))
      ).toReversed()
    })
    expect(driftMatrixOf([report('b', 'c', 'a')]).rows.map(({ scope }) => scope)).toEqual(
      ['a', 'b', 'c']
    )
  })
})

describe('what was taken out', () => {
  it('equally often is in the order of its names', () => {
    const sieve = new NoiseFilter({ entries: [] })
    const order = (scope: string): Change => change('html.comment', 'a', { scope })
    expect(['b', 'c', 'a'].every((one) => sieve.suppresses(order(one)))).toBe(true)
    expect(sieve.suppressed().map(({ scope }) => scope)).toEqual(['a', 'b', 'c'])
  })
})

describe('a value in another format', () => {
  it.each([
    ['2020-01-01T00:00:00Z', '20200101000000', 'ISO timestamp → MediaWiki timestamp'],
    ['infinity', 'infinite', 'infinity → infinite'],
    ['infinity', '2020-01-01T00:00:00Z', undefined],
    ['2020-01-01T00:00:00Z', 'infinite', undefined],
    ['2020-01-01T00:00:00Z', 'soon', 'ISO timestamp → text'],
    ['never', 'infinity', 'text → infinity'],
    ['2020-01-01T00:00:00Z', '', undefined],
    ['https://a.example/', '//a.example/', 'URL → protocol-relative URL'],
    ['https://a.example/', '//b.example/', undefined],
    ['https://a.example/', '20200101000000', undefined],
    ['A_b', 'A b', 'DB key → title'],
    ['A b', 'A_b', 'title → DB key'],
    ['A b', 'A c', undefined],
    ['A', 'A', undefined]
  ])('%s, then %s: %s', (before, after, note) => {
    const change = formatChange(before, after)
    expect(change && noteText(change)).toBe(note)
  })
})
