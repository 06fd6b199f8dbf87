/** `action=paraminfo` put together module by module: the bytes that a real wiki sends, or a miss. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { labUrl, labWikisAnswering } from '../../scripts/wiki/lab.ts'
import { ask, type HttpReply } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'

/** Every module in one of these; lists of the deprecated kinds draw warnings, and so are apart. */
const recorded = [
  'modules=main|query%2Binfo',
  'modules=query%2Ballpages|edit|query',
  'modules=parse|json|xml',
  'modules=query%2Btokens',
  'querymodules=info|allpages',
  'querymodules=siteinfo',
  'formatmodules=json|xml',
  'mainmodule=&modules=query',
  'mainmodule=&modules=edit|parse',
  'pagesetmodule=&querymodules=info',
  'pagesetmodule=&querymodules=allpages|siteinfo'
]
const modules = [
  'main',
  'query+info',
  'query+allpages',
  'edit',
  'query',
  'parse',
  'json',
  'xml',
  'query+tokens'
]
const some = (values: readonly string[]): fc.Arbitrary<string> =>
  fc
    .shuffledSubarray([...values], { minLength: 1 })
    .map((names) => encodeURIComponent(names.join('|')))
const asked = fc.oneof(
  { weight: 6, arbitrary: some(modules).map((names) => `modules=${names}`) },
  {
    weight: 2,
    arbitrary: some(['info', 'allpages', 'siteinfo']).map(
      (names) => `querymodules=${names}`
    )
  },
  {
    weight: 1,
    arbitrary: some(['json', 'xml']).map((names) => `formatmodules=${names}`)
  },
  {
    weight: 1,
    arbitrary: some(['query', 'edit', 'parse']).map(
      (names) => `mainmodule=&modules=${names}`
    )
  },
  {
    weight: 1,
    arbitrary: some(['info', 'allpages', 'siteinfo']).map(
      (names) => `pagesetmodule=&querymodules=${names}`
    )
  }
)

const versions = await labWikisAnswering()

describe.each(versions)('MediaWiki %s', (version) => {
  it.each(['formatversion=1', 'formatversion=2'])(
    'is composed exactly in any combination and order: %s',
    async (more) => {
      const recording = await startProxy(labUrl(version))
      const urlOf = (api: string, query: string): string =>
        `${api}?action=paraminfo&format=json&${more}&${query}`
      for (const query of recorded) await ask(urlOf(recording.api, query))
      const replay = await startProxy(undefined, { cassette: recording.cassette })
      const live = (query: string): Promise<HttpReply> =>
        ask(urlOf(recording.api, query), {
          headers: { 'x-cassette-mode': 'passthrough' }
        })
      await fc.assert(
        fc.asyncProperty(asked, async (query) => {
          const here = await ask(urlOf(replay.api, query))
          expect(here.headers['x-cassette-status']).toMatch(/^(?:replayed|synthesized)$/)
          expect(here.text).toBe((await live(query)).text)
        }),
        { numRuns: 10 }
      )
      const unknown = await ask(urlOf(replay.api, 'modules=edit|query%2Bsearch'))
      expect(unknown.headers['x-cassette-status']).toBe('miss')
    }
  )
})

/** Recorded in one formatversion by one caller; asked in the other, of the recorder's own descriptions, and for all below one. */
describe.each(versions)('MediaWiki %s', (version) => {
  it('what the recorder was told is told to clients, or missed', async () => {
    const recording = await startProxy(labUrl(version))
    const urlOf = (api: string, query: string): string => `${api}?format=json&${query}`
    const record = (query: string): Promise<HttpReply> => ask(urlOf(recording.api, query))
    await record('action=paraminfo&formatversion=2&modules=edit|query%2Binfo')
    // Described on the way, since requests use them.
    await record('action=query&prop=revisions&titles=A&list=allpages')
    await record('action=parse&text=x')
    for (const engine of recording.rack.all()) await engine.ownRequests?.describeAll({})
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    for (const [asked, statuses] of [
      ['modules=query%2Binfo|edit', ['synthesized']],
      ['modules=query%2Brevisions|parse|edit', ['synthesized']],
      ['modules=query%2Brevisions|parse&formatversion=2', ['synthesized']],
      ['modules=*', ['synthesized']],
      ['modules=query%2B*&formatversion=2', ['synthesized']],
      ['modules=**', ['synthesized']],
      ['modules=edit|main%2B**', ['synthesized']],
      // Warnings are worded by formatversion, texts by language.
      ['querymodules=info', ['miss']],
      ['modules=edit&uselang=de', ['miss']],
      ['modules=edit&formatversion=latest', ['miss']]
    ] as const) {
      const query = `action=paraminfo&${asked}`
      const here = await ask(urlOf(replay.api, query))
      expect(statuses, asked).toContain(here.headers['x-cassette-status'])
      if (here.headers['x-cassette-status'] === 'miss') continue
      const live = await ask(urlOf(recording.api, query), {
        headers: { 'x-cassette-mode': 'passthrough' }
      })
      // Half a megabyte each: only where they part is worth telling.
      const parting = [...here.text].findIndex((sign, at) => sign !== live.text[at])
      expect(
        [here.text.length, parting, here.text.slice(parting - 60, parting + 60)],
        asked
      ).toEqual([live.text.length, -1, live.text.slice(parting - 60, parting + 60)])
    }
  })
})
