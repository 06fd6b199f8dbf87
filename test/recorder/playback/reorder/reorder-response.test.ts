/** Props, titles and entries in another order: each shape that is rebuilt, and each that is not. */
import { describe, expect, it } from 'vitest'
import type { JsonTree } from '../../../../src/recorder/json/json-tree.ts'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import { reorderAction } from '../../../../src/recorder/playback/reorder/reorder-action.ts'
import {
  haveSameOrder,
  reorderProps
} from '../../../../src/recorder/playback/reorder/reorder-members.ts'
import {
  redirectTargets,
  reorderIds,
  reorderTitles,
  variantsIn
} from '../../../../src/recorder/playback/reorder/reorder-pages.ts'
import { factsOfWiki } from '../../../helpers/described-wikis.ts'
import { treeOf } from '../../../helpers/recorded.ts'

const site = factsOfWiki('1.43').site ?? expect.fail('the wiki says nothing of itself')
const text = (tree: JsonTree | undefined): string | undefined =>
  tree && writeCompact(tree, 'utf8')

describe('several props of a page', () => {
  const page = '"pageid":1,"ns":0,"title":"A"'
  const first = (...said: readonly string[]): string =>
    `{"batchcomplete":"","query":{"pages":{"1":{${[page, ...said].join()}}}}}`
  const second = (...said: readonly string[]): string =>
    `{"batchcomplete":true,"query":{"pages":[{${[page, ...said].join()}}]}}`
  const turned = (body: string, from: string, to: string) =>
    text(reorderProps(treeOf(body), { recorded: from, requested: to }))

  it.each([
    ['1', first],
    ['2', second]
  ])('stand in the order of the request in formatversion %s', (_, told) => {
    const links = '"links":[1]'
    const images = '"images":[2]'
    expect(turned(told(links, images), 'links|images', 'images|links')).toBe(
      told(images, links)
    )
    expect(turned(told(images, links), 'links|images', 'images|links')).toBeUndefined()
  })

  it('stand so also where a module calls what it says otherwise, or says two things', () => {
    const extract = '"extract":"x"'
    const thumb = '"thumbnail":{}'
    const image = '"pageimage":"A"'
    expect(
      turned(first(extract, thumb, image), 'extracts|pageimages', 'pageimages|extracts')
    ).toBe(first(thumb, image, extract))
  })

  it('stand so where one alone says what no other does', () => {
    const touched = '"touched":"T","length":1'
    const links = '"links":[]'
    expect(turned(first(touched, links), 'info|links', 'links|info')).toBe(
      first(links, touched)
    )
    expect(
      turned(first(touched, links), 'info|mystery|links', 'links|info|mystery')
    ).toBeUndefined()
    expect(turned(first(touched), 'links|images', 'images|links')).toBeUndefined()
  })

  it('are turned only in a whole answer with pages', () => {
    expect(
      turned('{"continue":{},"query":{"pages":{}}}', 'links|images', 'images|links')
    ).toBeUndefined()
    expect(turned('{"query":{}}', 'links|images', 'images|links')).toBeUndefined()
    expect(turned('{"query":{"pages":{}}}', 'links|images', 'images|links')).toBe(
      '{"query":{"pages":{}}}'
    )
  })

  it('are the same where each is first named in the same order', () => {
    expect(haveSameOrder({ recorded: 'info|links|info', requested: 'info|links' })).toBe(
      true
    )
    expect(haveSameOrder({ recorded: 'info|links', requested: 'links|info' })).toBe(false)
  })
})

const named = (title: string, id: number, ns = 0): string =>
  `"${id}":{"pageid":${id},"ns":${ns},"title":"${title}"}`

const missing = (title: string, number: number, ns = 0): string =>
  `"${number}":{"ns":${ns},"title":"${title}","missing":""}`

const answer = (...pages: readonly string[]): string =>
  `{"batchcomplete":"","query":{"pages":{${pages.join()}}}}`

const turned = (body: string, from: string, to: string) =>
  text(reorderTitles(treeOf(body), from, to, site))

describe('titles', () => {
  it('of existing pages stand by id or by title, whatever is asked for first', () => {
    for (const recorded of [
      answer(named('А', 2), named('Б', 1)),
      answer(named('Б', 1), named('А', 2))
    ]) {
      expect(turned(recorded, 'А|Б', 'Б|А')).toBe(recorded)
    }
    const neither = answer(named('Б', 2), named('А', 3), named('В', 1))
    expect(turned(neither, 'А|Б|В', 'Б|А|В')).toBeUndefined()
    const twice = answer(named('Б', 2), named('А', 2))
    expect(turned(twice, 'А|Б', 'Б|А')).toBeUndefined()
  })

  it('of several namespaces keep their order while that of the namespaces is the same', () => {
    const recorded = answer(named('А', 5), named('Б', 7), named('Файл:А.png', 2, 6))
    expect(turned(recorded, 'А|Б|Файл:А.png', 'Б|А|Файл:А.png')).toBe(recorded)
    expect(turned(recorded, 'А|Б|Файл:А.png', 'Файл:А.png|Б|А')).toBeUndefined()
    expect(turned(recorded, 'А|Б|Файл:А.png', 'Б')).toBe(answer(named('Б', 7)))
  })

  it('are no part where a title left out had opened its namespace', () => {
    const recorded = answer(
      named('Файл:А.png', 2, 6),
      named('Файл:Б.png', 3, 6),
      named('А', 5)
    )
    expect(turned(recorded, 'Файл:А.png|А|Файл:Б.png', 'А|Файл:Б.png')).toBeUndefined()
    expect(turned(recorded, 'Файл:А.png|А|Файл:Б.png', 'Файл:Б.png|А')).toBe(
      answer(named('Файл:Б.png', 3, 6), named('А', 5))
    )
  })

  it('that are missing are numbered namespace by namespace, as the request names them', () => {
    const recorded = answer(
      missing('Нет', -1),
      missing('Файл:Нет', -2, 6),
      missing('Файл:Ничто', -3, 6)
    )
    expect(turned(recorded, 'Нет|Файл:Нет|Файл:Ничто', 'Файл:Ничто|Нет|Файл:Нет')).toBe(
      answer(missing('Файл:Ничто', -1, 6), missing('Файл:Нет', -2, 6), missing('Нет', -3))
    )
    const mixed = answer(
      missing('Файл:Нет', -1, 6),
      missing('Нет', -2),
      named('Файл:А.png', 4, 6)
    )
    // A page that exists opens its namespace, too.
    expect(turned(mixed, 'Файл:А.png|Нет|Файл:Нет', 'Файл:А.png|Нет|Файл:Нет')).toBe(
      mixed
    )
    expect(turned(mixed, 'Файл:А.png|Нет|Файл:Нет', 'Нет|Файл:Нет|Файл:А.png')).toBe(
      answer(missing('Нет', -1), missing('Файл:Нет', -2, 6), named('Файл:А.png', 4, 6))
    )
  })

  it('that are invalid are numbered before missing ones, and stand behind them', () => {
    const invalid = (title: string, number: number): string =>
      `"${number}":{"title":"${title}","invalidreason":"R","invalid":""}`
    const recorded = answer(
      missing('Нет', -3),
      invalid('А[б]', -1),
      invalid('', -2),
      named('А', 1)
    )
    expect(turned(recorded, 'А[б]|Нет||А', '|А|А[б]|Нет')).toBe(
      answer(missing('Нет', -3), invalid('', -1), invalid('А[б]', -2), named('А', 1))
    )
    expect(turned(recorded, 'А[б]|Нет||А', 'А|Нет')).toBe(
      answer(missing('Нет', -1), named('А', 1))
    )
    expect(turned(recorded, 'А[б]|Нет||А', 'А|А[в]')).toBeUndefined()
    // The wiki names an invalid title as sent.
    expect(turned(answer(invalid('Б', -1), named('А', 1)), 'А|Б', 'б|А')).toBeUndefined()
    const second = (...pages: readonly string[]): string =>
      `{"query":{"pages":[${pages.join()}]}}`
    const bad = '{"title":"А[б]","invalid":true}'
    const lost = '{"ns":0,"title":"Нет","missing":true}'
    expect(turned(second(lost, bad), 'Нет|А[б]', 'А[б]|Нет')).toBe(second(lost, bad))
  })

  it.each([
    [
      'negative namespaces',
      answer('"-1":{"ns":-1,"title":"Служебная:Б","special":""}', named('А', 1)),
      'А|Служебная:Б'
    ],
    ['pages without a title', answer('"1":{"pageid":1,"ns":0}', named('А', 2)), 'А|Б'],
    [
      'pages without a namespace',
      answer('"1":{"pageid":1,"title":"Б"}', named('А', 2)),
      'А|Б'
    ],
    [
      'pages without an id that are not missing',
      answer('"-1":{"ns":0,"title":"Б"}', named('А', 2)),
      'А|Б'
    ],
    ['pages that were not asked for', answer(named('В', 1), named('А', 2)), 'А|Б'],
    ['no pages', '{"query":{}}', 'А|Б'],
    ['pages of another shape', '{"query":{"pages":"none"}}', 'А|Б'],
    ['no answer of query', '{"batchcomplete":""}', 'А|Б'],
    ['more than an answer of query', '{"limits":{},"query":{"pages":{}}}', ''],
    ['titles that no wiki has', answer(named('А', 1)), 'А|[]']
  ])('are not turned in an answer with %s', (_, body, titles) => {
    expect(turned(body, titles, titles.split('|').toReversed().join('|'))).toBeUndefined()
  })
})

describe('titles out of a larger set', () => {
  it('may be a part of those that were recorded, and no others', () => {
    const recorded = answer(missing('Нет', -1), missing('Ничто', -2), named('А', 1))
    expect(turned(recorded, 'Нет|Ничто|А', 'Ничто')).toBe(answer(missing('Ничто', -1)))
    expect(turned(recorded, 'Нет|Ничто|А', 'А|Нет')).toBe(
      answer(missing('Нет', -1), named('А', 1))
    )
    expect(turned(recorded, 'Нет|Ничто|А', 'А|Б')).toBeUndefined()
    expect(turned(recorded, 'Нет|Ничто|А', 'А|[]')).toBeUndefined()
    expect(turned(recorded, 'Нет|Ничто|[]', 'Нет')).toBeUndefined()
  })

  it('are sorted by id in formatversion 2, where they may turn only if none is missing twice', () => {
    const told = (...titles: readonly string[]): string =>
      JSON.stringify({
        query: { pages: titles.map((title) => ({ ns: 0, title, missing: true })) }
      })
    expect(turned(told('Б', 'А'), 'А|Б', 'Б|А')).toBe(told('А', 'Б'))
  })
})

describe('redirects', () => {
  it('that are not asked for in full, or lead to what is missing, are not turned', () => {
    const pages = treeOf('{"2":{"pageid":2,"ns":0,"title":"А"}}')
    const map = (...titles: readonly string[]) =>
      new Map(titles.map((title) => [title, title]))
    expect(redirectTargets(pages, map('А', 'Б'), map('Б', 'А'), site)).toBe(pages)
    expect(redirectTargets(pages, map('А', 'Б'), map('Б', 'В'), site)).toBeUndefined()
    expect(redirectTargets(pages, map('А'), map('Б', 'А'), site)).toBeUndefined()
    expect(
      redirectTargets(pages, map('А', 'Файл:А'), map('Файл:А', 'А'), site)
    ).toBeUndefined()
    expect(redirectTargets(pages, map('[]'), map('[]'), site)).toBeUndefined()
    const listed = treeOf('[{"pageid":2,"ns":0,"title":"А"}]')
    expect(redirectTargets(listed, map('А'), map('А'), site)).toBe(listed)
    for (const other of ['[{"pageid":2,"missing":true}]', '[{"ns":0,"title":"А"}]'])
      expect(redirectTargets(treeOf(other), map('А'), map('А'), site)).toBeUndefined()
  })
})

describe('variants', () => {
  it('are understood where each says from where it leads to where', () => {
    expect(variantsIn(undefined)?.size).toBe(0)
    expect(variantsIn(treeOf('[{"from":"A","to":"А"}]'))?.has('A')).toBe(true)
    expect(variantsIn(treeOf('[{"from":"A"}]'))).toBeUndefined()
    expect(variantsIn(treeOf('[{"to":"А"}]'))).toBeUndefined()
  })
})

describe('ids', () => {
  it('of pages and revisions are turned in an answer that has nothing else', () => {
    const pages = '"pages":{"2":{"pageid":2},"7":{"pageid":7}}'
    const bad = '"badrevids":{"9":{"revid":9,"missing":""}}'
    const turned = (body: string, kind: 'pageids' | 'revids', ids: string) =>
      text(reorderIds(treeOf(body), kind, ids))
    expect(turned(`{"query":{${pages}}}`, 'pageids', '7|2')).toBe(`{"query":{${pages}}}`)
    expect(turned(`{"query":{${bad},${pages}}}`, 'revids', '9|2|7')).toBe(
      `{"query":{${bad},${pages}}}`
    )
    expect(turned(`{"query":{${bad},${pages}}}`, 'pageids', '9|2|7')).toBeUndefined()
    expect(
      turned(`{"query":{${pages},"normalized":[]}}`, 'pageids', '7|2')
    ).toBeUndefined()
    expect(turned(`{"query":{"badrevids":[],${pages}}}`, 'revids', '9')).toBeUndefined()
    expect(turned('{"batchcomplete":""}', 'pageids', '7|2')).toBeUndefined()
    expect(turned(`{"query":{${pages}}}`, 'pageids', '0|2')).toBeUndefined()
    expect(
      turned('{"query":{"pages":[{"pageid":7},{"pageid":2}]}}', 'pageids', '7|2')
    ).toBeUndefined()
    expect(
      turned('{"query":{"pages":{"2":{"title":"A"}}}}', 'pageids', '2')
    ).toBeUndefined()
    expect(
      turned('{"query":{"pages":{"2":{"pageid":2},"x":{"pageid":2}}}}', 'pageids', '2')
    ).toBeUndefined()
  })
})

describe('actions on several titles', () => {
  const entry = (title: string, more = '"purged":""'): string =>
    `{"ns":0,"title":"${title}"${more === '' ? '' : `,${more}`}}`
  const purge = (...entries: readonly string[]): string => `{"purge":[${entries.join()}]}`
  const turned = (body: string, from: string, to: string, action = 'purge') =>
    text(reorderAction(treeOf(body), action, from, to, site))

  it('have their spelling told as one recorded entry tells it', () => {
    const normalized = (...names: readonly string[]): string =>
      names.map((name) => `{"from":"${name}","to":"${name.toUpperCase()}"}`).join()
    const body = (names: string): string =>
      `{"normalized":[${names}],"purge":[${entry('А')},${entry('Б')}]}`
    expect(turned(body(normalized('а')), 'а|Б', 'б|а')).toBe(body(normalized('б', 'а')))
    expect(turned(body(normalized('а')), 'а|Б', 'Б|А')).toBe(
      purge(entry('А'), entry('Б'))
    )
    expect(turned(purge(entry('А'), entry('Б')), 'А|Б', 'б|а')).toBeUndefined()
    expect(
      turned(`{"purge":[${entry('А')}],"normalized":[${normalized('а')}]}`, 'а', 'а')
    ).toBe(`{"purge":[${entry('А')}],"normalized":[${normalized('а')}]}`)
  })

  it('are not turned where a title is doubtful, missing or named twice in the answer', () => {
    expect(turned(purge(entry('А')), '[]', 'А')).toBeUndefined()
    expect(turned(purge(entry('А')), 'А', '[]')).toBeUndefined()
    expect(turned(purge(entry('А')), 'А|Б', 'Б|А')).toBeUndefined()
    expect(turned(purge(entry('А'), entry('А')), 'А|Б', 'Б|А')).toBeUndefined()
    expect(turned(purge(), 'А', 'А')).toBeUndefined()
  })

  it('are not turned where one that is missing stands behind one that exists, or out of its order', () => {
    const gone = (title: string): string => entry(title, '"missing":""')
    expect(turned(purge(entry('А'), gone('Б')), 'А|Б', 'Б|А')).toBeUndefined()
    expect(turned(purge(gone('Б'), gone('А')), 'А|Б', 'Б|А')).toBeUndefined()
    expect(turned(purge(gone('А'), gone('Б')), 'А|Б', 'Б|А')).toBe(
      purge(gone('Б'), gone('А'))
    )
    expect(turned(purge(gone('А'), entry('Б')), 'А|Б', 'Б|А')).toBe(
      purge(gone('А'), entry('Б'))
    )
  })

  it('are not turned where one is special, invalid or elsewhere', () => {
    for (const kind of ['special', 'invalid', 'interwiki'])
      expect(
        turned(purge(entry('А'), entry('Б', `"${kind}":""`)), 'Б|А', 'А|Б')
      ).toBeUndefined()
  })
})
