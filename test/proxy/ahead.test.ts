/**
 * Replies that were made ready before anybody asked: they are those of a run that has nothing ready, whatever happens to
 * the files meanwhile, and nothing of them shows before somebody asks.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Engine } from '../../src/proxy/engine.ts'
import type { Exchange } from '../../src/proxy/exchange.ts'
import { Rack, type RackOptions } from '../../src/proxy/rack.ts'
import { requestKey } from '../../src/request/key.ts'
import { CassetteStore } from '../../src/store/cassette-store.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { scaled } from '../helpers/scale.ts'

const get = (query: string): Exchange => ({
  method: 'GET',
  target: `/w/api.php?${query}`,
  headers: {},
  body: Buffer.alloc(0),
  session: '',
  signal: undefined,
})
const post = (query: string): Exchange => ({
  ...get(''),
  method: 'POST',
  target: '/w/api.php',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: Buffer.from(query),
})
/** As one client spells it. */
const info = (title: string): Exchange =>
  get(`titles=${encodeURIComponent(title)}&action=query&format=json&prop=info`)

let cassette = ''
let packs = ''

/** @param settling milliseconds: none, since nothing waits here */
const rackOf = (kept: RackOptions['packs'] = { folder: packs }, settling = -1): Rack =>
  new Rack({
    cassette,
    mode: 'none',
    live: undefined,
    missStatus: 404,
    onMiss: 'synthesize',
    recordErrors: false,
    now: () => Date.UTC(2026, 10, 22),
    report: () => undefined,
    settling,
    packs: kept.folder === '' ? undefined : kept,
  })
const none = { folder: '' }
const engineOf = (rack: Rack): Engine => rack.engine(undefined, undefined)

/** Bytes of all that lies in the packs. */
function keptBytes(): number {
  try {
    const files = readdirSync(packs).flatMap((name) =>
      readdirSync(path.join(packs, name)).map((file) => path.join(packs, name, file)),
    )
    return files.reduce((sum, file) => sum + statSync(file).size, 0)
  } catch {
    return 0
  }
}

/** Until nothing more is made ready; nobody waits for the rests between one moment's work and the next. */
async function atRest(engine: Engine): Promise<void> {
  do {
    await new Promise(setImmediate)
    vi.advanceTimersByTime(10)
  } while (engine.looksAhead)
}

const later = setTimeout
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function write(request: Readonly<Record<string, string>>, ...says: readonly object[]): string {
  const key = requestKey(new Map(Object.entries(request)))
  const file = path.join(cassette, 'query.info', `${key}.json`)
  mkdirSync(path.dirname(file), { recursive: true })
  const responses = says.map((one) => ({ headers: {}, status: 200, ...one }))
  writeFileSync(file, JSON.stringify({ request, responses }))
  return file
}
const writeInfo = (title: string, says: string): string =>
  write({ action: 'query', prop: 'info', titles: title }, { json: { says } })

const titles = ['А', 'Б', 'В', 'Г я', 'a+b&c=d%']

beforeEach(() => {
  cassette = path.join(temporaryFolder(), 'tape')
  packs = path.join(temporaryFolder(), 'packs')
  mkdirSync(cassette)
  const manifest = { describesItself: false, format: 1, upstream: 'http://wiki.example/w/api.php' }
  writeFileSync(path.join(cassette, 'cassette.json'), JSON.stringify(manifest))
  for (const title of titles) writeInfo(title, `of ${title}`)
})

/** What a ready reply says, if there is one. */
function saidIfReady(engine: Engine, exchange: Exchange): unknown {
  const body = engine.ready(exchange)?.body.toString()
  return body && JSON.parse(body)
}
const saying = (says: string) => ({ says })

/** Asks for one, and waits until the others are ready. */
async function oneAsked(rack = rackOf(), exchange = info('А')): Promise<Engine> {
  const engine = engineOf(rack)
  await engine.answer(exchange)
  await atRest(engine)
  return engine
}

describe('recordings that nobody has asked for yet', () => {
  it('are ready once one of their kind was asked for, spelled as that one or otherwise', async () => {
    const rack = rackOf()
    const engine = await oneAsked(rack)
    for (const title of titles.slice(1)) {
      expect(saidIfReady(engine, info(title))).toEqual(saying(`of ${title}`))
      const query = new URLSearchParams({ action: 'query', prop: 'info', format: 'json', titles: title })
      expect(saidIfReady(engine, post(`${query}`))).toEqual(saying(`of ${title}`))
    }
    rack.close()
  })

  it('are counted and told when somebody asks, not before', async () => {
    const rack = rackOf()
    const told: string[] = []
    rack.feed.watch((one) => told.push(one.told.outcome))
    const engine = await oneAsked(rack)
    expect([rack.counts().replayed, rack.counts().unused, told]).toEqual([1, 4, ['replayed']])
    engine.ready(info('Б'))
    expect([rack.counts().replayed, rack.counts().unused, told]).toEqual([2, 3, ['replayed', 'replayed']])
    rack.close()
  })

  it('are ready in later runs, as the first has left them', async () => {
    const first = rackOf()
    await oneAsked(first)
    first.close()
    const [kept] = readdirSync(packs)
    expect(readdirSync(path.join(packs, kept ?? '')).map((name) => path.extname(name))).toEqual(['.ready'])
    const rack = rackOf()
    expect(saidIfReady(engineOf(rack), info('В'))).toEqual(saying('of В'))
    rack.close()
  })

  it('are learned from a form as well, and from requests that space with +', async () => {
    const rack = rackOf()
    const engine = await oneAsked(rack, post('action=query&prop=info&format=json&titles=%D0%90'))
    expect(saidIfReady(engine, info('Б'))).toEqual(saying('of Б'))
    rack.close()
    writeInfo('А Б', 'with a space')
    const spaced = rackOf()
    const other = await oneAsked(spaced, get('action=query&prop=info&format=json&titles=%D0%90+%D0%91'))
    expect(saidIfReady(other, get('action=query&prop=info&format=json&titles=%D0%93+%D1%8F'))).toEqual(
      saying('of Г я'),
    )
    spaced.close()
  })

  it('wait until somebody asks for one of their shape', async () => {
    const file = write(
      { action: 'query', intestactions: 'edit', prop: 'info', titles: 'А' },
      { json: { a: 1 } },
    )
    write({ action: 'query', intestactions: 'edit', prop: 'info', titles: 'Б' }, { json: { b: 2 } })
    const tested = (title: string): Exchange =>
      get(`${info(title).target.slice('/w/api.php?'.length)}&intestactions=edit`)
    const rack = rackOf()
    const engine = await oneAsked(rack)
    expect(saidIfReady(engine, tested('Б'))).toBeUndefined()
    expect((await engine.answer(tested('А'))).body.toString()).toBe('{"a":1}')
    await atRest(engine)
    expect(saidIfReady(engine, tested('Б'))).toEqual({ b: 2 })
    expect(statSync(file).isFile()).toBe(true)
    rack.close()
  })

  it.each<[string, () => void]>([
    ['have several answers', () => void write(noted, { json: { says: 'x' } }, { json: { says: 'y' } })],
    [
      'set a cookie',
      () =>
        void write(noted, { json: { says: 'x' }, cookies: [{ name: 'wiki_session', value: '(cookie)' }] }),
    ],
    ['are no JSON', () => void write(noted, { text: 'x' })],
    ['cannot be read', () => writeFileSync(write(noted), '{')],
    ['are large', () => void write(noted, { json: { says: 'x'.repeat(200_000) } })],
  ])('are left alone where they %s', async (_, make) => {
    make()
    const rack = rackOf()
    const engine = await oneAsked(rack)
    expect(saidIfReady(engine, info('Д'))).toBeUndefined()
    expect(saidIfReady(engine, info('Б'))).toBeDefined()
    rack.close()
  })

  it('are left alone where the spelling counts, where nothing is kept, and where files are young', async () => {
    for (const rack of [rackOf(none), rackOf({ folder: packs }, 600_000)]) {
      const engine = await oneAsked(rack)
      expect(saidIfReady(engine, info('Б'))).toBeUndefined()
      rack.close()
    }
    const manifest = JSON.parse(readFileSync(path.join(cassette, 'cassette.json'), 'utf8'))
    writeFileSync(path.join(cassette, 'cassette.json'), JSON.stringify({ ...manifest, match: 'strict' }))
    const rack = rackOf()
    const engine = await oneAsked(rack)
    expect(saidIfReady(engine, info('Б'))).toBeUndefined()
    rack.close()
    expect(keptBytes()).toBe(0)
  })

  it('are no reason to keep anything where nobody asks, and none to wait at the end', async () => {
    const silent = rackOf()
    expect(engineOf(silent).looksAhead).toBe(false)
    silent.close()
    expect(keptBytes()).toBe(0)
    const rack = rackOf()
    const engine = engineOf(rack)
    await engine.answer(info('А'))
    expect(engine.looksAhead).toBe(true)
    rack.close()
    expect(engine.looksAhead).toBe(false)
    const later = rackOf()
    expect(saidIfReady(engineOf(later), info('Б'))).toBeUndefined()
    later.close()
  })
})

const noted = { action: 'query', prop: 'info', titles: 'Д' }

/** Whatever is changed while replies lie ready, the answer is that of a run that starts now. */
describe('what was made ready ahead', () => {
  const fileOf = (title: string): string =>
    path.join(
      cassette,
      'query.info',
      `${requestKey(
        new Map([
          ['action', 'query'],
          ['prop', 'info'],
          ['titles', title],
        ]),
      )}.json`,
    )

  it.each<[string, () => void]>([
    ['edited', () => void writeInfo('Б', 'edited')],
    [
      'replaced',
      () => {
        writeFileSync(`${fileOf('Б')}.new`, readFileSync(fileOf('В'), 'utf8').replaceAll('В', 'Б'))
        renameSync(`${fileOf('Б')}.new`, fileOf('Б'))
      },
    ],
    ['deleted', () => rmSync(fileOf('Б'))],
    ['broken', () => writeFileSync(fileOf('Б'), '{')],
    ['described anew', () => describeInfo()],
  ])('is not believed where a recording is %s', async (_, change) => {
    for (const isLater of [false, true]) {
      rmSync(packs, { recursive: true, force: true })
      writeInfo('Б', 'first')
      rmSync(path.join(cassette, 'paraminfo'), { recursive: true, force: true })
      const first = rackOf()
      const engine = await oneAsked(first)
      if (isLater) first.close()
      change()
      await new Promise((resolve) => later(resolve, 120))
      const asked = isLater ? engineOf(rackOf()) : engine
      const truth = engineOf(rackOf(none))
      for (const title of titles) {
        const [told, true_] = [await asked.answer(info(title)), await truth.answer(info(title))]
        expect([told.status, told.body.toString()]).toEqual([true_.status, true_.body.toString()])
      }
      if (!isLater) first.close()
    }
  })

  function describeInfo(): void {
    const module = { name: 'info', path: 'query+info', prefix: 'in', parameters: [] }
    mkdirSync(path.join(cassette, 'paraminfo'), { recursive: true })
    writeFileSync(path.join(cassette, 'paraminfo', 'query+info.json'), JSON.stringify(module))
  }
})

/** One of so many recordings is asked for at first, and all are then. */
const stride = scaled(20, 4)

/** Of what may then be ready, one of so many is asked for and held against the truth. */
const comparing = scaled(4, 1)

describe('a shipped cassette', () => {
  it.each(readdirSync('cassettes').slice(-scaled(1, 3)))(
    '%s says what it says with nothing ready',
    async (name) => {
      cassette = path.resolve('cassettes', name)
      const requests = requestsTo(cassette)
      const asking = requests.filter((_, at) => at % stride === 0)
      const rack = rackOf()
      const [engine, truth] = [engineOf(rack), engineOf(rackOf(none))]
      for (const exchange of asking) await engine.answer(exchange)
      await atRest(engine)
      let ahead = 0
      for (const exchange of requests.filter((_, at) => at % comparing === 0)) {
        const known = engine.ready(exchange)
        if (known !== undefined && !asking.includes(exchange)) ahead += 1
        const { status, headers, body, key } = known ?? (await engine.answerAnew(exchange))
        const right = await truth.answer(exchange)
        expect([status, headers, key], exchange.target).toEqual([right.status, right.headers, right.key])
        expect(body.equals(right.body), exchange.target).toBe(true)
      }
      expect(ahead).toBeGreaterThan(100 / comparing)
      rack.close()
    },
  )
})

describe('a process that helps another', () => {
  it('reads what lies ready but for the steps of walks, and leaves nothing', async () => {
    cassette = path.resolve('cassettes', 'ru-1.43')
    const requests = requestsTo(cassette).filter((_, at) => at % 10 === 0)
    const first = rackOf()
    for (const exchange of requests) await engineOf(first).answer(exchange)
    first.close()
    const kept = keptBytes()
    const [later, helping] = [{}, { helps: true }].map((more) => rackOf({ folder: packs, ...more }))
    if (later === undefined || helping === undefined) throw new Error('expected two')
    const walks = (rack: Rack): readonly boolean[] =>
      requests.flatMap((exchange) => {
        const reply = engineOf(rack).ready(exchange)
        return reply === undefined ? [] : [reply.body.includes('"continue":{')]
      })
    const steps = (rack: Rack): readonly boolean[] => walks(rack).filter((one) => one)
    // What goes on, but not as a listing does, is no step of a walk.
    expect(steps(helping).length).toBeLessThan(steps(later).length / 2)
    expect(walks(helping)).toContain(false)
    await engineOf(helping).answer(get('action=query&format=json&list=never'))
    expect(engineOf(helping).looksAhead).toBe(false)
    helping.close()
    expect(keptBytes()).toBe(kept)
    later.close()
  })
})

/** Each recording as a client would ask for it who spells sets and titles as they were sent. */
function requestsTo(dir: string): readonly Exchange[] {
  const store = CassetteStore.open(dir)
  return [...store.paths()].flatMap(([key]) => {
    const found = store.find(key)
    if (found.kind !== 'found') throw new Error(`cannot read ${key}`)
    const { request, asked } = found.interaction
    const sent = [...request].filter(([name]) => !name.includes(' '))
    const query = new URLSearchParams(
      sent.map(([one, value]): [string, string] => [one, asked.get(one) ?? value]),
    )
    query.set('format', 'json')
    return [get(`${query}`)]
  })
}
