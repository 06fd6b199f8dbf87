/** What shows that a page is in another state on the other wiki, and which changes that explains. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import { side, tree } from '../sides.ts'

type Answers = Readonly<Record<string, unknown>>
interface How {
  readonly engines?: readonly [string, string]
  readonly pagesA?: ReadonlyMap<string, ReadonlyMap<string, ReturnType<typeof tree>>>
  readonly pagesB?: ReadonlyMap<string, ReadonlyMap<string, ReturnType<typeof tree>>>
}
const summaries = (
  a: Answers,
  b: Answers,
  { engines = ['1.35.13', '1.43.9'], pagesA, pagesB }: How = {}
): readonly string[] =>
  compareCassettes(
    side('a', a, { manifest: { engine: engines[0] }, ...(pagesA && { pages: pagesA }) }),
    side('b', b, { manifest: { engine: engines[1] }, ...(pagesB && { pages: pagesB }) })
  ).findings.flatMap(({ axis, kind, place }) =>
    axis === 'behaviour' ? [`${kind} ${place}`] : []
  )

const info = 'action=query&prop=info&titles=A&formatversion=2'
const images = 'action=query&prop=pageprops&titles=A&formatversion=2'
const page = (more: object): object => ({
  query: { pages: [{ pageid: 7, ns: 0, title: 'A', ...more }] }
})
const gone = ['field.removed query.pages[*].thumbnail']

/** A field that follows the page's text is gone: is it because the page is another? */
const explained = (before: object, after: object): boolean => {
  const changes = summaries(
    { [info]: page(before), [images]: page({ thumbnail: { source: 'x' } }) },
    { [info]: page(after), [images]: page({}) }
  )
  return !changes.includes(gone[0] ?? '')
}

describe('that a page is another is shown', () => {
  it.each<readonly [string, object, object, boolean]>([
    ['by nothing', {}, {}, false],
    ['by its length', { length: 1 }, { length: 2 }, true],
    ['by its newest revision', { lastrevid: 1 }, { lastrevid: 2 }, true],
    ['not by a length on one side alone', { length: 1 }, {}, false],
    ['by being missing', {}, { missing: true }, true],
    ['by a redirect', { redirect: true }, {}, true],
    ['not by a flag that is false', { redirect: false }, {}, false],
    ['by a flag that is true', { redirect: false }, { redirect: true }, true],
    ['by its protection', { protection: [] }, { protection: [{ type: 'edit' }] }, true],
    [
      'by the size of a revision',
      { revisions: [{ size: 1 }] },
      { revisions: [{ size: 2 }] },
      true
    ],
    [
      'by the number of a revision',
      { revisions: [{ revid: 1 }] },
      { revisions: [{ revid: 2 }] },
      true
    ],
    [
      'not by the second revision',
      { revisions: [{ size: 1 }, { size: 1 }] },
      { revisions: [{ size: 1 }, { size: 2 }] },
      false
    ],
    ['not by a display title', { displaytitle: 'a' }, { displaytitle: 'b' }, false]
  ])('%s', (_, before, after, is) => {
    expect(explained(before, after)).toBe(is)
  })

  it('not by another page', () => {
    const other = 'action=query&prop=info&titles=B&formatversion=2'
    const b = (length: number): object => ({
      query: { pages: [{ pageid: 8, ns: 0, title: 'B', length }] }
    })
    expect(
      summaries(
        { [other]: b(1), [images]: page({ thumbnail: { source: 'x' } }) },
        { [other]: b(2), [images]: page({}) }
      )
    ).toEqual(gone)
  })

  const pages = (more: Readonly<Record<string, unknown>>): How['pagesA'] =>
    new Map([
      [
        'A',
        new Map(
          Object.entries(more).map(([name, value]) => [name, tree(JSON.stringify(value))])
        )
      ]
    ])
  const pagesExplain = (
    a: Readonly<Record<string, unknown>>,
    b: Readonly<Record<string, unknown>>
  ): readonly string[] =>
    summaries(
      { [images]: page({ thumbnail: { source: 'x' } }) },
      { [images]: page({}) },
      {
        pagesA: pages(a),
        pagesB: pages(b)
      } as How
    )

  it('by what was asked for and kept', () => {
    expect(pagesExplain({ lastrevid: 1 }, { lastrevid: 2 })).toEqual([])
    expect(pagesExplain({ lastrevid: 1 }, { lastrevid: 1 })).toEqual(gone)
  })

  it('not by another number of the same text', () => {
    expect(
      pagesExplain({ lastrevid: 1, sha1: 'x' }, { lastrevid: 2, sha1: 'x' })
    ).toEqual(gone)
    expect(
      pagesExplain({ lastrevid: 1, sha1: 'x' }, { lastrevid: 2, sha1: 'y' })
    ).toEqual([])
    expect(pagesExplain({ lastrevid: 1, sha1: 'x' }, { lastrevid: 2 })).toEqual([])
  })

  it('not by numbers, where the wikis number their pages differently', () => {
    const others = 'action=query&list=allpages'
    const list = (from: number): object => ({
      query: {
        allpages: ['C', 'D', 'E'].map((title, at) => ({
          pageid: from + at,
          ns: 0,
          title
        }))
      }
    })
    const request = (lengthA: number, lengthB: number): readonly string[] =>
      summaries(
        {
          [others]: list(1),
          [info]: page({ lastrevid: 1, length: lengthA }),
          [images]: page({ thumbnail: { source: 'x' } })
        },
        {
          [others]: list(50),
          [info]: page({ lastrevid: 9, length: lengthB }),
          [images]: page({})
        }
      ).filter((one) => gone.includes(one))
    expect(request(1, 1)).toEqual(gone)
    expect(request(1, 2)).toEqual([])
  })
})

describe('a parse', () => {
  const parse = (name: string): string => `action=parse&page=${name}&formatversion=2`
  const parsed = (title: string, text: string, more: object = {}): object => ({
    parse: { title, pageid: 7, text, ...more }
  })
  const plain = '<p>x</p>'
  const boxed = '<div><p>x</p></div>'
  const structure = 'html.structure parse.text'

  it('of a redirect is about the page that it leads to', () => {
    const request = (lengthA: number, lengthB: number): readonly string[] =>
      summaries(
        { [info]: page({ length: lengthA }), [parse('R')]: parsed('A', plain) },
        { [info]: page({ length: lengthB }), [parse('R')]: parsed('A', boxed) }
      )
    expect(request(1, 1)).toEqual([structure])
    expect(request(1, 2)).toEqual([])
  })

  it('that fails on one side, because the page is gone, tells of the page', () => {
    const error = (code: string): object => ({ error: { code, info: 'x' } })
    const request = (code: string): readonly string[] =>
      summaries(
        {
          [parse('A')]: parsed('A', plain),
          [images]: page({ thumbnail: { source: 'x' } })
        },
        { [parse('A')]: error(code), [images]: page({}) }
      )
    expect(request('missingtitle')).toEqual([])
    expect(request('badvalue')).toEqual(['error.appeared error', ...gone])
  })

  it('that fails otherwise is content where both errors are', () => {
    const failing = (a: string, b: string): readonly string[] =>
      summaries(
        { [parse('A')]: { error: { code: a, info: 'x' } } },
        { [parse('A')]: { error: { code: b, info: 'x' } } }
      )
    expect(failing('missingtitle', 'nosuchsection')).toEqual([])
    expect(failing('missingtitle', 'badvalue')).toEqual(['error.code-changed error'])
    expect(failing('badvalue', 'missingtitle')).toEqual(['error.code-changed error'])
  })
})

describe('with the same software on both sides', () => {
  const same = { engines: ['1.43.9', '1.43.9'] } as const
  it.each<readonly [string, object, object, readonly string[]]>([
    [
      'a member of an edited page is content',
      page({ any: {}, lastrevid: 1 }),
      page({ lastrevid: 2 }),
      []
    ],
    [
      'a member of a page that stayed is not',
      page({ any: {}, lastrevid: 1 }),
      page({ lastrevid: 1 }),
      ['field.removed query.pages[*].any']
    ],
    [
      'a list that other pages fill is content',
      page({ linkshere: [], lastrevid: 1 }),
      page({ lastrevid: 1 }),
      []
    ],
    [
      'what every page has is not',
      page({ lastrevid: 1 }),
      page({}),
      ['field.removed query.pages[*].lastrevid']
    ],
    [
      'a setting is not',
      { query: { general: { x: {} } } },
      { query: { general: {} } },
      ['field.removed query.general.x']
    ],
    [
      'a member of the answer itself is not',
      { query: {}, extra: {} },
      { query: {} },
      ['field.removed extra']
    ]
  ])('%s', (_, a, b, findings) => {
    expect(summaries({ [info]: a }, { [info]: b }, same)).toEqual(findings)
  })

  it.each<readonly [string, readonly [string, string]]>([
    ['other', ['1.42.0', '1.43.9']],
    ['unknown', ['', '']]
  ])('and not where versions are %s', (_, engines) => {
    expect(
      summaries({ [info]: page({ any: {} }) }, { [info]: page({}) }, { engines })
    ).toEqual(['field.removed query.pages[*].any'])
  })

  it('a page that is no JSON is content', () => {
    expect(
      summaries({ 'action=x': '<p>a</p>' }, { 'action=x': '<div>a</div>' }, same)
    ).toEqual([])
    expect(summaries({ 'action=x': '<p>a</p>' }, { 'action=x': '<div>a</div>' })).toEqual(
      ['html.structure text']
    )
  })
})
