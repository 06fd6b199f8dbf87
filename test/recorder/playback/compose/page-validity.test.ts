/** What a session did before: where its answers stand, and which of its writes concern a request. */
import { describe, expect, it } from 'vitest'
import {
  type Mode,
  mayAskWiki,
  modes,
  narrowMode,
  parseMode
} from '../../../../src/recorder/playback/decide.ts'
import {
  equivalentDerivations,
  hasFailed,
  responseAt,
  Session,
  writeDependencyOf
} from '../../../../src/recorder/playback/session/session.ts'
import {
  epochAfter,
  type SessionWrite
} from '../../../../src/recorder/playback/session/write-log.ts'
import { derive } from '../../../../src/recorder/request/derive.ts'
import { parseRequestKey } from '../../../../src/recorder/request/request-key.ts'
import { apiRequest } from '../../../helpers/api-requests.ts'
import { factsOfWiki } from '../../../helpers/described-wikis.ts'
import { jsonBody, response } from '../../../helpers/recorded.ts'

const facts = factsOfWiki('1.43')

/** A write of one page, by a number. */
function write(number: number, title: string): SessionWrite {
  const key = parseRequestKey(number.toString(16).padStart(12, '0'))
  if (key === undefined) throw new Error(`${number} is no key`)
  const writeSet = {
    ...({ kind: 'pages' } as const),

    titles: new Set([title]),
    ids: new Set<string>()
  }
  return { key, writeSet }
}

describe('a mode that one request wishes for', () => {
  const order: readonly Mode[] = [
    'none',
    'passthrough',
    'once',
    'new_episodes',
    'all',
    'update'
  ]

  it('is taken where it reaches no further than that of the run', () => {
    expect([...order].sort()).toEqual([...modes].sort())
    for (const [at, run] of order.entries())
      for (const [to, wish] of order.entries())
        expect(narrowMode(run, wish)).toBe(to <= at ? wish : run)
  })
})

describe('words for a mode', () => {
  it('are those that are known', () => {
    expect(['none', 'update', 'some', undefined].map(parseMode)).toEqual([
      'none',
      'update',
      undefined,
      undefined
    ])
    expect(modes.filter((mode) => !mayAskWiki(mode))).toEqual(['none'])
  })
})

describe('a status', () => {
  it('from 400 on, or a header, says that nothing was done', () => {
    const answered = (
      status: number,
      headers: readonly (readonly [string, string])[] = []
    ) => hasFailed(response(jsonBody('{}'), { status, headers: new Map(headers) }))
    expect([200, 399, 400, 503].map((status) => answered(status))).toEqual([
      false,
      false,
      true,
      true
    ])
    expect(answered(200, [['mediawiki-api-error', 'badtoken']])).toBe(true)
  })
})

describe('a set of writes', () => {
  const keys = (count: number): readonly SessionWrite[] =>
    Array.from({ length: count }, (_, at) => write(at + 1, 'A'))

  it('is named by all of them in the order made, or counted where they are many', () => {
    expect(epochAfter([], true)).toBe('')
    expect(epochAfter([write(2, 'A'), write(1, 'A')], true)).toBe(
      '000000000002 000000000001'
    )
    const named = [...Array(60).keys()].map((count) =>
      epochAfter(keys(count), true).includes('writes')
    )
    expect(named.indexOf(true)).toBe(41)
    expect(named.slice(41).every(Boolean)).toBe(true)
    expect(epochAfter(keys(41), true)).toMatch(/^41 writes [0-9a-f]{12}$/)
  })
})

describe('the turns of a recording', () => {
  it('are told in order, and the last again and again', () => {
    expect([0, 1, 2, 9].map((turn) => responseAt(['a', 'b', 'c'], turn))).toEqual([
      'a',
      'b',
      'c',
      'c'
    ])
  })
})

describe('the places where an answer may stand', () => {
  const request = derive(apiRequest('action=query&prop=revisions&titles=A'), facts)
  const placesAfter = (isOlder: boolean, ...writes: readonly SessionWrite[]) => {
    const session = new Session(undefined)
    for (const one of writes) session.addWrite(one)
    const standing = writeDependencyOf(request, session, facts.site)
    return [...equivalentDerivations(request, session, standing, isOlder)].map(
      ({ canonical }) => canonical.get('after writes')
    )
  }
  const a = write(9, 'A')
  const other = write(2, 'B')
  const more = write(3, 'A')

  it('is the one after the writes that concern it, in order', () => {
    expect(placesAfter(false)).toEqual([undefined])
    expect(placesAfter(false, a, other, more)).toEqual([`${a.key} ${more.key}`])
  })

  it('is in an older cassette also the one that an older version named, sorted', () => {
    expect(placesAfter(true, a, other, more)).toEqual([
      `${a.key} ${more.key}`,
      `${more.key} ${a.key}`,
      `${other.key} ${more.key} ${a.key}`
    ])
  })
})
