/** What two wikis say of their modules, and whether the recorded requests use what changed. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import type { Finding } from '../../../src/drift/findings/finding.ts'
import type { CassetteSide } from '../../../src/drift/inputs/cassette-side.ts'
import { side } from '../sides.ts'
import { type Param, parameterCases } from './compare-contract-cases.ts'

const module = (
  path: string,
  prefix: string,
  parameters: readonly Param[],
  rest: object = {}
): [string, unknown] => [path, { path, prefix, parameters, ...rest }]
const query = module('query', '', [
  {
    name: 'list',
    type: ['allpages', 'blocks'],
    multi: '',
    submodules: { allpages: 'query+allpages', blocks: 'query+blocks' }
  }
])
const requestText = 'action=query&list=allpages&apfilter=all&aplimit=500&approp=ids|size'

function sideWith(
  modules: readonly [string, unknown][],
  request: string = requestText
): CassetteSide {
  return side(
    'x',
    { [request]: { query: { allpages: [] } } },
    { modules: new Map([query, ...modules]) }
  )
}

function found(
  before: readonly [string, unknown][],
  after: readonly [string, unknown][]
): readonly unknown[] {
  const summaries = ({ axis, severity, kind, scope, place }: Finding): string =>
    [axis, severity, kind, scope, place].filter((part) => part !== '').join(' ')
  return compareCassettes(sideWith(before), sideWith(after)).findings.map(summaries)
}

const allpages = (parameters: readonly Param[], rest: object = {}): [string, unknown] =>
  module('query+allpages', 'ap', parameters, rest)

describe('contract', () => {
  it('is also what was recorded of it as an answer', () => {
    const describing = 'action=paraminfo&modules=query%2Ballpages'
    const recorded = (parameters: readonly Param[]): CassetteSide => {
      const [, description] = allpages(parameters)
      const answers = {
        [requestText]: {},
        [describing]: { paraminfo: { modules: [description] } }
      }
      return side('x', answers, { modules: new Map([query]) })
    }
    expect(
      compareCassettes(recorded([{ name: 'filter' }]), recorded([])).findings.map(
        ({ severity, kind, place }) => `${severity} ${kind} ${place}`
      )
    ).toEqual(['breaking param.removed apfilter'])
  })

  it('of a parameter with slots is used where one of them is sent', () => {
    const summaries = (sent: string): readonly string[] => {
      const before = [allpages([{ name: 'text-{slot}-x' }])]
      const after = [allpages([])]
      const request = `action=query&list=allpages&${sent}=1`
      return compareCassettes(
        sideWith(before, request),
        sideWith(after, request)
      ).findings.map(({ severity, kind }) => `${severity} ${kind}`)
    }
    expect(summaries('aptext-main-x')).toEqual(['breaking param.removed'])
    expect(summaries('aptext-main')).toEqual(['note param.removed'])
    expect(summaries('apmain-x')).toEqual(['note param.removed'])
  })

  it('a removed parameter is breaking where it is sent, a note where it is not', () => {
    const before = allpages([{ name: 'filter' }, { name: 'other' }])
    expect(found([before], [allpages([])])).toEqual([
      'contract breaking param.removed query+allpages apfilter',
      'contract note param.removed query+allpages apother'
    ])
  })

  it.each([
    ['additive', { name: 'filter' }, { name: 'filter', multi: '' }, 'param.multi'],
    [
      'risky',
      { name: 'filter', type: 'string' },
      { name: 'filter', type: 'integer' },
      'param.type-changed'
    ],
    ['risky', { name: 'filter' }, { name: 'filter', deprecated: '' }, 'param.deprecated'],
    ['additive', { name: 'filter', required: '' }, { name: 'filter' }, 'param.optional'],
    ['note', { name: 'filter' }, { name: 'filter', required: '' }, 'param.required'],
    [
      'note',
      { name: 'filter', default: 'a' },
      { name: 'filter', default: 'b' },
      'param.default-changed'
    ]
  ] as const)('%s: a sent parameter of %j became %j', (severity, before, after, kind) => {
    expect(found([allpages([before])], [allpages([after])])).toEqual([
      `contract ${severity} ${kind} query+allpages apfilter`
    ])
  })

  it('a default counts where the parameter is not sent', () => {
    const dir = (standard: string): [string, unknown] =>
      allpages([{ name: 'dir', default: standard }])
    expect(found([dir('ascending')], [dir('descending')])).toEqual([
      'contract risky param.default-changed query+allpages apdir'
    ])
  })

  it.each([
    ['prop that only asks for more', 'prop', 'ids', 'ids|size', 'note'],
    ['prop that asks for something else', 'prop', 'ids|size', 'ids', 'risky'],
    ['type, which other rows come by', 'type', 'edit', 'edit|new', 'risky']
  ])('a default %s', (_, name, before, after, severity) => {
    const described = (standard: string): [string, unknown] =>
      allpages([{ name: `other${name}`, multi: true, default: standard }])
    expect(found([described(before)], [described(after)])).toEqual([
      `contract ${severity} param.default-changed query+allpages apother${name}`
    ])
  })

  it('a lowered limit counts where more is asked for', () => {
    const limit = (max: number): [string, unknown] =>
      allpages([{ name: 'limit', type: 'limit', max }])
    expect(found([limit(500)], [limit(100)])).toEqual([
      'contract risky param.limit-lowered query+allpages aplimit'
    ])
    expect(found([limit(5000)], [limit(500)])).toEqual([
      'contract note param.limit-lowered query+allpages aplimit'
    ])
    expect(found([limit(100)], [limit(500)])).toEqual([
      'contract additive param.limit-raised query+allpages aplimit'
    ])
  })

  it('values are compared one by one', () => {
    const prop = (type: readonly string[]): [string, unknown] =>
      allpages([{ name: 'prop', type, multi: '' }])
    expect(found([prop(['ids', 'size', 'rare'])], [prop(['ids', 'fresh'])])).toEqual([
      'contract breaking param.value-removed query+allpages approp[*]',
      'contract additive param.value-added query+allpages approp[*]',
      'contract note param.value-removed query+allpages approp[*]'
    ])
  })

  it('modules come, go, need POST, and are deprecated', () => {
    const blocks = module('query+blocks', 'bk', [])
    const without = module('query', '', [
      {
        name: 'list',
        type: ['allpages'],
        multi: '',
        submodules: { allpages: 'query+allpages' }
      }
    ])
    expect(
      found([allpages([])], [allpages([], { mustbeposted: '', deprecated: '' })])
    ).toEqual([
      'contract breaking module.post-required query+allpages',
      'contract risky module.deprecated query+allpages'
    ])
    expect(found([blocks], [without])).toEqual([
      'contract note module.removed query+blocks'
    ])
  })

  it('a module that one side merely did not describe proves nothing', () => {
    expect(found([allpages([])], [])).toEqual([])
  })
})

describe('one parameter', () => {
  it.each(parameterCases)('%s', (_, before, after, findings) => {
    const lines = found([allpages([before])], [allpages([after])]).map((one) =>
      String(one)
        .replace(/^contract /, '')
        .replace('query+allpages ', '')
    )
    expect(lines).toEqual(findings)
  })

  it('of a side that describes nothing is compared with nothing', () => {
    const described = sideWith([allpages([{ name: 'filter' }])])
    const bare = side('x', { [requestText]: { query: {} } })
    const contract = (a: CassetteSide, b: CassetteSide): readonly Finding[] =>
      compareCassettes(a, b).findings.filter(({ axis }) => axis === 'contract')
    expect([contract(described, bare), contract(bare, described)]).toEqual([[], []])
  })
})
