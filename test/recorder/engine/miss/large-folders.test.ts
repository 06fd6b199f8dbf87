/** Cassettes with many recordings of one module: a miss reads few of them, and what they prove is still answered. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
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
const pageAt = (at: number): object => ({ pageid: at + 1, ns: 0, title: `Page ${at}`, length: 5 })
const infoOf = (at: number): object => ({ batchcomplete: true, query: { pages: [pageAt(at)] } })
const listOf = (at: number): object => ({
  batchcomplete: true,
  query: { allpages: [{ pageid: at + 1, ns: at, title: `Talk ${at}` }] },
})

function add(store: CassetteStore, params: Params, answer: object): void {
  const request = new Map(Object.entries(params))
  const body = { kind: 'json', tree: fromPlain(answer), spelling: 'utf8' } as const
  const response = { status: 200, headers: new Map<string, string>(), cookies: [], body }
  const one = {
    key: requestKey(request),
    request,
    sentValues: new Map(),
    responses: [response],
  } as const
  const file = path.join(store.dir, store.pathFor(one))
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, encodeInteraction(one, path.basename(file, '.json')).text)
}

async function makeCassette(): Promise<string> {
  // A recording of each, for the descriptions.
  const wiki = await fakeWiki((params) =>
    JSON.stringify(params.has('list') ? listOf(0) : infoOf(0)),
  )
  const proxy = await startProxy(wiki.api, { cassette: path.join(temporaryFolder(), 'large') })
  for (const query of ['prop=info&titles=Page 0', 'list=allpages&apnamespace=0'])
    await ask(`${proxy.api}?action=query&format=json&formatversion=2&${query}`)
  await proxy.close()
  const store = CassetteStore.open(proxy.cassette)
  for (let at = 1; at < count; at += 1) {
    add(
      store,
      { action: 'query', formatversion: '2', prop: 'info', titles: `Page ${at}` },
      infoOf(at),
    )
    add(
      store,
      { action: 'query', apnamespace: `${at}`, formatversion: '2', list: 'allpages' },
      listOf(at),
    )
  }
  return proxy.cassette
}

afterEach(() => void vi.restoreAllMocks())

interface Asked {
  readonly status: string | undefined
  readonly text: string
  /** Files that were read for it. */
  readonly read: number
}

async function asked(...queries: readonly string[]): Promise<readonly Asked[]> {
  const replay = await startProxy(undefined, { cassette: await makeCassette() })
  const reading = vi.spyOn(InteractionReader.prototype, 'read')
  const all: Asked[] = []
  for (const query of queries) {
    reading.mockClear()
    const { headers, text } = await ask(
      `${replay.api}?action=query&format=json&formatversion=2&${query}`,
    )
    const status = headers['x-cassette-status']
    all.push({ status: String(status), text, read: reading.mock.calls.length })
  }
  return all
}

describe('a miss among many recordings of its module', () => {
  it.each([
    ['pages', 'prop=info&titles=Page 12x'],
    ['a listing', 'list=allpages&apnamespace=12000'],
  ])('reads few of them, the first time and again: %s', async (_, query) => {
    for (const { status, read } of await asked(query, query)) {
      expect(status).toBe('miss')
      expect(read).toBeLessThan(20)
    }
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
      (JSON.parse(made?.text ?? '') as { query: { pages: { pageid: number }[] } }).query.pages.map(
        ({ pageid }) => pageid,
      ),
    ).toEqual([8, 32])
    expect(made?.read).toBeLessThan(20)
  })

  it('of a listing is made as in a small cassette', async () => {
    const [made] = await asked('list=allpages&apnamespace=7&aplimit=5')
    expect(made?.status).toBe('synthesized')
    expect(made?.text).toContain('Talk 7')
    expect(made?.read).toBeLessThan(20)
  })
})
