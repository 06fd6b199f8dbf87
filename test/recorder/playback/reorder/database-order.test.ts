/** In which order the database gives pages: what recordings show of smaller sets and larger ones. */
import { expect, it } from 'vitest'
import type { Interaction } from '../../../../src/recorder/cassette/interaction.ts'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import { inDatabaseOrder } from '../../../../src/recorder/playback/reorder/page-order.ts'
import { interactionOf, jsonBody, response, treeOf } from '../../../helpers/recorded.ts'

type Page = readonly [id: number, title: string]

const told = ([pageid, title]: Page): string => JSON.stringify({ pageid, ns: 0, title })

/** A recording of so many titles, the pages in that order. */
function recorded(size: number, ...pages: readonly Page[]): Interaction {
  const titles = Array.from(
    { length: size },
    (_, at) => pages[at]?.[1] ?? `Missing ${at}`
  )
  const held = pages.map((page) => `"${page[0]}":${told(page)}`)
  const body = jsonBody(`{"batchcomplete":"","query":{"pages":{${held.join()}}}}`)
  return interactionOf({ action: 'query', titles: titles.join('|') }, [response(body)])
}

const [a, b]: readonly [Page, Page] = [
  [9, 'A'],
  [3, 'B']
]
const ordered = (
  size: number,
  ...recordings: readonly Interaction[]
): string | undefined =>
  inDatabaseOrder(
    [a, b].map((page) => treeOf(told(page))),
    size,
    recordings
  )
    ?.map((page) => writeCompact(page, 'utf8'))
    .join()
const byTitle = `${told(a)},${told(b)}`
const byId = `${told(b)},${told(a)}`

it('is by title for sets that are no larger than one that stood so', () => {
  const shown = recorded(5, a, b)
  expect([2, 5, 6].map((size) => ordered(size, shown))).toEqual([
    byTitle,
    byTitle,
    undefined
  ])
  expect(ordered(1)).toBeUndefined()
})

it('is by id for sets that are no smaller than one that stood so', () => {
  const shown = recorded(5, b, a)
  expect([4, 5, 9].map((size) => ordered(size, shown))).toEqual([undefined, byId, byId])
})

it('changes between the two, and is not known where recordings contradict each other', () => {
  const small = recorded(3, a, b)
  const large = recorded(8, b, a)
  expect([3, 5, 8].map((size) => ordered(size, small, large))).toEqual([
    byTitle,
    undefined,
    byId
  ])
  const contradicting = [recorded(8, a, b), recorded(8, b, a)]
  expect([3, 8, 9].map((size) => ordered(size, ...contradicting))).toEqual([
    undefined,
    undefined,
    undefined
  ])
})

it('does not show where both are the same, nor where pages were found in another way', () => {
  const same = recorded(5, [3, 'A'], [9, 'B'])
  const redirected = {
    ...recorded(5, a, b),
    request: new Map([
      ['titles', 'A|B'],
      ['redirects', '']
    ])
  }
  expect(ordered(2, same, redirected)).toBeUndefined()
})

it('shows in the list of ids, where pages themselves stand by id', () => {
  const listed = (...ids: readonly number[]): Interaction => {
    const missing = '{"ns":0,"title":"C","missing":true}'
    const pages = `"pageids":["-1",${ids.map((id) => `"${id}"`).join()}],"pages":[${missing},${told(b)},${told(a)}]`
    return interactionOf({ action: 'query', titles: 'A|B|C' }, [
      response(jsonBody(`{"query":{${pages}}}`))
    ])
  }
  expect(ordered(3, listed(9, 3))).toBe(byTitle)
  expect(ordered(3, listed(3, 9))).toBe(byId)
})

it('does not show in another order than both, nor where pages were named by their ids, nor in text', () => {
  const shown = recorded(5, a, b)
  expect(ordered(2, recorded(5, [2, 'B'], [3, 'A'], [1, 'C']))).toBeUndefined()
  const byNumber = { ...recorded(5, b, a), request: new Map([['pageids', '3|9']]) }
  expect(ordered(2, shown, byNumber)).toBe(byTitle)
  const text = {
    ...recorded(5, b, a),
    responses: [response({ kind: 'text', text: 'x' })] as const
  }
  expect(ordered(2, shown, text)).toBe(byTitle)
})
