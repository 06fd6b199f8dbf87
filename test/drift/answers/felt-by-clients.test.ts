/** Small changes of form that a client feels, each alone; nobody edited the wiki. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import { side } from '../sides.ts'

const told = (query: string, a: unknown, b: unknown): readonly string[] =>
  compareCassettes(side('a', { [query]: a }), side('b', { [query]: b })).findings.map(
    ({ axis, severity, kind, place }) => `${axis} ${severity} ${kind} ${place}`
  )

const pages = { allpages: [{ pageid: 1, ns: 0, title: 'А' }] }
const links = 'action=query&list=alllinks'
const more = (one: unknown): unknown => ({
  batchcomplete: '',
  continue: one,
  query: { alllinks: [] }
})
const next = { alcontinue: 'Б|1', continue: '-||' }

describe('what a client feels', () => {
  it('an answer that is an empty array', () => {
    expect(told('action=query&list=allpages', { query: pages }, [])).toEqual([
      'behaviour breaking field.removed query'
    ])
  })

  it('a continuation that is null, an array, or without its own member', () => {
    expect(told(links, more(next), more(null))).toEqual([
      'behaviour breaking type.changed continue'
    ])
    expect(told(links, more(next), more([next]))).toContain(
      'behaviour breaking type.changed continue'
    )
    expect(told(links, more(next), more({ alcontinue: 'Б|1' }))).toEqual([
      'behaviour breaking field.removed continue.continue'
    ])
  })

  it('batchcomplete that is gone while the same module goes on', () => {
    const { batchcomplete: _, ...without } = more(next) as Record<string, unknown>
    expect(told(links, more(next), without)).toEqual([
      'behaviour breaking field.removed batchcomplete'
    ])
    const linksGoOn = {
      continue: { alcontinue: 'Б|1', plcontinue: '1', continue: '||' },
      query: without.query
    }
    expect(told(links, more(next), linksGoOn)).toEqual([
      'data cosmetic continuation.format continue'
    ])
  })

  it('a flag that was written out as false, and is absent', () => {
    const revisions = (...minor: readonly object[]): unknown => ({
      query: {
        pages: [
          { title: 'А', revisions: minor.map((one, at) => ({ revid: at + 1, ...one })) }
        ]
      }
    })
    expect(
      told(
        'action=query&prop=revisions&titles=А&formatversion=2',
        revisions({ minor: false }, { minor: true }),
        revisions({}, { minor: true })
      )
    ).toEqual(['behaviour breaking encoding.flag *'])
  })

  it('an empty list that is an object', () => {
    const info = (protection: unknown): unknown => ({
      query: { pages: [{ title: 'А', lastrevid: 1, protection }] }
    })
    expect(
      told('action=query&prop=info&titles=А&formatversion=2', info([]), info({}))
    ).toEqual(['behaviour risky encoding.empty *'])
  })

  it('the order of list=tags', () => {
    const tags = (...names: readonly string[]): unknown => ({
      query: { tags: names.map((name) => ({ name })) }
    })
    expect(
      told('action=query&list=tags', tags('a', 'b', 'c'), tags('c', 'b', 'a'))
    ).toEqual(['behaviour risky order.changed query.tags'])
  })

  it('another size and depth of the same file', () => {
    const file = (width: number, bitdepth: number): unknown => ({
      query: { allimages: [{ name: 'А.png', sha1: 'aa', width, bitdepth }] }
    })
    expect(told('action=query&list=allimages', file(10, 8), file(5, 1))).toEqual([
      'behaviour risky value.changed query.allimages[*].bitdepth',
      'behaviour risky value.changed query.allimages[*].width'
    ])
  })

  it('another name of the rows of an XML list', () => {
    const xml = (name: string): unknown => ({
      body: `<api><query><allpages><${name} title="А"/><${name} title="Б"/></allpages></query></api>`,
      headers: { 'content-type': 'text/xml; charset=utf-8' }
    })
    expect(told('action=query&list=allpages&format=xml', xml('p'), xml('page'))).toEqual([
      'behaviour breaking field.renamed query.allpages.p'
    ])
  })
})

it('an export names its own database and release', () => {
  const xml = (database: string, generator: string): unknown => ({
    body: `<mediawiki><siteinfo><sitename>А</sitename><dbname>${database}</dbname><generator>${generator}</generator></siteinfo></mediawiki>`,
    headers: { 'content-type': 'text/xml; charset=utf-8' }
  })
  const findings = told(
    'action=query&titles=А&export=1&exportnowrap=1&format=xml',
    xml('one', 'MediaWiki 1.35'),
    xml('two', 'MediaWiki 1.43')
  )
  expect(findings).toEqual(['data cosmetic value.changed siteinfo.generator'])
})
