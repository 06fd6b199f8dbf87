/** Ready replies of earlier runs: what they say is what the files say, whatever happened to files and packs meanwhile. */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Exchange, Reply } from '../../src/proxy/exchange.ts'
import { Rack } from '../../src/proxy/rack.ts'
import { requestKey } from '../../src/request/key.ts'
import { temporaryFolder } from '../helpers/folders.ts'

/** Two titles that are recorded, and one that is not. */
const [one, other, missing] = ['А', 'Б', 'В'].map(
  (title): Exchange => ({
    method: 'GET',
    target: `/w/api.php?action=query&format=json&prop=info&titles=${encodeURIComponent(title)}`,
    headers: {},
    body: Buffer.alloc(0),
    session: '',
    signal: undefined,
  }),
) as [Exchange, Exchange, Exchange]

/** Where no folder can be made. */
const noPacks = path.join(import.meta.filename, 'none')

const asPost = (exchange: Exchange): Exchange => ({
  ...exchange,
  method: 'POST',
  target: '/w/api.php',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: Buffer.from(exchange.target.slice(exchange.target.indexOf('?') + 1)),
})

let cassette = ''
let packs = ''

/** Runs one after the other over the same packs. @param settling milliseconds: none, since nothing waits here */
const rackOf = (settling = -1, folder = packs): Rack =>
  new Rack({
    cassette,
    mode: 'none',
    live: undefined,
    missStatus: 404,
    onMiss: 'error',
    recordErrors: false,
    now: Date.now,
    report: () => undefined,
    packs: { folder },
    settling,
  })

async function ask(exchange: Exchange, rack = rackOf()): Promise<Reply & { readonly wasReady: boolean }> {
  const engine = rack.engine(undefined, undefined)
  const ready = engine.ready(exchange)
  const reply = ready ?? (await engine.answerAnew(exchange))
  rack.close()
  return { ...reply, wasReady: ready !== undefined }
}

const said = async (exchange: Exchange, rack?: Rack): Promise<string> =>
  (await ask(exchange, rack)).body.toString()
const isReady = async (exchange: Exchange, rack?: Rack): Promise<boolean> =>
  (await ask(exchange, rack)).wasReady

const folder = (): string => path.join(cassette, 'query.info')
const fileOf = (title: string): string =>
  path.join(folder(), readdirSync(folder()).find((name) => name.includes(`=${title}.`)) ?? 'none')
const packFiles = (): string[] =>
  readdirSync(packs).flatMap((name) =>
    readdirSync(path.join(packs, name)).map((file) => path.join(packs, name, file)),
  )

const textOf = (title: string, says: string): string =>
  JSON.stringify({
    request: { action: 'query', prop: 'info', titles: title },
    responses: [{ headers: {}, json: { says }, status: 200 }],
  })

/** Recorded by hand. */
function write(title: string, says: string): void {
  const rack = keysOf()
  writeFileSync(path.join(folder(), `titles=${title}.${rack(title)}.json`), textOf(title, says))
}

const keysOf = () => (title: string) => keys[title] ?? ''
let keys: Record<string, string> = {}

beforeEach(async () => {
  cassette = path.join(temporaryFolder(), 'tape')
  packs = path.join(temporaryFolder(), 'packs')
  mkdirSync(folder(), { recursive: true })
  writeFileSync(
    path.join(cassette, 'cassette.json'),
    JSON.stringify({ describesItself: false, format: 1, upstream: 'http://wiki.example/w/api.php' }),
  )
  for (const [title, exchange] of [
    ['А', one],
    ['Б', other],
    ['В', missing],
  ] as const) {
    const reply = await ask(exchange, rackOf(0, noPacks))
    keys = { ...keys, [title]: String(reply.key) }
  }
  write('А', 'first')
  write('Б', 'second')
})

describe('a reply of an earlier run', () => {
  it('is served again, counted as used, in any spelling', async () => {
    expect(await isReady(one)).toBe(false)
    const rack = rackOf()
    const reply = rack.engine(undefined, undefined).ready(asPost(one))
    expect(reply?.body.toString()).toBe('{"says":"first"}')
    expect(rack.counts()).toMatchObject({ replayed: 1, unused: 1 })
    rack.close()
  })

  it('joins those of the runs before, and of more runs than lie apart', async () => {
    for (let run = 0; run < 12; run += 1) {
      write('А', `run ${run}`)
      await ask(one)
      await ask(other)
    }
    expect([await isReady(one), await isReady(other)]).toEqual([true, true])
    expect(packFiles().length).toBeLessThanOrEqual(9)
  })

  it('is found by what is said in the same run too, as long as its recording is what it was', async () => {
    const engine = rackOf().engine(undefined, undefined)
    await engine.answer(one)
    expect(engine.ready(asPost(one))?.body.toString()).toBe('{"says":"first"}')
    write('А', 'worst')
    expect(engine.ready(asPost(one))).toBeUndefined()
    expect((await engine.answer(asPost(one))).body.toString()).toBe('{"says":"worst"}')
    expect(engine.ready(asPost(one))?.body.toString()).toBe('{"says":"worst"}')
    rmSync(fileOf('А'))
    expect(engine.ready(asPost(one))).toBeUndefined()
  })

  it.each<[string, () => void]>([
    ['edited', () => write('А', 'now')],
    ['edited to the same length', () => write('А', 'worst')],
    [
      'edited, with the old times put back',
      () => {
        const { atime, mtime } = statSync(fileOf('А'))
        write('А', 'worst')
        utimesSync(fileOf('А'), atime, mtime)
      },
    ],
    [
      'replaced by a copy that keeps its times',
      () => {
        const copy = path.join(temporaryFolder(), 'copy')
        const { atime, mtime } = statSync(fileOf('А'))
        writeFileSync(copy, textOf('А', 'worst'))
        utimesSync(copy, atime, mtime)
        cpSync(copy, fileOf('А'), { preserveTimestamps: true })
      },
    ],
    [
      'replaced by renaming',
      () => {
        writeFileSync(path.join(cassette, 'draft'), textOf('А', 'worst'))
        renameSync(path.join(cassette, 'draft'), fileOf('А'))
      },
    ],
    ['deleted', () => rmSync(fileOf('А'))],
    ['renamed', () => renameSync(fileOf('А'), path.join(folder(), `other.${keys['А']}.json`))],
    ['broken', () => writeFileSync(fileOf('А'), '{')],
    [
      'turned into a link',
      () => {
        const elsewhere = path.join(cassette, 'elsewhere')
        copyFileSync(fileOf('А'), elsewhere)
        rmSync(fileOf('А'))
        symlinkSync(elsewhere, path.join(folder(), `titles=А.${keys['А']}.json`))
      },
    ],
    [
      'of a cassette that another has taken the place of',
      () => {
        cpSync(cassette, `${cassette}.new`, { recursive: true, preserveTimestamps: true })
        rmSync(cassette, { recursive: true })
        renameSync(`${cassette}.new`, cassette)
        write('А', 'worst')
      },
    ],
    [
      'of a cassette that has become strict',
      () => {
        const manifest = {
          describesItself: false,
          format: 1,
          match: 'strict',
          upstream: 'http://wiki.example/w/api.php',
        }
        writeFileSync(path.join(cassette, 'cassette.json'), JSON.stringify(manifest))
      },
    ],
  ])('is what the files say where the recording was %s', async (_, change) => {
    await ask(one)
    expect(await isReady(one)).toBe(true)
    change()
    const truth = await said(one, rackOf(0, noPacks))
    expect(await said(one)).toBe(truth)
    expect(await said(one)).toBe(truth)
  })

  it('is none where a narrower recording was added, before the start or while it runs', async () => {
    await ask(one)
    const rack = rackOf()
    const engine = rack.engine(undefined, undefined)
    expect(engine.ready(one)?.body.toString()).toBe('{"says":"first"}')
    write('В', 'third')
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect((await engine.answer(missing)).body.toString()).toBe('{"says":"third"}')
    rack.close()
    expect(await said(missing)).toBe('{"says":"third"}')
  })

  it('is none where a recording was added that comes before its own, before the start or while it runs', async () => {
    await ask(one)
    await ask(other)
    const rack = rackOf()
    const engine = rack.engine(undefined, undefined)
    expect(engine.ready(one)).toBeDefined()
    for (const title of ['А', 'Б']) {
      const request = { action: 'query', 'all in order': 'as folded', prop: 'info', titles: title }
      const key = requestKey(new Map(Object.entries(request)))
      const responses = [{ headers: {}, json: { says: 'narrower' }, status: 200 }]
      writeFileSync(path.join(folder(), `narrower.${key}.json`), JSON.stringify({ request, responses }))
    }
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect((await engine.answer(other)).body.toString()).toBe('{"says":"narrower"}')
    rack.close()
    expect(await said(one)).toBe('{"says":"narrower"}')
  })

  it('is not kept of a recording that was written just before it was read', async () => {
    await new Promise((resolve) => setTimeout(resolve, 400))
    write('А', 'young')
    const rack = rackOf(300)
    await rack.engine(undefined, undefined).answer(other)
    await ask(one, rack)
    expect([await isReady(one), await isReady(other)]).toEqual([false, true])
  })

  it('is not kept of a file that is too young to be told from what it may become', async () => {
    await ask(one, rackOf(60_000))
    expect(await isReady(one, rackOf(60_000))).toBe(false)
  })
})

describe('a pack', () => {
  it('lies where nobody else can look', async () => {
    await ask(one)
    const modes = [packs, ...readdirSync(packs).map((name) => path.join(packs, name)), ...packFiles()].map(
      (file) => statSync(file).mode & 0o077,
    )
    expect(modes).toEqual([0, 0, 0])
  })

  it.each<[string, (file: string) => void]>([
    ['empty', (file) => writeFileSync(file, '')],
    ['cut off', (file) => truncateSync(file, statSync(file).size - 1)],
    ['cut in the middle', (file) => truncateSync(file, statSync(file).size >> 1)],
    ['readable by others', (file) => chmodSync(file, 0o644)],
    ['in a folder that others can write to', (file) => chmodSync(path.dirname(file), 0o777)],
    [
      'a link',
      (file) => {
        renameSync(file, `${file}.moved`)
        symlinkSync(`${file}.moved`, file)
      },
    ],
    [
      'a folder',
      (file) => {
        rmSync(file)
        mkdirSync(file)
      },
    ],
    ['gone', (file) => rmSync(file)],
    ['garbage', (file) => writeFileSync(file, Buffer.alloc(5000, 'wikitape ready 1'))],
  ])('is not believed where it is %s', async (_, spoil) => {
    await ask(one)
    const [file] = packFiles()
    if (file === undefined) throw new Error('expected a pack')
    spoil(file)
    const reply = await ask(one)
    expect([reply.wasReady, reply.body.toString()]).toEqual([false, '{"says":"first"}'])
  })

  it('is believed nowhere where any of its bytes is another', async () => {
    await ask(one)
    const [file] = packFiles()
    if (file === undefined) throw new Error('expected a pack')
    const whole = readFileSync(file)
    for (let at = 0; at < whole.length; at += Math.max(1, whole.length >> 7)) {
      const spoilt = Buffer.from(whole)
      spoilt[at] = (spoilt[at] ?? 0) ^ 0x20
      writeFileSync(file, spoilt, { mode: 0o600 })
      expect(await said(one), `byte ${at}`).toBe('{"says":"first"}')
    }
  })

  it('of another cassette is not found', async () => {
    await ask(one)
    const elsewhere = path.join(temporaryFolder(), 'tape')
    cpSync(cassette, elsewhere, { recursive: true, preserveTimestamps: true })
    cassette = elsewhere
    expect(await isReady(one)).toBe(false)
  })

  it('is not needed: where none can be written all is as without', async () => {
    writeFileSync(packs, 'a file')
    expect([await isReady(one), await isReady(one)]).toEqual([false, false])
    expect(await said(one)).toBe('{"says":"first"}')
  })
})
