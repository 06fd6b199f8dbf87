/**
 * The first steps through every listing of a real MediaWiki 1.43, at three limits (test/fixtures/walks-1.43.ndjson.gz,
 * made by scripts/walks.ts): what was recorded at one limit is asked for at the others, and compared with the wiki's
 * own answer.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { withOwn } from '../../../scripts/fidelity/run.ts'
import type { Interaction } from '../../../src/recorder/cassette/interaction.ts'
import type { JsonTree } from '../../../src/recorder/json/json-tree.ts'
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
import { groupBy } from '../../../src/recorder/text/group-by.ts'
import { equalIgnoringVolatile } from '../../../src/recorder/wiki/answers/volatile.ts'
import { bundledLookup } from '../../../src/recorder/wiki/modules/module-descriptions.ts'
import { decodeSiteinfo } from '../../../src/recorder/wiki/site/site-facts.ts'
import { fromParams } from '../../helpers/api-requests.ts'
import { readSample } from '../../helpers/described-wikis.ts'
import { response, treeOf } from '../../helpers/recorded.ts'

const site = decodeSiteinfo(readSample('1.43').site)
const facts: WikiFacts = {
  lookup: bundledLookup('MediaWiki 1.43.9'),
  site: site && { ...site, configuration: { extensions: [] } }
}

interface Asked {
  readonly name: string
  readonly limit: number
  readonly derivation: Derivation
  readonly truth: JsonTree
}

function askedIn(line: string): Asked {
  const [head = '', body = ''] = line.split('\t')
  const {
    name,
    limit,
    params: pairs
  } = JSON.parse(head) as {
    readonly name: string
    readonly limit: number
    readonly params: readonly (readonly [string, string])[]
  }
  const request = fromParams(new Map([...pairs, ['format', 'json']] as const))
  return { name, limit, derivation: derive(request, facts), truth: treeOf(body) }
}

const recordedAs = ({
  derivation: { key, canonical, sentValues: asked },
  truth
}: Asked): Interaction => ({
  key,
  request: canonical,
  sentValues: asked,
  responses: [response({ kind: 'json', tree: truth, spelling: 'utf8' })]
})

const file = new URL('../../fixtures/walks-1.43.ndjson.gz', import.meta.url)
const all = gunzipSync(readFileSync(file))
  .toString('utf8')
  .trimEnd()
  .split('\n')
  .map(askedIn)
const listings = groupBy(all, ({ name }) => name)

/** How the answer made for a request stands to the wiki's own. */
function outcome(
  { derivation, truth }: Asked,
  recorded: Listings,
  facts: WikiFacts
): string {
  const said = synthesize(derivation, recorded, facts)
  if (said.kind !== 'synthesized')
    return said.kind === 'conflict' ? 'conflict' : 'refused'
  if (equalIgnoringVolatile(said.body, truth)) return 'exact'
  return said.by === 'own' && equalIgnoringVolatile(said.body, withOwn(truth, said.body))
    ? 'own value'
    : 'WRONG'
}

/** Asks all that was not recorded, e.g. `4 exact, 2 refused`. */
function outcomes(asked: readonly Asked[], limit: number, facts: WikiFacts): string {
  const recorded = readListings(
    asked.filter((one) => one.limit === limit).map(recordedAs),
    facts
  )
  const others = asked.filter((one) => one.limit !== limit)
  return [...groupBy(others, (one) => outcome(one, recorded, facts))]
    .map(([kind, { length }]) => `${length} ${kind}`)
    .sort()
    .join(', ')
}

/** The names of all listings, by how they fared. */
const fared = (limits: readonly number[], facts: WikiFacts): unknown =>
  Object.fromEntries(
    [
      ...groupBy(listings, ([, asked]) =>
        limits.map((limit) => outcomes(asked, limit, facts)).join(' | ')
      )
    ].map(([how, held]) => [how, held.map(([name]) => name)])
  )

const byKnowledge = {
  '1 exact, 6 refused | 2 refused, 4 exact | 9 exact': [
    'list=allpages',
    'list=allpages formatversion=2',
    'list=allpages apdir=descending',
    'list=allimages',
    'list=allimages aisort=timestamp',
    'list=allcategories',
    'list=allusers',
    'list=allfileusages afprop=ids|title',
    'list=allredirects arprop=ids|title',
    'list=embeddedin eititle=Шаблон:Box B',
    'list=imageusage iutitle=Файл:Map 07.png',
    'list=categorymembers cmtitle=Категория:Природа 0&cmprop=ids|title|sortkey',
    'list=usercontribs ucuser=Bob',
    'list=recentchanges rcprop=title|ids|timestamp',
    'list=logevents',
    'list=logevents meta=userinfo',
    'list=allrevisions',
    'list=querypage qppage=Longpages',
    'generator=allpages',
    'generator=allpages prop=info',
    'generator=allpages formatversion=2',
    'generator=allcategories',
    'generator=embeddedin geititle=Шаблон:Box B',
    'prop=links',
    'prop=links formatversion=2',
    'prop=templates',
    'prop=categories',
    'prop=categories|info',
    'prop=images',
    'prop=linkshere',
    'list=allpages meta=userinfo|siteinfo',
    'generator=allpages meta=userinfo|siteinfo'
  ],
  '1 exact, 5 refused | 1 refused, 4 exact | 9 exact': [
    'list=allpages apnamespace=14',
    'list=pagepropnames',
    'list=tags',
    'list=backlinks bltitle=Абрикос',
    'list=allpages meta=siteinfo&siprop=namespaces&apnamespace=14',
    'list=prefixsearch pssearch=Р',
    'generator=backlinks gbltitle=Абрикос',
    'prop=redirects',
    'prop=langlinks',
    'prop=iwlinks'
  ],
  '1 own value, 6 refused | 1 own value, 5 refused | 2 own value, 7 refused': [
    'list=alllinks',
    'list=alltransclusions',
    'list=allfileusages',
    'list=allredirects',
    'list=categorymembers cmtitle=Категория:Природа 0',
    'list=exturlusage',
    'generator=categorymembers gcmtitle=Категория:Природа 0',
    'generator=categorymembers gcmtitle=Категория:Природа 0&gcmdir=desc',
    'prop=contributors'
  ],
  '1 exact, 6 refused | 2 refused, 4 exact | 2 own value, 7 refused': [
    'list=alllinks alprop=ids|title'
  ],
  '7 refused | 6 refused | 9 refused': [
    'list=alllinks alunique=',
    'generator=alltransclusions',
    'generator=allfileusages',
    'generator=categorymembers gcmtitle=Категория:Природа 0&gcmsort=timestamp'
  ],
  '1 own value, 6 refused | 1 own value, 5 refused | 1 own value, 3 refused, 5 exact': [
    'list=alltransclusions atprop=ids|title'
  ],
  '6 refused | 5 refused | 9 refused': [
    'list=search srsearch=река',
    'generator=search gsrsearch=река'
  ],
  '1 exact, 5 refused | 5 exact | 9 exact': [
    'list=blocks',
    'list=protectedtitles',
    'list=filearchive'
  ],
  '2 exact, 5 refused | 2 refused, 4 exact | 9 refused': [
    'generator=allpages prop=categories',
    'generator=allpages prop=categories&meta=userinfo|siteinfo'
  ],
  '7 refused | 2 refused, 4 exact | 9 refused': [
    'generator=allimages prop=duplicatefiles'
  ],
  '1 exact, 5 refused | 1 refused, 4 exact | 2 own value, 7 refused': [
    'generator=links titles=Узел',
    'generator=templates titles=Узел',
    'generator=images titles=Узел'
  ],
  '6 refused | 1 refused, 4 exact | 2 own value, 7 refused': [
    'generator=categories titles=Узел'
  ],
  '6 refused | 1 refused, 4 exact | 9 exact': ['generator=prefixsearch gpssearch=Р'],
  '2 exact | 2 exact | 2 exact': ['prop=transcludedin'],
  '1 own value, 6 refused | 6 refused | 9 refused': ['prop=extlinks'],
  '2 exact | 1 exact, 1 own value, 2 refused | 1 exact, 1 own value, 2 refused': [
    'prop=extracts exintro=&explaintext=',
    'prop=pageimages'
  ]
}

const byRecording = {
  '1 exact, 6 refused | 2 refused, 4 exact': [
    'list=allpages',
    'list=allpages formatversion=2',
    'list=allpages apdir=descending',
    'list=allimages',
    'list=allimages aisort=timestamp',
    'list=allcategories',
    'list=allusers',
    'list=allfileusages afprop=ids|title',
    'list=allredirects arprop=ids|title',
    'list=embeddedin eititle=Шаблон:Box B',
    'list=imageusage iutitle=Файл:Map 07.png',
    'list=categorymembers cmtitle=Категория:Природа 0&cmprop=ids|title|sortkey',
    'list=usercontribs ucuser=Bob',
    'list=recentchanges rcprop=title|ids|timestamp',
    'list=logevents',
    'list=logevents meta=userinfo',
    'list=allrevisions',
    'list=querypage qppage=Longpages',
    'generator=allpages',
    'generator=allpages prop=info',
    'generator=allpages formatversion=2',
    'generator=allcategories',
    'prop=templates',
    'prop=categories',
    'prop=categories|info',
    'prop=images',
    'prop=linkshere',
    'list=allpages meta=userinfo|siteinfo',
    'generator=allpages meta=userinfo|siteinfo'
  ],
  '1 exact, 5 refused | 1 refused, 4 exact': [
    'list=allpages apnamespace=14',
    'list=pagepropnames',
    'list=tags',
    'list=backlinks bltitle=Абрикос',
    'list=allpages meta=siteinfo&siprop=namespaces&apnamespace=14',
    'list=prefixsearch pssearch=Р',
    'generator=backlinks gbltitle=Абрикос',
    'generator=links titles=Узел',
    'generator=templates titles=Узел',
    'generator=images titles=Узел',
    'prop=redirects',
    'prop=langlinks',
    'prop=iwlinks'
  ],
  '1 own value, 6 refused | 1 own value, 5 refused': [
    'list=alllinks',
    'list=alllinks alprop=ids|title',
    'list=alltransclusions',
    'list=alltransclusions atprop=ids|title',
    'list=allfileusages',
    'list=allredirects',
    'list=categorymembers cmtitle=Категория:Природа 0',
    'list=exturlusage'
  ],
  '7 refused | 6 refused': [
    'list=alllinks alunique=',
    'generator=alltransclusions',
    'generator=allfileusages',
    'generator=categorymembers gcmtitle=Категория:Природа 0',
    'generator=categorymembers gcmtitle=Категория:Природа 0&gcmdir=desc',
    'generator=categorymembers gcmtitle=Категория:Природа 0&gcmsort=timestamp',
    'prop=contributors'
  ],
  '6 refused | 5 refused': [
    'list=search srsearch=река',
    'generator=search gsrsearch=река'
  ],
  '1 exact, 5 refused | 5 exact': ['list=blocks', 'list=protectedtitles'],
  '1 own value, 5 refused | 5 exact': ['list=filearchive'],
  '7 refused | 2 refused, 4 exact': [
    'generator=allpages prop=categories',
    'generator=allimages prop=duplicatefiles',
    'generator=embeddedin geititle=Шаблон:Box B',
    'generator=allpages prop=categories&meta=userinfo|siteinfo'
  ],
  '6 refused | 1 refused, 4 exact': [
    'generator=categories titles=Узел',
    'generator=prefixsearch gpssearch=Р'
  ],
  '1 exact, 6 refused | 6 refused': ['prop=links', 'prop=links formatversion=2'],
  '2 exact | 2 exact': ['prop=transcludedin'],
  '1 own value, 6 refused | 6 refused': ['prop=extlinks'],
  '2 exact | 1 exact, 1 own value, 2 refused': [
    'prop=extracts exintro=&explaintext=',
    'prop=pageimages'
  ]
}

it('by what is known of the version: recorded at 2, at 7, at 50', () => {
  expect(fared([2, 7, 50], facts)).toEqual(byKnowledge)
})

it('by what the recording shows alone: recorded at 2, at 7', () => {
  expect(fared([2, 7], { ...facts, trust: 'learned' })).toEqual(byRecording)
})
