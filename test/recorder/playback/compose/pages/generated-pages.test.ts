/** Pages that a generator chose, as if their titles had been sent, and those that say something else beside others. */
import { expect, test } from 'vitest'
import { sameTexts } from '../../../../../src/recorder/cassette/interaction.ts'
import { writeCompact } from '../../../../../src/recorder/json/write-json.ts'
import { singleAnswerOf } from '../../../../../src/recorder/paging/reading/batch.ts'
import { pagesOfGenerator } from '../../../../../src/recorder/playback/compose/pages/generated-pages.ts'
import { derive, type WikiFacts } from '../../../../../src/recorder/request/derive.ts'
import { bundledLookup } from '../../../../../src/recorder/wiki/modules/module-descriptions.ts'
import { apiRequest } from '../../../../helpers/api-requests.ts'
import { factsOfWiki } from '../../../../helpers/described-wikis.ts'
import { jsonBody, response } from '../../../../helpers/recorded.ts'

const facts: WikiFacts = {
  ...factsOfWiki('1.43'),
  lookup: bundledLookup('MediaWiki 1.43.9')
}

const answer =
  '{"batchcomplete":"","continue":{"gapcontinue":"C","continue":"gapcontinue||"},"limits":{"allpages":500},' +
  '"query":{"pages":{"-1":{"ns":0,"title":"D","missing":""},"1":{"pageid":1,"ns":0,"title":"A","touched":"t"},' +
  '"2":{"pageid":2,"ns":0,"title":"B","touched":"u","index":2}}}}'

function pagesIn(query: string, body = answer): readonly string[] {
  const { key, canonical, sentValues } = derive(
    apiRequest(`action=query&format=json&${query}`),
    facts
  )
  const recorded = {
    key,
    request: canonical,
    sentValues,
    responses: [response(jsonBody(body))] as const
  }
  const found = pagesOfGenerator(recorded, facts.lookup)
  if (found[0] === recorded) return ['as recorded']
  return found.map((one) => {
    const tree = singleAnswerOf(one)
    const alone = derive(
      apiRequest(
        `action=query&format=json&prop=info&titles=${one.request.get('titles')}`
      ),
      facts
    )
    expect(sameTexts(one.request, alone.canonical)).toBe(true)
    return tree === undefined ? '' : writeCompact(tree, 'utf8')
  })
}

const onlyA =
  '{"batchcomplete":"","query":{"pages":{"1":{"pageid":1,"ns":0,"title":"A","touched":"t"}}}}'

test.each([
  'generator=allpages&gaplimit=max&gapfrom=A&prop=info',
  'generator=allpages&gaplimit=max&gapcontinue=A&continue=gapcontinue||&prop=info',
  'generator=links&titles=X&gpllimit=5&prop=info',
  'generator=links&pageids=5&prop=info'
])('%s shows pages that are there', (query) => {
  expect(pagesIn(query)).toEqual([onlyA])
})

test.each([
  // The module has finished with an earlier batch.
  ['generator=allpages&gapcontinue=A&continue=gapcontinue||info&prop=info', answer],
  // Of several files each has one row.
  ['generator=allpages&prop=imageinfo', answer],
  // What that means to a prop is told beside the pages.
  ['generator=allpages&prop=links&pllimit=max', answer],
  // It chose revisions.
  ['generator=allrevisions&prop=revisions', answer],
  ['generator=growthtasks&prop=info', answer],
  // A page may have more of it.
  ['generator=allpages&prop=links', answer.replace('"batchcomplete":"",', '')],
  [
    'generator=allpages&prop=info&meta=userinfo',
    answer.replace('"pages"', '"userinfo":{},"pages"')
  ]
])('%s does not', (query, body) => {
  expect(pagesIn(query, body)).toEqual(['as recorded'])
})
