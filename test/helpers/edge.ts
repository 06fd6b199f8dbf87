/**
 * What stands in front of a public wiki: it wants to know who asks, limits, sets cookies of its own, adds headers that
 * differ every time, breaks down now and then. Modelled on Wikimedia's and on Fandom's (as recorded from 2014 to 2026).
 */
import type { ServerResponse } from 'node:http'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { httpStandIn, type Seen, type StandIn } from './upstreams.ts'

/** What the wiki behind it says. */
export interface Behind {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string | Uint8Array
}

export interface EdgeOptions {
  readonly farm: 'wikimedia' | 'fandom'
  readonly behind: (seen: Seen) => Behind | Promise<Behind>
  /** The share of requests that meet trouble, from 0 to 1. */
  readonly trouble: number
  readonly seed: number
  /** The moment in milliseconds, as the caller counts it. */
  readonly now: () => number
  /** Key and certificate (PEM) where it speaks TLS. */
  readonly pem?: string | undefined
}

export interface Edge extends StandIn {
  /** Address of api.php behind the edge. */
  readonly api: string
  /** Requests under way at one time, at most. */
  readonly most: () => number
  /** Milliseconds between a 429 and the next request, the shortest. */
  readonly shortestRest: () => number
  /** How often each kind of trouble struck. */
  readonly struck: ReadonlyMap<string, number>
}

/** What stands in everything that the edge adds, so that it can be looked for. */
export const marks: readonly string[] = [
  ...[
    '198.51.100.77',
    'GeoIP',
    'Springfield',
    'WMF-',
    'wikia_',
    'UseDC',
    'x-cache',
    'x-client-ip',
    'cp3066'
  ],
  ...[
    'Wikimedia Error',
    'robot policy',
    'slow down',
    'Just a moment',
    'server-timing',
    'cf_bm',
    'Be back soon'
  ]
]

const cookies = {
  wikimedia: [
    'WMF-Last-Access=22-Nov-2026;Path=/;HttpOnly;secure;Expires=Thu, 24 Dec 2026 00:00:00 GMT',
    'GeoIP=US:IL:Springfield:39.78:-89.65:v4; Path=/; secure; Domain=.wiki.example',
    'WMF-Uniq=kq83hd7fhs82hf7s; Path=/; secure; HttpOnly; SameSite=None',
    'UseDC=master; path=/; secure; HttpOnly; Max-Age=10'
  ],
  fandom: [
    'wikia_beacon_id=Xx8sKq2; path=/; Max-Age=15552000',
    'wikia_session_id=0bq93kd; path=/; Max-Age=1800',
    'Geo={%22city%22:%22Springfield%22}; path=/',
    '__cf_bm=8fh3kd83.92jd; path=/; HttpOnly; Secure'
  ]
}

export async function edge({
  farm,
  behind,
  trouble,
  seed,
  now,
  pem
}: EdgeOptions): Promise<Edge> {
  const lot = lots(seed)
  const struck = new Map<string, number>()
  let underWay = 0
  let most = 0
  let shortest = Number.POSITIVE_INFINITY
  let refusedAt = Number.NaN
  const answer = async (seen: Seen, response: ServerResponse): Promise<void> => {
    underWay += 1
    most = Math.max(most, underWay)
    if (!Number.isNaN(refusedAt)) shortest = Math.min(shortest, now() - refusedAt)
    refusedAt = Number.NaN
    response.once('close', () => {
      underWay -= 1
    })
    const strike =
      lot() < trouble ? strikes[Math.floor(lot() * strikes.length)] : undefined
    if (strike !== undefined) struck.set(strike, (struck.get(strike) ?? 0) + 1)
    if (strike === 'reset') return void response.destroy()
    if (strike === 'limit') refusedAt = now()
    const said =
      policy(seen, farm) ?? (strike === undefined ? await behind(seen) : troubles[strike])
    send(seen, said, response, farm, lot)
  }
  const standIn = await httpStandIn((seen, response) => {
    answer(seen, response).catch(() => response.destroy())
  }, pem)
  return {
    ...standIn,
    api: `${standIn.origin}/w/api.php`,
    most: () => most,
    shortestRest: () => shortest,
    struck
  }
}

const strikes = [
  'limit',
  'overload',
  'lag',
  'readonly',
  'reset',
  'maintenance',
  'challenge'
] as const

const page = (title: string): string =>
  `<!DOCTYPE html><title>${title}</title><p>198.51.100.77 via cp3066`
const html = { 'content-type': 'text/html; charset=utf-8' }
const json = { 'content-type': 'application/json; charset=utf-8' }
const error = (code: string): string => JSON.stringify({ error: { code, info: 'later' } })

const troubles: Readonly<Record<Exclude<(typeof strikes)[number], 'reset'>, Behind>> = {
  limit: {
    status: 429,
    headers: { ...html, 'retry-after': '2' },
    body: page('slow down')
  },
  overload: { status: 503, headers: html, body: page('Wikimedia Error') },
  lag: {
    status: 200,
    headers: {
      ...json,
      'mediawiki-api-error': 'maxlag',
      'retry-after': '5',
      'x-database-lag': '7'
    },
    body: error('maxlag')
  },
  maintenance: { status: 200, headers: html, body: page('Be back soon') },
  challenge: {
    status: 200,
    headers: { ...html, 'cf-mitigated': 'challenge' },
    body: page('Just a moment...')
  },
  readonly: {
    status: 200,
    headers: { ...json, 'mediawiki-api-error': 'readonly' },
    body: error('readonly')
  }
}

/** Whoever does not say who it is: `<client>/<version> (<contact>) <library>/<version>` is wanted. */
function policy({ headers }: Seen, farm: EdgeOptions['farm']): Behind | undefined {
  const agent = headers['user-agent'] ?? ''
  if (farm === 'wikimedia' && !/^[\w-]+\/\S+ \([^)]+\)/.test(agent)) {
    const body =
      'Please set a user-agent and respect our robot policy https://w.wiki/4wJS. See also https://phabricator.wikimedia.org/T400119.\n'
    return { status: 403, headers: { 'content-type': 'text/plain' }, body }
  }
  return farm === 'fandom' && agent === ''
    ? { status: 403, headers: html, body: page('Just a moment...') }
    : undefined
}

function send(
  seen: Seen,
  said: Behind,
  response: ServerResponse,
  farm: EdgeOptions['farm'],
  lot: () => number
): void {
  const known = seen.headers.cookie !== undefined
  const coding = /\b(gzip|br)\b/.exec(String(seen.headers['accept-encoding'] ?? ''))?.[1]
  const whole = Buffer.from(said.body)
  const body =
    coding === 'gzip'
      ? gzipSync(whole)
      : coding === 'br'
        ? brotliCompressSync(whole)
        : whole
  const own = said.headers['set-cookie'] ?? []
  response.writeHead(said.status, {
    ...said.headers,
    ...(coding === undefined ? {} : { 'content-encoding': coding }),
    // Some answers have them and the next has not.
    'set-cookie': [
      ...(known || lot() < 0.2 ? [] : cookies[farm]),
      ...(typeof own === 'string' ? [own] : own)
    ],
    'x-client-ip': '198.51.100.77',
    'x-cache': `cp3066 ${lot() < 0.5 ? 'miss' : 'hit'}, cp3066 pass`,
    'server-timing': `cache;desc="pass", host;desc="cp3066"`,
    'x-request-id': String(lot()),
    age: String(Math.floor(lot() * 100)),
    via: '1.1 varnish'
  })
  response.end(body)
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function lots(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
