/**
 * What is known of MediaWiki's versions, tried on answers that were kept: of each listing only the one batch at limit
 * 500 counts as recorded, every other kept answer is asked for. Once with all that is known, once with what the other
 * versions taught alone. Exits 1 where anything is wrong.
 * Usage: tsx scripts/fidelity-kept.ts [--golden FOLDER] [--answers FILE] (of `npm run learn -- --answers FILE`)
 */
import { parseArgs } from 'node:util'
import { writeCompact } from '../src/recorder/json/write-json.ts'
import { readListings } from '../src/recorder/paging/joining/listings.ts'
import { synthesize } from '../src/recorder/paging/synthesize.ts'
import type { WikiFacts } from '../src/recorder/request/derive.ts'
import { keepAnswers } from './fidelity/answers.ts'
import { newScore, type Score, withOwn } from './fidelity/run.ts'
import {
  type Asked,
  connectToAll,
  type RealWiki,
  withoutVersion
} from './fidelity/wiki.ts'
import { readGolden } from './learn/golden.ts'
import { goldenWiki } from './learn/sources.ts'

const { values } = parseArgs({
  options: { golden: { type: 'string' }, answers: { type: 'string' } }
})

/** A wiki, its version, and the questions to which its answers are kept. */
interface Kept {
  readonly version: string
  readonly wiki: RealWiki
  readonly queries: readonly string[]
}

const sources: Kept[] = []
const golden = readGolden(values.golden ?? process.env['WIKITAPE_GOLDEN'])
if (golden !== undefined)
  sources.push({
    version: golden.version,
    wiki: goldenWiki(golden),
    queries: [...golden.answers.keys()]
  })
const { kept } = keepAnswers(values.answers)
const urls = new Map<string, string[]>()
for (const name of kept.keys()) {
  const [, url = '', query = ''] = /^\S* (\S+?)\?(.*)$/.exec(name) ?? []
  urls.set(url, [...(urls.get(url) ?? []), query])
}
for (const [url, queries] of urls) {
  const { wiki } = await connectToAll(url, kept)
  const [, version = ''] =
    /^MediaWiki (\d+\.\d+)/.exec(wiki.facts.site?.generator ?? '') ?? []
  sources.push({ version, wiki, queries })
}

/** In some answers of the golden walks: that installation's own, not MediaWiki's. */
const accident = "Unrecognized parameter: '*'"

const isWhole = (query: string): boolean =>
  /limit=500(?:&|$)/.test(query) && !/continue=[^&]|from=/.test(query)

async function tried({ wiki, queries }: Kept, facts: WikiFacts): Promise<Score> {
  const score = newScore()
  const asked: Asked[] = []
  for (const query of queries) asked.push(await wiki.ask(query))
  const whole = asked.filter((_, at) => isWhole(queries[at] ?? ''))
  // Each recorded batch is a cassette of its own: nothing is learned from others.
  const wholes = new Map(whole.map((one) => [listingOf(one), one]))
  for (const [at, one] of asked.entries()) {
    const recorded = wholes.get(listingOf(one))
    if (recorded === undefined || recorded === one || isWhole(queries[at] ?? '')) continue
    if (writeCompact(one.body, 'utf8').includes(accident)) continue
    const said = synthesize(
      one.derivation,
      readListings([recorded.interaction], facts),
      facts
    )
    if (said.kind !== 'synthesized') score.refused += 1
    else {
      const got = writeCompact(said.body, 'utf8')
      if (got === writeCompact(one.body, 'utf8')) score.exact += 1
      else if (
        said.by === 'own' &&
        got === writeCompact(withOwn(one.body, said.body), 'utf8')
      )
        score.own += 1
      else {
        score.wrong += 1
        score.notes.set(`WRONG ${wiki.url} ${queries[at]}`, 1)
      }
    }
  }
  return score
}

/** The parameters of a question less its limit and where it goes on. */
const listingOf = ({ derivation }: Asked): string =>
  JSON.stringify(
    [...derivation.canonical].filter(
      ([name]) => !/(?:limit|continue|offset)$|^(?:auf|gauf)?from$|^aufrom$/.test(name)
    )
  )

const line = ({ exact, own, refused, wrong }: Score): string =>
  [exact, own, refused, wrong].map(String).join(' / ')
console.log(
  '| version | known of all: exact / own value / refused / wrong | of the other versions | nothing known |'
)
console.log('| --- | --- | --- | --- |')
let wrong = 0
for (const one of sources) {
  const { facts } = one.wiki
  const columns = [
    await tried(one, facts),
    await tried(one, { ...facts, known: withoutVersion(one.version) }),
    await tried(one, { ...facts, trust: 'learned' })
  ]
  wrong += columns.reduce((sum, score) => sum + score.wrong, 0)
  console.log(`| ${one.version} | ${columns.map(line).join(' | ')} |`)
  for (const note of columns.flatMap(({ notes }) => [...notes.keys()]).slice(0, 20))
    console.error(note)
  one.wiki.close()
}
process.exitCode = wrong > 0 ? 1 : 0
