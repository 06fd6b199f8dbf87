/** What is read of one answer, of its limit and of its rows, and how a rule writes a value: case by case. */
import { describe, expect, it } from 'vitest'
import type { Interaction } from '../../../src/recorder/cassette/interaction.ts'
import type { JsonTree } from '../../../src/recorder/json/json-tree.ts'
import { readJson } from '../../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import type { Listing } from '../../../src/recorder/paging/joining/listing.ts'
import { readListings } from '../../../src/recorder/paging/joining/listings.ts'
import {
  boundariesOf,
  countingRule,
  recordedParam
} from '../../../src/recorder/paging/joining/rule-check.ts'
import { coverageOf } from '../../../src/recorder/paging/listing-coverage.ts'
import {
  isFull,
  readBatch,
  singleAnswerOf
} from '../../../src/recorder/paging/reading/batch.ts'
import { type Driver, driverOf } from '../../../src/recorder/paging/reading/driver.ts'
import {
  acceptedLimit,
  limitForCaller,
  limitIn,
  limitShape
} from '../../../src/recorder/paging/reading/limits.ts'
import {
  batchStartOf,
  extractSiblings,
  insertSiblings
} from '../../../src/recorder/paging/reading/page-members.ts'
import { continueMembers } from '../../../src/recorder/paging/reading/split-answer.ts'
import {
  type Boundary,
  describeRule,
  isAmbiguous,
  isHidden,
  isRunningOffset,
  keyText,
  parseRule,
  predict,
  predictText,
  refineRule
} from '../../../src/recorder/paging/rules/continue-rule.ts'
import { explainedText } from '../../../src/recorder/paging/rules/explanation.ts'
import { deriveQuery, FakeWiki, facts, lettersWiki, recorded } from './fake-wiki.ts'

function tree(text: string): JsonTree {
  const read = readJson(text)
  if (!read.ok) throw new Error(text)
  return read.tree
}
const letters = lettersWiki()
const part = (at: number, limit: number | string, wiki = letters): Interaction =>
  wiki.record(wiki.partAt(at, limit, 'continue'))
const names = new Set(['apcontinue', 'continue'])

function batchesOf(...interactions: readonly Interaction[]): Listing['batches'] {
  const [listing] = readListings(interactions, facts).all()
  if (listing === undefined) throw new Error('expected a listing')
  return listing.batches
}
const driver = (query: string): Driver | string =>
  driverOf(deriveQuery(query).canonical, facts.lookup)

describe('the driver of a request', () => {
  it('is its one list, generator or prop with a limit', () => {
    const kinds = (query: string): unknown => {
      const said = driver(query)
      return typeof said === 'string'
        ? said
        : `${said.kind} ${said.module} ${said.prefix}`
    }
    expect(kinds('action=query&list=allpages')).toBe('list allpages ap')
    expect(kinds('action=query&generator=allpages')).toBe('generator allpages gap')
    expect(kinds('action=query&titles=A&prop=categories')).toBe('prop categories cl')
    expect(kinds('action=query&titles=A&prop=categories|info')).toBe('prop categories cl')
    expect(kinds('action=query&list=allpages&titles=A')).toBe('list allpages ap')
    expect(kinds('action=parse')).toBe('only action=query has listings')
    expect(kinds('action=query&generator=allpages&list=search')).toBe(
      'a generator together with a list'
    )
    expect(kinds('action=query&list=allpages|search')).toBe(
      'several lists in one request'
    )
    expect(kinds('action=query&list=allpages&titles=A&prop=categories')).toBe(
      'several lists in one request'
    )
    expect(kinds('action=query&prop=categories')).toBe('no list, no generator, no pages')
    expect(kinds('action=query&titles=A&prop=info')).toBe(
      'not one single prop module that pages its rows'
    )
    expect(kinds('action=query&titles=A&prop=categories|contributors')).toBe(
      'not one single prop module that pages its rows'
    )
    expect(kinds('action=query&list=strange')).toBe(
      'the wiki has not described query+strange'
    )
  })
})

describe('a limit', () => {
  const allpages = driver('action=query&list=allpages')
  if (typeof allpages === 'string') throw new Error(allpages)
  const limit = (sent: string, more: Readonly<Record<string, string>> = {}) =>
    limitIn(new Map([['aplimit', sent], ...Object.entries(more)]), allpages)

  it('is a number up to the maximum, `max`, or beyond', () => {
    expect(limit('500')).toEqual({ kind: 'number', sent: '500', rows: 500 })
    expect(limit('501')).toEqual({ kind: 'over', sent: '501', rows: 500 })
    expect(limit('501', { 'as user': 'Bob' })).toEqual({
      kind: 'over',
      sent: '501',
      rows: undefined
    })
    expect(limit('1')).toEqual({ kind: 'number', sent: '1', rows: 1 })
    expect(limit('0')).toEqual({ kind: 'over', sent: '0', rows: 1 })
    expect(limit('max')).toEqual({ kind: 'max', sent: 'max', rows: 500 })
    expect(limit('max', { 'as user': 'Bob' })).toEqual({
      kind: 'max',
      sent: 'max',
      rows: undefined
    })
    for (const sent of ['', '-1', '01', 'ten', '1000000'])
      expect(limit(sent)).toBe(`${sent} is not a limit`)
    expect(limitIn(new Map(), allpages)).toEqual({ kind: 'number', sent: '10', rows: 10 })
    const of = (limit: object | undefined) => {
      const parameters = new Map(
        limit && [['limit', limit]]
      ) as typeof allpages.description.parameters
      return limitIn(new Map(), {
        ...allpages,
        description: { ...allpages.description, parameters }
      })
    }
    expect(of(undefined)).toBe('allpages has no limit')
    expect(of({ name: 'limit' })).toBe('the default limit of allpages is not known')
  })

  it('that nobody warned of was the caller to have', () => {
    const over = { kind: 'over', sent: '5000', rows: undefined } as const
    expect(acceptedLimit(over, false)).toEqual({
      kind: 'number',
      sent: '5000',
      rows: 5000
    })
    expect(acceptedLimit(over, true)).toBe(over)
    expect(acceptedLimit({ ...over, rows: 500 }, false)).toEqual({
      kind: 'number',
      sent: '5000',
      rows: 5000
    })
    const zero = { kind: 'over', sent: '0', rows: 1 } as const
    expect(acceptedLimit(zero, false)).toBe(zero)
    const max = { kind: 'max', sent: 'max', rows: undefined } as const
    expect(acceptedLimit(max, false)).toBe(max)
  })

  it('of a caller is what recorded answers show', () => {
    const over = { kind: 'over', sent: '600', rows: undefined } as const
    const taken = { kind: 'number', sent: '600', rows: 600 }
    expect(limitForCaller(over, 600, undefined)).toEqual(taken)
    expect(limitForCaller(over, 599, undefined)).toBe(over)
    expect(limitForCaller(over, 0, 600)).toEqual(taken)
    expect(
      limitForCaller({ kind: 'max', sent: 'max', rows: undefined }, 9, 5000).rows
    ).toBe(5000)
    expect(limitForCaller({ kind: 'max', sent: 'max', rows: 7 }, 9, 5000).rows).toBe(7)
    expect(limitShape({ limit: over })).toBe('over 600')
    expect(limitShape({ limit: { ...over, kind: 'max' } })).toBe('max')
  })
})

const one = part(0, 4)

describe('an answer as a batch', () => {
  it('is one that was always the same, and that succeeded', () => {
    const [response] = one.responses
    expect(singleAnswerOf(one)).toBeDefined()
    expect(singleAnswerOf({ ...one, responses: [response, response] })).toBeUndefined()
    expect(
      singleAnswerOf({ ...one, responses: [{ ...response, status: 500 }] })
    ).toBeUndefined()
  })

  it('names its continuation parameters in both dialects', () => {
    const namesIn = (body?: JsonTree): readonly string[] =>
      continueMembers(body).map(({ key }) => key)
    expect(namesIn(tree('{"continue":{"apcontinue":"B","continue":"-||"}}'))).toEqual([
      'apcontinue'
    ])
    expect(namesIn(tree('{"query-continue":{"a":{"x":1},"b":{"y":2}}}'))).toEqual([
      'x',
      'y'
    ])
    expect(namesIn(undefined)).toEqual([])
  })

  it('is full where exactly as many rows came as were allowed', () => {
    const full = (interaction: Interaction): boolean | undefined => {
      const batch = readBatch(interaction, facts, names)
      return batch && isFull(batch)
    }
    expect(full(part(0, 4))).toBe(true)
    expect(full(part(23, 4))).toBe(false)
    // `max` came to what the answer says, and not to what is usual.
    const query = letters.partAt(0, 'max', 'continue')
    const said = (limits: string): Interaction =>
      recorded(
        query,
        tree(
          `{"continue":{"apcontinue":"C","continue":"-||"}${limits},"query":{"allpages":[{"title":"A"},{"title":"B"}]}}`
        )
      )
    expect(full(said(',"limits":{"allpages":2}'))).toBe(true)
    expect(full(said(',"limits":{"allpages":3}'))).toBe(false)
    expect(full(said(''))).toBe(false)
  })
})

describe('an answer as a full batch', () => {
  it('that does not say what `max` came to is full with as many rows as anybody may have', () => {
    const rows = (count: number): string =>
      Array.from({ length: count }, (_, at) => `{"title":"${at}"}`).join()
    const full = (count: number): boolean | undefined => {
      const text = `{"continue":{"apcontinue":"C","continue":"-||"},"query":{"allpages":[${rows(count)}]}}`
      const { canonical, ...one } = deriveQuery(
        letters.partAt(0, 'max', 'continue'),
        'authorized'
      )
      const interaction = {
        ...recorded(letters.partAt(0, 'max', 'continue'), tree(text)),
        key: one.key
      }
      const batch = readBatch(
        { ...interaction, request: canonical, sentValues: one.sentValues },
        facts,
        names
      )
      return batch && isFull(batch)
    }
    expect([499, 500, 501, 5000].map(full)).toEqual([false, true, false, true])
  })

  it('goes on nowhere known inside of a batch of a generator', () => {
    const at = (block: string): unknown => {
      const query =
        'action=query&format=json&generator=allpages&gaplimit=1&prop=categories&continue='
      const pages = '"query":{"pages":{"1":{"pageid":1,"ns":0,"title":"A"}}}'
      return readBatch(
        recorded(query, tree(`{${block}${pages}}`)),
        facts,
        new Set(['gapcontinue', 'clcontinue'])
      )?.continuesAt
    }
    expect(at('"continue":{"clcontinue":"1|X","continue":"||"},')).toBeUndefined()
    expect(at('"continue":{"gapcontinue":"B","continue":"gapcontinue||"},')).toContain(
      'B'
    )
    expect(at('')).toBeDefined()
  })
})

describe('continuations of batches', () => {
  it('have one name, or none that can be told', () => {
    const batches = batchesOf(part(0, 4), part(4, 4))
    expect(recordedParam(batches)).toBe('apcontinue')
    expect(recordedParam(batches.slice(0, 0))).toBeUndefined()
    const [first] = batches
    const values = new Map([
      ['apcontinue', tree('"B"')],
      ['apother', tree('"C"')]
    ])
    const two = {
      ...first,
      answer: { ...first.answer, next: { values, plainContinue: '' } }
    }
    expect(recordedParam([two])).toBeUndefined()
  })

  it('count rows only where each adds exactly its own', () => {
    const numbers = new FakeWiki(letters.rows, 'offset')
    const batches = batchesOf(part(0, 4, numbers), part(4, 5, numbers))
    expect(countingRule(batches)).toMatchObject({
      name: 'sroffset',
      rule: { numeric: true, boundaries: 2 }
    })
    const [first] = batches
    const hidden = {
      ...first,
      answer: { ...first.answer, rows: first.answer.rows.slice(1) }
    }
    expect(countingRule([hidden])).toBeUndefined()
    expect(countingRule(batchesOf(part(0, 4)))).toBeUndefined()
  })

  it('teach nothing where no row is recorded behind them', () => {
    const [listing] = readListings([part(0, 4), part(4, 4)], facts).all()
    if (listing === undefined) throw new Error('expected a listing')
    const told = boundariesOf(listing, listing.batches)
    expect(told.map(({ value }) => writeCompact(value, 'utf8'))).toEqual(['"Page_E"'])
    expect(writeCompact(told[0]?.row.item ?? tree('0'), 'utf8')).toContain('"Page E"')
  })
})

describe('members beside rows', () => {
  const page = (id: number, more = ''): string =>
    `{"pageid":${id},"ns":0,"title":"P${id}"${more}}`
  const beside = new Map([['P5', [{ key: 'anoncontributors', value: tree('3') }]]])
  const put = (
    begins: ReturnType<typeof batchStartOf>,
    text = `[${page(4)},${page(5)}]`
  ): string | undefined => {
    const said = insertSiblings(tree(`{"query":{"pages":${text}}}`), beside, begins)
    return said && writeCompact(said, 'utf8')
  }
  const withIt = `{"query":{"pages":[${page(4)},${page(5, ',"anoncontributors":3')}]}}`

  it('begin where the value says', () => {
    const at = (value: string): unknown => batchStartOf(new Map([['pccontinue', value]]))
    expect(batchStartOf(new Map())).toBe('start')
    expect([at('5|7'), at('5'), at('0|1')]).toEqual([5, 5, 0])
    expect([at('x|7'), at('5x'), at('1234567890123')]).toEqual([
      undefined,
      undefined,
      undefined
    ])
  })

  it('stand on pages that the batch begins with or has still to come to', () => {
    expect(put('start')).toBe(withIt)
    expect(put(4)).toBe(withIt)
    expect(put(5)).toBe(withIt)
    expect(put(6)).toBe(`{"query":{"pages":[${page(4)},${page(5)}]}}`)
    expect(put(undefined)).toBeUndefined()
    expect(put(undefined, `[${page(4)}]`)).toBe(`{"query":{"pages":[${page(4)}]}}`)
    expect(put(5, '[{"ns":0,"title":"P5"}]')).toBeUndefined()
  })

  it('are taken only where every batch shows them so', () => {
    const query =
      'action=query&format=json&titles=P5&prop=contributors&pclimit=1&continue='
    const answer = (said: number, more: string, rows: string): JsonTree =>
      tree(
        `{${more}"query":{"pages":{"5":${page(5, `,"anoncontributors":${said},"contributors":[${rows}]`)}}}}`
      )
    const more = '"continue":{"pccontinue":"5|2","continue":"||"},'
    const first = recorded(query, answer(3, more, '{"userid":1}'))
    const second = (said: number): Interaction =>
      recorded(`${query}||&pccontinue=5|2`, answer(said, '', '{"userid":2}'))
    const read = (...all: readonly Interaction[]) => {
      const [one, ...rest] = all.flatMap(
        (it) => readBatch(it, facts, new Set(['pccontinue'])) ?? []
      )
      return one && extractSiblings([one, ...rest])
    }
    expect([...(read(first, second(3))?.siblings.keys() ?? [])]).toEqual(['P5'])
    expect(read(first, second(4))).toBeUndefined()
    expect(read(second(3))).toBeUndefined()
  })
})

const item = tree(
  '{"pageid":7,"ns":4,"title":"Talk:A b","timestamp":"2020-01-02T03:04:05Z","user":"Eve"}'
)

const subject = { item, page: tree('{"pageid":9,"title":"P"}') }

describe('a rule', () => {
  const text = (...parts: readonly string[]): string | undefined =>
    predictText(parseRule(parts), subject)

  it('writes parts as they are spelled', () => {
    expect(text('ns', 'title:db-key')).toBe('4|Talk:A_b')
    expect(text('title:db-key-without-namespace')).toBe('A_b')
    expect(text('timestamp:digits-of-time', 'pageid')).toBe('20200102030405|7')
    expect(text('ns:category-type')).toBe('page')
    expect(text("'x'", 'page.pageid')).toBe('x|9')
    expect(text('pageid:db-key')).toBeUndefined()
    expect(text('title', 'nothing')).toBeUndefined()
    expect(text('?')).toBeUndefined()
    expect([
      predictText(parseRule(['#']), subject),
      predictText(parseRule(['#']), subject, 0)
    ]).toEqual([undefined, '0'])
    expect(text('title:category-type')).toBeUndefined()
    expect(
      predictText(parseRule(['ns:category-type']), { item: tree('{"ns":14}') })
    ).toBe('subcat')
    expect(predictText(parseRule(['ns:category-type']), { item: tree('{"ns":6}') })).toBe(
      'file'
    )
    expect(predictText(parseRule(['']), { item: tree('"A"') })).toBe('A')
  })

  it('takes the namespace off where there is one, and is silent where none shows', () => {
    const key = (row: string): unknown =>
      predictText(parseRule(['title:db-key-without-namespace']), { item: tree(row) })
    expect(key('{"ns":0,"title":"A:b"}')).toBe('A:b')
    expect(key('{"ns":4,"title":"T:A:b"}')).toBe('A:b')
    expect(key('{"ns":4,"title":":b"}')).toBe('b')
    expect(key('{"ns":4,"title":"Ab"}')).toBeUndefined()
    expect(key('{"title":"A:b"}')).toBeUndefined()
  })

  it('speaks only where its explanations agree', () => {
    expect(text("user&'Eve'")).toBe('Eve')
    expect(text("user&'Bob'")).toBeUndefined()
    expect(isAmbiguous(parseRule(['ns', "user&'Eve'"]))).toBe(true)
    expect(isAmbiguous(parseRule(['ns', 'user']))).toBe(false)
    expect([
      isHidden(parseRule(['?'])),
      isHidden(parseRule(['?', 'ns'])),
      isHidden(parseRule(['ns']))
    ]).toEqual([true, false, false])
    expect([
      isRunningOffset(parseRule(['#'])),
      isRunningOffset(parseRule(['#', 'ns']))
    ]).toEqual([true, false])
    expect([
      explainedText({ kind: 'offset' }, subject, 3),
      explainedText({ kind: 'offset' }, subject)
    ]).toEqual(['3', undefined])
  })
})

describe('a rule of numbers and times', () => {
  it('writes numbers where the wiki does', () => {
    expect(predict(parseRule(['pageid'], true), subject)).toEqual(tree('7'))
    expect(predict(parseRule(['pageid']), subject)).toEqual(tree('"7"'))
    expect(predict(parseRule(['nothing']), subject)).toBeUndefined()
  })

  it('is said in words', () => {
    expect(
      describeRule(
        parseRule(['ns', 'title:db-key', "'x'", '#', '?', '?user', 'page.pageid', ''])
      )
    ).toBe(
      'ns | title as DB key | "x" | running offset | hidden | hidden, one for each user | page pageid | value'
    )
    expect(describeRule(parseRule(["'x'&ns"]))).toBe('ns')
  })

  it('begins with a text of the row in these spellings alone', () => {
    const key = (part0: string): unknown =>
      keyText(parseRule([part0, 'pageid']), subject, ['itself', 'db-key'])
    expect(key('user')).toBe('Eve')
    expect(key('title:db-key')).toBe('Talk:A_b')
    expect(key('title:db-key-without-namespace')).toBeUndefined()
    expect(key('page.title')).toBeUndefined()
    expect(key('pageid')).toBeUndefined()
    expect(key("'x'")).toBeUndefined()
    expect(key("user&'Eve'")).toBeUndefined()
  })

  it('learns what rows share, and is given up where a boundary contradicts it', () => {
    const told = (value: string, row: string): Boundary => ({
      value: tree(value),
      row: { item: tree(row) }
    })
    const rule = parseRule(['?user', 'revid'])
    const eve = told('"3|7"', '{"user":"Eve","revid":7}')
    const next = { item: tree('{"user":"Eve","revid":8}') }
    const filled = refineRule(rule, [eve])
    expect(filled && predictText(filled, next)).toBe('3|8')
    expect(filled?.boundaries).toBe(1)
    expect(
      refineRule(rule, [eve, told('"4|9"', '{"user":"Eve","revid":9}')])
    ).toBeUndefined()
    expect(
      refineRule(rule, [eve, told('"4|9"', '{"user":"Bob","revid":9}')])
    ).toBeDefined()
    expect(refineRule(rule, [told('"3|8"', '{"user":"Eve","revid":7}')])).toBeUndefined()
    expect(
      refineRule(rule, [told('"3|7|1"', '{"user":"Eve","revid":7}')])
    ).toBeUndefined()
    expect(refineRule(rule, [told('"3|7"', '{"revid":7}')])).toBeDefined()
    expect(refineRule(parseRule(['revid']), [told('7', '{"revid":7}')])).toBeUndefined()
    expect(
      refineRule(parseRule(['revid'], true), [told('7', '{"revid":7}')])
    ).toBeDefined()
    expect(
      refineRule(parseRule(['nothing']), [told('"7"', '{"revid":7}')])
    ).toBeUndefined()
    expect(refineRule(parseRule(['#'], true), [told('7', '{"revid":7}')])).toBeDefined()
    expect(refineRule(parseRule(['?']), [told('"a|b|c"', '{}')])).toBeDefined()
    expect(
      refineRule(parseRule(['?', 'revid']), [told('"a|7"', '{"revid":7}')])
    ).toBeDefined()
    expect(
      refineRule(parseRule(['?', 'revid']), [told('"a|8"', '{"revid":7}')])
    ).toBeUndefined()
  })
})

describe('coverage in names', () => {
  const intervals = (rows: string): unknown => {
    const query = 'action=query&format=json&list=allpages&aplimit=9&continue='
    const [listing] = readListings(
      [recorded(query, tree(`{"query":{"allpages":[${rows}]}}`))],
      facts
    ).all()
    return listing && coverageOf(listing).intervals
  }
  const whole = { fromStart: true, toEnd: true }

  it('calls a row by its name and its time, or by its text, cut where it is long', () => {
    const time = '2020-01-02T03:04:05Z'
    expect(intervals(`{"title":"A"},{"name":"B","timestamp":"${time}"}`)).toEqual([
      { items: 2, first: 'A', last: `B (${time})`, ...whole }
    ])
    expect(intervals(`"text",{"n":1}`)).toEqual([
      { items: 2, first: 'text', last: '{"n":1}', ...whole }
    ])
    expect(intervals(`"${'a'.repeat(60)}","${'b'.repeat(61)}"`)).toEqual([
      { items: 2, first: 'a'.repeat(60), last: `${'b'.repeat(60)}…`, ...whole }
    ])
    expect(intervals('')).toEqual([{ items: 0, first: '', last: '', ...whole }])
  })

  it('puts the start first, the end last, and the rest by name', () => {
    const [listing] = readListings(
      [part(20, 5), part(15, 2), part(9, 2), part(0, 3)],
      facts
    ).all()
    if (listing === undefined) throw new Error('expected a listing')
    const coverage = coverageOf(listing)
    expect(coverage.intervals.map(({ first }) => first)).toEqual([
      'Page A',
      'Page J',
      'Page P',
      'Page U'
    ])
    expect(coverage.gaps).toEqual([
      { after: 'Page C', before: 'Page J' },
      { after: 'Page K', before: 'Page P' },
      { after: 'Page Q', before: 'Page U' }
    ])
    expect(coverage.complete).toBe(false)
  })
})
