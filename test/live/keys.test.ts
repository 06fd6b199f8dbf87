/**
 * Never a wrong answer: two requests with one key, and nothing left in `asked` to tell them apart, must get the same
 * answer from a real wiki. Each spec call and many listings are asked in spellings that the key claims insignificant.
 */
import { describe, expect, it } from 'vitest'
import { send, sorted } from '../../scripts/fidelity/send.ts'
import { type LabVersion, labUrl, labWikisAnswering } from '../../scripts/wiki/lab.ts'
import type { Interaction } from '../../src/recorder/cassette/interaction.ts'
import { type JsonTree, withoutMember } from '../../src/recorder/json/json-tree.ts'
import { readJson } from '../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../src/recorder/json/write-json.ts'
import { reorderResponse } from '../../src/recorder/playback/reorder/reorder-response.ts'
import {
  type Derivation,
  derive,
  type WikiFacts
} from '../../src/recorder/request/derive.ts'
import { envelopeOf, unwrapEnvelope } from '../../src/recorder/wiki/answers/envelope.ts'
import { equalIgnoringVolatile } from '../../src/recorder/wiki/answers/volatile.ts'
import {
  activeModules,
  findParamDescriptions
} from '../../src/recorder/wiki/modules/active-modules.ts'
import { decodeModule } from '../../src/recorder/wiki/modules/module-descriptions.ts'
import {
  parseUrlencoded,
  splitValues
} from '../../src/recorder/wiki/parameters/request-params.ts'
import { fromParams, paramsOf } from '../helpers/api-requests.ts'
import { factsFrom } from '../helpers/described-wikis.ts'
import { shareOf } from '../helpers/scale.ts'

/** The spec's query calls, its other actions, and the listings and properties that clients use most. */
const calls = [
  'action=query&prop=duplicatefiles&titles=Файл:Map_07.png|Файл:Нет такого.png',
  'action=query&prop=categoryinfo&titles=Категория:Foo|Category:Bar_baz',
  'action=query&prop=pageprops&titles=Абрикос',
  'action=query&prop=images&titles=Волга',
  'action=query&list=pagepropnames',
  'action=query&list=prefixsearch&pssearch=аб&psnamespace=0|14|6',
  'action=query&meta=userinfo&uiprop=blockinfo|groups|rights|hasmsg|options|editcount|email|realname',
  'action=query&list=blocks&bkusers=Алиса|Bob',
  'action=query&list=allpages&apfrom=B',
  'action=query&list=allpages&apfrom=B&rawcontinue=&aplimit=3',
  'action=query&list=allpages&apfrom=B&formatversion=2&aplimit=3&apfilterredir=nonredirects',
  'action=query&generator=alltransclusions&gatfrom=B',
  'action=query&generator=allfileusages&gaffrom=B',
  'action=query&generator=allimages&prop=duplicatefiles|imageinfo|info',
  'action=query&list=allimages&aimime=image/png|image/gif',
  'action=query&meta=filerepoinfo&friprop=name|displayname',
  'action=query&list=usercontribs&ucuser=Bob&ucnamespace=0|6',
  'action=query&list=usercontribs&ucuser=Bob&ucstart=20300101000000&ucend=2001-01-01T00:00:00Z',
  'action=query&list=gadgetcategories',
  'action=query&meta=allmessages&amprefix=ipb-&amlang=ru',
  'action=query&meta=siteinfo&siprop=general|namespaces|interwikimap|extensions',
  'action=query&meta=tokens&type=csrf|watch',
  'action=query&list=categorymembers&cmtitle=Категория:Природа 0&cmnamespace=0|14&cmprop=ids|title|timestamp&cmtype=page|file',
  'action=query&list=backlinks&bltitle=Волга&blnamespace=0|1',
  'action=query&list=embeddedin&eititle=Шаблон:Box B',
  'action=query&list=search&srsearch=Волга&srnamespace=0|4&srprop=size|wordcount|timestamp&srinfo=totalhits',
  'action=query&list=recentchanges&rcprop=title|ids|user&rctype=edit|new|log&rcshow=!bot',
  'action=query&list=recentchanges&rcstart=20301231235959&rcend=20010203040506&rclimit=5',
  'action=query&list=logevents&leprop=ids|type|title',
  'action=query&list=allusers&auprop=editcount|groups',
  'action=query&list=allcategories&acprop=size|hidden',
  'action=query&list=alllinks&alnamespace=0',
  'action=query&list=allusers|allpages|blocks',
  'action=query&prop=revisions|info|links|categories&titles=Волга&rvprop=ids|timestamp|user|content&redirects=1&indexpageids=1',
  'action=query&prop=links|templates|extlinks|iwlinks&titles=Волга&plnamespace=0|10&pllimit=2&eslimit=1',
  'action=query&titles=Нет такого&prop=info&inprop=url|protection',
  'action=query&titles=Волга&prop=info|revisions&converttitles=1&curtimestamp=1',
  'action=parse&text={{PAGENAME}}&title=Test',
  'action=parse&page=Волга&prop=text|links|categories|headhtml|displaytitle&disabletoc=1',
  'action=compare&fromrev=5&torev=60',
  'action=compare&fromtitle=Волга&totitle=Абрикос&prop=diff|ids|title|size',
  'action=expandtemplates&text={{Box B|1}}&prop=wikitext|categories',
  'action=opensearch&search=А&namespace=0|14',
  'action=paraminfo&modules=query|parse&helpformat=none',
  'action=tokens&type=email|move',
  'action=query&list=nonsense',
  'action=query&list=usercontribs'
] as const

type Entries = readonly (readonly [name: string, value: string])[]

/** One way of asking: a method and parameters in order. */
interface Ask {
  readonly entries: Entries
  readonly posted: boolean
}

const encode = (entries: Entries): string =>
  entries.map((pair) => pair.map((one) => encodeURIComponent(one)).join('=')).join('&')

/** Other spellings of a request; which of them share its key is for `derive` to say. */
function spellingsOf(entries: Entries, facts: WikiFacts): readonly Ask[] {
  const params = new Map(entries)
  const modules = activeModules(params, 'json', facts.lookup)
  const has = (name: string): boolean => params.has(name)
  const kindOf = (name: string): string => {
    const [param] = findParamDescriptions(name, modules)
    return param?.type ?? ''
  }
  const isMulti = (name: string): boolean =>
    findParamDescriptions(name, modules)[0]?.multi === true
  const defaults = modules.flatMap(({ prefix, description }) =>
    [...(description?.parameters.values() ?? [])].flatMap(
      (param): Entries =>
        param.default === undefined ||
        param.type === 'boolean' ||
        has(prefix + param.name)
          ? []
          : [[prefix + param.name, param.default]]
    )
  )
  const change = (to: (name: string, value: string) => string): Entries =>
    entries.map(([name, value]) => [name, to(name, value)] as const)
  const get = (...more: Entries): Ask => ({
    entries: [...entries, ...more],
    posted: false
  })
  const post = (given: Entries, ...more: Entries): Ask => ({
    entries: [...given, ...more],
    posted: true
  })
  const several = (value: string): boolean => splitValues(value).length > 1
  const respelled = change((name, value) => {
    if (kindOf(name) === 'boolean') return 'false'
    if (kindOf(name) === 'timestamp')
      return /^\d+$/.test(value) ? isoOf(value) : value.replace(/\D/g, '')
    return value
  })
  const turned = change((name, value) =>
    isMulti(name) && several(value) ? [...splitValues(value)].reverse().join('|') : value
  )
  const unknown = (...values: Entries): Ask[] => [
    get(...values),
    post(respelled, ...values.map(([name]) => [name, 'Другое'] as const))
  ]
  return [
    get(),
    // Everything at once that the key claims to have no effect.
    post(
      [...respelled].reverse(),
      ...defaults,
      ['maxlag', '5'],
      ['smaxage', '7'],
      ['maxage', '9'],
      ['requestid', 'R7'],
      ['utf8', '1']
    ),
    ...unknown(
      ['rand', '1'],
      ['_', '2'],
      ['bogus', ''],
      ['cache', 'Мусор\0'],
      ['zz[]', '3'],
      ['titles[]', '4']
    ),
    ...unknown(
      ['bogus', 'z'],
      ['mytoken', '4'],
      ['aaa', '2'],
      ['md5', 'x'],
      ['basetimestamp', 'y']
    ),
    ...[
      'variant',
      'useskin',
      'uselang',
      'debug',
      'safemode',
      'useformat',
      'linkconvert',
      'errorformat'
    ].flatMap((name) => [get([name, 'en']), get([name, 'html'])]),
    get(['maxlag', 'x']),
    get(['smaxage', '-5']),
    get(['requestid', 'R\u0001']),
    get(['callback', 'f']),
    get(['origin', '*']),
    {
      entries: change((name, value) => (kindOf(name) === 'boolean' ? 'a\u0001' : value)),
      posted: false
    },
    { entries: turned, posted: false },
    {
      entries: turned.map(([name, value]) => [
        name,
        isMulti(name) && several(value)
          ? `\u001f${[...splitValues(value), ...splitValues(value)].join('\u001f')}`
          : value
      ]),
      posted: false
    }
  ]
}

const isoOf = (digits: string): string =>
  digits.replace(/(\d{4})(..)(..)(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z')

/** Those that share a key with another one: only they can be served for each other. */
function withTwins(asks: readonly Ask[], facts: WikiFacts): readonly Ask[] {
  const keys = asks.map(
    ({ entries }) =>
      derive(fromParams(parseUrlencoded(encode([...entries, ['format', 'json']]))), facts)
        .key
  )
  return asks.filter((_, at) => keys.filter((key) => key === keys[at]).length > 1)
}

/** What was asked and answered. */
interface Answered {
  readonly asked: string
  readonly derivation: Derivation
  readonly status: number
  readonly error: string
  readonly tree: JsonTree | undefined
  readonly text: string
}

async function ask(
  url: string,
  { entries, posted }: Ask,
  facts: WikiFacts
): Promise<Answered> {
  const query = encode([...entries, ['format', 'json']])
  const params = parseUrlencoded(query)
  const response = await send(url, query, posted)
  const text = await response.text()
  const reading = readJson(unwrapEnvelope(envelopeOf(params), text) ?? '')
  const tree = reading.ok
    ? withoutMember(withoutMember(reading.tree, 'debuginfo'), 'requestid')
    : undefined
  return {
    asked: `${posted ? 'POST' : 'GET'} ${[...params].map((pair) => pair.join('=')).join('&')}`,
    derivation: derive(fromParams(params), facts),
    status: response.status,
    error: response.headers.get('mediawiki-api-error') ?? '',
    tree,
    text: tree === undefined ? text : ''
  }
}

function differ(a: Answered, b: Answered): boolean {
  if (a.status !== b.status || a.error !== b.error) return true
  if (a.tree === undefined || b.tree === undefined)
    return a.tree !== b.tree || a.text !== b.text
  return !equalIgnoringVolatile(a.tree, b.tree)
}

/** Sets whose order only selects: the members of objects may come in another order, nothing else. */
function differAsSets(a: Answered, b: Answered): boolean {
  if (a.tree === undefined || b.tree === undefined) return true
  return !equalIgnoringVolatile(sorted(a.tree), sorted(b.tree))
}

const excerpt = ({ tree, text }: Answered): string =>
  (tree === undefined ? text : writeCompact(tree, 'utf8')).slice(0, 600)

/** An answer as a cassette would hold it. */
const recordingOf = ({ derivation, status, tree, text }: Answered): Interaction => ({
  key: derivation.key,
  request: derivation.canonical,
  sentValues: derivation.sentValues,
  responses: [
    {
      status,
      headers: new Map(),
      cookies: [],
      body:
        tree === undefined
          ? { kind: 'text', text }
          : { kind: 'json', tree, spelling: 'ascii' }
    }
  ]
})

/** True where the one's recording would be served to the other, though the wiki answers that one differently. */
function isWrong(recorded: Answered, got: Answered): boolean {
  if (recorded.derivation.key !== got.derivation.key) return false
  const served = reorderResponse(recordingOf(recorded), got.derivation, undefined)
  if (served.kind === 'impossible') return false
  return served.kind === 'same' ? differ(recorded, got) : differAsSets(recorded, got)
}

/** Pairs that one recording would answer though the wiki answers them differently. */
async function wrongPairs(
  asks: readonly Ask[],
  askAgain: (one: Ask) => Promise<Answered>
): Promise<readonly string[]> {
  const answers: (readonly [Ask, Answered])[] = []
  for (const one of asks) answers.push([one, await askAgain(one)])
  const wrong: string[] = []
  for (const [at, [oneAsk, one]] of answers.entries()) {
    const [twinAsk, twin] =
      answers.slice(0, at).find(([, other]) => isWrong(other, one)) ?? []
    if (twinAsk === undefined || twin === undefined) continue
    // Somebody may have edited the wiki in between: only what differs twice counts.
    const first = await askAgain(twinAsk)
    const second = await askAgain(oneAsk)
    if (isWrong(first, second)) {
      wrong.push(
        `${first.asked}\n  ${excerpt(first)}\n${second.asked}\n  ${excerpt(second)}`
      )
    }
  }
  return wrong
}

async function describeWiki(url: string): Promise<WikiFacts> {
  const getJson = async (query: string): Promise<Record<string, never>> =>
    (await (await fetch(`${url}?${query}&format=json&formatversion=2`)).json()) as Record<
      string,
      never
    >
  const site = await getJson(
    'action=query&meta=siteinfo&siprop=general|namespaces|namespacealiases'
  )
  const modules = new Map<string, unknown>()
  const facts = (): WikiFacts => factsFrom([...modules.values()], site)
  for (;;) {
    const missing = [
      ...new Set(
        calls.flatMap(
          (call) =>
            derive(fromParams(paramsOf(`${call}&format=json`)), facts()).undescribed
        )
      )
    ].filter((path) => !modules.has(path))
    if (missing.length === 0) return facts()
    for (const path of missing) modules.set(path, undefined)
    const answer: { paraminfo?: { modules?: readonly unknown[] } } = await getJson(
      `action=paraminfo&helpformat=none&modules=${encodeURIComponent(missing.slice(0, 50).join('|'))}`
    )
    for (const path of missing.slice(50)) modules.delete(path)
    for (const one of answer.paraminfo?.modules ?? [])
      modules.set(decodeModule(one)?.path ?? '', one)
  }
}

/** Runs tasks a few at a time. */
async function inTurns<T, U>(
  items: readonly T[],
  width: number,
  run: (item: T) => Promise<U>
): Promise<readonly U[]> {
  const results: U[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at]
      if (item !== undefined) results[at] = await run(item)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}

const answering: readonly LabVersion[] = await labWikisAnswering()

/** Each call is for one of the three wikis; with WIKITAPE_TESTS=full for all of them. */
const callsFor = (version: LabVersion): readonly (typeof calls)[number][] =>
  shareOf(calls, answering.indexOf(version), answering.length)

describe('two requests with one key', () => {
  it('are asked of every wiki of the lab (npm run wiki -- up)', () => {
    expect(answering).toEqual(['1.35', '1.39', '1.43'])
  })

  it.concurrent.each(answering)('get one answer from %s', async (version) => {
    const url = labUrl(version)
    const facts = await describeWiki(url)
    const wrong = await inTurns(callsFor(version), 4, (call) =>
      wrongPairs(withTwins(spellingsOf([...paramsOf(call)], facts), facts), (one) =>
        ask(url, one, facts)
      )
    )
    expect(wrong.flat().join('\n\n')).toBe('')
  })
})
