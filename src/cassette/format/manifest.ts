/** `cassette.json`: what one cassette is a recording of. */

import { type JsonTree, jsonArray, jsonLiteral, jsonObject, jsonString } from '../../json/json-tree.ts'
import { isPlainObject, type PlainObject } from '../../json/plain-json.ts'
import type { SessionCookieNames } from '../../wiki/cookies/session-cookies.ts'
import { databaseFact, type Namespace, type SiteFacts, wikiIdFact } from '../../wiki/site/site-facts.ts'

/** The file format that this version writes; a larger number in a file is refused (docs/cassette-format.md). */
export const formatNumber = 1

export interface Manifest {
  readonly format: number
  /** The api-url that was recorded, without credentials. */
  readonly upstream: string
  /** The engine's version as the wiki tells it, e.g. `1.43.9`; empty until it did. */
  readonly engine: string
  readonly site: SiteFacts | undefined
  /** False where the wiki refuses `action=paraminfo`: requests are then matched by the built-in table. */
  readonly describesItself: boolean
  /**
   * A day, e.g. `2026-11-21`, before which no part of the cassette was recorded or confirmed; absent where nobody
   * knows. What is added later does not make the rest younger (docs/decisions/0007-expiry.md).
   */
  readonly recorded?: string
  /** `strict` where a request finds only what was recorded for the very same spelling (docs/matching.md). */
  readonly match?: 'strict'
  /** Names of cookies that the wiki has proven to be its session's although no suffix tells it; sorted. */
  readonly sessionCookies?: SessionCookieNames
}

/** @param recorded the day of the first recording */
export const newManifest = (upstream: string, recorded?: string): Manifest => ({
  format: formatNumber,
  upstream,
  engine: '',
  site: undefined,
  describesItself: true,
  ...(recorded === undefined ? {} : { recorded }),
})

/** A moment in milliseconds as the day in UTC. */
export const toDay = (moment: number): string => new Date(moment).toISOString().slice(0, 10)

/** Undefined for what is no day of the calendar. */
export function parseDay(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const moment = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(moment) && toDay(moment) === text ? text : undefined
}

/** The manifest as JSON, members sorted. */
export function encodeManifest(manifest: Manifest): JsonTree {
  return jsonObject([
    ...(manifest.describesItself ? [] : ([['describesItself', jsonLiteral(false)]] as const)),
    ['engine', jsonString(manifest.engine)],
    ['format', jsonLiteral(manifest.format)],
    ...(manifest.match === undefined ? [] : ([['match', jsonString(manifest.match)]] as const)),
    ...(manifest.recorded === undefined ? [] : ([['recorded', jsonString(manifest.recorded)]] as const)),
    ...(manifest.sessionCookies === undefined
      ? []
      : ([['sessionCookies', jsonArray([...manifest.sessionCookies].sort().map(jsonString))]] as const)),
    ...(manifest.site === undefined ? [] : ([['site', encodeSite(manifest.site)]] as const)),
    ['upstream', jsonString(manifest.upstream)],
  ])
}

const encodeSite = (site: SiteFacts): JsonTree =>
  jsonObject([
    ...(site.database === undefined ? [] : ([['database', jsonString(site.database)]] as const)),
    ['generator', jsonString(site.generator)],
    ['lang', jsonString(site.lang)],
    ['namespaces', jsonArray(site.namespaces.map(encodeNamespace))],
    ...(site.wikiId === undefined ? [] : ([['wikiid', jsonString(site.wikiId)]] as const)),
  ])

const encodeNamespace = (one: Namespace): JsonTree =>
  jsonObject([
    ['aliases', jsonArray(one.aliases.map(jsonString))],
    ['firstLetter', jsonLiteral(one.firstLetter)],
    ['id', jsonLiteral(one.id)],
    ['name', jsonString(one.name)],
  ])

export type ManifestReading =
  | { readonly kind: 'manifest'; readonly manifest: Manifest }
  | { readonly kind: 'too-new'; readonly format: number }
  | { readonly kind: 'broken'; readonly message: string }

const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')
const textsOrNone = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

/** Reads a parsed `cassette.json`. */
export function decodeManifest(value: unknown): ManifestReading {
  if (!isPlainObject(value) || typeof value['format'] !== 'number') {
    return { kind: 'broken', message: 'expected an object with a number under "format"' }
  }
  if (value['format'] > formatNumber) return { kind: 'too-new', format: value['format'] }
  const recorded = parseDay(value['recorded'])
  const sessionCookies = textsOrNone(value['sessionCookies'])
  return {
    kind: 'manifest',
    manifest: {
      format: formatNumber,
      upstream: textOrEmpty(value['upstream']),
      engine: textOrEmpty(value['engine']),
      site: isPlainObject(value['site']) ? decodeSiteFacts(value['site']) : undefined,
      describesItself: value['describesItself'] !== false,
      ...(recorded === undefined ? {} : { recorded }),
      ...(value['match'] === 'strict' ? { match: 'strict' } : {}),
      ...(sessionCookies.length === 0 ? {} : { sessionCookies }),
    },
  }
}

function decodeSiteFacts(value: PlainObject): SiteFacts {
  const namespaces = Array.isArray(value['namespaces']) ? value['namespaces'] : []
  return {
    generator: textOrEmpty(value['generator']),
    lang: textOrEmpty(value['lang']),
    ...databaseFact(value['database']),
    ...wikiIdFact(value['wikiid']),
    namespaces: namespaces.filter(isPlainObject).map((one) => ({
      id: typeof one['id'] === 'number' ? one['id'] : 0,
      name: textOrEmpty(one['name']),
      aliases: textsOrNone(one['aliases']),
      firstLetter: one['firstLetter'] !== false,
    })),
  }
}
