/** What two wikis say of their modules, and whether the recorded requests use what changed. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import type { Finding } from '../../../src/drift/findings/finding.ts'
import type { CassetteSide } from '../../../src/drift/inputs/cassette-side.ts'
import { side } from '../sides.ts'

type Param = Readonly<Record<string, unknown>> & { readonly name: string }

const module = (
  path: string,
  prefix: string,
  parameters: readonly Param[],
  rest: object = {},
): [string, unknown] => [path, { path, prefix, parameters, ...rest }]
const query = module('query', '', [
  {
    name: 'list',
    type: ['allpages', 'blocks'],
    multi: '',
    submodules: { allpages: 'query+allpages', blocks: 'query+blocks' },
  },
])
const requestText = 'action=query&list=allpages&apfilter=all&aplimit=500&approp=ids|size'

function sideWith(modules: readonly [string, unknown][], request: string = requestText): CassetteSide {
  return side('x', { [request]: { query: { allpages: [] } } }, { modules: new Map([query, ...modules]) })
}

function found(
  before: readonly [string, unknown][],
  after: readonly [string, unknown][],
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
      const answers = { [requestText]: {}, [describing]: { paraminfo: { modules: [description] } } }
      return side('x', answers, { modules: new Map([query]) })
    }
    expect(
      compareCassettes(recorded([{ name: 'filter' }]), recorded([])).findings.map(
        ({ severity, kind, place }) => `${severity} ${kind} ${place}`,
      ),
    ).toEqual(['breaking param.removed apfilter'])
  })

  it('of a parameter with slots is used where one of them is sent', () => {
    const summaries = (sent: string): readonly string[] => {
      const [before, after] = [[allpages([{ name: 'text-{slot}-x' }])], [allpages([])]]
      const request = `action=query&list=allpages&${sent}=1`
      return compareCassettes(sideWith(before, request), sideWith(after, request)).findings.map(
        ({ severity, kind }) => `${severity} ${kind}`,
      )
    }
    expect(summaries('aptext-main-x')).toEqual(['breaking param.removed'])
    expect(summaries('aptext-main')).toEqual(['note param.removed'])
    expect(summaries('apmain-x')).toEqual(['note param.removed'])
  })

  it('a removed parameter is breaking where it is sent, a note where it is not', () => {
    const before = allpages([{ name: 'filter' }, { name: 'other' }])
    expect(found([before], [allpages([])])).toEqual([
      'contract breaking param.removed query+allpages apfilter',
      'contract note param.removed query+allpages apother',
    ])
  })

  it.each([
    ['additive', { name: 'filter' }, { name: 'filter', multi: '' }, 'param.multi'],
    ['risky', { name: 'filter', type: 'string' }, { name: 'filter', type: 'integer' }, 'param.type-changed'],
    ['risky', { name: 'filter' }, { name: 'filter', deprecated: '' }, 'param.deprecated'],
    ['additive', { name: 'filter', required: '' }, { name: 'filter' }, 'param.optional'],
    ['note', { name: 'filter' }, { name: 'filter', required: '' }, 'param.required'],
    ['note', { name: 'filter', default: 'a' }, { name: 'filter', default: 'b' }, 'param.default-changed'],
  ] as const)('%s: a sent parameter of %j became %j', (severity, before, after, kind) => {
    expect(found([allpages([before])], [allpages([after])])).toEqual([
      `contract ${severity} ${kind} query+allpages apfilter`,
    ])
  })

  it('a default counts where the parameter is not sent', () => {
    const dir = (standard: string): [string, unknown] => allpages([{ name: 'dir', default: standard }])
    expect(found([dir('ascending')], [dir('descending')])).toEqual([
      'contract risky param.default-changed query+allpages apdir',
    ])
  })

  it.each([
    ['prop that only asks for more', 'prop', 'ids', 'ids|size', 'note'],
    ['prop that asks for something else', 'prop', 'ids|size', 'ids', 'risky'],
    ['type, which other rows come by', 'type', 'edit', 'edit|new', 'risky'],
  ])('a default %s', (_, name, before, after, severity) => {
    const described = (standard: string): [string, unknown] =>
      allpages([{ name: `other${name}`, multi: true, default: standard }])
    expect(found([described(before)], [described(after)])).toEqual([
      `contract ${severity} param.default-changed query+allpages apother${name}`,
    ])
  })

  it('a lowered limit counts where more is asked for', () => {
    const limit = (max: number): [string, unknown] => allpages([{ name: 'limit', type: 'limit', max }])
    expect(found([limit(500)], [limit(100)])).toEqual([
      'contract risky param.limit-lowered query+allpages aplimit',
    ])
    expect(found([limit(5000)], [limit(500)])).toEqual([
      'contract note param.limit-lowered query+allpages aplimit',
    ])
    expect(found([limit(100)], [limit(500)])).toEqual([
      'contract additive param.limit-raised query+allpages aplimit',
    ])
  })

  it('values are compared one by one', () => {
    const prop = (type: readonly string[]): [string, unknown] => allpages([{ name: 'prop', type, multi: '' }])
    expect(found([prop(['ids', 'size', 'rare'])], [prop(['ids', 'fresh'])])).toEqual([
      'contract breaking param.value-removed query+allpages approp[*]',
      'contract additive param.value-added query+allpages approp[*]',
      'contract note param.value-removed query+allpages approp[*]',
    ])
  })

  it('modules come, go, need POST, and are deprecated', () => {
    const blocks = module('query+blocks', 'bk', [])
    const without = module('query', '', [
      { name: 'list', type: ['allpages'], multi: '', submodules: { allpages: 'query+allpages' } },
    ])
    expect(found([allpages([])], [allpages([], { mustbeposted: '', deprecated: '' })])).toEqual([
      'contract breaking module.post-required query+allpages',
      'contract risky module.deprecated query+allpages',
    ])
    expect(found([blocks], [without])).toEqual(['contract note module.removed query+blocks'])
  })

  it('a module that one side merely did not describe proves nothing', () => {
    expect(found([allpages([])], [])).toEqual([])
  })
})

/** The recorded request sends filter=all, limit=500 and prop=ids|size; nobody sends other. */
describe('one parameter', () => {
  const values = (type: readonly string[], deprecatedvalues?: readonly string[]): Param => ({
    name: 'prop',
    multi: '',
    type,
    ...(deprecatedvalues === undefined ? {} : { deprecatedvalues }),
  })
  const limit = (more: object): Param => ({ name: 'limit', type: 'limit', ...more })
  const filter = (more: object = {}): Param => ({ name: 'filter', ...more })
  const other = (more: object = {}): Param => ({ name: 'other', ...more })

  it.each<readonly [string, Param, Param, readonly string[]]>([
    [
      'takes one value, two are sent',
      { name: 'prop', multi: '' },
      { name: 'prop' },
      ['breaking param.single approp'],
    ],
    ['takes one value, one is sent', filter({ multi: '' }), filter(), ['note param.single apfilter']],
    ['takes one value, none is sent', other({ multi: '' }), other(), ['note param.single apother']],
    ['wants a POST, and is sent', filter(), filter({ sensitive: '' }), ['risky param.sensitive apfilter']],
    ['wants a POST, and is not sent', other(), other({ sensitive: '' }), ['note param.sensitive apother']],
    [
      'wants no POST any more',
      filter({ sensitive: '' }),
      filter(),
      ['additive param.not-sensitive apfilter'],
    ],
    [
      'wants another token',
      other({ tokentype: 'edit' }),
      other({ tokentype: 'csrf' }),
      ['risky param.token-changed apother'],
    ],
    [
      'is no longer deprecated',
      filter({ deprecated: '' }),
      filter(),
      ['additive param.undeprecated apfilter'],
    ],
    ['is required, and sent', filter(), filter({ required: '' }), ['note param.required apfilter']],
    ['is required, and not sent', other(), other({ required: '' }), ['breaking param.required apother']],
    [
      'names a user',
      filter({ type: 'string' }),
      filter({ type: 'user' }),
      ['note param.type-changed apfilter'],
    ],
    [
      'takes any text after numbers',
      filter({ type: 'integer' }),
      filter({ type: 'string' }),
      ['note param.type-changed apfilter'],
    ],
    [
      'takes any text after some',
      filter({ type: ['all'] }),
      filter({ type: 'string' }),
      ['note param.type-changed apfilter'],
    ],
    [
      'takes some texts after any',
      filter({ type: 'string' }),
      filter({ type: ['all'] }),
      ['risky param.type-changed apfilter'],
    ],
    [
      'takes any text after a flag',
      filter({ type: 'boolean' }),
      filter({ type: 'string' }),
      ['risky param.type-changed apfilter'],
    ],
    [
      'is of another type, and not sent',
      other({ type: 'string' }),
      other({ type: 'timestamp' }),
      ['note param.type-changed apother'],
    ],
    ['has null, then false for a default', other({ default: null }), other({ default: false }), []],
    ['has an empty default, then none', other({ default: '' }), other(), []],
    [
      'has a default in a list, then in a text',
      other({ default: ['a', 'b'] }),
      other({ default: 'a|b' }),
      [],
    ],
    ['has a default now', other(), other({ default: 'a' }), ['risky param.default-changed apother']],
    [
      'has another default, and is sent by all',
      filter({ default: 'a' }),
      filter({ default: 'b' }),
      ['note param.default-changed apfilter'],
    ],
    [
      'is a flag with a default, then with none',
      other({ type: 'boolean', default: 'false' }),
      other({ type: 'boolean' }),
      [],
    ],
    [
      'is required, its default is nothing to anybody',
      other({ default: 'a' }),
      other({ required: '', default: 'b' }),
      ['breaking param.required apother'],
    ],
    [
      'has a sent value deprecated',
      values(['ids', 'size']),
      values(['ids', 'size'], ['ids']),
      ['risky param.value-deprecated approp[*]'],
    ],
    [
      'has a value undeprecated',
      values(['ids', 'size'], ['ids']),
      values(['ids', 'size']),
      ['additive param.value-undeprecated approp[*]'],
    ],
    [
      'has another value deprecated',
      values(['ids', 'size', 'x']),
      values(['ids', 'size', 'x'], ['x']),
      ['note param.value-deprecated approp[*]'],
    ],
    [
      'has a value that is born deprecated',
      values(['ids']),
      values(['ids', 'x'], ['x']),
      ['additive param.value-added approp[*]'],
    ],
    [
      'has users named otherwise',
      filter({ type: 'user', subtypes: ['ip', 'id'] }),
      filter({ type: 'user', subtypes: ['ip', 'name'] }),
      ['risky param.subtype-removed apfilter[*]', 'additive param.subtype-added apfilter[*]'],
    ],
    [
      'says for the first time how users are named',
      filter({ type: 'user' }),
      filter({ type: 'user', subtypes: ['ip'] }),
      [],
    ],
    [
      'has a least number above what is sent',
      limit({ min: 1 }),
      limit({ min: 501 }),
      ['risky param.min-raised aplimit'],
    ],
    [
      'has for a least number what is sent',
      limit({ min: 1 }),
      limit({ min: 500 }),
      ['note param.min-raised aplimit'],
    ],
    [
      'has a lower least number',
      limit({ min: 10 }),
      limit({ min: 1 }),
      ['additive param.min-lowered aplimit'],
    ],
    ['has a least number now', limit({}), limit({ min: 1 }), ['note param.min-raised aplimit']],
    ['has no least number any more', limit({ min: 1 }), limit({}), ['additive param.min-lowered aplimit']],
    [
      'is limited to what is sent',
      limit({ max: 5000 }),
      limit({ max: 500 }),
      ['note param.limit-lowered aplimit'],
    ],
    [
      'is limited to less than is sent',
      limit({ max: 500 }),
      limit({ max: 499 }),
      ['risky param.limit-lowered aplimit'],
    ],
    [
      'is limited for bots',
      limit({ max: 500, highmax: 5000 }),
      limit({ max: 500, highmax: 1000 }),
      ['note param.limit-lowered aplimit'],
    ],
  ])('%s', (_, before, after, findings) => {
    const lines = found([allpages([before])], [allpages([after])]).map((one) =>
      String(one)
        .replace(/^contract /, '')
        .replace('query+allpages ', ''),
    )
    expect(lines).toEqual(findings)
  })

  it('of a side that describes nothing is compared with nothing', () => {
    const [described, bare] = [
      sideWith([allpages([{ name: 'filter' }])]),
      side('x', { [requestText]: { query: {} } }),
    ]
    const contract = (a: CassetteSide, b: CassetteSide): readonly Finding[] =>
      compareCassettes(a, b).findings.filter(({ axis }) => axis === 'contract')
    expect([contract(described, bare), contract(bare, described)]).toEqual([[], []])
  })
})
