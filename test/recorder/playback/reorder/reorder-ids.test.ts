/** Page ids, revision ids, redirects and converted titles in another order. The shapes are those of real wikis (test/live/{reproject,variants}.test.ts). */
import { describe, expect, it } from 'vitest'
import type { JsonTree } from '../../../../src/recorder/json/json-tree.ts'
import { readJson } from '../../../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import {
  reorderIds,
  reorderTitles
} from '../../../../src/recorder/playback/reorder/reorder-pages.ts'

const tree = (text: string): JsonTree => {
  const reading = readJson(text)
  if (!reading.ok) throw new Error(reading.fault.message)
  return reading.tree
}
const text = (rebuilt: JsonTree | undefined): string | undefined =>
  rebuilt && writeCompact(rebuilt, 'utf8')

describe('pageids', () => {
  const missing = (id: number): string => `"${id}":{"pageid":${id},"missing":""}`
  const page = (id: number): string => `"${id}":{"pageid":${id},"ns":0,"title":"P${id}"}`
  const answer = (...pages: readonly string[]): string =>
    `{"batchcomplete":"","query":{"pages":{${pages.join()}}}}`

  it('puts missing ones first, in the order asked for, and leaves the others by id', () => {
    const recorded = tree(answer(missing(99), missing(88), page(2), page(7)))
    expect(text(reorderIds(recorded, 'pageids', '88|7|99|2|88'))).toBe(
      answer(missing(88), missing(99), page(2), page(7))
    )
  })

  it('leaves formatversion 2 sorted by id', () => {
    const sorted =
      '{"batchcomplete":true,"query":{"pages":[{"pageid":2,"ns":0,"title":"P2"},{"pageid":99,"missing":true}]}}'
    expect(text(reorderIds(tree(sorted), 'pageids', '99|2'))).toBe(sorted)
  })

  it('refuses what it does not understand', () => {
    expect(reorderIds(tree(answer(page(7), page(2))), 'pageids', '2|7')).toBeUndefined()
    expect(
      reorderIds(tree(answer(page(2), missing(99))), 'pageids', '99|2')
    ).toBeUndefined()
    expect(
      reorderIds(tree(answer(missing(99), page(2))), 'pageids', '098|2')
    ).toBeUndefined()
    expect(
      reorderIds(tree(answer(missing(99), page(2))), 'pageids', '98|2')
    ).toBeUndefined()
    const more = '{"batchcomplete":"","query":{"pageids":["2","7"],"pages":{}}}'
    expect(reorderIds(tree(more), 'pageids', '7|2')).toBeUndefined()
    expect(
      reorderIds(tree('{"continue":{"x":"1"},"query":{"pages":{}}}'), 'pageids', '7|2')
    ).toBeUndefined()
  })
})

describe('revids', () => {
  it('orders those that nobody has', () => {
    const bad = (...ids: readonly number[]): string =>
      `{"batchcomplete":"","query":{"badrevids":{${ids.map((id) => `"${id}":{"revid":${id},"missing":""}`).join()}},"pages":{"8":{"pageid":8,"ns":0,"title":"A"}}}}`
    expect(text(reorderIds(tree(bad(998, 990)), 'revids', '990|134|998'))).toBe(
      bad(990, 998)
    )
  })
})

const namespace = (id: number, name: string): object => ({
  id,
  name,
  aliases: [],
  firstLetter: true
})
const site = {
  generator: 'MediaWiki 1.43.0',
  lang: 'ru',
  namespaces: [namespace(0, ''), namespace(14, 'Категория')]
} as unknown as Parameters<typeof reorderTitles>[3]

describe('redirects', () => {
  const answer = (normalized: string): string =>
    `{"batchcomplete":"","query":{${normalized}"redirects":[{"from":"Б","to":"Узел"}],"pages":{"2":{"pageid":2,"ns":0,"title":"А"},"9":{"pageid":9,"ns":0,"title":"Узел"}}}}`
  const lower = (...names: readonly string[]): string =>
    `"normalized":[${names.map((name) => `{"from":"${name}","to":"${name.toUpperCase()}"}`).join()}],`

  it('stay as the database gives them; only normalized follows the request', () => {
    const recorded = tree(answer(lower('а', 'б')))
    expect(text(reorderTitles(recorded, 'а|б', 'б|а', site))).toBe(
      answer(lower('б', 'а'))
    )
    expect(text(reorderTitles(recorded, 'а|б', 'Б|А', site))).toBe(answer(''))
  })

  it('are refused for a part of the titles, for several namespaces and with missing pages', () => {
    expect(reorderTitles(tree(answer('')), 'А|Б', 'Б', site)).toBeUndefined()
    expect(
      reorderTitles(tree(answer('')), 'А|Б|Категория:В', 'Категория:В|Б|А', site)
    ).toBeUndefined()
    const missing = answer('').replace('"9":{"pageid":9,', '"-1":{"missing":"",')
    expect(reorderTitles(tree(missing), 'А|Б', 'Б|А', site)).toBeUndefined()
  })
})

describe('converted titles', () => {
  const entry = (from: string, to: string): string => `{"from":"${from}","to":"${to}"}`
  const answer = (
    names: readonly string[],
    normalized: readonly string[] = []
  ): string => {
    const spelled = normalized.length === 0 ? '' : `"normalized":[${normalized.join()}],`
    const pages =
      '"2":{"pageid":2,"ns":0,"title":"Волга"},"93":{"pageid":93,"ns":0,"title":"Лес"},"188":{"pageid":188,"ns":0,"title":"Море"}'
    return `{"batchcomplete":"","query":{${spelled}"converted":[${names.join()}],"pages":{${pages}}}}`
  }
  const volga = entry('Volga', 'Волга')
  const les = entry('Les', 'Лес')

  it('follow the request, as their spelling does; pages stay as the database gives them', () => {
    const recorded = tree(answer([volga, les], [entry('volga', 'Volga')]))
    expect(text(reorderTitles(recorded, 'volga|Les|Море', 'Море|Les|Volga', site))).toBe(
      answer([les, volga])
    )
    expect(text(reorderTitles(recorded, 'volga|Les|Море', 'les|volga|Море', site))).toBe(
      answer([les, volga], [entry('les', 'Les'), entry('volga', 'Volga')])
    )
  })

  it('are refused where one was not converted in the recording, or redirects lead on', () => {
    const recorded = answer([volga])
    expect(
      reorderTitles(tree(recorded), 'Volga|Лес|Море', 'Море|Les|Volga', site)
    ).toBeUndefined()
    const led = recorded.replace('"pages"', '"redirects":[],"pages"')
    expect(
      reorderTitles(tree(led), 'Volga|Лес|Море', 'Море|Лес|Volga', site)
    ).toBeUndefined()
  })
})
