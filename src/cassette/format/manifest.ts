/** `cassette.json`: which wiki a cassette is a recording of. */
import type { JsonTree } from '../../json/json-tree.ts'
import {
  fromPlain,
  isPlainObject,
  type PlainObject,
  plainItems,
  plainText,
  plainTexts,
} from '../../json/plain-json.ts'
import type { SessionCookieNames } from '../../wiki/cookies/session-cookies.ts'
import { databaseFact, type SiteFacts, wikiIdFact } from '../../wiki/site/site-facts.ts'

/** The file format that this version writes; a larger number in a file is refused (docs/cassette-format.md). */
export const formatNumber = 1

export interface Manifest {
  readonly format: number
  /** The api-url that was recorded, without credentials. */
  readonly upstream: string
  /** MediaWiki's version, e.g. `1.43.9`; empty until the wiki has told it. */
  readonly engine: string
  readonly site: SiteFacts | undefined
  /** False where the wiki refuses `action=paraminfo`: requests are then matched by the built-in table. */
  readonly describesItself: boolean
  /**
   * A day, e.g. `2026-11-21`: every part of the cassette was recorded or confirmed on that day or later. Absent where it is
   * unknown (docs/decisions/0007-expiry.md).
   */
  readonly recorded?: string
  /** `strict` where a request matches only recordings of exactly the same spelling (docs/matching.md). */
  readonly match?: 'strict'
  /** Sorted names of cookies that the wiki has proven to be its session's although their suffix does not say so. */
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
  const { describesItself, engine, format, match, recorded, sessionCookies, site, upstream } = manifest
  return fromPlain({
    describesItself: describesItself ? undefined : false,
    engine,
    format,
    match,
    recorded,
    sessionCookies: sessionCookies && [...sessionCookies].sort(),
    site: site && encodeSite(site),
    upstream,
  })
}

const encodeSite = ({ database, generator, lang, namespaces, wikiId, ...rest }: SiteFacts): PlainObject => ({
  configuration: rest.configuration,
  database,
  generator,
  lang,
  namespaces: namespaces.map(({ aliases, firstLetter, id, name }) => ({ aliases, firstLetter, id, name })),
  statistics: rest.statistics,
  wikiid: wikiId,
})

export type ManifestReading =
  | { readonly kind: 'manifest'; readonly manifest: Manifest }
  | { readonly kind: 'too-new'; readonly format: number }
  | { readonly kind: 'broken'; readonly message: string }

export function decodeManifest(value: unknown): ManifestReading {
  if (!isPlainObject(value) || typeof value['format'] !== 'number') {
    return { kind: 'broken', message: 'expected an object with a number under "format"' }
  }
  if (value['format'] > formatNumber) return { kind: 'too-new', format: value['format'] }
  const recorded = parseDay(value['recorded'])
  const sessionCookies = plainTexts(value['sessionCookies'])
  return {
    kind: 'manifest',
    manifest: {
      format: formatNumber,
      upstream: plainText(value['upstream']),
      engine: plainText(value['engine']),
      site: isPlainObject(value['site']) ? decodeSiteFacts(value['site']) : undefined,
      describesItself: value['describesItself'] !== false,
      ...(recorded === undefined ? {} : { recorded }),
      ...(value['match'] === 'strict' ? { match: 'strict' } : {}),
      ...(sessionCookies.length === 0 ? {} : { sessionCookies }),
    },
  }
}

function decodeSiteFacts(value: PlainObject): SiteFacts {
  return {
    generator: plainText(value['generator']),
    lang: plainText(value['lang']),
    ...databaseFact(value['database']),
    ...wikiIdFact(value['wikiid']),
    ...(isPlainObject(value['configuration']) ? { configuration: value['configuration'] } : {}),
    ...(isPlainObject(value['statistics']) ? { statistics: value['statistics'] } : {}),
    namespaces: plainItems(value['namespaces'])
      .filter(isPlainObject)
      .map((one) => ({
        id: typeof one['id'] === 'number' ? one['id'] : 0,
        name: plainText(one['name']),
        aliases: plainTexts(one['aliases']),
        firstLetter: one['firstLetter'] !== false,
      })),
  }
}
