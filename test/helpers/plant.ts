/** Plants secrets in the answers of a wiki, records them, and looks for them on the disk. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Rack } from '../../src/proxy/rack.ts'
import { CassetteStore } from '../../src/store/cassette-store.ts'
import { secrets } from '../../src/survey/faults.ts'
import type { WikiAnswer } from '../../src/wiki/answer.ts'
import type { Place, Sending } from './planted-secrets.ts'

export interface Planted {
  readonly sending: Sending
  readonly place: Place
  readonly spelling: string
  readonly echo: string
}

export interface Plantation {
  readonly cases: number
  readonly recorded: number
  /** What stood on the disk, by sending, place and spelling. */
  readonly leaks: readonly string[]
  /** What `check` says of the cassette. */
  readonly complaints: readonly string[]
}

const origin = 'http://wiki.test'

/** Sends the secret once, has each echo answered to another request, in one cassette. @param cassette a new folder */
export async function plant(
  cassette: string,
  sending: Sending,
  planted: readonly Planted[],
): Promise<Plantation> {
  let next: Partial<WikiAnswer> = {}
  const upstream = {
    ask: async ({ target }: { target: string }): Promise<WikiAnswer> => ({
      status: 200,
      headers: new Map([['content-type', 'application/json; charset=utf-8']]),
      setCookies: [],
      body: Buffer.from('{"error":{"code":"x"}}'),
      ...(target.includes('paraminfo') || target.includes('siteinfo') ? {} : next),
    }),
    close: () => undefined,
  }
  const rack = new Rack({
    cassette,
    mode: 'all',
    live: {
      api: {
        href: `${origin}/w/api.php`,
        origin,
        path: '/w/api.php',
        authorization: undefined,
        host: 'wiki.test',
      },
      upstream: () => upstream,
    },
    missStatus: 200,
    onMiss: 'error',
    recordErrors: false,
    now: Date.now,
    report: () => undefined,
  })
  const engine = rack.engine(undefined, undefined)
  const told = { session: '', signal: undefined }
  next = { status: 503, body: Buffer.from('try again') }
  await engine.answer({ ...sending.exchange, ...told }).catch(() => undefined)
  for (const [at, { place, echo }] of planted.entries()) {
    next = place.answer(echo)
    const target = `/w/${isPlain(next) ? `index.php?title=P${at}` : `api.php?action=query&format=json&titles=P${at}`}`
    await engine.answer({ method: 'GET', target, headers: {}, body: new Uint8Array(), ...told })
  }
  const { recorded } = engine.summary
  rack.close()
  const disk = onDisk(cassette)
  const leaks = planted.filter(({ echo }) => disk.some((text) => text.includes(echo))).map(nameOf)
  const bare = disk
    .filter((text) => text.includes(sending.secret))
    .map((text) => `${sending.name}: ${text.slice(0, 80)}`)
  const complaints = [...secrets(CassetteStore.open(cassette))].map(({ file, what }) => `${file}: ${what}`)
  return { cases: planted.length, recorded, leaks: [...leaks, ...bare], complaints }
}

const isPlain = ({ headers }: Partial<WikiAnswer>): boolean => headers?.has('content-type') === true

export const nameOf = ({ sending, place, spelling }: Planted): string =>
  `${sending.name} in ${place.name} as ${spelling}`

/** All that a cassette says: names, text, the strings of its JSON, and what is packed in them. */
function onDisk(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return files.flatMap((one) => {
    const bytes = readFileSync(path.join(one.parentPath, one.name))
    return [
      one.name,
      bytes.toString('utf8'),
      ...(one.name.endsWith('.json') ? strings(bytes.toString('utf8')) : []),
    ]
  })
}

function strings(text: string): readonly string[] {
  const all: string[] = []
  JSON.parse(text, (name: string, value: unknown) => {
    if (typeof value !== 'string') return value
    const packed = name === 'base64' ? Buffer.from(value, 'base64') : undefined
    all.push(value, packed?.toString('utf8') ?? '', packed === undefined ? '' : unpacked(packed))
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
