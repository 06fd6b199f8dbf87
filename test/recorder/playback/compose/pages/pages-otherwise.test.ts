/** Pages in either version of the JSON format, as real wikis write them, and what is not certain. */
import { describe, expect, test } from 'vitest'
import { writeCompact } from '../../../../../src/recorder/json/write-json.ts'
import { singleAnswerOf } from '../../../../../src/recorder/paging/reading/batch.ts'
import { pagesOtherwise } from '../../../../../src/recorder/playback/compose/pages/pages-otherwise.ts'
import { derive, type WikiFacts } from '../../../../../src/recorder/request/derive.ts'
import { bundledLookup } from '../../../../../src/recorder/wiki/modules/module-descriptions.ts'
import { apiRequest } from '../../../../helpers/api-requests.ts'
import { factsOfWiki } from '../../../../helpers/described-wikis.ts'
import { jsonBody, response } from '../../../../helpers/recorded.ts'

const facts: WikiFacts = {
  ...factsOfWiki('1.43'),
  lookup: bundledLookup('MediaWiki 1.43.9')
}

const page = (members: string): string => `{"pageid":7,"ns":0,"title":"A"${members}}`
const asked = (query: string, version: string) =>
  derive(
    apiRequest(`action=query&format=json&titles=A&formatversion=${version}&${query}`),
    facts
  )

/** What a page that was recorded in one version is in the other one. */
function converted(query: string, to: '1' | '2', members: string): string | undefined {
  const from = asked(query, to === '1' ? '2' : '1')
  const body =
    to === '1'
      ? `{"batchcomplete":true,"query":{"pages":[${page(members)}]}}`
      : `{"batchcomplete":"","query":{"pages":{"7":${page(members)}}}}`
  const recorded = {
    key: from.key,
    request: from.canonical,
    sentValues: from.sentValues,
    responses: [response(jsonBody(body))] as const
  }
  const [found] = pagesOtherwise(asked(query, to), [recorded])
  const tree = found && singleAnswerOf(found)
  return tree && writeCompact(tree, 'utf8')
}

/** Members of a page as 1.35, 1.39 and 1.43 write them. */
const cases: readonly (readonly [query: string, first: string, second: string])[] = [
  [
    'prop=info',
    ',"touched":"t","new":"","redirect":""',
    ',"touched":"t","new":true,"redirect":true'
  ],
  [
    'prop=info&inprop=protection',
    ',"protection":[{"type":"edit","level":"sysop","cascade":""}],"restrictiontypes":["edit"]',
    ',"protection":[{"type":"edit","level":"sysop","cascade":true}],"restrictiontypes":["edit"]'
  ],
  [
    'prop=pageprops',
    ',"pageprops":{"new":"","hiddencat":""}',
    ',"pageprops":{"new":"","hiddencat":""}'
  ],
  [
    'prop=revisions',
    ',"revisions":[{"revid":2,"parentid":1,"user":"U","timestamp":"t","comment":""}]',
    ',"revisions":[{"revid":2,"parentid":1,"minor":false,"user":"U","timestamp":"t","comment":""}]'
  ],
  [
    'prop=revisions&rvprop=flags|user',
    ',"revisions":[{"minor":"","user":"1.2.3.4","anon":""}]',
    ',"revisions":[{"minor":true,"user":"1.2.3.4","anon":true}]'
  ],
  [
    'prop=revisions&rvprop=user|comment',
    ',"revisions":[{"userhidden":"","commenthidden":""}]',
    ',"revisions":[{"userhidden":true,"commenthidden":true}]'
  ],
  [
    'prop=revisions&rvslots=main&rvprop=content',
    ',"revisions":[{"slots":{"main":{"contentmodel":"wikitext","contentformat":"text/x-wiki","*":""}}}]',
    ',"revisions":[{"slots":{"main":{"contentmodel":"wikitext","contentformat":"text/x-wiki","content":""}}}]'
  ],
  [
    'prop=revisions&rvslots=main&rvprop=content',
    ',"revisions":[{"slots":{"main":{"texthidden":""}}}]',
    ',"revisions":[{"slots":{"main":{"texthidden":true}}}]'
  ]
]

describe.each(cases)('%s', (query, first, second) => {
  test('in version 1', () => {
    expect(converted(query, '1', second)).toBe(
      `{"batchcomplete":"","query":{"pages":{"7":${page(first)}}}}`
    )
  })
  test('in version 2', () => {
    expect(converted(query, '2', first)).toBe(
      `{"batchcomplete":true,"query":{"pages":[${page(second)}]}}`
    )
  })
})

test('an object of which nothing is left is an empty list in version 1', () => {
  expect(
    converted('prop=info&intestactions=protect', '1', ',"actions":{"protect":false}')
  ).toContain('"actions":[]}')
})

test.each([
  ['prop=info&intestactions=edit|protect', ',"actions":{"edit":""}'],
  ['prop=info&inprop=watched', ''],
  ['prop=info&inprop=readable', ',"readable":""'],
  ['prop=revisions&rvprop=content', ',"revisions":[{"contentmodel":"wikitext","*":"x"}]'],
  ['prop=info|links', ',"links":[]']
])('%s is not certain in version 2', (query, members) => {
  expect(converted(query, '2', members)).toBeUndefined()
})
