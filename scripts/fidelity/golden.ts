/**
 * Walks of a wiki that is no more, kept as files (one JSON object a line: `q` query string, `body`): each listing is
 * recorded as its walk at limit 500, or as the first batch at 25, and asked all that is kept of it at other limits.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Interaction } from '../../src/recorder/cassette/interaction.ts'
import { type JsonTree, membersOf } from '../../src/recorder/json/json-tree.ts'
import { writeCompact } from '../../src/recorder/json/write-json.ts'
import { readListings } from '../../src/recorder/paging/joining/listings.ts'
import { synthesize } from '../../src/recorder/paging/synthesize.ts'
import type { ApiRequest } from '../../src/recorder/request/api-request.ts'
import {
  type Derivation,
  derive,
  type WikiFacts
} from '../../src/recorder/request/derive.ts'
import { envelopeOf } from '../../src/recorder/wiki/answers/envelope.ts'
import {
  decodeModule,
  type ModuleDescription
} from '../../src/recorder/wiki/modules/module-descriptions.ts'
import { parseUrlencoded } from '../../src/recorder/wiki/parameters/request-params.ts'
import { decodeSiteinfo } from '../../src/recorder/wiki/site/site-facts.ts'
import { toRecordedResponse } from '../../test/helpers/converted.ts'
import { newScore, type Score, withOwn } from './run.ts'

type Line = Readonly<Record<string, unknown>>

const linesOf = (file: string): readonly Line[] =>
  gunzipSync(readFileSync(file))
    .toString('utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))

/** What the wiki says of itself. */
function factsIn(file: string): WikiFacts {
  const modules = new Map<string, ModuleDescription>()
  let site: WikiFacts['site']
  for (const line of linesOf(file)) {
    const module = line['kind'] === 'paraminfo' ? decodeModule(line['module']) : undefined
    if (module !== undefined) modules.set(module.path, module)
    if (line['kind'] === 'siteinfo')
      site ??= decodeSiteinfo(line['body'] ?? line['query'] ?? line)
  }
  return {
    lookup: (path) => modules.get(path),
    site: site ?? { generator: 'MediaWiki 1.25.4', lang: 'ru', namespaces: [] }
  }
}

interface Call {
  readonly query: string
  readonly derivation: Derivation
  readonly interaction: Interaction
  readonly body: JsonTree
}

function callOf(line: Line, facts: WikiFacts): readonly Call[] {
  const query = String(line['q'])
  const params = parseUrlencoded(query)
  const request: ApiRequest = {
    kind: 'api',
    params,
    files: [],
    envelope: envelopeOf(params),
    identity: 'anonymous',
    posted: false
  }
  const headers = new Map([['content-type', 'application/json; charset=utf-8']])
  const body = Buffer.from(String(line['body']))
  const taking = toRecordedResponse(
    request,
    { status: 200, headers, setCookies: [], body },
    0
  )
  if (taking.kind === 'refused' || taking.response.body.kind !== 'json') return []
  const derivation = derive(request, facts)
  const { key, canonical, sentValues } = derivation
  const interaction = {
    key,
    request: canonical,
    sentValues,
    responses: [taking.response]
  } as const
  return [{ query, derivation, interaction, body: taking.response.body.tree }]
}

/** The query less limit, continuation and dialect. */
const listingOf = ({ query }: Call): string =>
  query
    .split('&')
    .filter((part) => part !== '' && !paging.test(part))
    .join('&')
const paging = /^(?:g?[a-z]{2,3}(?:limit|continue|offset)|aufrom|continue|rawcontinue)=/
const limitOf = ({ query }: Call): number =>
  Number(/[a-z]limit=(\d+)/.exec(query)?.[1] ?? 0)
/** An accident of the wiki that these walks were kept of. */
const isSpoilt = ({ body }: Call): boolean =>
  writeCompact(body, 'utf8').includes("Unrecognized parameter: '*'")
const isRaw = ({ query }: Call): boolean => /[&?]rawcontinue=/.test(query)

/** Without either parameter 1.25 warns of its own default, in an envelope that only such recordings show. */
const hasDialect = ({ query }: Call): boolean => /[&?](?:raw)?continue=/.test(query)

/** @returns a score for each listing and each way of recording it */
export function goldenWalks(walks: string, self: string): ReadonlyMap<string, Score> {
  const facts = factsIn(self)
  const grouped = new Map<string, Call[]>()
  for (const call of linesOf(walks).flatMap((line) =>
    callOf(line, facts).filter((one) => !isSpoilt(one))
  )) {
    const held = grouped.get(listingOf(call))
    if (held === undefined) grouped.set(listingOf(call), [call])
    else held.push(call)
  }
  const scores = new Map<string, Score>()
  for (const [listing, calls] of grouped) {
    for (const raw of [false, true]) {
      const own = calls.filter((call) => hasDialect(call) && isRaw(call) === raw)
      const recorded = own.filter((call) => limitOf(call) === 500)
      const first = own.find((call) => limitOf(call) === 25)
      const asked = calls.filter((call) => limitOf(call) !== 500 && hasDialect(call))
      const name = `${decodeURIComponent(listing)} ${raw ? 'rawcontinue' : 'continue'}`
      scores.set(`${name}, at 500`, compareAll(recorded, asked, facts))
      if (
        first !== undefined &&
        membersOf(first.body).some(({ key }) => key.endsWith('continue'))
      )
        scores.set(`${name}, first 25`, compareAll([first], asked, facts))
    }
  }
  return scores
}

function compareAll(
  recorded: readonly Call[],
  asked: readonly Call[],
  facts: WikiFacts
): Score {
  const score = newScore()
  const listings = readListings(
    recorded.map(({ interaction }) => interaction),
    facts
  )
  for (const { query, derivation, body } of asked) {
    const said = synthesize(derivation, listings, facts)
    const wanted = writeCompact(body, 'utf8')
    if (said.kind === 'outside' && said.why === 'the recording ends before') continue
    if (said.kind !== 'synthesized') {
      score.refused += 1
      const why = said.kind === 'conflict' ? said.what : said.why
      score.notes.set(why, (score.notes.get(why) ?? 0) + 1)
      continue
    }
    const got = writeCompact(said.body, 'utf8')
    if (got === wanted) score.exact += 1
    else if (said.by === 'own' && got === writeCompact(withOwn(body, said.body), 'utf8'))
      score.own += 1
    else {
      score.wrong += 1
      score.notes.set(`WRONG ${query}\n  wiki ${wanted}\n  tape ${got}`, 1)
    }
  }
  return score
}
