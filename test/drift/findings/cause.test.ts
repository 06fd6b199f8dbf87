/** Findings that come from one change of the wiki are one cause, named where a release tells of it. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import {
  acceptanceForCause,
  applyAcceptances
} from '../../../src/drift/findings/acceptances.ts'
import { causeFingerprint } from '../../../src/drift/findings/cause.ts'
import type { DriftReport } from '../../../src/drift/findings/drift-report.ts'
import { side } from '../sides.ts'

const info = 'action=query&prop=info&intoken=edit&titles=Волга'
const page = (more: object): unknown => ({
  query: { pages: [{ pageid: 7, ns: 0, title: 'Волга', ...more }] }
})
const described = (parameters: readonly object[]): ReadonlyMap<string, unknown> =>
  new Map([
    [
      'query',
      {
        path: 'query',
        prefix: '',
        parameters: [{ name: 'prop', submodules: { info: 'query+info' } }]
      }
    ],
    ['query+info', { path: 'query+info', prefix: 'in', parameters }]
  ])

/** One change, told by an answer's field, its warning, and the description of the module. */
const tokens = (options?: Parameters<typeof compareCassettes>[2]): DriftReport =>
  compareCassettes(
    side(
      'a',
      { [info]: page({ edittoken: 'x+\\' }) },
      { modules: described([{ name: 'token' }]) }
    ),
    side(
      'b',
      {
        [info]: {
          warnings: { main: { '*': 'Unrecognized parameter: intoken.' } },
          ...(page({}) as object)
        }
      },
      { modules: described([]) }
    ),
    options
  )

describe('causes', () => {
  it('are one for a removed parameter, its warning and its missing field, named by the release', () => {
    const { causes, findings } = tokens()
    expect(causes.map(({ title, knownChange }) => [knownChange?.since, title])).toEqual([
      ['1.37', 'the old token parameters and action=tokens were removed']
    ])
    expect(causes[0]?.findings.map(({ kind }) => kind).sort()).toEqual([
      'field.removed',
      'param.removed',
      'warning.appeared'
    ])
    expect(causes[0]?.findings).toHaveLength(findings.length)
    expect(causes[0]?.requests.map(({ requestClass }) => requestClass)).toEqual([
      'prop=info'
    ])
  })

  it('are one for a field that is gone because its parameter was not understood', () => {
    const asked = 'action=query&prop=info&inhint=colour&titles=Волга'
    const plain = 'action=query&prop=info&titles=Волга'
    const warnings = { main: { '*': 'Unrecognized parameter: inhint.' } }
    const { causes } = compareCassettes(
      side('a', {
        [asked]: page({ colour: 'blue', size: 5 }),
        [plain]: page({ size: 5 })
      }),
      side('b', { [asked]: { warnings, ...(page({}) as object) }, [plain]: page({}) })
    )
    // The size is gone where everything was understood, too.
    expect(
      causes.map(({ findings }) =>
        findings.map(({ kind, place }) => `${kind} ${place}`).sort()
      )
    ).toEqual([
      ['field.removed query.pages[*].size'],
      ['field.removed query.pages[*].colour', 'warning.appeared warnings.main']
    ])
  })

  it('are one for each module that has a parameter of the name, unless it changes alike in all', () => {
    const described = (
      ...props: readonly (readonly [string, string])[]
    ): ReadonlyMap<string, unknown> =>
      new Map(
        props.map(([path, values]) => [
          path,
          { path, prefix: '', parameters: [{ name: 'prop', type: values.split('|') }] }
        ])
      )
    const causesOf = (compared: string): readonly string[] =>
      compareCassettes(
        side('a', {}, { modules: described(['parse', 'text'], ['compare', 'ids']) }),
        side(
          'b',
          {},
          { modules: described(['parse', 'text|size'], ['compare', compared]) }
        )
      ).causes.map(
        ({ title, findings }) => `${findings.map(({ scope }) => scope).join()} ${title}`
      )
    expect(causesOf('ids|user')).toEqual([
      'compare prop: allowed value added: user',
      'parse prop: allowed value added: size'
    ])
    expect(causesOf('ids|size')).toEqual([
      'compare,parse prop: allowed value added: size'
    ])
  })

  it('say which field it is', () => {
    const titles = (before: object, after: object): readonly string[] => {
      const [a, b] = [before, after].map((general) =>
        side('x', { 'action=query&meta=siteinfo': { query: { info: general } } })
      )
      if (a === undefined || b === undefined) throw new Error('two sides')
      return compareCassettes(a, b).causes.map(({ title }) => title)
    }
    expect(titles({ invalidchars: '@:' }, { invalidchars: '@:>' })).toEqual([
      'invalidchars: value changed'
    ])
    expect(titles({ maxage: 5, minage: 1 }, { maxage: '5', minage: '1' })).toEqual([
      'maxage, minage: another type: number → string'
    ])
    const five = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, 5]))
    expect(
      titles(five, Object.fromEntries(Object.keys(five).map((name) => [name, '5'])))
    ).toEqual(['a, b, c and 2 more: another type: number → string'])
    const failed = { error: { code: 'unknown', info: 'x' } }
    const query = 'action=query&meta=siteinfo'
    const [cause] = compareCassettes(
      side('a', { [query]: {} }),
      side('b', { [query]: failed })
    ).causes
    expect(cause?.title).toBe('an error instead of a result')
  })

  it('are accepted whole, by one entry', () => {
    const [cause] = tokens().causes
    if (cause === undefined) throw new Error('no cause')
    const entry = acceptanceForCause(cause, 'we ask for meta=tokens', undefined)
    const accepted = tokens({ acceptances: [entry], today: '2026-01-01' })
    expect(accepted.causes).toEqual([])
    expect(accepted.unknownAcceptances).toEqual([])
    expect(accepted.findings.every((one) => one.accepted === entry)).toBe(true)
  })

  it('stay accepted when all but one of their places are gone', () => {
    const [cause] = tokens().causes
    if (cause === undefined) throw new Error('no cause')
    const entry = acceptanceForCause(cause, 'we ask for meta=tokens', undefined)
    const [left] = cause.findings
    const accepted = applyAcceptances([left], [entry], '2026-01-01')
    expect([accepted.findings[0]?.accepted, accepted.unknownAcceptances]).toEqual([
      entry,
      []
    ])
  })

  it('keep their fingerprint where an edit makes data of the same place in another answer', () => {
    const parse = (name: string): string => `action=parse&page=${name}`
    const answer = (title: string, anchor: string, revid: number): unknown => ({
      parse: {
        title,
        pageid: title.charCodeAt(0),
        revid,
        sections: [{ index: '1', anchor }]
      }
    })
    const causesBetween = (revid: number): DriftReport['causes'] =>
      compareCassettes(
        side('a', {
          [parse('A')]: answer('A', '.D0.98', 5),
          [parse('B')]: answer('B', '.D0.98', 5)
        }),
        side('b', {
          [parse('A')]: answer('A', 'И', 5),
          [parse('B')]: answer('B', 'И', revid)
        })
      ).causes
    const behaviour = (causes: DriftReport['causes']): readonly string[] =>
      causes
        .filter(({ findings }) => findings[0].axis === 'behaviour')
        .map(({ fingerprint }) => fingerprint)
    expect(behaviour(causesBetween(5))).toHaveLength(1)
    expect(behaviour(causesBetween(6))).toEqual(behaviour(causesBetween(5)))
    expect(causesBetween(6).some(({ findings }) => findings[0].axis === 'data')).toBe(
      true
    )
  })

  it('are one for one field renamed in several modules, and two for two fields', () => {
    const one = 'action=query&list=users'
    const other = 'action=query&list=allusers'
    const answer = (list: string, member: object): unknown => ({
      query: { [list]: [{ name: 'Bob', ...member }] }
    })
    const renamed = (a: object, b: object): number =>
      compareCassettes(
        side('a', { [one]: answer('users', a), [other]: answer('allusers', a) }),
        side('b', { [one]: answer('users', b), [other]: answer('allusers', b) })
      ).causes.length
    expect(renamed({ oldname: 'unusual value' }, { newname: 'unusual value' })).toBe(1)
    expect(renamed({ first: 'unusual value', second: 'odd value' }, {})).toBe(2)
  })

  it('keep what no request sends apart from what hits somebody', () => {
    const { causes } = compareCassettes(
      side(
        'a',
        { [info]: page({}) },
        { modules: described([{ name: 'rare' }, { name: 'token' }]) }
      ),
      side('b', { [info]: page({}) }, { modules: described([]) })
    )
    expect(
      causes.map(({ findings: [first], requests }) => [first.severity, requests.length])
    ).toEqual([
      ['breaking', 1],
      ['note', 0]
    ])
  })
})

it('a cause of several findings is called by twelve digits, however many there are', () => {
  const [cause] = tokens().causes
  expect(cause && causeFingerprint(cause.findings, 'x')).toMatch(/^[0-9a-f]{12}$/)
})
