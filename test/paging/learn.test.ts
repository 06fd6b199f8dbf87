/** What recorded boundaries teach of continue values, and what they only seem to. */
import { describe, expect, it } from 'vitest'
import { jsonLiteral, jsonObject, jsonString } from '../../src/json/tree.ts'
import { learnRule, restsOnChance } from '../../src/paging/rules/learn.ts'
import { type Boundary, predictText, ruleOf, type Subject } from '../../src/paging/rules/rule.ts'

const category = (pageid: number, name: string): Subject => ({
  item: jsonObject([
    ['pageid', jsonLiteral(pageid)],
    ['ns', jsonLiteral(14)],
    ['title', jsonString(`К:${name}`)],
  ]),
})

const boundary = (value: string, subject: Subject): Boundary => ({ value: jsonString(value), subject })

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

describe('the categories of several pages', () => {
  it('do not go on by the one id that was seen', () => {
    expect(learnRule([boundary('5555|Волга', category(7, 'Волга'))], false)).toBeUndefined()
    expect(restsOnChance(ruleOf(["'5555'", 'title:db-key-without-namespace']), false)).toBe(true)
    expect(restsOnChance(ruleOf(['pageid', 'title:db-key-without-namespace']), false)).toBe(false)
  })
})
