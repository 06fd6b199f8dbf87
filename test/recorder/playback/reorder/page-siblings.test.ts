/** What stands beside the pages of an answer stays as it was where they are rebuilt, or the answer is not rebuilt. */
import { describe, expect, it } from 'vitest'
import {
  type JsonTree,
  memberOf,
  membersOf
} from '../../../../src/recorder/json/json-tree.ts'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import {
  haveSameSiblings,
  pageSiblings,
  withRebuiltPages
} from '../../../../src/recorder/playback/reorder/page-siblings.ts'
import { treeOf } from '../../../helpers/recorded.ts'

const text = (tree: JsonTree | undefined): string | undefined =>
  tree && writeCompact(tree, 'utf8')
const query = (...members: readonly string[]): string =>
  `{"batchcomplete":"","query":{${members.join()}}}`

/** The answer with its pages rebuilt as those of the other, which tells of them alone. */
const around = (answer: string, rebuilt: string): string | undefined =>
  text(
    withRebuiltPages(treeOf(answer), () => membersOf(memberOf(treeOf(rebuilt), 'query')))
  )

const page = (id: number): string => `"${id}":{"pageid":${id},"ns":0,"title":"P${id}"}`
const pages = (...ids: readonly number[]): string => `"pages":{${ids.map(page).join()}}`
const ids = (...all: readonly (number | string)[]): string =>
  `"pageids":[${all.map((id) => `"${id}"`).join()}]`

describe('pages that are rebuilt', () => {
  it('have what was said beside them behind them again', () => {
    const beside = '"userinfo":{"id":1},"allpages":[]'
    expect(around(query(pages(2, 5), beside), query(pages(5)))).toBe(
      query(pages(5), beside)
    )
    expect(
      around(
        query('"normalized":[1]', pages(2), beside),
        query('"normalized":[2]', pages(5))
      )
    ).toBe(query('"normalized":[2]', pages(5), beside))
  })

  it('are rebuilt out of the pages alone, and of how they were found', () => {
    const whole = query(
      '"normalized":[]',
      '"converted":[]',
      '"redirects":[]',
      ids(2),
      pages(2),
      '"userinfo":{}'
    )
    withRebuiltPages(treeOf(whole), (only) => {
      expect(text(only)).toBe(
        `{"normalized":[],"converted":[],"redirects":[],${pages(2)}}`
      )
      return undefined
    })
    expect(text(withRebuiltPages(treeOf(whole), () => undefined))).toBeUndefined()
  })

  it('have the list of their ids in front of them, in their own order', () => {
    expect(around(query(ids(5, 2), pages(5, 2)), query(pages(2, 5)))).toBe(
      query(ids(2, 5), pages(2, 5))
    )
    expect(around(query(ids(2), pages(2, 5)), query(pages(5, 2)))).toBeUndefined()
  })

  it('may be none, where no list of ids says so', () => {
    const bad = '"badrevids":{"7":{"revid":7,"missing":""}}'
    expect(around(query(bad), query(bad))).toBe(query(bad))
    expect(around(query(bad, ids()), query(bad))).toBeUndefined()
  })
})

describe('the list of ids beside pages that stand sorted', () => {
  const sorted = (...all: readonly string[]): string => `"pages":[${all.join()}]`
  const at = (id: number, ns = 0): string =>
    `{"pageid":${id},"ns":${ns},"title":"P${id}"}`
  const missing = (title: string): string => `{"ns":0,"title":"${title}","missing":true}`

  it('keeps the order that the database gave, behind what is missing', () => {
    const two = at(2)
    const five = at(5)
    const recorded = query(ids(-1, 5, 2), sorted(missing('X'), two, five))
    expect(around(recorded, query(sorted(missing('X'), two, five)))).toBe(recorded)
    expect(around(recorded, query(sorted(missing('X'), missing('Y'), two, five)))).toBe(
      query(ids(-1, -2, 5, 2), sorted(missing('X'), missing('Y'), two, five))
    )
    expect(around(recorded, query(sorted(five)))).toBe(query(ids(5), sorted(five)))
  })

  it('is not known for pages of several namespaces, for one that it does not name, nor by numbers of missing pages', () => {
    const recorded = query(ids(5, 2), sorted(at(2), at(5)))
    expect(around(recorded, query(sorted(at(2), at(5, 1))))).toBeUndefined()
    expect(around(recorded, query(sorted(at(2), at(7))))).toBeUndefined()
    const numbered = '{"pageid":9,"missing":true}'
    expect(
      around(query(ids(9, 2), sorted(at(2), numbered)), query(sorted(at(2), numbered)))
    ).toBeUndefined()
  })
})

describe('what stands beside the pages', () => {
  const beside = (answer: string) => pageSiblings(treeOf(answer))?.map(({ key }) => key)

  it('is what is told behind them, and is not known where it stands before them', () => {
    expect(beside(query(pages(1), '"userinfo":{}', '"tokens":{}'))).toEqual([
      'userinfo',
      'tokens'
    ])
    expect(beside(query(ids(1), pages(1)))).toEqual([])
    expect(beside(query('"userinfo":{}', pages(1)))).toBeUndefined()
    expect(beside(query('"userinfo":{}', pages(1), '"tokens":{}'))).toBeUndefined()
    expect(beside(query(pages(1), '"normalized":[]'))).toBeUndefined()
    expect(beside(query('"userinfo":{}'))).toBeUndefined()
    expect(beside(query(pages(1), '"interwiki":[]'))).toBeUndefined()
  })

  it('is the same in two answers, member by member', () => {
    const [none, one, two] = ['', ',"userinfo":{"id":1}', ',"userinfo":{"id":2}'].map(
      (more) => treeOf(query(`${pages(1)}${more}`))
    )
    expect(haveSameSiblings(none, none)).toBe(true)
    expect(haveSameSiblings(one, one)).toBe(true)
    expect(haveSameSiblings(one, two)).toBe(false)
    expect(haveSameSiblings(none, one)).toBe(false)
    const unknown = treeOf(query('"userinfo":{}', pages(1)))
    expect(haveSameSiblings(unknown, none)).toBe(false)
    expect(haveSameSiblings(none, unknown)).toBe(false)
    expect(haveSameSiblings(unknown, unknown)).toBe(false)
  })
})
