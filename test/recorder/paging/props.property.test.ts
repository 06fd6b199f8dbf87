/**
 * Props that take several answers: inside of a generator's batch, with members beside their rows, and page by page.
 * Models of what the modules do (sources: ApiQueryCategories, ApiQueryContributors, TextExtracts, PageImages); every
 * answer is the true one or there is none.
 */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type JsonTree,
  jsonArray,
  jsonLiteral,
  jsonObject,
  jsonString
} from '../../../src/recorder/json/json-tree.ts'
import { readListings } from '../../../src/recorder/paging/joining/listings.ts'
import { synthesize } from '../../../src/recorder/paging/synthesize.ts'
import { rounds } from '../../helpers/scale.ts'
import { deriveQuery, facts } from './fake-wiki.ts'
import {
  type Answering,
  type Params,
  queryOf,
  record,
  text,
  walk
} from './recorded-walks.ts'

interface Page {
  readonly id: number
  readonly title: string
  readonly rows: number
  /** What stands beside the rows; 0 for nothing. */
  readonly extra: number
}

/** Records one walk and asks every step of the others; the number of exact answers. */
function compare(
  answering: Answering,
  recorded: readonly Params[],
  asked: readonly Params[]
): number {
  const interactions = recorded.flatMap((first) =>
    walk(answering, first).map(([params, body]) => record(queryOf(params), body))
  )
  const listings = readListings(interactions, facts)
  let exact = 0
  for (const [params, truth] of asked.flatMap((first) => walk(answering, first))) {
    const said = synthesize(deriveQuery(queryOf(params)), listings, facts)
    expect(said.kind).not.toBe('conflict')
    if (said.kind !== 'synthesized') continue
    const own = /wikitape-\d+-[0-9a-f]{20}/.exec(text(said.body))?.[0]
    if (said.by === 'own') {
      // All but the continue value is the wiki's.
      const named = /("(?:gap|pc|ex|pi)continue":)(?:"[^"]*"|\d+)/
      expect(own).toBeDefined()
      expect(text(said.body).replace(named, '$1')).toBe(text(truth).replace(named, '$1'))
    } else {
      expect(text(said.body), queryOf(params)).toBe(text(truth))
      exact += 1
    }
  }
  return exact
}

const pages = fc
  .uniqueArray(
    fc.record({
      id: fc.integer({ min: 10, max: 9999 }),
      rows: fc.nat(7),
      extra: fc.nat(2)
    }),
    {
      minLength: 1,
      maxLength: 14,
      selector: (page) => page.id
    }
  )
  .map((all): readonly Page[] =>
    all.map((page, at) => ({ ...page, title: `Page ${String(at).padStart(3, '0')}` }))
  )
const limit = fc.integer({ min: 1, max: 12 })

/** Rows in the order of page ids, each with its continue value. */
const rowsOf = (
  some: readonly Page[]
): readonly { readonly page: Page; readonly title: string; readonly value: string }[] =>
  [...some]
    .sort((a, b) => a.id - b.id)
    .flatMap((page) =>
      Array.from({ length: page.rows }, (_, nth) => ({
        page,
        title: `C ${nth}`,
        value: `${page.id}|C_${nth}`
      }))
    )

const pageTree = (
  page: Page,
  more: readonly (readonly [string, JsonTree])[]
): readonly [string, JsonTree] => [
  String(page.id),
  jsonObject([
    ['pageid', jsonLiteral(page.id)],
    ['ns', jsonLiteral(0)],
    ['title', jsonString(page.title)],
    ...more
  ])
]

/** The rows of a batch under their page, as an array of that name; nothing where there are none. */
const arrayOf = (
  name: string,
  batch: ReturnType<typeof rowsOf>,
  page: Page
): readonly (readonly [string, JsonTree])[] => {
  const own = batch.filter((row) => row.page === page)
  return own.length === 0
    ? []
    : [
        [
          name,
          jsonArray(own.map((row) => jsonObject([['title', jsonString(row.title)]])))
        ]
      ]
}

describe('a prop inside of a generator', () => {
  const prop = 4

  /**
   * `generator=allpages&prop=info|categories`: the categories go by page id, the rest is in the first answer only; what
   * `meta` says is in the very first only, and in the old dialect in each.
   */
  const answering =
    (all: readonly Page[], raw: boolean): Answering =>
    (params) => {
      const sent = params.get('gapcontinue')
      const at =
        sent === undefined
          ? 0
          : all.findIndex((page) => page.title.replaceAll(' ', '_') === sent)
      const end = Math.min(at + Number(params.get('gaplimit')), all.length)
      const batch = all.slice(at, end)
      const rows = rowsOf(batch)
      const inner = params.get('clcontinue')
      const from = inner === undefined ? 0 : rows.findIndex((row) => row.value === inner)
      const part = rows.slice(from, from + prop)
      const next = rows[from + prop]
      const more = all[end]
      const generator =
        more && (['gapcontinue', jsonString(more.title.replaceAll(' ', '_'))] as const)
      const inside = next && (['clcontinue', jsonString(next.value)] as const)
      const meta = params.get('meta') ?? ''
      const told = meta !== '' && (raw || (sent === undefined && inner === undefined))
      const body = jsonObject([
        [
          'pages',
          jsonObject(
            batch.map((page) =>
              pageTree(page, [
                ...(raw || inner === undefined
                  ? [['length', jsonLiteral(page.extra)] as const]
                  : []),
                ...arrayOf('categories', part, page)
              ])
            )
          )
        ],
        ...(told ? [[meta, jsonObject([['name', jsonString('Bob')]])] as const] : [])
      ])
      if (raw) {
        const groups = [
          ...(inside === undefined
            ? []
            : [['categories', jsonObject([inside])] as const]),
          ...(generator === undefined
            ? []
            : [['allpages', jsonObject([generator])] as const])
        ]
        return jsonObject([
          ...(groups.length === 0
            ? []
            : [['query-continue', jsonObject(groups)] as const]),
          ['query', body]
        ])
      }
      const keys = sent === undefined ? '' : 'gapcontinue'
      const done = ['info', meta].filter((name) => name !== '').join('|')
      const going =
        inside !== undefined
          ? [
              inside,
              ...(sent === undefined ? [] : [['gapcontinue', jsonString(sent)] as const]),
              ['continue', jsonString(`${keys}||${done}`)] as const
            ]
          : generator === undefined
            ? []
            : [generator, ['continue', jsonString(`gapcontinue||${meta}`)] as const]
      return jsonObject([
        ...(inside === undefined ? [['batchcomplete', jsonString('')] as const] : []),
        ...(going.length === 0 ? [] : [['continue', jsonObject(going)] as const]),
        ['query', body]
      ])
    }

  test.each([
    [false, ''],
    [true, ''],
    [false, 'userinfo'],
    [true, 'userinfo']
  ])('rawcontinue %s, meta=%s', (raw, meta) => {
    let exact = 0
    const begin = (size: number): Params =>
      new Map([
        ...Object.entries({
          action: 'query',
          format: 'json',
          generator: 'allpages',
          prop: 'info|categories'
        }),
        ['gaplimit', String(size)],
        ['cllimit', String(prop)],
        ...(meta === '' ? [] : [['meta', meta] as const]),
        raw ? ['rawcontinue', ''] : ['continue', '']
      ])
    fc.assert(
      fc.property(pages, limit, limit, (all, recorded, asked) => {
        exact += compare(
          answering(all, raw),
          [begin(recorded)],
          [begin(asked), begin(recorded)]
        )
      }),
      { numRuns: rounds(70) }
    )
    expect(exact).toBeGreaterThan(rounds(60))
  })
})

describe('a prop with members beside its rows', () => {
  /** `contributors` counts the anonymous ones of every page that lies not before its continue value. */
  const answering =
    (all: readonly Page[]): Answering =>
    (params) => {
      const rows = rowsOf(all)
      const sent = params.get('pccontinue')
      const from = sent === undefined ? 0 : rows.findIndex((row) => row.value === sent)
      const end = from + Number(params.get('pclimit'))
      const begins = sent === undefined ? 0 : Number(sent.split('|')[0])
      const next = rows[end]
      const tree = all.map((page) =>
        pageTree(page, [
          ...(page.extra > 0 && page.id >= begins
            ? [['anoncontributors', jsonLiteral(page.extra)] as const]
            : []),
          ...arrayOf('contributors', rows.slice(from, end), page)
        ])
      )
      return jsonObject([
        next === undefined
          ? ['batchcomplete', jsonString('')]
          : [
              'continue',
              jsonObject([
                ['pccontinue', jsonString(next.value)],
                ['continue', jsonString('||')]
              ])
            ],
        ['query', jsonObject([['pages', jsonObject(tree)]])]
      ])
    }

  test('every answer is the true one', () => {
    let exact = 0
    fc.assert(
      fc.property(pages, limit, limit, (all, recorded, asked) => {
        const begin = (size: number): Params =>
          new Map([
            ...Object.entries({
              action: 'query',
              format: 'json',
              prop: 'contributors',
              continue: ''
            }),
            ['titles', all.map((page) => page.title).join('|')],
            ['pclimit', String(size)]
          ])
        exact += compare(answering(all), [begin(recorded)], [begin(asked)])
      }),
      { numRuns: rounds(70) }
    )
    expect(exact).toBeGreaterThan(rounds(60))
  })
})

describe('a prop that fills page by page', () => {
  /** `extracts` goes on at a number of pages, `pageimages` at a page id; a page may have nothing to say. */
  const answering =
    (all: readonly Page[], module: string, prefix: string): Answering =>
    (params) => {
      const sent = params.get(`${prefix}continue`)
      const byNumber = module === 'extracts'
      const from =
        sent === undefined
          ? 0
          : byNumber
            ? Number(sent)
            : all.findIndex((page) => page.id === Number(sent))
      const end = from + Number(params.get(`${prefix}limit`))
      const next = all[end]
      const tree = all.map((page, at) =>
        pageTree(
          page,
          at >= from && at < end && page.extra > 0
            ? [[module.slice(0, -1), jsonLiteral(page.extra)]]
            : []
        )
      )
      const value = next && jsonLiteral(byNumber ? end : next.id)
      return jsonObject([
        value === undefined
          ? ['batchcomplete', jsonString('')]
          : [
              'continue',
              jsonObject([
                [`${prefix}continue`, value],
                ['continue', jsonString('||')]
              ])
            ],
        [
          'query',
          jsonObject([
            [
              'pages',
              jsonObject([
                ...tree,
                [
                  '-1',
                  jsonObject([
                    ['ns', jsonLiteral(0)],
                    ['title', jsonString('Missing')],
                    ['missing', jsonString('')]
                  ])
                ]
              ])
            ]
          ])
        ]
      ])
    }

  test.each([
    ['extracts', 'ex'],
    ['pageimages', 'pi']
  ] as const)('%s', (module, prefix) => {
    let exact = 0
    fc.assert(
      fc.property(pages, limit, limit, limit, (all, recorded, another, asked) => {
        const begin = (size: number): Params =>
          new Map([
            ...Object.entries({
              action: 'query',
              format: 'json',
              prop: module,
              continue: ''
            }),
            // Whole extracts come one at a time.
            ...(module === 'extracts' ? ([['exintro', '']] as const) : []),
            ['titles', [...all.map((page) => page.title), 'Missing'].join('|')],
            [`${prefix}limit`, String(size)]
          ])
        exact += compare(
          answering(all, module, prefix),
          [begin(recorded), begin(another)],
          [begin(asked)]
        )
      }),
      { numRuns: rounds(70) }
    )
    expect(exact).toBeGreaterThan(rounds(25))
  })
})
