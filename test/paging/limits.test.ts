/** Limits that are no plain number within everybody's bounds: none, `max`, beyond the maximum, a bot's. */
import { describe, expect, test } from 'vitest'
import type { Interaction } from '../../src/cassette/interaction.ts'
import { type JsonTree, jsonLiteral, jsonObject, jsonString, membersOf } from '../../src/json/tree.ts'
import { writeCompact } from '../../src/json/write.ts'
import { readListings } from '../../src/paging/joining/listings.ts'
import { type Synthesis, synthesise } from '../../src/paging/synthesise.ts'
import { deriveQuery, lettersWiki, recordedAs, facts as untrusting } from './fake-wiki.ts'

/** The model goes on as the real list of that name does. */
const { trust: _, ...facts } = untrusting
const wiki = lettersWiki()
const sent = (limit: string): string => wiki.partAt(0, limit, 'continue')

/** That answer, as a wiki from 1.35 on warns of a limit in it. */
function warned(answer: JsonTree, limit: string): JsonTree {
  const text = `The value "${limit}" for parameter "aplimit" must be between 1 and 500.`
  const warnings = jsonObject([['allpages', jsonObject([['*', jsonString(text)]])]])
  const members = membersOf(answer)
  const at = members.findIndex(({ key }) => key === 'query')
  return { kind: 'object', members: members.toSpliced(at, 0, { key: 'warnings', value: warnings }) }
}

const bodyOf = (said: Synthesis): string =>
  said.kind === 'synthesized' ? writeCompact(said.body, 'utf8') : JSON.stringify(said)

describe('a limit of 0', () => {
  const walk = [0, 10, 20].map((at) => wiki.record(wiki.partAt(at, 10, 'continue')))

  test('is warned of, and brings one row', () => {
    const said = synthesise(deriveQuery(sent('0')), readListings(walk, facts), facts)
    expect(bodyOf(said)).toBe(writeCompact(warned(wiki.answer(sent('1')), '0'), 'utf8'))
  })

  test('is a miss on versions whose words are not known, whatever they say of too much', () => {
    const old = { ...facts, site: facts.site && { ...facts.site, generator: 'MediaWiki 1.25.4' } }
    const over = wiki.record(sent('9999'), warned(wiki.answer(sent('500')), '9999'))
    const said = synthesise(deriveQuery(sent('0')), readListings([...walk, over], old), old)
    expect(said.kind).toBe('refused')
  })
})

describe('a bot', () => {
  const ask = (limit: string): ReturnType<typeof deriveQuery> => deriveQuery(sent(limit), 'user:Bot')
  const recordedAt = (limit: string, answer: JsonTree): Interaction => recordedAs(ask(limit), answer)
  const said = (limit: string, ...recorded: readonly Interaction[]): string =>
    bodyOf(synthesise(ask(limit), readListings(recorded, facts), facts))
  const truth = (limit: string): string => writeCompact(wiki.answer(sent(limit)), 'utf8')
  const most = wiki.answer(sent('500'))
  const withMax: JsonTree = {
    kind: 'object',
    members: membersOf(most).toSpliced(1, 0, {
      key: 'limits',
      value: jsonObject([['allpages', jsonLiteral(5000)]]),
    }),
  }

  test('who got 5000 without a warning has them, and is served at any lower limit', () => {
    for (const limit of ['1', '7', '500', '700', '5000'])
      expect(said(limit, recordedAt('5000', most))).toBe(truth(limit))
  })

  test('of whom it is recorded what max comes to may ask for as many', () => {
    for (const limit of ['7', '700', '5000'])
      expect(said(limit, recordedAt('max', withMax))).toBe(truth(limit))
    expect(said('max', recordedAt('7', wiki.answer(sent('7'))), recordedAt('max', withMax))).toBe(
      writeCompact(withMax, 'utf8'),
    )
  })

  test('of whom it is not recorded gets a miss that says so', () => {
    const small = recordedAt('500', most)
    expect(said('7', small)).toBe(truth('7'))
    expect(said('5000', small)).toContain('what limit=5000 allows this caller is not recorded')
    expect(said('max', small)).toContain('what limit=max allows this caller is not recorded')
    expect(said('6000', recordedAt('5000', most))).toContain('what limit=6000 allows')
  })

  test('is warned of a limit of 0 in words that name its own maximum: a miss', () => {
    expect(said('0', recordedAt('5000', most))).toContain('"kind":"refused"')
    expect(said('0', recordedAt('0', warned(wiki.answer(sent('1')), '0')))).toContain('The value')
  })

  test('who was warned may not have as many', () => {
    const over = recordedAt('700', warned(most, '700'))
    expect(said('600', over)).toContain('what limit=600 allows this caller is not recorded')
  })
})
