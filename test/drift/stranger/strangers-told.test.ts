/** Whatever a stranger makes a wiki answer otherwise is told, as severe as it is for a client, and as one cause. */
import { describe, expect, it } from 'vitest'
import { restEvents, type StrangerEvent, wikibaseEvents } from './events.ts'
import { furtherCases } from './further-cases.ts'
import { moreCases } from './more-cases.ts'
import { restCases } from './rest-cases.ts'
import { type StrangerCase, strangerCases } from './stranger-cases.ts'
import {
  botWiki,
  causesIn,
  redirect,
  type StrangerWiki,
  strangerWiki
} from './stranger-wiki.ts'
import { wikibaseCases } from './wikibase-cases.ts'

const restWiki = strangerWiki('rest-1.43')
const wikibase = strangerWiki('wikibase-1.45', redirect)

const graveCauses = (
  wiki: StrangerWiki,
  change: StrangerCase['change']
): readonly (readonly string[])[] =>
  causesIn(wiki.report(change)).filter(
    ([worst]) => !/^(?:cosmetic|note)/.test(worst ?? '')
  )

describe.each<readonly [string, StrangerWiki, readonly StrangerCase[]]>([
  ["a bot's wiki", botWiki, [...strangerCases, ...moreCases, ...furtherCases]],
  ['rest.php', restWiki, restCases],
  ['Wikibase', wikibase, wikibaseCases]
])('%s', (_, wiki, cases) => {
  it.each(cases)('$name: $severity, and one cause', ({ severity, change }) => {
    expect(wiki.isChanged(change)).toBe(true)
    const severities = graveCauses(wiki, change).map(
      ([worst = '']) => worst.split(' ')[0]
    )
    expect(severities).toEqual(severity === 'cosmetic' ? [] : [severity])
  })

  it('nothing is told of the same answers', () => {
    expect(causesIn(wiki.report({}))).toEqual([])
  })
})

describe.each<readonly [string, StrangerWiki, readonly StrangerEvent[]]>([
  ['rest.php', restWiki, restEvents],
  ['Wikibase', wikibase, wikibaseEvents]
])('%s', (_, wiki, events) => {
  it.each(events)('$name is content', ({ change }) => {
    expect(wiki.isChanged(change)).toBe(true)
    expect(graveCauses(wiki, change)).toEqual([])
  })
})
