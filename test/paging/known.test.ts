import { describe, expect, test } from 'vitest'
import { jsonLiteral, jsonObject, jsonString } from '../../src/json/tree.ts'
import { knownOf } from '../../src/paging/rules/known.ts'
import { filledRule, predictText } from '../../src/paging/rules/rule.ts'
import type { WikiFacts } from '../../src/request/derive.ts'
import { versionOf } from '../../src/wiki/version.ts'

const factsOf = (generator: string): WikiFacts => ({
  lookup: () => undefined,
  site: { generator, lang: 'ru', namespaces: [] },
})
const asked = (kind: 'list' | 'generator' | 'prop', module: string, prefix: string, params: object = {}) => ({
  ...{ kind, module, prefix, formatVersion: '1', pages: [] },
  params: new Map<string, string>(Object.entries(params)),
})
const page = (title: string, pageid: number) =>
  jsonObject([
    ['pageid', jsonLiteral(pageid)],
    ['ns', jsonLiteral(0)],
    ['title', jsonString(title)],
  ])

describe('what is known of a version', () => {
  test('holds on proven versions, between two that agree, and outside where it held in all', () => {
    for (const version of ['1.25.4', '1.30.0', '1.43.9', '1.45.0', '1.19.1']) {
      const known = knownOf(asked('list', 'allpages', 'ap'), factsOf(`MediaWiki ${version}`))
      expect(known?.param).toBe('apcontinue')
      expect(known && predictText(known.rule, { item: page('B side', 7) })).toBe('B_side')
    }
  })

  test('is left out with --trust learned', () => {
    const facts = { ...factsOf('MediaWiki 1.43.9'), trust: 'learned' } as const
    expect(knownOf(asked('list', 'allpages', 'ap'), facts)).toBeUndefined()
  })

  test('is not believed for an order that it does not name', () => {
    const known = knownOf(asked('list', 'allpages', 'ap', { apsort: 'size' }), factsOf('MediaWiki 1.43.9'))
    expect(known).toBeUndefined()
  })

  test('says nothing of a value in which versions on either side differ', () => {
    const known = knownOf(asked('list', 'alllinks', 'al'), factsOf('MediaWiki 1.41.0'))
    expect(known && predictText(known.rule, { item: page('B side', 7) })).toBeUndefined()
  })

  test('one boundary tells what rows of the same user hide, and contradicts what is wrong', () => {
    const known = knownOf(
      asked('list', 'usercontribs', 'uc', { ucuser: 'Bob|Eve' }),
      factsOf('MediaWiki 1.43.9'),
    )
    const row = (user: string, revid: number) =>
      jsonObject([
        ['user', jsonString(user)],
        ['revid', jsonLiteral(revid)],
        ['timestamp', jsonString('2020-01-01T00:00:00Z')],
      ])
    const told = { value: jsonString('actor|3|20200101000000|9'), subject: { item: row('Bob', 9) } }
    const rule = known && filledRule(known.rule, [told])
    expect(rule && predictText(rule, { item: row('Bob', 8) })).toBe('actor|3|20200101000000|8')
    expect(rule && predictText(rule, { item: row('Eve', 8) })).toBeUndefined()
    const other = { value: jsonString('actor|3|20200101000000|10'), subject: { item: row('Bob', 9) } }
    expect(known && filledRule(known.rule, [other])).toBeUndefined()
  })

  test('one boundary tells nothing of rows that do not show whose they are', () => {
    const known = knownOf(asked('list', 'alllinks', 'al', { alprop: 'ids' }), factsOf('MediaWiki 1.43.9'))
    const row = (fromid: number) => jsonObject([['fromid', jsonLiteral(fromid)]])
    const told = { value: jsonString('31|9'), subject: { item: row(9) } }
    const rule = known && filledRule(known.rule, [told])
    expect(rule).toBeDefined()
    expect(rule && predictText(rule, { item: row(12) })).toBeUndefined()
  })

  test('versions are compared as numbers', () => {
    expect(versionOf('MediaWiki 1.9.3')).toBeLessThan(versionOf('MediaWiki 1.25.4') ?? 0)
    expect(versionOf('a fork')).toBeUndefined()
  })
})
