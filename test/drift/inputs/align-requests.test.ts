/** Which request of one side answers which of the other, and which class of requests it belongs to. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import { exitCode } from '../../../src/drift/findings/drift-report.ts'
import { alignInteractions } from '../../../src/drift/inputs/align-requests.ts'
import {
  classOf,
  namesItems,
  shapeClassOf
} from '../../../src/drift/inputs/cassette-side.ts'
import { parseUrlencoded } from '../../../src/recorder/wiki/parameters/request-params.ts'
import { interaction, side } from '../sides.ts'

/** A name with a space is no parameter, and no query string has one. */
const spaced = (params: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...params].map(([name, value]) => [name.replace('_', ' '), value]))
const request = (query: string): ReadonlyMap<string, string> =>
  spaced(parseUrlencoded(query))
const sideOf = (...queries: readonly string[]): ReturnType<typeof side> => {
  const bare = side(
    'x',
    Object.fromEntries(queries.map((query) => [query, { query: {} }]))
  )
  return {
    ...bare,
    interactions: bare.interactions.map((one) => ({
      ...one,
      request: spaced(one.request)
    }))
  }
}
const keysOf = (
  list: readonly { readonly request: ReadonlyMap<string, string> }[]
): readonly string[] =>
  list.map((one) => [...one.request].map(([name, value]) => `${name}=${value}`).join('&'))

const aligned = (a: readonly string[], b: readonly string[]): unknown => {
  const { pairs, onlyA, onlyB } = alignInteractions(sideOf(...a), sideOf(...b))
  return [pairs.map(({ differs }) => differs.join()), keysOf(onlyA), keysOf(onlyB)]
}

describe('requests', () => {
  it.each<readonly [string, readonly string[], readonly string[], unknown]>([
    [
      'that are equal are one',
      ['action=query&list=x'],
      ['action=query&list=x'],
      [[''], [], []]
    ],
    [
      'that are equal are one, others are left',
      ['action=a', 'action=b'],
      ['action=a', 'action=c'],
      [[''], ['action=b'], ['action=c']]
    ],
    [
      'that one side has more of are left',
      ['action=a', 'action=b'],
      ['action=a'],
      [[''], ['action=b'], []]
    ],
    [
      'that differ in their encoding alone are one',
      ['action=query&list=x&formatversion=2'],
      ['action=query&list=x'],
      [['formatversion'], [], []]
    ],
    [
      'that differ in how they go on are one',
      ['action=query&list=x&rawcontinue=1'],
      ['action=query&list=x'],
      [['rawcontinue'], [], []]
    ],
    [
      'in two encodings are not matched by guess',
      ['action=a&errorformat=html', 'action=a&errorformat=raw'],
      ['action=a'],
      [[], ['action=a&errorformat=html', 'action=a&errorformat=raw'], ['action=a']]
    ],
    [
      'to something else than the API stay what they are',
      ['plain target=/w/index.php?a', 'action=b'],
      ['plain target=/w/index.php?c', 'action=b'],
      [[''], ['plain target=/w/index.php?a'], ['plain target=/w/index.php?c']]
    ]
  ])('%s', (_, a, b, expected) => {
    expect(aligned(a, b)).toEqual(expected)
  })

  it.each([
    ['plain target=/x', 'plain'],
    ['titles=A', 'action=help'],
    ['action=parse&page=A', 'action=parse'],
    ['action=query', 'action=query'],
    ['action=query&titles=A&prop=info|extracts&list=b|a', 'list=a|b&prop=extracts|info']
  ])('%s are of the class %s', (query, name) => {
    expect(classOf(request(query))).toBe(name)
  })

  it('have the same fields where only titles and limits are others', () => {
    const shape = (query: string): string => shapeClassOf(request(query))
    expect(shape('action=query&prop=info&titles=A')).toBe(
      shape('prop=info&action=query&titles=B&inlimit=5')
    )
    expect(shape('action=query&prop=info&titles=A')).not.toBe(
      shape('action=query&prop=info&inprop=url')
    )
  })

  it.each([
    ['titles=A', true],
    ['ususers=A', true],
    ['generator=links&titles=A', false],
    ['list=allpages', false]
  ])('%s names what it wants: %s', (query, pins) => {
    expect(namesItems(request(query))).toBe(pins)
  })
})

describe('answers', () => {
  const request = 'action=query&list=things'
  const counted = (a: number, b: number): readonly string[] => {
    const times = (count: number): readonly object[] =>
      Array.from({ length: count }, () => ({ query: {} }))
    const withAnswers = (count: number): ReturnType<typeof side> => ({
      ...side('x', {}),
      interactions: [interaction(request, ...times(count))]
    })
    return compareCassettes(withAnswers(a), withAnswers(b)).findings.map(
      ({ kind, title }) => `${kind} ${title}`
    )
  }

  it.each([
    [1, 1, undefined],
    [2, 1, 'interaction.missing'],
    [1, 2, 'interaction.new']
  ])('%i times, then %i times: %s', (a, b, kind) => {
    expect(counted(a, b).map((one) => one.split(' ')[0])).toEqual(
      kind === undefined ? [] : [kind]
    )
  })

  it('a request that goes on where only its own wiki says is told apart', () => {
    const more = (token: string): object => ({
      query: { things: [] },
      continue: { thcontinue: token, continue: '-||' }
    })
    const severities = (token: string): readonly string[] =>
      compareCassettes(
        side('a', {
          [request]: more('T'),
          [`${request}&thcontinue=${token}`]: { query: {} }
        }),
        side('b', { [request]: more('T') })
      ).findings.flatMap(({ kind, severity }) =>
        kind === 'interaction.missing' ? [severity] : []
      )
    expect(severities('T')).not.toEqual(severities('other'))
  })
})

describe('a report', () => {
  it('knows modules that were asked for with action=paraminfo', () => {
    const paraminfo = 'action=paraminfo&modules=query'
    const describes = (...modules: readonly unknown[]): object => ({
      paraminfo: { modules }
    })
    const modulesOf = (answer: unknown): number =>
      compareCassettes(side('a', { [paraminfo]: answer }), side('b', {})).a.modules
    expect(modulesOf(describes({ path: 'query' }, { path: 'query+info' }))).toBe(2)
    expect(modulesOf(describes({ name: 'x' }, 'text', null, { path: 5 }))).toBe(0)
    const report = compareCassettes(
      side('a', { 'action=x': describes({ path: 'query' }) }),
      side('b', {})
    )
    expect(report.a.modules).toBe(0)
  })

  it.each([
    ['ru', 'en', ['the wikis speak different languages: ru and en']],
    ['ru', 'ru', []],
    ['', 'en', []],
    ['ru', '', []]
  ])('of wikis in %j and %j', (langA, langB, texts) => {
    const inLang = (lang: string): ReturnType<typeof side> =>
      side('x', { 'action=x': {} }, { manifest: { site: { lang } as never } })
    const { remarks } = compareCassettes(inLang(langA), inLang(langB))
    expect(
      remarks.flatMap(({ kind, text }) => (kind === 'other-language' ? [text] : []))
    ).toEqual(texts)
  })

  it.each<readonly [string, readonly string[], readonly string[], readonly string[]]>([
    ['with a request in common', ['action=a'], ['action=a'], []],
    ['with none in common', ['action=a'], ['action=b'], ['nothing-in-common']],
    ['with nothing on one side', ['action=a'], [], ['empty']],
    ['with nothing on the other', [], ['action=a'], ['empty']]
  ])('of sides %s', (_, left, right, expected) => {
    const { remarks } = compareCassettes(sideOf(...left), sideOf(...right))
    expect(
      remarks.map(({ kind }) => kind).filter((kind) => kind !== 'no-descriptions')
    ).toEqual(expected)
  })

  const asBob = (query: string): string => `${query}&as user=user:Bob`
  const refusal =
    '2 requests asked anonymously in A and as Bob in B: not compared; record both sides with the same --login, or both without'

  it('refuses recordings of which one was made by a user: nothing is found, and that is trouble', () => {
    const report = compareCassettes(
      sideOf('action=a', 'action=b'),
      sideOf(asBob('action=a'), asBob('action=b'))
    )
    expect([report.findings, report.compared]).toEqual([[], 0])
    expect(report.remarks.filter(({ fatal }) => fatal).map(({ text }) => text)).toEqual([
      refusal
    ])
    expect(exitCode(report, 'none')).toBe(2)
  })

  it('compares like with like where some requests were asked by somebody else', () => {
    const same = ['action=c', 'action=d', 'action=e']
    const report = compareCassettes(
      sideOf('action=a', 'action=b', ...same),
      sideOf(asBob('action=a'), asBob('action=b'), ...same)
    )
    expect([report.findings.length, report.compared]).toEqual([0, 3])
    const [found] = report.remarks.filter(({ kind }) => kind === 'other-user')
    expect(found).toEqual({ kind: 'other-user', text: refusal, fatal: false })
  })

  it('wonders where of ten pages fewer than two are on both wikis', () => {
    const pages = (count: number, from: number): object => ({
      query: {
        pages: Array.from({ length: count }, (_, at) => ({
          pageid: at + 1,
          title: `T${at + from}`
        }))
      }
    })
    const wonders = (count: number, from: number): boolean =>
      compareCassettes(
        side('a', { 'action=x': pages(count, 0) }),
        side('b', { 'action=x': pages(count, from) })
      ).remarks.some(({ kind }) => kind === 'other-wiki')
    expect([wonders(10, 10), wonders(10, 9), wonders(10, 8), wonders(9, 9)]).toEqual([
      true,
      true,
      false,
      false
    ])
  })
})
