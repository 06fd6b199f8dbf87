/** What recorded boundaries teach of continue values, and what they only seem to. */
import { describe, expect, it } from 'vitest'
import {
  type JsonTree,
  jsonLiteral,
  jsonObject,
  jsonString
} from '../../../src/recorder/json/json-tree.ts'
import { readJson } from '../../../src/recorder/json/read-json.ts'
import {
  type Boundary,
  parseRule,
  predictText
} from '../../../src/recorder/paging/rules/continue-rule.ts'
import type { ContinueRow } from '../../../src/recorder/paging/rules/explanation.ts'
import {
  learnRule,
  mayBeCoincidence
} from '../../../src/recorder/paging/rules/learn-rule.ts'

const category = (pageid: number, name: string): ContinueRow => ({
  item: jsonObject([
    ['pageid', jsonLiteral(pageid)],
    ['ns', jsonLiteral(14)],
    ['title', jsonString(`К:${name}`)]
  ])
})

function tree(value: object): JsonTree {
  const reading = readJson(JSON.stringify(value))
  return reading.ok ? reading.tree : expect.fail(reading.fault.message)
}

const boundary = (value: string, subject: ContinueRow): Boundary => ({
  value: jsonString(value),
  row: subject
})

describe('the categories of one page', () => {
  it('go on by its id, which no category shows', () => {
    const rule = learnRule([boundary('5555|Волга', category(7, 'Волга'))], true)
    expect(rule && predictText(rule, category(8, 'Дон'))).toBe('5555|Дон')
  })

  it('say nothing of other rows where the page is a category of itself', () => {
    const itself = category(5555, 'Волга')
    const rule = learnRule([boundary('5555|Волга', itself)], true)
    expect(rule && predictText(rule, itself)).toBe('5555|Волга')
    expect(rule && predictText(rule, category(8, 'Дон'))).toBeUndefined()
  })
})

describe('a part is believed', () => {
  const row = (title: string, more: object = {}, pageid = 57): ContinueRow => ({
    item: tree({ ns: 0, title, ...more }),
    page: tree({ pageid })
  })
  const another = row('Yz', { pageid: 8, revid: 9 }, 58)
  /** Whether what it is of other rows is told by these. */
  const learns = (...told: readonly (readonly [string, ContinueRow])[]): boolean => {
    const rule = learnRule(told.map(([value, subject]) => boundary(value, subject)))
    return rule !== undefined && predictText(rule, another) !== undefined
  }

  it('from four characters on, of which digits count half, and none twice', () => {
    expect([learns(['Ab', row('Ab')]), learns(['A', row('A')])]).toEqual([true, false])
    expect(learns(['A', row('A')], ['B', row('B')])).toBe(true)
    expect(learns(['A', row('A')], ['A', row('A')])).toBe(false)
    expect(learns(['A', row('A')], ['1', row('1')])).toBe(false)
    expect(learns(['A', row('A')], ['12', row('12')])).toBe(true)
    expect([learns(['1234', row('1234')]), learns(['123', row('123')])]).toEqual([
      true,
      false
    ])
  })

  it('sooner where it is the id of a page, and sooner still of the page that the row is on', () => {
    expect([
      learns(['571', row('A', { pageid: 571 })]),
      learns(['58', row('A', { pageid: 58 })])
    ]).toEqual([...[true, false]])
    expect(learns(['57', row('A')])).toBe(true)
    expect(learns(['571', row('A', { revid: 571 })])).toBe(false)
  })

  it('by nothing else where a name that is no title says the same', () => {
    const named = (name: string): ContinueRow => ({
      item: tree({ ns: 14, title: 'К:Волга', name })
    })
    const rule = learnRule([boundary('Волга', named('Волга'))])
    expect(rule && predictText(rule, named('Волга'))).toBe('Волга')
    expect(rule && predictText(rule, named('Дон'))).toBeUndefined()
  })

  it('to be fixed for one page only in front of others', () => {
    expect(learnRule([boundary('5555', category(7, 'Волга'))], true)).toBeUndefined()
    expect(learnRule([boundary('7|5555', category(7, 'Волга'))], true)).toBeUndefined()
  })

  it('of boundaries that are alike in form alone', () => {
    const two = (value: JsonTree): Boundary => ({ value, row: row('Abcd') })
    expect(
      learnRule([boundary('Abcd', row('Abcd')), boundary('Abcd|1', row('Abcd'))])
    ).toBeUndefined()
    expect(
      learnRule([boundary('Abcd', row('Abcd')), two(jsonLiteral(7))])
    ).toBeUndefined()
    expect(learnRule([])).toBeUndefined()
  })
})

describe('the categories of several pages', () => {
  it('do not go on by the one id that was seen', () => {
    expect(learnRule([boundary('5555|Волга', category(7, 'Волга'))])).toBeUndefined()
    expect(
      mayBeCoincidence(parseRule(["'5555'", 'title:db-key-without-namespace']), false)
    ).toBe(true)
    expect(
      mayBeCoincidence(parseRule(['pageid', 'title:db-key-without-namespace']), false)
    ).toBe(false)
  })
})
