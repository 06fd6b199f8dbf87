/** Cassettes with many recordings of one module: a miss reads few of them, and what they prove is still answered. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { encodeInteraction } from '../../../../src/recorder/cassette/format/encode-interaction.ts'
import { fromPlain } from '../../../../src/recorder/json/plain-json.ts'
import { requestKey } from '../../../../src/recorder/request/request-key.ts'
import { CassetteStore } from '../../../../src/recorder/store/cassette-store.ts'
import { InteractionReader } from '../../../../src/recorder/store/contents/interaction-reader.ts'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'
import { ask } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'

type Params = Readonly<Record<string, string>>

const count = 400
const pageAt = (at: number): object => ({
  pageid: at + 1,
  ns: 0,
  title: `Page ${at}`,
  length: 5
})
const infoOf = (at: number): object => ({
  batchcomplete: true,
  query: { pages: [pageAt(at)] }
})
const listOf = (at: number): object => ({
  batchcomplete: true,
  query: { allpages: [{ pageid: at + 1, ns: at, title: `Talk ${at}` }] }
})

function add(store: CassetteStore, params: Params, answer: object): void {
  const request = new Map(Object.entries(params))
  const body = { kind: 'json', tree: fromPlain(answer), spelling: 'utf8' } as const
  const response = { status: 200, headers: new Map<string, string>(), cookies: [], body }
  const one = {
    key: requestKey(request),
    request,
    sentValues: new Map(),
    responses: [response]
  } as const
  const file = path.join(store.dir, store.pathFor(one))
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, encodeInteraction(one, path.basename(file, '.json')).text)
}

/** Of these, names of files show neither the whole title nor all titles. */
const longTitle = (at: number): string => `Достопримечательности города ${at}`
const together = 'Столица|Очень далёкий город|Город на другом берегу'

async function makeCassette(): Promise<string> {
  // A recording of each, for the descriptions.
  const wiki = await fakeWiki((params) =>
    JSON.stringify(params.has('list') ? listOf(0) : infoOf(0))
  )
  const proxy = await startProxy(wiki.api, {
    cassette: path.join(temporaryFolder(), 'large')
  })
  for (const query of ['prop=info&titles=Page 0', 'list=allpages&apnamespace=0'])
    await ask(`${proxy.api}?action=query&format=json&formatversion=2&${query}`)
  await proxy.close()
  const store = CassetteStore.open(proxy.cassette)
  for (let at = 1; at < count; at += 1) {
    add(
      store,
      { action: 'query', formatversion: '2', prop: 'info', titles: `Page ${at}` },
      infoOf(at)
    )
    add(
      store,
      { action: 'query', apnamespace: `${at}`, formatversion: '2', list: 'allpages' },
      listOf(at)
    )
  }
  return proxy.cassette
}

/** The same with pages whose names are cut off in those of files. */
async function makeLongCassette(): Promise<string> {
  const dir = await makeCassette()
  const store = CassetteStore.open(dir)
  const addPages = (titles: string, pages: readonly object[]): void =>
    add(
      store,
      { action: 'query', formatversion: '2', inprop: 'url', prop: 'info', titles },
      { batchcomplete: true, query: { pages } }
    )
  for (let at = 0; at < count; at += 1)
    addPages(longTitle(at), [{ ...pageAt(at), title: longTitle(at) }])
  addPages(
    together,
    together.split('|').map((title, at) => ({ ...pageAt(1000 + at), title }))
  )
  return dir
}

afterEach(() => void vi.restoreAllMocks())

interface Asked {
  readonly status: string | undefined
  readonly text: string
  /** Files that were read for it. */
  readonly read: number
}

const asked = async (...queries: readonly string[]): Promise<readonly Asked[]> =>
  askedIn(await makeCassette(), queries)

async function askedIn(
  cassette: string,
  queries: readonly string[]
): Promise<readonly Asked[]> {
  const replay = await startProxy(undefined, { cassette })
  const reading = vi.spyOn(InteractionReader.prototype, 'read')
  const all: Asked[] = []
  for (const query of queries) {
    reading.mockClear()
    const { headers, text } = await ask(
      `${replay.api}?action=query&format=json&formatversion=2&${query}`
    )
    const status = headers['x-cassette-status']
    all.push({ status: String(status), text, read: reading.mock.calls.length })
  }
  return all
}

describe('a miss among many recordings of its module', () => {
  it.each([
    ['pages', 'prop=info&titles=Page 12x'],
    ['a listing', 'list=allpages&apnamespace=12000']
  ])('reads few of them, the first time and again: %s', async (_, query) => {
    for (const { status, read } of await asked(query, query)) {
      expect(status).toBe('miss')
      expect(read).toBeLessThan(20)
    }
  })

  it('reads those whose names are cut off once, and few of them again', async () => {
    const queries = [7000, 7000, 8000].map(
      (at) => `prop=info&inprop=url&titles=${encodeURIComponent(longTitle(at))}`
    )
    const [first, again, other] = await askedIn(await makeLongCassette(), queries)
    // Reads of a server are not files.
    const isOnServer = process.env['WIKITAPE_TEST_STORE'] !== undefined
    if (!isOnServer) expect(first?.read).toBeGreaterThan(count - 2)
    for (const one of [first, again, other]) expect(one?.status).toBe('miss')
    for (const one of [again, other]) expect(one?.read).toBeLessThan(20)
  })

  it('lets other requests have their turn while names are searched', async () => {
    const dir = await makeCassette()
    for (let at = 0; at < 15_000; at += 1)
      writeFileSync(
        path.join(
          dir,
          'query.info',
          `titles=P.${at.toString(16).padStart(12, '0')}.json`
        ),
        ''
      )
    const store = CassetteStore.open(dir)
    let turns = 0
    const search = store.named('query.info', () => false)
    const ticks = (async () => {
      for (let ended = false; !ended; turns += 1)
        ended = await Promise.race([search.then(() => true), setImmediate(false)])
    })()
    await Promise.all([search, ticks])
    expect(turns).toBeGreaterThan(1)
  })

  it('still names the nearest', async () => {
    const [miss] = await asked('prop=info&titles=Page 123 ')
    expect(miss?.text).not.toContain('cassette-miss')
    const [other] = await asked('prop=info&titles=Page 123 x')
    expect(other?.text).toContain('titles recorded \\"Page 123\\", got \\"Page 123 x\\"')
  })
})

describe('an answer composed of many recordings', () => {
  it('of pages is made as in a small cassette', async () => {
    const [made] = await asked('prop=info&titles=Page 7|Page 31')
    expect(made?.status).toBe('synthesized')
    expect(
      (
        JSON.parse(made?.text ?? '') as { query: { pages: { pageid: number }[] } }
      ).query.pages.map(({ pageid }) => pageid)
    ).toEqual([8, 32])
    expect(made?.read).toBeLessThan(20)
  })

  it('of pages whose names are cut off is made as in a small cassette', async () => {
    const titles = [longTitle(7), 'Город на другом берегу', longTitle(31)].join('|')
    const query = `prop=info&inprop=url&titles=${encodeURIComponent(titles)}`
    const [made] = await askedIn(await makeLongCassette(), [query])
    expect(made?.status).toBe('synthesized')
    for (const title of titles.split('|'))
      expect(made?.text).toContain(`"title":"${title}"`)
  })

  it('of a listing is made as in a small cassette', async () => {
    const [made] = await asked('list=allpages&apnamespace=7&aplimit=5')
    expect(made?.status).toBe('synthesized')
    expect(made?.text).toContain('Talk 7')
    expect(made?.read).toBeLessThan(20)
  })
})
