/** Several processes that record into one cassette at once, one of them killed half-way. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { newManifest } from '../../src/recorder/cassette/format/manifest.ts'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { filesIn, temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { spawnServing } from '../helpers/processes.ts'
import { run, type Serving, serving } from '../helpers/program.ts'
import { interactionOf } from '../helpers/recorded.ts'
import { scaled } from '../helpers/scale.ts'

const upstream = 'http://wiki/w/api.php'

/** Asks one server, eight at a time; what was acknowledged, by key. */
async function askAll(
  api: string,
  queries: readonly string[],
  onReply: () => void
): Promise<Map<string, string>> {
  const acknowledged = new Map<string, string>()
  const waiting = [...queries]
  const work = async (): Promise<void> => {
    for (let query = waiting.shift(); query !== undefined; query = waiting.shift()) {
      const reply = await ask(`${api}?${query}`).catch(() => undefined)
      if (reply === undefined) return
      // An error of wikitape's own has none; then its words are what to read.
      expect(
        reply.headers['x-cassette-key'],
        `${reply.status} ${reply.text}`
      ).toBeDefined()
      acknowledged.set(String(reply.headers['x-cassette-key']), reply.text)
      onReply()
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return acknowledged
}

/** How many requests are a process's own, and how many the same for everybody. */
const own = scaled(30, 150)
const common = scaled(20, 100)
const each = own + common

/** Every module differs in what describes it. */
const queriesOf = (number: number): readonly string[] => [
  ...Array.from(
    { length: own },
    (_, at) => `action=query&format=json&list=allpages&apfrom=${number}x${at}`
  ),
  ...Array.from(
    { length: common },
    (_, at) => `action=query&format=json&prop=info&titles=T${at}`
  )
]

describe(`four processes that record ${each} requests each`, () => {
  it('lose nothing that was acknowledged and tear nothing, though one is killed half-way', async () => {
    const wiki = await fakeWiki((params) =>
      JSON.stringify({
        query: {
          echo: [...params].map((one) => one.join('=')),
          filler: 'Ы'.repeat(2000)
        }
      })
    )
    const dir = path.join(temporaryFolder(), 'tape')
    const servers: readonly Serving[] = await Promise.all(
      [0, 1, 2, 3].map(() => spawnServing(['record', wiki.api, '--cassette', dir]))
    )
    let killedAfter = each / 2
    const acknowledged = await Promise.all(
      servers.map(({ api, kill }, number) =>
        askAll(api, queriesOf(number), () => {
          if (number !== 3) return
          killedAfter -= 1
          if (killedAfter === 0) kill('SIGKILL')
        })
      )
    )
    const ends = await Promise.all(servers.map((server) => server.stop()))
    expect(ends.map(({ code, signal }) => signal ?? code)).toEqual([0, 0, 0, 'SIGKILL'])
    expect(acknowledged.map(({ size }) => size).slice(0, 3)).toEqual([each, each, each])
    expect(acknowledged[3]?.size).toBeGreaterThanOrEqual(each / 2)
    expect(acknowledged[3]?.size).toBeLessThan(each)

    const checked = await run(['check', dir])
    expect([checked.code, checked.stderr]).toEqual([0, ''])
    const replay = await serving(['replay', '--cassette', dir])
    const all = new Map(acknowledged.flatMap((one) => [...one]))
    expect(all.size).toBeGreaterThanOrEqual(
      3 * own + common + Math.min(own, each / 2 - 25)
    )
    const store = CassetteStore.open(dir)
    const written = new Set([...store.paths()].map(([key]) => String(key)))
    expect([...all.keys()].filter((key) => !written.has(key))).toEqual([])
    const again = await Promise.all(
      [0, 1, 2].map((number) => askAll(replay.api, queriesOf(number), () => undefined))
    )
    for (const [key, text] of again.flatMap((one) => [...one]))
      expect(text).toBe(all.get(key))
    const end = await replay.stop()
    expect(end.stderr).toMatch(/^(?![\s\S]*missed \d)[\s\S]*replayed \d/)

    const { engine, site, recorded } = store.manifest
    expect([engine, site?.lang, recorded]).toEqual([
      '1.43.9',
      expect.any(String),
      expect.any(String)
    ])
    expect(
      ['query', 'query+allpages', 'query+info'].map((one) => store.module(one)?.path)
    ).toEqual(['query', 'query+allpages', 'query+info'])
    // Only the killed one may leave a draft, which nobody reads.
    const drafts = [...filesIn(dir).keys()].filter((name) => name.endsWith('.tmp'))
    expect(drafts.length).toBeLessThanOrEqual(1)
  })
})

describe('cassette.json', () => {
  const learn = (store: CassetteStore, facts: Partial<CassetteStore['manifest']>): void =>
    store.setManifest({ ...store.manifest, ...facts })
  const site = { generator: 'MediaWiki 1.43.9', lang: 'ru', namespaces: [] }

  it('holds what each process learned, whichever wrote last', () => {
    const dir = path.join(temporaryFolder(), 'tape')
    const one = CassetteStore.openOrCreate(dir, upstream)
    const other = CassetteStore.openOrCreate(dir, upstream)
    one.put(interactionOf({ action: 'a' }))
    other.put(interactionOf({ action: 'b' }))
    learn(one, { engine: '1.43.9' })
    learn(other, { site })
    learn(one, { describesItself: false })
    expect(CassetteStore.open(dir).manifest).toEqual({
      ...newManifest(upstream),
      engine: '1.43.9',
      site,
      describesItself: false
    })
    learn(one, { describesItself: true })
    expect(CassetteStore.open(dir).manifest.describesItself).toBe(true)
  })

  it('is written again where another process wrote over it at the same moment', () => {
    const dir = path.join(temporaryFolder(), 'tape')
    const file = path.join(dir, 'cassette.json')
    const store = CassetteStore.openOrCreate(dir, upstream)
    store.put(interactionOf({ action: 'a' }))
    const late = readFileSync(file, 'utf8')
    learn(store, { engine: '1.43.9' })
    const script = `require('fs').writeFileSync(${JSON.stringify(file)}, ${JSON.stringify(late)})`
    spawnSync(process.execPath, ['--eval', script])
    expect(CassetteStore.open(dir).manifest.engine).toBe('')
    store.checkpoint()
    expect(CassetteStore.open(dir).manifest.engine).toBe('1.43.9')
    const before = filesIn(dir)
    store.checkpoint()
    expect(filesIn(dir)).toEqual(before)
  })

  it('is left alone by those who only read', () => {
    const dir = path.join(temporaryFolder(), 'tape')
    const writer = CassetteStore.openOrCreate(dir, upstream)
    writer.put(interactionOf({ action: 'a' }))
    const reader = CassetteStore.open(dir)
    learn(writer, { engine: '1.43.9' })
    const before = filesIn(dir)
    reader.checkpoint()
    expect(filesIn(dir)).toEqual(before)
  })
})
