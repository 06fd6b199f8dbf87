/** Plants secrets in the answers of a wiki, records them, and looks for them on the disk. */
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { logLine } from '../../src/cli/serve/log-requests.ts'
import { uiRouter } from '../../src/pages/ui-router.ts'
import { EngineRegistry } from '../../src/recorder/engine/registry/engine-registry.ts'
import { entryLine } from '../../src/recorder/engine/request-log.ts'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import type { Store } from '../../src/recorder/store/store.ts'
import type { WikiAnswer } from '../../src/recorder/wiki/answers/wiki-answer.ts'
import { ask } from './http-client.ts'
import type { Place, Sending } from './planted-secrets.ts'
import { secretIssues } from './secret-issues.ts'

export interface Planted {
  readonly sending: Sending
  readonly place: Place
  readonly spelling: string
  readonly echo: string
}

export interface Plantation {
  readonly cases: number
  readonly recorded: number
  /** What stood on the disk, in messages, in the log or on the pages, by sending, place and spelling. */
  readonly leaks: readonly string[]
  /** What `check` says of the cassette. */
  readonly complaints: readonly string[]
}

const origin = 'http://wiki.test'

/** A cassette that is no folder. */
interface Elsewhere {
  readonly open: () => Store
  /** All that is written there, by the end of the run. */
  readonly written: () => Promise<readonly string[]>
}

/** Sends the secret once, has each echo answered to another request, in one cassette. @param cassette a new folder, or the name of what `elsewhere` opens */
export async function plant(
  cassette: string,
  sending: Sending,
  planted: readonly Planted[],
  elsewhere?: Elsewhere
): Promise<Plantation> {
  let next: Partial<WikiAnswer> = {}
  const shown: string[] = []
  const upstream = {
    ask: async ({ target }: { target: string }): Promise<WikiAnswer> => ({
      status: 200,
      headers: new Map([['content-type', 'application/json; charset=utf-8']]),
      setCookies: [],
      body: Buffer.from('{"error":{"code":"x"}}'),
      ...(target.includes('paraminfo') || target.includes('siteinfo') ? {} : next)
    }),
    close: () => undefined
  }
  const rack = new EngineRegistry({
    cassette,
    ...(elsewhere === undefined ? {} : { open: elsewhere.open }),
    mode: 'all',
    live: {
      api: {
        href: `${origin}/w/api.php`,
        origin,
        path: '/w/api.php',
        authorization: undefined,
        host: 'wiki.test'
      },
      upstream: () => upstream
    },
    missStatus: 200,
    onMiss: 'error',
    recordErrors: false,
    now: Date.now,
    onEvent: ({ text }) => void shown.push(text)
  })
  rack.feed.subscribe(({ entry }) => void shown.push(entryLine(entry), logLine(entry)))
  const engine = rack.get(undefined, undefined)
  const told = { session: '', signal: undefined }
  const send = (exchange: Sending['exchange']): Promise<unknown> =>
    engine
      .handle({ ...exchange, ...told })
      .catch((error: unknown) => shown.push(String(error)))
  // The wiki quotes what it does not take; then it takes it.
  next = { status: 503, body: Buffer.from(`try again, ${sending.secret}`) }
  if (sending.issues === undefined) await send(sending.exchange)
  next = sending.issues ?? { body: Buffer.from('{"ok":1}') }
  await send(sending.exchange)
  await rack
    .get(undefined, 'none')
    .handle({ ...again(sending.exchange), ...told })
    .catch((error: unknown) => shown.push(String(error)))
  for (const [at, { place, echo }] of planted.entries()) {
    next = place.answer(echo)
    const target = `/w/${isPlain(next) ? `index.php?title=P${at}` : `api.php?action=query&format=json&titles=P${at}`}`
    await engine.handle({
      method: 'GET',
      target,
      headers: {},
      body: new Uint8Array(),
      ...told
    })
  }
  const { recorded } = engine.summary.counts
  shown.push(...(await pagesOn(rack)))
  if (elsewhere === undefined) rack.close()
  else await rack.end()
  const disk = (await elsewhere?.written()) ?? onDisk(cassette)
  const leaks = planted
    .filter(({ echo }) => disk.some((text) => text.includes(echo)))
    .map(nameOf)
  const bare = [...disk, ...shown]
    .filter((text) => holds(text, sending.secret))
    .map((text) => `${sending.name}: ${text.slice(0, 200)}`)
  const issues = elsewhere === undefined ? secretIssues(CassetteStore.open(cassette)) : []
  const complaints = [...issues].map(({ file, what }) => `${file}: ${what}`)
  return { cases: planted.length, recorded, leaks: [...leaks, ...bare], complaints }
}

/** The same asked for in another way, which nobody has recorded. */
const again = ({ target, ...rest }: Sending['exchange']): Sending['exchange'] => ({
  ...rest,
  target: `${target}${target.includes('?') ? '&' : '?'}titles=Missed`
})

/** In clear, or as URLs and JSON spell it. A short number stands by itself. */
const holds = (text: string, secret: string): boolean =>
  /^\d+$/.test(secret)
    ? new RegExp(`(?<![\\w.])${secret}(?![\\w.])`).test(text)
    : [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)].some(
        (one) => text.includes(one)
      )

/** What the pages of a server are told. */
async function pagesOn(rack: EngineRegistry): Promise<readonly string[]> {
  const server = http.createServer(uiRouter(rack)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const paths = [
    'misses',
    'interactions',
    'summary',
    'api/misses',
    'api/interactions',
    'api/about',
    'api/cassette',
    'api/requests'
  ]
  const texts = await Promise.all(
    paths.map(
      async (one) => (await ask(`http://127.0.0.1:${port}/__wikitape/${one}`)).text
    )
  )
  server.close()
  return texts
}

const isPlain = ({ headers }: Partial<WikiAnswer>): boolean =>
  headers?.has('content-type') === true

export const nameOf = ({ sending, place, spelling }: Planted): string =>
  `${sending.name} in ${place.name} as ${spelling}`

/** All that a cassette says: names, text, the strings of its JSON, and what is packed in them. */
function onDisk(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (one) => one.isFile()
  )
  return files.flatMap((one) => {
    const bytes = readFileSync(path.join(one.parentPath, one.name))
    return [
      one.name,
      bytes.toString('utf8'),
      ...(one.name.endsWith('.json') ? strings(bytes.toString('utf8')) : [])
    ]
  })
}

function strings(text: string): readonly string[] {
  const all: string[] = []
  JSON.parse(text, (name: string, value: unknown) => {
    if (typeof value !== 'string') return value
    const packed = name === 'base64' ? Buffer.from(value, 'base64') : undefined
    all.push(
      value,
      packed?.toString('utf8') ?? '',
      packed === undefined ? '' : unpacked(packed)
    )
    return value
  })
  return all
}

function unpacked(bytes: Buffer): string {
  try {
    return gunzipSync(bytes).toString('utf8')
  } catch {
    return ''
  }
}
