/** Parts of recorded sets: one title of several with redirects, some of the revisions, ids of which some are missing. */
import { describe, expect, it } from 'vitest'
import type { Interaction } from '../../../../src/recorder/cassette/interaction.ts'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import {
  composeRedirected,
  composeRevisions
} from '../../../../src/recorder/playback/compose/compose-parts.ts'
import { composePages } from '../../../../src/recorder/playback/compose/pages/compose-pages.ts'
import { derive, type WikiFacts } from '../../../../src/recorder/request/derive.ts'
import { bundledLookup } from '../../../../src/recorder/wiki/modules/module-descriptions.ts'
import { apiRequest } from '../../../helpers/api-requests.ts'
import { factsOfWiki } from '../../../helpers/described-wikis.ts'
import { jsonBody, response } from '../../../helpers/recorded.ts'

const facts: WikiFacts = {
  ...factsOfWiki('1.43'),
  lookup: bundledLookup('MediaWiki 1.43.9')
}
const untouched = { writes: [], writeSetOf: () => undefined, isOlder: false }

function record(query: string, body: string): Interaction {
  const { key, canonical, sentValues } = derive(apiRequest(query), facts)
  return { key, request: canonical, sentValues, responses: [response(jsonBody(body))] }
}

type Composer = 'redirects' | 'revisions' | 'pages'

function composed(
  by: Composer,
  query: string,
  ...recordings: readonly Interaction[]
): string | undefined {
  const derivation = derive(apiRequest(query), facts)
  const found =
    by === 'redirects'
      ? composeRedirected(derivation, recordings, facts, untouched)
      : by === 'revisions'
        ? composeRevisions(derivation, recordings, facts)
        : composePages(derivation, recordings, facts, untouched)
  return found?.kind === 'composed' ? writeCompact(found.body, 'utf8') : undefined
}

const whole = (query: string): string => `{"batchcomplete":"","query":{${query}}}`

describe('one title of a set with redirects', () => {
  const a = '{"from":"А","to":"Б"}'
  const b = '{"from":"Б","to":"В","tofragment":"x"}'
  const target = '"7":{"pageid":7,"ns":0,"title":"В"}'
  const other = '"3":{"pageid":3,"ns":0,"title":"Г"}'
  const query = 'action=query&redirects=1&titles='
  const recorded = record(
    `${query}А|Г|Нет`,
    whole(
      `"redirects":[${a},${b}],"pages":{"-1":{"ns":0,"title":"Нет","missing":""},${other},${target}}`
    )
  )

  it('has the redirects from it on, and the page at their end', () => {
    expect(composed('redirects', `${query}А`, recorded)).toBe(
      whole(`"redirects":[${a},${b}],"pages":{${target}}`)
    )
    expect(composed('redirects', `${query}а`, recorded)).toBe(
      whole(
        `"normalized":[{"from":"а","to":"А"}],"redirects":[${a},${b}],"pages":{${target}}`
      )
    )
    expect(composed('redirects', `${query}Г`, recorded)).toBe(whole(`"pages":{${other}}`))
    expect(composed('redirects', `${query}Нет`, recorded)).toBe(
      whole('"pages":{"-1":{"ns":0,"title":"Нет","missing":""}}')
    )
  })

  it('is not made of what was not recorded, cut, or led elsewhere', () => {
    expect(composed('redirects', `${query}Д`, recorded)).toBeUndefined()
    expect(composed('redirects', `${query}А&prop=info`, recorded)).toBeUndefined()
    const cut = record(`${query}А|Г`, `{"continue":{},"query":{"pages":{${other}}}}`)
    expect(composed('redirects', `${query}Г`, cut)).toBeUndefined()
    const away = record(`${query}А|Г`, whole(`"interwiki":[],"pages":{${other}}`))
    expect(composed('redirects', `${query}Г`, away)).toBeUndefined()
  })
})

describe('some of the revisions of a set', () => {
  const page = (id: number, ...revisions: readonly number[]): string =>
    `"${id}":{"pageid":${id},"ns":0,"title":"P${id}","revisions":[${revisions.map((one) => `{"revid":${one}}`).join()}]}`
  const query = 'action=query&prop=revisions&revids='
  const bad = (...ids: readonly number[]): string =>
    `"badrevids":{${ids.map((id) => `"${id}":{"revid":${id},"missing":""}`).join()}}`
  const recorded = record(
    `${query}11|12|21|98|99`,
    whole(`${bad(98, 99)},"pages":{${page(1, 11, 12)},${page(2, 21)}}`)
  )

  it('are those of their pages, and what is bad in the order of the request', () => {
    expect(composed('revisions', `${query}12`, recorded)).toBe(
      whole(`"pages":{${page(1, 12)}}`)
    )
    expect(composed('revisions', `${query}99|21|98`, recorded)).toBe(
      whole(`${bad(99, 98)},"pages":{${page(2, 21)}}`)
    )
    expect(composed('revisions', `${query}99`, recorded)).toBe(whole(bad(99)))
  })

  it('are not told apart without their ids', () => {
    expect(composed('revisions', `${query}12|13`, recorded)).toBeUndefined()
    const nameless = whole(
      '"pages":{"1":{"pageid":1,"ns":0,"title":"P","revisions":[{"user":"A"},{"user":"B"}]}}'
    )
    expect(
      composed('revisions', `${query}11`, record(`${query}11|12`, nameless))
    ).toBeUndefined()
    const without = 'action=query&prop=info&revids='
    expect(
      composed(
        'revisions',
        `${without}11`,
        record(`${without}11|12`, whole('"pages":{}'))
      )
    ).toBeUndefined()
  })
})

describe('a file with versions, among other files', () => {
  const version = (nth: number): string => `{"timestamp":"2025-12-20T00:01:4${nth}Z"}`
  const file = (id: number, rows: string): string =>
    `"${id}":{"pageid":${id},"ns":6,"title":"Файл:${id}","imagerepository":"local",${rows}"imageinfo":[${version(2)}]}`
  const props = 'action=query&prop=imageinfo|revisions&iilimit=1'

  it('goes on if it is alone, whichever way it was named', () => {
    const both = whole(`"pages":{${file(7, '')},${file(8, '')}}`)
    const named = record(`${props}&redirects=1&titles=Файл:7|Файл:8`, both)
    expect(
      composed('redirects', `${props}&redirects=1&titles=Файл:7`, named)
    ).toBeUndefined()

    const rows = (id: number): string => `"revisions":[{"revid":${id}}],`
    const withRevisions = whole(`"pages":{${file(7, rows(7))},${file(8, rows(8))}}`)
    const numbered = record(`${props}&revids=7|8`, withRevisions)
    expect(composed('revisions', `${props}&revids=7`, numbered)).toBeUndefined()
  })

  it('has them all if it was recorded alone, or has fewer than the limit', () => {
    const other = '"3":{"pageid":3,"ns":0,"title":"Г","imagerepository":""}'
    const alone = whole(`"pages":{${other},${file(7, '')}}`)
    const named = record(`${props}&redirects=1&titles=Г|Файл:7`, alone)
    expect(composed('redirects', `${props}&redirects=1&titles=Файл:7`, named)).toBe(
      whole(`"pages":{${file(7, '')}}`)
    )
  })
})

describe('pages by id', () => {
  const there = (id: number): string => `"${id}":{"pageid":${id},"ns":0,"title":"P${id}"}`
  const gone = (id: number): string => `"${id}":{"pageid":${id},"missing":""}`
  const query = 'action=query&pageids='
  const recorded = record(
    `${query}1|90|2|80`,
    whole(`"pages":{${gone(90)},${gone(80)},${there(1)},${there(2)}}`)
  )

  it('that are missing come first, in the order of the request', () => {
    expect(composed('pages', `${query}2|80|90`, recorded)).toBe(
      whole(`"pages":{${gone(80)},${gone(90)},${there(2)}}`)
    )
    expect(composed('pages', `${query}90`, recorded)).toBe(whole(`"pages":{${gone(90)}}`))
  })

  it('come by id in formatversion 2', () => {
    const body =
      '{"batchcomplete":true,"query":{"pages":[{"pageid":1,"ns":0,"title":"P1"},{"pageid":80,"missing":true},{"pageid":90,"missing":true}]}}'
    const second = record(`${query}1|80|90&formatversion=2`, body)
    expect(composed('pages', `${query}90|1&formatversion=2`, second)).toBe(
      '{"batchcomplete":true,"query":{"pages":[{"pageid":1,"ns":0,"title":"P1"},{"pageid":90,"missing":true}]}}'
    )
  })

  it('are only what every version reads as one number, once', () => {
    for (const ids of ['1.0', ' 1', '1e0', '0x1', '1.', '１', '1|01'])
      expect(composed('pages', `${query}${ids}`, recorded)).toBeUndefined()
    expect(composed('pages', `${query}01`, recorded)).toBe(whole(`"pages":{${there(1)}}`))
  })
})

describe('titles of two namespaces out of several recordings', () => {
  const one = (title: string, id: number, ns: number): Interaction =>
    record(
      `action=query&titles=${title}`,
      whole(`"pages":{"${id}":{"pageid":${id},"ns":${ns},"title":"${title}"}}`)
    )
  const main = one('Волга', 2, 0)
  const titles = (asked: string, ...recordings: readonly Interaction[]) =>
    composed('pages', `action=query&titles=${asked}`, ...recordings)

  it('are answered where every order of a database is the same', () => {
    const template = one('Шаблон:Box B', 9, 10)
    expect(titles('Волга|Шаблон:Box B', main, template)).toBe(
      whole(
        '"pages":{"2":{"pageid":2,"ns":0,"title":"Волга"},"9":{"pageid":9,"ns":10,"title":"Шаблон:Box B"}}'
      )
    )
    expect(titles('Шаблон:Box B|Волга', main, template)).toBeUndefined()
    expect(titles('Волга|Шаблон:Box B', main, one('Шаблон:Box B', 1, 10))).toBeUndefined()
  })
})

describe('what else was sent', () => {
  const page = '{"pageid":1,"ns":0,"title":"А","length":1,"pageprops":{}}'
  const turned = '{"pageid":1,"ns":0,"title":"А","pageprops":{},"length":1}'

  it('stands in the order of this request, or is not answered', () => {
    const two = record(
      'action=query&titles=А|Нет&prop=info|pageprops',
      whole(`"pages":{"-1":{"ns":0,"title":"Нет","missing":""},"1":${page}}`)
    )
    expect(composed('pages', 'action=query&titles=А&prop=pageprops|info', two)).toBe(
      whole(`"pages":{"1":${turned}}`)
    )
    const tests = record(
      'action=query&titles=А|Нет&prop=info&intestactions=edit|read',
      whole(`"pages":{"1":${page}}`)
    )
    expect(
      composed('pages', 'action=query&titles=А&prop=info&intestactions=read|edit', tests)
    ).toBeUndefined()
  })
})
