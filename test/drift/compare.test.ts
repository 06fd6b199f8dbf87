/** Noise, acceptances, alignment, and what a job's exit code is. */
import { describe, expect, it } from 'vitest'
import { decodeSeverities, type SeverityRules } from '../../src/drift/changes/change.ts'
import {
  type ComparisonOptions,
  compareCassettes,
  unfilteredChanges
} from '../../src/drift/compare.ts'
import {
  acceptanceFor,
  decodeAcceptances,
  encodeAcceptances
} from '../../src/drift/findings/acceptances.ts'
import {
  type DriftReport,
  driftMatrixOf,
  exitCode
} from '../../src/drift/findings/drift-report.ts'
import type { CassetteSide } from '../../src/drift/inputs/cassette-side.ts'
import {
  decodeNoiseProfile,
  encodeNoiseProfile,
  learnNoise
} from '../../src/drift/noise/noise-profile.ts'
import { interaction, side, tree } from './sides.ts'

const query = 'action=query&list=allpages'
const answer = (item: object): CassetteSide =>
  side('x', { [query]: { query: { allpages: [{ title: 'А', ...item }] } } })
const diff = (a: object, b: object, options?: ComparisonOptions): DriftReport =>
  compareCassettes(answer(a), answer(b), options)

describe('noise', () => {
  const twice = learnNoise([
    unfilteredChanges(answer({ seen: 'one' }), answer({ seen: 'two' }))
  ])

  it('is learned from a wiki asked twice, and hides the same field', () => {
    expect(twice.entries).toEqual([
      {
        scope: 'list=allpages',
        place: 'query.allpages[*].seen',
        kind: 'value.changed',
        lexical: 'text',
        support: '1/1'
      }
    ])
    const report = diff({ seen: 'three' }, { seen: 'four' }, { noise: twice })
    expect(report.findings).toEqual([])
    expect(report.suppressed.map(({ rule, count }) => [rule, count])).toEqual([
      ['learned', 1]
    ])
    expect(report.staleNoise).toEqual([])
  })

  it('does not hide another sort of value, nor structure', () => {
    expect(
      diff({ seen: 'a b' }, { seen: null }, { noise: twice }).findings.map(
        ({ kind }) => kind
      )
    ).toEqual(['field.nullable'])
    expect(
      diff({ seen: 'a b' }, {}, { noise: twice }).findings.map(({ kind }) => kind)
    ).toEqual(['field.removed'])
    expect(
      diff({ seen: 'a b' }, { seen: '127.0.0.1' }, { noise: twice }).findings
    ).toHaveLength(1)
  })

  it('never learns structure', () => {
    expect(
      learnNoise([unfilteredChanges(answer({ a: 1 }), answer({ b: 'x' }))]).entries
    ).toEqual([])
    expect(
      learnNoise([unfilteredChanges(answer({ a: [1] }), answer({ a: [1, 2] }))]).entries
    ).toEqual([])
  })

  it('reports entries that matched nothing', () => {
    expect(diff({ seen: 'a' }, { seen: 'a' }, { noise: twice }).staleNoise).toEqual(
      twice.entries
    )
  })

  it('tells what varies on one side only', () => {
    const report = diff({}, {}, { noiseB: twice })
    expect(report.findings.map(({ kind, severity }) => [kind, severity])).toEqual([
      ['stability.lost', 'risky']
    ])
  })

  it('survives being written and read', () => {
    expect(decodeNoiseProfile(JSON.parse(encodeNoiseProfile(twice)))).toMatchObject(twice)
    expect(decodeNoiseProfile({ noise: [{ place: 1 }] })).toContain('each entry')
  })
})

describe('acceptances', () => {
  const [finding] = diff({ old: 'value' }, {}).findings
  if (finding === undefined) throw new Error('expected a finding')
  const accepted = acceptanceFor(finding, 'we read it no more', '2026-12-31')

  it('keep a finding from failing the job until their last day', () => {
    const on = (today: string): DriftReport =>
      diff({ old: 'value' }, {}, { acceptances: [accepted], today })
    expect(exitCode(on('2026-12-31'), 'breaking')).toBe(0)
    expect(exitCode(on('2027-01-01'), 'breaking')).toBe(1)
    expect(on('2027-01-01').expiredAcceptances).toEqual([accepted])
  })

  it('do not depend on values', () => {
    const report = diff(
      { old: 'something else' },
      {},
      { acceptances: [accepted], today: '2026-01-01' }
    )
    expect(report.findings[0]?.accepted).toEqual(accepted)
  })

  it('are reported where they match nothing', () => {
    expect(
      diff({}, {}, { acceptances: [accepted], today: '2026-01-01' }).unknownAcceptances
    ).toEqual([accepted])
  })

  it('keep what people wrote beside them, also where an entry is accepted again', () => {
    const notes = { ticket: 'T123', seenBy: ['Ann'] }
    const text = encodeAcceptances([
      { ...accepted, notes },
      { ...accepted, reason: 'again' }
    ])
    const { fingerprint } = accepted
    expect(JSON.parse(text).accepted).toMatchObject([
      { fingerprint, reason: 'again', ...notes }
    ])
    expect(decodeAcceptances(JSON.parse(text))).toEqual([
      { ...accepted, reason: 'again', notes }
    ])
  })

  it('survive being written and read; broken files say where', () => {
    const text = encodeAcceptances([accepted, accepted])
    expect(decodeAcceptances(JSON.parse(text))).toEqual([accepted])
    expect(decodeAcceptances({ accepted: [{ fingerprint: 'x', reason: 'y' }] })).toBe(
      'entry 1 of "accepted": expected 12 hex digits under "fingerprint"'
    )
  })
})

describe('severities of a team', () => {
  const rules = (severity: unknown): SeverityRules => {
    const reading = decodeSeverities({ severity })
    if (typeof reading === 'string') throw new Error(reading)
    return reading
  }

  it('rate a kind otherwise, and do not change its fingerprint', () => {
    const [usual] = diff({ old: 'value' }, {}).findings
    const severities = rules({ 'field.removed': 'risky' })
    const report = diff({ old: 'value' }, {}, { severities })
    expect(usual?.severity).toBe('breaking')
    expect(
      report.findings.map(({ severity, fingerprint }) => [severity, fingerprint])
    ).toEqual([['risky', usual?.fingerprint]])
    expect(exitCode(report, 'breaking')).toBe(0)
  })

  it.each([
    [[], 'expected an object with an object under "severity"'],
    [{ severity: 'risky' }, 'expected an object with an object under "severity"'],
    [
      { severity: { 'field.gone': 'risky' } },
      '"field.gone" under "severity" is not a kind; docs/drift.md lists them'
    ],
    [
      { severity: { __proto__: null, constructor: 'risky' } },
      '"constructor" under "severity" is not a kind'
    ],
    [
      { severity: { 'field.removed': 'bad' } },
      '"field.removed" is "bad"; expected one of breaking, risky'
    ],
    [
      { severity: { 'field.removed': 'noise' } },
      '"field.removed" is "noise"; expected one of breaking, risky'
    ]
  ])('say what is wrong with %j', (value, message) => {
    expect(decodeSeverities(value)).toContain(message)
  })
})

describe('exit codes', () => {
  it('follow the threshold', () => {
    const added = diff({}, { fresh: 'x' })
    expect([
      exitCode(added, 'breaking'),
      exitCode(added, 'risky'),
      exitCode(added, 'any')
    ]).toEqual([0, 0, 1])
    const removed = diff({ old: 'x' }, {})
    expect([exitCode(removed, 'breaking'), exitCode(removed, 'none')]).toEqual([1, 0])
    const moved = diff({ length: 5 }, { length: 6 })
    expect([exitCode(moved, 'risky'), exitCode(moved, 'any')]).toEqual([0, 1])
  })

  it('are 2 for what was not compared whole', () => {
    const whole = answer({})
    const other = side('y', { 'action=parse&page=А': { parse: {} } })
    expect(exitCode(compareCassettes(whole, side('empty', {})), 'none')).toBe(2)
    expect(exitCode(compareCassettes(whole, other), 'none')).toBe(2)
    expect(
      exitCode(compareCassettes(whole, { ...whole, faults: ['x.json: broken'] }), 'none')
    ).toBe(2)
  })

  it('name different languages without failing', () => {
    const of = (lang: string): CassetteSide => ({
      ...answer({}),
      manifest: {
        ...answer({}).manifest,
        site: { generator: 'MediaWiki 1.43.9', lang, namespaces: [] }
      }
    })
    const report = compareCassettes(of('ru'), of('en'))
    expect(report.remarks.map(({ kind }) => kind)).toContain('other-language')
    expect(exitCode(report, 'breaking')).toBe(0)
  })
})

describe('two wikis with other pages', () => {
  const holding = (name: string, titles: readonly string[]): CassetteSide =>
    side(name, {
      [query]: {
        query: {
          allpages: titles.map((title, at) => ({ pageid: at + 1, ns: 0, title }))
        }
      }
    })
  const titles = Array.from({ length: 20 }, (_, at) => `Статья ${at}`)
  const remarks = (others: readonly string[]): readonly string[] =>
    compareCassettes(holding('a', titles), holding('b', others))
      .remarks.filter(({ kind }) => kind === 'other-wiki')
      .map(({ text }) => text)

  it('are told apart from one whose content moved', () => {
    expect(remarks(titles.map((title) => `${title}, other`))).toEqual([
      'answers to the same requests have only 0 of 20 pages in common: is it the same wiki (127.0.0.1:8080, 127.0.0.1:8080)?'
    ])
    expect(remarks(titles.slice(0, 10))).toEqual([])
    expect(
      remarks([
        ...titles.slice(0, 12),
        ...titles.slice(12).map((title) => `${title}, moved`)
      ])
    ).toEqual([])
  })
})

describe('alignment', () => {
  const allpages = (limit: number): [string, unknown] => [
    'query+allpages',
    {
      path: 'query+allpages',
      prefix: 'ap',
      parameters: [{ name: 'limit', type: 'limit', default: limit }]
    }
  ]
  const described = (limit: number): ReadonlyMap<string, unknown> =>
    new Map([allpages(limit)])
  const body = { query: { allpages: [] } }

  it('finds the same request where only one wiki drops a default', () => {
    const a = side(
      'a',
      { 'action=query&list=allpages': body },
      { modules: described(10) }
    )
    const b = side(
      'b',
      { 'action=query&list=allpages&aplimit=10': body },
      { modules: described(50) }
    )
    expect(compareCassettes(a, b).compared).toBe(1)
  })

  it('finds the same request in another formatversion', () => {
    const a = side('a', {
      'action=query&list=allpages': { query: { allpages: [{ title: 'А', top: '' }] } }
    })
    const b = side('b', {
      'action=query&list=allpages&formatversion=2': {
        query: { allpages: [{ title: 'А', top: true, bot: false }] }
      }
    })
    expect(
      compareCassettes(a, b).findings.map(({ kind, count }) => [kind, count])
    ).toEqual([['encoding.flag', 2]])
  })

  it('tells requests that only one side has', () => {
    const a = side('a', { [query]: body, 'action=parse&page=А': {} })
    const b = side('b', { [query]: body, 'action=parse&page=Б': {} })
    expect(
      compareCassettes(a, b)
        .findings.map(({ kind }) => kind)
        .sort()
    ).toEqual(['interaction.missing', 'interaction.new'])
  })

  it('compares listings whole, whatever their batches', () => {
    const items = ['А', 'Б', 'В', 'Г'].map((title) => ({ title }))
    const listing = (batches: readonly string[], from: CassetteSide): CassetteSide => ({
      ...from,
      listings: [
        {
          request: interaction(query, {}).request,
          path: ['query', 'allpages'],
          items: items.map((item) => tree(item)),
          batches: new Set(batches.map((one) => interaction(one, {}).key))
        }
      ]
    })
    const batch = (slice: readonly object[], next?: string): object => ({
      ...(next === undefined ? {} : { continue: { apcontinue: next, continue: '-||' } }),
      query: { allpages: slice }
    })
    const from = (title: string): string => `${query}&apcontinue=${title}`
    const a = side('a', {
      [query]: batch(items.slice(0, 2), 'В'),
      [from('В')]: batch(items.slice(2))
    })
    const b = side('b', {
      [query]: batch(items.slice(0, 3), 'Г'),
      [from('Г')]: batch(items.slice(3))
    })
    const report = compareCassettes(
      listing([query, from('В')], a),
      listing([query, from('Г')], b)
    )
    expect(report.listings).toBe(1)
    expect(report.findings.filter(({ axis }) => axis !== 'data')).toEqual([])
  })
})

describe('matrix', () => {
  it('has a row for each class of requests and a cell for each step', () => {
    const matrix = driftMatrixOf([diff({}, { fresh: 'x' }), diff({ old: 'y' }, {})])
    expect(
      matrix.rows.map(({ scope, cells }) => [
        scope,
        cells.map(([worst]) => worst?.severity)
      ])
    ).toEqual([['list=allpages', ['additive', 'breaking']]])
  })
})

it('what nobody asked is remarked, and keeps nothing from passing', () => {
  const of = (name: string): CassetteSide =>
    side(name, { 'action=parse&page=A': {} }, { skipped: ['nothing of files'] })
  expect(compareCassettes(of('a'), of('b')).remarks).toContainEqual({
    kind: 'not-asked',
    text: 'a: nothing of files',
    fatal: false
  })
})
