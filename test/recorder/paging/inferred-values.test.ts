/** Parts of continue values that no row shows, told by other recordings of the same wiki. */
import { describe, expect, test } from 'vitest'
import type { Interaction } from '../../../src/recorder/cassette/interaction.ts'
import { memberAt, textOf } from '../../../src/recorder/json/json-tree.ts'
import { readJson } from '../../../src/recorder/json/read-json.ts'
import {
  type Listings,
  readListings
} from '../../../src/recorder/paging/joining/listings.ts'
import { synthesize } from '../../../src/recorder/paging/synthesize.ts'
import {
  type Derivation,
  derive,
  type WikiFacts
} from '../../../src/recorder/request/derive.ts'
import { epochParam } from '../../../src/recorder/request/scoped-keys.ts'
import { decodeModule } from '../../../src/recorder/wiki/modules/module-descriptions.ts'
import { apiRequest } from '../../helpers/api-requests.ts'
import { factsOfWiki } from '../../helpers/described-wikis.ts'
import { recordedAs } from './fake-wiki.ts'

const limit = {
  name: 'limit',
  type: 'limit',
  default: 10,
  min: 1,
  max: 500,
  highmax: 5000
}
const described = [
  ['links', 'pl', 'prop', []],
  ['usercontribs', 'uc', 'list', [{ name: 'user', type: 'user', multi: true }]]
] as const
const own = new Map(
  described.map(([name, prefix, group, more]) => {
    const parameters = [
      limit,
      { name: 'continue', type: 'string' },
      { name: 'dir', type: ['older', 'newer'], default: 'older' },
      ...more
    ]
    return [
      `query+${name}`,
      decodeModule({ path: `query+${name}`, prefix, group, generator: true, parameters })
    ]
  })
)
const { lookup, site } = factsOfWiki('1.43')
const facts: WikiFacts = { site, lookup: (path) => own.get(path) ?? lookup(path) }

const asked = (query: string): Derivation =>
  derive(apiRequest(`action=query&format=json&${query}`), facts)

function recorded(query: string, answer: object): Interaction {
  const reading = readJson(JSON.stringify(answer))
  if (!reading.ok) throw new Error(reading.fault.message)
  return recordedAs(asked(query), reading.tree)
}

/** How an answer to that question goes on. */
function next(
  query: string,
  param: string,
  ...held: readonly Interaction[]
): string | undefined {
  return nextOf(query, param, readListings(held, facts))
}

function nextOf(query: string, param: string, listings: Listings): string | undefined {
  const said = synthesize(asked(query), listings, facts)
  return said.kind === 'synthesized'
    ? textOf(memberAt(said.body, 'continue', param))
    : said.kind
}

describe('the page that a generator takes its rows from', () => {
  const page = (pageid: number, title: string): object => ({
    [pageid]: { pageid, ns: 0, title }
  })
  const linked = { ...page(3, 'А'), ...page(5, 'Б'), ...page(9, 'В') }
  const whole = (more: string): Interaction =>
    recorded(`generator=links&gpllimit=500&continue=&${more}`, {
      batchcomplete: '',
      query: { pages: linked }
    })
  const info = (pageid: number, more = ''): Interaction =>
    recorded(`titles=Узел&prop=info${more}`, {
      batchcomplete: '',
      query: { pages: page(pageid, 'Узел') }
    })
  const ask = (more: string, ...held: readonly Interaction[]): string | undefined =>
    next(
      `generator=links&gpllimit=1&continue=&${more}`,
      'gplcontinue',
      whole(more),
      ...held
    )

  test('is known by any answer that shows it', () => {
    expect(ask('titles=Узел')).toMatch(/^wikitape-/)
    expect(ask('titles=Узел', info(7))).toBe('7|0|Б')
    expect(ask('titles=Другой', info(7))).toMatch(/^wikitape-/)
  })

  test('is known by an answer of another folder, which is read only when it is needed', () => {
    let read = 0
    const others = (): readonly Interaction[] => {
      read += 1
      return [info(7)]
    }
    const first = (more: string): string | undefined =>
      nextOf(
        `generator=links&gpllimit=1&continue=&${more}`,
        'gplcontinue',
        readListings([whole(more)], facts, others)
      )
    expect([first('pageids=12'), read]).toEqual(['12|0|Б', 0])
    expect([first('titles=Узел'), read]).toEqual(['7|0|Б', 1])
  })

  test('is another after a write than before it', () => {
    const { request, ...rest } = info(7)
    const later = { ...rest, request: new Map([...request, [epochParam, 'x']]) }
    expect(ask('titles=Узел', later)).toMatch(/^wikitape-/)
  })

  test('is not known where answers disagree, or where redirects lead to another', () => {
    expect(ask('titles=Узел', info(7), info(8, '&inprop=url'))).toMatch(/^wikitape-/)
    expect(ask('titles=Узел&redirects=', info(7))).toBe('refused')
    expect(ask('titles=Узел&converttitles=', info(7))).toBe('refused')
  })

  test('is named by its id', () => {
    expect(ask('pageids=12')).toBe('12|0|Б')
    expect(ask('pageids=12|13')).toBe('outside')
    expect(ask('pageids=012')).toMatch(/^wikitape-/)
  })
})

describe('the actor of a user', () => {
  const row = (user: string, revid: number): object => ({
    user,
    revid,
    timestamp: `2020-01-01T00:00:0${revid}Z`
  })
  const contributions = (
    users: string,
    rows: readonly object[],
    value?: string
  ): Interaction =>
    recorded(
      `list=usercontribs&ucuser=${users}&uclimit=${value === undefined ? 500 : rows.length}&continue=`,
      {
        batchcomplete: '',
        ...(value === undefined
          ? {}
          : { continue: { uccontinue: value, continue: '-||' } }),
        query: { usercontribs: rows }
      }
    )
  const followed = (users: string, actor: number): readonly Interaction[] => [
    contributions(users, [row('Eve', 9)], `actor|${actor}|20200101000008|8`),
    recorded(
      `list=usercontribs&ucuser=${users}&uclimit=1&continue=-||&uccontinue=actor|${actor}|20200101000008|8`,
      { batchcomplete: '', query: { usercontribs: [row('Bob', 8)] } }
    )
  ]
  const ask = (...held: readonly Interaction[]): string | undefined => {
    const whole = contributions('Bob|Ada', [row('Ada', 6), row('Bob', 5), row('Bob', 4)])
    return next(
      'list=usercontribs&ucuser=Bob|Ada&uclimit=1&continue=',
      'uccontinue',
      whole,
      ...held
    )
  }

  test('told by a boundary of one listing holds in another', () => {
    expect(ask()).toMatch(/^wikitape-/)
    expect(ask(...followed('Eve|Bob', 3))).toBe('actor|3|20200101000005|5')
  })

  test('is not known where listings disagree', () => {
    expect(ask(...followed('Eve|Bob', 3), ...followed('Bob|Zoe', 4))).toMatch(
      /^wikitape-/
    )
  })
})
