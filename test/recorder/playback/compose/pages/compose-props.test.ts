/** Props of pages that were recorded beside other props: the answer of the wiki, or none. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Interaction } from '../../../../../src/recorder/cassette/interaction.ts'
import { writeCompact } from '../../../../../src/recorder/json/write-json.ts'
import { composePages } from '../../../../../src/recorder/playback/compose/pages/compose-pages.ts'
import { composeProps } from '../../../../../src/recorder/playback/compose/pages/compose-props.ts'
import { derive, type WikiFacts } from '../../../../../src/recorder/request/derive.ts'
import { bundledLookup } from '../../../../../src/recorder/wiki/modules/module-descriptions.ts'
import { apiRequest } from '../../../../helpers/api-requests.ts'
import { factsOfWiki } from '../../../../helpers/described-wikis.ts'
import { jsonBody, response } from '../../../../helpers/recorded.ts'
import { rounds } from '../../../../helpers/scale.ts'

const facts: WikiFacts = {
  ...factsOfWiki('1.43'),
  lookup: bundledLookup('MediaWiki 1.43.9')
}
const untouched = { writes: [], writeSetOf: () => undefined, isOlder: false }

interface Asked {
  readonly props: readonly string[]
  readonly titles: readonly string[]
  readonly isSized: boolean
}

const titles = ['A', 'B', 'C']

/** What each module adds to a page. */
const members: Readonly<Record<string, (title: string, asked: Asked) => object>> = {
  info: (title) => ({ contentmodel: 'wikitext', touched: `t${title}` }),
  pageprops: (title) => (title === 'B' ? {} : { pageprops: { defaultsort: title } }),
  revisions: (title, { isSized }) => ({
    revisions: [{ revid: titles.indexOf(title) + 7, ...(isSized ? { size: 9 } : {}) }]
  })
}

const queryOf = ({ props, titles: asked, isSized }: Asked): string =>
  `action=query&format=json&prop=${props.join('|')}&titles=${asked.join('|')}${
    isSized ? '&rvprop=ids|size' : ''
  }`

function answerOf(asked: Asked): string {
  const pages = titles
    .filter((title) => asked.titles.includes(title))
    .map((title) => {
      const pageid = titles.indexOf(title) + 1
      const added = asked.props.map((prop) => members[prop]?.(title, asked))
      return [pageid, Object.assign({ pageid, ns: 0, title }, ...added)] as const
    })
  return JSON.stringify({
    batchcomplete: '',
    query: { pages: Object.fromEntries(pages) }
  })
}

function record(asked: Asked, body = answerOf(asked)): Interaction {
  const { key, canonical, sentValues } = derive(apiRequest(queryOf(asked)), facts)
  return { key, request: canonical, sentValues, responses: [response(jsonBody(body))] }
}

function ask(asked: Asked, recorded: readonly Interaction[]): string | undefined {
  const found = composeProps(
    derive(apiRequest(queryOf(asked)), facts),
    recorded,
    facts.lookup,
    (part, alone) => composePages(part, alone, facts, untouched)
  )
  return found && writeCompact(found.body, 'utf8')
}

const asked: fc.Arbitrary<Asked> = fc
  .record({
    props: fc.shuffledSubarray(Object.keys(members), { minLength: 1 }),
    titles: fc.subarray(titles, { minLength: 1 }),
    isSized: fc.boolean()
  })
  // The wiki warns of a parameter that nobody reads.
  .map((one) => ({ ...one, isSized: one.isSized && one.props.includes('revisions') }))

test('are those of the wiki, or none', () => {
  let composed = 0
  fc.assert(
    fc.property(fc.array(asked, { minLength: 1, maxLength: 4 }), asked, (all, wanted) => {
      const said = ask(
        wanted,
        all.map((one) => record(one))
      )
      if (said !== undefined) composed += 1
      expect([undefined, answerOf(wanted)]).toContain(said)
    }),
    { numRuns: rounds(600) }
  )
  expect(composed).toBeGreaterThan(rounds(60))
})

const both: Asked = { props: ['info', 'pageprops'], titles: ['A'], isSized: false }
const alone: Asked = { ...both, props: ['info'] }

test('come out of several recordings in the order of the request', () => {
  const recorded = [
    record(alone),
    record({ ...both, props: ['pageprops', 'revisions'], titles: ['A', 'C'] })
  ]
  for (const props of [
    ['info', 'pageprops'],
    ['pageprops', 'info']
  ])
    expect(ask({ ...both, props }, recorded)).toBe(answerOf({ ...both, props }))
})

test.each([
  ['which are cut', '{"continue":{"x":"1"},"query":{"pages":{}}}'],
  ['that warn', answerOf(both).replace('{', '{"warnings":{"info":{"*":"x"}},')],
  ['with members in another order', answerOf({ ...both, props: ['pageprops', 'info'] })]
])('are not taken from answers %s', (_, body) => {
  expect(ask(alone, [record(both)])).toBe(answerOf(alone))
  expect(ask(alone, [record(both, body)])).toBeUndefined()
})

test('are not told apart where two modules may have written a member', () => {
  const unknown: Asked = { ...alone, props: ['info', 'unknown'] }
  expect(ask(alone, [record(unknown, answerOf(alone))])).toBeUndefined()
})
