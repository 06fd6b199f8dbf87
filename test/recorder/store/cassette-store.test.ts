import { execFile, execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as afterMs, setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual, promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  bodiesOutsideText,
  maxInlineBytes,
  maxInlineCharacters
} from '../../../src/recorder/cassette/format/encode-interaction.ts'
import { formatNumber } from '../../../src/recorder/cassette/format/manifest.ts'
import { CassetteStore } from '../../../src/recorder/store/cassette-store.ts'
import type { InteractionReadResult } from '../../../src/recorder/store/contents/interaction-reader.ts'
import { racyWindow } from '../../../src/recorder/store/files/change-detector.ts'
import { writeWhole } from '../../../src/recorder/store/files/whole-files.ts'
import { StoreError } from '../../../src/recorder/store/store-error.ts'
import { hookFileOperations } from '../../helpers/file-operations.mjs'
import { filesIn, temporaryFolder } from '../../helpers/folders.ts'
import { interactionOf, response, treeOf } from '../../helpers/recorded.ts'

const upstream = 'http://wiki/w/api.php'
const volga = interactionOf({ action: 'query', prop: 'info', titles: 'Волга' })

let root = ''
let dir = ''
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'wikitape-store-'))
  dir = path.join(root, 'cassette')
})
afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

const create = (): CassetteStore => CassetteStore.openOrCreate(dir, upstream)
const fileOf = (store: CassetteStore, interaction = volga): string =>
  path.join(
    dir,
    [...store.paths()].find(([key]) => key === interaction.key)?.[1] ??
      expect.fail('no such file')
  )
const faultOf = (run: () => unknown): StoreError => {
  try {
    run()
  } catch (error) {
    if (error instanceof StoreError) return error
    throw error
  }
  return expect.fail('nothing was thrown')
}
const interactionIn = (found: InteractionReadResult) =>
  found.kind === 'found' ? found.interaction : expect.fail(JSON.stringify(found))

describe('a recording on disk', () => {
  it('appears with its first recording, and is found again', () => {
    const store = create()
    expect(existsSync(dir)).toBe(false)
    store.put(volga)
    store.checkpoint()
    const again = CassetteStore.open(dir)
    expect(interactionIn(again.get(volga.key))).toEqual(volga)
    expect([again.size, again.has(volga.key), again.manifest.upstream]).toEqual([
      1,
      true,
      upstream
    ])
    expect([...again.paths()]).toEqual([
      [volga.key, `query.info/titles=Волга.${volga.key}.json`]
    ])
  })

  it('is forced to the disk while others are served', async () => {
    const store = create()
    store.put(volga)
    let served = 0
    // Not by a clock: in memory it takes less than a millisecond.
    const serve = (): void => {
      served += 1
      others = setImmediate(serve)
    }
    let others = setImmediate(serve)
    const forced = store.checkpointAsync().then(() => served)
    store.put({ ...volga, responses: [volga.responses[0], volga.responses[0]] })
    const servedMeanwhile = await forced
    clearImmediate(others)
    expect(servedMeanwhile).toBeGreaterThan(0)
  })

  it('is forced to the disk by a checkpoint that begins while another one is under way', async () => {
    const store = create()
    store.put(volga)
    const first = store.checkpointAsync()
    const other = interactionOf({ action: 'query', prop: 'info', titles: 'Ока' })
    store.put(other)
    rmSync(fileOf(store, other))
    symlinkSync(fileOf(store, other), fileOf(store, other))
    const [, second] = await Promise.allSettled([first, store.checkpointAsync()])
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'ELOOP' } })
  })

  it('has a file forced to the disk again that could not be before', async () => {
    const store = create()
    store.put(volga)
    const file = fileOf(store)
    const bytes = readFileSync(file)
    rmSync(file)
    symlinkSync(file, file)
    for (let tries = 0; tries < 2; tries += 1)
      await expect(store.checkpointAsync()).rejects.toThrow('ELOOP')
    expect(() => store.checkpoint()).toThrow('ELOOP')
    rmSync(file)
    writeFileSync(file, bytes)
    await store.checkpointAsync()
    rmSync(file)
    // Forced once, it is not looked at again.
    symlinkSync(file, file)
    await store.checkpointAsync()
    store.checkpoint()
  })

  it('gets no new byte when the same is put again', () => {
    const store = create()
    store.put(volga)
    const before = readFileSync(fileOf(store))
    CassetteStore.openOrCreate(dir, 'http://elsewhere/', { moved: true }).put(volga)
    expect(readFileSync(fileOf(store)).equals(before)).toBe(true)
    expect(CassetteStore.open(dir).manifest.upstream).toBe(upstream)
  })
})

describe('files of a cassette', () => {
  it('is read whatever an editor or git did to its white space', () => {
    const store = create()
    store.put(volga)
    store.setManifest({ ...store.manifest, engine: '1.43.9' })
    for (const file of [fileOf(store), path.join(dir, 'cassette.json')])
      writeFileSync(
        file,
        `\ufeff${readFileSync(file, 'utf8').replaceAll('\n', '\r\n').replaceAll('  ', '\t')}`
      )
    const again = CassetteStore.open(dir)
    expect(interactionIn(again.get(volga.key))).toEqual(volga)
    expect(again.manifest.engine).toBe('1.43.9')
  })

  it('may be named and sorted into folders by hand, as long as the key stays at the end', () => {
    const store = create()
    store.put(volga)
    mkdirSync(path.join(dir, 'реки', 'большие'), { recursive: true })
    renameSync(
      fileOf(store),
      path.join(dir, 'реки', 'большие', `Волга.${volga.key}.json`)
    )
    const again = CassetteStore.openOrCreate(dir, upstream)
    expect(interactionIn(again.get(volga.key))).toEqual(volga)
    again.put({ ...volga, sentValues: new Map([['titles', 'волга']]) })
    expect([...again.paths()]).toEqual([
      [volga.key, `реки/большие/Волга.${volga.key}.json`]
    ])
  })

  it('keeps recordings of action=paraminfo apart from what the wiki says of its modules', () => {
    const store = create()
    const asked = interactionOf({ action: 'paraminfo', modules: 'main' })
    store.put(asked)
    store.putModule(
      'query+allpages',
      treeOf('{"path":"query+allpages","prefix":"ap","parameters":[{"name":"limit"}]}')
    )
    const again = CassetteStore.open(dir)
    expect(interactionIn(again.get(asked.key))).toEqual(asked)
    expect(again.size).toBe(1)
    expect(again.module('query+allpages')?.prefix).toBe('ap')
    expect(again.module('query+allimages')).toBeUndefined()
    expect(again.module('../cassette')).toBeUndefined()
  })

  it.each([
    ['bytes', { kind: 'binary', bytes: new Uint8Array(maxInlineBytes + 1).fill(9) }],
    ['texts', { kind: 'text', text: 'Ж'.repeat(maxInlineCharacters + 1) }],
    [
      'JSON in text',
      { kind: 'text', text: `["${'Ж'.repeat(maxInlineCharacters)}"]`, spelling: 'utf8' }
    ]
  ] as const)(
    'puts large %s beside, and takes them away with their recording',
    (_, body) => {
      const store = create()
      const image = interactionOf({ 'plain target': '/x.png' }, [response(body)])
      store.put(image)
      expect(bodiesOutsideText(image.responses)).toContain(
        body.kind === 'text' ? body.text : body.bytes
      )
      const found = interactionIn(CassetteStore.open(dir).get(image.key)).responses[0]
        .body
      expect(
        isDeepStrictEqual(
          found,
          'bytes' in body ? { ...body, bytes: Buffer.from(body.bytes) } : body
        )
      ).toBe(true)
      expect(readdirSync(path.join(dir, 'plain'))).toHaveLength(2)
      store.delete(image.key)
      expect(readdirSync(path.join(dir, 'plain'))).toEqual([])
      store.delete(image.key)
      expect([store.size, store.get(image.key).kind]).toEqual([0, 'absent'])
    }
  )
})

describe('a cassette on disk that others change', () => {
  it('serves the first of two files for one key', () => {
    const store = create()
    store.put(volga)
    const text = readFileSync(fileOf(store), 'utf8')
    writeFileSync(
      path.join(dir, `aaa.${volga.key}.json`),
      text.replace('"status": 200', '"status": 404')
    )
    const again = CassetteStore.open(dir)
    expect(again.size).toBe(1)
    expect(interactionIn(again.get(volga.key)).responses[0].status).toBe(404)
  })

  it('sees what another process has recorded since, and misses what another has deleted', () => {
    const one = create()
    const two = create()
    one.put(volga)
    expect(two.get(volga.key).kind).toBe('absent')
    expect(two.getOrDiscover(volga.key, volga.request).kind).toBe('found')
    one.delete(volga.key)
    expect(two.getOrDiscover(volga.key, volga.request).kind).toBe('absent')
  })

  it('sees it also in a folder that had been left alone for long, once it has looked there in vain', async () => {
    const one = create()
    one.put(interactionOf({ action: 'query', prop: 'info', titles: 'Нева' }))
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    const two = CassetteStore.open(dir)
    vi.useRealTimers()
    expect(two.getOrDiscover(volga.key, volga.request).kind).toBe('absent')
    one.put(volga)
    await Promise.resolve()
    expect(two.getOrDiscover(volga.key, volga.request).kind).toBe('found')
  })

  it('reads names, not bodies, when it is opened', () => {
    const store = create()
    store.put(volga)
    const keys = Array.from({ length: 500 }, (_, at) => at.toString(16).padStart(12, '0'))
    // Folders: whoever read one would fail.
    for (const [at, key] of keys.entries()) {
      mkdirSync(path.join(dir, `query.${at % 7}`, `x.${key}.json`), { recursive: true })
    }
    const again = CassetteStore.open(dir)
    expect(again.size).toBe(501)
    expect(interactionIn(again.get(volga.key))).toEqual(volga)
  })
})

describe('a file that is broken', () => {
  it.each([
    ['cut off', (text: string) => text.slice(0, 40), /expected$/],
    ['not JSON', () => '<<<<<<< HEAD\n', /an unresolved merge conflict/],
    ['empty', () => '', /value expected/],
    ['another JSON', () => '{"request":{}}', /"responses"/]
  ])('is named with its fault and stops no other: %s', (_name, spoil, message) => {
    const store = create()
    const other = interactionOf({ action: 'query', titles: 'Дон' })
    store.put(volga)
    store.put(other)
    const file = fileOf(store)
    writeFileSync(file, spoil(readFileSync(file, 'utf8')))
    const again = CassetteStore.open(dir)
    expect(again.get(volga.key)).toMatchObject({
      kind: 'broken',
      path: file,
      fault: { line: expect.any(Number), message: expect.stringMatching(message) }
    })
    expect(interactionIn(again.get(other.key))).toEqual(other)
    expect([...again.readFolder('query')].map(({ kind }) => kind)).toEqual(['found'])
  })

  it('is told with its line and column', () => {
    const store = create()
    store.put(volga)
    const file = fileOf(store)
    const lines = readFileSync(file, 'utf8').split('\n')
    const at = lines.findIndex((line) => line.includes('"status"'))
    writeFileSync(file, lines.with(at, `${lines[at]} x`).join('\n'))
    expect(CassetteStore.open(dir).get(volga.key)).toMatchObject({
      kind: 'broken',
      fault: { line: at + 1, column: (lines[at]?.length ?? 0) + 2 }
    })
  })

  it('is never guessed at: bytes that are not UTF-8 are a fault', () => {
    const store = create()
    store.put(volga)
    const file = fileOf(store)
    const bytes = readFileSync(file)
    bytes[bytes.indexOf('Волга')] = 0xff
    writeFileSync(file, bytes)
    expect(CassetteStore.open(dir).get(volga.key)).toMatchObject({
      kind: 'broken',
      fault: { message: 'the file is not UTF-8' }
    })
  })
})

describe('a broken file and its folder', () => {
  it('in a folder that the system denies is an error, not an endless try', () => {
    expect(() => writeWhole('/proc/nope/deeper/x', '')).toThrow(
      /ENOENT|EACCES|EPERM|EROFS/
    )
  })

  it('may be a folder or lack its beside file', () => {
    const store = create()
    store.put(volga)
    const file = fileOf(store)
    rmSync(file)
    mkdirSync(file)
    expect(CassetteStore.open(dir).get(volga.key)).toMatchObject({
      kind: 'broken',
      path: file
    })
    const image = interactionOf({ 'plain target': '/x.png' }, [
      response({ kind: 'binary', bytes: new Uint8Array(maxInlineBytes + 1) })
    ])
    store.put(image)
    rmSync(fileOf(store, image).replace('.json', '.0.bin'))
    expect(CassetteStore.open(dir).get(image.key)).toMatchObject({
      kind: 'broken',
      fault: { message: expect.stringContaining('was not found') }
    })
  })

  it('is not what a killed process left behind', () => {
    const store = create()
    store.put(volga)
    writeFileSync(`${fileOf(store)}.1234.tmp`, '{"requ')
    writeFileSync(path.join(dir, 'cassette.json.99.tmp'), '{')
    const again = CassetteStore.open(dir)
    expect([again.size, again.get(volga.key).kind]).toEqual([1, 'found'])
  })
})

describe('a cassette that cannot be opened', () => {
  it('is missing', () => {
    expect(faultOf(() => CassetteStore.open(dir))).toMatchObject({
      fault: 'missing',
      message: `there is no cassette at ${dir}; record one: wikitape record <api-url> --cassette ${dir}`
    })
  })

  it('is a file', () => {
    writeFileSync(dir, '')
    for (const open of [() => CassetteStore.open(dir), create])
      expect(faultOf(open)).toMatchObject({ fault: 'not-a-folder' })
  })

  it('has no manifest', () => {
    mkdirSync(dir)
    writeFileSync(path.join(dir, `x.${volga.key}.json`), '{}')
    for (const open of [() => CassetteStore.open(dir), create])
      expect(faultOf(open)).toMatchObject({
        fault: 'no-manifest',
        message: expect.stringContaining(
          'is not a cassette: cassette.json not found; name'
        )
      })
  })

  it.each([
    ['{\n  "format": 1,\n}', 'cassette.json:3:1: property name expected'],
    ['', 'cassette.json:1:1: value expected'],
    [
      '{"format":"1"}',
      'cassette.json:1:1: expected an object with a number under "format"'
    ],
    ['[1]', 'cassette.json:1:1: expected an object'],
    ...['5', 'null', '"file:///etc/passwd"', '"http://"', '"ru"'].map((upstream) => [
      `{"format":1,"upstream":${upstream}}`,
      'cassette.json:1:1: expected the http address of an api.php under "upstream"'
    ])
  ])('has a broken manifest: %j', (text, message) => {
    mkdirSync(dir)
    writeFileSync(path.join(dir, 'cassette.json'), text)
    const fault = faultOf(() => CassetteStore.open(dir))
    expect([fault.fault, fault.message]).toEqual([
      'broken',
      expect.stringContaining(message)
    ])
  })
})

describe('a cassette that is newer, misplaced or broken', () => {
  it('is of a newer format', () => {
    mkdirSync(dir)
    writeFileSync(
      path.join(dir, 'cassette.json'),
      JSON.stringify({ format: formatNumber + 1 })
    )
    expect(faultOf(() => CassetteStore.open(dir))).toMatchObject({
      fault: 'too-new',
      message: expect.stringContaining(
        `has format ${formatNumber + 1}; this wikitape reads formats up to ${formatNumber}`
      )
    })
  })

  it('lies below a file', () => {
    writeFileSync(path.join(root, 'file'), '')
    const below = path.join(root, 'file', 'cassette')
    expect(faultOf(() => CassetteStore.open(below)).message).toContain(
      'a part of that path is a file'
    )
    expect(faultOf(() => CassetteStore.openOrCreate(below, upstream)).message).toContain(
      below
    )
  })

  it('describes a module in a broken file', () => {
    const store = create()
    store.putModule('parse', treeOf('{"path":"parse"}'))
    writeFileSync(path.join(dir, 'paraminfo', 'parse.json'), '{"path":')
    expect(faultOf(() => CassetteStore.open(dir).module('parse'))).toMatchObject({
      fault: 'broken',
      message: expect.stringContaining('parse.json:1:9')
    })
    writeFileSync(
      path.join(dir, 'paraminfo', 'parse.json'),
      '\ufeff{"path":"parse","prefix":"p"}\r\n'
    )
    expect(CassetteStore.open(dir).module('parse')?.prefix).toBe('p')
  })
})

describe('a new cassette', () => {
  it('may begin in a folder that holds nothing but hidden files or what another process is just writing', () => {
    mkdirSync(dir)
    writeFileSync(path.join(dir, '.gitkeep'), '')
    writeFileSync(path.join(dir, 'cassette.json.0a1b2c3d.tmp'), '{')
    create().put(volga)
    expect(CassetteStore.open(dir).size).toBe(1)
  })

  it('does not begin among other files', () => {
    mkdirSync(dir)
    writeFileSync(path.join(dir, 'README.md'), '')
    expect(faultOf(create).fault).toBe('no-manifest')
  })
})

/** A superuser writes where nobody may: there the refusal has to come from the file system itself. */
const isSuperuser = process.getuid?.() === 0
const canMount =
  isSuperuser &&
  process.platform === 'linux' &&
  spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

describe('a disk that refuses', () => {
  it('is told before anything is recorded where nobody may write', () => {
    if (isSuperuser) return
    mkdirSync(dir)
    chmodSync(dir, 0o500)
    expect(faultOf(create)).toMatchObject({
      fault: 'cannot-write',
      message: expect.stringContaining('permission denied (EACCES)')
    })
    chmodSync(dir, 0o700)
  })

  it('is told with the file, and leaves what was there before', () => {
    const store = create()
    store.put(volga)
    const blocked = interactionOf({ action: 'parse', page: 'Дон' })
    writeFileSync(path.join(dir, 'parse'), '')
    const fault = faultOf(() => store.put(blocked))
    expect(fault).toMatchObject({
      fault: 'cannot-write',
      message: expect.stringMatching(
        /^cannot write .*parse.*nothing recorded earlier is lost$/
      )
    })
    expect([store.has(blocked.key), store.get(volga.key).kind]).toEqual([false, 'found'])
    rmSync(path.join(dir, 'parse'))
    store.put(blocked)
    expect(store.has(blocked.key)).toBe(true)
  })

  it('is full: what was recorded stays whole, no draft is left, and recording goes on when there is room', () => {
    const script = `
      import { CassetteStore } from ${JSON.stringify(path.resolve('src/recorder/store/cassette-store.ts'))}
      import { interactionOf, jsonBody, response } from ${JSON.stringify(path.resolve('test/helpers/recorded.ts'))}
      import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
      const dir = process.argv[2]
      const store = CassetteStore.openOrCreate(dir + '/c', 'http://wiki/')
      const big = (n) => interactionOf({ action: 'x', n: String(n) }, [response(jsonBody(JSON.stringify('y'.repeat(60000))))])
      const told = []
      for (let n = 0; n < 40; n += 1) try { store.put(big(n)) } catch (error) { told.push(error.fault + ': ' + error.message) }
      const names = readdirSync(dir + '/c', { recursive: true })
      const whole = CassetteStore.open(dir + '/c')
      const kinds = [...whole.paths()].map(([key]) => whole.get(key).kind)
      console.log(JSON.stringify({ told: told[0], failed: told.length, drafts: names.filter((name) => name.endsWith('.tmp')), kinds: [...new Set(kinds)], count: kinds.length }))
    `
    if (!canMount) return
    const file = path.join(root, 'full.ts')
    writeFileSync(file, script)
    const small = path.join(root, 'small')
    mkdirSync(small)
    const command = `mount -t tmpfs -o size=1m none "$1" && exec "$2" --import tsx "$3" "$1"`
    const told = JSON.parse(
      execFileSync(
        'unshare',
        ['-m', 'sh', '-c', command, 'sh', small, process.execPath, file],
        {
          encoding: 'utf8',
          cwd: process.cwd()
        }
      )
    )
    expect(told).toMatchObject({
      told: expect.stringMatching(/^cannot-write: .*the disk is full/),
      drafts: [],
      kinds: ['found']
    })
    expect(told.count + told.failed).toBe(40)
    expect(told.failed).toBeGreaterThan(0)
  })
})

describe('the recordings of a folder', () => {
  it('are the same for all that is asked in one turn, and are looked at in the next', async () => {
    create().put(volga)
    // Left alone from here on.
    await afterMs(50)
    const { ms } = racyWindow
    onTestFinished(() => void Object.assign(racyWindow, { ms }))
    racyWindow.ms = 0
    const store = CassetteStore.open(dir)
    const folder = store.folders()[0] ?? expect.fail('no folder')
    store.generation(folder)
    await afterMs(150)
    const second = store.generation(folder)
    // Longer than there is between two looks, as reading thousands of them takes.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000)
    writeFileSync(fileOf(store), '{}')
    expect(store.generation(folder)).toBe(second)
    await nextTurn()
    expect(store.generation(folder)).toBeGreaterThan(second)
    vi.restoreAllMocks()
  })
})

describe('several processes', () => {
  it('record into one cassette at once, the same keys too', async () => {
    const run = promisify(execFile)
    const writer = path.resolve('test/helpers/cassette-writer.mjs')
    const processes = 5
    const each = 20
    const shared = 4
    await Promise.all(
      Array.from({ length: processes }, (_, at) =>
        run(process.execPath, [
          writer,
          dir,
          String(at * each),
          String(each),
          String(shared)
        ])
      )
    )
    const store = CassetteStore.open(dir)
    expect(store.size).toBe(processes * each + shared)
    expect([...store.paths()].map(([key]) => store.get(key).kind)).toEqual(
      Array.from({ length: store.size }, () => 'found')
    )
    expect(
      readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('.tmp')
      )
    ).toEqual([])
  })
})

it.each([false, true])(
  'of two processes that begin one cassette in the same moment for two wikis, one does (without links: %s)',
  (linkless) => {
    const here = 'http://en.example/w/api.php'
    const there = 'http://de.example/w/api.php'
    const place = path.join(temporaryFolder(), 'tape')
    const [first, second] = [here, there].map((upstream) =>
      CassetteStore.openOrCreate(place, upstream)
    )
    let isFirst = true
    const putBack = hookFileOperations(place, (name, args, original) => {
      if (name === 'linkSync' && linkless) {
        throw Object.assign(new Error('EPERM: operation not permitted, link'), {
          code: 'EPERM'
        })
      }
      if (name === (linkless ? 'copyFileSync' : 'linkSync') && isFirst) {
        isFirst = false
        first?.put(volga)
      }
      return original(...args)
    })
    try {
      expect(() => second?.put(volga)).toThrow(
        `${place} is a recording of ${here}, not of ${there}`
      )
    } finally {
      putBack()
    }
    expect(CassetteStore.open(place).manifest.upstream).toBe(here)
    expect([...filesIn(place).keys()].filter((name) => name.endsWith('.tmp'))).toEqual([])
  }
)

it('a new cassette that another process has begun for another wiki gives none of its recordings', () => {
  const [here, there] = ['http://en.example/w/api.php', 'http://de.example/w/api.php']
  const place = path.join(temporaryFolder(), 'tape')
  const [first, second] = [here, there].map((upstream) =>
    CassetteStore.openOrCreate(place, upstream)
  )
  first?.put(volga)
  const refusal = `${place} is a recording of ${here}, not of ${there}`
  expect(() => second?.getOrDiscover(volga.key, volga.request)).toThrow(refusal)
})
