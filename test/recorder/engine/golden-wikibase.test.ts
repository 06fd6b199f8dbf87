/** What a real Wikibase 1.45 answered, recorded in part: the rest is answered byte for byte, or missed. */
import { expect, test } from 'vitest'
import {
  askAll,
  callsOf,
  recordAll,
  type WikibaseCall,
  wrongIn
} from '../../helpers/golden-wikibase.ts'

test.each([1])(
  'half of the reads are recorded, the others asked: seed %i',
  { timeout: 240_000 },
  async (seed) => {
    let state = seed
    const isRecorded = (): boolean => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return state < 1_073_741_824
    }
    const recorded: WikibaseCall[] = []
    const asked: WikibaseCall[] = []
    for (const call of callsOf('read')) (isRecorded() ? recorded : asked).push(call)
    const table = await askAll(await recordAll(recorded), asked)
    expect(wrongIn(table)).toEqual([])
    // All that one recording of each entity shows.
    expect(table.get('action=wbgetentities json')?.answered).toBeGreaterThanOrEqual(7)
    expect(table.get('action=wbgetclaims json')?.answered).toBeGreaterThanOrEqual(15)
  }
)

const sessions = ['session-1', 'session-2', 'session-3'].map(callsOf)

/** One call of each in turn. */
const interleaved = (order: readonly number[]): readonly WikibaseCall[] =>
  Array.from({ length: 20 }, (_, at) =>
    order.flatMap((one) => sessions[one]?.[at] ?? [])
  ).flat()

test.each([
  ['in order', sessions.flat()],
  ['in another order', sessions.toReversed().flat()],
  ['interleaved', interleaved([0, 1, 2])],
  ['interleaved in another order', interleaved([2, 0, 1])]
])('three sessions of writes are replayed %s', { timeout: 120_000 }, async (_, asked) => {
  const folder = await recordAll(sessions.flat(), ({ kind }) => kind)
  const table = await askAll(folder, asked, ({ kind }) => kind)
  expect(wrongIn(table)).toEqual([])
  expect([...table.values()].map(({ refused }) => refused)).toEqual(
    [...table].map(() => 0)
  )
})

const post = (sent: Readonly<Record<string, string>>, body: string): WikibaseCall => ({
  kind: 'made',
  method: 'POST',
  url: '/w/api.php',
  sent: { format: 'json', token: '+\\', ...sent },
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body
})

test('reads of other entities hold after a write, those of redirects to it do not', async () => {
  const [cities, another, write, after] = callsOf('session-1')
  const redirected = callsOf('session-2').find(({ url }) =>
    url.endsWith('&ids=Q61&redirects=no')
  )
  const redirect = { ...redirected, url: redirected?.url.replace('&redirects=no', '') }
  const merged = callsOf('session-2').findLast(({ url }) => url === redirect.url)
  const target = post(
    { action: 'wbsetaliases', id: 'Q11', language: 'en', add: 'x' },
    '{"entity":{"aliases":{},"id":"Q11","type":"item","lastrevid":99},"success":1}'
  )
  const known = [cities, another, merged, write, after, target].flatMap(
    (one) => one ?? []
  )
  const folder = await recordAll(known)
  const asked = [write, another, after, merged].flatMap((one) => one ?? [])
  const table = await askAll(folder, asked)
  expect(wrongIn(table)).toEqual([])
  expect(table.get('action=wbgetentities json')).toMatchObject({
    answered: 3,
    refused: 0
  })
  const stale = await askAll(
    folder,
    [target, merged].flatMap((one) => one ?? [])
  )
  expect(stale.get('action=wbgetentities json')).toMatchObject({
    answered: 0,
    refused: 1
  })
})

test('claims with parameters of entities are missed: the wiki warns of them', async () => {
  const whole = callsOf('read').filter(({ url }) =>
    /=wbgetclaims&entity=Q33&format=json$/.test(url)
  )
  const asked = ['languages=en', 'redirects=no', 'sites=enwiki'].flatMap((more) =>
    whole.map((call) => ({ ...call, url: `${call.url}&${more}`, body: 'warnings' }))
  )
  const table = await askAll(await recordAll(whole), asked)
  expect([...table.values()]).toEqual([{ answered: 0, refused: 3, wrong: [] }])
})

test('parameters that no module has are warned of, in a set that was recorded with others', async () => {
  const reads = callsOf('read')
  const recorded = reads.filter(({ url }) =>
    /prop=revisions.*wbetterms.*wbetlanguage.*wbetlimit.*formatversion=2/.test(url)
  )
  const asked = reads.find(({ url }) =>
    /prop=revisions&titles=Item%3AQ50%7CItem%3AQ18&wbetlanguage/.test(url)
  )
  const inCore = await askAll(await recordAll(recorded), asked ? [asked] : [])
  expect([...inCore.values()]).toEqual([{ answered: 1, refused: 0, wrong: [] }])
  // An extension's module may read them, unless the wiki warned of what begins as its own.
  const [search, ...others] = reads.filter(({ url }) =>
    /wbssearch=alias&wbslimit=2&wbsoffset=/.test(url)
  )
  const folder = await recordAll(search ? [search] : [])
  const inExtension = await askAll(folder, others)
  expect([...inExtension.values()]).toEqual([{ answered: 1, refused: 0, wrong: [] }])
  const renamed = others.map((call) => ({
    ...call,
    url: call.url.replace('wbsoffset', 'cirrusoffset')
  }))
  const ofNobody = await askAll(folder, renamed)
  expect([...ofNobody.values()]).toEqual([{ answered: 0, refused: 1, wrong: [] }])
})

const entities = callsOf('read').filter(({ url }) => url.includes('wbgetentities'))
const inFormat = (...formats: readonly string[]): readonly WikibaseCall[] =>
  entities.filter(({ url }) => formats.some((one) => url.endsWith(`format=${one}`)))

test('entities recorded in JSON are given in XML and PHP', {
  timeout: 60_000
}, async () => {
  const table = await askAll(await recordAll(inFormat('json')), inFormat('xml', 'php'))
  expect(wrongIn(table)).toEqual([])
  expect(table.get('action=wbgetentities xml')?.answered).toBeGreaterThanOrEqual(8)
  expect(table.get('action=wbgetentities php')?.answered).toBeGreaterThanOrEqual(3)
})

test('entities in PHP of an unknown version are missed: the wiki has an error for it', async () => {
  const [known] = inFormat('json').filter(({ url }) => /ids=Q48&props=info/.test(url))
  const asked = ['3', '', '1'].flatMap((version) =>
    known === undefined
      ? []
      : [{ ...known, url: known.url.replace('=json', `=php&formatversion=${version}`) }]
  )
  const table = await askAll(await recordAll(known ? [known] : []), asked)
  expect([...table.values()]).toMatchObject([{ refused: 2 }])
})

test('entities recorded in PHP are given in JSON, and show no empty map', {
  timeout: 60_000
}, async () => {
  const folder = await recordAll(inFormat('php'))
  const table = await askAll(folder, inFormat('json', 'xml'))
  expect(wrongIn(table)).toEqual([])
  expect(table.get('action=wbgetentities json')?.answered).toBeGreaterThanOrEqual(12)
})

test('pages recorded in one version of the format are given in the other', {
  timeout: 60_000
}, async () => {
  const reads = callsOf('read').filter(({ url }) =>
    /prop=(?:revisions|info%7C)/.test(url)
  )
  const inVersion = (isNew: boolean): readonly WikibaseCall[] =>
    reads.filter(({ url }) => url.includes('formatversion=2') === isNew)
  const older = await askAll(await recordAll(inVersion(true)), inVersion(false))
  const newer = await askAll(await recordAll(inVersion(false)), inVersion(true))
  expect(wrongIn(older)).toEqual([])
  expect(wrongIn(newer)).toEqual([])
  const answeredOf = (table: typeof older): readonly number[] =>
    ['revisions', 'info|pageprops'].map(
      (props) => table.get(`action=query prop=${props} json`)?.answered ?? 0
    )
  expect(answeredOf(older)).toEqual([6, 1])
  // Texts in slots, too. The others have pages that were recorded nowhere.
  expect(answeredOf(newer)).toEqual([1, 0])
})

test('props of items are composed of recordings of other props', {
  timeout: 60_000
}, async () => {
  const reads = callsOf('read').filter(({ url }) =>
    /prop=(?:info|pageprops|entityterms)[^&]*&titles/.test(url)
  )
  const isOfOne = ({ url }: WikibaseCall): boolean => /&prop=info&/.test(url)
  const folder = await recordAll(reads.filter((call) => !isOfOne(call)))
  const table = await askAll(folder, reads.filter(isOfOne))
  expect(wrongIn(table)).toEqual([])
  expect(table.get('action=query prop=info json')).toMatchObject({ answered: 4 })
})

test('values and languages recorded in one version of the format are given in the other', async () => {
  const reads = callsOf('read').filter(({ url }) =>
    /wbparsevalue&datatype=time&values=1%7C2%7C3|wbformatvalue.*?%7D&format|=wbcontentlanguages|wblistentityusage/.test(
      url
    )
  )
  const isNew = ({ url }: WikibaseCall): boolean => url.includes('formatversion=2')
  const folder = await recordAll(reads.filter(isNew))
  const table = await askAll(
    folder,
    reads.filter((call) => !isNew(call))
  )
  expect(wrongIn(table)).toEqual([])
  expect(
    [...table].map(([name, { answered, refused }]) => [name, answered, refused])
  ).toEqual([
    ['action=wbparsevalue json', 1, 0],
    ['action=wbformatvalue json', 1, 0],
    ['action=query json', 1, 0],
    // Whether it has booleans is not known.
    ['action=query list=wblistentityusage json', 0, 1]
  ])
})

test('parsed values are given in other orders, and not where one of them is unknown', async () => {
  const parsed = (values: string): readonly WikibaseCall[] =>
    callsOf('read').filter(({ url }) => url.includes(`datatype=time&values=${values}&`))
  const three = parsed('1%7C2%7C3')
  const folder = await recordAll(three.slice(0, 1))
  const table = await askAll(folder, parsed('3%7C1'))
  expect([...table.values()]).toEqual([{ answered: 1, refused: 0, wrong: [] }])
  const others = three.map((call) => ({
    ...call,
    url: call.url.replace('=1%7C', '=4%7C')
  }))
  const unknown = await askAll(folder, others.slice(0, 1))
  expect([...unknown.values()]).toMatchObject([{ answered: 0, refused: 1 }])
})

test('fewer terms of an entity are given out of more, whatever name nobody reads was sent', async () => {
  const reads = callsOf('read').filter(({ url }) =>
    /prop=entityterms[^&]*&titles/.test(url)
  )
  const isFewer = ({ url }: WikibaseCall): boolean => url.includes('wbetterms')
  const table = await askAll(
    await recordAll(reads.filter((call) => !isFewer(call))),
    reads.filter(isFewer)
  )
  expect(wrongIn(table)).toEqual([])
  expect([...table.values()].map(({ answered }) => answered)).toEqual([1, 2])
})

test('pages that a generator chose are given by their titles', async () => {
  const reads = callsOf('read')
  const generated = reads.filter(({ url }) =>
    /generator=recentchanges.*grclimit=max/.test(url)
  )
  const asked = reads.filter(({ url }) => /prop=info&titles/.test(url))
  const table = await askAll(await recordAll(generated), asked)
  expect(wrongIn(table)).toEqual([])
  expect([...table.values()].map(({ answered }) => answered)).toEqual([3])
})
