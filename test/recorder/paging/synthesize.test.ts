import { describe, expect, test } from 'vitest'
import type { Interaction } from '../../../src/recorder/cassette/interaction.ts'
import {
  type JsonTree,
  jsonLiteral,
  jsonObject,
  jsonString,
  memberOf,
  membersOf,
  replaceMember
} from '../../../src/recorder/json/json-tree.ts'
import { mapStrings } from '../../../src/recorder/json/map-strings.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import { readListings } from '../../../src/recorder/paging/joining/listings.ts'
import type { Synthesis } from '../../../src/recorder/paging/synthesis.ts'
import { synthesize } from '../../../src/recorder/paging/synthesize.ts'
import { deriveQuery, FakeWiki, facts } from './fake-wiki.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXY']
const wiki = new FakeWiki(
  letters.map((letter, at) => ({ title: `Page ${letter}`, pageid: at + 1, secret: at })),
  'db-key'
)
const walk = [0, 10, 20].map((at) => wiki.record(wiki.partAt(at, 10, 'continue')))
const ask = (query: string, interactions: readonly Interaction[] = walk): Synthesis =>
  synthesize(deriveQuery(query), readListings(interactions, facts), facts)

/** The answer to a limit beyond the maximum. */
function warned(limit: string): Interaction {
  const body = wiki.answer(wiki.partAt(0, 500, 'continue'))
  const text = `The value "${limit}" for parameter "aplimit" must be between 1 and 500.`
  const warnings = jsonObject([['allpages', jsonObject([['*', jsonString(text)]])]])
  const [done, ...rest] = membersOf(body)
  const tree = {
    kind: 'object' as const,
    members: [...(done ? [done] : []), { key: 'warnings', value: warnings }, ...rest]
  }
  return wiki.record(wiki.partAt(0, limit, 'continue'), tree)
}

function expectExact(query: string, interactions?: readonly Interaction[]): void {
  const said = ask(query, interactions)
  expect(said.kind === 'synthesized' && writeCompact(said.body, 'utf8')).toBe(
    writeCompact(wiki.answer(query), 'utf8')
  )
}

describe('the recorded walk, requested as no peer answers it', () => {
  test.each([
    ['the same walk', wiki.partAt(10, 10, 'continue')],
    [
      'parameters in another order',
      'apcontinue=Page_K&continue=-||&aplimit=10&list=allpages&format=json&action=query'
    ],
    ['another limit', wiki.partAt(0, 5, 'continue')],
    ['a limit beyond the walk', wiki.partAt(0, 500, 'continue')],
    ['a continue value that was never recorded', wiki.partAt(5, 10, 'continue')],
    ['a start that was never recorded', wiki.query('&aplimit=4&continue=&apfrom=page F')],
    ['a start between two titles', wiki.query('&aplimit=4&continue=&apfrom=Page Fz')],
    ['limit=max', wiki.partAt(0, 'max', 'continue')],
    ['the default limit', wiki.query('&continue=')],
    ['the other dialect', wiki.partAt(7, 5, 'raw')],
    ['no dialect, on a wiki from 1.26 on', wiki.query('&aplimit=3')]
  ])('%s', (_, query) => {
    expectExact(query)
  })
})

describe('refusals', () => {
  test('a title that the wiki might read in another way is no start', () => {
    for (const from of ['Талк:Page', 'Page#F', 'straße', ' Page F', 'Page  F', 'Page_ F'])
      expect(
        ask(wiki.query(`&aplimit=2&continue=&apfrom=${encodeURIComponent(from)}`)).kind
      ).toBe('outside')
  })

  test('a gap', () => {
    const said = ask(wiki.partAt(15, 10, 'continue'), walk.slice(0, 2))
    expect(said).toMatchObject({ kind: 'outside', why: 'the recording ends before' })
  })

  const sent = (limit: string): string => wiki.partAt(0, limit, 'continue')
  const old = {
    ...facts,
    site: facts.site && { ...facts.site, generator: 'MediaWiki 1.25.4' }
  }

  test('a limit beyond the maximum gets the warning that this version writes', () => {
    const said = ask(sent('5000'))
    const expected = warned('5000').responses[0].body
    expect(said.kind === 'synthesized' && said.body).toEqual(
      expected.kind === 'json' && expected.tree
    )
    expect(ask(`${sent('5000')}&errorformat=html`).kind).toBe('not-a-listing')
  })

  test('in other versions only where the warning about that limit is recorded', () => {
    const askOld = (interactions: readonly Interaction[]): Synthesis =>
      synthesize(deriveQuery(sent('5000')), readListings(interactions, old), old)
    expect(askOld(walk)).toEqual({
      kind: 'refused',
      why: 'limit=5000 is more than the wiki allows (500), and no recorded answer shows how it warns of that'
    })
    expect(askOld([...walk, warned('9999')]).kind).toBe('refused')
    const said = askOld([...walk, warned('5000')])
    const expected = warned('5000').responses[0].body
    expect(said.kind === 'synthesized' && said.body).toEqual(
      expected.kind === 'json' && expected.tree
    )
  })
})

describe('refusals of lists without a sure order', () => {
  test('a batch that brought fewer rows than its limit though more follows', () => {
    const [first, ...others] = walk
    const { body } = first?.responses[0] ?? {}
    if (first === undefined || body?.kind !== 'json') throw new Error('no first batch')
    const pages = memberOf(memberOf(body.tree, 'query'), 'allpages')
    if (pages?.kind !== 'array') throw new Error('no pages')
    const tree = {
      kind: 'object' as const,
      members: membersOf(body.tree).map((member) =>
        member.key === 'query'
          ? {
              key: 'query',
              value: jsonObject([
                ['allpages', { kind: 'array', items: pages.items.slice(1) }]
              ])
            }
          : member
      )
    }
    const short: Interaction = {
      ...first,
      responses: [{ ...first.responses[0], body: { ...body, tree } }]
    }
    expect(ask(wiki.partAt(0, 5, 'continue'), [short, ...others]).kind).toBe('outside')
    expect(ask(wiki.partAt(20, 2, 'continue'), [short, ...others]).kind).not.toBe(
      'synthesized'
    )
  })

  test('search results, which databases other than SQLite rank without an order of their own', () => {
    const results = new FakeWiki(wiki.rows, 'offset')
    const held = [0, 10, 20].map((at) =>
      results.record(results.partAt(at, 10, 'continue'))
    )
    const on = (database: string | undefined): string => {
      const { database: _, ...site } = facts.site ?? {
        generator: '',
        lang: '',
        namespaces: []
      }
      const there = {
        ...facts,
        site: { ...site, ...(database === undefined ? {} : { database }) }
      }
      return synthesize(
        deriveQuery(results.partAt(0, 5, 'continue')),
        readListings(held, there),
        there
      ).kind
    }
    expect([on('sqlite'), on('mysql'), on('postgres'), on(undefined)]).toEqual([
      'synthesized',
      'not-a-listing',
      'not-a-listing',
      'not-a-listing'
    ])
  })

  test('lists drawn by lot', () => {
    const said = ask('action=query&format=json&list=random&rnlimit=2')
    expect(said).toEqual({ kind: 'not-a-listing', why: 'random returns random pages' })
  })

  test('rows that do not come in the order of their continue values', () => {
    const disordered = [0, 10, 20].map((at) =>
      wiki.record(wiki.partAt(at, 10, 'continue'))
    )
    const mixed = disordered.map((one) => {
      const { body } = one.responses[0]
      if (body.kind !== 'json') return one
      const reverse = {
        kind: 'object' as const,
        members: membersOf(body.tree).map((member) =>
          member.key === 'query' ? { key: 'query', value: turned(member.value) } : member
        )
      }
      return {
        ...one,
        responses: [{ ...one.responses[0], body: { ...body, tree: reverse } }] as const
      }
    })
    expect(ask(wiki.partAt(0, 5, 'continue'), mixed).kind).not.toBe('synthesized')
  })
})

/** All but the first row of `allpages` backwards. */
function turned(
  query: Parameters<typeof memberOf>[0] & object
): ReturnType<typeof jsonObject> {
  const pages = memberOf(query, 'allpages')
  if (pages?.kind !== 'array') return jsonObject([])
  const [first, ...rest] = pages.items
  return jsonObject([
    [
      'allpages',
      { kind: 'array', items: [first ?? jsonLiteral(null), ...rest.toReversed()] }
    ]
  ])
}

describe('a list beside meta, which runs for the first batch only', () => {
  const asked = (at: number, limit: number): string =>
    wiki
      .partAt(at, limit, 'continue')
      .replace('continue=-||', 'continue=-||userinfo')
      .replace('&format', '&meta=userinfo&format')
  const user = { key: 'userinfo', value: jsonObject([['name', jsonString('Bob')]]) }
  /** As a wiki answers it: the first batch says who asks, every continue block that this is done. */
  const answered = (at: number, limit: number): JsonTree => {
    const plain = wiki.answer(wiki.partAt(at, limit, 'continue'))
    return {
      kind: 'object',
      members: membersOf(plain).map(({ key, value }) =>
        key === 'continue'
          ? {
              key,
              value: replaceMember(value, 'continue', () => jsonString('-||userinfo'))
            }
          : key === 'query' && at === 0
            ? { key, value: { kind: 'object', members: [...membersOf(value), user] } }
            : { key, value }
      )
    }
  }
  const recorded = (
    ...parts: readonly (readonly [number, number])[]
  ): readonly Interaction[] =>
    parts.map(([at, limit]) => wiki.record(asked(at, limit), answered(at, limit)))
  const said = (at: number, limit: number, known: readonly Interaction[]): string => {
    const synthesis = ask(asked(at, limit), known)
    return synthesis.kind === 'synthesized'
      ? writeCompact(synthesis.body, 'utf8')
      : synthesis.kind
  }

  test.each([
    ['two batches', recorded([0, 20], [20, 20])],
    ['three', recorded([0, 10], [10, 10], [20, 10])]
  ])('recorded in %s is served in any others', (_, known) => {
    for (const [at, limit] of [
      [0, 3],
      [3, 4],
      [20, 2],
      [20, 500],
      [0, 500]
    ] as const)
      expect(said(at, limit, known)).toBe(writeCompact(answered(at, limit), 'utf8'))
  })

  test('that came whole goes on by a value of our own, without meta', () => {
    const whole = recorded([0, 500])
    const first = said(0, 20, whole)
    const value = /"apcontinue":"(wikitape-[^"]*)"/.exec(first)?.[1] ?? ''
    expect(first.replace(value, 'Page_U')).toBe(writeCompact(answered(0, 20), 'utf8'))
    const query = asked(20, 20).replace('Page_U', value)
    const next = ask(query, whole)
    expect(next.kind === 'synthesized' && writeCompact(next.body, 'utf8')).toBe(
      writeCompact(answered(20, 20), 'utf8')
    )
  })

  test('is refused where a recorded answer says something else is left to do', () => {
    const other = recorded([0, 10]).map((one) => {
      const { body } = one.responses[0]
      if (body.kind !== 'json') return one
      const tree = mapStrings(body.tree, (text) =>
        text === '-||userinfo' ? '-||' : text
      )
      return {
        ...one,
        responses: [{ ...one.responses[0], body: { ...body, tree } }] as const
      }
    })
    expect(ask(asked(0, 3), [...other, ...recorded([10, 20])]).kind).toBe('synthesized')
    expect(ask(asked(10, 3), [...other, ...recorded([10, 20])]).kind).toBe('refused')
  })
})

test('pages named beside a list are told of in its first batch only', () => {
  const asked = (at: number, limit: number): string =>
    wiki.partAt(at, limit, 'continue').replace('&format', '&titles=Alpha&format')
  const pages = {
    key: 'pages',
    value: jsonObject([['8', jsonObject([['pageid', jsonLiteral(8)]])]])
  }
  const answered = (at: number, limit: number): JsonTree =>
    replaceMember(wiki.answer(wiki.partAt(at, limit, 'continue')), 'query', (query) =>
      at === 0 ? { kind: 'object', members: [pages, ...membersOf(query)] } : query
    )
  const recorded = [
    [0, 20],
    [20, 20]
  ].map(([at = 0, limit = 0]) => wiki.record(asked(at, limit), answered(at, limit)))
  for (const at of [0, 3]) {
    const said = ask(asked(at, 4), recorded)
    expect(said.kind === 'synthesized' && writeCompact(said.body, 'utf8')).toBe(
      writeCompact(answered(at, 4), 'utf8')
    )
  }
})
