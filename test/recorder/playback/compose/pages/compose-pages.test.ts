/** Pages and modules that were recorded in other sets than they are asked for in: the answer of the wiki, or none. */
import { describe, expect, it } from 'vitest'
import type { Interaction } from '../../../../../src/recorder/cassette/interaction.ts'
import type { JsonTree } from '../../../../../src/recorder/json/json-tree.ts'
import { writeCompact } from '../../../../../src/recorder/json/write-json.ts'
import { composeParaminfo } from '../../../../../src/recorder/playback/compose/compose-paraminfo.ts'
import { composePages } from '../../../../../src/recorder/playback/compose/pages/compose-pages.ts'
import { keyBeforeWrites } from '../../../../../src/recorder/playback/lookup/named-writes.ts'
import { reorderTitles } from '../../../../../src/recorder/playback/reorder/reorder-pages.ts'
import { derive, type WikiFacts } from '../../../../../src/recorder/request/derive.ts'
import {
  parseRequestKey,
  requestKey
} from '../../../../../src/recorder/request/request-key.ts'
import type { WriteSet } from '../../../../../src/recorder/wiki/effects/write-set.ts'
import { bundledLookup } from '../../../../../src/recorder/wiki/modules/module-descriptions.ts'
import { apiRequest } from '../../../../helpers/api-requests.ts'
import { factsOfWiki } from '../../../../helpers/described-wikis.ts'
import {
  interactionOf,
  jsonBody,
  response,
  treeOf
} from '../../../../helpers/recorded.ts'

const facts: WikiFacts = {
  ...factsOfWiki('1.43'),
  lookup: bundledLookup('MediaWiki 1.43.9')
}
const untouched = { writes: [], writeSetOf: () => undefined, isOlder: false }
const text = (tree: JsonTree | undefined): string | undefined =>
  tree && writeCompact(tree, 'utf8')

function record(query: string, body: string): Interaction {
  const { key, canonical, sentValues } = derive(apiRequest(query), facts)
  return { key, request: canonical, sentValues, responses: [response(jsonBody(body))] }
}

/** All subsets that have something in them. */
function subsets<T>(all: readonly T[]): readonly (readonly T[])[] {
  const numbers = Array.from({ length: 2 ** all.length - 1 }, (_, at) => at + 1)
  return numbers.map((number) => all.filter((_, at) => number & (1 << at)))
}

/** Titles and ids rise together, so that any order of the database is the same. */
const ids: ReadonlyMap<string, number> = new Map([
  ['A', 1],
  ['B b', 2],
  ['C', 5]
])
const missing: readonly string[] = ['X', 'Y']

interface Version {
  readonly query: string
  readonly told: (titles: readonly string[]) => string
  readonly toldIds: (ids: readonly number[]) => string
}

const page = (title: string) => ({
  pageid: ids.get(title),
  ns: 0,
  title,
  length: title.length
})
const existing = (titles: readonly string[]) =>
  [...ids.keys()].filter((one) => titles.includes(one))
const absent = (titles: readonly string[]) =>
  titles.filter((one) => missing.includes(one))

const first: Version = {
  query: 'action=query&prop=info',
  told: (titles) => {
    const pages = [
      ...absent(titles).map(
        (title, at) => [String(-1 - at), { ns: 0, title, missing: '' }] as const
      ),
      ...existing(titles).map((title) => [String(ids.get(title)), page(title)] as const)
    ]
    const inner = pages.map(
      ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`
    )
    return `{"batchcomplete":"","query":{"pages":{${inner.join()}}}}`
  },
  toldIds: (asked) =>
    first.told([...ids].flatMap(([title, id]) => (asked.includes(id) ? [title] : [])))
}

const second: Version = {
  query: 'action=query&prop=info&formatversion=2',
  told: (titles) => {
    const pages = [
      // Sorted by their numbers, which the wiki counts downwards.
      ...absent(titles)
        .map((title) => ({ ns: 0, title, missing: true }))
        .reverse(),
      ...existing(titles).map(page)
    ]
    return JSON.stringify({ batchcomplete: true, query: { pages } })
  },
  toldIds: (asked) =>
    second.told([...ids].flatMap(([title, id]) => (asked.includes(id) ? [title] : [])))
}

const formats = [
  ['1', first],
  ['2', second]
] as const

const assembled = (
  by: typeof composePages,
  asked: string,
  recordings: readonly Interaction[]
): string | undefined => {
  const found = by(derive(apiRequest(asked), facts), recordings, facts, untouched)
  return found?.kind === 'composed' ? text(found.body) : found?.why
}

describe.each(formats)('pages in formatversion %s', (_, { query, told, toldIds }) => {
  const byTitles = (titles: readonly string[]): string =>
    `${query}&titles=${titles.join('|')}`
  const byIds = (asked: readonly number[]): string =>
    `${query}&pageids=${asked.join('|')}`

  it('named by title are answered out of one larger set, any of them in any order', () => {
    const all = [...ids.keys(), ...missing]
    const recordings = [record(byTitles(all), told(all))]
    for (const titles of subsets(all)) {
      expect(assembled(composePages, byTitles(titles), recordings)).toBe(told(titles))
      const turned = [...titles].reverse()
      expect(assembled(composePages, byTitles(turned), recordings)).toBe(told(turned))
    }
    expect(assembled(composePages, byTitles(['A', 'Z']), recordings)).toBeUndefined()
  })

  it('named by title are put together out of several sets, and told whose they are', () => {
    const sets = [['A', 'X'], ['B b'], ['C', 'Y']]
    const recordings = sets.map((titles) => record(byTitles(titles), told(titles)))
    for (const titles of subsets([...ids.keys(), ...missing]))
      expect(assembled(composePages, byTitles(titles), recordings)).toBe(told(titles))
    const found = composePages(
      derive(apiRequest(byTitles(['A', 'C'])), facts),
      recordings,
      facts,
      untouched
    )
    expect(found).toMatchObject({ from: [recordings[0]?.key, recordings[2]?.key] })
  })

  it('named by id are put together out of several sets, in the order of their ids', () => {
    const recordings = [[1, 5], [2]].map((asked) => record(byIds(asked), toldIds(asked)))
    for (const asked of subsets([1, 2, 5])) {
      expect(assembled(composePages, byIds(asked), recordings)).toBe(toldIds(asked))
      expect(assembled(composePages, byIds([...asked].reverse()), recordings)).toBe(
        toldIds(asked)
      )
    }
    expect(assembled(composePages, byIds([1, 3]), recordings)).toBeUndefined()
  })

  it('are the same with `rawcontinue`, where a complete answer lacks `batchcomplete`', () => {
    const raw = (body: string): string => body.replace(/"batchcomplete":(?:""|true),/, '')
    const all = told(['A', 'C'])
    expect(
      assembled(composePages, `${byTitles(['C'])}&rawcontinue=1`, [
        record(byTitles(['A', 'C']), all)
      ])
    ).toBe(raw(told(['C'])))
    expect(
      assembled(composePages, `${byIds([5])}&rawcontinue=1`, [
        record(byIds([1, 5]), toldIds([1, 5]))
      ])
    ).toBe(raw(toldIds([5])))
    // A wiki without `batchcomplete` may not know `rawcontinue`.
    const old = [record(byTitles(['A', 'C']), raw(all))]
    expect(
      assembled(composePages, `${byTitles(['C'])}&rawcontinue=1`, old)
    ).toBeUndefined()
    const reverse = [record(`${byTitles(['A', 'C'])}&rawcontinue=1`, raw(all))]
    expect(assembled(composePages, byTitles(['C']), reverse)).toBeUndefined()
  })

  it('are no parts where a parameter entangles them, or where the answer goes on', () => {
    for (const more of [
      'redirects=1',
      'generator=links',
      'list=allpages',
      'export=1',
      'converttitles=1'
    ]) {
      const whole = [record(`${byTitles(['A', 'C'])}&${more}`, told(['A', 'C']))]
      expect(assembled(composePages, `${byTitles(['A'])}&${more}`, whole)).toBeUndefined()
      const wholeIds = [record(`${byIds([1, 5])}&${more}`, toldIds([1, 5]))]
      expect(assembled(composePages, `${byIds([1])}&${more}`, wholeIds)).toBeUndefined()
    }
    const goesOn = told(['A', 'C']).replace('{', '{"continue":{"x":"1","continue":"||"},')
    expect(
      assembled(composePages, byTitles(['A']), [record(byTitles(['A', 'C']), goesOn)])
    ).toBeUndefined()
    const idsGoOn = toldIds([1, 5]).replace('{', '{"continue":{"x":"1","continue":"||"},')
    expect(
      assembled(composePages, byIds([1]), [record(byIds([1, 5]), idsGoOn)])
    ).toBeUndefined()
  })
})

describe.each(formats)(
  'pages beside others in formatversion %s',
  (_, { query, toldIds }) => {
    const byIds = (asked: readonly number[]): string =>
      `${query}&pageids=${asked.join('|')}`

    it('are told of beside the same only, and of fifty at most', () => {
      const beside = (text: string, id: number): string =>
        text.replace(/\}\}$/, `,"userinfo":{"id":${id}}}}`)
      const more = '&meta=userinfo'
      const alike = (one: number, other: number) => [
        record(byIds([1]) + more, beside(toldIds([1]), one)),
        record(byIds([5]) + more, beside(toldIds([5]), other))
      ]
      expect(assembled(composePages, byIds([1, 5]) + more, alike(1, 1))).toBe(
        beside(toldIds([1, 5]), 1)
      )
      expect(assembled(composePages, byIds([1, 5]) + more, alike(1, 2))).toBeUndefined()
      const many = Array.from({ length: 51 }, (_, at) => `T${at + 10}`)
      const told51 = (count: number): string =>
        JSON.stringify({
          query: {
            pages: Object.fromEntries(
              many
                .slice(0, count)
                .map((title, at) => [at + 1, { pageid: at + 1, ns: 0, title }])
            )
          }
        })
      const plain = query.replace('&formatversion=2', '')
      const ask = (count: number, by: 'titles' | 'pageids'): string =>
        `${plain}&${by}=${(by === 'titles' ? many : many.map((_, at) => at + 1)).slice(0, count).join('|')}`
      for (const by of ['titles', 'pageids'] as const) {
        const from = [
          record(ask(50, by), told51(50)),
          record(
            `${plain}&${by}=${by === 'titles' ? 'T60|T61' : '51|52'}`,
            '{"query":{"pages":{"51":{"pageid":51,"ns":0,"title":"T60"},"52":{"pageid":52,"ns":0,"title":"T61"}}}}'
          )
        ]
        const assemble = by === 'titles' ? composePages : composePages
        const part = ask(50, by).replace(
          by === 'titles' ? '|T59' : '|50',
          by === 'titles' ? '|T60' : '|51'
        )
        expect(assembled(assemble, part, from)).toContain('T60')
        expect(assembled(assemble, ask(51, by), from)).toBeUndefined()
      }
    })
  }
)

describe.each(formats)(
  'pages that are no parts in formatversion %s',
  (_, { query, told, toldIds }) => {
    const byTitles = (titles: readonly string[]): string =>
      `${query}&titles=${titles.join('|')}`
    const byIds = (asked: readonly number[]): string =>
      `${query}&pageids=${asked.join('|')}`

    it('named by id are no parts of an answer that tells of more, or has them in another order', () => {
      const whole = toldIds([1, 5])
      const other = whole.replace('"pages"', '"normalized":[],"pages"')
      expect(
        assembled(composePages, byIds([1]), [record(byIds([1, 5]), other)])
      ).toBeUndefined()
      const lost = JSON.stringify({
        query: {
          pages: [
            { pageid: 1, ns: 0, title: 'A' },
            { ns: 0, title: 'C', missing: true }
          ]
        }
      })
      expect(
        assembled(composePages, byIds([1]), [record(byIds([1, 5]), lost)])
      ).toBeUndefined()
      const elsewhere = whole.replace(/\}\}$/, ',"interwiki":[]}}')
      expect(
        assembled(composePages, byIds([1]), [record(byIds([1, 5]), elsewhere)])
      ).toBeUndefined()
      const turned = JSON.stringify({
        query: {
          pages: [
            { pageid: 5, ns: 0, title: 'C' },
            { pageid: 1, ns: 0, title: 'A' }
          ]
        }
      })
      expect(
        assembled(composePages, byIds([1]), [record(byIds([1, 5]), turned)])
      ).toBeUndefined()
    })

    it('that were recorded after other writes only are said to be', () => {
      const written = '0123456789ab'
      const after = (one: Interaction): Interaction => {
        const request = new Map([...one.request, ['after writes', written] as const])
        return { ...one, request, key: requestKey(request) }
      }
      const writeSet: WriteSet = {
        kind: 'pages',
        titles: new Set(['A']),
        ids: new Set(['1'])
      }
      const key = parseRequestKey(written)
      if (key === undefined) throw new Error(written)
      const past = {
        writes: [{ key, writeSet }],
        writeSetOf: () => undefined,
        isOlder: false
      }
      const late = composePages(
        derive(apiRequest(byTitles(['A'])), facts),
        [record(byTitles(['A', 'C']), told(['A', 'C']))],
        facts,
        past
      )
      expect(late).toMatchObject({ kind: 'uncertain', inOtherEpoch: true })
      const lateIds = composePages(
        derive(apiRequest(byIds([1])), facts),
        [record(byIds([1, 5]), toldIds([1, 5]))],
        facts,
        past
      )
      expect(lateIds).toMatchObject({ kind: 'uncertain', inOtherEpoch: true })
      const then = composePages(
        derive(apiRequest(byTitles(['A'])), facts),
        [after(record(byTitles(['A', 'C']), told(['A', 'C'])))],
        facts,
        past
      )
      expect(then).toMatchObject({ kind: 'composed' })
    })
  }
)

describe('the list of ids of pages put together', () => {
  it('has what is missing first, by negative numbers', () => {
    const told = (missing: string, id: number, title: string): string =>
      `{"batchcomplete":"","query":{"pageids":["-1","${id}"],"pages":{"-1":{"ns":0,"title":"${missing}","missing":""},"${id}":{"pageid":${id},"ns":0,"title":"${title}"}}}}`
    const ask = (titles: string): string =>
      `action=query&prop=info&indexpageids=1&titles=${titles}`
    const recordings = [
      record(ask('X|A'), told('X', 1, 'A')),
      record(ask('Y|B'), told('Y', 2, 'B'))
    ]
    const found = composePages(
      derive(apiRequest(ask('X|Y|A|B')), facts),
      recordings,
      facts,
      untouched
    )
    expect(found?.kind === 'composed' && text(found.body)).toBe(
      '{"batchcomplete":"","query":{"pageids":["-1","-2","1","2"],"pages":{"-1":{"ns":0,"title":"X","missing":""},"-2":{"ns":0,"title":"Y","missing":""},"1":{"pageid":1,"ns":0,"title":"A"},"2":{"pageid":2,"ns":0,"title":"B"}}}}'
    )
  })
})

describe('titles and ids that rise otherwise', () => {
  it('stand by id in formatversion 2, whichever was asked for first', () => {
    const told = (...pages: readonly (readonly [number, string])[]): string =>
      JSON.stringify({
        query: { pages: pages.map(([pageid, title]) => ({ pageid, ns: 0, title })) }
      })
    const ask = (titles: string): string =>
      `action=query&prop=info&formatversion=2&titles=${titles}`
    const recordings = [
      record(ask('A'), told([9, 'A'])),
      record(ask('B'), told([3, 'B']))
    ]
    const found = composePages(
      derive(apiRequest(ask('A|B')), facts),
      recordings,
      facts,
      untouched
    )
    expect(found?.kind === 'composed' && text(found.body)).toBe(told([3, 'B'], [9, 'A']))
  })
})

describe('titles in another spelling than their own', () => {
  const entry = (from: string, to: string) => `{"from":"${from}","to":"${to}"}`
  const pages =
    '"pages":{"1":{"pageid":1,"ns":0,"title":"A"},"2":{"pageid":2,"ns":0,"title":"B b"}}'
  const told = (...entries: readonly string[]): string =>
    `{"batchcomplete":"","query":{${entries.length > 0 ? `"normalized":[${entries.join()}],` : ''}${pages}}}`
  const recorded = treeOf(told(entry('B_b', 'B b')))
  const asked = (titles: string): string | undefined => {
    if (facts.site === undefined) throw new Error('the wiki says nothing of itself')
    return text(reorderTitles(recorded, 'B_b|A', titles, facts.site))
  }

  it('are told of in the order asked for, and not where each is in its own', () => {
    expect(asked('A|B_b')).toBe(told(entry('B_b', 'B b')))
    expect(asked('A|B b')).toBe(told())
    expect(asked('B_b|a|A')).toBe(told(entry('B_b', 'B b'), entry('a', 'A')))
  })
})

describe('modules', () => {
  const names = ['edit', 'query', 'query+info', 'query+links']
  const told = (modules: readonly string[], member = 'modules'): string =>
    JSON.stringify({
      paraminfo: {
        helpformat: 'none',
        [member]: modules.map((path) => ({
          name: path.split('+').at(-1),
          path,
          parameters: []
        }))
      }
    })
  const ask = (modules: readonly string[]): string =>
    `action=paraminfo&modules=${encodeURIComponent(modules.join('|'))}`
  const composed = (
    asked: string,
    recordings: readonly Interaction[]
  ): string | undefined =>
    text(
      composeParaminfo(derive(apiRequest(asked), facts), recordings, () => undefined)
        ?.body
    )

  it('are told in any set and order, out of those that were asked for otherwise', () => {
    const recordings = [['edit', 'query+info'], ['query'], ['query+links', 'query']].map(
      (set) => record(ask(set), told(set))
    )
    for (const set of subsets(names))
      expect(composed(ask(set), recordings)).toBe(told(set))
    expect(composed(ask(['query+links', 'edit']), recordings)).toBe(
      told(['query+links', 'edit'])
    )
    expect(composed(ask(['edit', 'query+categories']), recordings)).toBeUndefined()
  })

  it('below query have a parameter of their own', () => {
    const paths = ['query+info', 'query+links']
    const recordings = [
      record('action=paraminfo&querymodules=info|links', told(paths, 'querymodules'))
    ]
    expect(composed('action=paraminfo&querymodules=links', recordings)).toBe(
      told(['query+links'], 'querymodules')
    )
    expect(composed('action=paraminfo&querymodules=images', recordings)).toBeUndefined()
  })

  it('below query are told of as others were told who named them whole', () => {
    const recordings = [
      record('action=paraminfo&querymodules=info', told(['query+info'], 'querymodules')),
      record(ask(['query+links']), told(['query+links']))
    ]
    expect(composed('action=paraminfo&querymodules=info|links', recordings)).toBe(
      told(['query+info', 'query+links'], 'querymodules')
    )
  })

  it('that two recordings tell of differently are not told of', () => {
    const other = told(['query']).replace(
      '"parameters":[]',
      '"parameters":[{"name":"x"}]'
    )
    const recordings = [
      record(ask(['edit', 'query']), told(['edit', 'query'])),
      record(ask(['query']), other)
    ]
    expect(composed(ask(['query', 'edit']), recordings)).toBeUndefined()
    expect(composed(ask(['edit']), recordings)).toBe(told(['edit']))
  })
})

describe('an answer that was the same before and after a write', () => {
  const one = '111111111111'
  const epoch = (state: string, body = '{"query":{"same":1}}'): Interaction =>
    interactionOf(
      { action: 'query', ...(state === '' ? {} : { 'after writes': state }) },
      [response(jsonBody(body))]
    )

  it('was recorded under the same key but for the writes', () => {
    expect(keyBeforeWrites(epoch(one).request)).toBe(epoch('').key)
    expect(keyBeforeWrites(epoch('').request)).toBe(epoch('').key)
  })
})

describe('props that say something else of a page among others', () => {
  const told = (members: object, ...titles: readonly string[]): string => {
    const pages = titles.map((title, at) => ({
      pageid: at + 1,
      ns: 6,
      title,
      ...members
    }))
    return JSON.stringify({ batchcomplete: true, query: { pages } })
  }
  const [a, b] = ['Файл:A', 'Файл:B'] as const
  const asked = (props: string, ...titles: readonly string[]): string =>
    `action=query&formatversion=2&${props}&titles=${titles.join('|')}`
  const apart = (props: string, members: object): readonly Interaction[] =>
    [a, b].map((title, at) => {
      return record(
        asked(props, title),
        told(members, title).replace('"pageid":1', `"pageid":${at + 1}`)
      )
    })
  const revisions = { revisions: [{ revid: 7 }] }

  it.each(['rvuser=Bob', 'rvdir=newer', 'rvlimit=5'])(
    'go through one page: %s',
    (sent) => {
      const props = `prop=revisions&${sent}`
      expect(
        assembled(composePages, asked(props, a, b), apart(props, revisions))
      ).toBeUndefined()
      const ids = asked(props, '1', '2').replace('titles', 'pageids')
      const byId = apart(props, revisions).map((one) => ({
        ...one,
        request: new Map(
          [...one.request].map(([name, value]) =>
            name === 'titles' ? ['pageids', value] : [name, value]
          )
        )
      }))
      expect(assembled(composePages, ids, byId)).toBeUndefined()
    }
  )

  it('give the newest of each page', () => {
    const props = 'prop=revisions'
    expect(assembled(composePages, asked(props, a, b), apart(props, revisions))).toBe(
      told(revisions, a, b)
    )
  })

  it('may have more to say of a file alone', () => {
    const info = { imageinfo: [{ size: 1 }] }
    const both = (props: string): readonly Interaction[] => [
      record(asked(props, a, b), told(info, a, b))
    ]
    expect(
      assembled(composePages, asked('prop=imageinfo', a), both('prop=imageinfo'))
    ).toBeUndefined()
    const more = 'prop=imageinfo&iilimit=2'
    expect(assembled(composePages, asked(more, a), both(more))).toBe(told(info, a))
    expect(assembled(composePages, asked(more, a, b), apart(more, info))).toBe(
      told(info, a, b)
    )
  })
})

describe('diffs of several pages', () => {
  const of = (titles: string): string =>
    `action=query&prop=revisions&rvdiffto=prev&titles=${titles}`
  const told = (...pages: readonly (readonly [id: number, title: string])[]): string => {
    const inner = pages.map(([pageid, title]) => {
      const revisions = [{ revid: pageid + 10, diff: { body: title } }]
      return `"${pageid}":${JSON.stringify({ pageid, ns: 0, title, revisions })}`
    })
    return `{"batchcomplete":"","query":{"pages":{${inner.join()}}}}`
  }

  it('are not put together: the second one may not be made', () => {
    const alone = [record(of('A'), told([1, 'A'])), record(of('C'), told([5, 'C']))]
    const together = [record(of('A|C'), told([1, 'A'], [5, 'C']))]
    expect(assembled(composePages, of('A|C'), alone)).toBeUndefined()
    expect(assembled(composePages, of('C'), together)).toBeUndefined()
    const plain = (text: string): string => text.replace('&rvdiffto=prev', '')
    const both = [record(plain(of('A|C')), told([1, 'A'], [5, 'C']))]
    expect(assembled(composePages, plain(of('C')), both)).toBe(told([5, 'C']))
  })
})
