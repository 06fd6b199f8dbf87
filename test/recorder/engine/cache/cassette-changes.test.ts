/** Files that change while a server runs: the answer is what they say, within the tenth of a second that is between two looks. */
import {
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Engine } from '../../../../src/recorder/engine/engine.ts'
import { EngineRegistry } from '../../../../src/recorder/engine/registry/engine-registry.ts'
import type { IncomingRequest } from '../../../../src/recorder/http/incoming-request.ts'
import { requestKey } from '../../../../src/recorder/request/request-key.ts'
import { racyWindow } from '../../../../src/recorder/store/files/change-detector.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'

const get = (query: string): IncomingRequest => ({
  method: 'GET',
  target: `/w/api.php?action=query&format=json&${query}`,
  headers: {},
  body: Buffer.alloc(0),
  session: '',
  signal: undefined
})
const one = get('prop=info&titles=A')
/** The same, spelled otherwise. */
const turned = get('titles=A&prop=info')
const other = get('prop=info&titles=B')
/** The same as the first where a module says so. */
const byDefault = get('prop=info&titles=A&infoo=x')
const all = [one, turned, other, byDefault]

let cassette = ''

const infoFolder = (): string => path.join(cassette, 'query.info')
const manifest = {
  describesItself: false,
  format: 1,
  upstream: 'http://wiki.example/w/api.php'
}
const writeManifest = (more: object = {}): void =>
  writeFileSync(
    path.join(cassette, 'cassette.json'),
    JSON.stringify({ ...manifest, ...more })
  )

/** @param parameters of `prop=info`, as the wiki describes them */
function describeInfo(parameters: readonly object[]): void {
  const module = { name: 'info', path: 'query+info', prefix: 'in', parameters }
  mkdirSync(path.join(cassette, 'paraminfo'), { recursive: true })
  writeFileSync(
    path.join(cassette, 'paraminfo', 'query+info.json'),
    JSON.stringify(module)
  )
}

interface Written {
  readonly folder: string
  readonly name: string
  readonly request: Readonly<Record<string, string>>
  readonly response: object
}

function write({ folder, name, request, response }: Written): string {
  const file = path.join(
    cassette,
    folder,
    `${name}.${requestKey(new Map(Object.entries(request)))}.json`
  )
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(
    file,
    JSON.stringify({ request, responses: [{ headers: {}, status: 200, ...response }] })
  )
  return file
}

const writeInfo = (title: string, says: string): string =>
  write({
    folder: 'query.info',
    name: `titles=${title}`,
    request: { action: 'query', prop: 'info', titles: title },
    response: { json: { says } }
  })

/** Of whoever starts now. */
const rackOf = (): EngineRegistry =>
  new EngineRegistry({
    cassette,
    mode: 'none',
    live: undefined,
    missStatus: 404,
    onMiss: 'synthesize',
    recordErrors: false,
    now: () => 0,
    onEvent: () => undefined
  })

racyWindow.ms = -1

const engineOf = (rack = rackOf()): Engine => rack.get(undefined, undefined)
const said = async (engine: Engine, exchange: IncomingRequest): Promise<string> =>
  (await engine.handle(exchange)).body.toString()
const betweenLooks = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 120))

/**
 * Until what changes from now on shows a later time than what was read: clocks of file systems stand still for
 * milliseconds, which a server allows for by `racyWindow`.
 */
async function clockGoesOn(): Promise<void> {
  const probe = path.join(temporaryFolder(), 'probe')
  const read = Date.now()
  do {
    await new Promise((resolve) => setTimeout(resolve, 2))
    writeFileSync(probe, '')
  } while (statSync(probe).ctimeMs <= read + 1)
}

/** Asks until replies are cached. */
async function warm(
  engine: Engine,
  exchanges: readonly IncomingRequest[]
): Promise<void> {
  for (const exchange of exchanges)
    expect(await engine.handle(exchange)).toBe(await engine.handle(exchange))
  await clockGoesOn()
}

beforeEach(() => {
  cassette = path.join(temporaryFolder(), 'tape')
  mkdirSync(infoFolder(), { recursive: true })
  writeManifest()
  describeInfo([])
  writeInfo('A', 'first')
  writeInfo('B', 'second')
})

const fileOf = (title: string): string =>
  path.join(
    infoFolder(),
    readdirSync(infoFolder()).find((name) => name.startsWith(`titles=${title}.`)) ?? ''
  )

const changes: readonly (readonly [string, () => void])[] = [
  ['edited', () => void writeInfo('A', 'now')],
  [
    'edited to the same length, with the old times put back',
    () => {
      const { atime, mtime } = statSync(fileOf('A'))
      writeInfo('A', 'worst')
      utimesSync(fileOf('A'), atime, mtime)
    }
  ],
  [
    'replaced by renaming',
    () => {
      const file = fileOf('A')
      renameSync(file, `${file}.old`)
      writeInfo('A', 'worst')
    }
  ],
  ['broken', () => writeFileSync(fileOf('A'), '{')],
  ['deleted', () => rmSync(fileOf('A'))],
  ['renamed', () => renameSync(fileOf('A'), path.join(infoFolder(), 'other.json'))],
  [
    'put beside one that comes before it',
    () =>
      void write({
        folder: 'query.info',
        name: 'narrower',
        request: {
          action: 'query',
          'all in order': 'as folded',
          prop: 'info',
          titles: 'A'
        },
        response: { json: { says: 'narrower' } }
      })
  ],
  ['in a cassette that has become strict', () => writeManifest({ match: 'strict' })],
  [
    'in a cassette whose modules are described otherwise',
    () => describeInfo([{ index: 1, name: 'foo', type: 'string', default: 'x' }])
  ],
  [
    'in a cassette that another has taken the place of',
    () => {
      cpSync(cassette, `${cassette}.new`, { recursive: true, preserveTimestamps: true })
      rmSync(cassette, { recursive: true })
      renameSync(`${cassette}.new`, cassette)
      writeInfo('A', 'worst')
    }
  ],
  ['in a cassette that is gone', () => rmSync(cassette, { recursive: true })]
]

describe('a recording that was asked for', () => {
  it.each(changes)('and then %s is what the files say', async (_, change) => {
    const rack = rackOf()
    await warm(engineOf(rack), [one, turned, other])
    change()
    await betweenLooks()
    const truth = await truthOf(all)
    for (const exchange of [...all, ...all])
      expect(await said(engineOf(rack), exchange)).toBe(truth.get(exchange))
  })

  it('is what the file says once it is restored', async () => {
    const engine = engineOf()
    await warm(engine, [one])
    const { atime, mtime } = statSync(fileOf('A'))
    writeInfo('A', 'worst')
    await betweenLooks()
    expect(await said(engine, one)).toBe('{"says":"worst"}')
    writeInfo('A', 'first')
    utimesSync(fileOf('A'), atime, mtime)
    await betweenLooks()
    expect(await said(engine, one)).toBe('{"says":"first"}')
  })

  it('is another where a link leads to another cassette', async () => {
    const tape = cassette
    const link = path.join(temporaryFolder(), 'link')
    cpSync(tape, `${tape}.other`, { recursive: true })
    symlinkSync(tape, link)
    cassette = link
    const engine = engineOf()
    await warm(engine, [one])
    cassette = `${tape}.other`
    writeInfo('A', 'elsewhere')
    describeInfo([{ index: 1, name: 'foo', type: 'string', default: 'x' }])
    rmSync(link)
    symlinkSync(cassette, link)
    await betweenLooks()
    expect(await said(engine, byDefault)).toBe('{"says":"elsewhere"}')
    expect(await said(engine, one)).toBe('{"says":"elsewhere"}')
  })

  it('lies in part beside its file', async () => {
    const file = write({
      folder: 'plain',
      name: 'image',
      request: { 'plain target': '/w/image.png' },
      response: { headers: { 'content-type': 'image/png' }, file: 'image.0.bin' }
    })
    writeFileSync(path.join(path.dirname(file), 'image.0.bin'), 'first')
    const engine = engineOf()
    const image: IncomingRequest = { ...one, target: '/w/image.png' }
    await warm(engine, [image])
    writeFileSync(path.join(path.dirname(file), 'image.0.bin'), 'other')
    await betweenLooks()
    expect(await said(engine, image)).toBe('other')
  })
})

describe('a listing', () => {
  const batch = (from: string, titles: readonly string[], next?: string): string =>
    write({
      folder: 'query.allpages',
      name: `from=${from}`,
      request: {
        action: 'query',
        aplimit: '3',
        list: 'allpages',
        ...(from && { apcontinue: from })
      },
      response: {
        json: {
          batchcomplete: '',
          ...(next && { continue: { apcontinue: next, continue: '-||' } }),
          query: {
            allpages: titles.map((title, at) => ({ pageid: at + 1, ns: 0, title }))
          }
        }
      }
    })

  it('is made of what its batches say when it is asked for', async () => {
    batch('', ['A', 'B', 'C'], 'D')
    batch('D', ['D', 'E', 'F'])
    const engine = engineOf()
    const two = get('list=allpages&aplimit=2')
    expect(await said(engine, two)).toContain('"title":"B"')
    await clockGoesOn()
    batch('', ['A', 'Ba', 'C'], 'D')
    await betweenLooks()
    expect(await said(engine, two)).toContain('"title":"Ba"')
  })
})

/** What a server says that starts now; a cassette that is gone has nothing. */
async function truthOf(
  exchanges: readonly IncomingRequest[]
): Promise<ReadonlyMap<IncomingRequest, string>> {
  if (statSync(cassette, { throwIfNoEntry: false }) === undefined) {
    mkdirSync(cassette)
    writeManifest()
  }
  const engine = engineOf()
  const truth = new Map<IncomingRequest, string>()
  for (const exchange of exchanges) truth.set(exchange, await said(engine, exchange))
  return truth
}
