import { describe, expect, it } from 'vitest'
import { RealWiki } from '../../../scripts/fidelity/wiki.ts'
import { foldDescriptions } from '../../../scripts/learn/descriptions.ts'
import {
  type CountedBoundary,
  partsAsSaid,
  saidAs
} from '../../../scripts/learn/explanations.ts'
import { factsFrom } from '../../../scripts/learn/facts.ts'
import { walkCase } from '../../../scripts/learn/walks.ts'
import { type JsonTree, jsonString } from '../../../src/recorder/json/json-tree.ts'
import { readJson } from '../../../src/recorder/json/read-json.ts'
import type { ListingFact } from '../../../src/recorder/knowledge/listing-facts.ts'
import { decodeModule } from '../../../src/recorder/wiki/modules/module-descriptions.ts'

const tree = (value: unknown): JsonTree => {
  const reading = readJson(JSON.stringify(value))
  if (!reading.ok) throw new Error('no JSON')
  return reading.tree
}
const boundary = (
  value: string,
  item: object,
  before: number,
  page?: object
): CountedBoundary => ({
  value: jsonString(value),
  before,
  row: { item: tree(item), ...(page && { page: tree(page) }) }
})
const said = (
  boundaries: readonly CountedBoundary[],
  sent: readonly string[] = []
): readonly string[] => partsAsSaid([boundaries], false, new Set(sent)).map(saidAs)

describe('what a continue value says', () => {
  it('is what every boundary allows, as a reader of MediaWiki would call it', () => {
    const rows = ['Волга', 'Река 01', 'Река 02', 'Ёжик'].map((title, at) =>
      boundary(title.replaceAll(' ', '_'), { ns: 0, title, pageid: 10 - at }, at + 1)
    )
    expect(said(rows)).toEqual(['title:db-key-without-namespace'])
  })

  it('is hidden where one boundary speaks against it', () => {
    const rows = ['А', 'Б', 'В', 'Г'].map((title, at) =>
      boundary(title, { ns: 0, title }, at + 1)
    )
    expect(said([...rows, boundary('Е', { ns: 0, title: 'Д' }, 9)])).toEqual(['?'])
  })

  it('is all that agrees, where the walks tell no more', () => {
    const rows = [5, 6, 7, 9].map((id, at) =>
      boundary(`0|${id}`, { ns: 0, pageid: id }, at + 1, { ns: 0 })
    )
    expect(said(rows)).toEqual(['ns&page.ns', 'pageid'])
  })

  it('is no number that chance kept, and no user id: actors only seem to have those', () => {
    const rows = [5, 6, 7, 9].map((id, at) =>
      boundary(`actor|4|1|${id}`, { userid: 4, revid: id }, at + 1)
    )
    expect(said(rows)).toEqual(["'actor'", '?', '?', 'revid'])
    expect(said(rows, ['actor'])).toEqual(['?', '?', '?', 'revid'])
  })

  it('is one value for all rows of a user, where several users show it', () => {
    const rows = [3, 3, 7, 7].map((actor, at) =>
      boundary(`actor|${actor}|${at}`, { user: `U${actor}`, revid: at }, at + 1)
    )
    expect(said(rows)).toEqual(["'actor'", '?user', 'revid'])
  })

  it('counts rows where it is their number', () => {
    expect(
      said([1, 2, 5, 13].map((at) => boundary(String(at), { title: 'x' }, at)))
    ).toEqual(['#'])
  })
})

describe('a generator', () => {
  const description = decodeModule({
    path: 'query+exturlusage',
    prefix: 'eu',
    group: 'list',
    parameters: [
      { name: 'continue', type: 'string' },
      { name: 'limit', type: 'limit', default: 10, max: 500, highmax: 5000 }
    ]
  })
  const pages = [3, 5, 8, 9].map((pageid) => ({ pageid, ns: 0, title: `P ${pageid}` }))
  const asPages = (some: typeof pages): object => ({
    pages: Object.fromEntries(some.map((page) => [page.pageid, page]))
  })

  /** What is learned of it where its list has one row for each of these pages. */
  const learnedOf = async (
    listed: readonly number[]
  ): Promise<readonly ListingFact[]> => {
    const generator = 'action=query&format=json&generator=exturlusage'
    const at = (count: number): object => ({
      geucontinue: String(pages[count]?.pageid),
      continue: 'geucontinue||'
    })
    const cut = (count: number): object => ({
      continue: at(count),
      query: asPages(pages.slice(0, count))
    })
    const list = listed.map((id) => pages.find(({ pageid }) => pageid === id))
    const answers: Readonly<Record<string, object>> = {
      [`${generator}&geulimit=500&continue=`]: {
        batchcomplete: '',
        query: asPages(pages)
      },
      ...Object.fromEntries(
        [1, 2, 3].map((limit) => [`${generator}&geulimit=${limit}&continue=`, cut(limit)])
      ),
      'action=query&format=json&list=exturlusage&eulimit=500&continue=': {
        batchcomplete: '',
        query: { exturlusage: list }
      }
    }
    const kept = new Map(
      Object.entries(answers).map(([query, body]) => [
        ` kept:?${query}`,
        JSON.stringify(body)
      ])
    )
    const lookup = (path: string): typeof description =>
      path === description?.path ? description : undefined
    const wiki = new RealWiki('kept:', { lookup, site: undefined }, '', kept)
    const asked = { kind: 'generator', module: 'exturlusage', own: {}, more: {} } as const
    const evidence = await walkCase(wiki, '1.43', asked, '1', {
      limits: [1, 2, 3],
      steps: 0
    })
    return factsFrom(evidence === undefined ? [] : [evidence], [], () => undefined)
  }

  it('gives a row a page, where its list has no more rows than there are pages', async () => {
    const [fact] = await learnedOf([3, 5, 8, 9])
    expect(fact).toMatchObject({ value: ['pageid'], proven: { '1.43': 3 } })
    expect(fact?.distinct).toBeUndefined()
  })

  it('is never cut where its list has more rows, also where no batch that was asked for shows it', async () => {
    const [fact] = await learnedOf([3, 5, 8, 9, 3])
    expect(fact?.distinct).toBe(false)
  })
})

describe('descriptions folded over versions', () => {
  const module = (parameters: readonly object[]): Readonly<Record<string, unknown>> => ({
    path: 'query+x',
    prefix: 'x',
    parameters
  })

  it('say once what all agree on, and name the versions where they differ', () => {
    const folded = foldDescriptions(
      new Map([
        ['1.25', [module([{ name: 'limit', type: 'limit', default: 10 }])]],
        [
          '1.43',
          [
            module([
              { name: 'limit', type: 'limit', default: 10 },
              { name: 'new', type: 'string' }
            ])
          ]
        ]
      ])
    )
    expect(folded['query+x']).toEqual({
      is: { prefix: 'x' },
      parameters: {
        limit: { type: 'limit', default: '10' },
        new: [{ on: '1.43', type: 'string' }]
      }
    })
  })
})
