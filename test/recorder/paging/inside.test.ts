/** Inside of one batch of a generator, where its props take several answers: what is given, and why nothing is. */
import { describe, expect, it } from 'vitest'
import type { Interaction } from '../../../src/recorder/cassette/interaction.ts'
import { readJson } from '../../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import { Listings, readListings } from '../../../src/recorder/paging/joining/listings.ts'
import { synthesize } from '../../../src/recorder/paging/synthesize.ts'
import {
  type Derivation,
  derive,
  type WikiFacts
} from '../../../src/recorder/request/derive.ts'
import { bundledLookup } from '../../../src/recorder/wiki/modules/module-descriptions.ts'
import { decodeSiteinfo } from '../../../src/recorder/wiki/site/site-facts.ts'
import { apiRequest } from '../../helpers/api-requests.ts'
import { readSample } from '../../helpers/described-wikis.ts'
import { recordedAs } from './fake-wiki.ts'

const facts: WikiFacts = {
  lookup: bundledLookup('MediaWiki 1.43.9'),
  site: decodeSiteinfo(readSample('1.43').site)
}
/** The same wiki, of whose version nothing is believed. */
const learned: WikiFacts = { ...facts, trust: 'learned' }

type Recorded = readonly (readonly [query: string, answer: string])[]

const deriveIn = (query: string, by: WikiFacts): Derivation =>
  derive(apiRequest(`action=query&format=json&${query}`), by)

function record([query, answer]: Recorded[number], by: WikiFacts): Interaction {
  const reading = readJson(answer)
  if (!reading.ok) throw new Error(reading.fault.message)
  return recordedAs(deriveIn(query, by), reading.tree)
}

const read = (recorded: Recorded, by: WikiFacts = facts): Listings =>
  readListings(
    recorded.map((one) => record(one, by)),
    by
  )

/** The answer, or why there is none. */
function ask(
  query: string,
  recorded: Recorded | Listings,
  by: WikiFacts = facts
): string {
  const listings = recorded instanceof Listings ? recorded : read(recorded, by)
  const said = synthesize(deriveIn(query, by), listings, by)
  if (said.kind === 'synthesized') return writeCompact(said.body, 'utf8')
  return said.kind === 'conflict' ? said.what : said.why
}

/** Pages in the order of their titles, which is not that of their ids, with their categories. */
const pages = [
  { id: 6, title: 'A', rows: ['X', 'Y'] },
  { id: 2, title: 'B', rows: [] },
  { id: 4, title: 'C', rows: ['U', 'V', 'W'] },
  { id: 7, title: 'D', rows: ['Z'] },
  { id: 5, title: 'E', rows: ['X', 'Y'] }
] as const

interface Asked {
  /** The page that the batch begins with, how many there are, and how many of their rows one answer has. */
  readonly at: number
  readonly size: number
  readonly rows: number
  /** Where inside of the batch it goes on. */
  readonly inner?: string
  readonly raw?: boolean
}

function queryOf({ at, size, rows, inner, raw = false }: Asked, more = ''): string {
  const outer = at === 0 ? '' : `&gapcontinue=${pages[at]?.title}`
  const going = at === 0 ? (inner === undefined ? '' : '||') : 'gapcontinue||'
  const said = raw ? '&rawcontinue=' : `&continue=${going}`
  const inside = inner === undefined ? '' : `&clcontinue=${inner}`
  return `generator=allpages&gaplimit=${size}&prop=categories&cllimit=${rows}${more}${said}${outer}${inside}`
}

/** What the wiki says: rows by page id, from that value on. Source: ApiQueryCategories */
function answerOf({ at, size, rows: limit, inner = '0|', raw = false }: Asked): string {
  const [fromId = '', fromName = ''] = inner.split('|')
  const batch = pages.slice(at, at + size)
  const all = batch
    .toSorted((a, b) => a.id - b.id)
    .flatMap(({ id, rows }) => rows.map((name) => ({ id, name })))
  const left = all.filter(
    ({ id, name }) => id > Number(fromId) || (id === Number(fromId) && name >= fromName)
  )
  const shown = left.slice(0, limit)
  const next = left[limit]
  const more = pages[at + size]
  const inside = next && { clcontinue: `${next.id}|${next.name}` }
  const outer = more && { gapcontinue: more.title }
  const repeated = at === 0 ? {} : { gapcontinue: pages[at]?.title }
  const going = inside
    ? { ...inside, ...repeated, continue: at === 0 ? '||' : 'gapcontinue||' }
    : outer && { ...outer, continue: 'gapcontinue||' }
  const groups = {
    ...(inside && { categories: inside }),
    ...(outer && { allpages: outer })
  }
  const head = raw
    ? Object.keys(groups).length > 0 && { 'query-continue': groups }
    : { ...(!inside && { batchcomplete: '' }), ...(going && { continue: going }) }
  const written = batch.map(({ id, title }) => {
    const own = shown
      .filter((row) => row.id === id)
      .map(({ name }) => ({ ns: 14, title: `Категория:${name}` }))
    return `"${id}":${JSON.stringify({ pageid: id, ns: 0, title, ...(own.length > 0 && { categories: own }) })}`
  })
  return JSON.stringify({ ...head, query: { pages: 0 } }).replace(
    '"pages":0',
    `"pages":{${written.join()}}`
  )
}

/** All answers from the first page to the last. */
function walk(size: number, rows: number, raw = false): Recorded {
  const steps: [string, string][] = []
  for (let at = 0; at < pages.length; at += size) {
    for (
      let inner: string | undefined, first = true;
      first || inner !== undefined;
      first = false
    ) {
      const asked = { at, size, rows, raw, ...(inner !== undefined && { inner }) }
      const body = answerOf(asked)
      steps.push([queryOf(asked), body])
      inner = /"clcontinue":"([^"]*)"/.exec(body)?.[1]
    }
  }
  return steps
}

const expectTrue = (asked: Asked, recorded: Recorded | Listings, by = facts): void =>
  expect(ask(queryOf(asked), recorded, by)).toBe(answerOf(asked))

describe('a part of a batch', () => {
  it.each([false, true])(
    'is what the wiki gives, at any size and place, raw %s',
    (raw) => {
      const recorded = read(walk(3, 2, raw))
      for (const size of [1, 2, 3, 5])
        for (const at of [0, 2, 3])
          for (const inner of [
            undefined,
            ...(at === 0 ? ['6|Y'] : []),
            ...(at === 2 ? ['4|V', '4|W'] : [])
          ])
            expectTrue(
              { at, size, rows: 2, raw, ...(inner !== undefined && { inner }) },
              recorded
            )
    }
  )

  it('is learned of recorded parts where nothing is known of the version', () => {
    expectTrue({ at: 0, size: 5, rows: 2 }, walk(3, 2), learned)
    expectTrue({ at: 2, size: 2, rows: 2, inner: '4|W' }, walk(3, 2), learned)
    expect(ask(queryOf({ at: 0, size: 5, rows: 3 }), walk(1, 3), learned)).toBe(
      'no recording proves how its props continue inside a batch'
    )
    expect(ask(queryOf({ at: 0, size: 5, rows: 3 }), walk(1, 3))).toBe(
      'the order of its pages in the response is not proven'
    )
  })

  it('is of the prop that the values belong to, and of recorded parts that are as long as they may be', () => {
    const both = (query: string): string => {
      const said = query.replace('prop=categories', 'prop=links|categories')
      return query.includes('clcontinue') ? said.replace('||', '||links') : said
    }
    const done = (body: string): string =>
      body.includes('clcontinue') ? body.replace('||"', '||links"') : body
    const recorded = walk(3, 2).map(([query, body]) => [both(query), done(body)] as const)
    const asked = { at: 0, size: 5, rows: 2 }
    expect(ask(both(queryOf(asked)), recorded, learned)).toBe(done(answerOf(asked)))
    const [first, second, ...others] = walk(3, 2)
    const shorter = (body = ''): string =>
      body.replace(',{"ns":14,"title":"Категория:V"}', '')
    expect(first?.[1]).not.toBe(shorter(first?.[1]))
    const tampered: Recorded = [
      [first?.[0] ?? '', shorter(first?.[1])],
      second ?? ['', ''],
      ...others
    ]
    expect(ask(queryOf({ at: 0, size: 5, rows: 2 }), tampered, learned)).toBe(
      'no recording proves how its props continue inside a batch'
    )
  })
})

describe('a part of a batch and its place', () => {
  it('may begin at a page that this batch has not: rows of all pages with greater ids are left', () => {
    const recorded = read(walk(5, 2))
    for (const inner of ['0|A', '1|A', '3|A', '8|A', '123456789012|A'])
      expectTrue({ at: 0, size: 5, rows: 2, inner }, recorded)
    expectTrue({ at: 2, size: 2, rows: 2, inner: '5|X' }, recorded)
  })

  it('begins nowhere where the value names no row of a page that is there, or nothing of that form', () => {
    const recorded = read(walk(5, 2))
    for (const inner of ['4|A', '2|A', '4', '3|A|B', 'x|A', '1234567890123|A'])
      expect([inner, ask(queryOf({ at: 0, size: 5, rows: 2, inner }), recorded)]).toEqual(
        [inner, 'no row inside this batch has that continue value']
      )
  })

  it('has the `continue` that goes with its place', () => {
    const asked = queryOf({ at: 2, size: 2, rows: 2, inner: '4|W' })
    const names = 'its continue parameter names other modules than recorded'
    expect(ask(asked.replace('continue=gapcontinue||', 'continue=||'), walk(3, 2))).toBe(
      names
    )
    expect(
      ask(
        asked.replace('continue=gapcontinue||', 'continue=gapcontinue||info'),
        walk(3, 2)
      )
    ).toBe(names)
    const first = queryOf({ at: 0, size: 5, rows: 2 })
    expect(ask(first.replace('&continue=', ''), walk(3, 2))).toBe(
      answerOf({ at: 0, size: 5, rows: 2 })
    )
    expect(ask(first.replace('&continue=', '&continue=||'), walk(3, 2))).toBe(names)
  })

  it('is told of a limit of the generator that is a number, and of no other', () => {
    for (const size of ['max', '501'])
      expect(
        ask(
          queryOf({ at: 0, size: 5, rows: 2 }).replace('gaplimit=5', `gaplimit=${size}`),
          walk(3, 2)
        )
      ).toBe('what such a limit adds to a part of a batch is not recorded')
  })

  it('ends where the recording ends', () => {
    const recorded = read(walk(3, 2).slice(0, 3))
    expectTrue({ at: 0, size: 2, rows: 2 }, recorded)
    expect(ask(queryOf({ at: 0, size: 4, rows: 2 }), recorded)).toBe(
      'the recording ends before'
    )
  })
})

describe('what is beside a prop', () => {
  const d = answerOf({ at: 3, size: 1, rows: 2 })
  const e = answerOf({ at: 4, size: 1, rows: 2 })
  const asked = (at: number, size: number): string =>
    queryOf({ at, size, rows: 2 }).replace(
      'prop=categories',
      'prop=categories|links&pllimit=2'
    )
  const linked = (body: string, count: number): string => {
    const links = JSON.stringify(
      Array.from({ length: count }, (_, nth) => ({ ns: 0, title: `L${nth}` }))
    )
    return body.replaceAll(/("title":"[A-E]")/g, `$1,"links":${links}`)
  }
  const recorded = (count: number): Recorded => [
    [asked(0, 2), linked(answerOf({ at: 0, size: 2, rows: 2 }), 1)],
    [asked(3, 1), linked(d, count)],
    [asked(4, 1), linked(e, count)]
  ]

  it('and fits into one answer is in the first', () => {
    expect(ask(asked(3, 2), recorded(1))).toBe(
      linked(answerOf({ at: 3, size: 2, rows: 2 }), 1).replace(
        'gapcontinue||',
        'gapcontinue||links'
      )
    )
  })

  it('and does not fit leaves open which of both goes on', () => {
    expect(ask(asked(3, 2), recorded(2))).toBe(
      'no recording proves how its props continue inside a batch'
    )
  })

  it('and may be said once or each time lets nothing be told of a later part', () => {
    const all = queryOf({ at: 0, size: 5, rows: 3 }).replace('cllimit=3', 'cllimit=max')
    const body = answerOf({ at: 0, size: 5, rows: 9 }).replace(
      '"query"',
      '"limits":{"categories":500},"query"'
    )
    expect(
      ask(all.replace('continue=', 'continue=||&clcontinue=4|V'), [[all, body]])
    ).toBe('members besides its pages may come with the first answer only')
  })
})

describe('files and their duplicates', () => {
  const files = ['A.png', 'B.png', 'C.png']
  const others = (file: string): readonly string[] => files.filter((one) => one !== file)
  const value = (at: number): string => `${files[at]}`
  const asked = (at: number, size: number, inner?: string): string =>
    `generator=allimages&gailimit=${size}&prop=duplicatefiles&dflimit=2&continue=${[
      ...(at === 0 ? [] : [`gaicontinue||&gaicontinue=${value(at)}`]),
      ...(inner === undefined ? [] : [`||&dfcontinue=${inner}`])
    ].join('')}`
  /** A batch in which those rows are shown. */
  const batch = (
    at: number,
    size: number,
    next: object,
    shown: readonly string[]
  ): string => {
    const pages = files.slice(at, at + size).map((file) => {
      const own = others(file).filter((name) => shown.includes(`${file}|${name}`))
      const id = files.indexOf(file) + 1
      const rows = own.length > 0 && {
        duplicatefiles: own.map((name) => ({ name, timestamp: 'T', shared: '' }))
      }
      return `"${id}":${JSON.stringify({ pageid: id, ns: 6, title: `Файл:${file}`, ...rows })}`
    })
    return JSON.stringify({ ...next, query: { pages: 0 } }).replace(
      '"pages":0',
      `"pages":{${pages.join()}}`
    )
  }
  const goingOn = (at: number): object =>
    at < files.length
      ? {
          batchcomplete: '',
          continue: { gaicontinue: value(at), continue: 'gaicontinue||' }
        }
      : { batchcomplete: '' }
  const all = files.flatMap((file) => others(file).map((name) => `${file}|${name}`))
  const recorded: Recorded = files.map((_, at) => [
    asked(at, 1),
    batch(at, 1, goingOn(at + 1), all)
  ])
  const from = (dfcontinue: string): object => ({
    continue: { dfcontinue, continue: '||' }
  })

  it('go on by the names of both', () => {
    expect(ask(asked(0, 3), recorded)).toBe(
      batch(0, 3, from('B.png|A.png'), all.slice(0, 2))
    )
    expect(ask(asked(0, 3, 'B.png|A.png'), recorded)).toBe(
      batch(0, 3, from('C.png|A.png'), all.slice(2, 4))
    )
    expect(ask(asked(0, 3, 'C.png|A.png'), recorded)).toBe(
      batch(0, 3, goingOn(3), all.slice(4))
    )
  })

  it('pass over rows as long as either name is less, also where no row is named', () => {
    expect(ask(asked(0, 3, 'B.png|B.png'), recorded)).toBe(
      batch(0, 3, from('C.png|B.png'), [all[3] ?? '', all[4] ?? ''])
    )
    expect(ask(asked(0, 2, 'B.png|D.png'), recorded)).toBe(batch(0, 2, goingOn(2), []))
  })

  it('are not known to do so backwards', () => {
    const back = (query: string): string => `${query}&dfdir=descending`
    const turned = recorded.map(([query, body]) => [back(query), body] as const)
    expect(ask(back(asked(0, 3, 'B.png|B.png')), turned)).toBe(
      'no recording proves how its props continue inside a batch'
    )
  })
})

describe('a generator and a prop of one module', () => {
  const linked = ['A', 'B', 'C'].map((title, at) => ({ id: 11 + at, title }))
  const rows = ['X', 'Y'].map((title) => ({ ns: 0, title }))
  const query = (size: number, at = 0): string => {
    const from = at === 0 ? '' : `&gplcontinue=1|0|${linked[at]?.title}`
    return `generator=links&titles=Z&prop=links&pllimit=3&rawcontinue=&gpllimit=${size}${from}`
  }
  const answer = (
    size: number,
    at: number,
    next: object | undefined,
    last = rows
  ): string => {
    const shown = linked.slice(at, at + size).map(({ id, title }, nth) => {
      return [
        id,
        { pageid: id, ns: 0, title, links: nth === size - 1 ? last : rows }
      ] as const
    })
    const head = next && { 'query-continue': { links: next } }
    return JSON.stringify({ ...head, query: { pages: Object.fromEntries(shown) } })
  }

  it('have one group of values in the old dialect', () => {
    const recorded = linked.map((_, at): readonly [string, string] => {
      const next = linked[at + 1]
      return [query(1, at), answer(1, at, next && { gplcontinue: `1|0|${next.title}` })]
    })
    const both = { plcontinue: '12|0|Y', gplcontinue: '1|0|C' }
    expect(ask(query(2), recorded)).toBe(answer(2, 0, both, rows.slice(0, 1)))
  })
})
