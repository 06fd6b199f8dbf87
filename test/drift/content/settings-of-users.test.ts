/** Settings that userinfo and siteinfo show: their values are a wiki's and a user's own, their form is the API's. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import { side } from '../sides.ts'

/** `severity kind place` of each finding between two releases. */
function found(
  query: string,
  before: unknown,
  after: unknown,
  engines = ['1.35.13', '1.39.17']
): readonly string[] {
  const [a, b] = [before, after].map((body, at) =>
    side('x', { [query]: body }, { manifest: { engine: engines[at] ?? '' } })
  )
  if (a === undefined || b === undefined) throw new Error('two sides')
  return compareCassettes(a, b)
    .findings.filter(({ kind }) => kind !== 'engine.changed')
    .map(
      ({ axis, severity, kind, place }) =>
        `${axis === 'data' ? axis : severity} ${kind} ${place}`
    )
}

describe('a setting', () => {
  const options = (value: unknown): unknown => ({
    query: { userinfo: { options: { searchNs0: value, skin: 'x' } } }
  })
  const standard = (value: unknown): unknown => ({
    query: { defaultoptions: { searchNs0: value } }
  })

  it.each([
    [true, 1, 'breaking type.changed'],
    [0, false, 'breaking type.changed'],
    [true, 0, 'data value.changed'],
    [1, 0, 'data value.changed'],
    ['vector', 0, 'data value.changed']
  ])('that was %j and is %j: %s', (before, after, expected) => {
    expect(
      found('action=query&meta=userinfo&uiprop=options', options(before), options(after))
    ).toEqual([`${expected} query.userinfo.options[*]`])
    expect(
      found(
        'action=query&meta=siteinfo&siprop=defaultoptions',
        standard(before),
        standard(after)
      )
    ).toEqual([`${expected} query.defaultoptions[*]`])
  })

  const limits = (ratelimits: unknown): unknown => ({
    query: { userinfo: { id: 5, ratelimits } }
  })
  const rate = { hits: 90, seconds: 60 }
  it.each([
    ['a limit', { badcaptcha: { user: rate } }, { changetag: { user: rate } }, '[*]'],
    ['a group', { edit: { newbie: rate } }, { edit: { ip: rate } }, '[*][*]']
  ])(
    'of rates: %s of another name is configuration and no field',
    (_, before, after, step) => {
      const expected = ['added', 'removed'].map(
        (what) => `risky configuration.${what} query.userinfo.ratelimits${step}`
      )
      const query = 'action=query&meta=userinfo&uiprop=ratelimits'
      expect(found(query, limits(before), limits(after))).toEqual(expected)
      expect(found(query, limits(before), limits(after), ['1.43.9', '1.43.9'])).toEqual(
        expected
      )
    }
  )

  it('of how a file is shown hides one member or another', () => {
    const file = (hidden: object): unknown => ({
      query: {
        pages: [
          {
            pageid: 1,
            imageinfo: [{ extmetadata: { ObjectName: { value: 'А', ...hidden } } }]
          }
        ]
      }
    })
    const query = 'action=query&prop=imageinfo&iiprop=extmetadata&titles=А'
    const expected = [
      'data value.changed query.pages[*].imageinfo[*].extmetadata[*].hidden'
    ]
    expect(found(query, file({ hidden: '' }), file({}))).toEqual(expected)
    expect(found(query, file({}), file({ hidden: '' }))).toEqual(expected)
  })
})

describe('an error about a revision', () => {
  const failed = {
    error: { code: 'nosuchrevid', info: 'There is no revision with ID prev.' }
  }
  const done = { query: { pages: [{ title: 'Волга', revisions: [{ revid: 5 }] }] } }

  it('that no number names is behaviour', () => {
    const query = 'action=query&prop=revisions&rvdiffto=prev&titles=Волга&rvlimit=5'
    expect(found(query, failed, done)).toEqual(['risky error.disappeared error'])
    expect(found(query, done, failed)).toEqual(['breaking error.appeared error'])
  })

  it.each([
    'action=query&prop=revisions&rvdiffto=50&titles=Волга',
    'action=parse&oldid=50',
    'action=compare&fromrev=5&torev=50'
  ])('that has one in %s may be content', (query) => {
    expect(found(query, failed, done)).toEqual(['data error.disappeared error'])
  })
})

describe('the order of what is searched', () => {
  const query = 'action=query&list=search&srsearch=река'
  const list = (...titles: readonly string[]): unknown => ({
    query: { search: titles.map((title) => ({ ns: 0, title })) }
  })

  it('is its own in each release, unless it is turned round', () => {
    const before = list('А', 'Б', 'В', 'Г')
    const after = list('Б', 'А', 'Г', 'В')
    expect(found(query, before, after)).toEqual(['data order.by-rank query.search'])
    expect(found(query, before, list('Г', 'В', 'Б', 'А'))).toEqual([
      'risky order.changed query.search'
    ])
  })

  it('is content as the number of a page that a generator found', () => {
    const pages = (one: number, other: number): unknown => ({
      query: {
        pages: [
          { title: 'А', index: one },
          { title: 'Б', index: other }
        ]
      }
    })
    const found2 = found(
      'action=query&generator=search&gsrsearch=река',
      pages(1, 2),
      pages(2, 1)
    )
    expect(found2).toEqual(['data value.changed query.pages[*].index'])
  })
})
