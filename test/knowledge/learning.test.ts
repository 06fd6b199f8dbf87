import { describe, expect, it } from 'vitest'
import { foldDescriptions } from '../../scripts/learn/descriptions.ts'
import { type CountedBoundary, partsAsSaid, saidAs } from '../../scripts/learn/explanations.ts'
import { readJson } from '../../src/json/read.ts'
import { type JsonTree, jsonString } from '../../src/json/tree.ts'

const tree = (value: unknown): JsonTree => {
  const reading = readJson(JSON.stringify(value))
  if (!reading.ok) throw new Error('no JSON')
  return reading.tree
}
const boundary = (value: string, item: object, before: number, page?: object): CountedBoundary => ({
  value: jsonString(value),
  before,
  subject: { item: tree(item), page: page && tree(page) },
})
const said = (boundaries: readonly CountedBoundary[], sent: readonly string[] = []): readonly string[] =>
  partsAsSaid([boundaries], false, new Set(sent)).map(saidAs)

describe('what a continue value says', () => {
  it('is what every boundary allows, as a reader of MediaWiki would call it', () => {
    const rows = ['Волга', 'Река 01', 'Река 02', 'Ёжик'].map((title, at) =>
      boundary(title.replaceAll(' ', '_'), { ns: 0, title, pageid: 10 - at }, at + 1),
    )
    expect(said(rows)).toEqual(['title:db-key-without-namespace'])
  })

  it('is hidden where one boundary speaks against it', () => {
    const rows = ['А', 'Б', 'В', 'Г'].map((title, at) => boundary(title, { ns: 0, title }, at + 1))
    expect(said([...rows, boundary('Е', { ns: 0, title: 'Д' }, 9)])).toEqual(['?'])
  })

  it('is all that agrees, where the walks tell no more', () => {
    const rows = [5, 6, 7, 9].map((id, at) => boundary(`0|${id}`, { ns: 0, pageid: id }, at + 1, { ns: 0 }))
    expect(said(rows)).toEqual(['ns&page.ns', 'pageid'])
  })

  it('is no number that chance kept, and no user id: actors only seem to have those', () => {
    const rows = [5, 6, 7, 9].map((id, at) => boundary(`actor|4|1|${id}`, { userid: 4, revid: id }, at + 1))
    expect(said(rows)).toEqual(["'actor'", '?', '?', 'revid'])
    expect(said(rows, ['actor'])).toEqual(['?', '?', '?', 'revid'])
  })

  it('is one value for all rows of a user, where several users show it', () => {
    const rows = [3, 3, 7, 7].map((actor, at) =>
      boundary(`actor|${actor}|${at}`, { user: `U${actor}`, revid: at }, at + 1),
    )
    expect(said(rows)).toEqual(["'actor'", '?user', 'revid'])
  })

  it('counts rows where it is their number', () => {
    expect(said([1, 2, 5, 13].map((at) => boundary(String(at), { title: 'x' }, at)))).toEqual(['#'])
  })
})

describe('descriptions folded over versions', () => {
  const module = (parameters: readonly object[]): Readonly<Record<string, unknown>> => ({
    path: 'query+x',
    prefix: 'x',
    parameters,
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
              { name: 'new', type: 'string' },
            ]),
          ],
        ],
      ]),
    )
    expect(folded['query+x']).toEqual({
      is: { prefix: 'x' },
      parameters: { limit: { type: 'limit', default: '10' }, new: [{ on: '1.43', type: 'string' }] },
    })
  })
})
